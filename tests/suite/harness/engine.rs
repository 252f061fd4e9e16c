//! Engines for tests: one that does as it is told, to see what the core makes of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use corbel::analysis::engine::{Brief, Draft, Engine};
use corbel::base::error::{Error, Result};
use futures_core::future::BoxFuture;
use tokio::sync::Notify;

/// What the next attempt does.
#[derive(Clone, Debug)]
pub enum Act {
    Answer(&'static str),
    /// Answers once it is told to go on.
    When(Arc<Notify>, &'static str),
    Fail,
    Panic,
    /// Never ends.
    Hang,
}

/// Plays acts in order and then answers "done"; keeps every brief it saw.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    acts: Arc<Mutex<VecDeque<Act>>>,
    briefs: Arc<Mutex<Vec<Brief>>>,
}

impl Scripted {
    pub fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        Self {
            acts: Arc::new(Mutex::new(acts.into_iter().collect())),
            briefs: Arc::default(),
        }
    }

    pub fn briefs(&self) -> Vec<Brief> {
        self.briefs.lock().expect("briefs").clone()
    }
}

impl Engine for Scripted {
    fn model(&self) -> &'static str {
        "scripted"
    }

    fn answer<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Draft>> {
        Box::pin(async move {
            self.briefs.lock().expect("briefs").push(brief.clone());
            let act = self
                .acts
                .lock()
                .expect("acts")
                .pop_front()
                .unwrap_or(Act::Answer("done"));
            let text = match act {
                Act::Answer(text) => text,
                Act::When(gate, text) => {
                    gate.notified().await;
                    text
                }
                Act::Fail => return Err(Error::internal("the engine was told to fail")),
                Act::Panic => panic!("the engine was told to panic"),
                Act::Hang => std::future::pending().await,
            };
            Ok(Draft {
                quick_reply: text.to_owned(),
                result: text.to_owned(),
                success: true,
                ..Draft::default()
            })
        })
    }
}

//! Engines for tests: a scripted one, to test how the core handles each outcome.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use corbel::analysis::engine::{Brief, Draft, Engine, GeneratedFile};
use corbel::analysis::tools::kit::Tools;
use corbel::base::error::{Error, Result};
use futures_core::future::BoxFuture;
use tokio::sync::Notify;

/// What the next attempt does.
#[derive(Clone, Debug)]
pub enum Act {
    Answer(&'static str),
    /// Answers after a notification.
    When(Arc<Notify>, &'static str),
    /// Answers with files that it generated.
    Make(&'static str, Vec<GeneratedFile>),
    Fail,
    Panic,
    /// Never finishes.
    Hang,
}

/// Plays the given acts in order, then answers "done". Records every brief.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    acts: Arc<Mutex<VecDeque<Act>>>,
    briefs: Arc<Mutex<Vec<Brief>>>,
    /// The name of the model under which it answers.
    name: Option<&'static str>,
}

impl Scripted {
    /// Answers under the name of a built-in model.
    pub fn named(self, name: &'static str) -> Self {
        Self {
            name: Some(name),
            ..self
        }
    }

    pub fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        Self {
            acts: Arc::new(Mutex::new(acts.into_iter().collect())),
            briefs: Arc::default(),
            name: None,
        }
    }

    pub fn briefs(&self) -> Vec<Brief> {
        self.briefs.lock().expect("briefs").clone()
    }
}

impl Engine for Scripted {
    fn model(&self) -> &'static str {
        self.name.unwrap_or("scripted")
    }

    fn answer<'a>(&'a self, brief: &'a Brief, _tools: &'a Tools) -> BoxFuture<'a, Result<Draft>> {
        Box::pin(async move {
            self.briefs.lock().expect("briefs").push(brief.clone());
            let act = self
                .acts
                .lock()
                .expect("acts")
                .pop_front()
                .unwrap_or(Act::Answer("done"));
            let mut files = Vec::new();
            let text = match act {
                Act::Answer(text) => text,
                Act::Make(text, made) => {
                    files = made;
                    text
                }
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
                files,
                ..Draft::default()
            })
        })
    }
}

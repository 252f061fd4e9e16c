//! Engines for tests: a scripted one, to test how the core handles each outcome.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use corbel::analysis::engine::{Brief, Draft, Engine, GeneratedFile, Outcome};
use corbel::analysis::tools::kit::Tools;
use corbel::base::blocking;
use corbel::base::error::{Error, Result};
use futures_core::future::BoxFuture;
use tables::work::charge;
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
    /// Reads without end on a blocking thread. Notifies when it has begun and when it has ended.
    Read(Arc<Notify>, Arc<Notify>),
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

    fn answer<'a>(&'a self, brief: &'a Brief, _tools: &'a Tools) -> BoxFuture<'a, Result<Outcome>> {
        Box::pin(async move {
            let recorded = Brief {
                permit: None,
                ..brief.clone()
            };
            self.briefs.lock().expect("briefs").push(recorded);
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
                Act::Read(begun, ended) => {
                    read_without_end(begun, ended).await?;
                    "read"
                }
            };
            Ok(Outcome::from(Draft {
                quick_reply: text.to_owned(),
                result: text.to_owned(),
                success: true,
                files,
                ..Draft::default()
            }))
        })
    }
}

/// The answer of an engine that gives one.
pub fn draft_of(outcome: Outcome) -> Draft {
    match outcome {
        Outcome::Answer(draft) => *draft,
        Outcome::Failed { code, .. } => panic!("no answer: {code}"),
    }
}

async fn read_without_end(begun: Arc<Notify>, ended: Arc<Notify>) -> Result<()> {
    let reading = async move {
        let _ended = NotifyOnDrop(ended);
        begun.notify_one();
        loop {
            charge(1);
        }
    };
    let Err(_) = blocking::read(u64::MAX, reading).await?;
    Ok(())
}

struct NotifyOnDrop(Arc<Notify>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

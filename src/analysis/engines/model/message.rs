//! What is exchanged with a language model, independent of a wire form: prompts, replies, calls, and faults.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::analysis::engines::model::lenient;
use crate::analysis::engines::model::settings::Tokens;
use crate::analysis::tools::typed::catalog::Spec;
use crate::net::model_transport::Cut;

/// What is sent.
#[derive(Debug)]
pub struct Prompt<'a> {
    pub system: &'a str,
    pub turns: &'a [Turn],
    pub tools: &'a [Spec],
    /// Whether the model must answer now, without another call.
    pub must_answer: bool,
    /// In tokens.
    pub most_output: u64,
}

/// One part of a conversation.
#[derive(Clone, Debug)]
pub enum Turn {
    /// What a person, or this service on their behalf, says.
    Person(String),
    Model(Said),
    /// One result for each call of the turn before, in their order.
    Results(Vec<CallResult>),
}

/// What the model said.
#[derive(Clone, Debug)]
pub struct Said {
    pub text: String,
    pub calls: Vec<WantedCall>,
}

/// A call that the model wants.
#[derive(Clone, Debug)]
pub struct WantedCall {
    /// The provider's, or the place of the call if it gave none.
    pub id: String,
    pub name: String,
    /// None if they are no JSON object.
    pub arguments: Option<Map<String, Value>>,
}

/// The result of a call.
#[derive(Clone, Debug)]
pub struct CallResult {
    pub id: String,
    pub text: String,
    pub failed: bool,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<WantedCall>,
    /// Absent if the provider did not say.
    pub tokens: Option<Tokens>,
    pub end: End,
    /// What is sent back of it; none if nothing was said.
    pub said: Option<Said>,
}

/// How a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Finished,
    /// At the most output.
    Cut,
    /// The model or its provider refused to answer.
    Refused,
}

/// Why there is no reply. The text is safe to log and to show: it has nothing that the provider wrote.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Fault {
    /// Too many requests, overload, or a fault of the provider.
    #[error("the provider answered with status {status}")]
    Busy {
        status: u16,
        retry_after: Option<Duration>,
    },
    /// The provider refused the request; another try would be refused as well.
    #[error("the provider refused the request with status {status}")]
    Refused { status: u16 },
    /// Nothing came, or not to its end.
    #[error("{0}")]
    Cut(Cut),
    #[error("the answer could not be read")]
    Unreadable,
    #[error("the key cannot be sent")]
    Unsent,
    /// Not even the first call fits into the money and the context of the run.
    #[error("the first call does not fit the limits of the run")]
    TooLittle,
}

/// Whether an answer comes at once or in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Streamed,
    Whole,
}

impl Said {
    /// What is sent back of a reply; none if nothing was said.
    pub fn new(text: &str, calls: &[WantedCall]) -> Option<Self> {
        let said = Self {
            text: text.to_owned(),
            calls: calls.to_vec(),
        };
        (!said.text.trim().is_empty() || !said.calls.is_empty()).then_some(said)
    }

    pub fn bytes(&self) -> usize {
        let calls = self
            .calls
            .iter()
            .map(|call| call.sent_back().to_string().len() + call.name.len() + 64);
        self.text.len() + calls.sum::<usize>()
    }
}

impl WantedCall {
    /// A call with its arguments as the model wrote them.
    pub fn new(id: String, name: String, arguments: &str) -> Self {
        let arguments = match lenient::parse(arguments) {
            Some(Value::Object(map)) => Some(map),
            _ if arguments.trim().is_empty() => Some(Map::new()),
            _ => None,
        };
        Self { id, name, arguments }
    }

    /// The arguments as they are sent back. Those that are no JSON object are left out: servers answer them with an
    /// error, and the result of the call says what was wrong.
    pub fn sent_back(&self) -> Value {
        Value::Object(self.arguments.clone().unwrap_or_default())
    }

    pub fn answered(self, text: String, failed: bool) -> CallResult {
        CallResult {
            id: self.id,
            text,
            failed,
        }
    }
}

impl Fault {
    /// What a status means.
    pub fn of_status(status: u16, retry_after: Option<Duration>) -> Self {
        if (300..500).contains(&status) && ![408, 409, 425, 429].contains(&status) {
            Self::Refused { status }
        } else {
            Self::Busy { status, retry_after }
        }
    }
}

impl From<Cut> for Fault {
    fn from(cut: Cut) -> Self {
        Self::Cut(cut)
    }
}

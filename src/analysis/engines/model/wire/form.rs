//! What the wire forms have in common: a form writes a prompt as JSON, and reads a reply, whole or event by event.

use reqwest::header::HeaderMap;
use serde_json::{Map, Value};

use crate::analysis::engines::model::message::{End, Fault, Prompt, Reply, Said, WantedCall};
use crate::analysis::engines::model::settings::Tokens;

/// A wire form.
pub trait Form: Send + Sync {
    /// What is appended to the base URL.
    fn path(&self) -> &'static str;

    /// The headers with the key. None if the key has characters that no header has.
    fn headers(&self, key: &str) -> Option<HeaderMap>;

    fn body(&self, model: &str, prompt: &Prompt<'_>, streamed: bool) -> Value;

    /// Reads a whole reply.
    fn whole(&self, body: &Value) -> Result<Reply, Fault>;

    /// Reads one event of a stream. True at the end of the reply.
    fn event(&self, event: &Value, draft: &mut ReplyDraft) -> Result<bool, Fault>;
}

/// A reply that is being received.
#[derive(Debug, Default)]
pub struct ReplyDraft {
    pub text: String,
    pub calls: Vec<CallDraft>,
    pub tokens: Option<Tokens>,
    /// How it ended, once it did.
    pub end: Option<End>,
}

/// A call that is being received.
#[derive(Debug, Default)]
pub struct CallDraft {
    /// Its place, by which further pieces name it.
    pub place: Option<u64>,
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl ReplyDraft {
    /// The reply. A stream that ended without saying how is cut off, unless its end mark came.
    pub fn done(self, marked: bool) -> Option<Reply> {
        let said_something = !self.text.is_empty() || !self.calls.is_empty();
        let end = self
            .end
            .or_else(|| (marked && said_something).then_some(End::Finished))?;
        let calls = self
            .calls
            .into_iter()
            .enumerate()
            .map(|(at, call)| call.done(at))
            .collect();
        Some(reply(self.text, calls, self.tokens, end))
    }
}

impl CallDraft {
    fn done(self, at: usize) -> WantedCall {
        let id = if self.id.is_empty() {
            format!("call_{}", at + 1)
        } else {
            self.id
        };
        WantedCall::new(id, self.name, &self.arguments)
    }
}

/// A reply with what is sent back of it.
pub fn reply(text: String, calls: Vec<WantedCall>, tokens: Option<Tokens>, end: End) -> Reply {
    Reply {
        said: Said::new(&text, &calls),
        text,
        calls,
        tokens,
        end,
    }
}

/// A text of an object, or an empty one.
pub fn text_at<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub fn count_at(value: &Value, key: &str) -> Option<u64> {
    value.get(key).and_then(Value::as_u64)
}

/// Arguments as text: some servers send them as an object.
pub fn arguments_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Object(map)) => Value::Object(map.clone()).to_string(),
        _ => String::new(),
    }
}

/// An object from pairs.
pub fn object(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Map<String, Value> {
    pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

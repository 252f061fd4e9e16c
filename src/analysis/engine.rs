//! What an engine gets and gives. Two engines exist: the offline analyst and the language model.
//!
//! An engine sees only what was gathered for it: the policy was applied before.

use chrono::{DateTime, NaiveDate, Utc};
use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::analysis::answer::{Figure, Missing, SourceKind};
use crate::base::error::Result;
use crate::base::ids::NoteId;
pub use crate::base::tone::Tone;

/// The question and everything the asker may use for it.
#[derive(Clone, Debug)]
pub struct Brief {
    pub question: String,
    pub tone: Tone,
    /// Today in UTC, for questions that speak of "this year".
    pub today: NaiveDate,
    /// The frame of the session's last completed turn that this run may see.
    pub earlier: Option<serde_json::Value>,
    /// Notes the asker may use under the run's policy, best match first.
    pub notes: Vec<NoteExcerpt>,
    /// What was said before in the conversation's thread, oldest first, as everyone in it can read.
    pub thread: Vec<Remark>,
}

/// Something said earlier by others: its text is data, never instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    pub by: Speaker,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// With the name, where it is known.
    Person(Option<String>),
    /// The assistant itself.
    Assistant,
}

/// A note as an engine reads it: its text is data, never instruction.
#[derive(Clone, Debug)]
pub struct NoteExcerpt {
    pub id: NoteId,
    pub kind: SourceKind,
    pub title: String,
    pub body: String,
    pub updated_at: DateTime<Utc>,
}

/// What an engine answers. Sources name the notes that were used, not all that were seen.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub quick_reply: String,
    pub summary: String,
    pub result: String,
    pub reasoning: String,
    pub success: bool,
    pub figures: Vec<Figure>,
    pub used_notes: Vec<NoteId>,
    pub warnings: Vec<String>,
    pub missing: Vec<Missing>,
    /// Goal, values with their origins and what was missing: where a follow-up starts.
    pub frame: Option<serde_json::Value>,
    /// Files that the answer made, in order.
    pub files: Vec<MadeFile>,
}

/// A file that an answer made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeFile {
    pub filename: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
}

/// Answers one brief. An error is a fault of the engine; asking back is a draft.
pub trait Engine: Send + Sync {
    /// The built-in model's word, for instance `svc-local`.
    fn model(&self) -> &'static str;

    /// Notes that an earlier frame leans on, so that the person can say "use it": they are gathered
    /// again by their ids, under the policy of the new run.
    fn leans_on(&self, _earlier: &serde_json::Value) -> Vec<NoteId> {
        Vec::new()
    }

    fn answer<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Draft>>;
}

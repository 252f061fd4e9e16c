//! What an engine gets and gives. One engine exists: the offline analyst.
//!
//! An engine sees only what was gathered for it: the policy was applied before.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::analysis::answer::{Figure, Missing, SourceKind};
use crate::analysis::tools::kit::Tools;
use crate::base::error::Result;
use crate::base::ids::{FileId, NoteId};
pub use crate::base::tone::Tone;

/// The question and everything the asker may use for it.
#[derive(Clone, Debug, Default)]
pub struct Brief {
    pub question: String,
    pub tone: Tone,
    /// What the owner of the selected custom analyst wrote on what it is for and how it works: the one text of
    /// a brief, beside the question, that instructs.
    pub instructions: Option<String>,
    /// Today in UTC, for questions that speak of "this year".
    pub today: NaiveDate,
    /// The frame of the session's last completed turn that this run may see.
    pub earlier: Option<serde_json::Value>,
    /// Notes the asker may use under the run's policy, best match first.
    pub notes: Vec<NoteExcerpt>,
    /// Files the asker may use under the run's policy: the question's, then those of its notes, then those of
    /// earlier turns, the newest first.
    pub files: Vec<FileExcerpt>,
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

/// A file as an engine reads it: its text is data, never instruction.
#[derive(Clone, Debug)]
pub struct FileExcerpt {
    pub id: FileId,
    pub name: String,
    pub kind: SourceKind,
    pub from: FileFrom,
    pub as_of: DateTime<Utc>,
    pub content: FileContent,
}

/// Where a file comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFrom {
    /// It came with the question.
    Question,
    /// A note that was asked for has it.
    Note(NoteId),
    /// An earlier turn of the session brought it.
    Earlier,
}

#[derive(Clone)]
pub enum FileContent {
    /// The whole text; a file is never cut.
    Text {
        /// By its content, for instance `text/csv`.
        media: String,
        text: Arc<str>,
    },
    /// Why there is none, in words that follow the file's name.
    Unreadable(String),
}

// A file's text reaches no log.
impl std::fmt::Debug for FileContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text { media, text } => write!(f, "Text({media}, {} bytes)", text.len()),
            Self::Unreadable(why) => write!(f, "Unreadable({why})"),
        }
    }
}

/// What an engine answers. Sources name what was used, not all that was seen.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub quick_reply: String,
    pub summary: String,
    pub result: String,
    pub reasoning: String,
    pub success: bool,
    pub figures: Vec<Figure>,
    pub used_notes: Vec<NoteId>,
    pub used_files: Vec<FileId>,
    pub used_models: Vec<UsedModel>,
    pub warnings: Vec<String>,
    pub missing: Vec<Missing>,
    /// Goal, values with their origins and what was missing: where a follow-up starts.
    pub frame: Option<serde_json::Value>,
    /// Files that the answer made, in order.
    pub files: Vec<MadeFile>,
}

/// A data model that an answer's figures were taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedModel {
    /// By which it is queried.
    pub name: &'static str,
    pub title: &'static str,
    /// The day the data stands at.
    pub as_of: NaiveDate,
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

    fn answer<'a>(&'a self, brief: &'a Brief, tools: &'a Tools) -> BoxFuture<'a, Result<Draft>>;
}

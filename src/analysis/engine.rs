//! The interface of an engine: what it gets and what it returns. There are two: the offline analyst and the language
//! model.
//!
//! An engine sees only what was gathered for it; the context policy was applied before.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::analysis::answer::{Figure, Missing, SourceKind};
use crate::analysis::tools::kit::Tools;
use crate::base::error::Result;
use crate::base::fair_permits::Permit;
use crate::base::ids::{FileId, NoteId};
use crate::base::model::Model;
use crate::base::money::MicroUsd;
pub use crate::base::tone::Tone;
use crate::context::model::{Note, NoteKind};

/// The question and everything the asker may use for it.
#[derive(Clone, Debug, Default)]
pub struct Brief {
    pub question: String,
    pub tone: Tone,
    /// What the owner of the selected custom analyst wrote about its purpose and way of working. Only this and the
    /// question may instruct an engine.
    pub instructions: Option<String>,
    /// Today in UTC, for phrases such as "this year".
    pub today: NaiveDate,
    /// The frame of the last completed turn of the session that this run may see.
    pub earlier: Option<serde_json::Value>,
    /// The last completed turns of the session that this run may see, oldest first.
    pub turns: Vec<EarlierTurn>,
    /// The built-in model that is asked for. It may be answered by another.
    pub model: Model,
    /// Whether others than the asker read the answer. Then the brief has organisation-safe context only.
    pub organisation_safe: bool,
    /// The most that the run may cost.
    pub budget: MicroUsd,
    /// Notes the asker may use under the run's policy, best match first.
    pub notes: Vec<NoteExcerpt>,
    /// Files the asker may use under the run's policy: those of the question, then those of its notes, then those of
    /// earlier turns, newest first.
    pub files: Vec<FileExcerpt>,
    /// The right to keep large files in memory. An engine that reads on another thread keeps a clone there.
    pub permit: Option<Permit>,
    /// What came with the question and was not taken, with the reasons, as an answer where there is no other. The asker
    /// sees the reasons next to any answer.
    pub refused: Option<String>,
    /// Earlier posts of the conversation's thread, oldest first. Everyone in the conversation can read them.
    pub thread: Vec<Remark>,
}

/// A completed turn of the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierTurn {
    pub question: String,
    /// The whole answer in Markdown.
    pub answer: String,
}

/// An earlier post of a thread: its text is data, never instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    pub by: Speaker,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// With the name if it is known.
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

impl From<Note> for NoteExcerpt {
    fn from(note: Note) -> Self {
        Self {
            id: note.id,
            kind: match note.kind {
                NoteKind::Personal => SourceKind::PersonalNote,
                NoteKind::Organization => SourceKind::OrganizationNote,
            },
            title: note.title,
            body: note.body,
            updated_at: note.updated_at,
        }
    }
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
    /// The question.
    Question,
    /// A note that the request names.
    Note(NoteId),
    /// An earlier turn of the session.
    Earlier,
}

#[derive(Clone)]
pub enum FileContent {
    /// The full text; a file is never truncated.
    Text {
        /// Detected from the content, for instance `text/csv`.
        media: String,
        text: Arc<str>,
    },
    /// Why there is no text: a clause that follows the file's name.
    Unreadable(String),
}

// Keeps the text of files out of logs.
impl std::fmt::Debug for FileContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text { media, text } => write!(f, "Text({media}, {} bytes)", text.len()),
            Self::Unreadable(why) => write!(f, "Unreadable({why})"),
        }
    }
}

/// What an engine returns. Sources name what was used, not everything that was seen.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub quick_reply: String,
    pub summary: String,
    pub result: String,
    pub reasoning: String,
    pub success: bool,
    pub figures: Vec<Figure>,
    pub used_notes: Vec<NoteId>,
    /// Notes that the engine found itself, in addition to those of its brief.
    pub found_notes: Vec<NoteExcerpt>,
    pub used_files: Vec<FileId>,
    pub used_models: Vec<UsedModel>,
    pub warnings: Vec<String>,
    pub missing: Vec<Missing>,
    /// Goal, values with their origins, and missing inputs: a follow-up question starts from it.
    pub frame: Option<serde_json::Value>,
    /// Generated files, in order.
    pub files: Vec<GeneratedFile>,
    /// Notes that the person asked to keep. They are written with the answer.
    pub kept_notes: Vec<KeptNote>,
    /// Who answered, if it is not the engine that was asked.
    pub model: Option<Model>,
    /// What the answer cost in addition to the price of a run.
    pub cost: MicroUsd,
    /// What its provider bills although it is not charged, because the model did not give the answer.
    pub wasted: MicroUsd,
}

/// A note that the person asked to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptNote {
    pub kind: NoteKind,
    pub title: String,
    pub body: String,
    /// The person's own words, for the audit log.
    pub user_request: String,
}

/// How an engine ends.
#[derive(Clone, Debug)]
pub enum Outcome {
    Answer(Box<Draft>),
    /// There is no answer, and another attempt would not give one. The run fails with this stable code. Its provider
    /// bills what was wasted.
    Failed {
        code: &'static str,
        wasted: MicroUsd,
    },
}

impl From<Draft> for Outcome {
    fn from(draft: Draft) -> Self {
        Self::Answer(Box::new(draft))
    }
}

/// A data model that an answer's figures were taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedModel {
    /// The name by which it is queried.
    pub name: &'static str,
    pub title: &'static str,
    /// The date of the data.
    pub as_of: NaiveDate,
}

/// A file that an engine generated for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    pub filename: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
}

/// Answers one brief. An error is a fault of the engine; a clarifying question is a draft.
pub trait Engine: Send + Sync {
    /// The name of the built-in model, for instance `svc-local`.
    fn model(&self) -> &'static str;

    /// Notes that an earlier frame refers to. They are gathered again by id, under the policy of the new run, so that a
    /// person can answer "use it".
    fn notes_of_frame(&self, _earlier: &serde_json::Value) -> Vec<NoteId> {
        Vec::new()
    }

    /// Whether it reads the earlier turns of a session.
    fn reads_turns(&self) -> bool {
        false
    }

    fn answer<'a>(&'a self, brief: &'a Brief, tools: &'a Tools) -> BoxFuture<'a, Result<Outcome>>;
}

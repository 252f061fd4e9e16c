//! A run as the core admits it: authenticated, and everything it names authorized. Does not depend on a transport.

use crate::analysis::engine::{Remark, Tone};
use crate::analysis::selection::Selection;
use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, MessageId, SessionId};
use crate::files::model::File;
use crate::keys::model::KeyUse;
use crate::queue::job::NewJob;
use crate::sessions::model::Which;

/// Longest question, in characters.
pub const QUESTION: usize = 40_000;

#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    pub question: String,
    pub session: Which,
    /// Use organisation-safe context only. Runs in a shared session always do.
    pub organisation_safe: bool,
    pub tone: Tone,
    pub fast: bool,
    /// Files of the question. Their bytes are stored already.
    pub files: QuestionFiles,
    /// Earlier posts of the thread in which the question was asked. Stored with the run only.
    pub thread: Vec<Remark>,
    /// Model, analyst, buildings and notes to use.
    pub selection: Selection,
    /// The project key of a run over the HTTP API; it decides how the run is billed.
    pub key: Option<KeyUse>,
}

/// The files of a question.
#[derive(Clone, Debug, Default)]
pub struct QuestionFiles {
    /// New files. Admission writes their rows and decides who may see them.
    pub new: Vec<File>,
    /// Files of earlier requests that the question names.
    pub earlier: Vec<File>,
}

/// A run that is on disk: it will end, completed or failed.
#[derive(Clone, Copy, Debug)]
pub struct Admitted {
    pub run: JobId,
    pub message: MessageId,
    pub session: SessionId,
}

impl Admitted {
    /// New identifiers. The real session is known after admission.
    pub fn draft() -> Self {
        Self {
            run: JobId::new(),
            message: MessageId::new(),
            session: SessionId::new(),
        }
    }
}

/// The job to enqueue when a run ends, completed or failed. It is opaque to the core.
pub type OnFinish = Option<NewJob>;

impl RunRequest {
    /// The question as it is stored: trimmed, bounded, without NUL.
    pub fn checked_question(&self) -> Result<String> {
        let question = self.question.trim();
        if question.is_empty() {
            return Err(Error::invalid("question", "must not be empty"));
        }
        let length = question.chars().count();
        if length > QUESTION {
            return Err(Error::invalid(
                "question",
                format!("has {length} characters; at most {QUESTION} are allowed"),
            ));
        }
        // PostgreSQL cannot store NUL in text.
        Ok(question.replace('\0', " "))
    }
}

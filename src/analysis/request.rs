//! What a face asks of the analysis core, already authenticated. Knows no transport.

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
    /// Only organisation-safe context may be used. A run in a shared session is so in any case.
    pub organisation_safe: bool,
    pub tone: Tone,
    pub fast: bool,
    /// Files that came along: their bytes are kept.
    pub brought: Brought,
    /// What was said before where the question was asked. Kept with the run alone.
    pub thread: Vec<Remark>,
    /// What it may use beside the question, authorized.
    pub selection: Selection,
    /// The project key of a run over the HTTP API: decides how it is billed.
    pub key: Option<KeyUse>,
}

/// Files of a question.
#[derive(Clone, Debug, Default)]
pub struct Brought {
    /// New ones: their rows are written with the run, and who may see them is decided there.
    pub files: Vec<File>,
    /// Those of earlier requests that the question names.
    pub chosen: Vec<File>,
}

/// A run on disk: it will end completed or failed.
#[derive(Clone, Copy, Debug)]
pub struct Admitted {
    pub run: JobId,
    pub message: MessageId,
    pub session: SessionId,
}

impl Admitted {
    /// New identifiers; the session is known once it was entered.
    pub fn draft() -> Self {
        Self {
            run: JobId::new(),
            message: MessageId::new(),
            session: SessionId::new(),
        }
    }
}

/// The job that follows a run, whatever its end. The core does not know what it does.
pub type OnFinish = Option<NewJob>;

impl RunRequest {
    /// The question as it is kept: trimmed, bounded, without NUL.
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
        // PostgreSQL's texts cannot hold it, and nobody means it.
        Ok(question.replace('\0', " "))
    }
}

//! Sessions, their turns and what was answered.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::base::ids::{JobId, MessageId, SessionId, UserId};
use crate::base::secret::digest_of;

/// Who may read a session, from its first turn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// One person.
    Private,
    /// A conversation of several: every run in it is organisation-safe.
    Shared,
}

crate::text_enum!(Audience { Private => "private", Shared => "shared" });

/// The three states of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Queued or running.
    Processing,
    Completed,
    Failed,
}

crate::text_enum!(Status { Processing => "processing", Completed => "completed", Failed => "failed" });

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    pub id: SessionId,
    pub audience: Audience,
    pub owner_id: Option<UserId>,
    pub created_at: DateTime<Utc>,
}

/// Which session a turn belongs to.
#[derive(Clone, Debug, Default)]
pub enum Which {
    /// A new private one.
    #[default]
    New,
    /// One the person takes part in.
    Existing(SessionId),
    /// The one of this origin, opened with this audience on its first turn.
    Origin { origin: String, audience: Audience },
}

/// One turn.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Message {
    pub id: MessageId,
    pub session_id: SessionId,
    pub run_id: JobId,
    pub user_id: UserId,
    pub question: String,
    pub tone: String,
    pub fast: bool,
    pub organisation_safe: bool,
    pub status: Status,
    pub failure: Option<String>,
    pub created_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
}

/// What was answered to a turn, as stored.
#[derive(Clone, Debug)]
pub struct StoredResponse {
    pub answer: serde_json::Value,
    pub frame: Option<serde_json::Value>,
    pub model: String,
}

/// A turn with what was answered, for whoever takes part in its session.
#[derive(Clone, Debug)]
pub struct Turn {
    pub message: Message,
    /// Of a completed turn.
    pub answer: Option<serde_json::Value>,
}

/// The place of a turn in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place(pub DateTime<Utc>, pub MessageId);

impl Message {
    pub const fn place(&self) -> Place {
        Place(self.created_at, self.id)
    }
}

/// Narrows a list of turns. What is absent does not narrow it.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub session: Option<SessionId>,
    pub status: Option<Status>,
    /// Created then or later.
    pub from: Option<DateTime<Utc>>,
    /// Created before.
    pub until: Option<DateTime<Utc>>,
    /// As [`digest`] makes it.
    pub question: Option<Vec<u8>>,
}

/// What a question is known by: SHA-256 over its text without white space at either end.
pub fn digest(question: &str) -> Vec<u8> {
    digest_of(question.trim())
}

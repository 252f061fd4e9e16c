//! Types of sessions, their turns and the answers.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::base::ids::{JobId, MessageId, SessionId, UserId};
use crate::base::secret::digest_of;

/// Who may read a session. Fixed when the session is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// One person.
    Private,
    /// A conversation of several people. Every run in it is organisation-safe.
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
    /// A new private session.
    #[default]
    New,
    /// A session that the person takes part in.
    Existing(SessionId),
    /// The session of this origin, opened with this audience by its first turn.
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

/// The stored answer to a turn.
#[derive(Clone, Debug)]
pub struct StoredResponse {
    pub answer: serde_json::Value,
    pub frame: Option<serde_json::Value>,
    pub model: String,
}

/// A turn with its answer, as shown to the participants of its session.
#[derive(Clone, Debug)]
pub struct Turn {
    pub message: Message,
    /// Only for a completed turn.
    pub answer: Option<serde_json::Value>,
}

/// The position of a turn in chronological order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place(pub DateTime<Utc>, pub MessageId);

impl Message {
    pub const fn place(&self) -> Place {
        Place(self.created_at, self.id)
    }
}

/// Filters a list of turns. Fields that are `None` do not filter.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub session: Option<SessionId>,
    pub status: Option<Status>,
    /// Created at this time or later.
    pub from: Option<DateTime<Utc>>,
    /// Created before this time.
    pub until: Option<DateTime<Utc>>,
    /// The [`digest`] of the question.
    pub question: Option<Vec<u8>>,
}

/// The digest that identifies a question: SHA-256 of its trimmed text.
pub fn digest(question: &str) -> Vec<u8> {
    digest_of(question.trim())
}

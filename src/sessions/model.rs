//! Sessions, their turns and what was answered.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::base::ids::{JobId, MessageId, SessionId, UserId};

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

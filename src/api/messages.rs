//! Turns of the key's owner: their state, and how to find one again after a lost reply.

use axum::Json;
use axum::extract::{Path, State};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::caller::Caller;
use crate::api::failure::Failure;
use crate::base::error::Error;
use crate::base::ids::MessageId;
use crate::services::Services;
use crate::sessions::model::{Message, Status};

/// One turn and its state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatMessage {
    pub message_id: Uuid,
    pub session_id: Uuid,
    pub run_id: Uuid,
    pub status: Status,
    pub question: String,
    pub created_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    /// Why it failed: a stable word. Only with status `failed`.
    pub failure: Option<String>,
}

impl From<Message> for ChatMessage {
    fn from(message: Message) -> Self {
        Self {
            message_id: message.id.uuid(),
            session_id: message.session_id.uuid(),
            run_id: message.run_id.uuid(),
            status: message.status,
            question: message.question,
            created_at: message.created_at,
            finished_at: message.finished_at,
            failure: message.failure,
        }
    }
}

/// Read one owned message and its state.
#[utoipa::path(
    get, path = "/users/me/chat-messages/{messageId}", tag = "Analysis",
    params(("messageId" = Uuid, Path)),
    responses((status = 200, body = ChatMessage))
)]
pub async fn read(
    State(services): State<Services>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ChatMessage>, Failure> {
    let principal = caller.principal();
    let id: MessageId = id.parse().map_err(|_| Error::NotFound("message"))?;
    let message = services.sessions.message(principal.org, id).await?;
    if message.user_id != principal.user {
        return Err(Error::NotFound("message").into());
    }
    Ok(Json(message.into()))
}

//! Turns of the key's owner: their status, and how to find one again after a lost reply.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::api::caller::Caller;
use crate::api::cursor::{self, Limit};
use crate::api::failure::Failure;
use crate::api::path::PathId;
use crate::api::query::Query;
use crate::base::error::Error;
use crate::base::ids::{MessageId, SessionId};
use crate::services::Services;
use crate::sessions::model::{Filter, Message, Place, Status};

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

/// Which turns to list. What is absent does not narrow the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Listing {
    /// Turns of this session.
    session_id: Option<Uuid>,
    status: Option<Status>,
    /// Turns created at this moment or later, for instance `2026-11-22T09:30:00Z`.
    created_after: Option<DateTime<Utc>>,
    /// Turns created before this moment.
    created_before: Option<DateTime<Utc>>,
    /// SHA-256, in hexadecimal, of the question in UTF-8 without white space at its ends: finds the turn of a
    /// request whose reply was lost, together with `createdAfter`.
    #[param(pattern = "^[0-9a-fA-F]{64}$")]
    question_digest: Option<String>,
    /// Where this page begins: `nextCursor` of the page before.
    cursor: Option<String>,
    #[serde(default)]
    #[param(inline)]
    limit: Limit,
}

/// A page of turns, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatMessages {
    pub messages: Vec<ChatMessage>,
    /// Where the next page begins; null on the last.
    pub next_cursor: Option<String>,
}

/// List the owner's messages.
///
/// Newest first. After an ambiguous timeout of `POST /users/run-models`, look here before asking again: filter by
/// `questionDigest` and the time at which the request was sent.
#[utoipa::path(
    get, path = "/users/me/chat-messages", tag = "Analysis", params(Listing),
    responses(
        (status = 200, body = ChatMessages),
        (status = 400, description = "A parameter does not fit, or the cursor belongs to another list"),
    )
)]
pub async fn list(
    State(services): State<Services>,
    caller: Caller,
    Query(listing): Query<Listing>,
) -> Result<Json<ChatMessages>, Failure> {
    let name = listing.name();
    let filter = listing.filter()?;
    let after: Option<Place> = cursor::after(&name, listing.cursor.as_deref())?;
    let found = services
        .sessions
        .own_messages(caller.principal(), &filter, after, listing.limit.rows())
        .await?;
    let (found, next_cursor) = cursor::page(found, listing.limit, &name, Message::place);
    Ok(Json(ChatMessages {
        messages: found.into_iter().map(ChatMessage::from).collect(),
        next_cursor,
    }))
}

impl Listing {
    /// The list with all its filters, for its cursors.
    fn name(&self) -> String {
        format!(
            "chat-messages/{:?}/{:?}/{:?}/{:?}/{:?}",
            self.session_id, self.status, self.created_after, self.created_before, self.question_digest
        )
    }

    fn filter(&self) -> Result<Filter, Failure> {
        let digest = self.question_digest.as_deref().map(|text| {
            let bytes = hex::decode(text).ok().filter(|bytes| bytes.len() == 32);
            let why = "must be a SHA-256 digest: 64 hexadecimal digits";
            bytes.ok_or_else(|| Failure::field("questionDigest", "invalid", why))
        });
        Ok(Filter {
            session: self.session_id.map(SessionId::from_uuid),
            status: self.status,
            from: self.created_after.map(in_range),
            until: self.created_before.map(in_range),
            question: digest.transpose()?,
        })
    }
}

/// Clamps a time to the years that both databases can store; all turns are within them.
fn in_range(at: DateTime<Utc>) -> DateTime<Utc> {
    let (first, last) = (DateTime::UNIX_EPOCH, DateTime::from_timestamp(253_402_300_799, 0));
    at.clamp(first, last.unwrap_or(DateTime::<Utc>::MAX_UTC))
}

/// Read one owned message and its state.
#[utoipa::path(
    get, path = "/users/me/chat-messages/{messageId}", tag = "Analysis",
    params(("messageId" = Uuid, Path)),
    responses(
        (status = 200, body = ChatMessage),
        (status = 404, description = "Absent, or not the owner's"),
    )
)]
pub async fn read(
    State(services): State<Services>,
    caller: Caller,
    PathId(id): PathId,
) -> Result<Json<ChatMessage>, Failure> {
    let id: MessageId = id.parse().map_err(|_| Error::NotFound("message"))?;
    let message = services.sessions.own_message(caller.principal(), id).await?;
    Ok(Json(message.into()))
}

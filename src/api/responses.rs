//! `POST /users/me/chat-sessions/message-responses`: the responses of one turn or of a session.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::analysis::completed::Completed;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::completed::{Response, with_files};
use crate::api::cursor::{self, Limit};
use crate::api::failure::Failure;
use crate::base::error::{Error, Result};
use crate::base::ids::{MessageId, SessionId};
use crate::services::Services;
use crate::sessions::model::{Place, Status};

/// At least one of the two identifiers. Both: the message has to be of the session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "sessionId": "01936f5e-8a10-7c3e-9d41-5b1f0a6c2e77", "messageId": "01936f5e-8a11-7d02-8f3a-77c2d91e4b10"
}))]
pub struct Which {
    pub session_id: Option<Uuid>,
    pub message_id: Option<Uuid>,
    /// Where this page begins, for the responses of a session: `nextCursor` of the page before.
    pub cursor: Option<String>,
    #[serde(default)]
    #[schema(inline)]
    pub limit: Limit,
}

/// Responses of one message, or a page of those of a session, oldest first. A page has fewer than the limit if they
/// are very long.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageResponses {
    pub session_id: Uuid,
    /// The message asked for; null for a session.
    pub message_id: Option<Uuid>,
    /// State of the message, or of the session's newest one.
    pub status: Status,
    /// Why the message failed: a stable word. Only with status `failed`, for a message.
    pub failure: Option<String>,
    /// Empty while the message is processing. A failed one's says that it failed; it is never the text of an
    /// earlier turn.
    pub responses: Vec<Response>,
    /// Where the next page of a session begins; null on the last, and for a message.
    pub next_cursor: Option<String>,
}

/// Read persisted responses for a session or message.
///
/// Has no effects and may be repeated.
#[utoipa::path(
    post, path = "/users/me/chat-sessions/message-responses", tag = "Analysis", request_body = Which,
    responses(
        (status = 200, body = MessageResponses),
        (status = 400, description = "Neither identifier is given, or a field does not fit"),
        (status = 404, description = "Absent, not of a session the owner takes part in, or not of that session"),
    )
)]
pub async fn read(
    State(services): State<Services>,
    caller: Caller,
    Body { fields: which, .. }: Body<Which>,
) -> Result<Json<MessageResponses>, Failure> {
    let session = which.session_id.map(SessionId::from_uuid);
    match (session, which.message_id.map(MessageId::from_uuid)) {
        (session, Some(message)) => Ok(Json(of_message(&services, &caller, session, message).await?)),
        (Some(session), None) => of_session(&services, &caller, session, &which).await.map(Json),
        (None, None) => Err(Failure::field(
            "messageId",
            "missing",
            "give messageId, sessionId or both",
        )),
    }
}

async fn of_message(
    services: &Services,
    caller: &Caller,
    session: Option<SessionId>,
    id: MessageId,
) -> Result<MessageResponses> {
    let principal = caller.principal();
    let message = services.sessions.message(principal.org, id).await?;
    if session.is_some_and(|session| session != message.session_id) {
        return Err(Error::NotFound("message"));
    }
    // The same error for an absent message and for a message of somebody else's session.
    let taken_part = services.sessions.joined(principal, message.session_id).await;
    taken_part.map_err(|error| match error {
        Error::NotFound(_) => Error::NotFound("message"),
        other => other,
    })?;
    let ended = match message.status {
        Status::Processing => Vec::new(),
        Status::Completed | Status::Failed => {
            vec![services.analysis.completed(principal.org, &message).await?]
        }
    };
    let responses = with_files(services, principal, ended).await?;
    Ok(MessageResponses {
        session_id: message.session_id.uuid(),
        message_id: Some(message.id.uuid()),
        status: message.status,
        failure: message.failure,
        responses,
        next_cursor: None,
    })
}

async fn of_session(
    services: &Services,
    caller: &Caller,
    id: SessionId,
    which: &Which,
) -> Result<MessageResponses, Failure> {
    let principal = caller.principal();
    let session = services.sessions.joined(principal, id).await?;
    let name = format!("message-responses/{id}");
    let after: Option<Place> = cursor::after(&name, which.cursor.as_deref())?;
    let newest = services.sessions.newest(principal.org, id).await?;
    let (turns, more) = services
        .sessions
        .transcript(principal.org, &session, true, after, which.limit.items())
        .await?;
    let last = turns.last().filter(|_| more).map(|turn| turn.message.place());
    let next_cursor = last.map(|last| cursor::after_place(&name, &last));
    let ended: Result<_> = turns
        .into_iter()
        .map(|turn| Completed::of(&turn.message, turn.answer))
        .collect();
    let responses = with_files(services, principal, ended?).await?;
    Ok(MessageResponses {
        session_id: id.uuid(),
        message_id: None,
        status: newest.map_or(Status::Completed, |message| message.status),
        failure: None,
        responses,
        next_cursor,
    })
}

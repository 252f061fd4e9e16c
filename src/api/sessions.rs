//! Routes for the sessions that the key's owner takes part in, and for their transcripts.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::analysis::completed::Completed;
use crate::api::caller::Caller;
use crate::api::cursor::{self, Limit};
use crate::api::failure::Failure;
use crate::api::path::PathId;
use crate::api::query::Query;
use crate::base::error::{Error, Result};
use crate::base::ids::SessionId;
use crate::services::Services;
use crate::sessions::model::{Place, Session, Status, Turn};

/// A conversation: its turns share a history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatSession {
    pub session_id: Uuid,
    /// `private`: one person's. `shared`: of a conversation of several, where every run is organisation-safe.
    #[schema(example = "private")]
    pub audience: &'static str,
    pub created_at: DateTime<Utc>,
    /// The people whose turns are in it, at most 100.
    pub participants: Vec<Participant>,
    pub last_message: Option<LastMessage>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Participant {
    pub user_id: Uuid,
    pub name: String,
}

/// The newest turn of a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastMessage {
    pub message_id: Uuid,
    pub status: Status,
    pub created_at: DateTime<Utc>,
}

/// Read a session the owner participates in.
#[utoipa::path(
    get, path = "/users/me/chat-sessions/{sessionId}", tag = "Analysis",
    params(("sessionId" = Uuid, Path)),
    responses(
        (status = 200, body = ChatSession),
        (status = 404, description = "Absent, or the owner takes no part in it"),
    )
)]
pub async fn read(
    State(services): State<Services>,
    caller: Caller,
    PathId(id): PathId,
) -> Result<Json<ChatSession>, Failure> {
    let session = find(&services, &caller, &id).await?;
    let org = caller.principal().org;
    let people = services.sessions.participants(org, &session).await?;
    let names = services.accounts.names(org, &people).await?;
    let newest = services.sessions.newest(org, session.id).await?;
    Ok(Json(ChatSession {
        session_id: session.id.uuid(),
        audience: session.audience.as_str(),
        created_at: session.created_at,
        participants: people
            .into_iter()
            .map(|user| Participant {
                user_id: user.uuid(),
                name: names.get(&user).map(|(name, _)| name.clone()).unwrap_or_default(),
            })
            .collect(),
        last_message: newest.map(|message| LastMessage {
            message_id: message.id.uuid(),
            status: message.status,
            created_at: message.created_at,
        }),
    }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Where this page begins: `nextCursor` of the page before.
    cursor: Option<String>,
    #[serde(default)]
    #[param(inline)]
    limit: Limit,
}

/// One turn of a transcript.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptTurn {
    pub message_id: Uuid,
    /// Who asked.
    pub user_id: Uuid,
    pub status: Status,
    pub question: String,
    pub created_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    /// What was answered, or why it failed; null while it is processing.
    pub response: Option<Completed>,
}

/// A page of a transcript, oldest turn first. Has fewer turns than the limit if they are very long.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transcript {
    pub session_id: Uuid,
    pub messages: Vec<TranscriptTurn>,
    /// Where the next page begins; null on the last.
    pub next_cursor: Option<String>,
}

/// Read the transcript of a session the owner participates in.
///
/// Oldest turn first, each with its response.
#[utoipa::path(
    get, path = "/users/me/chat-sessions/{sessionId}/messages", tag = "Analysis",
    params(("sessionId" = Uuid, Path), Paging),
    responses(
        (status = 200, body = Transcript),
        (status = 400, description = "The cursor belongs to another list, or the limit is no number"),
        (status = 404, description = "Absent, or the owner takes no part in it"),
    )
)]
pub async fn messages(
    State(services): State<Services>,
    caller: Caller,
    PathId(id): PathId,
    Query(paging): Query<Paging>,
) -> Result<Json<Transcript>, Failure> {
    let session = find(&services, &caller, &id).await?;
    let name = format!("chat-sessions/{}/messages", session.id);
    let after: Option<Place> = cursor::after(&name, paging.cursor.as_deref())?;
    let (turns, more) = services
        .sessions
        .transcript(
            caller.principal().org,
            &session,
            false,
            after,
            paging.limit.items(),
        )
        .await?;
    let last = turns.last().filter(|_| more).map(|turn| turn.message.place());
    let next_cursor = last.map(|last| cursor::after_place(&name, &last));
    let messages: Result<_> = turns.into_iter().map(TranscriptTurn::of).collect();
    Ok(Json(Transcript {
        session_id: session.id.uuid(),
        messages: messages?,
        next_cursor,
    }))
}

impl TranscriptTurn {
    fn of(turn: Turn) -> Result<Self> {
        let message = turn.message;
        let response = match message.status {
            Status::Processing => None,
            Status::Completed | Status::Failed => Some(Completed::of(&message, turn.answer)?),
        };
        Ok(Self {
            message_id: message.id.uuid(),
            user_id: message.user_id.uuid(),
            status: message.status,
            question: message.question,
            created_at: message.created_at,
            finished_at: message.finished_at,
            response,
        })
    }
}

async fn find(services: &Services, caller: &Caller, id: &str) -> Result<Session> {
    let id: SessionId = id.parse().map_err(|_| Error::NotFound("session"))?;
    services.sessions.joined(caller.principal(), id).await
}

//! Files of turns: the references by which a request names earlier ones, and
//! `POST /users/me/chat-sessions/attachments`, which lists those of a session or message with download URLs.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::failure::Failure;
use crate::base::error::{Error, Result};
use crate::base::ids::{FileId, MessageId, SessionId};
use crate::base::principal::Principal;
use crate::files::links::{LIFETIME_S, Through};
use crate::files::model::{File, Part, Refusal, Verdict};
use crate::services::Services;

/// A file sent earlier. Only its id counts.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "must be the id of a file, or an object with it")]
pub enum Earlier {
    Id(Uuid),
    Described { id: Uuid },
}

impl Earlier {
    pub(super) fn id(&self) -> FileId {
        match self {
            Self::Id(id) | Self::Described { id } => FileId::from_uuid(*id),
        }
    }
}

/// At least one of the two identifiers. Both: the message has to be of the session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "sessionId": "01936f5e-8a10-7c3e-9d41-5b1f0a6c2e77" }))]
pub struct Whose {
    pub session_id: Option<Uuid>,
    pub message_id: Option<Uuid>,
}

/// A file of a turn.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileReference {
    pub id: Uuid,
    pub message_id: Uuid,
    /// `question`: it came along; `answer`: the answer made it.
    #[schema(example = "question")]
    pub part: &'static str,
    pub filename: String,
    /// As it was declared.
    pub content_type: String,
    /// What it is by its content; null where that is of no kind that is read.
    #[schema(example = "pdf")]
    pub kind: Option<&'static str>,
    pub bytes: Option<i64>,
    pub verdict: Verdict,
    /// Why it was refused or cannot be read.
    pub reason: Option<String>,
    /// Good for `expiresInSeconds`; null where nothing was kept.
    pub download_url: Option<String>,
    #[schema(example = 300)]
    pub expires_in_seconds: i64,
}

/// Files of a session or a message, in their order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileReferences {
    pub session_id: Uuid,
    pub files: Vec<FileReference>,
}

/// Resolve authorized file references of a session or message.
///
/// At most the files of a session's first 200 turns. Has no effects and may be repeated.
#[utoipa::path(
    post, path = "/users/me/chat-sessions/attachments", tag = "Analysis", request_body = Whose,
    responses(
        (status = 200, body = FileReferences),
        (status = 404, description = "Absent, not of a session the owner takes part in, or not of that session"),
    )
)]
pub async fn resolve(
    State(services): State<Services>,
    caller: Caller,
    Body { fields: whose, .. }: Body<Whose>,
) -> Result<Json<FileReferences>, Failure> {
    let principal = caller.principal();
    let named = whose.session_id.map(SessionId::from_uuid);
    let (session, messages) = match (named, whose.message_id.map(MessageId::from_uuid)) {
        (None, None) => {
            return Err(Failure::field(
                "messageId",
                "missing",
                "give messageId, sessionId or both",
            ));
        }
        (Some(session), None) => {
            services.sessions.joined(principal, session).await?;
            let messages = services.sessions.messages(principal.org, session).await?;
            (
                session,
                messages.iter().map(|message| message.id).collect::<Vec<_>>(),
            )
        }
        (named, Some(id)) => {
            let message = services.sessions.message(principal.org, id).await?;
            if named.is_some_and(|named| named != message.session_id) {
                return Err(Error::NotFound("message").into());
            }
            let taken_part = services.sessions.joined(principal, message.session_id).await;
            // The same error for an absent message and for a message of somebody else's session.
            taken_part.map_err(|error| match error {
                Error::NotFound(_) => Error::NotFound("message"),
                other => other,
            })?;
            (message.session_id, vec![id])
        }
    };
    let found = services.context.files_of_turns(principal, &messages).await?;
    let mut files = Vec::with_capacity(found.len());
    for id in &messages {
        for (message, part, file) in found.iter().filter(|(message, ..)| message == id) {
            files.push(reference(&services, principal, session, *message, *part, file)?);
        }
    }
    Ok(Json(FileReferences {
        session_id: session.uuid(),
        files,
    }))
}

/// A file of a turn with a download URL for the person.
pub(super) fn reference(
    services: &Services,
    principal: &Principal,
    session: SessionId,
    message: MessageId,
    part: Part,
    file: &File,
) -> Result<FileReference> {
    let link = || {
        services
            .files
            .links
            .to(principal, file.id, Through::Session(session))
    };
    Ok(FileReference {
        id: file.id.uuid(),
        message_id: message.uuid(),
        part: part.as_str(),
        download_url: file.blob.is_some().then(link).transpose()?,
        filename: file.name.clone(),
        content_type: file
            .declared_type
            .clone()
            .unwrap_or_else(|| "application/octet-stream".to_owned()),
        kind: file.kind.map(crate::files::model::Kind::as_str),
        bytes: file.bytes,
        verdict: file.verdict,
        reason: file.refusal.as_ref().map(Refusal::sentence),
        expires_in_seconds: LIFETIME_S,
    })
}

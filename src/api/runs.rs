//! `POST /users/run-models`: admit an analysis. Durable underneath, whatever the answer says.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::analysis::engine::Tone;
use crate::analysis::request::{Admitted, RunRequest};
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::failure::Failure;
use crate::api::files::{self, Earlier};
use crate::base::ids::SessionId;
use crate::keys::model::Environment;
use crate::services::Services;
use crate::sessions::service::Which;

/// What to analyse, and with what.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Not empty.
    #[schema(
        min_length = 1,
        example = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?"
    )]
    pub question: String,
    /// The session of an earlier turn, for a follow-up.
    pub session_id: Option<Uuid>,
    pub tone: Option<Tone>,
    /// Files of earlier requests, by their ids.
    #[serde(default)]
    pub uploaded_attachments: Option<Vec<Earlier>>,
}

/// A run that is on disk: it will end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    pub accepted: bool,
    #[schema(example = "processing")]
    pub status: &'static str,
    pub run_id: Uuid,
    pub message_id: Uuid,
    pub session_id: Uuid,
    pub response_deadline_reached: bool,
    /// Wait at least so long before the first look.
    pub poll_after_seconds: u32,
    pub hint: String,
}

/// Run an analysis.
#[utoipa::path(
    post, path = "/users/run-models", tag = "Analysis", request_body = Run,
    responses((status = 202, description = "Admitted: poll the message", body = Accepted),
        (status = 404, description = "A session or an earlier file is absent, or not the owner's"))
)]
pub async fn start(
    State(services): State<Services>,
    caller: Caller,
    Body { fields: run, files }: Body<Run>,
) -> Result<(StatusCode, Json<Accepted>), Failure> {
    let earlier = run.uploaded_attachments.unwrap_or_default();
    let brought = files::brought(&services, caller.principal(), &files, &earlier).await?;
    let request = RunRequest {
        question: run.question,
        session: run
            .session_id
            .map_or(Which::New, |id| Which::Existing(SessionId::from_uuid(id))),
        organisation_safe: false,
        tone: run.tone.unwrap_or_default(),
        fast: false,
        brought,
        thread: Vec::new(),
        key: Some(caller.0.key_use()),
    };
    let admitted = services.analysis.admit(caller.principal(), request, None).await?;
    Ok((StatusCode::ACCEPTED, Json(accepted(&caller, &admitted))))
}

fn accepted(caller: &Caller, admitted: &Admitted) -> Accepted {
    Accepted {
        accepted: true,
        status: "processing",
        run_id: admitted.run.uuid(),
        message_id: admitted.message.uuid(),
        session_id: admitted.session.uuid(),
        response_deadline_reached: true,
        poll_after_seconds: poll_after(caller.0.environment),
        hint: format!(
            "Poll GET /users/me/chat-messages/{} until its status is completed or failed, then read it with \
             POST /users/me/chat-sessions/message-responses.",
            admitted.message
        ),
    }
}

/// So that whoever keeps to it stays below the key's rate.
const fn poll_after(environment: Environment) -> u32 {
    match environment {
        Environment::Sandbox => 15,
        Environment::Development | Environment::Production => 2,
    }
}

//! `POST /users/run-models`: admit an analysis, and wait for it where that was asked for and may help.
//! Durable underneath, whatever the answer says.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::analysis::request::{Admitted, RunRequest};
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::completed::{Response, with_files};
use crate::api::failure::Failure;
use crate::api::files;
use crate::api::run::Run;
use crate::base::error::Error;
use crate::base::ids::SessionId;
use crate::files::model::File;
use crate::keys::model::Environment;
use crate::services::Services;
use crate::sessions::model::Which;

/// Longest wait for an answer: what gateways in front of a client give a request.
const DEADLINE: Duration = Duration::from_secs(5);

/// A run that is on disk: it will end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    pub accepted: bool,
    #[schema(example = "processing")]
    pub status: &'static str,
    /// Identifies the durable execution only.
    pub run_id: Uuid,
    /// Identifies the turn to poll and to read.
    pub message_id: Uuid,
    /// Identifies the conversation: give it with a follow-up.
    pub session_id: Uuid,
    pub response_deadline_reached: bool,
    /// Wait at least so long before the first look.
    pub poll_after_seconds: u32,
    pub hint: String,
}

/// What a run answers at once: a completed response, or that it is under way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Outcome {
    Completed(Box<Response>),
    Accepted(Accepted),
}

/// Run an analysis.
///
/// Answers 202 as soon as the run is on disk. With `wait`, and neither files nor a backlog, waits up to five
/// seconds: a run that ends in that time is answered with its completed response, also where it failed
/// (`success` false, `status` failed); one that does not is answered with 200 and `responseDeadlineReached`.
/// Every answer that is not complete has the same body as 202.
///
/// Two requests are two runs: there is no idempotency key. After an ambiguous time-out, look for the turn in
/// `GET /users/me/chat-messages` before asking again.
#[utoipa::path(
    post, path = "/users/run-models", tag = "Analysis", request_body = Run,
    responses(
        (status = 200, description = "With `wait`: completed, failed, or under way beyond the deadline", body = Outcome),
        (status = 202, description = "Admitted: poll the message", body = Accepted),
        (status = 402, description = "No included usage and no funded credit is left"),
        (status = 404, description = "A session, analyst, model id, note or file is absent, or not the owner's"),
    )
)]
pub async fn start(
    State(services): State<Services>,
    caller: Caller,
    Body { fields: run, files }: Body<Run>,
) -> Result<(StatusCode, Json<Outcome>), Failure> {
    let principal = caller.principal();
    let organisation_safe = run.organisation_safe()?;
    let resolved = services.selections.resolve(principal, &run.wanted()?).await?;
    let earlier = run.uploaded_attachments.as_deref().unwrap_or_default();
    let mut brought = files::brought(&services, principal, resolved.selection.model, &files, earlier).await?;
    let is_new = |file: &File| brought.chosen.iter().all(|known| known.id != file.id);
    let attached: Vec<File> = resolved.attachments.into_iter().filter(is_new).collect();
    brought.chosen.extend(attached);
    let session = run.session_id.map(SessionId::from_uuid);
    let waits = run.wait.0 && files.is_empty() && !services.analysis.has_backlog(principal, session).await?;
    let request = RunRequest {
        question: run.question,
        session: session.map_or(Which::New, Which::Existing),
        organisation_safe,
        tone: resolved.tone,
        fast: run.fast_mode.0,
        selection: resolved.selection,
        brought,
        key: Some(caller.0.key_use()),
        ..RunRequest::default()
    };
    let admitted = services.analysis.admit(principal, request, None).await?;
    let accepted = accepted(&caller, &admitted);
    if !waits {
        return Ok((StatusCode::ACCEPTED, Json(Outcome::Accepted(accepted))));
    }
    let ended = services
        .analysis
        .wait(principal.org, admitted.message, DEADLINE)
        .await?;
    let Some(message) = ended else {
        return Ok((StatusCode::OK, Json(Outcome::Accepted(accepted))));
    };
    let completed = services.analysis.completed(principal.org, &message).await?;
    let responses = with_files(&services, principal, vec![completed]).await?;
    // One for each that was given.
    let response = responses.into_iter().next().ok_or(Error::NotFound("message"))?;
    Ok((StatusCode::OK, Json(Outcome::Completed(Box::new(response)))))
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

//! `POST /users/run-models`: submits an analysis and answers with its result, or with where to poll for it. The rules
//! are those of `Analysis::submit`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::analysis::request::Admitted;
use crate::analysis::submission::{Submission, Submitted};
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::completed::{Response, with_files};
use crate::api::failure::Failure;
use crate::api::run::Run;
use crate::base::error::Error;
use crate::base::ids::SessionId;
use crate::keys::model::Environment;
use crate::services::Services;

/// Longest wait for an answer: shorter than the usual time-out of a gateway in front of a client.
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
        (
            status = 200, body = Outcome,
            description = "With `wait`: completed, failed, or under way beyond the deadline",
        ),
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
    let submission = Submission {
        organisation_safe: run.organisation_safe()?,
        selection: run.selection()?,
        earlier_files: run.earlier_files(),
        question: run.question,
        session: run.session_id.map(SessionId::from_uuid),
        fast: run.fast_mode.0,
        uploads: files,
        wait: run.wait.0.then_some(DEADLINE),
        key: Some(caller.0.key_use()),
    };
    let principal = caller.principal();
    let completed = match services.analysis.submit(principal, submission).await? {
        Submitted::Ended(completed) => *completed,
        Submitted::Accepted(admitted) => {
            let accepted = accepted(&caller, &admitted);
            return Ok((StatusCode::ACCEPTED, Json(Outcome::Accepted(accepted))));
        }
        Submitted::StillRunning(admitted) => {
            let accepted = accepted(&caller, &admitted);
            return Ok((StatusCode::OK, Json(Outcome::Accepted(accepted))));
        }
    };
    let responses = with_files(&services, principal, vec![completed]).await?;
    // One response for each completed turn.
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

/// Slow enough that a client which follows it stays below the rate limit of its key.
const fn poll_after(environment: Environment) -> u32 {
    match environment {
        Environment::Sandbox => 15,
        Environment::Development | Environment::Production => 2,
    }
}

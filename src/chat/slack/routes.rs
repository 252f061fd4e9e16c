//! The addresses that Slack calls. A request is acknowledged once it is on disk; what follows from it happens
//! later. Does not decide who may ask.

use axum::Router;
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use serde_json::json;

use crate::assistants::inbox::interaction::Interaction;
use crate::assistants::model::InstallationState;
use crate::base::error::Error;
use crate::chat::slack::events::{self, Incoming};
use crate::chat::slack::interactivity::{self, Received};
use crate::chat::slack::lifecycle;
use crate::chat::slack::signed::{Signed, Verified, body_reader, failed, is_certificate_check};
use crate::edge::problem::problem;
use crate::services::Services;

/// Asks Slack not to send the request again.
const NO_RETRY: HeaderName = HeaderName::from_static("x-slack-no-retry");

pub fn router() -> Router<Services> {
    Router::new()
        .route(
            "/chat/slack/{address}/events",
            get(check_certificate).post(receive_event),
        )
        .route(
            "/chat/slack/{address}/interactivity",
            get(check_certificate).post(receive_interaction),
        )
        .route(
            "/chat/slack/{address}/commands",
            get(check_certificate).post(acknowledge_command),
        )
        .layer(Extension(body_reader()))
}

/// Why a signed request is not accepted.
enum Refusal {
    MalformedEvent,
    MalformedForm,
    WrongApp,
    WrongTeam,
    Failed(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

async fn receive_event(State(services): State<Services>, request: Verified) -> Response {
    match request {
        Verified::Signed(signed) => match store_event(&services, &signed).await {
            Ok(response) => response,
            Err(refusal) => refusal.into_response(signed.request_id.as_deref()),
        },
        Verified::Challenge(challenge) => echo(&challenge),
        Verified::CertificateCheck => acknowledged(),
    }
}

async fn receive_interaction(State(services): State<Services>, request: Verified) -> Response {
    let Verified::Signed(signed) = request else {
        return acknowledged();
    };
    match store_interaction(&services, &signed).await {
        Ok(()) => acknowledged(),
        Err(refusal) => refusal.into_response(signed.request_id.as_deref()),
    }
}

/// The assistants offer no commands.
async fn acknowledge_command(_: Verified) -> Response {
    acknowledged()
}

async fn check_certificate(RawQuery(query): RawQuery) -> Response {
    if query.is_some_and(|query| is_certificate_check(query.as_bytes())) {
        return acknowledged();
    }
    problem(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "This address exists, but not for this method.",
    )
}

async fn store_event(services: &Services, signed: &Signed) -> Result<Response, Refusal> {
    let (at, inbox) = (&signed.installation, &services.inbox);
    let incoming = events::read(&signed.body, at).map_err(|_| Refusal::MalformedEvent)?;
    match incoming {
        Incoming::UrlVerification { challenge } => return Ok(echo(&challenge)),
        // Also for an installation that is not active: the last report may be the one that revokes the token.
        Incoming::Lifecycle(report) => lifecycle::apply(services, at, &report).await?,
        // Slack would switch the app's events off if we refused those that still arrive.
        Incoming::WrongApp | Incoming::WrongTeam if at.state == InstallationState::Disabled => {
            tracing::debug!(installation = %at.id, "event of another app or workspace ignored");
        }
        _ if at.state == InstallationState::Pending => {
            tracing::debug!(installation = %at.id, "event before the installation ignored");
        }
        // From here on also for a disabled installation: its events wait until it is installed again.
        Incoming::WrongApp => return Err(Refusal::WrongApp),
        Incoming::WrongTeam => return Err(Refusal::WrongTeam),
        Incoming::Ignored(why) => tracing::debug!(installation = %at.id, why, "event ignored"),
        Incoming::Interaction { key, interaction } => {
            let new = inbox.store_interaction(at, &key, &interaction).await?;
            tracing::debug!(installation = %at.id, new, "interaction stored");
        }
        Incoming::Turn {
            event_key,
            message_key,
            turn,
        } => {
            let new = inbox.store_turn(at, &event_key, &message_key, &turn).await?;
            tracing::debug!(installation = %at.id, new, "turn stored");
        }
    }
    Ok(acknowledged())
}

async fn store_interaction(services: &Services, signed: &Signed) -> Result<(), Refusal> {
    let at = &signed.installation;
    match interactivity::read(&signed.body, at).map_err(|_| Refusal::MalformedForm)? {
        Received::CertificateCheck => {}
        Received::WrongApp | Received::WrongTeam if at.state == InstallationState::Disabled => {
            tracing::debug!(installation = %at.id, "interaction of another app or workspace ignored");
        }
        _ if at.state == InstallationState::Pending => {
            tracing::debug!(installation = %at.id, "interaction before the installation ignored");
        }
        Received::WrongApp => return Err(Refusal::WrongApp),
        Received::WrongTeam => return Err(Refusal::WrongTeam),
        Received::Ignored(why) => tracing::debug!(installation = %at.id, why, "interaction ignored"),
        Received::Press { key, press } => {
            let interaction = Interaction::Press(*press);
            let new = services.inbox.store_interaction(at, &key, &interaction).await?;
            tracing::debug!(installation = %at.id, new, "button press stored");
        }
    }
    Ok(())
}

fn acknowledged() -> Response {
    StatusCode::OK.into_response()
}

fn echo(challenge: &str) -> Response {
    Json(json!({ "challenge": challenge })).into_response()
}

impl Refusal {
    fn into_response(self, request_id: Option<&str>) -> Response {
        match self {
            Self::MalformedEvent => final_refusal(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "The body is not a Slack event in JSON.",
            ),
            Self::MalformedForm => final_refusal(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "The body is not a form with a Slack payload.",
            ),
            Self::WrongApp => final_refusal(
                StatusCode::FORBIDDEN,
                "wrong_app",
                "This address belongs to another Slack app.",
            ),
            Self::WrongTeam => final_refusal(
                StatusCode::FORBIDDEN,
                "wrong_team",
                "The assistant at this address is not installed in this Slack workspace.",
            ),
            Self::Failed(error) => failed(error, request_id),
        }
    }
}

/// A refusal that a retry would not change.
fn final_refusal(status: StatusCode, code: &str, detail: &str) -> Response {
    let mut response = problem(status, code, detail);
    response
        .headers_mut()
        .insert(NO_RETRY, HeaderValue::from_static("1"));
    response
}

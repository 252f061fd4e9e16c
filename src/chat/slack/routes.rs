//! Where Slack calls: the address, the size and pace of a body, the signature, and only then its
//! content.
//!
//! Acknowledges what is durable and answers nothing itself; knows no rule of who may ask.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use futures_util::StreamExt as _;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::assistants::interaction::Interaction;
use crate::assistants::model::{Installation, InstallationState, PlatformKind};
use crate::base::error::Error;
use crate::chat::slack::events::{Incoming, challenge, read};
use crate::chat::slack::interactivity::{self, Received};
use crate::chat::slack::lifecycle;
use crate::chat::slack::signature::{Rejected, check};
use crate::edge::problem::{self, problem};
use crate::services::Services;

/// Largest body, as Slack's own library has it.
const BODY: usize = 4 << 20;
/// How long a body may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);
/// How many bodies may be arriving at a time: together they bound what senders that stall can hold.
const ARRIVING: usize = 256;

/// Tells Slack not to send it again.
const NO_RETRY: HeaderName = HeaderName::from_static("x-slack-no-retry");
const REQUEST_ID: &str = "x-request-id";

pub fn router() -> Router<Services> {
    Router::new()
        .route("/chat/slack/{address}/events", get(certificate).post(events))
        .route(
            "/chat/slack/{address}/interactivity",
            get(certificate).post(interact),
        )
        .route(
            "/chat/slack/{address}/commands",
            get(certificate).post(acknowledge),
        )
        .layer(Extension(Arc::new(Semaphore::new(ARRIVING))))
}

/// Why a request is not taken.
enum Refusal {
    TooLarge,
    TooSlow,
    /// Too many bodies are arriving.
    NoRoom,
    Unreadable,
    NoSuchAddress,
    Signature(Rejected),
    Malformed,
    MalformedForm,
    WrongApp,
    WrongTeam,
    Failed(Error),
}

async fn events(
    State(services): State<Services>,
    Path(address): Path<String>,
    Extension(room): Extension<Arc<Semaphore>>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match take(&services, &address, &room, &headers, body).await {
        Ok(response) => response,
        Err(refusal) => refusal.response(&headers),
    }
}

/// A press is acknowledged once it is on disk; what it does comes later.
async fn interact(
    State(services): State<Services>,
    Path(address): Path<String>,
    Extension(room): Extension<Arc<Semaphore>>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match pressed(&services, &address, &room, &headers, body).await {
        Ok(()) => StatusCode::OK.into_response(),
        Err(refusal) => refusal.response(&headers),
    }
}

async fn pressed(
    services: &Services,
    address: &str,
    room: &Semaphore,
    headers: &HeaderMap,
    body: Body,
) -> Result<(), Refusal> {
    let Verified::Signed(at, body) = verified(services, address, room, headers, body).await? else {
        return Ok(());
    };
    match interactivity::read(&body, &at).map_err(|_| Refusal::MalformedForm)? {
        Received::CertificateCheck => {}
        Received::WrongApp | Received::WrongTeam if at.state == InstallationState::Disabled => {
            tracing::debug!(installation = %at.id, "press of another app or workspace ignored");
        }
        _ if at.state == InstallationState::Pending => {
            tracing::debug!(installation = %at.id, "press before the installation ignored");
        }
        Received::WrongApp => return Err(Refusal::WrongApp),
        Received::WrongTeam => return Err(Refusal::WrongTeam),
        Received::Ignored(why) => tracing::debug!(installation = %at.id, why, "interaction ignored"),
        Received::Press { key, press } => {
            let heard = Interaction::Press(*press);
            let new = services.assistants.take_interaction(&at, &key, &heard).await;
            let new = new.map_err(Refusal::Failed)?;
            tracing::debug!(installation = %at.id, new, "press taken in");
        }
    }
    Ok(())
}

/// Commands are not offered; nothing follows from one.
async fn acknowledge(
    State(services): State<Services>,
    Path(address): Path<String>,
    Extension(room): Extension<Arc<Semaphore>>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match verified(&services, &address, &room, &headers, body).await {
        Ok(_) => StatusCode::OK.into_response(),
        Err(refusal) => refusal.response(&headers),
    }
}

async fn take(
    services: &Services,
    address: &str,
    room: &Semaphore,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let (at, body) = match verified(services, address, room, headers, body).await? {
        Verified::Signed(at, body) => (at, body),
        Verified::Challenge(challenge) => return Ok(Json(json!({ "challenge": challenge })).into_response()),
        Verified::Certificate => return Ok(StatusCode::OK.into_response()),
    };
    let incoming = read(&body, &at).map_err(|_| Refusal::Malformed)?;
    match incoming {
        Incoming::UrlVerification { challenge } => {
            Ok(Json(json!({ "challenge": challenge })).into_response())
        }
        // Also of an installation that is not active: the last report may be the one that takes the
        // token away.
        Incoming::Lifecycle(report) => {
            let applied = lifecycle::apply(&services.assistants, &at, &report).await;
            applied.map_err(Refusal::Failed)?;
            Ok(StatusCode::OK.into_response())
        }
        // Refusing what still comes would make Slack switch the app's events off.
        Incoming::WrongApp | Incoming::WrongTeam if at.state == InstallationState::Disabled => {
            tracing::debug!(installation = %at.id, "event of another app or workspace ignored");
            Ok(StatusCode::OK.into_response())
        }
        _ if at.state == InstallationState::Pending => {
            tracing::debug!(installation = %at.id, "event before the installation ignored");
            Ok(StatusCode::OK.into_response())
        }
        // From here on also without rights: what people ask and press then waits for them to come back.
        Incoming::WrongApp => Err(Refusal::WrongApp),
        Incoming::WrongTeam => Err(Refusal::WrongTeam),
        Incoming::Ignored(why) => {
            tracing::debug!(installation = %at.id, why, "event ignored");
            Ok(StatusCode::OK.into_response())
        }
        Incoming::Interaction { key, heard } => {
            let new = services.assistants.take_interaction(&at, &key, &heard).await;
            let new = new.map_err(Refusal::Failed)?;
            tracing::debug!(installation = %at.id, new, "event taken in");
            Ok(StatusCode::OK.into_response())
        }
        Incoming::Turn {
            event_key,
            message_key,
            turn,
        } => {
            let new = services
                .assistants
                .take_in(&at, &event_key, &message_key, &turn)
                .await
                .map_err(Refusal::Failed)?;
            tracing::debug!(installation = %at.id, new, "turn taken in");
            Ok(StatusCode::OK.into_response())
        }
    }
}

/// What may be read of a request.
enum Verified {
    Signed(Arc<Installation>, Bytes),
    /// An address check. Slack makes it before an admin can know the signing secret.
    Challenge(String),
    /// Slack looks at the address's certificate; nothing is said.
    Certificate,
}

async fn verified(
    services: &Services,
    address: &str,
    room: &Semaphore,
    headers: &HeaderMap,
    body: Body,
) -> Result<Verified, Refusal> {
    let found = services
        .assistants
        .by_address(PlatformKind::Slack, address)
        .await
        .map_err(Refusal::Failed)?;
    let at = found.ok_or(Refusal::NoSuchAddress)?;
    let body = arrived(room, headers, body).await?;
    if looks_at_certificate(&body) {
        return Ok(Verified::Certificate);
    }
    if at.slack().signing_secret.is_none() && at.state == InstallationState::Pending {
        let challenge = challenge(&body).ok_or(Refusal::Signature(Rejected::Signature))?;
        return Ok(Verified::Challenge(challenge));
    }
    let now = services.clock.now();
    if let Err(rejected) = check(headers, &body, at.slack().signing_secrets(now), now.timestamp()) {
        services.assistants.refuse(&at);
        return Err(Refusal::Signature(rejected));
    }
    services.assistants.hear(&at);
    Ok(Verified::Signed(at, body))
}

/// Slack's look at the certificate bears no more than that, and nothing follows from it.
fn looks_at_certificate(form: &[u8]) -> bool {
    form.starts_with(b"ssl_check=1&") || form == b"ssl_check=1"
}

async fn certificate(RawQuery(query): RawQuery) -> Response {
    if query.is_some_and(|query| looks_at_certificate(query.as_bytes())) {
        return StatusCode::OK.into_response();
    }
    problem(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "This address exists, but not for this method.",
    )
}

/// The body, read only for an address that exists.
async fn arrived(room: &Semaphore, headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > BODY as u64) {
        return Err(Refusal::TooLarge);
    }
    let _place = room.try_acquire().map_err(|_| Refusal::NoRoom)?;
    let reading = async {
        let (mut arrived, mut chunks) = (Vec::new(), body.into_data_stream());
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| Refusal::Unreadable)?;
            if arrived.len() + chunk.len() > BODY {
                return Err(Refusal::TooLarge);
            }
            arrived.extend_from_slice(&chunk);
        }
        Ok(Bytes::from(arrived))
    };
    let read = tokio::time::timeout(ARRIVAL, reading).await;
    read.unwrap_or(Err(Refusal::TooSlow))
}

impl Refusal {
    fn response(self, headers: &HeaderMap) -> Response {
        let request_id = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        match self {
            Self::TooLarge => problem(
                StatusCode::PAYLOAD_TOO_LARGE,
                "body_too_large",
                "The body is larger than 4 MiB.",
            ),
            Self::TooSlow => closing(problem(
                StatusCode::REQUEST_TIMEOUT,
                "request_timeout",
                "The body did not arrive within 10 seconds.",
            )),
            Self::NoRoom => problem::of(&Error::busy("too many bodies are arriving at a time"), request_id),
            Self::Unreadable => problem(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "The body could not be read.",
            ),
            Self::NoSuchAddress => problem(
                StatusCode::NOT_FOUND,
                "not_found",
                "There is no assistant at this address.",
            ),
            Self::Signature(rejected) => problem(
                StatusCode::UNAUTHORIZED,
                rejected.code(),
                &format!("Not accepted: {rejected}."),
            ),
            Self::Malformed => final_word(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "The body is not a Slack event in JSON.",
            ),
            Self::MalformedForm => final_word(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "The body is not a form with a Slack payload.",
            ),
            Self::WrongApp => final_word(
                StatusCode::FORBIDDEN,
                "wrong_app",
                "This address belongs to another Slack app.",
            ),
            Self::WrongTeam => final_word(
                StatusCode::FORBIDDEN,
                "wrong_team",
                "The assistant at this address is not installed in this Slack workspace.",
            ),
            Self::Failed(error @ Error::Busy { .. }) => problem::of(&error, request_id),
            // Whatever it is, Slack did nothing wrong and is to send it again.
            Self::Failed(error) => problem::of(&Error::internal(error), request_id),
        }
    }
}

/// Of a connection on which the rest of a request may still come.
fn closing(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// An answer that no repetition would change.
fn final_word(status: StatusCode, code: &str, detail: &str) -> Response {
    let mut response = problem(status, code, detail);
    response
        .headers_mut()
        .insert(NO_RETRY, HeaderValue::from_static("1"));
    response
}

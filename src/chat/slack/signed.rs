//! The extractor of the addresses that Slack calls: finds the installation, reads the body within bounds and
//! checks the signature, so that a handler never sees an unverified body. Parses no event.

use std::sync::Arc;
use std::time::Duration;

use axum::RequestExt as _;
use axum::body::Bytes;
use axum::extract::{Extension, FromRequest, Path, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::assistants::model::{Installation, InstallationState, PlatformKind};
use crate::base::error::Error;
use crate::base::ids::InstallationId;
use crate::chat::slack::events::challenge;
use crate::chat::slack::signature::{Rejected, check};
use crate::edge::bounded_body::{BodyError, BodyReader};
use crate::edge::problem::{self, problem};
use crate::edge::slots::{Share, Slots};
use crate::services::Services;

/// Largest body, the same as in Slack's own library.
const MAX_BODY: usize = 4 << 20;
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// How many unverified bodies may be arriving at a time, and their bytes.
const BODIES: Share = Share {
    slots: 256,
    bytes: 128 << 20,
};
/// The same for one installation.
const BODIES_EACH: Share = Share {
    slots: 64,
    bytes: 32 << 20,
};

pub(super) const REQUEST_ID: &str = "x-request-id";

type Reader = BodyReader<InstallationId>;

/// The reader of bodies that the routes have to provide as an [`Extension`].
pub(super) fn body_reader() -> Reader {
    BodyReader::new(MAX_BODY, BODY_TIMEOUT, Slots::new("bodies", BODIES, BODIES_EACH))
}

/// A body that Slack signed for the installation at the address it was sent to.
pub(super) struct Signed {
    pub(super) installation: Arc<Installation>,
    pub(super) body: Bytes,
    /// Names the request in our logs.
    pub(super) request_id: Option<String>,
}

/// A request that may be handled.
pub(super) enum Verified {
    Signed(Signed),
    /// A check of the address, to be answered with this text. Slack makes it before an administrator can know
    /// the signing secret, so only until that is set it may be unsigned.
    Challenge(String),
    /// Slack checks the address's certificate. Nothing follows from it.
    CertificateCheck,
}

/// Why a request is rejected before anything of it is parsed.
enum Unverified {
    NoSuchAddress,
    Body(BodyError),
    Signature(Rejected),
    Failed(Error),
}

impl FromRequest<Services> for Verified {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let parts = request.extract_parts::<(Path<String>, Extension<Reader>)>();
        let (Path(address), Extension(reader)) = parts.await.map_err(IntoResponse::into_response)?;
        let request_id = request.headers().get(REQUEST_ID);
        let request_id = request_id.and_then(|id| id.to_str().ok()).map(str::to_owned);
        verify(services, &address, &reader, request, request_id.clone())
            .await
            .map_err(|unverified| unverified.into_response(request_id.as_deref()))
    }
}

async fn verify(
    services: &Services,
    address: &str,
    reader: &Reader,
    request: Request,
    request_id: Option<String>,
) -> Result<Verified, Unverified> {
    let found = services
        .installations
        .by_address(PlatformKind::Slack, address)
        .await;
    let at = found
        .map_err(Unverified::Failed)?
        .ok_or(Unverified::NoSuchAddress)?;
    let (parts, body) = request.into_parts();
    // Only for an address that exists.
    let body = reader
        .read(at.id, &parts.headers, body)
        .await
        .map_err(Unverified::Body)?;
    if is_certificate_check(&body) {
        return Ok(Verified::CertificateCheck);
    }
    if at.slack().signing_secret.is_none() && at.state == InstallationState::Pending {
        let challenge = challenge(&body).ok_or(Unverified::Signature(Rejected::Signature))?;
        return Ok(Verified::Challenge(challenge));
    }
    let now = services.clock.now();
    if let Err(rejected) = check(
        &parts.headers,
        &body,
        at.slack().signing_secrets(now),
        now.timestamp(),
    ) {
        services.installations.record_refused_call(&at);
        return Err(Unverified::Signature(rejected));
    }
    services.installations.record_inbound_call(&at);
    Ok(Verified::Signed(Signed {
        installation: at,
        body,
        request_id,
    }))
}

/// Whether a form or query is Slack's check of the certificate, which contains nothing else.
pub(super) fn is_certificate_check(form: &[u8]) -> bool {
    form.starts_with(b"ssl_check=1&") || form == b"ssl_check=1"
}

impl Unverified {
    fn into_response(self, request_id: Option<&str>) -> Response {
        match self {
            Self::NoSuchAddress => problem(
                StatusCode::NOT_FOUND,
                "not_found",
                "There is no assistant at this address.",
            ),
            Self::Body(error) => error.into_response(),
            Self::Signature(rejected) => problem(
                StatusCode::UNAUTHORIZED,
                rejected.code(),
                &format!("Not accepted: {rejected}."),
            ),
            Self::Failed(error) => failed(error, request_id),
        }
    }
}

/// A fault of ours. Slack did nothing wrong and is asked to send the request again.
pub(super) fn failed(error: Error, request_id: Option<&str>) -> Response {
    match error {
        error @ Error::Busy { .. } => problem::of(&error, request_id),
        error => problem::of(&Error::internal(error), request_id),
    }
}

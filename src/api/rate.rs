//! Adds the key's rate limit to every response: the headers `RateLimit-Policy` and `RateLimit` of the IETF draft
//! draft-ietf-httpapi-ratelimit-headers-10.

use std::sync::{Arc, OnceLock};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::keys::model::Bearer;
use crate::keys::service::WINDOW;
use crate::limits::permit::Permit;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// An authenticated request and its rate-limit permit. It is a request extension, so that the response can report the
/// permit, and so that a request is counted once even if its caller is extracted more than once.
#[derive(Clone, Debug, Default)]
pub(super) struct Visit(Arc<OnceLock<(Bearer, Permit)>>);

impl Visit {
    pub(super) fn known(&self) -> Option<(Bearer, Permit)> {
        self.0.get().copied()
    }

    pub(super) fn begin(&self, bearer: Bearer, permit: Permit) {
        // Extractors of one request run in sequence: the first one set it.
        let _ = self.0.set((bearer, permit));
    }
}

/// Middleware around all routes of the API.
pub(super) async fn add_headers(mut request: Request, next: Next) -> Response {
    let visit = Visit::default();
    request.extensions_mut().insert(visit.clone());
    let mut response = next.run(request).await;
    if let Some((bearer, permit)) = visit.known() {
        set_headers(response.headers_mut(), &bearer, &permit);
    }
    response
}

/// Sets both headers. The policy is named after the key's environment.
fn set_headers(headers: &mut HeaderMap, bearer: &Bearer, permit: &Permit) {
    let name = bearer.environment;
    let resets_in = permit.resets_in.as_secs() + u64::from(permit.resets_in.subsec_nanos() > 0);
    let policy = format!("\"{name}\";q={};w={}", permit.limit, WINDOW.as_secs());
    let state = format!("\"{name}\";r={};t={resets_in}", permit.left);
    for (header, value) in [(POLICY, policy), (STATE, state)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(header, value);
        }
    }
}

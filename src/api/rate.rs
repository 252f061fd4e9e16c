//! The rate of a key, said with every answer to it: `RateLimit-Policy` and `RateLimit` as the IETF's draft
//! has them (draft-ietf-httpapi-ratelimit-headers-10).

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

/// An authenticated request and its place in the key's rate. Left among the request's extensions, so
/// that the answer can say it, and a request is counted once however often its caller is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Visit(Arc<OnceLock<(Bearer, Permit)>>);

impl Visit {
    pub(super) fn known(&self) -> Option<(Bearer, Permit)> {
        self.0.get().copied()
    }

    pub(super) fn begin(&self, bearer: Bearer, place: Permit) {
        // Extractors of one request run one after the other: the first one counted.
        let _ = self.0.set((bearer, place));
    }
}

/// Around all routes of the API.
pub(super) async fn announced(mut request: Request, next: Next) -> Response {
    let visit = Visit::default();
    request.extensions_mut().insert(visit.clone());
    let mut response = next.run(request).await;
    if let Some((bearer, place)) = visit.known() {
        announce(response.headers_mut(), &bearer, &place);
    }
    response
}

/// The policy is named after the key's environment.
fn announce(headers: &mut HeaderMap, bearer: &Bearer, place: &Permit) {
    let name = bearer.environment;
    let frees = place.frees.as_secs() + u64::from(place.frees.subsec_nanos() > 0);
    let policy = format!("\"{name}\";q={};w={}", place.most, WINDOW.as_secs());
    let state = format!("\"{name}\";r={};t={frees}", place.left);
    for (header, value) in [(POLICY, policy), (STATE, state)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(header, value);
        }
    }
}

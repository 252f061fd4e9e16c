//! Authenticates the caller by project key and counts the request in the key's rate limit. Any other user or
//! organization named in a request is ignored.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use url::form_urlencoded;

use crate::api::failure::Failure;
use crate::api::rate::Visit;
use crate::base::error::Error;
use crate::base::principal::Principal;
use crate::keys::model::{Bearer, PREFIX};
use crate::services::Services;

/// The header with a project key; `Authorization: Bearer` works as well.
const KEY_HEADER: &str = "x-api-key";
/// Likely names of a key in a query string.
const NAMES: [&str; 6] = [
    "apikey",
    "key",
    "token",
    "accesstoken",
    "xapikey",
    "authorization",
];

/// An authenticated call.
#[derive(Clone, Copy, Debug)]
pub struct Caller(pub Bearer);

impl Caller {
    pub fn principal(&self) -> &Principal {
        &self.0.principal
    }
}

impl FromRequestParts<Services> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Failure> {
        // Refused even if a header has a valid key: URLs end up in logs.
        if parts.uri.query().is_some_and(has_key) {
            return Err(Failure::KeyInQuery);
        }
        let visit = parts.extensions.get::<Visit>().cloned().unwrap_or_default();
        if let Some((bearer, _)) = visit.known() {
            return Ok(Self(bearer));
        }
        let key = credential(&parts.headers)?;
        let bearer = services.keys.bearer(key).await?;
        let bearer = bearer.ok_or(Failure::KeyInvalid)?;
        let permit = services.keys.count(&bearer).await?;
        visit.begin(bearer, permit);
        if !permit.granted {
            let retry_after = permit.resets_in;
            return Err(Error::Limited { retry_after }.into());
        }
        Ok(Self(bearer))
    }
}

fn has_key(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, value)| {
        // `api-key`, `key[]` and similar spellings count as the plain names.
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        NAMES.contains(&plain.to_ascii_lowercase().as_str())
            || name.contains(PREFIX)
            || value.contains(PREFIX)
    })
}

/// The key from the headers. Both headers may have one if it is the same.
fn credential(headers: &HeaderMap) -> Result<&str, Failure> {
    let mut found: Option<&str> = None;
    let own = headers
        .get_all(KEY_HEADER)
        .iter()
        .map(|value| value.to_str().ok().map(str::trim));
    let bearer = headers.get_all(AUTHORIZATION).iter().map(|value| {
        let (scheme, key) = value.to_str().ok()?.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    for key in own.chain(bearer) {
        match (key, found) {
            (Some(key), Some(other)) if key != other => return Err(Failure::KeyInvalid),
            (Some(key), _) if !key.is_empty() => found = Some(key),
            _ => return Err(Failure::KeyInvalid),
        }
    }
    found.ok_or(Failure::KeyMissing)
}

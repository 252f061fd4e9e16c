//! Whether a form was sent from a page of ours: a token bound to the cookie, and the browser's own
//! word on where the request came from.
//!
//! Knows no route and no store: the token is computed from the cookie, so nothing is kept.

use axum::http::{HeaderMap, HeaderName, header};
use url::Url;

use crate::base::secret::{Secret, digest_of, same};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What a form carries. A digest with a prefix of its own: neither the cookie nor the digest that
/// is stored for it can be derived from it.
pub fn token(bound_to: &Secret) -> String {
    hex::encode(digest_of(&format!("corbel form token\n{}", bound_to.expose())))
}

pub fn matches(bound_to: &Secret, given: &str) -> bool {
    same(token(bound_to).as_bytes(), given.as_bytes())
}

/// False if the browser says that another site started the request. `Sec-Fetch-Site` decides where
/// it is sent; a page under `no-referrer` sends `Origin: null`, which then says nothing.
pub fn is_own(headers: &HeaderMap, public_url: &str) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site == "same-origin" || site == "none";
    }
    match headers
        .get(header::ORIGIN)
        .map(|origin| origin.to_str().unwrap_or("?"))
    {
        None | Some("null") => true,
        Some(origin) => is_ours(origin, headers, public_url),
    }
}

/// True if a browser sent it. Browsers add one of the two to every form they post; a script that
/// sends neither acts for itself and not for a person who was lured.
pub fn is_from_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(SEC_FETCH_SITE) || headers.contains_key(header::ORIGIN)
}

/// The public address, or the host the request itself was sent to (`localhost` for `127.0.0.1`).
fn is_ours(origin: &str, headers: &HeaderMap, public_url: &str) -> bool {
    let Ok(origin) = Url::parse(origin) else {
        return false;
    };
    let public = Url::parse(public_url).is_ok_and(|public| public.origin() == origin.origin());
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let asked = host.and_then(|host| Url::parse(&format!("{}://{host}", origin.scheme())).ok());
    public || asked.is_some_and(|asked| asked.origin() == origin.origin())
}

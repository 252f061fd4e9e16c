//! Checks that a form was sent from one of our pages: by a token bound to the cookie, and by the headers in which the
//! browser reports the origin of the request.
//!
//! Stateless: the token is computed from the cookie. Does not depend on routes.

use axum::http::{HeaderMap, HeaderName, header};
use url::Url;

use crate::base::secret::{Secret, constant_time_eq, digest_of};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The token of a form. It is a digest with its own prefix, so neither the cookie nor the stored digest of the cookie
/// can be derived from it.
pub fn token(bound_to: &Secret) -> String {
    hex::encode(digest_of(&format!("corbel form token\n{}", bound_to.expose())))
}

pub fn matches(bound_to: &Secret, given: &str) -> bool {
    constant_time_eq(token(bound_to).as_bytes(), given.as_bytes())
}

/// False if the browser reports that another site started the request. `Sec-Fetch-Site` decides if it is present. A
/// page under `no-referrer` sends `Origin: null`, which proves nothing.
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

/// True if a browser sent the request. Browsers add one of the two headers to every form they post. A script that sends
/// neither acts for itself, so nobody can have been lured into it.
pub fn is_from_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(SEC_FETCH_SITE) || headers.contains_key(header::ORIGIN)
}

/// The public URL, or the host that the request was sent to (`localhost` for `127.0.0.1`).
fn is_ours(origin: &str, headers: &HeaderMap, public_url: &str) -> bool {
    let Ok(origin) = Url::parse(origin) else {
        return false;
    };
    let public = Url::parse(public_url).is_ok_and(|public| public.origin() == origin.origin());
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let requested = host.and_then(|host| Url::parse(&format!("{}://{host}", origin.scheme())).ok());
    public || requested.is_some_and(|requested| requested.origin() == origin.origin())
}

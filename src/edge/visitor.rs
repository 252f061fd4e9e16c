//! Extractors for the signed-in person; they redirect everyone else to the sign-in page, which returns to the requested
//! page afterwards.
//!
//! Also decides which targets a redirect may have: only paths of this service. Does not depend on any page.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::base::principal::Principal;
use crate::base::secret::Secret;
use crate::edge::cookie::{Cookies, Kind};
use crate::edge::csrf;
use crate::edge::view::{Fault, Frame, Person, see_other};
use crate::services::{Services, Site};

/// Longest path to return to.
const LONGEST_PATH: usize = 1500;

/// The signed-in person. As an argument it redirects everyone else to the sign-in page.
#[derive(Clone, Debug)]
pub struct Visitor {
    pub principal: Principal,
    pub name: String,
    pub email: String,
    pub org_name: String,
    /// The session token, for signing out.
    pub token: Secret,
}

impl Visitor {
    /// The token for the forms on this person's pages.
    pub fn csrf(&self) -> String {
        csrf::token(&self.token)
    }

    pub fn frame(&self, site: &Site, title: impl Into<String>) -> Frame {
        Frame::new(site, title).of(Person {
            name: self.name.clone(),
            email: self.email.clone(),
            org_name: self.org_name.clone(),
            csrf: self.csrf(),
            admin: self.principal.role.is_admin(),
        })
    }
}

/// A signed-in owner or administrator of an organization whose plan includes assistants; checked on every request. It
/// redirects visitors without a session to the sign-in page and refuses everyone else.
#[derive(Clone, Debug)]
pub struct OrgAdmin(pub Visitor);

impl FromRequestParts<Services> for OrgAdmin {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Response> {
        let visitor = Visitor::from_request_parts(parts, services).await?;
        match services.installations.check_may_set_up(&visitor.principal).await {
            Ok(()) => Ok(Self(visitor)),
            Err(error) => Err(Fault::from(error).into_response()),
        }
    }
}

/// The signed-in person, if there is one.
#[derive(Clone, Debug)]
pub struct MaybeVisitor(pub Option<Visitor>);

impl FromRequestParts<Services> for MaybeVisitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Fault> {
        let cookies = Cookies::of(&services.site.public_url);
        let Some(token) = cookies.read(Kind::Session, &parts.headers) else {
            return Ok(Self(None));
        };
        let account = services.accounts.visitor(&token).await?;
        Ok(Self(account.map(|account| Visitor {
            principal: account.principal,
            name: account.name,
            email: account.email,
            org_name: account.org_name,
            token,
        })))
    }
}

impl FromRequestParts<Services> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Response> {
        let MaybeVisitor(visitor) = MaybeVisitor::from_request_parts(parts, services)
            .await
            .map_err(IntoResponse::into_response)?;
        visitor.ok_or_else(|| {
            // Returns to the page of a form, without its fields.
            let requested = parts.uri.path_and_query().filter(|_| parts.method.is_safe());
            see_other(&sign_in_path(
                requested.map_or(parts.uri.path(), |requested| requested.as_str()),
            ))
        })
    }
}

/// The path of the sign-in page that continues to `next`.
pub fn sign_in_path(next: &str) -> String {
    match local_path(next) {
        Some("/") | None => "/sign-in".to_owned(),
        Some(path) => format!("/sign-in?next={}", utf8_percent_encode(path, NON_ALPHANUMERIC)),
    }
}

/// Returns `next` if it is a path of this service, for a redirect. Browsers read `//host`, `/\host` and a tab after the
/// first slash as another site, so such paths are refused rather than corrected.
pub fn local_path(next: &str) -> Option<&str> {
    let plain =
        next.len() <= LONGEST_PATH && next.bytes().all(|sign| sign.is_ascii_graphic() && sign != b'\\');
    let path = next.strip_prefix('/')?;
    let is_sign_in = ["sign-in", "sign-out"].iter().any(|own| path.starts_with(own));
    (plain && !path.starts_with('/') && !is_sign_in).then_some(next)
}

//! The pages for signing in and out.
//!
//! The rules for passwords are in `accounts`. An unknown email and a wrong password get the same response after the
//! same time.

use askama::Template;
use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;

use crate::base::error::Error;
use crate::base::secret::{Secret, random_token};
use crate::edge::cookie::{Cookies, Kind};
use crate::edge::csrf;
use crate::edge::form::{Posted, read, refused};
use crate::edge::origin::origin;
use crate::edge::view::{Fault, Frame, page, see_other};
use crate::edge::visitor::{MaybeVisitor, local_path, sign_in_path};
use crate::services::Services;

/// The page after sign-in, unless another was requested.
const HOME: &str = "/preview";
/// How long a sign-in form is valid.
const FORM_SECONDS: i64 = 12 * 60 * 60;

/// Largest body of the form in bytes. Anyone may send it, so it is small.
const LONGEST_FORM: u64 = 16 << 10;

pub fn router() -> Router<Services> {
    Router::new()
        .route("/sign-in", get(show).post(sign_in))
        .route("/sign-out", post(sign_out))
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    frame: Frame,
    csrf: String,
    next: String,
    email: String,
    /// The next page is a connection link; the page then explains why to sign in.
    connecting: bool,
    refused: bool,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
struct SignInForm {
    email: String,
    password: Secret,
    #[serde(default)]
    next: String,
    #[serde(default)]
    csrf: String,
}

async fn show(
    State(services): State<Services>,
    MaybeVisitor(visitor): MaybeVisitor,
    Query(params): Query<Params>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    if visitor.is_some() {
        return Ok(see_other(local_path(&params.next).unwrap_or(HOME)));
    }
    form(&services, &headers, &params.next, "", false)
}

async fn sign_in(State(services): State<Services>, request: Request) -> Result<Response, Fault> {
    let headers = request.headers().clone();
    let from = origin(request.extensions(), &headers, &services.site.trusted_proxies);
    let fields: SignInForm = read(request, LONGEST_FORM).await?;
    let cookies = Cookies::of(&services.site.public_url);
    let bound_to = cookies.read(Kind::Form, &headers);
    let own = match &bound_to {
        Some(bound_to) => csrf::matches(bound_to, &fields.csrf),
        // A script signs in for itself: there is no person who could have been lured.
        None => !csrf::is_from_browser(&headers),
    };
    if !own || !csrf::is_own(&headers, &services.site.public_url) {
        return Err(refused());
    }
    let signed_in = match services
        .accounts
        .sign_in(&fields.email, &fields.password, &from)
        .await
    {
        Ok(signed_in) => signed_in,
        Err(Error::Unauthenticated) => return form(&services, &headers, &fields.next, &fields.email, true),
        Err(error) => return Err(error.into()),
    };
    let seconds = (signed_in.expires_at - services.clock.now()).num_seconds();
    let mut response = see_other(local_path(&fields.next).unwrap_or(HOME));
    let set = response.headers_mut();
    set.append(
        header::SET_COOKIE,
        cookies.set(Kind::Session, &signed_in.token, seconds)?,
    );
    set.append(header::SET_COOKIE, cookies.clear(Kind::Form)?);
    Ok(response)
}

#[derive(Deserialize)]
struct SignOutForm {
    #[serde(default)]
    next: String,
}

async fn sign_out(State(services): State<Services>, posted: Posted<SignOutForm>) -> Result<Response, Fault> {
    services.accounts.sign_out(&posted.visitor.token).await?;
    let cookies = Cookies::of(&services.site.public_url);
    let mut response = see_other(&sign_in_path(&posted.form.next));
    response
        .headers_mut()
        .append(header::SET_COOKIE, cookies.clear(Kind::Session)?);
    Ok(response)
}

/// The form, bound to the browser's existing cookie if it has one, so that two open tabs both work.
fn form(
    services: &Services,
    headers: &HeaderMap,
    next: &str,
    email: &str,
    refused: bool,
) -> Result<Response, Fault> {
    let cookies = Cookies::of(&services.site.public_url);
    let bound_to = match cookies.read(Kind::Form, headers) {
        Some(bound_to) => bound_to,
        None => random_token()?,
    };
    let next = local_path(next).unwrap_or_default();
    let template = SignInPage {
        frame: Frame::new(&services.site, "Sign in"),
        csrf: csrf::token(&bound_to),
        next: next.to_owned(),
        email: email.to_owned(),
        connecting: next.starts_with("/connect/"),
        refused,
    };
    let status = if refused {
        StatusCode::UNAUTHORIZED
    } else {
        StatusCode::OK
    };
    let mut response = page(status, &template);
    response.headers_mut().append(
        header::SET_COOKIE,
        cookies.set(Kind::Form, &bound_to, FORM_SECONDS)?,
    );
    Ok(response)
}

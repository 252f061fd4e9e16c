//! What all pages share: the frame around them, the error page, and the response headers.
//!
//! Handlers return a [`Fault`]; [`as_pages`] turns it into a page once the request id is known, and logs it there.
//! Does not depend on routes.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Redirect, Response};
use chrono::{DateTime, Utc};

use crate::base::error::Error;
use crate::edge::assets::{Hrefs, hrefs};
use crate::edge::problem;
use crate::services::{Services, Site};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Only our own scripts, styles and form targets; nothing inline; no framing by other pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The header and other shared parts of a page: the field `frame` of every template that extends `base.html`.
#[derive(Clone, Debug)]
pub struct Frame {
    pub title: String,
    pub service: String,
    /// The navigation entry of the page.
    pub at: &'static str,
    pub person: Option<Person>,
    /// URL of the accent style sheet, if an assistant's colour applies.
    pub accent: Option<String>,
    /// The page loads `preview.js`.
    pub scripted: bool,
    /// Seconds after which a browser without scripts reloads the page.
    pub refresh: Option<u32>,
}

/// The signed-in person, as the header shows them.
#[derive(Clone, Debug)]
pub struct Person {
    pub name: String,
    pub email: String,
    pub org_name: String,
    /// For the sign-out form.
    pub csrf: String,
    /// Shows the links for administrators.
    pub admin: bool,
}

impl Frame {
    pub fn new(site: &Site, title: impl Into<String>) -> Self {
        let service = site.service_name.clone();
        Self {
            title: title.into(),
            service,
            at: "",
            person: None,
            accent: None,
            scripted: false,
            refresh: None,
        }
    }

    #[must_use]
    pub fn of(self, person: Person) -> Self {
        Self {
            person: Some(person),
            ..self
        }
    }

    #[must_use]
    pub fn at(self, at: &'static str) -> Self {
        Self { at, ..self }
    }

    pub fn hrefs(&self) -> &'static Hrefs {
        hrefs()
    }
}

/// Response extension: additional sources for the `form-action` policy, separated by spaces. Needed where a form
/// redirects to another site, because browsers apply the policy to redirects as well.
#[derive(Clone, Debug)]
pub struct FormTargets(pub String);

/// A page with a single message: an error, a success or an explanation.
#[derive(Clone, Debug, Template)]
#[template(path = "notice.html")]
pub struct Notice {
    pub frame: Frame,
    pub good: bool,
    pub heading: String,
    pub what: String,
    /// What to do next.
    pub advice: String,
    pub action: Option<Action>,
    pub code: Option<&'static str>,
    pub request_id: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Action {
    pub label: String,
    pub href: String,
}

/// An error on its way to becoming a page.
#[derive(Clone, Debug)]
pub struct Fault(Arc<Error>);

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self(Arc::new(error))
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        // `as_pages` replaces this body; it remains only on routers without that layer.
        let error = &self.0;
        let mut response = problem::problem(problem::status(error), error.code(), &error.to_string());
        response.extensions_mut().insert(self);
        response
    }
}

/// Response extension: the page's style sheet has inline images (`data:` URLs).
#[derive(Clone, Copy, Debug)]
pub struct InlineImages;

/// A time as pages show it.
#[derive(Clone, Debug)]
pub struct Moment {
    pub iso: String,
    pub shown: String,
}

impl Moment {
    pub fn of(at: DateTime<Utc>) -> Self {
        Self {
            iso: at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            shown: at.format("%-d %b %Y, %H:%M UTC").to_string(),
        }
    }
}

/// A rendered template as a page.
pub fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => Fault::from(Error::internal(error)).into_response(),
    }
}

/// `303 See Other` to one of our paths, after a form.
pub fn see_other(path: &str) -> Response {
    Redirect::to(path).into_response()
}

/// The first letter or digit of a name, for an avatar.
pub fn initial(name: &str) -> String {
    name.chars()
        .find(|sign| sign.is_alphanumeric())
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect()
}

/// The handler for paths without a page.
pub async fn not_found() -> Fault {
    Fault::from(Error::NotFound("page"))
}

/// Sets the headers of the pages of `router` and turns faults into pages, or into problems for programs that ask for
/// JSON. Applied once, around all page routers.
pub fn as_pages(router: Router<Services>, services: &Services) -> Router<Services> {
    router.layer(from_fn_with_state(services.clone(), as_page))
}

async fn as_page(State(services): State<Services>, request: Request, next: Next) -> Response {
    let request_id = request
        .headers()
        .get(REQUEST_ID)
        .and_then(|id| id.to_str().ok())
        .map(str::to_owned);
    let private_address = ["/connect", "/sign-in", "/chat/slack"]
        .iter()
        .any(|path| request.uri().path().starts_with(path));
    let for_program = wants_json(request.headers());
    let mut response = next.run(request).await;
    if let Some(Fault(error)) = response.extensions_mut().remove::<Fault>() {
        response = match for_program {
            true => problem::of(&error, request_id.as_deref()),
            false => fault_page(&services.site, &error, request_id),
        };
    }
    // A one-time token in a URL must not leak through the referrer, not even to our own pages.
    let referrer = if private_address {
        "no-referrer"
    } else {
        "same-origin"
    };
    let form_targets = response.extensions_mut().remove::<FormTargets>();
    let inline_images = response.extensions_mut().remove::<InlineImages>();
    set_headers(response.headers_mut(), referrer);
    let mut policy = POLICY.to_owned();
    if let Some(FormTargets(sources)) = &form_targets {
        policy = policy.replace("form-action 'self'", &format!("form-action 'self' {sources}"));
    }
    if inline_images.is_some() {
        policy = policy.replace("img-src 'self'", "img-src 'self' data:");
    }
    if let Ok(value) = HeaderValue::from_str(&policy) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, value);
    }
    response
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .unwrap_or_default();
    accept.contains("json") && !accept.contains("text/html")
}

fn set_headers(headers: &mut HeaderMap, referrer: &'static str) {
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static(referrer));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
}

fn fault_page(site: &Site, error: &Error, request_id: Option<String>) -> Response {
    problem::log(error, request_id.as_deref());
    let (heading, what, advice) = words(error);
    let action = match error {
        Error::Unauthenticated => Action {
            label: "Sign in".into(),
            href: "/sign-in".into(),
        },
        _ => Action {
            label: "Go to the start page".into(),
            href: "/".into(),
        },
    };
    let notice = Notice {
        frame: Frame::new(site, heading),
        good: false,
        heading: heading.to_owned(),
        what,
        advice,
        action: Some(action),
        code: Some(error.code()),
        request_id,
    };
    let Ok(html) = notice.render() else {
        return problem::of(error, None);
    };
    let mut response = (problem::status(error), Html(html)).into_response();
    if let Some(seconds) = problem::retry_after(error) {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Heading, what happened, what to do.
fn words(error: &Error) -> (&'static str, String, String) {
    let wait = problem::retry_after(error).unwrap_or(1);
    let seconds = if wait == 1 { "second" } else { "seconds" };
    match error {
        Error::Unauthenticated => (
            "Please sign in",
            "This page is for people who are signed in.".into(),
            "Sign in and open the page again.".into(),
        ),
        Error::Forbidden {
            code: "plan_not_eligible",
            ..
        } => (
            "Not in your plan",
            "Your organization's plan does not include this.".into(),
            "The operator of this server can change the plan.".into(),
        ),
        Error::Forbidden { why, .. } => (
            "Not allowed",
            sentence(why),
            "If you think you should be able to do this, ask an administrator of your organization.".into(),
        ),
        Error::NotFound(_) => (
            "Not found",
            "There is no such page, or you do not have access to it.".into(),
            "Check the URL, or go to the start page.".into(),
        ),
        Error::Invalid { .. } => (
            "That did not work",
            sentence(&error.to_string()),
            "Go back, correct it, and send it again.".into(),
        ),
        Error::TooLarge { .. } => (
            "Too large",
            "The form is larger than this page accepts.".into(),
            "Go back and send less.".into(),
        ),
        Error::Conflict(_) | Error::Stale => (
            "Changed in the meantime",
            sentence(&error.to_string()),
            "Load the page again and look at the current state.".into(),
        ),
        Error::Exhausted => (
            "No usage left",
            "Your organization's included usage and credit are used up.".into(),
            "Ask an administrator of your organization.".into(),
        ),
        Error::QuotaExhausted { .. } => (
            "No trial runs left",
            "This month's trial runs of the sandbox key are used up.".into(),
            "Use a development key, or wait for the next month.".into(),
        ),
        Error::Limited { .. } => (
            "Too many attempts",
            "For safety, this has been paused for a short time.".into(),
            format!("Try again in {wait} {seconds}."),
        ),
        Error::Busy { .. } => (
            "Back in a moment",
            "The service is busy or restarting. None of your data was lost.".into(),
            format!("Try again in {wait} {seconds}."),
        ),
        Error::Upstream(_) => (
            "Another service did not answer",
            "Something that this page relies on could not be reached.".into(),
            "Try again in a few minutes.".into(),
        ),
        Error::Internal(_) => (
            "Something went wrong",
            "This is an error of the service. It was logged.".into(),
            "Try again. If it happens again, give an administrator the reference below.".into(),
        ),
    }
}

fn sentence(text: &str) -> String {
    let mut signs = text.chars();
    let first: String = signs.next().into_iter().flat_map(char::to_uppercase).collect();
    let mut text = first + signs.as_str();
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

//! The page on which an assistant is installed in Slack, and what its forms share: what they are about,
//! how they end. The forms themselves are in `app` and `token`; the way back from Slack's consent page is
//! in `consent`.
//!
//! Every step can be done by hand. What is pasted is checked with Slack where Slack can tell.

use askama::Template;
use axum::RequestExt as _;
use axum::extract::{Extension, FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use crate::assistants::model::{Installation, InstallationState, PlatformKind};
use crate::base::error::{Error, Result};
use crate::chat::setup::nav::{Nav, Opened};
use crate::chat::setup::opening::{Looked, Sent};
use crate::chat::setup::start;
use crate::chat::slack::access::{Note, Problem, SlackAccess, is_loopback};
use crate::chat::slack::manifest;
use crate::chat::slack::rotation::Rotation;
use crate::edge::view::Moment;
use crate::edge::view::{Fault, Frame, LeadsTo, page};
use crate::edge::visitor::Visitor;
use crate::services::Services;

#[derive(Template)]
#[template(path = "assistant_install.html")]
struct InstallPage {
    frame: Frame,
    nav: Nav,
    csrf: String,
    state: &'static str,
    mark: &'static str,
    facts: Vec<(&'static str, String)>,
    manifest: String,
    create_link: String,
    /// Slack can call this server.
    reachable: bool,
    public_url: String,
    has_app: bool,
    has_client_secret: bool,
    has_signing_secret: bool,
    app_id: String,
    client_id: String,
    /// All is there that the button needs.
    may_consent: bool,
    installed: bool,
    /// There are rights to look at.
    active: bool,
    previous_until: Option<Moment>,
    wrong: Option<Wrong>,
}

/// What was refused, where.
pub struct Wrong {
    field: &'static str,
    pub text: String,
    notes: Vec<Note>,
}

impl Wrong {
    fn is_at(&self, field: &str) -> bool {
        self.field == field
    }

    pub fn of(field: &'static str, text: impl Into<String>) -> Self {
        Self {
            field,
            text: text.into(),
            notes: Vec::new(),
        }
    }

    pub fn slack(field: &'static str, problem: Problem) -> Self {
        let text = problem.sentence();
        let notes = match problem {
            Problem::Refused { notes, .. } => notes,
            _ => Vec::new(),
        };
        Self { field, text, notes }
    }
}

/// How a form ended: with the word for what was done, or not.
pub type Outcome<T = &'static str> = Result<T, Stopped>;

/// It went wrong in a way that the page shows, or in another.
pub enum Stopped {
    Shown(Wrong),
    Fault(Error),
}

impl From<Wrong> for Stopped {
    fn from(wrong: Wrong) -> Self {
        Self::Shown(wrong)
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid { field, why } => Self::Shown(Wrong::of(field, format!("This {why}."))),
            other => Self::Fault(other),
        }
    }
}

/// A form of the page, for an assistant that has its addresses for Slack.
pub struct Step<T> {
    pub sent: Sent<T>,
    pub at: Installation,
    pub slack: SlackAccess,
    pub rotation: Rotation,
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Services> for Step<T> {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let parts = request.extract_parts::<(Extension<SlackAccess>, Extension<Rotation>)>();
        let (Extension(slack), Extension(rotation)) = parts.await.map_err(IntoResponse::into_response)?;
        let sent = Sent::from_request(request, services).await?;
        let at = in_slack(&sent.opened)
            .ok_or_else(|| Fault::from(Error::NotFound("installation")).into_response())?;
        Ok(Self {
            sent,
            at,
            slack,
            rotation,
        })
    }
}

impl<T> Step<T> {
    pub fn manifest(&self) -> Value {
        manifest_of(&self.sent.services, &self.sent.opened, &self.at)
    }

    /// Back to the page: with what was done, or with what went wrong.
    pub fn ended(self, outcome: Outcome) -> Result<Response, Fault> {
        match outcome {
            Ok(done) => Ok(self.sent.back("install", done)),
            Err(Stopped::Shown(wrong)) => {
                let Sent {
                    services,
                    visitor,
                    opened,
                    ..
                } = self.sent;
                Ok(shown(
                    &services,
                    &self.slack,
                    &visitor,
                    opened,
                    self.at,
                    Some(wrong),
                ))
            }
            Err(Stopped::Fault(error)) => Err(error.into()),
        }
    }
}

pub async fn show(Extension(slack): Extension<SlackAccess>, looked: Looked) -> Response {
    let Looked {
        services,
        visitor,
        opened,
    } = looked;
    match in_slack(&opened) {
        Some(at) => shown(&services, &slack, &visitor, opened, at, None),
        None => start::page_for(opened, &visitor),
    }
}

fn in_slack(opened: &Opened) -> Option<Installation> {
    opened.at.clone().filter(|at| at.kind() == PlatformKind::Slack)
}

/// The consent page needs to know the app, and we have to prove that it is ours.
pub fn may_consent(at: &Installation) -> bool {
    at.slack().app_id.is_some() && at.slack().client_id.is_some() && at.slack().client_secret.is_some()
}

fn manifest_of(services: &Services, opened: &Opened, at: &Installation) -> Value {
    let site = &services.site;
    manifest::manifest_for(at, &opened.assistant, &site.public_url, &site.service_name)
}

fn shown(
    services: &Services,
    slack: &SlackAccess,
    visitor: &Visitor,
    opened: Opened,
    at: Installation,
    wrong: Option<Wrong>,
) -> Response {
    let manifest = manifest_of(services, &opened, &at);
    let (state, mark) = match at.state {
        InstallationState::Pending => ("Not installed yet", "waiting"),
        InstallationState::Active => ("Installed", "good"),
        InstallationState::Disabled => ("Disabled", "bad"),
    };
    let now = services.clock.now();
    let public_url = services.site.public_url.clone();
    let url = Url::parse(&public_url).ok();
    let https = url
        .as_ref()
        .is_some_and(|url| url.scheme() == "https" && !is_loopback(url));
    let status = match wrong {
        None => StatusCode::OK,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let template = InstallPage {
        csrf: visitor.csrf(),
        state,
        mark,
        facts: facts(&at),
        create_link: manifest::create_link(&manifest),
        manifest: serde_json::to_string_pretty(&manifest).unwrap_or_default(),
        reachable: https || slack.is_local(),
        public_url,
        has_app: at.slack().app_id.is_some(),
        has_client_secret: at.slack().client_secret.is_some(),
        has_signing_secret: at.slack().signing_secret.is_some(),
        may_consent: may_consent(&at),
        installed: at.slack().bot_token.is_some(),
        active: at.state == InstallationState::Active,
        previous_until: at.slack().previous_until(now).map(Moment::of),
        app_id: at.slack().app_id.clone().unwrap_or_default(),
        client_id: at.slack().client_id.clone().unwrap_or_default(),
        frame: opened.frame,
        nav: opened.nav,
        wrong,
    };
    let mut response = page(status, &template);
    response.extensions_mut().insert(LeadsTo(slack.consent_sources()));
    response
}

fn facts(at: &Installation) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(home) = at.home() {
        let kind = if at.slack().is_enterprise {
            "Organization"
        } else {
            "Workspace"
        };
        let shown = match &at.slack().team_name {
            Some(name) => format!("{name} ({home})"),
            None => home.to_owned(),
        };
        facts.push((kind, shown));
    }
    if let Some(app) = &at.slack().app_id {
        facts.push(("App", app.clone()));
    }
    if let Some(name) = &at.registered_name {
        facts.push(("Called there", name.clone()));
    }
    if let Some(when) = at.installed_at {
        facts.push(("Installed", Moment::of(when).shown));
    }
    if let Some(why) = &at.disabled_because {
        facts.push(("Because", why.clone()));
    }
    facts
}

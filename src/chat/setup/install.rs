//! The page that installs an assistant in Slack, and the request and result types its forms share.
//!
//! The forms are handled in `app` and `token`, and the callback from Slack's consent page in `consent`. Every step
//! can be done by hand. Pasted values are verified with Slack where possible.

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
use crate::chat::setup::nav::{Nav, OpenAssistant};
use crate::chat::setup::opening::{FormRequest, PageRequest};
use crate::chat::setup::start;
use crate::chat::slack::access::{Note, Problem, SlackAccess, is_loopback};
use crate::chat::slack::manifest;
use crate::chat::slack::rotation::Rotation;
use crate::edge::view::Moment;
use crate::edge::view::{Fault, FormTargets, Frame, page};
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
    /// Slack can reach the public URL of this server.
    reachable: bool,
    public_url: String,
    has_app: bool,
    has_client_secret: bool,
    has_signing_secret: bool,
    app_id: String,
    client_id: String,
    /// Everything the “Install to Slack” button needs is there.
    may_consent: bool,
    installed: bool,
    /// The installation is active, so Slack can report its name and permissions.
    active: bool,
    previous_until: Option<Moment>,
    wrong: Option<FieldError>,
}

/// An error of a form, and the field to show it at.
pub struct FieldError {
    field: &'static str,
    pub text: String,
    notes: Vec<Note>,
}

impl FieldError {
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

/// The result of a form: the word for what was done, or the failure.
pub type Outcome<T = &'static str> = Result<T, FormFailure>;

/// Why a form failed.
pub enum FormFailure {
    /// Shown on the page, at the field.
    Shown(FieldError),
    /// Shown as an error page.
    Fault(Error),
}

impl From<FieldError> for FormFailure {
    fn from(wrong: FieldError) -> Self {
        Self::Shown(wrong)
    }
}

impl From<Error> for FormFailure {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid { field, why } => Self::Shown(FieldError::of(field, format!("This {why}."))),
            other => Self::Fault(other),
        }
    }
}

/// A form of the Install page, for an assistant with a Slack installation.
pub struct Step<T> {
    pub request: FormRequest<T>,
    pub at: Installation,
    pub slack: SlackAccess,
    pub rotation: Rotation,
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Services> for Step<T> {
    type Rejection = Response;

    async fn from_request(mut request: Request, services: &Services) -> Result<Self, Response> {
        let parts = request.extract_parts::<(Extension<SlackAccess>, Extension<Rotation>)>();
        let (Extension(slack), Extension(rotation)) = parts.await.map_err(IntoResponse::into_response)?;
        let request = FormRequest::from_request(request, services).await?;
        let at = in_slack(&request.opened)
            .ok_or_else(|| Fault::from(Error::NotFound("installation")).into_response())?;
        Ok(Self {
            request,
            at,
            slack,
            rotation,
        })
    }
}

impl<T> Step<T> {
    pub fn manifest(&self) -> Value {
        manifest_of(&self.request.services, &self.request.opened, &self.at)
    }

    /// Shows the page again, with what was done or with the error.
    pub fn finish(self, outcome: Outcome) -> Result<Response, Fault> {
        match outcome {
            Ok(done) => Ok(self.request.back("install", done)),
            Err(FormFailure::Shown(wrong)) => {
                let FormRequest {
                    services,
                    visitor,
                    opened,
                    ..
                } = self.request;
                Ok(render(
                    &services,
                    &self.slack,
                    &visitor,
                    opened,
                    self.at,
                    Some(wrong),
                ))
            }
            Err(FormFailure::Fault(error)) => Err(error.into()),
        }
    }
}

pub async fn show(Extension(slack): Extension<SlackAccess>, request: PageRequest) -> Response {
    let PageRequest {
        services,
        visitor,
        opened,
    } = request;
    match in_slack(&opened) {
        Some(at) => render(&services, &slack, &visitor, opened, at, None),
        None => start::page_for(opened, &visitor),
    }
}

fn in_slack(opened: &OpenAssistant) -> Option<Installation> {
    opened.at.clone().filter(|at| at.kind() == PlatformKind::Slack)
}

/// Whether the OAuth flow can start: it needs the client ID, and the client secret to exchange the code.
pub fn may_consent(at: &Installation) -> bool {
    at.slack().app_id.is_some() && at.slack().client_id.is_some() && at.slack().client_secret.is_some()
}

fn manifest_of(services: &Services, opened: &OpenAssistant, at: &Installation) -> Value {
    let site = &services.site;
    manifest::manifest_for(at, &opened.assistant, &site.public_url, &site.service_name)
}

fn render(
    services: &Services,
    slack: &SlackAccess,
    visitor: &Visitor,
    opened: OpenAssistant,
    at: Installation,
    wrong: Option<FieldError>,
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
    response
        .extensions_mut()
        .insert(FormTargets(slack.consent_sources()));
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
        let label = match &at.slack().team_name {
            Some(name) => format!("{name} ({home})"),
            None => home.to_owned(),
        };
        facts.push((kind, label));
    }
    if let Some(app) = &at.slack().app_id {
        facts.push(("App", app.clone()));
    }
    if let Some(name) = &at.registered_name {
        facts.push(("Name in Slack", name.clone()));
    }
    if let Some(when) = at.installed_at {
        facts.push(("Installed", Moment::of(when).shown));
    }
    if let Some(why) = &at.disabled_because {
        facts.push(("Reason", why.clone()));
    }
    facts
}

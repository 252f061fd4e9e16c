//! Installing an assistant in Slack: make the app, take its ids and secrets over, install it.
//!
//! Every step can be done by hand. What is pasted is checked with Slack where Slack can tell. The way
//! back from Slack's consent page is in `consent`.

use askama::Template;
use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::assistants::grants::PlatformFields;
use crate::assistants::model::{Installation, InstallationState, PlatformKind};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::chat::setup::icon;
use crate::chat::setup::nav::{Moment, Nav, Opened, open};
use crate::chat::setup::start;
use crate::chat::slack::access::{Note, Problem, SlackAccess, is_loopback};
use crate::chat::slack::fields;
use crate::chat::slack::manifest::{self, SlackAddresses};
use crate::edge::form::AdminPosted;
use crate::edge::view::{Fault, Frame, LeadsTo, page, see_other};
use crate::edge::visitor::{OrgAdmin, Visitor};
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
    previous_until: Option<Moment>,
    wrong: Option<Wrong>,
}

/// What was refused, where.
pub struct Wrong {
    field: &'static str,
    text: String,
    notes: Vec<Note>,
}

impl Wrong {
    fn is_at(&self, field: &str) -> bool {
        self.field == field
    }

    fn of(field: &'static str, text: impl Into<String>) -> Self {
        Self {
            field,
            text: text.into(),
            notes: Vec::new(),
        }
    }

    fn slack(field: &'static str, problem: Problem) -> Self {
        let text = problem.sentence();
        let notes = match problem {
            Problem::Refused { notes, .. } => notes,
            _ => Vec::new(),
        };
        Self { field, text, notes }
    }
}

/// Ends a form: it went wrong in a way that the page shows, or in another.
enum Stopped {
    Shown(Wrong),
    Fault(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid { field, why } => Self::Shown(Wrong::of(field, format!("This {why}."))),
            other => Self::Fault(other),
        }
    }
}

/// The assistant with its installation in Slack.
struct Here {
    opened: Opened,
    at: Installation,
}

#[derive(Deserialize)]
pub struct Asked {
    done: Option<String>,
}

pub async fn show(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    OrgAdmin(visitor): OrgAdmin,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let opened = open(&services, &visitor, &id, "Install", asked.done.as_deref()).await?;
    let Some(at) = in_slack(&opened) else {
        return Ok(start::page_for(opened, &visitor));
    };
    let here = Here { opened, at };
    Ok(shown(&services, &slack, &visitor, here, None))
}

/// Ids and secrets of the app, as Slack's page shows them. Empty fields stay as they are.
#[derive(Deserialize)]
pub struct AppForm {
    #[serde(default)]
    app_id: String,
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    client_secret: String,
    #[serde(default)]
    signing_secret: String,
}

pub async fn save_app(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    Path(id): Path<String>,
    posted: AdminPosted<AppForm>,
) -> Result<Response, Fault> {
    let here = here(&services, &posted.visitor, &id, None).await?;
    let saved = async {
        let at = &here.at;
        let form = &posted.form;
        let given = PlatformFields {
            app_id: given(&form.app_id, fields::app_id)?,
            client_id: given(&form.client_id, fields::client_id)?,
            client_secret: given(&form.client_secret, fields::client_secret)?,
            signing_secret: given(&form.signing_secret, fields::signing_secret)?,
            ..PlatformFields::default()
        };
        let moves = given.app_id.is_some() && given.app_id != at.app_id;
        if moves && at.bot_token.is_some() && at.app_id.is_some() {
            return Err(Stopped::Shown(Wrong::of(
                "app-id",
                format!(
                    "The assistant is installed with the app {}. Make another assistant for another app.",
                    at.app_id.as_deref().unwrap_or_default()
                ),
            )));
        }
        let actor = Actor::from(&posted.visitor.principal);
        services
            .assistants
            .update_installation(actor, at.clone(), given)
            .await?;
        Ok("app")
    };
    let saved = saved.await;
    ended(&services, &slack, &posted.visitor, here, saved)
}

#[derive(Deserialize)]
pub struct TokenForm {
    #[serde(default)]
    bot_token: String,
}

/// A pasted bot token: Slack says whose it is.
pub async fn save_token(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    Path(id): Path<String>,
    posted: AdminPosted<TokenForm>,
) -> Result<Response, Fault> {
    let here = here(&services, &posted.visitor, &id, None).await?;
    let saved = async {
        let token = fields::bot_token(&posted.form.bot_token)?;
        let grant = slack.inspect(&token).await;
        let grant = grant.map_err(|problem| Stopped::Shown(Wrong::slack("bot-token", problem)))?;
        let app = grant.app_id.clone();
        let actor = Actor::from(&posted.visitor.principal);
        let (org, at) = (here.at.org, here.at.id);
        match services.assistants.complete_install(actor, org, at, grant).await {
            Ok(at) if at.state == InstallationState::Active => Ok("installed"),
            Ok(_) => Ok("token"),
            Err(Error::Conflict(_)) => Err(Stopped::Shown(Wrong::of(
                "bot-token",
                format!(
                    "This token belongs to the app {app}, and the assistant's app is {}. Copy the token of that app.",
                    here.at.app_id.as_deref().unwrap_or_default()
                ),
            ))),
            Err(error) => Err(error.into()),
        }
    };
    let saved = saved.await;
    ended(&services, &slack, &posted.visitor, here, saved)
}

#[derive(Deserialize)]
pub struct ConfigurationForm {
    #[serde(default)]
    configuration_token: String,
}

/// Makes the app with a configuration token, which is used for that and kept nowhere.
pub async fn create_app(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    Path(id): Path<String>,
    posted: AdminPosted<ConfigurationForm>,
) -> Result<Response, Fault> {
    let here = here(&services, &posted.visitor, &id, None).await?;
    let made = async {
        let token = fields::configuration_token(&posted.form.configuration_token)?;
        if here.at.app_id.is_some() {
            return Err(Stopped::Fault(Error::Conflict(
                "the assistant has an app already",
            )));
        }
        let wrong = |problem| Stopped::Shown(lost_app(problem, &here.opened.assistant.name));
        let made = slack
            .create_app(&token, &manifest_of(&services, &here))
            .await
            .map_err(wrong)?;
        let fields = PlatformFields {
            app_id: Some(made.app_id),
            client_id: Some(made.client_id),
            client_secret: Some(made.client_secret),
            signing_secret: Some(made.signing_secret),
            ..PlatformFields::default()
        };
        let actor = Actor::from(&posted.visitor.principal);
        let (org, at, name) = (here.at.org, here.at.id, &here.opened.assistant.name);
        services
            .assistants
            .adopt_app(actor, org, at, fields.clone(), name)
            .await?;
        let app = fields.app_id.as_deref().unwrap_or_default();
        let icon = icon::at_slack(&services, &slack, &here.opened.assistant, &token, app).await;
        Ok(if icon { "created" } else { "created-plain" })
    };
    let made = made.await;
    ended(&services, &slack, &posted.visitor, here, made)
}

/// Gives the app at Slack the manifest as it is now: its name, colour, addresses and rights.
pub async fn update_app(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    Path(id): Path<String>,
    posted: AdminPosted<ConfigurationForm>,
) -> Result<Response, Fault> {
    let here = here(&services, &posted.visitor, &id, None).await?;
    let updated = async {
        let token = fields::configuration_token(&posted.form.configuration_token)?;
        let Some(app) = here.at.app_id.as_deref() else {
            return Err(Stopped::Fault(Error::Conflict("the assistant has no app yet")));
        };
        let wrong = |problem| Stopped::Shown(Wrong::slack("configuration-token", problem));
        let manifest = manifest_of(&services, &here);
        slack.update_app(&token, app, &manifest).await.map_err(wrong)?;
        let actor = Actor::from(&posted.visitor.principal);
        let (org, at, name) = (here.at.org, here.at.id, &here.opened.assistant.name);
        services.assistants.registered(actor, org, at, name).await?;
        let icon = icon::at_slack(&services, &slack, &here.opened.assistant, &token, app).await;
        Ok(if icon { "updated" } else { "updated-plain" })
    };
    let updated = updated.await;
    ended(&services, &slack, &posted.visitor, here, updated)
}

#[derive(Deserialize)]
pub struct Nothing {}

/// Off to Slack's consent page.
pub async fn begin(
    State(services): State<Services>,
    Extension(slack): Extension<SlackAccess>,
    Path(id): Path<String>,
    posted: AdminPosted<Nothing>,
) -> Result<Response, Fault> {
    let visitor = posted.visitor;
    let here = here(&services, &visitor, &id, None).await?;
    let at = &here.at;
    let (Some(client), true) = (at.client_id.as_deref(), may_consent(at)) else {
        let text = "Install to Slack needs App ID, Client ID and Client Secret: fill them in first.";
        let wrong = Stopped::Shown(Wrong::of("client-id", text));
        return ended(&services, &slack, &visitor, here, Err(wrong));
    };
    let state = services
        .assistants
        .begin_install(&visitor.principal, at.id, &visitor.token)
        .await?;
    let back = SlackAddresses::of(&services.site.public_url, at.address.expose()).oauth_callback;
    let consent = slack.consent_url(client, &manifest::asked_scopes(), &back, &state);
    let consent = consent.ok_or_else(|| Error::internal("CORBEL_SLACK_OAUTH_URL is no address"))?;
    Ok(see_other(&consent))
}

/// Stops accepting the signing secret before the current one.
pub async fn retire(
    State(services): State<Services>,
    Path(id): Path<String>,
    posted: AdminPosted<Nothing>,
) -> Result<Response, Fault> {
    let here = here(&services, &posted.visitor, &id, None).await?;
    let actor = Actor::from(&posted.visitor.principal);
    services
        .assistants
        .retire_secret(actor, here.at.org, here.at.id)
        .await?;
    Ok(see_other(&format!(
        "{}/install?done=retired",
        here.opened.nav.base
    )))
}

async fn here(services: &Services, visitor: &Visitor, id: &str, done: Option<&str>) -> Result<Here> {
    let opened = open(services, visitor, id, "Install", done).await?;
    let at = in_slack(&opened).ok_or(Error::NotFound("installation"))?;
    Ok(Here { opened, at })
}

fn in_slack(opened: &Opened) -> Option<Installation> {
    opened.at.clone().filter(|at| at.platform == PlatformKind::Slack)
}

/// A field that was filled in, checked.
fn given<T>(text: &str, check: impl Fn(&str) -> Result<T>) -> Result<Option<T>> {
    match text.trim() {
        "" => Ok(None),
        text => check(text).map(Some),
    }
}

/// Where it is not known whether an app was made, the admin can see.
fn lost_app(problem: Problem, name: &str) -> Wrong {
    let lost = matches!(problem, Problem::Lost(_) | Problem::Lacking(_));
    let mut wrong = Wrong::slack("configuration-token", problem);
    if lost {
        wrong.text = format!(
            "Slack's answer did not arrive whole, so the app may have been made. Look at api.slack.com/apps for {name}: if it is there, paste its ids and secrets below; if not, try again."
        );
    }
    wrong
}

fn may_consent(at: &Installation) -> bool {
    at.app_id.is_some() && at.client_id.is_some() && at.client_secret.is_some()
}

fn manifest_of(services: &Services, here: &Here) -> Value {
    let addresses = SlackAddresses::of(&services.site.public_url, here.at.address.expose());
    manifest::manifest(&here.opened.assistant, &addresses, &services.site.service_name)
}

/// Back to the page: with what was done, or with what went wrong.
fn ended(
    services: &Services,
    slack: &SlackAccess,
    visitor: &Visitor,
    here: Here,
    outcome: Result<&'static str, Stopped>,
) -> Result<Response, Fault> {
    match outcome {
        Ok(done) => Ok(see_other(&format!(
            "{}/install?done={done}",
            here.opened.nav.base
        ))),
        Err(Stopped::Shown(wrong)) => Ok(shown(services, slack, visitor, here, Some(wrong))),
        Err(Stopped::Fault(error)) => Err(error.into()),
    }
}

fn shown(
    services: &Services,
    slack: &SlackAccess,
    visitor: &Visitor,
    here: Here,
    wrong: Option<Wrong>,
) -> Response {
    let manifest = manifest_of(services, &here);
    let Here { opened, at } = here;
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
        has_app: at.app_id.is_some(),
        has_client_secret: at.client_secret.is_some(),
        has_signing_secret: at.signing_secret.is_some(),
        may_consent: may_consent(&at),
        installed: at.bot_token.is_some(),
        previous_until: at
            .previous_secret_until
            .filter(|_| at.previous_secret(now).is_some())
            .map(Moment::of),
        app_id: at.app_id.unwrap_or_default(),
        client_id: at.client_id.unwrap_or_default(),
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
        let kind = if at.is_enterprise {
            "Organization"
        } else {
            "Workspace"
        };
        let shown = match &at.team_name {
            Some(name) => format!("{name} ({home})"),
            None => home.to_owned(),
        };
        facts.push((kind, shown));
    }
    if let Some(app) = &at.app_id {
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

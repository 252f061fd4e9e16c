//! The app at Slack: made or updated from the manifest, its ids and secrets taken over.

use std::time::Duration;

use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use tracing::Instrument as _;

use crate::assistants::model::Installation;
use crate::assistants::slack::grants::SlackFields;
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::secret::Secret;
use crate::chat::setup::icon;
use crate::chat::setup::install::{Outcome, Step, Stopped, Wrong};
use crate::chat::setup::opening::{Nothing, Sent};
use crate::chat::slack::access::{Problem, SlackAccess};
use crate::chat::slack::fields;
use crate::db::retry::until_back;
use crate::edge::view::Fault;
use crate::services::Services;

/// Slack says an app's secrets once: they must not be lost because the database is away for a moment.
const KEEPING: Duration = Duration::from_secs(10);

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

#[derive(Deserialize)]
pub struct ConfigurationForm {
    #[serde(default)]
    configuration_token: String,
}

pub async fn save(step: Step<AppForm>) -> Result<Response, Fault> {
    let saved = saved(&step).await;
    step.ended(saved)
}

async fn saved(step: &Step<AppForm>) -> Outcome {
    let (at, form) = (&step.at, &step.sent.form);
    let given = SlackFields {
        app_id: given(&form.app_id, fields::app_id)?,
        client_id: given(&form.client_id, fields::client_id)?,
        client_secret: given(&form.client_secret, fields::client_secret)?,
        signing_secret: given(&form.signing_secret, fields::signing_secret)?,
        ..SlackFields::default()
    };
    if let (Some(app), Some(known), Some(_)) = (&given.app_id, &at.slack().app_id, &at.slack().bot_token)
        && app != known
    {
        let text = format!(
            "The assistant is installed with the app {known}. Make another assistant for another app."
        );
        return Err(Wrong::of("app-id", text).into());
    }
    let assistants = &step.sent.services.assistants;
    assistants
        .update_installation(step.sent.actor(), at.clone(), given)
        .await?;
    Ok("app")
}

/// A field that was filled in, checked.
fn given<T>(text: &str, check: impl Fn(&str) -> Result<T>) -> Result<Option<T>> {
    match text.trim() {
        "" => Ok(None),
        text => check(text).map(Some),
    }
}

/// Makes the app with a configuration token, which is used for that and kept nowhere.
pub async fn create(step: Step<ConfigurationForm>) -> Result<Response, Fault> {
    let created = created(&step).await;
    step.ended(created)
}

async fn created(step: &Step<ConfigurationForm>) -> Outcome {
    let token = fields::configuration_token(&step.sent.form.configuration_token)?;
    if step.at.slack().app_id.is_some() {
        return Err(Error::Conflict("the assistant has an app already").into());
    }
    let making = Making {
        services: step.sent.services.clone(),
        slack: step.slack.clone(),
        actor: step.sent.actor(),
        at: step.at.clone(),
        token: token.clone(),
        manifest: step.manifest(),
    };
    // On its own: the secrets must be kept also where the browser has gone by then.
    let made = tokio::spawn(making.made().in_current_span());
    let app = made.await.map_err(Error::internal)??;
    let (services, assistant) = (&step.sent.services, &step.sent.opened.assistant);
    let icon = icon::at_slack(services, &step.slack, assistant, &token, &app).await;
    Ok(if icon { "created" } else { "created-plain" })
}

/// An app on its way.
struct Making {
    services: Services,
    slack: SlackAccess,
    actor: Actor,
    at: Installation,
    token: Secret,
    manifest: Value,
}

impl Making {
    /// The app's id; its secrets are kept then.
    async fn made(self) -> Outcome<String> {
        let name = &self.at.assistant_name;
        let made = self.slack.create_app(&self.token, &self.manifest).await;
        let made = made.map_err(|problem| lost(problem, name))?;
        let app = made.app_id.clone();
        let fields = SlackFields {
            app_id: Some(made.app_id),
            client_id: Some(made.client_id),
            client_secret: Some(made.client_secret),
            signing_secret: Some(made.signing_secret),
            ..SlackFields::default()
        };
        let (assistants, org, id) = (&self.services.assistants, self.at.org, self.at.id);
        let adopt = || assistants.adopt_app(self.actor, org, id, fields.clone(), name);
        match until_back(KEEPING, adopt).await {
            Ok(_) => Ok(app),
            Err(error) => {
                tracing::error!(installation = %id, app, error = error.chain(), "a new app's secrets were not kept");
                Err(orphaned(&app, &error).into())
            }
        }
    }
}

/// Where it is not known whether an app was made, the admin can see.
fn lost(problem: Problem, name: &str) -> Stopped {
    let lost = matches!(problem, Problem::Lost(_) | Problem::Lacking(_));
    let mut wrong = Wrong::slack("configuration-token", problem);
    if lost {
        wrong.text = format!(
            "Slack's answer did not arrive whole, so the app may have been made. Look at api.slack.com/apps for {name}: if it is there, paste its ids and secrets below; if not, try again."
        );
    }
    wrong.into()
}

/// The app is there, and its secrets are not here.
fn orphaned(app: &str, error: &Error) -> Wrong {
    let text = match error {
        Error::Conflict(_) => format!(
            "Slack made the app {app}, but the assistant has got another one meanwhile. Nothing uses {app}: delete it at api.slack.com/apps/{app}."
        ),
        _ => format!(
            "Slack made the app {app}, but its ids and secrets could not be kept here. Do not make another: once this server's database answers again, open api.slack.com/apps/{app} and paste what its Basic Information shows under App Credentials into the fields below."
        ),
    };
    Wrong::of("configuration-token", text)
}

/// Gives the app at Slack the manifest as it is now: its name, colour, addresses and rights.
pub async fn update(step: Step<ConfigurationForm>) -> Result<Response, Fault> {
    let updated = updated(&step).await;
    step.ended(updated)
}

async fn updated(step: &Step<ConfigurationForm>) -> Outcome {
    let token = fields::configuration_token(&step.sent.form.configuration_token)?;
    let Some(app) = step.at.slack().app_id.as_deref() else {
        return Err(Error::Conflict("the assistant has no app yet").into());
    };
    let updated = step.slack.update_app(&token, app, &step.manifest()).await;
    updated.map_err(|problem| Wrong::slack("configuration-token", problem))?;
    let (services, assistant) = (&step.sent.services, &step.sent.opened.assistant);
    let (actor, at) = (step.sent.actor(), &step.at);
    services
        .assistants
        .registered(actor, at.org, at.id, &assistant.name)
        .await?;
    let icon = icon::at_slack(services, &step.slack, assistant, &token, app).await;
    Ok(if icon { "updated" } else { "updated-plain" })
}

/// Stops accepting the signing secrets before the current one.
pub async fn retire(step: Step<Nothing>) -> Result<Response, Fault> {
    let Sent { services, .. } = &step.sent;
    let retired = services
        .assistants
        .retire_secret(step.sent.actor(), step.at.org, step.at.id)
        .await;
    step.ended(retired.map(|_| "retired").map_err(Stopped::from))
}

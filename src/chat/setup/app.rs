//! Install page, steps 1 and 2: creates or updates the app in Slack from the manifest, and stores its IDs and
//! secrets.

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
use crate::chat::setup::install::{FieldError, FormFailure, Outcome, Step};
use crate::chat::setup::opening::{FormRequest, NoFields};
use crate::chat::slack::access::{Problem, SlackAccess};
use crate::chat::slack::fields;
use crate::db::outage::retry_while_unavailable;
use crate::edge::view::Fault;
use crate::services::Services;

/// How long to retry storing a new app's secrets. Slack returns them only once, so a short database outage must
/// not lose them.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// IDs and secrets copied from the app's page in Slack. An empty field leaves the stored value unchanged.
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
    let outcome = try_save(&step).await;
    step.finish(outcome)
}

async fn try_save(step: &Step<AppForm>) -> Outcome {
    let (at, form) = (&step.at, &step.request.form);
    let given = SlackFields {
        app_id: checked(&form.app_id, fields::app_id)?,
        client_id: checked(&form.client_id, fields::client_id)?,
        client_secret: checked(&form.client_secret, fields::client_secret)?,
        signing_secret: checked(&form.signing_secret, fields::signing_secret)?,
        ..SlackFields::default()
    };
    if let (Some(app), Some(known), Some(_)) = (&given.app_id, &at.slack().app_id, &at.slack().bot_token)
        && app != known
    {
        let text = format!(
            "The assistant is installed with the app {known}. Create another assistant to use another app."
        );
        return Err(FieldError::of("app-id", text).into());
    }
    let installations = &step.request.services.installations;
    installations
        .update(step.request.actor(), at.clone(), given)
        .await?;
    Ok("app")
}

/// Validates a field. An empty one is `None`.
fn checked<T>(text: &str, check: impl Fn(&str) -> Result<T>) -> Result<Option<T>> {
    match text.trim() {
        "" => Ok(None),
        text => check(text).map(Some),
    }
}

/// Creates the app with a configuration token. The token is used once and never stored.
pub async fn create(step: Step<ConfigurationForm>) -> Result<Response, Fault> {
    let outcome = try_create(&step).await;
    step.finish(outcome)
}

async fn try_create(step: &Step<ConfigurationForm>) -> Outcome {
    let token = fields::configuration_token(&step.request.form.configuration_token)?;
    if step.at.slack().app_id.is_some() {
        return Err(Error::Conflict("the assistant already has an app").into());
    }
    let creation = AppCreation {
        services: step.request.services.clone(),
        slack: step.slack.clone(),
        actor: step.request.actor(),
        at: step.at.clone(),
        token: token.clone(),
        manifest: step.manifest(),
    };
    // In a task of its own: the secrets must be stored even if the browser disconnects.
    let task = tokio::spawn(creation.run().in_current_span());
    let app = task.await.map_err(Error::internal)??;
    let (services, assistant) = (&step.request.services, &step.request.opened.assistant);
    let icon_ok = icon::upload_to_slack(services, &step.slack, assistant, &token, &app).await;
    Ok(if icon_ok { "created" } else { "created-plain" })
}

/// All that is needed to create an app, owned so that it can run in its own task.
struct AppCreation {
    services: Services,
    slack: SlackAccess,
    actor: Actor,
    at: Installation,
    token: Secret,
    manifest: Value,
}

impl AppCreation {
    /// Creates the app, stores its secrets and returns its ID.
    async fn run(self) -> Outcome<String> {
        let name = &self.at.assistant_name;
        let created = self.slack.create_app(&self.token, &self.manifest).await;
        let created = created.map_err(|problem| creation_failed(problem, name))?;
        let app = created.app_id.clone();
        let fields = SlackFields {
            app_id: Some(created.app_id),
            client_id: Some(created.client_id),
            client_secret: Some(created.client_secret),
            signing_secret: Some(created.signing_secret),
            ..SlackFields::default()
        };
        let (installations, org, id) = (&self.services.installations, self.at.org, self.at.id);
        let adopt = || installations.adopt_app(self.actor, org, id, fields.clone(), name);
        match retry_while_unavailable(STORE_TIMEOUT, adopt).await {
            Ok(_) => Ok(app),
            Err(error) => {
                tracing::error!(
                    installation = %id,
                    app,
                    error = error.chain(),
                    "could not store the secrets of a new app"
                );
                Err(not_stored(&app, &error).into())
            }
        }
    }
}

/// The error for a failed creation. If Slack's response was lost, it asks the administrator to look for the app.
fn creation_failed(problem: Problem, name: &str) -> FormFailure {
    let is_unclear = matches!(problem, Problem::Lost(_) | Problem::Lacking(_));
    let mut wrong = FieldError::slack("configuration-token", problem);
    if is_unclear {
        wrong.text = format!(
            "Slack's response was incomplete, so the app may have been created. Look for {name} at api.slack.com/apps: \
             if it is there, paste its IDs and secrets below; if not, try again."
        );
    }
    wrong.into()
}

/// The error for an app that exists in Slack while its secrets could not be stored here.
fn not_stored(app: &str, error: &Error) -> FieldError {
    let text = match error {
        Error::Conflict(_) => format!(
            "Slack created the app {app}, but the assistant was given another app in the meantime. Nothing uses {app}: \
             delete it at api.slack.com/apps/{app}."
        ),
        _ => format!(
            "Slack created the app {app}, but its IDs and secrets could not be saved. Do not create another \
             one: when this server's database is available again, open api.slack.com/apps/{app} and paste the App \
             Credentials from Basic Information into the fields below."
        ),
    };
    FieldError::of("configuration-token", text)
}

/// Updates the app in Slack with the current manifest: name, colour, URLs and permissions.
pub async fn update(step: Step<ConfigurationForm>) -> Result<Response, Fault> {
    let outcome = try_update(&step).await;
    step.finish(outcome)
}

async fn try_update(step: &Step<ConfigurationForm>) -> Outcome {
    let token = fields::configuration_token(&step.request.form.configuration_token)?;
    let Some(app) = step.at.slack().app_id.as_deref() else {
        return Err(Error::Conflict("the assistant does not have an app yet").into());
    };
    let updated = step.slack.update_app(&token, app, &step.manifest()).await;
    updated.map_err(|problem| FieldError::slack("configuration-token", problem))?;
    let (services, assistant) = (&step.request.services, &step.request.opened.assistant);
    let (actor, at) = (step.request.actor(), &step.at);
    services
        .installations
        .set_registered_name(actor, at.org, at.id, &assistant.name)
        .await?;
    let icon_ok = icon::upload_to_slack(services, &step.slack, assistant, &token, app).await;
    Ok(if icon_ok { "updated" } else { "updated-plain" })
}

/// Stops accepting the signing secrets before the current one.
pub async fn retire(step: Step<NoFields>) -> Result<Response, Fault> {
    let FormRequest { services, .. } = &step.request;
    let retired = services
        .installations
        .retire_secret(step.request.actor(), step.at.org, step.at.id)
        .await;
    step.finish(retired.map(|_| "retired").map_err(FormFailure::from))
}

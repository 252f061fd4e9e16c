//! Install page, step 3: gets the bot token from Slack's consent page or from a form, and verifies it with Slack.

use axum::response::Response;
use serde::Deserialize;

use crate::assistants::model::{Installation, InstallationState};
use crate::assistants::slack::app::Grant;
use crate::assistants::slack::grants::{ANOTHER_APP, ANOTHER_HOME};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::chat::setup::install::{FieldError, Outcome, Step, may_consent};
use crate::chat::setup::opening::NoFields;
use crate::chat::slack::fields;
use crate::chat::slack::manifest::{self, SlackAddresses};
use crate::chat::slack::rotation::Rotation;
use crate::edge::view::{Fault, see_other};
use crate::services::Services;

#[derive(Deserialize)]
pub struct TokenForm {
    #[serde(default)]
    bot_token: String,
}

/// Stores a pasted bot token. Slack reports the app and workspace it belongs to.
pub async fn save(step: Step<TokenForm>) -> Result<Response, Fault> {
    let outcome = try_save(&step).await;
    step.finish(outcome)
}

async fn try_save(step: &Step<TokenForm>) -> Outcome {
    let token = fields::bot_token(&step.request.form.bot_token)?;
    let grant = step.slack.inspect(&token).await;
    let grant = grant.map_err(|problem| FieldError::slack("bot-token", problem))?;
    let (actor, at) = (step.request.actor(), &step.at);
    let installations = &step.request.services.installations;
    match installations
        .complete_install(actor, at.org, at.id, grant.clone())
        .await
    {
        Ok(at) if at.state == InstallationState::Active => Ok("installed"),
        Ok(_) => Ok("token"),
        Err(error) => Err(match mismatch(&error, at, &grant) {
            Some(text) => FieldError::of(
                "bot-token",
                format!("{text} Copy the token of the assistant's own app."),
            )
            .into(),
            None => error.into(),
        }),
    }
}

/// The reason why a grant was refused, if it is for another app or workspace than the assistant's.
pub fn mismatch(error: &Error, at: &Installation, grant: &Grant) -> Option<String> {
    let place = |is_enterprise| match is_enterprise {
        true => "the organization",
        false => "the workspace",
    };
    match error {
        Error::Conflict(ANOTHER_APP) => Some(format!(
            "This is for the app {}, but the assistant's app is {}.",
            grant.app_id,
            at.slack().app_id.as_deref().unwrap_or_default()
        )),
        Error::Conflict(ANOTHER_HOME) => Some(format!(
            "This is for {} {}, but the assistant belongs to {} {}.",
            place(grant.is_enterprise),
            named(&grant.team_name, grant.home()),
            place(at.slack().is_enterprise),
            named(&at.slack().team_name, at.home()),
        )),
        _ => None,
    }
}

fn named(name: &Option<String>, id: Option<&str>) -> String {
    let id = id.unwrap_or_default();
    match name {
        Some(name) => format!("{name} ({id})"),
        None => id.to_owned(),
    }
}

/// Redirects to Slack's consent page.
pub async fn begin(step: Step<NoFields>) -> Result<Response, Fault> {
    let (at, services, visitor) = (&step.at, &step.request.services, &step.request.visitor);
    let (Some(client), true) = (at.slack().client_id.as_deref(), may_consent(at)) else {
        let text = "Installing needs the App ID, Client ID and Client Secret. Enter them first.";
        return step.finish(Err(FieldError::of("client-id", text).into()));
    };
    let state = services
        .installations
        .begin_install(&visitor.principal, at.id, &visitor.token)
        .await?;
    let redirect_uri = SlackAddresses::of(&services.site.public_url, at.address.expose()).oauth_callback;
    let consent = step
        .slack
        .consent_url(client, &manifest::asked_scopes(), &redirect_uri, &state);
    let consent = consent.ok_or_else(|| Error::internal("CORBEL_SLACK_OAUTH_URL is not a valid URL"))?;
    Ok(see_other(&consent))
}

/// Reads name and permissions from Slack again, after a change there.
pub async fn refresh(step: Step<NoFields>) -> Result<Response, Fault> {
    let outcome = try_refresh(&step).await;
    step.finish(outcome)
}

async fn try_refresh(step: &Step<NoFields>) -> Outcome {
    let (actor, at) = (step.request.actor(), &step.at);
    let seen = step.rotation.inspect(at).await;
    let seen = seen.map_err(|problem| FieldError::slack("look", problem))?;
    match step
        .request
        .services
        .installations
        .record_description(actor, at, seen.clone())
        .await
    {
        Ok(_) => Ok("refreshed"),
        Err(error) => Err(match mismatch(&error, at, &seen) {
            Some(text) => FieldError::of("look", format!("{text} Reinstall the app.")).into(),
            None => error.into(),
        }),
    }
}

/// Reads name and permissions after an installation. A failure is only logged: the app is installed anyway.
pub async fn inspect_grant(services: &Services, rotation: &Rotation, actor: Actor, at: &Installation) {
    let stored = match rotation.inspect(at).await {
        Ok(seen) => services.installations.record_description(actor, at, seen).await,
        Err(problem) => Err(Error::upstream(problem)),
    };
    if let Err(error) = stored {
        tracing::warn!(installation = %at.id, error = error.chain(), "could not read the app's name and permissions");
    }
}

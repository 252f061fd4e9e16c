//! Changes of a Slack installation: what Slack granted or reports, and what an admin pasted.
//! Pure: the caller runs them in a transaction.

use chrono::{DateTime, Utc};

use crate::assistants::model::{Installation, InstallationState, Platform};
use crate::assistants::slack::app::{Grant, SlackApp};
use crate::base::error::{Error, Result};
use crate::base::secret::Secret;
use crate::base::text;

/// Why a grant is refused: `Error::Conflict` with one of these.
pub const ANOTHER_APP: &str = "the grant is for a different app than this assistant's";
pub const ANOTHER_HOME: &str = "the grant is for a different workspace than the assistant's";

/// What an admin pastes from the settings pages of a Slack app. All of it may come later.
#[derive(Clone, Debug, Default)]
pub struct SlackFields {
    pub app_id: Option<String>,
    pub client_id: Option<String>,
    pub client_secret: Option<Secret>,
    pub signing_secret: Option<Secret>,
    pub bot_token: Option<Secret>,
    pub team_id: Option<String>,
    pub bot_user_id: Option<String>,
}

/// The Slack part of an installation, mutable.
pub(in crate::assistants) fn slack_mut(at: &mut Installation) -> Result<&mut SlackApp> {
    match &mut at.platform {
        Platform::Slack(app) => Ok(app),
        Platform::Web => Err(Error::internal("the installation is not on Slack")),
    }
}

/// Applies a grant. Refused if it is for a different app than the configured one, or for a different workspace.
pub(super) fn apply_grant(at: &mut Installation, grant: &Grant, now: DateTime<Utc>) -> Result<()> {
    let app_id = text::name("app-id", &grant.app_id, 128)?;
    if grant.home().is_none() {
        return Err(Error::invalid("team-id", "is missing in the grant"));
    }
    let app = slack_mut(at)?;
    check_fits(app, grant)?;
    app.app_id = Some(app_id);
    app.bot_token = Some(grant.bot_token.clone());
    app.bot_user_id.clone_from(&grant.bot_user_id);
    app.team_id.clone_from(&grant.team_id);
    app.team_name = grant.team_name.as_deref().map(|name| text::shortened(name, 120));
    app.enterprise_id.clone_from(&grant.enterprise_id);
    app.is_enterprise = grant.is_enterprise;
    app.scopes.clone_from(&grant.scopes);
    app.refresh_token.clone_from(&grant.refresh_token);
    app.token_expires_at = grant.expires_in.map(|lasts| now + lasts);
    set_registered_name(at, grant);
    at.registered_name
        .get_or_insert_with(|| at.assistant_name.clone());
    activate(at, now)
}

/// Applies what Slack reports about existing access: the name it shows, and the scopes.
pub(super) fn apply_description(at: &mut Installation, seen: &Grant) -> Result<()> {
    let app = slack_mut(at)?;
    check_fits(app, seen)?;
    if let Some(scopes) = &seen.scopes {
        app.missing_scope = app.missing_scope.take().filter(|scope| !scopes.has(scope));
        app.scopes = Some(scopes.clone());
    }
    set_registered_name(at, seen);
    Ok(())
}

/// Links and approvals belong to one workspace: a grant for another one would give them to strangers. Going from
/// one workspace to its whole organization is allowed.
fn check_fits(app: &SlackApp, grant: &Grant) -> Result<()> {
    if app.app_id.as_ref().is_some_and(|known| *known != grant.app_id) {
        return Err(Error::Conflict(ANOTHER_APP));
    }
    let widens = grant.is_enterprise && grant.enterprise_id == app.enterprise_id;
    if app.home().is_some() && grant.home() != app.home() && !widens {
        return Err(Error::Conflict(ANOTHER_HOME));
    }
    Ok(())
}

fn set_registered_name(at: &mut Installation, grant: &Grant) {
    if let Some(name) = &grant.name {
        at.registered_name = Some(text::shortened(name, 80));
    }
}

/// Applies the fields that are given.
pub(in crate::assistants) fn fill_in(
    at: &mut Installation,
    fields: SlackFields,
    now: DateTime<Utc>,
) -> Result<()> {
    let app = slack_mut(at)?;
    let set_id = |field: &'static str, value: Option<String>, target: &mut Option<String>| -> Result<()> {
        if let Some(value) = value {
            *target = Some(text::name(field, &value, 128)?);
        }
        Ok(())
    };
    set_id("app-id", fields.app_id, &mut app.app_id)?;
    set_id("client-id", fields.client_id, &mut app.client_id)?;
    set_id("team-id", fields.team_id, &mut app.team_id)?;
    set_id("bot-user-id", fields.bot_user_id, &mut app.bot_user_id)?;
    let set_secret =
        |field: &'static str, value: Option<Secret>, target: &mut Option<Secret>| -> Result<()> {
            if let Some(value) = value {
                *target = Some(Secret::new(text::name(field, value.expose(), 512)?));
            }
            Ok(())
        };
    let before = app.signing_secret.clone();
    let given = fields.signing_secret.is_some() || fields.client_secret.is_some();
    set_secret("signing-secret", fields.signing_secret, &mut app.signing_secret)?;
    set_secret("client-secret", fields.client_secret, &mut app.client_secret)?;
    if given && app.signing_secret.is_some() && app.signing_secret == app.client_secret {
        return Err(Error::invalid(
            "signing-secret",
            "is the same as the Client Secret. The two are next to each other: copy each again",
        ));
    }
    // While a secret is being rotated, Slack may still sign with an earlier one.
    if let (Some(before), Some(current)) = (before, &app.signing_secret)
        && before != *current
    {
        app.previous_secrets.push_previous(before, current, now)?;
    }
    let has_new_token = fields.bot_token.is_some();
    set_secret("bot-token", fields.bot_token, &mut app.bot_token)?;
    if has_new_token {
        // What Slack reported about the last token does not apply to this one.
        app.scopes = None;
        app.refresh_token = None;
        app.token_expires_at = None;
        activate(at, now)?;
    } else if at.state == InstallationState::Pending && at.platform.is_complete() {
        at.state = InstallationState::Active;
    }
    Ok(())
}

/// Records new access. A complete installation becomes active, even if the platform had revoked earlier access.
fn activate(at: &mut Installation, now: DateTime<Utc>) -> Result<()> {
    at.installed_at = Some(now);
    slack_mut(at)?.missing_scope = None;
    if at.platform.is_complete() {
        at.state = InstallationState::Active;
        at.disabled_because = None;
    }
    Ok(())
}

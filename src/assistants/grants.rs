//! What an installation takes over: what a platform granted, and what an admin pasted. Pure: the
//! transaction around it is the caller's.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::assistants::model::{Grant, Installation, InstallationState};
use crate::base::error::{Error, Result};
use crate::base::secret::Secret;
use crate::base::text;

/// How long the signing secret before the current one is accepted.
pub const OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

/// What an admin pastes from a platform's console. All of it may come later.
#[derive(Clone, Debug, Default)]
pub struct PlatformFields {
    pub app_id: Option<String>,
    pub client_id: Option<String>,
    pub client_secret: Option<Secret>,
    pub signing_secret: Option<Secret>,
    pub bot_token: Option<Secret>,
    pub team_id: Option<String>,
    pub bot_user_id: Option<String>,
}

/// Takes over a grant. One to another app than the configured is refused.
pub(super) fn grant_to(at: &mut Installation, grant: &Grant, now: DateTime<Utc>) -> Result<()> {
    let app_id = text::name("app-id", &grant.app_id, 128)?;
    if at.app_id.as_ref().is_some_and(|known| *known != app_id) {
        return Err(Error::Conflict(
            "the grant is for another app than this assistant's",
        ));
    }
    if grant.is_enterprise && grant.enterprise_id.is_none() || !grant.is_enterprise && grant.team_id.is_none()
    {
        return Err(Error::invalid("team-id", "is missing in the grant"));
    }
    at.app_id = Some(app_id);
    at.bot_token = Some(grant.bot_token.clone());
    at.bot_user_id.clone_from(&grant.bot_user_id);
    at.team_id.clone_from(&grant.team_id);
    at.team_name = grant.team_name.as_deref().map(|name| text::shortened(name, 120));
    at.enterprise_id.clone_from(&grant.enterprise_id);
    at.is_enterprise = grant.is_enterprise;
    at.scopes.clone_from(&grant.scopes);
    at.refresh_token.clone_from(&grant.refresh_token);
    at.token_expires_at = grant.expires_in.map(|lasts| now + lasts);
    if let Some(name) = &grant.name {
        at.registered_name = Some(text::shortened(name, 80));
    }
    at.registered_name
        .get_or_insert_with(|| at.assistant_name.clone());
    granted(at, now);
    Ok(())
}

/// Takes over what is given.
pub(super) fn fill_in(at: &mut Installation, fields: PlatformFields, now: DateTime<Utc>) -> Result<()> {
    let id = |field: &'static str, value: Option<String>, kept: &mut Option<String>| -> Result<()> {
        if let Some(value) = value {
            *kept = Some(text::name(field, &value, 128)?);
        }
        Ok(())
    };
    id("app-id", fields.app_id, &mut at.app_id)?;
    id("client-id", fields.client_id, &mut at.client_id)?;
    id("team-id", fields.team_id, &mut at.team_id)?;
    id("bot-user-id", fields.bot_user_id, &mut at.bot_user_id)?;
    let secret = |field: &'static str, value: Option<Secret>, kept: &mut Option<Secret>| -> Result<()> {
        if let Some(value) = value {
            *kept = Some(Secret::new(text::name(field, value.expose(), 512)?));
        }
        Ok(())
    };
    // While a secret is being rotated, the platform may still sign with the one before.
    let before = at.signing_secret.clone();
    secret("signing-secret", fields.signing_secret, &mut at.signing_secret)?;
    if before.is_some() && before != at.signing_secret {
        at.previous_signing_secret = before;
        at.previous_secret_until = Some(now + OVERLAP);
    }
    secret("client-secret", fields.client_secret, &mut at.client_secret)?;
    let renewed = fields.bot_token.is_some();
    secret("bot-token", fields.bot_token, &mut at.bot_token)?;
    if renewed {
        // Another token: what was known of the last one says nothing of it.
        at.scopes = None;
        at.refresh_token = None;
        at.token_expires_at = None;
        granted(at, now);
    } else if at.state == InstallationState::Pending && is_complete(at) {
        at.state = InstallationState::Active;
    }
    Ok(())
}

/// New rights. With app, signing secret, bot token and home it is active, also where the platform had
/// taken the rights away before.
fn granted(at: &mut Installation, now: DateTime<Utc>) {
    at.installed_at = Some(now);
    at.missing_scope = None;
    if is_complete(at) {
        at.state = InstallationState::Active;
        at.disabled_because = None;
    }
}

fn is_complete(at: &Installation) -> bool {
    at.app_id.is_some() && at.signing_secret.is_some() && at.bot_token.is_some() && at.home().is_some()
}

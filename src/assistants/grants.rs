//! What an installation takes over: what a platform granted or says of it, and what an admin pasted.
//! Pure: the transaction around it is the caller's.

use chrono::{DateTime, Utc};

use crate::assistants::model::{Grant, Installation, InstallationState};
use crate::base::error::{Error, Result};
use crate::base::secret::Secret;
use crate::base::text;

/// Why a grant is not taken over: `Error::Conflict` with one of these.
pub const ANOTHER_APP: &str = "the grant is for another app than this assistant's";
pub const ANOTHER_HOME: &str = "the grant is for another workspace than the assistant's";

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

/// Takes over a grant. One to another app than the configured, or for another home than the one it was
/// installed in, is refused.
pub(super) fn grant_to(at: &mut Installation, grant: &Grant, now: DateTime<Utc>) -> Result<()> {
    let app_id = text::name("app-id", &grant.app_id, 128)?;
    if grant.home().is_none() {
        return Err(Error::invalid("team-id", "is missing in the grant"));
    }
    fits(at, grant)?;
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
    shown_as(at, grant);
    at.registered_name
        .get_or_insert_with(|| at.assistant_name.clone());
    granted(at, now);
    Ok(())
}

/// Takes over what the platform says of the rights that are there: the name it shows, and what they are.
pub(super) fn describe(at: &mut Installation, seen: &Grant) -> Result<()> {
    fits(at, seen)?;
    shown_as(at, seen);
    if let Some(scopes) = &seen.scopes {
        at.missing_scope = at.missing_scope.take().filter(|scope| !scopes.has(scope));
        at.scopes = Some(scopes.clone());
    }
    Ok(())
}

/// Links and approvals are of one home: a grant for another would take them along to strangers. From one
/// workspace of an organization to all of it is no other home.
fn fits(at: &Installation, grant: &Grant) -> Result<()> {
    if at.app_id.as_ref().is_some_and(|known| *known != grant.app_id) {
        return Err(Error::Conflict(ANOTHER_APP));
    }
    let widens = grant.is_enterprise && grant.enterprise_id == at.enterprise_id;
    if at.home().is_some() && grant.home() != at.home() && !widens {
        return Err(Error::Conflict(ANOTHER_HOME));
    }
    Ok(())
}

fn shown_as(at: &mut Installation, grant: &Grant) {
    if let Some(name) = &grant.name {
        at.registered_name = Some(text::shortened(name, 80));
    }
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
    let before = at.signing_secret.clone();
    let told = fields.signing_secret.is_some() || fields.client_secret.is_some();
    secret("signing-secret", fields.signing_secret, &mut at.signing_secret)?;
    secret("client-secret", fields.client_secret, &mut at.client_secret)?;
    if told && at.signing_secret.is_some() && at.signing_secret == at.client_secret {
        return Err(Error::invalid(
            "signing-secret",
            "is the same as the Client Secret. The two stand near each other: copy each again",
        ));
    }
    // While a secret is being rotated, the platform may still sign with one before.
    if let (Some(before), Some(current)) = (before, &at.signing_secret)
        && before != *current
    {
        at.previous_secrets.succeed(before, current, now)?;
    }
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

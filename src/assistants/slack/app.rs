//! Slack's part of an installation: the app, its secrets and tokens, the workspace, and what Slack granted.
//!
//! Plain types; does not depend on Slack's wire format.

use std::collections::BTreeSet;
use std::iter;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::assistants::slack::previous_secrets::PreviousSecrets;
use crate::base::secret::Secret;

/// A Slack app and where it is installed, with its secrets unsealed. All of it may be filled in step by step.
#[derive(Clone, Debug, Default)]
pub struct SlackApp {
    pub app_id: Option<String>,
    pub client_id: Option<String>,
    pub client_secret: Option<Secret>,
    pub signing_secret: Option<Secret>,
    pub previous_secrets: PreviousSecrets,
    pub bot_token: Option<Secret>,
    pub bot_user_id: Option<String>,
    pub team_id: Option<String>,
    pub team_name: Option<String>,
    /// Installed for a whole Enterprise Grid organization: then there is no single workspace.
    pub is_enterprise: bool,
    pub enterprise_id: Option<String>,
    /// Absent if Slack did not report them.
    pub scopes: Option<Scopes>,
    /// The scope that a call was refused for: a reinstall is needed.
    pub missing_scope: Option<String>,
    /// With token rotation: the next token, good for a single use.
    pub refresh_token: Option<Secret>,
    /// Kept when the token is removed.
    pub token_expires_at: Option<DateTime<Utc>>,
}

impl SlackApp {
    /// The id of the workspace, or of the whole organization for an enterprise installation.
    pub fn home(&self) -> Option<&str> {
        home(self.is_enterprise, &self.team_id, &self.enterprise_id)
    }

    /// The current signing secret, then earlier ones that are still accepted.
    pub fn signing_secrets(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Secret> {
        let current = self.signing_secret.iter();
        current.flat_map(move |secret| iter::once(secret).chain(self.previous_secrets.accepted(now)))
    }

    /// How long an earlier signing secret is still accepted. None: only the current one is.
    pub fn previous_until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.previous_secrets.until().filter(|until| now < *until)
    }

    /// Tokens expire and are replaced. Still true after the token was removed: Slack never turns rotation off.
    pub fn rotates(&self) -> bool {
        self.token_expires_at.is_some()
    }

    /// True if it has everything that is needed to receive events and to post.
    pub fn is_complete(&self) -> bool {
        self.app_id.is_some()
            && self.signing_secret.is_some()
            && self.bot_token.is_some()
            && self.home().is_some()
    }
}

/// What Slack granted, according to its reply to an installation.
#[derive(Clone, Debug)]
pub struct Grant {
    pub app_id: String,
    pub bot_token: Secret,
    pub bot_user_id: Option<String>,
    /// Absent if the grant is for a whole organization.
    pub team_id: Option<String>,
    pub team_name: Option<String>,
    pub enterprise_id: Option<String>,
    pub is_enterprise: bool,
    pub scopes: Option<Scopes>,
    /// With token rotation: the next token, and how long this one lasts.
    pub refresh_token: Option<Secret>,
    pub expires_in: Option<Duration>,
    /// The name that Slack shows, if it was reported.
    pub name: Option<String>,
}

impl Grant {
    /// As [`SlackApp::home`].
    pub fn home(&self) -> Option<&str> {
        home(self.is_enterprise, &self.team_id, &self.enterprise_id)
    }
}

fn home<'a>(
    is_enterprise: bool,
    team: &'a Option<String>,
    enterprise: &'a Option<String>,
) -> Option<&'a str> {
    let home = if is_enterprise { enterprise } else { team };
    home.as_deref()
}

/// A token that replaces one about to expire.
#[derive(Clone, Debug)]
pub struct Renewed {
    pub bot_token: Secret,
    pub refresh_token: Secret,
    pub expires_in: Duration,
}

/// OAuth scopes by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(pub BTreeSet<String>);

impl Scopes {
    /// From Slack's comma-separated list.
    pub fn parse(list: &str) -> Self {
        Self(
            list.split(',')
                .map(str::trim)
                .filter(|scope| !scope.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    pub fn list(&self) -> String {
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join(",")
    }

    pub fn has(&self, scope: &str) -> bool {
        self.0.contains(scope)
    }
}

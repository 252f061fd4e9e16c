//! Renews tokens that expire: one node fetches the next one, shortly before the expiry or when Slack reports it,
//! while the others wait. Also stores which permission a call lacked.
//!
//! A refresh token is valid once, so the node that fetches has a lease in the database. The new pair is stored even
//! where the lease has run out.

use std::borrow::Cow;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::assistants::installations::service::Installations;
use crate::assistants::model::Installation;
use crate::assistants::slack::app::{Grant, Renewed};
use crate::base::clock::Clock;
use crate::base::error::Error;
use crate::chat::core::platform::{Failure, Result};
use crate::chat::slack::access::{Client, Problem, SlackAccess};
use crate::chat::slack::failure::no_next_token;
use crate::chat::slack::manifest::needed_scopes;
use crate::db::outage::retry_while_unavailable;

/// How long before its expiry a token is renewed.
const BEFORE: TimeDelta = TimeDelta::minutes(5);
/// How often the others check for the new token, and how long they wait between checks.
const WAITS: usize = 50;
const LOOK: Duration = Duration::from_millis(200);
/// How long storing a fetched pair is retried while the database is unavailable.
const KEEPING: Duration = Duration::from_secs(30);

/// Renews tokens.
#[derive(Clone)]
pub struct Rotation {
    access: SlackAccess,
    installations: Installations,
    clock: Clock,
}

impl std::fmt::Debug for Rotation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rotation")
    }
}

impl Rotation {
    pub fn new(access: SlackAccess, installations: Installations, clock: Clock) -> Self {
        Self {
            access,
            installations,
            clock,
        }
    }

    /// The installation with a token that does not expire soon.
    pub(super) async fn with_lasting_token<'a>(&self, at: &'a Installation) -> Result<Cow<'a, Installation>> {
        let now = self.clock.now();
        let Some(ends) = at.slack().token_expires_at.filter(|ends| *ends - now <= BEFORE) else {
            return Ok(Cow::Borrowed(at));
        };
        match self.renew(at, ends <= now).await {
            Ok(renewed) => Ok(Cow::Owned(renewed)),
            // It is valid for a few more minutes.
            Err(failure) if ends > now => {
                tracing::info!(installation = %at.id, %failure, "a token will be renewed later");
                Ok(Cow::Borrowed(at))
            }
            Err(failure) => Err(failure),
        }
    }

    /// What the installation's token is for and what it may do, as Slack says now; renewed first where it has
    /// expired.
    pub async fn inspect(&self, at: &Installation) -> Result<Grant, Problem> {
        let at = self.with_lasting_token(at).await.map_err(problem)?;
        match inspected(&self.access, &at).await {
            Err(Problem::Refused { word, .. }) if word == "token_expired" => {
                let renewed = self.after_expiry(&at).await.map_err(problem)?;
                inspected(&self.access, &renewed).await
            }
            outcome => outcome,
        }
    }

    /// The installation with another token than the one that Slack just reported as expired.
    pub(super) async fn after_expiry(&self, at: &Installation) -> Result<Installation> {
        self.renew(at, true).await
    }

    /// Stores the permission that a call lacked, unless the app works without it.
    pub(super) async fn note_refusal(&self, at: &Installation, missing: &str) {
        let needed = needed_scopes();
        let Some(scope) = missing.split(',').map(str::trim).find(|scope| needed.has(scope)) else {
            return;
        };
        if let Err(error) = self.installations.record_missing_scope(at, scope).await {
            tracing::warn!(installation = %at.id, error = error.chain(), "a missing scope was not stored");
        }
    }

    /// Fetches the next token, or waits for the node that does. Where it is not urgent, returns the current token
    /// instead of waiting.
    async fn renew(&self, old: &Installation, urgent: bool) -> Result<Installation> {
        for _ in 0..WAITS {
            let at = self.read(old).await?;
            let moved_on = at.slack().bot_token != old.slack().bot_token;
            if moved_on || at.slack().refresh_token.is_none() {
                return match at.slack().refresh_token.is_none() && !moved_on && urgent {
                    true => Err(Failure::Disabled("token_expired".to_owned())),
                    false => Ok(at),
                };
            }
            let claimed = self.installations.claim_refresh(&at).await.map_err(unavailable)?;
            match claimed {
                Some(held) => return self.fetch(&at, held).await,
                None if !urgent => return Ok(at),
                None => tokio::time::sleep(LOOK).await,
            }
        }
        Err(Failure::Unavailable(
            "another node is fetching the token".to_owned(),
        ))
    }

    async fn fetch(&self, at: &Installation, held: DateTime<Utc>) -> Result<Installation> {
        let (Some(id), Some(secret), Some(refresh)) = (
            at.slack().client_id.as_deref(),
            &at.slack().client_secret,
            &at.slack().refresh_token,
        ) else {
            self.release(at, held).await;
            return Err(Failure::Disabled("token_expired".to_owned()));
        };
        match self.access.refresh(Client { id, secret }, refresh).await {
            Ok(renewed) => {
                self.keep(at, renewed).await?;
                self.read(at).await
            }
            Err(Problem::Refused { word, .. }) => {
                self.release(at, held).await;
                // An earlier holder of the lease may have used the refresh token and stored the pair late.
                let now = self.read(at).await?;
                if now.slack().bot_token == at.slack().bot_token {
                    Err(no_next_token(&word))
                } else {
                    Ok(now)
                }
            }
            Err(Problem::Wait(wait)) => {
                self.release(at, held).await;
                Err(Failure::Wait(wait))
            }
            Err(problem) => {
                self.release(at, held).await;
                Err(Failure::Unavailable(problem.to_string()))
            }
        }
    }

    async fn keep(&self, at: &Installation, renewed: Renewed) -> Result<()> {
        match retry_while_unavailable(KEEPING, || self.installations.renew(at, renewed.clone())).await {
            Ok(true) => tracing::info!(installation = %at.id, "a bot token was renewed"),
            // A newer pair or another installation was stored meanwhile, and is read next.
            Ok(false) => {
                tracing::warn!(installation = %at.id, "a fetched token was not stored: there is a newer one");
            }
            Err(error) => {
                tracing::error!(installation = %at.id, error = error.chain(), "a fetched token could not be stored");
                return Err(unavailable(error));
            }
        }
        Ok(())
    }

    async fn read(&self, at: &Installation) -> Result<Installation> {
        let read = self.installations.by_id(at.org, at.id).await;
        read.map_err(unavailable)
    }

    async fn release(&self, at: &Installation, held: DateTime<Utc>) {
        // Otherwise the lease runs out.
        if let Err(error) = self.installations.release_refresh(at, held).await {
            tracing::debug!(installation = %at.id, error = error.chain(), "a lease was not released");
        }
    }
}

async fn inspected(access: &SlackAccess, at: &Installation) -> Result<Grant, Problem> {
    let token = at
        .slack()
        .bot_token
        .as_ref()
        .ok_or(Problem::Lacking("a bot token"))?;
    access.inspect(token).await
}

/// Why there is no valid token, as a problem of setup.
fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Wait(wait) => Problem::Wait(wait),
        Failure::Disabled(_) | Failure::TokenExpired(_) => Problem::Refused {
            word: "invalid_refresh_token".to_owned(),
            notes: Vec::new(),
        },
        other => Problem::Away(other.to_string()),
    }
}

fn unavailable(error: Error) -> Failure {
    Failure::Unavailable(error.chain())
}

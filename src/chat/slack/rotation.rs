//! Tokens that end: the next one is fetched by one node while the others wait, shortly before the end
//! or when Slack says that it has come. Also keeps which right a call was refused for.
//!
//! Refresh tokens are good once, so whoever fetches holds a claim in the database. The new pair is written
//! in the place of the old one, whatever became of the claim.

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
use crate::db::retry::until_back;

/// How long before its end a token is replaced.
const BEFORE: TimeDelta = TimeDelta::minutes(5);
/// How long the others wait for the one that fetches, and how often they look.
const WAITS: usize = 50;
const LOOK: Duration = Duration::from_millis(200);
/// A pair that was fetched must not be lost because the store is away for a while.
const KEEPING: Duration = Duration::from_secs(30);

/// What keeps tokens alive.
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

    /// The installation with a token that lasts a while.
    pub(super) async fn lasting<'a>(&self, at: &'a Installation) -> Result<Cow<'a, Installation>> {
        let now = self.clock.now();
        let Some(ends) = at.slack().token_expires_at.filter(|ends| *ends - now <= BEFORE) else {
            return Ok(Cow::Borrowed(at));
        };
        match self.replaced(at, ends <= now).await {
            Ok(renewed) => Ok(Cow::Owned(renewed)),
            // It holds for a few minutes more.
            Err(failure) if ends > now => {
                tracing::info!(installation = %at.id, %failure, "a token will be fetched later");
                Ok(Cow::Borrowed(at))
            }
            Err(failure) => Err(failure),
        }
    }

    /// What the installation's token is for and what it may do, as Slack says now; replaced first where it
    /// has ended.
    pub async fn inspect(&self, at: &Installation) -> Result<Grant, Problem> {
        let at = self.lasting(at).await.map_err(problem)?;
        match inspected(&self.access, &at).await {
            Err(Problem::Refused { word, .. }) if word == "token_expired" => {
                let renewed = self.after_expiry(&at).await.map_err(problem)?;
                inspected(&self.access, &renewed).await
            }
            outcome => outcome,
        }
    }

    /// The installation with another token than the one that Slack just called expired.
    pub(super) async fn after_expiry(&self, at: &Installation) -> Result<Installation> {
        self.replaced(at, true).await
    }

    /// Keeps the right that a call was refused for, unless the app works without it.
    pub(super) async fn note_refusal(&self, at: &Installation, missing: &str) {
        let needed = needed_scopes();
        let Some(scope) = missing.split(',').map(str::trim).find(|scope| needed.has(scope)) else {
            return;
        };
        if let Err(error) = self.installations.record_missing_scope(at, scope).await {
            tracing::warn!(installation = %at.id, error = error.chain(), "a missing scope was not noted");
        }
    }

    /// Fetches the next token, or waits for whoever does. Where it is not pressing, the token as it is
    /// will do meanwhile.
    async fn replaced(&self, old: &Installation, pressing: bool) -> Result<Installation> {
        for _ in 0..WAITS {
            let at = self.read(old).await?;
            let moved_on = at.slack().bot_token != old.slack().bot_token;
            if moved_on || at.slack().refresh_token.is_none() {
                return match at.slack().refresh_token.is_none() && !moved_on && pressing {
                    true => Err(Failure::Disabled("token_expired".to_owned())),
                    false => Ok(at),
                };
            }
            let claimed = self.installations.claim_refresh(&at).await.map_err(away)?;
            match claimed {
                Some(held) => return self.fetch(&at, held).await,
                None if !pressing => return Ok(at),
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
                // Whoever held the claim before may have used the token up and written late.
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
        match until_back(KEEPING, || self.installations.renew(at, renewed.clone())).await {
            Ok(true) => tracing::info!(installation = %at.id, "a bot token was replaced"),
            // Overtaken by a newer pair or another installation, which is read next.
            Ok(false) => {
                tracing::warn!(installation = %at.id, "a fetched token was not kept: there is a newer one");
            }
            Err(error) => {
                tracing::error!(installation = %at.id, error = error.chain(), "a fetched token could not be kept");
                return Err(away(error));
            }
        }
        Ok(())
    }

    async fn read(&self, at: &Installation) -> Result<Installation> {
        let read = self.installations.by_id(at.org, at.id).await;
        read.map_err(away)
    }

    async fn release(&self, at: &Installation, held: DateTime<Utc>) {
        // Otherwise it runs out by itself.
        if let Err(error) = self.installations.release_refresh(at, held).await {
            tracing::debug!(installation = %at.id, error = error.chain(), "a claim was not given back");
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

/// Why no token was had, as those say who set an assistant up.
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

fn away(error: Error) -> Failure {
    Failure::Unavailable(error.chain())
}

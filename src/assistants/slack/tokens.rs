//! Slack's rotated tokens and missing scopes: who may fetch the next token, and what a call was refused for.
//!
//! Does not depend on Slack's wire format; `chat/slack/rotation` makes the calls.

use chrono::{DateTime, TimeDelta, Utc};

use crate::assistants::installations::service::Installations;
use crate::assistants::installations::store as installation_store;
use crate::assistants::model::Installation;
use crate::assistants::slack::app::Renewed;
use crate::assistants::slack::grants::slack_mut;
use crate::assistants::slack::store;
use crate::base::error::Result;
use crate::base::text;

/// How long one node may take to fetch the next token before another may try.
const REFRESH: TimeDelta = TimeDelta::seconds(30);

impl Installations {
    /// A call was refused because this scope is missing: admins see that a reinstall is needed.
    pub async fn record_missing_scope(&self, at: &Installation, scope: &str) -> Result<()> {
        let (org, id, scope) = (at.org, at.id, text::shortened(scope, 200));
        let recorded = self.db.write(move |tx| {
            let scope = scope.clone();
            Box::pin(async move { store::set_missing_scope(tx, org, id, &scope).await })
        });
        if recorded.await? > 0 {
            self.cache.clear();
        }
        Ok(())
    }

    /// Claims the fetching of the next token, for one caller of all nodes and a short time. None if another caller
    /// has the claim, or if the current token is not the one in `at`.
    pub async fn claim_refresh(&self, at: &Installation) -> Result<Option<DateTime<Utc>>> {
        let (org, id, expires_at) = (at.org, at.id, at.slack().token_expires_at);
        let claimed = self.db.write(move |tx| {
            Box::pin(async move {
                let until = tx.now().await? + REFRESH;
                let claimed = store::claim_refresh(tx, org, id, expires_at, until).await? > 0;
                Ok(claimed.then_some(until))
            })
        });
        claimed.await
    }

    /// Releases the claim that ends at `until`: nothing was fetched.
    pub async fn release_refresh(&self, at: &Installation, until: DateTime<Utc>) -> Result<()> {
        let (org, id) = (at.org, at.id);
        let released = self
            .db
            .write(move |tx| Box::pin(async move { store::release_refresh(tx, org, id, until).await }));
        released.await
    }

    /// Replaces the tokens of `at`. False if there are others by now. The claim may have ended meanwhile; that does
    /// not matter, because the tokens being replaced are used up.
    pub async fn renew(&self, at: &Installation, renewed: Renewed) -> Result<bool> {
        let (input, sealer) = ((at.clone(), renewed), self.sealer.clone());
        let written = self.db.write(move |tx| {
            let ((old, renewed), sealer) = (input.clone(), sealer.clone());
            Box::pin(async move {
                let Some(mut at) = installation_store::lock(tx, &sealer, old.org, old.id).await? else {
                    return Ok(false);
                };
                let is_same_grant = at.installed_at == old.installed_at;
                let expires_at = tx.now().await? + renewed.expires_in;
                let app = slack_mut(&mut at)?;
                let is_same_token = app.token_expires_at == old.slack().token_expires_at;
                if !is_same_grant || !is_same_token || app.refresh_token.is_none() {
                    return Ok(false);
                }
                app.bot_token = Some(renewed.bot_token);
                app.refresh_token = Some(renewed.refresh_token);
                app.token_expires_at = Some(expires_at);
                installation_store::update(tx, &sealer, &at).await?;
                Ok(true)
            })
        });
        let renewed = written.await?;
        self.cache.clear();
        Ok(renewed)
    }
}

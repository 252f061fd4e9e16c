//! What a platform reports about an installation: access was revoked, tokens ended, a call arrived or was refused.
//!
//! Reports arrive late, twice and in any order. Each applies only to the access that existed at the time it reports.
//! Does not depend on a platform's wire format.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::assistants::installations::service::Installations;
use crate::assistants::installations::store;
use crate::assistants::model::{Installation, InstallationState};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::text;

/// Minimum time between two records of a platform's calls.
const CALL_INTERVAL: Duration = Duration::from_secs(60);

impl Installations {
    /// Disables an installation after the platform refused a call because access was revoked. The row is kept for a
    /// reinstall. Without effect if it was reinstalled since the call.
    pub async fn disable(&self, at: &Installation, because: &str) -> Result<()> {
        let (refused, because) = (at.clone(), text::shortened(because, 100));
        let disabled = self.db.write(move |tx| {
            let (at, because) = (refused.clone(), because.clone());
            Box::pin(async move {
                if store::disable(tx, &at, &because).await? > 0 {
                    let details = json!({ "because": because });
                    let subject = at.id.to_string();
                    audit::add(
                        tx,
                        at.org,
                        Actor::SYSTEM,
                        "installation.disabled",
                        &subject,
                        details,
                    )
                    .await?;
                }
                Ok(())
            })
        });
        disabled.await?;
        self.cache.clear();
        Ok(())
    }

    /// Removes the tokens because the platform reports that it revoked access at `when`, accurate to the second. The
    /// rest is kept for a reinstall. False if access was already removed or was granted later.
    ///
    /// A report from the same second as the installation is taken to predate it. If it does not, the next call fails
    /// and disables it.
    pub async fn revoke_access(&self, at: &Installation, because: &str, when: DateTime<Utc>) -> Result<bool> {
        let (org, id, because) = (at.org, at.id, text::shortened(because, 100));
        let sealer = self.sealer.clone();
        let removed = self.db.write(move |tx| {
            let (because, sealer) = (because.clone(), sealer.clone());
            Box::pin(async move {
                let Some(mut at) = store::lock(tx, &sealer, org, id).await? else {
                    return Ok(false);
                };
                if at.installed_at.is_some_and(|installed| installed >= when) {
                    return Ok(false);
                }
                let was_active = at.state == InstallationState::Active;
                if !at.platform.remove_tokens() && !was_active {
                    return Ok(false);
                }
                if was_active {
                    at.state = InstallationState::Disabled;
                    at.disabled_because = Some(because.clone());
                }
                store::update(tx, &sealer, &at).await?;
                let details = json!({ "because": because, "at": when });
                let subject = id.to_string();
                audit::add(tx, org, Actor::SYSTEM, "installation.revoked", &subject, details).await?;
                Ok(true)
            })
        });
        let removed = removed.await?;
        self.cache.clear();
        Ok(removed)
    }

    /// Writes a platform's report to the audit log.
    pub async fn record_report(&self, at: &Installation, action: &'static str, details: Value) -> Result<()> {
        let (org, id) = (at.org, at.id);
        let recorded = self.db.write(move |tx| {
            let details = details.clone();
            Box::pin(
                async move { audit::add(tx, org, Actor::SYSTEM, action, &id.to_string(), details).await },
            )
        });
        recorded.await
    }

    /// Records in the background that the platform made a verified call, at most once a minute.
    pub fn record_inbound_call(&self, at: &Installation) {
        if !self.cache.is_new_call(at.id, CALL_INTERVAL) {
            return;
        }
        let (db, org, id) = (self.db.clone(), at.org, at.id);
        tokio::spawn(async move {
            let recorded =
                db.write(move |tx| Box::pin(async move { store::set_last_call(tx, org, id).await }));
            if let Err(error) = recorded.await {
                tracing::debug!(installation = %id, error = error.chain(), "could not record a call of the platform");
            }
        });
    }

    /// Records in the background that a call was refused because of its signature or timestamp. At most once a minute,
    /// so that a stranger who knows the address cannot cause load.
    pub fn record_refused_call(&self, at: &Installation) {
        if !self.cache.is_new_refusal(at.id, CALL_INTERVAL) {
            return;
        }
        let (db, org, id) = (self.db.clone(), at.org, at.id);
        tokio::spawn(async move {
            let recorded =
                db.write(move |tx| Box::pin(async move { store::set_last_refused(tx, org, id).await }));
            if let Err(error) = recorded.await {
                tracing::debug!(installation = %id, error = error.chain(), "could not record a refused call");
            }
        });
    }
}

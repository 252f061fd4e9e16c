//! What a platform does to an installation: takes rights away, ends tokens, shares conversations with
//! outsiders, calls.
//!
//! Reports come late, twice and in any order: each is taken for what it says about the rights that were
//! there at its time. Knows no platform's wire format.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::assistants::installations::service::Installations;
use crate::assistants::installations::store;
use crate::assistants::model::{Installation, InstallationState};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::text;

/// How often it is written that a platform called.
pub const HEARD: Duration = Duration::from_secs(60);

impl Installations {
    /// Takes note that a call was refused for want of rights. Kept, so that a reinstall finds it; one made
    /// since the call is left alone.
    pub async fn disable(&self, at: &Installation, because: &str) -> Result<()> {
        let (kept, because) = (at.clone(), text::shortened(because, 100));
        let disabled = self.db.write(move |tx| {
            let (at, because) = (kept.clone(), because.clone());
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
        self.cache.forget();
        Ok(())
    }

    /// The platform reports that at `when`, to the second, it took the rights away: the tokens go, the rest
    /// stays for a reinstall. True if that was news; false also where the rights are newer. A report of the
    /// very second of an installation is taken as older: the next call tells.
    pub async fn remove_rights(&self, at: &Installation, because: &str, when: DateTime<Utc>) -> Result<bool> {
        let (org, id, because) = (at.org, at.id, text::shortened(because, 100));
        let sealer = self.sealer.clone();
        let lost = self.db.write(move |tx| {
            let (because, sealer) = (because.clone(), sealer.clone());
            Box::pin(async move {
                let Some(mut at) = store::hold(tx, &sealer, org, id).await? else {
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
        let lost = lost.await?;
        self.cache.forget();
        Ok(lost)
    }

    /// Writes something that a platform reports into the audit log.
    pub async fn record_report(&self, at: &Installation, action: &'static str, details: Value) -> Result<()> {
        let (org, id) = (at.org, at.id);
        let noted = self.db.write(move |tx| {
            let details = details.clone();
            Box::pin(
                async move { audit::add(tx, org, Actor::SYSTEM, action, &id.to_string(), details).await },
            )
        });
        noted.await
    }

    /// A verified call came. Written at most once in [`HEARD`] by this process, and behind the caller's
    /// back: nobody waits for it.
    pub fn record_call(&self, at: &Installation) {
        if !self.cache.is_new_call(at.id, HEARD) {
            return;
        }
        let (db, org, id) = (self.db.clone(), at.org, at.id);
        tokio::spawn(async move {
            let heard = db.write(move |tx| Box::pin(async move { store::set_last_call(tx, org, id).await }));
            if let Err(error) = heard.await {
                tracing::debug!(installation = %id, error = error.chain(), "not noted that the platform called");
            }
        });
    }

    /// A call was refused for its signature or time. Noted like [`record_call`](Self::record_call), and as rarely:
    /// strangers who know the address cannot make work of it.
    pub fn record_refused_call(&self, at: &Installation) {
        if !self.cache.is_new_refusal(at.id, HEARD) {
            return;
        }
        let (db, org, id) = (self.db.clone(), at.org, at.id);
        tokio::spawn(async move {
            let refused =
                db.write(move |tx| Box::pin(async move { store::set_last_refused(tx, org, id).await }));
            if let Err(error) = refused.await {
                tracing::debug!(installation = %id, error = error.chain(), "not noted that a call was refused");
            }
        });
    }
}

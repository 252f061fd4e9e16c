//! What a platform does to an installation: takes rights away, ends tokens, shares conversations with
//! outsiders, calls.
//!
//! Reports come late, twice and in any order: each is taken for what it says about the rights that were
//! there at its time. Knows no platform's wire format.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::assistants::model::{Installation, InstallationState};
use crate::assistants::service::Assistants;
use crate::assistants::{conversations, installations};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::text;

/// How often it is written that a platform called.
pub const HEARD: Duration = Duration::from_secs(60);

impl Assistants {
    /// Takes note that a call was refused for want of rights. Kept, so that a reinstall finds it; one made
    /// since the call is left alone.
    pub async fn disable(&self, at: &Installation, because: &str) -> Result<()> {
        let (kept, because) = (at.clone(), text::shortened(because, 100));
        let disabled = self.db.write(move |tx| {
            let (at, because) = (kept.clone(), because.clone());
            Box::pin(async move {
                if installations::disable(tx, &at, &because).await? > 0 {
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
        self.known.forget();
        Ok(())
    }

    /// The platform reports that at `when`, to the second, it took the rights away: the tokens go, the rest
    /// stays for a reinstall. True if that was news; false also where the rights are newer. A report of the
    /// very second of an installation is taken as older: the next call tells.
    pub async fn rights_lost(&self, at: &Installation, because: &str, when: DateTime<Utc>) -> Result<bool> {
        let (org, id, because) = (at.org, at.id, text::shortened(because, 100));
        let sealer = self.sealer.clone();
        let lost = self.db.write(move |tx| {
            let (because, sealer) = (because.clone(), sealer.clone());
            Box::pin(async move {
                let Some(mut at) = installations::hold(tx, &sealer, org, id).await? else {
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
                installations::update(tx, &sealer, &at).await?;
                let details = json!({ "because": because, "at": when });
                let subject = id.to_string();
                audit::add(tx, org, Actor::SYSTEM, "installation.revoked", &subject, details).await?;
                Ok(true)
            })
        });
        let lost = lost.await?;
        self.known.forget();
        Ok(lost)
    }

    /// The platform reports that at `when`, to the second, outsiders came into a conversation: an approval
    /// from before that is suspended. True if there was one.
    pub async fn outsiders_came(
        &self,
        at: &Installation,
        conversation: &str,
        reason: &str,
        when: DateTime<Utc>,
    ) -> Result<bool> {
        let (org, id) = (at.org, at.id);
        let (conversation, reason) = (conversation.to_owned(), reason.to_owned());
        let suspended = self.db.write(move |tx| {
            let (conversation, reason) = (conversation.clone(), reason.clone());
            Box::pin(async move {
                // An approval of the very second may be older: rather one approval too many to give.
                let before = when + TimeDelta::seconds(1);
                let suspended =
                    conversations::suspend_before(tx, org, id, &conversation, &reason, before).await? > 0;
                if suspended {
                    let details = json!({ "installation": id, "because": reason });
                    audit::add(
                        tx,
                        org,
                        Actor::SYSTEM,
                        "conversation.suspended",
                        &conversation,
                        details,
                    )
                    .await?;
                }
                Ok(suspended)
            })
        });
        suspended.await
    }

    /// The outsiders are gone. That alone approves nothing: only the reason changes.
    pub async fn outsiders_left(&self, at: &Installation, conversation: &str, reason: &str) -> Result<()> {
        let (org, id) = (at.org, at.id);
        let (conversation, reason) = (conversation.to_owned(), reason.to_owned());
        let noted = self.db.write(move |tx| {
            let (conversation, reason) = (conversation.clone(), reason.clone());
            Box::pin(async move { conversations::explain(tx, org, id, &conversation, &reason).await })
        });
        noted.await
    }

    /// Writes something that a platform reports into the audit log.
    pub async fn reported(&self, at: &Installation, action: &'static str, details: Value) -> Result<()> {
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
    pub fn hear(&self, at: &Installation) {
        if !self.known.is_new_to_hear(at.id, HEARD) {
            return;
        }
        let (db, org, id) = (self.db.clone(), at.org, at.id);
        tokio::spawn(async move {
            let heard = db.write(move |tx| Box::pin(async move { installations::heard(tx, org, id).await }));
            if let Err(error) = heard.await {
                tracing::debug!(installation = %id, error = error.chain(), "not noted that the platform called");
            }
        });
    }

    /// A call was refused for its signature or time. Noted like [`hear`](Self::hear), and as rarely:
    /// strangers who know the address cannot make work of it.
    pub fn refuse(&self, at: &Installation) {
        if !self.known.is_new_to_refuse(at.id, HEARD) {
            return;
        }
        let (db, org, id) = (self.db.clone(), at.org, at.id);
        tokio::spawn(async move {
            let refused =
                db.write(move |tx| Box::pin(async move { installations::refused(tx, org, id).await }));
            if let Err(error) = refused.await {
                tracing::debug!(installation = %id, error = error.chain(), "not noted that a call was refused");
            }
        });
    }
}

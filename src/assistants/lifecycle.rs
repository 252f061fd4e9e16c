//! What a platform does to an installation: takes rights away, ends tokens, shares conversations with
//! outsiders, calls.
//!
//! Reports come late, twice and in any order: each is taken for what it says about the rights that were
//! there at its time. Knows no platform's wire format.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::assistants::model::{Installation, Renewed};
use crate::assistants::service::Assistants;
use crate::assistants::{conversations, installations};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::text;

/// How long one node may take to fetch the next token before another may try.
const REFRESH: TimeDelta = TimeDelta::seconds(30);
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
        let lost = self.db.write(move |tx| {
            let because = because.clone();
            Box::pin(async move {
                let lost = installations::wipe(tx, org, id, &because, when).await? > 0;
                if lost {
                    let details = json!({ "because": because, "at": when });
                    audit::add(
                        tx,
                        org,
                        Actor::SYSTEM,
                        "installation.revoked",
                        &id.to_string(),
                        details,
                    )
                    .await?;
                }
                Ok(lost)
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

    /// A call was refused for want of this right: admins are shown that a reinstall is needed.
    pub async fn record_missing_scope(&self, at: &Installation, scope: &str) -> Result<()> {
        let (org, id, scope) = (at.org, at.id, text::shortened(scope, 200));
        let noted = self.db.write(move |tx| {
            let scope = scope.clone();
            Box::pin(async move { installations::missing_scope(tx, org, id, &scope).await })
        });
        if noted.await? > 0 {
            self.known.forget();
        }
        Ok(())
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

    /// The right to fetch the next token of an installation, given to one caller of all nodes for a short
    /// while; nothing if another has it, or the token is no longer this one.
    pub async fn claim_refresh(&self, at: &Installation) -> Result<Option<DateTime<Utc>>> {
        let kept = at.clone();
        let claimed = self.db.write(move |tx| {
            let at = kept.clone();
            Box::pin(async move {
                let until = tx.now().await? + REFRESH;
                let claimed = installations::claim_refresh(tx, &at, until).await? > 0;
                Ok(claimed.then_some(until))
            })
        });
        claimed.await
    }

    /// Gives the right back: nothing was fetched.
    pub async fn release_refresh(&self, at: &Installation, held: DateTime<Utc>) -> Result<()> {
        let kept = at.clone();
        let released = self.db.write(move |tx| {
            let at = kept.clone();
            Box::pin(async move { installations::release_refresh(tx, &at, held).await })
        });
        released.await
    }

    /// Keeps the next token with the one after it. False if there is another by now than the one in `at`.
    pub async fn renew(&self, at: &Installation, renewed: Renewed) -> Result<bool> {
        let (kept, sealer) = ((at.clone(), renewed), self.sealer.clone());
        let written = self.db.write(move |tx| {
            let ((at, renewed), sealer) = (kept.clone(), sealer.clone());
            Box::pin(async move { installations::renew(tx, &sealer, &at, &renewed).await })
        });
        let renewed = written.await? > 0;
        self.known.forget();
        Ok(renewed)
    }
}

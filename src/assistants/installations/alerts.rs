//! What an administrator has to mend at a platform: what its administrators or the app's settings do
//! not allow. Missing rights are kept with the installation. Knows no platform's words.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::assistants::installations::service::Installations;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::ids::{InstallationId, OrgId};
use crate::base::text;
use crate::db::tx::Tx;

/// Longest word of a platform that is kept.
const WORD: usize = 100;
/// A refusal that did not come again for so long is not shown any more.
const SHOWN: TimeDelta = TimeDelta::days(7);

/// One thing that a platform refused, by its own word.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Alert {
    pub word: String,
    pub times: i64,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
}

impl Installations {
    /// Takes note of a refusal that an administrator has to see.
    pub async fn add_alert(&self, org: OrgId, at: InstallationId, word: &str) -> Result<()> {
        let word = text::shortened(word, WORD);
        let noted = self.db.write(move |tx| {
            let word = word.clone();
            Box::pin(async move {
                let now = tx.now().await?;
                tx.query(
                    "INSERT INTO installation_alerts (org_id, installation_id, word, times, first_at, last_at)
                     VALUES ($1, $2, $3, 1, $4, $4)
                     ON CONFLICT (org_id, installation_id, word)
                     DO UPDATE SET times = installation_alerts.times + 1, last_at = excluded.last_at",
                )
                .bind(org)
                .bind(at)
                .bind(&word)
                .bind(now)
                .execute()
                .await?;
                Ok(())
            })
        });
        noted.await
    }

    /// An administrator mended what was refused: it is forgotten until it is refused again.
    pub async fn clear_alerts(&self, actor: Actor, org: OrgId, at: InstallationId) -> Result<()> {
        let cleared = self.db.write(move |tx| {
            Box::pin(async move {
                let forgotten = tx
                    .query("DELETE FROM installation_alerts WHERE org_id = $1 AND installation_id = $2")
                    .bind(org)
                    .bind(at)
                    .execute()
                    .await?;
                if forgotten > 0 {
                    audit::add(
                        tx,
                        org,
                        actor,
                        "installation.alerts_cleared",
                        &at.to_string(),
                        json!({}),
                    )
                    .await?;
                }
                Ok(())
            })
        });
        cleared.await
    }

    /// What was refused since the rights were granted last, and not long ago; the latest first.
    pub async fn alerts(&self, org: OrgId, at: InstallationId, now: DateTime<Utc>) -> Result<Vec<Alert>> {
        Ok(self
            .db
            .query(
                "SELECT w.word, w.times, w.first_at, w.last_at
                 FROM installation_alerts w
                 JOIN installations i ON i.org_id = w.org_id AND i.id = w.installation_id
                 WHERE w.org_id = $1 AND w.installation_id = $2
                   AND (i.installed_at IS NULL OR w.last_at > i.installed_at) AND w.last_at > $3
                 ORDER BY w.last_at DESC, w.word",
            )
            .bind(org)
            .bind(at)
            .bind(now - SHOWN)
            .all()
            .await?)
    }

    /// True if admins of the installation were not notified of the subject within `quiet_s` seconds. Records the
    /// notification in the caller's transaction.
    pub async fn may_notify_admins(
        &self,
        tx: &mut Tx,
        org: OrgId,
        at: InstallationId,
        subject: &str,
        quiet_s: i64,
    ) -> Result<bool> {
        let now = tx.now().await?;
        let told = tx
            .query(
                "INSERT INTO notices (org_id, installation_id, subject, told_at) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (org_id, installation_id, subject)
                 DO UPDATE SET told_at = excluded.told_at WHERE notices.told_at <= $5",
            )
            .bind(org)
            .bind(at)
            .bind(subject)
            .bind(now)
            .bind(now - TimeDelta::seconds(quiet_s))
            .execute()
            .await?;
        Ok(told == 1)
    }
}

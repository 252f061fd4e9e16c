//! Problems that an administrator has to fix on the platform, because the app's settings or the workspace's
//! administrators do not allow something. Missing scopes are stored with the installation.
//!
//! Does not depend on the error codes of a platform.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::assistants::installations::service::Installations;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::ids::{InstallationId, OrgId};
use crate::base::text;
use crate::db::tx::Tx;

/// Maximum length of an error code.
const MAX_CODE: usize = 100;
/// How long a refusal is shown after it last happened.
const SHOWN_FOR: TimeDelta = TimeDelta::days(7);

/// A refusal of the platform, counted.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Alert {
    /// The platform's error code.
    pub code: String,
    pub times: i64,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
}

impl Installations {
    /// Records a refusal that administrators have to see.
    pub async fn add_alert(&self, org: OrgId, at: InstallationId, code: &str) -> Result<()> {
        let code = text::shortened(code, MAX_CODE);
        let recorded = self.db.write(move |tx| {
            let code = code.clone();
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
                .bind(&code)
                .bind(now)
                .execute()
                .await?;
                Ok(())
            })
        });
        recorded.await
    }

    /// Deletes the alerts of an installation after an administrator fixed the cause.
    pub async fn clear_alerts(&self, actor: Actor, org: OrgId, at: InstallationId) -> Result<()> {
        let cleared = self.db.write(move |tx| {
            Box::pin(async move {
                let deleted = tx
                    .query("DELETE FROM installation_alerts WHERE org_id = $1 AND installation_id = $2")
                    .bind(org)
                    .bind(at)
                    .execute()
                    .await?;
                if deleted > 0 {
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

    /// Recent refusals since access was last granted, latest first.
    pub async fn alerts(&self, org: OrgId, at: InstallationId, now: DateTime<Utc>) -> Result<Vec<Alert>> {
        Ok(self
            .db
            .query(
                "SELECT w.word AS code, w.times, w.first_at, w.last_at
                 FROM installation_alerts w
                 JOIN installations i ON i.org_id = w.org_id AND i.id = w.installation_id
                 WHERE w.org_id = $1 AND w.installation_id = $2
                   AND (i.installed_at IS NULL OR w.last_at > i.installed_at) AND w.last_at > $3
                 ORDER BY w.last_at DESC, w.word",
            )
            .bind(org)
            .bind(at)
            .bind(now - SHOWN_FOR)
            .all()
            .await?)
    }

    /// Records that the admins of the installation are notified of the subject, in the caller's transaction. False,
    /// without a change, if they were already notified of it within the last `quiet_for`.
    pub async fn claim_admin_notice(
        &self,
        tx: &mut Tx,
        org: OrgId,
        at: InstallationId,
        subject: &str,
        quiet_for: Duration,
    ) -> Result<bool> {
        let now = tx.now().await?;
        let updated = tx
            .query(
                "INSERT INTO notices (org_id, installation_id, subject, told_at) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (org_id, installation_id, subject)
                 DO UPDATE SET told_at = excluded.told_at WHERE notices.told_at <= $5",
            )
            .bind(org)
            .bind(at)
            .bind(subject)
            .bind(now)
            .bind(now - quiet_for)
            .execute()
            .await?;
        Ok(updated == 1)
    }
}

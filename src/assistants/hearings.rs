//! Tables of what was heard beside turns, and of what admins were told.

use chrono::TimeDelta;
use sqlx::types::Json;

use crate::assistants::gesture::{Heard, Hearing};
use crate::base::error::Result;
use crate::base::ids::{HeardId, InstallationId, OrgId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// False if it was taken in before.
pub(super) async fn add(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    id: HeardId,
    key: &str,
    heard: &Heard,
) -> Result<bool> {
    let now = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO heard (org_id, id, installation_id, heard_key, heard, received_at)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        )
        .bind(org)
        .bind(id)
        .bind(at)
        .bind(key)
        .bind(Json(heard))
        .bind(now)
        .execute()
        .await?;
    Ok(added == 1)
}

pub(super) async fn find(db: Exec<'_>, org: OrgId, id: HeardId) -> Result<Option<Hearing>> {
    let row: Option<(InstallationId, Json<Heard>, bool, bool)> = db
        .query(
            "SELECT installation_id, heard, posting_since IS NOT NULL, done_at IS NOT NULL
             FROM heard WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(installation, Json(heard), posting, done)| Hearing {
        installation,
        heard,
        posting,
        done,
    }))
}

pub(super) async fn posting(tx: &mut Tx, org: OrgId, id: HeardId, posting: bool) -> Result<()> {
    let since = if posting { Some(tx.now().await?) } else { None };
    tx.query("UPDATE heard SET posting_since = $1 WHERE org_id = $2 AND id = $3")
        .bind(since)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Once: false if it was done before.
pub(super) async fn done(tx: &mut Tx, org: OrgId, id: HeardId) -> Result<bool> {
    let now = tx.now().await?;
    let done = tx
        .query("UPDATE heard SET done_at = $1 WHERE org_id = $2 AND id = $3 AND done_at IS NULL")
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(done == 1)
}

pub(super) async fn may_tell(
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

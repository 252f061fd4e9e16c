//! The table `usage_days`: totals of ended runs by day, so that the cost of a usage page does not grow with the number
//! of runs.

use chrono::{DateTime, NaiveDate, Utc};

use crate::base::error::Result;
use crate::base::ids::{KeyId, OrgId};
use crate::base::money::MicroUsd;
use crate::base::principal::Face;
use crate::db::exec::Exec;
use crate::db::tx::Tx;
use crate::usage::model::Day;

/// A run that ended.
pub(super) struct Ended {
    pub face: Face,
    pub key: Option<KeyId>,
    /// False if it failed.
    pub completed: bool,
    pub charged: MicroUsd,
}

/// Means "without a key", because columns of a primary key cannot be null.
const NO_KEY: KeyId = KeyId::from_uuid(uuid::Uuid::nil());

/// Counts a run on the day it ended.
pub(super) async fn add(tx: &mut Tx, org: OrgId, at: DateTime<Utc>, ended: &Ended) -> Result<()> {
    tx.query(
        "INSERT INTO usage_days (org_id, day, face, key_id, completed, failed, charged)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (org_id, day, face, key_id) DO UPDATE SET
             completed = usage_days.completed + excluded.completed,
             failed = usage_days.failed + excluded.failed,
             charged = usage_days.charged + excluded.charged",
    )
    .bind(org)
    .bind(written(at.date_naive()))
    .bind(ended.face)
    .bind(ended.key.unwrap_or(NO_KEY))
    .bind(i64::from(ended.completed))
    .bind(i64::from(!ended.completed))
    .bind(ended.charged)
    .execute()
    .await?;
    Ok(())
}

/// The days starting with `first`, oldest first.
pub(super) async fn since(db: Exec<'_>, org: OrgId, first: NaiveDate) -> Result<Vec<Day>> {
    let rows: Vec<(String, Face, KeyId, i64, i64, MicroUsd)> = db
        .query(
            "SELECT day, face, key_id, completed, failed, charged FROM usage_days
             WHERE org_id = $1 AND day >= $2 ORDER BY day, face, key_id",
        )
        .bind(org)
        .bind(written(first))
        .all()
        .await?;
    let day = |(day, face, key, completed, failed, charged): (String, _, KeyId, _, _, _)| {
        Some(Day {
            day: day.parse().ok()?,
            face,
            key: (key != NO_KEY).then_some(key),
            completed,
            failed,
            charged,
        })
    };
    Ok(rows.into_iter().filter_map(day).collect())
}

/// The sum of charges over all days.
pub(super) async fn charged(db: Exec<'_>, org: OrgId) -> Result<i64> {
    Ok(db
        .query("SELECT CAST(COALESCE(SUM(charged), 0) AS BIGINT) FROM usage_days WHERE org_id = $1")
        .bind(org)
        .scalar()
        .await?)
}

fn written(day: NaiveDate) -> String {
    day.format("%Y-%m-%d").to_string()
}

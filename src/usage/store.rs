//! Tables of usage. Entries are only added; a balance changes in the transaction of its entry.

use chrono::{DateTime, Utc};

use crate::base::error::Result;
use crate::base::ids::{EntryId, JobId, OrgId};
use crate::base::money::MicroUsd;
use crate::db::exec::{Exec, batches};
use crate::db::tx::Tx;
use crate::usage::model::{Balances, Bucket, Entry, EntryKind};

pub(super) async fn balances(db: Exec<'_>, org: OrgId) -> Result<Option<Balances>> {
    Ok(db
        .query("SELECT period, included, funded FROM usage_balances WHERE org_id = $1")
        .bind(org)
        .optional()
        .await?)
}

/// Reads the balances and locks their row. An update without a change locks on both databases.
pub(super) async fn locked(tx: &mut Tx, org: OrgId) -> Result<Option<Balances>> {
    Ok(tx
        .query(
            "UPDATE usage_balances SET period = period WHERE org_id = $1 RETURNING period, included, funded",
        )
        .bind(org)
        .optional()
        .await?)
}

pub(super) async fn open_balances(tx: &mut Tx, org: OrgId, period: &str) -> Result<()> {
    tx.query(
        "INSERT INTO usage_balances (org_id, period, included, funded) VALUES ($1, $2, 0, 0)
         ON CONFLICT (org_id) DO NOTHING",
    )
    .bind(org)
    .bind(period)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn set_period(tx: &mut Tx, org: OrgId, period: &str) -> Result<()> {
    tx.query("UPDATE usage_balances SET period = $1 WHERE org_id = $2")
        .bind(period)
        .bind(org)
        .execute()
        .await?;
    Ok(())
}

/// Takes included credit of this month (or a later one) if there is enough, in one statement. Returns false if not.
/// The caller adds the entries.
pub(super) async fn take_included(tx: &mut Tx, org: OrgId, period: &str, amount: MicroUsd) -> Result<bool> {
    let taken = tx
        .query(
            "UPDATE usage_balances SET included = included - $1
             WHERE org_id = $2 AND period >= $3 AND included >= $1",
        )
        .bind(amount)
        .bind(org)
        .bind(period)
        .execute()
        .await?;
    Ok(taken == 1)
}

/// Takes credit from both buckets. The caller has checked the locked balances and adds the entries.
pub(super) async fn take(tx: &mut Tx, org: OrgId, included: MicroUsd, funded: MicroUsd) -> Result<()> {
    tx.query("UPDATE usage_balances SET included = included - $1, funded = funded - $2 WHERE org_id = $3")
        .bind(included)
        .bind(funded)
        .bind(org)
        .execute()
        .await?;
    Ok(())
}

/// Adds an entry and changes the balance accordingly.
pub(super) async fn enter(tx: &mut Tx, org: OrgId, entry: &Entry) -> Result<()> {
    add_lines(tx, &[(org, entry.clone())]).await?;
    if entry.amount != MicroUsd::ZERO {
        let change = match entry.bucket {
            Bucket::Included => "UPDATE usage_balances SET included = included + $1 WHERE org_id = $2",
            Bucket::Funded => "UPDATE usage_balances SET funded = funded + $1 WHERE org_id = $2",
        };
        tx.query(change).bind(entry.amount).bind(org).execute().await?;
    }
    Ok(())
}

/// Adds entries whose balances have already been changed.
pub(super) async fn add_lines(tx: &mut Tx, lines: &[(OrgId, Entry)]) -> Result<()> {
    for batch in batches(lines) {
        let mut insert = tx.build(
            "INSERT INTO usage_entries (org_id, id, run_id, kind, bucket, amount, charged, created_at, face, key_id)
             VALUES ",
        );
        for (n, (org, entry)) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(entry.id)
                .push(", ")
                .bind(entry.run_id)
                .push(", ")
                .bind(entry.kind)
                .push(", ")
                .bind(entry.bucket)
                .push(", ")
                .bind(entry.amount)
                .push(", ")
                .bind(entry.charged)
                .push(", ")
                .bind(entry.created_at)
                .push(", ")
                .bind(entry.face)
                .push(", ")
                .bind(entry.key_id)
                .push(")");
        }
        insert.done().execute().await?;
    }
    Ok(())
}

pub(super) async fn entries_of_run(tx: &mut Tx, org: OrgId, run: JobId) -> Result<Vec<Entry>> {
    Ok(tx
        .query(
            "SELECT id, run_id, kind, bucket, amount, charged, created_at, face, key_id
             FROM usage_entries WHERE org_id = $1 AND run_id = $2",
        )
        .bind(org)
        .bind(run)
        .all()
        .await?)
}

/// What is reserved for a run.
pub(super) async fn reserved(db: Exec<'_>, org: OrgId, run: JobId) -> Result<MicroUsd> {
    let sum: (i64,) = db
        .query(
            "SELECT CAST(COALESCE(SUM(-amount), 0) AS BIGINT) FROM usage_entries
             WHERE org_id = $1 AND run_id = $2 AND kind = 'reserve'",
        )
        .bind(org)
        .bind(run)
        .one()
        .await?;
    Ok(MicroUsd(sum.0))
}

/// What a run was charged.
pub(super) async fn charged_of_run(db: Exec<'_>, org: OrgId, run: JobId) -> Result<MicroUsd> {
    let sum: (i64,) = db
        .query(
            "SELECT CAST(COALESCE(SUM(charged), 0) AS BIGINT) FROM usage_entries WHERE org_id = $1 AND run_id = $2",
        )
        .bind(org)
        .bind(run)
        .one()
        .await?;
    Ok(MicroUsd(sum.0))
}

pub(super) async fn entries(
    db: Exec<'_>,
    org: OrgId,
    after: Option<EntryId>,
    limit: i64,
) -> Result<Vec<Entry>> {
    let mut query = db
        .build(
            "SELECT id, run_id, kind, bucket, amount, charged, created_at, face, key_id
             FROM usage_entries WHERE org_id = ",
        )
        .bind(org);
    if let Some(after) = after {
        query = query.push(" AND id > ").bind(after);
    }
    Ok(query.push(" ORDER BY id").limit(limit).done().all().await?)
}

/// The sum of charges over all runs.
pub(super) async fn charged(db: Exec<'_>, org: OrgId) -> Result<i64> {
    Ok(db
        .query("SELECT CAST(COALESCE(SUM(charged), 0) AS BIGINT) FROM usage_entries WHERE org_id = $1")
        .bind(org)
        .scalar()
        .await?)
}

/// The sums of all entries: included and funded.
pub(super) async fn sums(db: Exec<'_>, org: OrgId) -> Result<(i64, i64)> {
    Ok(db
        .query(
            "SELECT CAST(COALESCE(SUM(amount) FILTER (WHERE bucket = 'included'), 0) AS BIGINT),
                    CAST(COALESCE(SUM(amount) FILTER (WHERE bucket = 'funded'), 0) AS BIGINT)
             FROM usage_entries WHERE org_id = $1",
        )
        .bind(org)
        .one()
        .await?)
}

/// Counts runs whose entries do not match their message: ended runs with a different number of ends than
/// reservations, open runs without a reservation or with an end, and runs without a message.
pub(super) async fn mismatches(db: Exec<'_>, org: OrgId) -> Result<(i64, i64, i64)> {
    Ok(db
        .query(
            "WITH runs AS (
                 SELECT run_id,
                        COUNT(*) FILTER (WHERE kind = 'reserve') AS reserved,
                        COUNT(*) FILTER (WHERE kind IN ('settle', 'release')) AS ended
                 FROM usage_entries WHERE org_id = $1 AND run_id IS NOT NULL GROUP BY run_id
             ), turns AS (
                 SELECT m.status, COALESCE(r.reserved, 0) AS reserved, COALESCE(r.ended, 0) AS ended
                 FROM messages m LEFT JOIN runs r ON r.run_id = m.run_id WHERE m.org_id = $1
             )
             SELECT
               CAST((SELECT COUNT(*) FROM turns
                     WHERE status <> 'processing' AND (reserved = 0 OR ended <> reserved)) AS BIGINT),
               CAST((SELECT COUNT(*) FROM turns
                     WHERE status = 'processing' AND (reserved = 0 OR ended > 0)) AS BIGINT),
               CAST((SELECT COUNT(*) FROM runs r
                     WHERE NOT EXISTS (SELECT 1 FROM messages m
                                       WHERE m.org_id = $1 AND m.run_id = r.run_id)) AS BIGINT)",
        )
        .bind(org)
        .one()
        .await?)
}

pub(super) fn entry(
    run: Option<JobId>,
    kind: EntryKind,
    bucket: Bucket,
    amount: MicroUsd,
    at: DateTime<Utc>,
) -> Entry {
    Entry {
        id: EntryId::new(),
        run_id: run,
        kind,
        bucket,
        amount,
        charged: MicroUsd::ZERO,
        face: None,
        key_id: None,
        created_at: at,
    }
}

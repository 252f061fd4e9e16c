//! The table `jobs`: add, renew, finish. Sweeping and pruning work across all organizations, because workers serve all
//! of them; everything else is fenced by organization and attempt. `claims` claims.

use std::borrow::Borrow;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, OrgId};
use crate::db::args::Sql;
use crate::db::exec::batches;
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::queue::job::{Claim, Counted, NewJob, Pool, Timing};

/// Requeues jobs with expired leases. Several nodes may sweep or renew at the same time; PostgreSQL skips locked
/// rows, so that they do not wait for each other.
const SWEEP: Sql = Sql::each(
    "UPDATE jobs SET state = 'queued', crashes = crashes + 1, run_after = $1, lease_until = NULL, leased_by = NULL
     WHERE state = 'running' AND lease_until < $1",
    "UPDATE jobs SET state = 'queued', crashes = crashes + 1, run_after = $1, lease_until = NULL, leased_by = NULL
     WHERE (org_id, id) IN (SELECT l.org_id, l.id FROM jobs l WHERE l.state = 'running' AND l.lease_until < $1
                            FOR UPDATE SKIP LOCKED)",
);

pub(super) async fn add<J>(tx: &mut Tx, jobs: &[(OrgId, JobId, J)], timing: &Timing) -> Result<()>
where
    J: Borrow<NewJob> + Sync,
{
    let now = tx.now().await?;
    for batch in batches(jobs) {
        let mut insert = tx.build(
            "INSERT INTO jobs (org_id, id, pool, kind, lane, payload, state, attempt, crashes, errors,
                               run_after, asker, expires_at, created_at) VALUES ",
        );
        for (n, (org, id, job)) in batch.iter().enumerate() {
            let job = job.borrow();
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(*id)
                .push(", ")
                .bind(job.pool)
                .push(", ")
                .bind(job.kind.as_ref())
                .push(", ")
                .bind(&job.lane)
                .push(", ")
                .bind(Json(&job.payload))
                .push(", 'queued', 0, 0, 0, ")
                .bind(now)
                .push(", ")
                .bind(job.asker.map(|asker| asker.path()).unwrap_or_default())
                .push(", ")
                .bind(now + timing.age_limit_of(job.patience))
                .push(", ")
                .bind(now)
                .push(")");
        }
        insert.done().execute().await?;
    }
    Ok(())
}

/// A count of jobs of one kind and state, over all organizations. For operators.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Group {
    pub pool: Pool,
    pub kind: String,
    pub running: bool,
    pub count: i64,
    /// When the first of them became due.
    pub oldest: DateTime<Utc>,
}

pub(super) async fn census(db: &Db) -> Result<Vec<Group>> {
    Ok(db
        .query(
            "SELECT pool, kind, FALSE AS running, CAST(COUNT(*) AS BIGINT) AS count, MIN(run_after) AS oldest
             FROM jobs WHERE state = 'queued' GROUP BY pool, kind
             UNION ALL
             SELECT pool, kind, TRUE, CAST(COUNT(*) AS BIGINT), MIN(run_after)
             FROM jobs WHERE state = 'running' GROUP BY pool, kind",
        )
        .all()
        .await?)
}

/// True if a job of the pool is queued. Saves idle workers a writing transaction. Does not check whether the job
/// is due, because only the database's time decides that.
pub(super) async fn any_waiting(db: &Db, pool: Pool) -> Result<bool> {
    Ok(db
        .query("SELECT EXISTS (SELECT 1 FROM jobs WHERE state = 'queued' AND pool = $1)")
        .bind(pool)
        .scalar()
        .await?)
}

/// Finishes the job. Fails with `Stale` if a newer attempt owns it; the caller's transaction must roll back.
pub(super) async fn finish(tx: &mut Tx, claim: &Claim) -> Result<()> {
    let now = tx.now().await?;
    let ended = tx
        .query(
            "UPDATE jobs SET state = 'done', finished_at = $1, lease_until = NULL, leased_by = NULL
             WHERE org_id = $2 AND id = $3 AND state = 'running' AND attempt = $4",
        )
        .bind(now)
        .bind(claim.org)
        .bind(claim.id)
        .bind(claim.attempt)
        .execute()
        .await?;
    if ended == 1 { Ok(()) } else { Err(Error::Stale) }
}

/// Cancels a job, whichever attempt has it, and returns its payload, or `None` if it has already ended. A running
/// attempt loses its claim.
pub(super) async fn cancel(tx: &mut Tx, org: OrgId, id: JobId) -> Result<Option<Value>> {
    let now = tx.now().await?;
    let row: Option<(Json<Value>,)> = tx
        .query(
            "UPDATE jobs SET state = 'done', finished_at = $1, lease_until = NULL, leased_by = NULL
             WHERE org_id = $2 AND id = $3 AND state IN ('queued', 'running') RETURNING payload",
        )
        .bind(now)
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(Json(payload),)| payload))
}

/// Locks the job's row and checks that the claim is still valid.
pub(super) async fn holds(tx: &mut Tx, claim: &Claim) -> Result<()> {
    let updated = tx
        .query("UPDATE jobs SET attempt = attempt WHERE org_id = $1 AND id = $2 AND state = 'running' AND attempt = $3")
        .bind(claim.org)
        .bind(claim.id)
        .bind(claim.attempt)
        .execute()
        .await?;
    if updated == 1 { Ok(()) } else { Err(Error::Stale) }
}

/// Puts the job back, to be run after `wait` but no later than its age limit.
pub(super) async fn put_back(tx: &mut Tx, claim: &Claim, wait: Duration, counted: Counted) -> Result<()> {
    let now = tx.now().await?;
    let run_after = (now + wait).min(claim.expires_at);
    let back = tx
        .query(
            "UPDATE jobs SET state = 'queued', run_after = $1, untried = untried + $2, errors = errors + $3,
                 lease_until = NULL, leased_by = NULL
             WHERE org_id = $4 AND id = $5 AND state = 'running' AND attempt = $6",
        )
        .bind(run_after)
        .bind(i64::from(counted == Counted::Untried))
        .bind(i64::from(counted == Counted::Failed))
        .bind(claim.org)
        .bind(claim.id)
        .bind(claim.attempt)
        .execute()
        .await?;
    if back == 1 { Ok(()) } else { Err(Error::Stale) }
}

/// Makes queued jobs due whose lanes start with `lane`, which must not contain `LIKE` wildcards. Rare, so there is
/// no index for it.
pub(super) async fn make_due(tx: &mut Tx, org: OrgId, lane: &str) -> Result<u64> {
    let now = tx.now().await?;
    Ok(tx
        .query(
            "UPDATE jobs SET run_after = $1
             WHERE org_id = $2 AND state = 'queued' AND lane LIKE $3 AND run_after > $1",
        )
        .bind(now)
        .bind(org)
        .bind(format!("{lane}%"))
        .execute()
        .await?)
}

/// Renews the leases of a node's running jobs and returns the attempts that it still owns.
pub(super) async fn renew(
    tx: &mut Tx,
    node: Uuid,
    jobs: &[JobId],
    lease: Duration,
) -> Result<Vec<(JobId, i64)>> {
    let now = tx.now().await?;
    Ok(tx
        .build("UPDATE jobs SET lease_until = ")
        .bind(now + lease)
        .push(" WHERE state = 'running' AND leased_by = ")
        .bind(node)
        .push(" AND id IN ")
        .list(jobs.iter().copied())
        .push(" RETURNING id, attempt")
        .done()
        .all()
        .await?)
}

/// Requeues jobs whose lease expired because their process died or hung. Counts as a crash.
pub(super) async fn sweep(tx: &mut Tx) -> Result<u64> {
    let now = tx.now().await?;
    Ok(tx.query(SWEEP).bind(now).execute().await?)
}

pub(super) async fn any_lost(db: &Db, now: DateTime<Utc>) -> Result<bool> {
    Ok(db
        .query("SELECT EXISTS (SELECT 1 FROM jobs WHERE state = 'running' AND lease_until < $1)")
        .bind(now)
        .scalar()
        .await?)
}

/// Removes jobs that finished before `before`.
pub(super) async fn prune(db: &Db, before: DateTime<Utc>) -> Result<()> {
    loop {
        let pruned = db
            .write(move |tx| Box::pin(async move { prune_some(tx, before).await }))
            .await?;
        if pruned == 0 {
            return Ok(());
        }
    }
}

/// At most 500 at a time.
async fn prune_some(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    Ok(tx
        .query(
            "DELETE FROM jobs WHERE state = 'done' AND (org_id, id) IN (
                 SELECT org_id, id FROM jobs WHERE state = 'done' AND finished_at < $1 ORDER BY finished_at LIMIT 500)",
        )
        .bind(before)
        .execute()
        .await?)
}

/// True while a job of the lane is queued or running.
pub(super) async fn is_busy(db: &Db, org: OrgId, lane: &str) -> Result<bool> {
    Ok(db
        .query(
            "SELECT EXISTS (SELECT 1 FROM jobs WHERE org_id = $1 AND lane = $2 AND state = 'queued')
                 OR EXISTS (SELECT 1 FROM jobs WHERE org_id = $1 AND lane = $2 AND state = 'running')",
        )
        .bind(org)
        .bind(lane)
        .scalar()
        .await?)
}

/// The number of queued jobs of the pool, counted up to `max`.
pub(super) async fn waiting(db: &Db, pool: Pool, max: i64) -> Result<i64> {
    Ok(db
        .query(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM
                 (SELECT 1 FROM jobs WHERE state = 'queued' AND pool = $1 LIMIT $2) AS waiting",
        )
        .bind(pool)
        .bind(max)
        .scalar()
        .await?)
}

/// The number of queued jobs of an asker, counted up to `max`.
pub(super) async fn waiting_of(db: &Db, pool: Pool, org: OrgId, asker: &str, max: i64) -> Result<i64> {
    Ok(db
        .query(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM
                 (SELECT 1 FROM jobs WHERE state = 'queued' AND pool = $1 AND org_id = $2 AND asker = $3 LIMIT $4)
                 AS waiting",
        )
        .bind(pool)
        .bind(org)
        .bind(asker)
        .bind(max)
        .scalar()
        .await?)
}

/// The number of askers with queued jobs, over all organizations, counted up to `max`. Skips through the index, one
/// step for each asker.
pub(super) async fn waiting_askers(db: &Db, pool: Pool, max: i64) -> Result<i64> {
    Ok(db
        .query(
            "WITH RECURSIVE a(n, org_id, asker) AS (
                 SELECT CAST(0 AS BIGINT),
                        (SELECT j.org_id FROM jobs j WHERE j.state = 'queued' AND j.pool = $1
                         ORDER BY j.org_id, j.asker LIMIT 1),
                        (SELECT j.asker FROM jobs j WHERE j.state = 'queued' AND j.pool = $1
                         ORDER BY j.org_id, j.asker LIMIT 1)
                 UNION ALL
                 SELECT a.n + 1,
                        (SELECT j.org_id FROM jobs j WHERE j.state = 'queued' AND j.pool = $1
                           AND (j.org_id, j.asker) > (a.org_id, a.asker) ORDER BY j.org_id, j.asker LIMIT 1),
                        (SELECT j.asker FROM jobs j WHERE j.state = 'queued' AND j.pool = $1
                           AND (j.org_id, j.asker) > (a.org_id, a.asker) ORDER BY j.org_id, j.asker LIMIT 1)
                 FROM a WHERE a.org_id IS NOT NULL AND a.n < $2
             )
             SELECT MAX(a.n) FROM a",
        )
        .bind(pool)
        .bind(max)
        .scalar()
        .await?)
}

/// The number of queued and running jobs, for tests and operators.
pub(super) async fn open(db: &Db) -> Result<i64> {
    Ok(db
        .query("SELECT CAST(COUNT(*) AS BIGINT) FROM jobs WHERE state <> 'done'")
        .scalar()
        .await?)
}

/// The state of one job: queued, running or done.
pub(super) async fn state(db: &Db, org: OrgId, id: JobId) -> Result<Option<String>> {
    let row: Option<(String,)> = db
        .query("SELECT state FROM jobs WHERE org_id = $1 AND id = $2")
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(state,)| state))
}

//! Claiming jobs of the table `jobs`, across all organizations, because workers serve all of them. Steps through an
//! index from organization to organization and from asker to asker, so the length of a queue does not matter.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, OrgId};
use crate::db::args::Sql;
use crate::db::error::Error as DbError;
use crate::db::tx::Tx;
use crate::queue::job::{Claim, Pool};
use crate::queue::shares::Shares;

/// Organizations with queued jobs of a pool, and how many of their jobs are running. Skips through the index,
/// one step for each organization.
const WAITING: &str = "
    WITH RECURSIVE o(org_id) AS (
        SELECT (SELECT j.org_id FROM jobs j WHERE j.state = 'queued' AND j.pool = $1 ORDER BY j.org_id LIMIT 1)
        UNION ALL
        SELECT (SELECT j.org_id FROM jobs j WHERE j.state = 'queued' AND j.pool = $1 AND j.org_id > o.org_id
                ORDER BY j.org_id LIMIT 1)
        FROM o WHERE o.org_id IS NOT NULL
    )
    SELECT o.org_id, CAST((SELECT COUNT(*) FROM jobs r
                           WHERE r.org_id = o.org_id AND r.pool = $1 AND r.state = 'running') AS BIGINT)
    FROM o WHERE o.org_id IS NOT NULL";

/// Askers with queued jobs in an organization, and when the first of each is due. Skips through the index, one step for
/// each asker.
const ASKERS: &str = "
    WITH RECURSIVE a(asker) AS (
        SELECT (SELECT j.asker FROM jobs j WHERE j.state = 'queued' AND j.pool = $1 AND j.org_id = $2
                ORDER BY j.asker LIMIT 1)
        UNION ALL
        SELECT (SELECT j.asker FROM jobs j WHERE j.state = 'queued' AND j.pool = $1 AND j.org_id = $2
                  AND j.asker > a.asker ORDER BY j.asker LIMIT 1)
        FROM a WHERE a.asker IS NOT NULL
    )
    SELECT a.asker, (SELECT MIN(j.run_after) FROM jobs j WHERE j.state = 'queued' AND j.pool = $1
                       AND j.org_id = $2 AND j.asker = a.asker)
    FROM a WHERE a.asker IS NOT NULL";

/// Due jobs of an asker at the head of free lanes, earliest due first. PostgreSQL skips rows that another node is
/// claiming.
const HEADS: Sql = Sql::each(
    "SELECT j.id FROM jobs j
     WHERE j.pool = $1 AND j.org_id = $2 AND j.asker = $3 AND j.state = 'queued' AND j.run_after <= $4
       AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.org_id = $2 AND r.lane = j.lane AND r.state = 'running')
       AND NOT EXISTS (SELECT 1 FROM jobs e WHERE e.org_id = $2 AND e.lane = j.lane AND e.state = 'queued'
                         AND (e.created_at, e.id) < (j.created_at, j.id))
     ORDER BY j.run_after, j.id LIMIT $5",
    "SELECT j.id FROM jobs j
     WHERE j.pool = $1 AND j.org_id = $2 AND j.asker = $3 AND j.state = 'queued' AND j.run_after <= $4
       AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.org_id = $2 AND r.lane = j.lane AND r.state = 'running')
       AND NOT EXISTS (SELECT 1 FROM jobs e WHERE e.org_id = $2 AND e.lane = j.lane AND e.state = 'queued'
                         AND (e.created_at, e.id) < (j.created_at, j.id))
     ORDER BY j.run_after, j.id LIMIT $5 FOR UPDATE OF j SKIP LOCKED",
);

type ClaimedRow = (
    JobId,
    String,
    String,
    Json<Value>,
    i64,
    i64,
    i64,
    i64,
    DateTime<Utc>,
    DateTime<Utc>,
);

/// The worker that claims: its pool and node, and until when its claims are valid.
#[derive(Clone, Copy)]
pub(super) struct Claimant {
    pub(super) pool: Pool,
    pub(super) node: Uuid,
    pub(super) lease: Duration,
}

/// Claims up to `slots` jobs, as far as the shares allow: first for the organization with the fewest running jobs on
/// all nodes, within it for the person with the fewest here, then for whom this node served longest ago; of an asker
/// the job that has been due longest.
pub(super) async fn claim(tx: &mut Tx, by: Claimant, slots: usize, mut shares: Shares) -> Result<Vec<Claim>> {
    let now = tx.now().await?;
    let waiting: Vec<(OrgId, i64)> = tx.query(WAITING).bind(by.pool).all().await?;
    let mut orgs: Vec<(i64, u64, OrgId)> = waiting
        .into_iter()
        .map(|(org, running)| (running, shares.turn_of(org), org))
        .collect();
    let mut askers: HashMap<OrgId, Vec<(String, DateTime<Utc>)>> = HashMap::new();
    let mut claims = Vec::new();
    while claims.len() < slots && !orgs.is_empty() {
        orgs.sort_unstable();
        let (running, turn, org) = orgs.remove(0);
        if shares.room(org, "") == 0 {
            continue;
        }
        let askers = match askers.entry(org) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let found = tx.query(ASKERS).bind(by.pool).bind(org).all().await?;
                unknown.insert(found)
            }
        };
        askers.retain(|(asker, due)| *due <= now && shares.room(org, asker) > 0);
        let next = askers
            .iter()
            .enumerate()
            .min_by_key(|(_, (asker, due))| (shares.turn(org, asker), *due));
        let Some(next) = next.map(|(place, _)| place) else {
            continue;
        };
        let (asker, due) = askers.swap_remove(next);
        // A single asker gets its whole share; several take turns, one slot at a time.
        let most = if orgs.is_empty() && askers.is_empty() {
            shares.room(org, &asker).min(slots - claims.len())
        } else {
            1
        };
        let claimed = claim_of(tx, by, org, &asker, most, now).await?;
        shares.take(org, &asker, claimed.len());
        if claimed.len() == most {
            askers.push((asker, due));
        }
        let running = running + i64::try_from(claimed.len()).unwrap_or(i64::MAX);
        orgs.push((running, turn.saturating_add(1), org));
        claims.extend(claimed);
    }
    Ok(claims)
}

async fn claim_of(
    tx: &mut Tx,
    by: Claimant,
    org: OrgId,
    asker: &str,
    most: usize,
    now: DateTime<Utc>,
) -> Result<Vec<Claim>> {
    let heads: Vec<(JobId,)> = tx
        .query(HEADS)
        .bind(by.pool)
        .bind(org)
        .bind(asker)
        .bind(now)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .all()
        .await?;
    if heads.is_empty() {
        return Ok(Vec::new());
    }
    let claimed: Result<Vec<ClaimedRow>, DbError> = tx
        .build("UPDATE jobs SET state = 'running', attempt = attempt + 1, leased_by = ")
        .bind(by.node)
        .push(", lease_until = ")
        .bind(now + by.lease)
        .push(" WHERE org_id = ")
        .bind(org)
        .push(" AND state = 'queued' AND id IN ")
        .list(heads.into_iter().map(|(id,)| id))
        .push(" RETURNING id, kind, lane, payload, attempt, untried, crashes, errors, created_at, expires_at")
        .done()
        .all()
        .await;
    let rows = match claimed {
        // Another node claimed a job of the same lane at the same moment: try again later.
        Err(DbError::Unique) => return Err(Error::Stale),
        other => other?,
    };
    let claim = |(
        id,
        kind,
        lane,
        Json(payload),
        attempt,
        untried,
        crashes,
        errors,
        created_at,
        expires_at,
    ): ClaimedRow| {
        Claim {
            org,
            id,
            kind,
            lane,
            asker: asker.to_owned(),
            payload,
            attempt,
            tries: attempt - untried,
            crashes,
            errors,
            created_at,
            expires_at,
            claimed_at: now,
        }
    };
    Ok(rows.into_iter().map(claim).collect())
}

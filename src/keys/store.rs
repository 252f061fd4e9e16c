//! The table `project_keys`.

use chrono::{DateTime, TimeDelta, Utc};

use crate::accounts::model::Plan;
use crate::base::error::Result;
use crate::base::ids::{KeyId, OrgId, UserId};
use crate::base::principal::Role;
use crate::db::exec::Exec;
use crate::db::tx::Tx;
use crate::keys::model::{Environment, NewKey, ProjectKey, Which};

/// Precision of the last use. The row of a key in constant use is written at most this often.
const LAST_USE: TimeDelta = TimeDelta::seconds(60);

pub(super) async fn add(
    tx: &mut Tx,
    org: OrgId,
    id: KeyId,
    new: &NewKey,
    digest: &[u8],
    at: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "INSERT INTO project_keys (org_id, id, owner_id, name, environment, secret_digest, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(org)
    .bind(id)
    .bind(new.owner)
    .bind(&new.name)
    .bind(new.environment)
    .bind(digest)
    .bind(at)
    .bind(new.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// The number of live keys of a person.
pub(super) async fn live(tx: &mut Tx, org: OrgId, owner: UserId, now: DateTime<Utc>) -> Result<i64> {
    Ok(tx
        .query(
            "SELECT COUNT(*) FROM project_keys
             WHERE org_id = $1 AND owner_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)",
        )
        .bind(org)
        .bind(owner)
        .bind(now)
        .scalar()
        .await?)
}

/// Revokes a key. Returns false if there was no such live key.
pub(super) async fn revoke(
    tx: &mut Tx,
    org: OrgId,
    owner: Option<UserId>,
    id: KeyId,
    at: DateTime<Utc>,
) -> Result<bool> {
    let ended = tx
        .query(
            "UPDATE project_keys SET revoked_at = $1, previous_digest = NULL, previous_until = NULL
             WHERE org_id = $2 AND id = $3 AND owner_id = COALESCE($4, owner_id) AND revoked_at IS NULL",
        )
        .bind(at)
        .bind(org)
        .bind(id)
        .bind(owner)
        .execute()
        .await?;
    Ok(ended == 1)
}

/// Replaces the digest of a key. The previous digest is accepted until `until`, and one from an earlier rotation no
/// longer. Returns false if there was no such live key.
pub(super) async fn rotate(
    tx: &mut Tx,
    org: OrgId,
    owner: Option<UserId>,
    id: KeyId,
    digest: &[u8],
    at: DateTime<Utc>,
    until: Option<DateTime<Utc>>,
) -> Result<bool> {
    let rotated = tx
        .query(
            "UPDATE project_keys SET secret_digest = $1, previous_until = $2,
                    previous_digest = CASE WHEN $3 THEN secret_digest END
             WHERE org_id = $4 AND id = $5 AND owner_id = COALESCE($6, owner_id)
               AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $7)",
        )
        .bind(digest)
        .bind(until)
        .bind(until.is_some())
        .bind(org)
        .bind(id)
        .bind(owner)
        .bind(at)
        .execute()
        .await?;
    Ok(rotated == 1)
}

/// True if a use should be written, because the last recorded one is missing or old.
pub(super) fn is_stale(last_used_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    last_used_at.is_none_or(|last| last + LAST_USE <= now)
}

pub(super) async fn touch(tx: &mut Tx, org: OrgId, id: KeyId, at: DateTime<Utc>) -> Result<()> {
    tx.query(
        "UPDATE project_keys SET last_used_at = $1
         WHERE org_id = $2 AND id = $3 AND (last_used_at IS NULL OR last_used_at <= $4)",
    )
    .bind(at)
    .bind(org)
    .bind(id)
    .bind(at - LAST_USE)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn get(
    db: Exec<'_>,
    org: OrgId,
    owner: Option<UserId>,
    id: KeyId,
) -> Result<Option<ProjectKey>> {
    Ok(db
        .query(
            "SELECT id, owner_id, name, environment, created_at, expires_at, revoked_at, last_used_at, previous_until
             FROM project_keys WHERE org_id = $1 AND id = $2 AND owner_id = COALESCE($3, owner_id)",
        )
        .bind(org)
        .bind(id)
        .bind(owner)
        .optional()
        .await?)
}

/// Keys, newest first, starting after the last key of the previous page.
pub(super) async fn list(
    db: Exec<'_>,
    org: OrgId,
    owner: Option<UserId>,
    which: Which,
    after: Option<KeyId>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<ProjectKey>> {
    let mut select = db
        .build(
            "SELECT id, owner_id, name, environment, created_at, expires_at, revoked_at, last_used_at, previous_until
             FROM project_keys WHERE org_id = ",
        )
        .bind(org);
    if let Some(owner) = owner {
        select = select.push(" AND owner_id = ").bind(owner);
    }
    select = match which {
        Which::Live => select
            .push(" AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ")
            .bind(now)
            .push(")"),
        Which::Ended => select
            .push(" AND (revoked_at IS NOT NULL OR expires_at <= ")
            .bind(now)
            .push(")"),
        Which::All => select,
    };
    if let Some(after) = after {
        select = select.push(" AND id < ").bind(after);
    }
    Ok(select.push(" ORDER BY id DESC").limit(limit).done().all().await?)
}

pub(super) async fn names(db: Exec<'_>, org: OrgId, ids: &[KeyId]) -> Result<Vec<(KeyId, String, UserId)>> {
    Ok(db
        .build("SELECT id, name, owner_id FROM project_keys WHERE org_id = ")
        .bind(org)
        .push(" AND id IN ")
        .list(ids.iter().copied())
        .done()
        .all()
        .await?)
}

/// A key with everything that decides whether it is valid and whom it identifies.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Found {
    pub org_id: OrgId,
    pub owner_id: UserId,
    pub role: Role,
    pub environment: Environment,
    pub secret_digest: Vec<u8>,
    pub previous_digest: Option<Vec<u8>>,
    pub previous_until: Option<DateTime<Utc>>,
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub last_used_at: Option<DateTime<Utc>>,
    /// The membership is active and the person is not deactivated.
    pub active: bool,
    pub plan: Plan,
}

/// Looks a key up without an organization, because the key determines the organization of the request.
pub(super) async fn find(db: Exec<'_>, id: KeyId) -> Result<Option<Found>> {
    Ok(db
        .query(
            "SELECT k.org_id, k.owner_id, m.role, k.environment, k.secret_digest, k.previous_digest,
                    k.previous_until, k.expires_at, k.revoked_at, k.last_used_at,
                    (m.active AND p.deactivated_at IS NULL) AS active, o.plan
             FROM project_keys k
             JOIN organizations o ON o.id = k.org_id
             JOIN memberships m ON m.org_id = k.org_id AND m.user_id = k.owner_id
             JOIN people p ON p.id = k.owner_id
             WHERE k.id = $1",
        )
        .bind(id)
        .optional()
        .await?)
}

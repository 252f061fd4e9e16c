//! The table `project_keys`.

use chrono::{DateTime, Utc};

use crate::base::error::Result;
use crate::base::ids::{KeyId, OrgId, UserId};
use crate::base::principal::Role;
use crate::db::exec::Exec;
use crate::db::tx::Tx;
use crate::keys::model::{Environment, NewKey};

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

/// Ends a key; answers whether there was one to end.
pub(super) async fn revoke(tx: &mut Tx, org: OrgId, id: KeyId, at: DateTime<Utc>) -> Result<bool> {
    let ended = tx
        .query("UPDATE project_keys SET revoked_at = $1 WHERE org_id = $2 AND id = $3 AND revoked_at IS NULL")
        .bind(at)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(ended == 1)
}

/// What a key opens, with all that decides whether it still does.
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
    /// Membership active and person not deactivated.
    pub active: bool,
}

/// Found without an organization: this is what authenticates.
pub(super) async fn find(db: Exec<'_>, id: KeyId) -> Result<Option<Found>> {
    Ok(db
        .query(
            "SELECT k.org_id, k.owner_id, m.role, k.environment, k.secret_digest, k.previous_digest,
                    k.previous_until, k.expires_at, k.revoked_at,
                    (m.active AND p.deactivated_at IS NULL) AS active
             FROM project_keys k
             JOIN memberships m ON m.org_id = k.org_id AND m.user_id = k.owner_id
             JOIN people p ON p.id = k.owner_id
             WHERE k.id = $1",
        )
        .bind(id)
        .optional()
        .await?)
}

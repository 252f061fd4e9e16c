//! The table `key_quotas`: the trial runs that each sandbox key has used in a month.

use crate::base::error::Result;
use crate::base::ids::{KeyId, OrgId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// Takes `count` of the month's runs. Takes none and returns false if fewer are left. If the clock is set back into
/// the previous month, the later month is used.
pub(super) async fn take(
    tx: &mut Tx,
    org: OrgId,
    key: KeyId,
    period: &str,
    count: i64,
    limit: i64,
) -> Result<bool> {
    if limit < count {
        return Ok(false);
    }
    let taken = tx
        .query(
            "INSERT INTO key_quotas (org_id, key_id, period, used) VALUES ($1, $2, $3, $4)
             ON CONFLICT (org_id, key_id) DO UPDATE SET
                 used = CASE WHEN key_quotas.period < excluded.period THEN excluded.used
                             ELSE key_quotas.used + excluded.used END,
                 period = CASE WHEN key_quotas.period < excluded.period THEN excluded.period ELSE key_quotas.period END
             WHERE key_quotas.period < excluded.period OR key_quotas.used + excluded.used <= $5",
        )
        .bind(org)
        .bind(key)
        .bind(period)
        .bind(count)
        .bind(limit)
        .execute()
        .await?;
    Ok(taken == 1)
}

/// Returns a failed run to the quota of the month it was taken from. Does nothing for other than sandbox keys, which
/// have no row here.
pub(super) async fn give_back(tx: &mut Tx, org: OrgId, key: KeyId, period: &str) -> Result<()> {
    tx.query(
        "UPDATE key_quotas SET used = used - 1
         WHERE org_id = $1 AND key_id = $2 AND period = $3 AND used > 0",
    )
    .bind(org)
    .bind(key)
    .bind(period)
    .execute()
    .await?;
    Ok(())
}

/// Runs used in the month, by key.
pub(super) async fn used(db: Exec<'_>, org: OrgId, period: &str) -> Result<Vec<(KeyId, i64)>> {
    Ok(db
        .query("SELECT key_id, used FROM key_quotas WHERE org_id = $1 AND period = $2")
        .bind(org)
        .bind(period)
        .all()
        .await?)
}

//! Tables of buildings and grants.

use std::collections::BTreeSet;

use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::db::exec::{Exec, batches};
use crate::db::tx::Tx;
use crate::portfolio::model::{Building, Buildings};

pub(super) async fn put(tx: &mut Tx, org: OrgId, id: &str, name: &str) -> Result<()> {
    let at = tx.now().await?;
    tx.query(
        "INSERT INTO buildings (org_id, id, name, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name",
    )
    .bind(org)
    .bind(id)
    .bind(name)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn all(db: Exec<'_>, org: OrgId) -> Result<Vec<Building>> {
    Ok(db
        .query("SELECT id, name FROM buildings WHERE org_id = $1 ORDER BY id")
        .bind(org)
        .all()
        .await?)
}

/// Which of these exist.
pub(super) async fn known(db: Exec<'_>, org: OrgId, ids: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    // PostgreSQL's texts cannot hold a NUL, so that no building has one.
    let ids = ids.iter().filter(|id| !id.contains('\0'));
    let found: Vec<(String,)> = db
        .build("SELECT id FROM buildings WHERE org_id = ")
        .bind(org)
        .push(" AND id IN ")
        .list(ids.map(String::as_str))
        .done()
        .all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// What was granted to a member; nothing where nothing was.
pub(super) async fn granted(db: Exec<'_>, org: OrgId, user: UserId) -> Result<Buildings> {
    // One statement, one moment: a row without a building stands for all of them.
    let found: Vec<(Option<String>,)> = db
        .query(
            "SELECT building_id FROM building_grants WHERE org_id = $1 AND user_id = $2
             UNION ALL SELECT NULL FROM building_grants_of_all WHERE org_id = $1 AND user_id = $2",
        )
        .bind(org)
        .bind(user)
        .all()
        .await?;
    let ids: Option<BTreeSet<String>> = found.into_iter().map(|(id,)| id).collect();
    Ok(ids.map_or(Buildings::All, Buildings::Only))
}

/// Forgets what was granted to a member and grants these.
pub(super) async fn replace_grants(
    tx: &mut Tx,
    org: OrgId,
    user: UserId,
    buildings: &Buildings,
) -> Result<()> {
    let at = tx.now().await?;
    for forget in [
        "DELETE FROM building_grants WHERE org_id = $1 AND user_id = $2",
        "DELETE FROM building_grants_of_all WHERE org_id = $1 AND user_id = $2",
    ] {
        tx.query(forget).bind(org).bind(user).execute().await?;
    }
    let ids = match buildings {
        Buildings::All => {
            tx.query("INSERT INTO building_grants_of_all (org_id, user_id, granted_at) VALUES ($1, $2, $3)")
                .bind(org)
                .bind(user)
                .bind(at)
                .execute()
                .await?;
            return Ok(());
        }
        Buildings::Only(ids) => ids.iter().collect::<Vec<_>>(),
    };
    for batch in batches(&ids) {
        let mut insert =
            tx.build("INSERT INTO building_grants (org_id, user_id, building_id, granted_at) VALUES ");
        for (n, id) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(org)
                .push(", ")
                .bind(user)
                .push(", ")
                .bind(id.as_str())
                .push(", ")
                .bind(at)
                .push(")");
        }
        insert.done().execute().await?;
    }
    Ok(())
}

//! Queries on the tables of buildings and grants.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::types::Json;

use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::db::exec::{Exec, batches};
use crate::db::pool::Db;
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

/// The identifiers in `ids` that exist.
pub(super) async fn known(db: Exec<'_>, org: OrgId, ids: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    // PostgreSQL texts cannot contain NUL, so no building has such an identifier.
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

/// The grants of each of these members. A member without grants is absent from the result.
pub(super) async fn granted(
    db: &Db,
    asked: &BTreeSet<(OrgId, UserId)>,
) -> Result<BTreeMap<(OrgId, UserId), Buildings>> {
    let asked: Vec<(OrgId, UserId)> = asked.iter().copied().collect();
    let mut found: BTreeMap<(OrgId, UserId), Buildings> = BTreeMap::new();
    for batch in batches(&asked) {
        let mut select = db.build("WITH asked (org_id, user_id) AS (VALUES ");
        for (n, (org, user)) in batch.iter().enumerate() {
            select = select
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(*user)
                .push(")");
        }
        // A single statement gives a consistent view. A row without a building means access to all of them.
        // CROSS JOIN makes SQLite keep this join order and look up each pair by key.
        let rows: Vec<(OrgId, UserId, Option<String>)> = select
            .push(
                ") SELECT a.org_id, a.user_id, g.building_id FROM asked a CROSS JOIN building_grants g
                   WHERE g.org_id = a.org_id AND g.user_id = a.user_id
                   UNION ALL SELECT a.org_id, a.user_id, NULL FROM asked a CROSS JOIN building_grants_of_all g
                   WHERE g.org_id = a.org_id AND g.user_id = a.user_id",
            )
            .done()
            .all()
            .await?;
        for (org, user, building) in rows {
            let granted = found.entry((org, user)).or_default();
            match (building, granted) {
                (None, granted) => *granted = Buildings::All,
                (Some(building), Buildings::Only(ids)) => {
                    ids.insert(building);
                }
                (Some(_), Buildings::All) => {}
            }
        }
    }
    Ok(found)
}

/// Replaces a member's grants.
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

/// The files of an upload: name and storage key.
type Waiting = Json<Vec<(String, String)>>;

/// Storage keys of the files that are waiting to be imported.
pub(super) async fn waiting_files(db: Exec<'_>, org: OrgId) -> Result<Vec<String>> {
    let uploads: Vec<(Waiting,)> = db
        .query("SELECT files FROM portfolio_uploads WHERE org_id = $1")
        .bind(org)
        .all()
        .await?;
    let files = uploads.into_iter().flat_map(|(Json(files),)| files);
    Ok(files.map(|(_, key)| key).collect())
}

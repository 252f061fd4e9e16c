//! Buildings and access grants, with the one access rule: a request can narrow the granted buildings but
//! never extend them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::accounts::service::Accounts;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UserId};
use crate::base::principal::Principal;
use crate::base::text;
use crate::db::pool::Db;
use crate::db::read_batching::ReadBatcher;
use crate::portfolio::model::{Building, Buildings};
use crate::portfolio::store;

/// Maximum length of identifiers and names, in characters.
const ID: usize = 100;
const NAME: usize = 200;

#[derive(Clone)]
pub struct Portfolio {
    db: Db,
    /// Every run looks up grants, so concurrent lookups share one query.
    grants: ReadBatcher<(OrgId, UserId), Buildings>,
}

impl Portfolio {
    pub fn new(db: Db) -> Self {
        let reader = db.clone();
        let grants = ReadBatcher::start(move |asked: Vec<(OrgId, UserId)>| {
            let db = reader.clone();
            async move {
                let found = store::granted(&db, &asked.iter().copied().collect()).await?;
                let of_each = asked
                    .iter()
                    .map(|who| found.get(who).cloned().unwrap_or_default());
                Ok(of_each.collect())
            }
        });
        Self { db, grants }
    }

    /// Storage keys of all uploaded files that are waiting to be imported.
    pub async fn used_keys(&self, org: OrgId) -> Result<Vec<String>> {
        store::waiting_files(self.db.read(), org).await
    }

    /// Adds a building, or renames an existing one.
    pub async fn put_building(&self, actor: Actor, org: OrgId, id: &str, name: &str) -> Result<()> {
        let (id, name) = (text::name("id", id, ID)?, text::name("name", name, NAME)?);
        let put = self.db.write(move |tx| {
            let (id, name) = (id.clone(), name.clone());
            Box::pin(async move {
                store::put(tx, org, &id, &name).await?;
                audit::add(tx, org, actor, "building.named", &id, json!({ "name": name })).await
            })
        });
        put.await
    }

    /// The organization's buildings, ordered by identifier.
    pub async fn buildings(&self, org: OrgId) -> Result<Vec<Building>> {
        store::all(self.db.read(), org).await
    }

    /// Replaces the set of buildings a member may use. Fails if a building does not exist, because the person
    /// granting access would not notice a typo otherwise.
    pub async fn grant(&self, actor: Actor, org: OrgId, user: UserId, buildings: Buildings) -> Result<()> {
        let granted = self.db.write(move |tx| {
            let buildings = buildings.clone();
            Box::pin(async move {
                Accounts::membership_in(tx, org, user).await?;
                if let Buildings::Only(ids) = &buildings {
                    let known = store::known(tx.exec(), org, ids).await?;
                    if let Some(unknown) = ids.iter().find(|id| !known.contains(*id)) {
                        return Err(Error::invalid(
                            "buildings",
                            format!("there is no building {unknown:?}; nothing was changed"),
                        ));
                    }
                }
                store::replace_grants(tx, org, user, &buildings).await?;
                let details = json!({ "buildings": buildings });
                audit::add(tx, org, actor, "buildings.granted", &user.to_string(), details).await
            })
        });
        granted.await
    }

    /// The buildings a member may use: all of them for owners and admins, otherwise those granted. A new
    /// member has none.
    pub async fn granted(&self, principal: &Principal) -> Result<Buildings> {
        if principal.role.is_admin() {
            return Ok(Buildings::All);
        }
        self.grants.ask((principal.org, principal.user)).await
    }

    /// The buildings a run may use: the granted ones, narrowed to `requested`. An empty request means all
    /// granted buildings. Identifiers that are unknown or not granted are dropped without an error.
    pub async fn scope(&self, principal: &Principal, requested: &BTreeSet<String>) -> Result<Buildings> {
        let granted = self.granted(principal).await?;
        if requested.is_empty() {
            return Ok(granted);
        }
        Ok(match granted {
            // Drop identifiers that do not exist.
            Buildings::All => Buildings::Only(store::known(self.db.read(), principal.org, requested).await?),
            granted @ Buildings::Only(_) => granted.and(&Buildings::Only(requested.clone())),
        })
    }
}

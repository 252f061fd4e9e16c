//! Project keys: make, revoke, recognize.

use serde_json::json;

use crate::accounts::model::Plan;
use crate::accounts::service::Accounts;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{KeyId, OrgId};
use crate::base::principal::{Face, Principal};
use crate::base::secret::{Secret, same};
use crate::base::text;
use crate::db::pool::Db;
use crate::keys::model::{Bearer, Environment, NewKey, Token};
use crate::keys::store;

/// Longest name, in characters.
const NAME: usize = 100;

#[derive(Clone)]
pub struct Keys {
    db: Db,
}

impl Keys {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Makes a key. Its text is in the answer and nowhere else.
    pub async fn create(&self, actor: Actor, new: NewKey) -> Result<(KeyId, Secret)> {
        let name = text::name("name", &new.name, NAME)?;
        let new = NewKey { name, ..new };
        let token = Token::make(KeyId::new(), new.environment)?;
        let (id, digest) = (token.id, token.text.digest());
        let made = self.db.write(move |tx| {
            let (new, digest) = (new.clone(), digest.clone());
            Box::pin(async move {
                let member = Accounts::membership_in(tx, new.org, new.owner).await?;
                if !member.active {
                    return Err(Error::NotFound("member"));
                }
                if member.plan == Plan::Trial && new.environment != Environment::Sandbox {
                    return Err(Error::forbidden(
                        "plan_not_eligible",
                        "An organization on trial makes sandbox keys only. Ask the operator to change the plan.",
                    ));
                }
                let at = tx.now().await?;
                store::add(tx, new.org, id, &new, &digest, at).await?;
                let details = json!({ "owner": new.owner, "environment": new.environment, "name": new.name });
                audit::add(tx, new.org, actor, "key.created", &id.to_string(), details).await
            })
        });
        made.await?;
        Ok((id, token.text))
    }

    /// Ends a key for good.
    pub async fn revoke(&self, actor: Actor, org: OrgId, id: KeyId) -> Result<()> {
        let revoked = self.db.write(move |tx| {
            Box::pin(async move {
                let at = tx.now().await?;
                if !store::revoke(tx, org, id, at).await? {
                    return Err(Error::NotFound("key"));
                }
                audit::add(tx, org, actor, "key.revoked", &id.to_string(), json!({})).await
            })
        });
        revoked.await
    }

    /// Who bears this text, if it is a key that holds now.
    pub async fn bearer(&self, text: &str) -> Result<Option<Bearer>> {
        let Some(token) = Token::read(text) else {
            return Ok(None);
        };
        let Some(found) = store::find(self.db.read(), token.id).await? else {
            return Ok(None);
        };
        let now = self.db.clock().now();
        let digest = token.text.digest();
        let previous = found
            .previous_digest
            .as_ref()
            .filter(|_| found.previous_until.is_some_and(|until| now < until));
        let known =
            same(&found.secret_digest, &digest) || previous.is_some_and(|previous| same(previous, &digest));
        let holds =
            found.active && found.revoked_at.is_none() && found.expires_at.is_none_or(|end| now < end);
        if !(known && holds && found.environment == token.environment) {
            return Ok(None);
        }
        Ok(Some(Bearer {
            principal: Principal {
                org: found.org_id,
                user: found.owner_id,
                role: found.role,
                face: Face::Api,
            },
            key: token.id,
            environment: found.environment,
        }))
    }
}

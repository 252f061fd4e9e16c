//! The service for project keys: create, list, rotate and revoke; authenticate requests and count them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::accounts::model::Plan;
use crate::accounts::service::Accounts;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{KeyId, OrgId, UserId};
use crate::base::principal::{Face, Principal};
use crate::base::secret::{Secret, constant_time_eq, digest_of};
use crate::base::text;
use crate::db::pool::Db;
use crate::keys::cache::Cache;
use crate::keys::last_use::LastUse;
use crate::keys::model::{Bearer, Environment, NewKey, Overlap, Page, ProjectKey, Rates, Token, Which};
use crate::keys::store;
use crate::limits::counter::Counter;
use crate::limits::permit::Permit;

/// Longest name of a key, in characters.
const MAX_NAME: usize = 100;
/// Largest number of live keys of one owner.
pub const MAX_LIVE_KEYS: i64 = 50;
/// Keys on a page.
const PAGE: usize = 50;
/// The period of the rate limits.
pub const WINDOW: Duration = Duration::from_secs(60);

/// The service for project keys. Cheap to clone.
#[derive(Clone)]
pub struct Keys {
    db: Db,
    rates: Rates,
    cache: Arc<Cache>,
    last_use: LastUse,
    counter: Counter,
}

impl Keys {
    pub fn new(db: Db, rates: Rates) -> Self {
        Self {
            rates,
            cache: Arc::default(),
            last_use: LastUse::start(db.clone()),
            counter: Counter::start(db.clone(), WINDOW),
            db,
        }
    }

    pub fn rates(&self) -> Rates {
        self.rates
    }

    /// Creates a key and returns its text, which is not stored.
    pub async fn create(&self, actor: Actor, new: NewKey) -> Result<(KeyId, Secret)> {
        let name = text::name("name", &new.name, MAX_NAME)?;
        let new = NewKey { name, ..new };
        let token = Token::generate(KeyId::new(), new.environment)?;
        let (id, digest) = (token.id, token.text.digest());
        let created = self.db.write(move |tx| {
            let (new, digest) = (new.clone(), digest.clone());
            Box::pin(async move {
                let member = Accounts::membership_in(tx, new.org, new.owner).await?;
                if !member.active {
                    return Err(Error::NotFound("member"));
                }
                check_plan(member.plan, new.environment)?;
                let at = tx.now().await?;
                if new.expires_at.is_some_and(|end| end <= at) {
                    return Err(Error::invalid("expiresAt", "must be in the future"));
                }
                if store::live(tx, new.org, new.owner, at).await? >= MAX_LIVE_KEYS {
                    return Err(Error::forbidden(
                        "too_many_keys",
                        "This person has as many keys as one may have. Revoke one that is not needed any more.",
                    ));
                }
                store::add(tx, new.org, id, &new, &digest, at).await?;
                let details = json!({
                    "owner": new.owner, "environment": new.environment, "name": new.name,
                    "expiresAt": new.expires_at,
                });
                audit::add(tx, new.org, actor, "key.created", &id.to_string(), details).await
            })
        });
        created.await?;
        Ok((id, token.text))
    }

    /// True if the organization is on the trial plan, which allows sandbox keys only.
    pub async fn is_trial(&self, principal: &Principal) -> Result<bool> {
        let accounts = Accounts::new(self.db.clone());
        let member = accounts.membership(principal.org, principal.user).await?;
        Ok(member.plan == Plan::Trial)
    }

    /// Replaces a key's text; the previous one is accepted for `overlap` longer. With `owner`, only a key of that
    /// person can be rotated, because the new text lets its reader act as the owner.
    pub async fn rotate(
        &self,
        actor: Actor,
        org: OrgId,
        owner: Option<UserId>,
        id: KeyId,
        overlap: Overlap,
    ) -> Result<Secret> {
        let key = self.get(org, owner, id).await?;
        let token = Token::generate(id, key.environment)?;
        let digest = token.text.digest();
        let rotated = self.db.write(move |tx| {
            let digest = digest.clone();
            Box::pin(async move {
                let at = tx.now().await?;
                let until = (!overlap.length().is_zero()).then(|| at + overlap.length());
                if !store::rotate(tx, org, owner, id, &digest, at, until).await? {
                    return Err(Error::NotFound("key"));
                }
                let details = json!({ "previousUntil": until });
                audit::add(tx, org, actor, "key.rotated", &id.to_string(), details).await
            })
        });
        rotated.await?;
        self.cache.clear();
        Ok(token.text)
    }

    /// Revokes a key permanently. With `owner`, only a key of that person.
    pub async fn revoke(&self, actor: Actor, org: OrgId, owner: Option<UserId>, id: KeyId) -> Result<()> {
        let revoked = self.db.write(move |tx| {
            Box::pin(async move {
                let at = tx.now().await?;
                if !store::revoke(tx, org, owner, id, at).await? {
                    return Err(Error::NotFound("key"));
                }
                audit::add(tx, org, actor, "key.revoked", &id.to_string(), json!({})).await
            })
        });
        revoked.await?;
        self.cache.clear();
        Ok(())
    }

    /// One key. With `owner`, only a key of that person.
    pub async fn get(&self, org: OrgId, owner: Option<UserId>, id: KeyId) -> Result<ProjectKey> {
        let found = store::get(self.db.read(), org, owner, id).await?;
        found.ok_or(Error::NotFound("key"))
    }

    /// Keys of one owner or of all members, newest first.
    pub async fn list(
        &self,
        org: OrgId,
        owner: Option<UserId>,
        which: Which,
        after: Option<KeyId>,
    ) -> Result<Page> {
        let now = self.db.clock().now();
        let limit = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
        let mut keys = store::list(self.db.read(), org, owner, which, after, now, limit).await?;
        let more = keys.len() > PAGE;
        keys.truncate(PAGE);
        let next = keys.last().filter(|_| more).map(|key| key.id);
        Ok(Page { keys, next })
    }

    /// Names and owners of keys of an organization.
    pub async fn names(&self, org: OrgId, ids: &[KeyId]) -> Result<BTreeMap<KeyId, (String, UserId)>> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = store::names(self.db.read(), org, ids).await?;
        let named = found.into_iter().map(|(id, name, owner)| (id, (name, owner)));
        Ok(named.collect())
    }

    /// Authenticates a request: the caller behind a key, if the key is valid. Changes made on this node apply at once,
    /// changes made on other nodes within a few seconds.
    pub async fn bearer(&self, text: &str) -> Result<Option<Bearer>> {
        let digest = digest_of(text);
        let now = self.db.clock().now();
        if let Some(bearer) = self.cache.get(&digest, now) {
            return Ok(Some(bearer));
        }
        let Some(token) = Token::parse(text) else {
            return Ok(None);
        };
        let started = self.cache.begin(now);
        let Some(found) = store::find(self.db.read(), token.id).await? else {
            return Ok(None);
        };
        let current = constant_time_eq(&found.secret_digest, &digest);
        let overlap = found.previous_until.filter(|until| now < *until);
        let previous = overlap.filter(|_| {
            let previous = found.previous_digest.as_ref();
            previous.is_some_and(|previous| constant_time_eq(previous, &digest))
        });
        let is_live =
            found.active && found.revoked_at.is_none() && found.expires_at.is_none_or(|end| now < end);
        if !(is_live && (current || previous.is_some()) && found.environment == token.environment) {
            return Ok(None);
        }
        // The organization's plan may have changed since the key was created.
        check_plan(found.plan, found.environment)?;
        let bearer = Bearer {
            principal: Principal {
                org: found.org_id,
                user: found.owner_id,
                role: found.role,
                face: Face::Api,
            },
            key: token.id,
            environment: found.environment,
        };
        let overlap = if current { None } else { previous };
        let until = found.expires_at.into_iter().chain(overlap).min();
        self.cache.put(digest, bearer, until, started);
        if store::is_stale(found.last_used_at, now) {
            self.last_use.note(found.org_id, token.id);
        }
        Ok(Some(bearer))
    }

    /// Counts a request against the rate limit of this key, if there is room.
    pub async fn count(&self, bearer: &Bearer) -> Result<Permit> {
        let name = format!("key/{}", bearer.key);
        self.counter.take(name, self.rates.of(bearer.environment)).await
    }

    /// Writes counts that are only in memory. Call this at shutdown.
    pub async fn flush(&self) -> Result<()> {
        self.counter.flush().await
    }
}

/// Checks that the plan allows keys of this environment.
fn check_plan(plan: Plan, environment: Environment) -> Result<()> {
    if plan == Plan::Trial && environment != Environment::Sandbox {
        return Err(Error::forbidden(
            "plan_not_eligible",
            "An organization on trial has sandbox keys only. Use one, or ask the operator to change the plan.",
        ));
    }
    Ok(())
}

/// The expiry time of a new key, in days from now.
pub fn in_days(now: DateTime<Utc>, days: u32) -> Result<DateTime<Utc>> {
    let end = now.checked_add_days(chrono::Days::new(u64::from(days)));
    end.filter(|_| (1..=3650).contains(&days))
        .ok_or_else(|| Error::invalid("expires-in-days", "must be from 1 to 3650"))
}

//! The accounts service: organizations, people, memberships and sign-in. All sign-ins with a password are checked here.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::json;

use crate::accounts::model::{Membership, Organization, Person, Plan, SignedIn, VisitorAccount};
use crate::accounts::{password, store};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, UserId};
use crate::base::money::MicroUsd;
use crate::base::principal::{Face, Principal, Role};
use crate::base::secret::{Secret, random_token};
use crate::base::text;
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::limits::window::{self, Outcome, Window};

/// How long a browser stays signed in.
const SIGN_IN_LIFETIME: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// Sign-in attempts allowed for one email address.
const ATTEMPTS: (i64, Duration) = (8, Duration::from_secs(15 * 60));
/// Sign-in attempts allowed from one network address.
const ATTEMPTS_FROM: (i64, Duration) = (60, Duration::from_secs(15 * 60));

/// The accounts service. Cheap to clone.
#[derive(Clone)]
pub struct Accounts {
    db: Db,
}

/// A person to be created.
#[derive(Clone, Debug)]
pub struct NewPerson {
    pub email: String,
    pub name: String,
    pub role: Role,
    pub password: Option<Secret>,
}

impl Accounts {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Creates an organization with a unique name.
    pub async fn create_org(
        &self,
        actor: Actor,
        name: &str,
        plan: Plan,
        included: Option<MicroUsd>,
    ) -> Result<Organization> {
        let org = Organization {
            id: OrgId::new(),
            name: text::name("name", name, 120)?,
            plan,
            included_micro_usd: included,
            created_at: self.db.clock().now(),
        };
        let new = org.clone();
        let created = self.db.write(move |tx| {
            let org = new.clone();
            Box::pin(async move {
                store::add_org(tx, &org).await?;
                let details = json!({ "name": org.name, "plan": org.plan.as_str() });
                audit::add(
                    tx,
                    org.id,
                    actor,
                    "organization.created",
                    &org.id.to_string(),
                    details,
                )
                .await
            })
        });
        match created.await {
            Err(Error::Conflict(_)) => Err(Error::Conflict("an organization of this name exists already")),
            other => other.map(|()| org),
        }
    }

    /// An organization by id or exact name.
    pub async fn org(&self, id_or_name: &str) -> Result<Organization> {
        let by_id = match id_or_name.parse::<OrgId>() {
            Ok(id) => store::org(self.db.read(), id).await?,
            Err(_) => None,
        };
        let found = match by_id {
            Some(org) => Some(org),
            None => store::org_by_name(self.db.read(), id_or_name).await?,
        };
        found.ok_or(Error::NotFound("organization"))
    }

    /// All organizations. For the operator's checks only.
    pub async fn orgs(&self) -> Result<Vec<Organization>> {
        store::orgs(self.db.read()).await
    }

    pub async fn set_plan(&self, actor: Actor, org: OrgId, plan: Plan) -> Result<()> {
        let set = self.db.write(move |tx| {
            Box::pin(async move {
                store::set_plan(tx, org, plan).await?;
                let details = json!({ "plan": plan.as_str() });
                audit::add(
                    tx,
                    org,
                    actor,
                    "organization.plan_changed",
                    &org.to_string(),
                    details,
                )
                .await
            })
        });
        set.await
    }

    /// Adds a member. Creates the person unless one with this email address exists.
    pub async fn create_member(&self, actor: Actor, org: OrgId, new: NewPerson) -> Result<UserId> {
        let email = text::email("email", &new.email)?;
        let name = text::name("name", &new.name, 120)?;
        let hash = match new.password {
            Some(password) => Some(password::hash(password).await?),
            None => None,
        };
        let role = new.role;
        let created = self.db.write(move |tx| {
            let (email, name, hash) = (email.clone(), name.clone(), hash.clone());
            Box::pin(async move {
                let at = tx.now().await?;
                let known = store::person_by_email(tx.exec(), &email).await?;
                let id = known.as_ref().map_or_else(UserId::new, |person| person.id);
                if known.is_none() {
                    store::add_person(tx, id, &email, &name, hash.as_deref(), at).await?;
                }
                store::add_membership(tx, org, id, role, at).await?;
                let details = json!({ "role": role.as_str(), "new": known.is_none() });
                audit::add(tx, org, actor, "member.added", &id.to_string(), details).await?;
                Ok(id)
            })
        });
        match created.await {
            Err(Error::Conflict(_)) => Err(Error::Conflict("this person is a member already")),
            other => other,
        }
    }

    pub async fn has_password(&self, user: UserId) -> Result<bool> {
        store::has_password(self.db.read(), user).await
    }

    pub async fn set_password(&self, actor: Actor, org: OrgId, user: UserId, password: Secret) -> Result<()> {
        let hash = password::hash(password).await?;
        let set = self.db.write(move |tx| {
            let hash = hash.clone();
            Box::pin(async move {
                store::set_password(tx, user, &hash).await?;
                audit::add(
                    tx,
                    org,
                    actor,
                    "member.password_set",
                    &user.to_string(),
                    json!({}),
                )
                .await
            })
        });
        set.await
    }

    /// Deactivates a person in all organizations: signs them out and refuses their next turn or call.
    pub async fn deactivate(&self, actor: Actor, org: OrgId, user: UserId) -> Result<()> {
        let ended = self.db.write(move |tx| {
            Box::pin(async move {
                let at = tx.now().await?;
                store::deactivate(tx, user, at).await?;
                audit::add(tx, org, actor, "member.deactivated", &user.to_string(), json!({})).await
            })
        });
        ended.await
    }

    /// A member by email.
    pub async fn member_by_email(&self, org: OrgId, email: &str) -> Result<Membership> {
        let email = text::email("email", email)?;
        let person: Option<Person> = store::person_by_email(self.db.read(), &email).await?;
        match person {
            Some(person) => self.membership(org, person.id).await,
            None => Err(Error::NotFound("member")),
        }
    }

    /// The current membership of a person.
    pub async fn membership(&self, org: OrgId, user: UserId) -> Result<Membership> {
        store::membership(self.db.read(), org, user)
            .await?
            .ok_or(Error::NotFound("member"))
    }

    /// Name and email of users. Users who are not members are left out.
    pub async fn names(&self, org: OrgId, users: &[UserId]) -> Result<BTreeMap<UserId, (String, String)>> {
        if users.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = store::named(self.db.read(), org, users).await?;
        Ok(found
            .into_iter()
            .map(|(id, name, email)| (id, (name, email)))
            .collect())
    }

    /// Active admins and owners, at most 200, in the caller's transaction.
    pub async fn admins_in(tx: &mut Tx, org: OrgId) -> Result<Vec<UserId>> {
        store::admins(tx.exec(), org).await
    }

    /// Like [`membership`](Self::membership), in the caller's transaction.
    pub async fn membership_in(tx: &mut Tx, org: OrgId, user: UserId) -> Result<Membership> {
        store::membership(tx.exec(), org, user)
            .await?
            .ok_or(Error::NotFound("member"))
    }

    /// Memberships in several organizations, in the caller's transaction. Users who are not members are left out.
    pub async fn memberships_in(
        tx: &mut Tx,
        users: &BTreeSet<(OrgId, UserId)>,
    ) -> Result<BTreeMap<(OrgId, UserId), Membership>> {
        let users: Vec<(OrgId, UserId)> = users.iter().copied().collect();
        let found = store::memberships(tx, &users).await?;
        let keyed = found
            .into_iter()
            .map(|member| ((member.org_id, member.user_id), member));
        Ok(keyed.collect())
    }

    /// The organization's plan and its own monthly credit, if any. For the usage ledger.
    pub async fn credit_in(tx: &mut Tx, org: OrgId) -> Result<(Plan, Option<MicroUsd>)> {
        store::credit(tx.exec(), org)
            .await?
            .ok_or(Error::NotFound("organization"))
    }

    /// Signs a person in. A wrong email address and a wrong password give the same error. `from` is the caller's
    /// network address, for the rate limit.
    pub async fn sign_in(&self, email: &str, password: &Secret, from: &str) -> Result<SignedIn> {
        let email = text::email("email", email).map_err(|_| Error::Unauthenticated)?;
        let windows = [
            Window {
                name: format!("sign-in/{email}"),
                most: ATTEMPTS.0,
                per: ATTEMPTS.1,
            },
            Window {
                name: format!("sign-in-from/{from}"),
                most: ATTEMPTS_FROM.0,
                per: ATTEMPTS_FROM.1,
            },
        ];
        let counted = windows.clone();
        let count = self.db.write(move |tx| {
            let windows = counted.clone();
            Box::pin(async move { window::take(tx, &windows).await })
        });
        if let Outcome::Refused(retry_after) = count.await? {
            return Err(Error::Limited { retry_after });
        }
        let known = store::password_hash(self.db.read(), &email).await?;
        let (user, hash) = known.map_or((None, None), |(user, hash)| (Some(user), hash));
        let matches = password::verify(password.clone(), hash).await?;
        let Some(user) = user.filter(|_| matches) else {
            return Err(Error::Unauthenticated);
        };
        let organizations = store::organizations_of(self.db.read(), user).await?;
        let Some(&(org,)) = organizations.first() else {
            return Err(Error::Unauthenticated);
        };
        self.open_sign_in(org, user, windows.map(|window| window.name))
            .await
    }

    /// Stores a successful sign-in. It resets the attempts of the email address. The attempts from the network address
    /// remain, but this one is not counted.
    async fn open_sign_in(&self, org: OrgId, user: UserId, windows: [String; 2]) -> Result<SignedIn> {
        let token = random_token()?;
        let digest = token.digest();
        let opened = self.db.write(move |tx| {
            let (digest, [by_email, by_network]) = (digest.clone(), windows.clone());
            Box::pin(async move {
                let at = tx.now().await?;
                let expires_at = at + SIGN_IN_LIFETIME;
                store::add_sign_in(tx, &digest, user, org, at, expires_at).await?;
                window::clear(tx, &by_email).await?;
                window::give_back(tx, &by_network).await?;
                let actor = Actor {
                    user: Some(user),
                    face: Face::Web,
                };
                audit::add(tx, org, actor, "signed_in", &user.to_string(), json!({})).await?;
                Ok(expires_at)
            })
        });
        let expires_at = opened.await?;
        Ok(SignedIn { token, expires_at })
    }

    /// The user with this sign-in token, if the sign-in is valid and the membership is active.
    pub async fn visitor(&self, token: &Secret) -> Result<Option<VisitorAccount>> {
        let now = self.db.clock().now();
        let Some((org, user)) = store::sign_in(self.db.read(), &token.digest(), now).await? else {
            return Ok(None);
        };
        let member = store::membership(self.db.read(), org, user)
            .await?
            .filter(|member| member.active);
        Ok(member.map(|member| VisitorAccount {
            principal: Principal {
                org,
                user,
                role: member.role,
                face: Face::Web,
            },
            name: member.name,
            email: member.email,
            org_name: member.org_name,
        }))
    }

    pub async fn sign_out(&self, token: &Secret) -> Result<()> {
        let digest = token.digest();
        let ended = self.db.write(move |tx| {
            let digest = digest.clone();
            Box::pin(async move { store::end_sign_in(tx, &digest).await })
        });
        ended.await
    }
}

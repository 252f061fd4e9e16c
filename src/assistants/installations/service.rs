//! Finds installations, installs assistants on a platform, and changes an installation in one transaction.
//!
//! Does not depend on a platform's wire format. What a platform reports about an installation is in `lifecycle`.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::accounts::service::Accounts;
use crate::assistants::assistant_store;
use crate::assistants::deliveries::service::Deliveries;
use crate::assistants::installations::cache::Cache;
use crate::assistants::installations::consent_store::{self, Consent};
use crate::assistants::installations::{seal_check, store};
use crate::assistants::model::{Assistant, Installation, InstallationState, Platform, PlatformKind};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, InstallationId, OrgId};
use crate::base::principal::Principal;
use crate::base::secret::{Secret, digest_of, random_token};
use crate::base::text;
use crate::crypto::seal::Sealer;
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::queue::job::Claim;

/// How long an admin may take on the platform's consent page.
const CONSENT_TIME: Duration = Duration::from_secs(10 * 60);

/// The installations of assistants on platforms.
#[derive(Clone)]
pub struct Installations {
    pub(in crate::assistants) db: Db,
    pub(in crate::assistants) sealer: Sealer,
    pub(in crate::assistants) cache: Cache,
    deliveries: Deliveries,
}

impl Installations {
    /// A service on this database. `sealer` seals the secrets.
    pub fn new(db: Db, sealer: Sealer, deliveries: Deliveries) -> Self {
        Self {
            db,
            sealer,
            cache: Cache::default(),
            deliveries,
        }
    }

    /// Adds a pending installation on a platform, so that its URLs exist. Returns an existing one unchanged.
    pub async fn add(
        &self,
        actor: Actor,
        org: OrgId,
        id: AssistantId,
        platform: PlatformKind,
    ) -> Result<Installation> {
        let assistant = assistant_store::find(self.db.read(), org, id).await?;
        let assistant = assistant.ok_or(Error::NotFound("assistant"))?;
        let (new, sealer) = (new_installation(&assistant, platform)?, self.sealer.clone());
        let written = self.db.write(move |tx| {
            let (at, sealer) = (new.clone(), sealer.clone());
            Box::pin(async move {
                store::add(tx, &sealer, &at).await?;
                let details = json!({ "platform": at.kind().as_str() });
                audit::add(tx, org, actor, "installation.added", &at.id.to_string(), details).await
            })
        });
        match written.await {
            Ok(()) | Err(Error::Conflict(_)) => self.get(org, id, platform).await,
            Err(error) => Err(error),
        }
    }

    /// Every installation of an assistant.
    pub async fn of_assistant(&self, org: OrgId, id: AssistantId) -> Result<Vec<Installation>> {
        store::of_assistant(self.db.read(), &self.sealer, org, id).await
    }

    /// Every installation of an organization.
    pub async fn of_org(&self, org: OrgId) -> Result<Vec<Installation>> {
        let mut all = Vec::new();
        for assistant in assistant_store::list(self.db.read(), org).await? {
            all.extend(self.of_assistant(org, assistant.id).await?);
        }
        Ok(all)
    }

    /// An assistant's installation on a platform.
    pub async fn get(&self, org: OrgId, id: AssistantId, platform: PlatformKind) -> Result<Installation> {
        let all = self.of_assistant(org, id).await?;
        all.into_iter()
            .find(|at| at.kind() == platform)
            .ok_or(Error::NotFound("installation"))
    }

    /// An installation by its id.
    pub async fn by_id(&self, org: OrgId, id: InstallationId) -> Result<Installation> {
        let found = store::find(self.db.read(), &self.sealer, org, id).await?;
        found.ok_or(Error::NotFound("installation"))
    }

    /// The installation with this address, the secret part of its URLs. May be up to five seconds out of date.
    pub async fn by_address(
        &self,
        platform: PlatformKind,
        address: &str,
    ) -> Result<Option<Arc<Installation>>> {
        if let Some(cached) = self.cache.get(platform, address) {
            return Ok(Some(cached));
        }
        let digest = digest_of(address);
        let found = store::by_address(self.db.read(), &self.sealer, platform, &digest).await?;
        let found = found.map(Arc::new);
        if let Some(installation) = &found {
            self.cache.put(installation);
        }
        Ok(found)
    }

    /// Checks that the caller is an owner or admin of an organization whose plan includes chat assistants.
    pub async fn check_may_set_up(&self, principal: &Principal) -> Result<()> {
        let accounts = Accounts::new(self.db.clone());
        let member = accounts.membership(principal.org, principal.user).await?;
        if !member.role.is_admin() {
            return Err(Error::forbidden(
                "forbidden",
                "Only owners and administrators of your organization set assistants up.",
            ));
        }
        member.check_chat()
    }

    /// Starts an installation through a platform's consent page. Returns the `state` parameter for it, which is valid
    /// once, for ten minutes, for this person, session and installation.
    pub async fn begin_install(
        &self,
        principal: &Principal,
        at: InstallationId,
        session: &Secret,
    ) -> Result<Secret> {
        self.check_may_set_up(principal).await?;
        let state = random_token()?;
        let consent = consent(principal, at, session, &state);
        let stored = self.db.write(move |tx| {
            let consent = consent.clone();
            Box::pin(async move {
                let until = tx.now().await? + CONSENT_TIME;
                consent_store::begin(tx, &consent, until).await
            })
        });
        stored.await?;
        Ok(state)
    }

    /// Checks the `state` parameter and uses it up. To be called before the code that came with it is exchanged.
    pub async fn use_install_state(
        &self,
        principal: &Principal,
        at: InstallationId,
        session: &Secret,
        state: &Secret,
    ) -> Result<()> {
        let consent = consent(principal, at, session, state);
        let used = self.db.write(move |tx| {
            let consent = consent.clone();
            Box::pin(async move { consent_store::consume(tx, &consent).await })
        });
        match used.await? {
            true => self.check_may_set_up(principal).await,
            false => Err(Error::forbidden(
                "install_state_invalid",
                "This installation was not started here, is already complete, or took longer than ten minutes.",
            )),
        }
    }

    /// Records the name under which the platform shows the assistant from now on.
    pub async fn set_registered_name(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        name: &str,
    ) -> Result<Installation> {
        let name = text::name("name", name, 80)?;
        let changed = self.change(actor, org, id, "installation.registered", move |at, _| {
            at.registered_name = Some(name.clone());
            Ok(())
        });
        changed.await
    }

    /// Puts a job back until the installation is active again, for `if_disabled` at most. If it is active by now, the
    /// job waits for `if_active` only. The installation's row is locked meanwhile: a reinstall makes only queued jobs
    /// due, and would otherwise miss this one.
    pub async fn wait_until_active(
        &self,
        claim: &Claim,
        at: InstallationId,
        if_disabled: Duration,
        if_active: Duration,
    ) -> Result<()> {
        let (installations, claim) = (self.clone(), claim.clone());
        let put_back = self.db.write(move |tx| {
            let (installations, claim) = (installations.clone(), claim.clone());
            Box::pin(async move {
                let locked = store::lock(tx, &installations.sealer, claim.org, at).await?;
                let active = locked.is_some_and(|at| at.state == InstallationState::Active);
                let wait = if active { if_active } else { if_disabled };
                installations.deliveries.queue.put_back(tx, &claim, wait).await
            })
        });
        put_back.await
    }

    /// Checks that this node's master key is the one that the database's secrets are sealed with.
    pub async fn check_master_key(&self) -> Result<()> {
        let bound_to = "seal_check";
        let sealed = self
            .sealer
            .seal(&Secret::new("the same on every node"), bound_to)?;
        let stored = self.db.write(move |tx| {
            let sealed = sealed.clone();
            Box::pin(async move { seal_check::get_or_insert(tx, &sealed).await })
        });
        let opened = self.sealer.open(&stored.await?, bound_to);
        opened.map(drop).map_err(|_| {
            Error::invalid(
                "CORBEL_MASTER_KEY",
                "is not the key that this database's secrets were sealed with; every node needs the same one",
            )
        })
    }

    /// Reads, changes and writes an installation in one transaction, with an entry in the audit log.
    pub(in crate::assistants) async fn change(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        action: &'static str,
        change: impl Fn(&mut Installation, DateTime<Utc>) -> Result<()> + Clone + Send + Sync + 'static,
    ) -> Result<Installation> {
        let installations = self.clone();
        let written = self.db.write(move |tx| {
            let (installations, change) = (installations.clone(), change.clone());
            Box::pin(async move {
                let locked = store::lock(tx, &installations.sealer, org, id).await?;
                let mut at = locked.ok_or(Error::NotFound("installation"))?;
                let (now, before) = (tx.now().await?, at.state);
                change(&mut at, now)?;
                store::update(tx, &installations.sealer, &at).await?;
                if at.state == InstallationState::Active && before != at.state {
                    installations.deliveries.resume(tx, org, id).await?;
                }
                write_audit_entry(tx, actor, action, &at).await?;
                Ok(at)
            })
        });
        let at = written.await?;
        self.cache.clear();
        Ok(at)
    }
}

async fn write_audit_entry(tx: &mut Tx, actor: Actor, action: &str, at: &Installation) -> Result<()> {
    let details = json!({
        "platform": at.kind().as_str(), "state": at.state.as_str(), "app": at.platform.app_id(),
        "team": at.home(),
    });
    audit::add(tx, at.org, actor, action, &at.id.to_string(), details).await
}

fn consent(principal: &Principal, at: InstallationId, session: &Secret, state: &Secret) -> Consent {
    Consent {
        principal: *principal,
        installation: at,
        session_digest: session.digest(),
        state_digest: state.digest(),
    }
}

/// A new installation. Active if its platform needs no further details, else pending.
pub(in crate::assistants) fn new_installation(
    assistant: &Assistant,
    kind: PlatformKind,
) -> Result<Installation> {
    let platform = Platform::new(kind)?;
    let state = if platform.is_complete() {
        InstallationState::Active
    } else {
        InstallationState::Pending
    };
    Ok(Installation {
        org: assistant.org_id,
        id: InstallationId::new(),
        assistant: assistant.id,
        assistant_name: assistant.name.clone(),
        platform,
        state,
        disabled_because: None,
        address: random_token()?,
        installed_at: None,
        registered_name: None,
        last_call_at: None,
        last_refused_at: None,
    })
}

//! Installing an assistant on a platform: who may, the way through a consent page, what was granted,
//! and what an admin pastes.
//!
//! Knows no platform's wire format. What a platform does to an installation later is in `lifecycle`.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::accounts::service::Accounts;
use crate::assistants::grants::{PlatformFields, describe, fill_in, grant_to};
use crate::assistants::install_states::{self, Way};
use crate::assistants::installations;
use crate::assistants::model::{Grant, Installation, InstallationState};
use crate::assistants::secrets::PreviousSecrets;
use crate::assistants::service::Assistants;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{InstallationId, OrgId};
use crate::base::principal::Principal;
use crate::base::secret::{Secret, random_token};
use crate::base::text;
use crate::db::tx::Tx;

/// How long an admin may take on the platform's consent page.
pub const CONSENT: Duration = Duration::from_secs(10 * 60);

impl Assistants {
    /// Owners and admins of an organization whose plan includes chat assistants set them up.
    pub async fn may_set_up(&self, principal: &Principal) -> Result<()> {
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

    /// Begins the way through a platform's consent page: the state that it brings back, good once, within
    /// [`CONSENT`], for this person in this sign-in and for this installation.
    pub async fn begin_install(
        &self,
        principal: &Principal,
        at: InstallationId,
        session: &Secret,
    ) -> Result<Secret> {
        self.may_set_up(principal).await?;
        let state = random_token()?;
        let way = way(principal, at, session, &state);
        let begun = self.db.write(move |tx| {
            let way = way.clone();
            Box::pin(async move {
                let until = tx.now().await? + CONSENT;
                install_states::begin(tx, &way, until).await
            })
        });
        begun.await?;
        Ok(state)
    }

    /// Uses a state up. To be done before anything is asked for with what came along with it.
    pub async fn use_install_state(
        &self,
        principal: &Principal,
        at: InstallationId,
        session: &Secret,
        state: &Secret,
    ) -> Result<()> {
        let way = way(principal, at, session, state);
        let used = self.db.write(move |tx| {
            let way = way.clone();
            Box::pin(async move { install_states::use_up(tx, &way).await })
        });
        match used.await? {
            true => self.may_set_up(principal).await,
            false => Err(Error::forbidden(
                "install_state_invalid",
                "This installation was not begun here, has been finished, or took longer than ten minutes.",
            )),
        }
    }

    /// Takes over what a platform granted; answers the installation as it then is. A grant to another
    /// app than the configured one, or for another home than the one it is in, is refused.
    pub async fn complete_install(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        grant: Grant,
    ) -> Result<Installation> {
        let done = self.change(actor, org, id, "installation.granted", move |at, now| {
            grant_to(at, &grant, now)
        });
        done.await
    }

    /// Takes note of what the platform says of the rights of `at`: its name there, and what it may do.
    /// Refused where other rights were granted meanwhile.
    pub async fn described(&self, actor: Actor, at: &Installation, seen: Grant) -> Result<Installation> {
        let granted = at.installed_at;
        let noted = self.change(actor, at.org, at.id, "installation.described", move |at, _| {
            if at.installed_at != granted {
                return Err(Error::Conflict("it was installed again meanwhile"));
            }
            describe(at, &seen)
        });
        noted.await
    }

    /// Takes over more of what a platform's console shows; answers the installation as it then is.
    pub async fn update_installation(
        &self,
        actor: Actor,
        at: Installation,
        fields: PlatformFields,
    ) -> Result<Installation> {
        let changed = self.change(actor, at.org, at.id, "installation.updated", move |at, now| {
            fill_in(at, fields.clone(), now)
        });
        changed.await
    }

    /// Takes over an app that was just made at the platform under `name`. Refused where there is one by
    /// now: what people installed must not be left behind unseen.
    pub async fn adopt_app(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        fields: PlatformFields,
        name: &str,
    ) -> Result<Installation> {
        let name = name.to_owned();
        let adopted = self.change(actor, org, id, "installation.app_created", move |at, now| {
            if at.app_id.is_some() {
                return Err(Error::Conflict("the assistant has an app already"));
            }
            at.registered_name = Some(name.clone());
            fill_in(at, fields.clone(), now)
        });
        adopted.await
    }

    /// Takes note of the name under which the platform shows the assistant from now on.
    pub async fn registered(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        name: &str,
    ) -> Result<Installation> {
        let name = text::name("name", name, 80)?;
        let noted = self.change(actor, org, id, "installation.registered", move |at, _| {
            at.registered_name = Some(name.clone());
            Ok(())
        });
        noted.await
    }

    /// Stops accepting the signing secrets before the current one.
    pub async fn retire_secret(&self, actor: Actor, org: OrgId, id: InstallationId) -> Result<Installation> {
        let retired = self.change(actor, org, id, "installation.secret_retired", |at, _| {
            at.previous_secrets = PreviousSecrets::default();
            Ok(())
        });
        retired.await
    }

    /// Reads, changes and writes an installation in one transaction, with its line in the audit log.
    async fn change(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        action: &'static str,
        change: impl Fn(&mut Installation, DateTime<Utc>) -> Result<()> + Clone + Send + Sync + 'static,
    ) -> Result<Installation> {
        let assistants = self.clone();
        let written = self.db.write(move |tx| {
            let (assistants, change) = (assistants.clone(), change.clone());
            Box::pin(async move {
                let held = installations::hold(tx, &assistants.sealer, org, id).await?;
                let mut at = held.ok_or(Error::NotFound("installation"))?;
                let (now, before) = (tx.now().await?, at.state);
                change(&mut at, now)?;
                installations::update(tx, &assistants.sealer, &at).await?;
                if at.state == InstallationState::Active && before != at.state {
                    assistants.resume(tx, org, id).await?;
                }
                note(tx, actor, action, &at).await?;
                Ok(at)
            })
        });
        let at = written.await?;
        self.known.forget();
        Ok(at)
    }
}

async fn note(tx: &mut Tx, actor: Actor, action: &str, at: &Installation) -> Result<()> {
    let details = json!({
        "platform": at.platform.as_str(), "state": at.state.as_str(), "app": at.app_id, "team": at.home(),
    });
    audit::add(tx, at.org, actor, action, &at.id.to_string(), details).await
}

fn way(principal: &Principal, at: InstallationId, session: &Secret, state: &Secret) -> Way {
    Way {
        principal: *principal,
        installation: at,
        session_digest: session.digest(),
        state_digest: state.digest(),
    }
}

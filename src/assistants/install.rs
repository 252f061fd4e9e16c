//! Installing an assistant on a platform: who may, the way through a consent page, what was granted,
//! and what an admin pastes.
//!
//! Knows no platform's wire format. What a platform does to an installation later is in `lifecycle`.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::accounts::service::Accounts;
use crate::assistants::install_states::{self, Way};
use crate::assistants::installations;
use crate::assistants::model::{Installation, InstallationState};
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

    /// Reads, changes and writes an installation in one transaction, with its line in the audit log.
    pub(super) async fn change(
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
        "platform": at.kind().as_str(), "state": at.state.as_str(), "app": at.platform.app_id(), "team": at.home(),
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

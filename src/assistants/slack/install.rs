//! Installing a Slack app: what Slack granted, what an admin pasted, an app that was just created.
//!
//! Does not depend on Slack's wire format. What Slack reports about an installation later is in `lifecycle`.

use crate::assistants::installations::service::Installations;
use crate::assistants::model::Installation;
use crate::assistants::slack::app::Grant;
use crate::assistants::slack::grants::{SlackFields, apply_description, apply_grant, fill_in, slack_mut};
use crate::assistants::slack::previous_secrets::PreviousSecrets;
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{InstallationId, OrgId};

impl Installations {
    /// Applies what Slack granted and returns the changed installation. Refused if the grant is for another app
    /// than the configured one, or for another workspace.
    pub async fn complete_install(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        grant: Grant,
    ) -> Result<Installation> {
        let done = self.change(actor, org, id, "installation.granted", move |at, now| {
            apply_grant(at, &grant, now)
        });
        done.await
    }

    /// Records what Slack reports about the access of `at`: the name it shows, and the scopes. Refused if access was
    /// granted again meanwhile.
    pub async fn record_description(
        &self,
        actor: Actor,
        at: &Installation,
        seen: Grant,
    ) -> Result<Installation> {
        let granted = at.installed_at;
        let recorded = self.change(actor, at.org, at.id, "installation.described", move |at, _| {
            if at.installed_at != granted {
                return Err(Error::Conflict("it was installed again meanwhile"));
            }
            apply_description(at, &seen)
        });
        recorded.await
    }

    /// Applies what an admin pasted and returns the changed installation.
    pub async fn update(&self, actor: Actor, at: Installation, fields: SlackFields) -> Result<Installation> {
        let changed = self.change(actor, at.org, at.id, "installation.updated", move |at, now| {
            fill_in(at, fields.clone(), now)
        });
        changed.await
    }

    /// Records an app that was just created in Slack under `name`. Refused if there is one by now: an app that is
    /// already installed must not be forgotten.
    pub async fn adopt_app(
        &self,
        actor: Actor,
        org: OrgId,
        id: InstallationId,
        fields: SlackFields,
        name: &str,
    ) -> Result<Installation> {
        let name = name.to_owned();
        let adopted = self.change(actor, org, id, "installation.app_created", move |at, now| {
            if slack_mut(at)?.app_id.is_some() {
                return Err(Error::Conflict("the assistant has an app already"));
            }
            at.registered_name = Some(name.clone());
            fill_in(at, fields.clone(), now)
        });
        adopted.await
    }

    /// Stops accepting the signing secrets before the current one.
    pub async fn retire_secret(&self, actor: Actor, org: OrgId, id: InstallationId) -> Result<Installation> {
        let retired = self.change(actor, org, id, "installation.secret_retired", |at, _| {
            slack_mut(at)?.previous_secrets = PreviousSecrets::default();
            Ok(())
        });
        retired.await
    }
}

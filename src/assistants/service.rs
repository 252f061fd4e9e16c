//! Assistants: set them up, find their installations.
//!
//! Knows no platform's wire format. Chat events and deliveries are in `turns`, links in `linking`,
//! shared conversations in `approval`, what admins look after in `care` and `roster`.

use std::sync::Arc;

use serde_json::json;
use sqlx::types::Json;

use crate::assistants::addresses::Known;
use crate::assistants::brand::Brand;

use crate::assistants::intake::Intake;
use crate::assistants::model::{
    Assistant, ConversationState, Installation, InstallationState, Platform, PlatformKind,
};
use crate::assistants::slack::grants::{SlackFields, fill_in};
use crate::assistants::{conversations, installations};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, InstallationId, OrgId, UserId};
use crate::base::principal::Principal;
use crate::base::secret::{Secret, random_token};
use crate::crypto::seal::Sealer;
use crate::crypto::sign::Signer;
use crate::db::pool::Db;
use crate::queue::service::Queue;

/// The conversation of the preview's shared mode: everyone in it is of the organization.
pub const SHARED_PREVIEW: &str = "preview";

#[derive(Clone)]
pub struct Assistants {
    pub(super) db: Db,
    pub(super) sealer: Sealer,
    /// Makes the tokens of connection links.
    pub(super) signer: Signer,
    pub(super) queue: Queue,
    pub(super) known: Known,
    pub(super) intake: Intake,
}

/// An assistant to be made.
#[derive(Clone, Debug)]
pub struct NewAssistant {
    pub name: String,
    /// `#rrggbb`; absent: a calm default.
    pub colour: Option<String>,
    pub greeting: Option<String>,
    pub about: Option<String>,
}

/// The platform that a new assistant is installed on, with what is known of its app.
#[derive(Clone, Debug)]
pub enum PlatformFields {
    Slack(SlackFields),
}

impl Assistants {
    pub fn new(db: Db, sealer: Sealer, signer: Signer, queue: Queue) -> Self {
        let intake = Intake::start(db.clone(), queue.clone());
        Self {
            db,
            sealer,
            signer,
            queue,
            known: Known::default(),
            intake,
        }
    }

    /// Makes an assistant with its preview and, if given, its installation on a platform.
    pub async fn create(
        &self,
        actor: Actor,
        org: OrgId,
        new: NewAssistant,
        platform: Option<PlatformFields>,
    ) -> Result<(Assistant, Vec<Installation>)> {
        let usual = Brand::default();
        let brand = Brand {
            name: new.name,
            colour: new.colour.unwrap_or(usual.colour),
            greeting: new.greeting.unwrap_or_default(),
            about: new.about.unwrap_or_default(),
            ..Brand::default()
        };
        self.create_branded(actor, org, brand, platform).await
    }

    /// As [`create`](Self::create), with all of its appearance.
    pub async fn create_branded(
        &self,
        actor: Actor,
        org: OrgId,
        brand: Brand,
        platform: Option<PlatformFields>,
    ) -> Result<(Assistant, Vec<Installation>)> {
        let mut assistant = Assistant {
            org_id: org,
            id: AssistantId::new(),
            name: String::new(),
            description: String::new(),
            colour: String::new(),
            tone: String::new(),
            greeting: String::new(),
            about: String::new(),
            prompts: Json(Vec::new()),
            icon_key: None,
            icon_type: None,
            shared_enabled: false,
            created_at: self.db.clock().now(),
            analyst_id: None,
        };
        brand.valid()?.put_on(&mut assistant);
        let mut made = vec![installation(&assistant, PlatformKind::Web)?];
        if let Some(PlatformFields::Slack(fields)) = platform {
            let mut at = installation(&assistant, PlatformKind::Slack)?;
            fill_in(&mut at, fields, assistant.created_at)?;
            made.push(at);
        }
        let (kept, sealer) = ((assistant.clone(), made.clone()), self.sealer.clone());
        let written = self.db.write(move |tx| {
            let ((assistant, made), sealer) = (kept.clone(), sealer.clone());
            Box::pin(async move {
                installations::add_assistant(tx, &assistant).await?;
                for at in &made {
                    installations::add(tx, &sealer, at).await?;
                    if at.kind() == PlatformKind::Web {
                        let approved = ConversationState::Approved;
                        conversations::decide(tx, org, at.id, SHARED_PREVIEW, approved, actor.user).await?;
                    }
                }
                let platforms: Vec<_> = made.iter().map(|at| at.kind().as_str()).collect();
                let details = json!({ "name": assistant.name, "platforms": platforms });
                audit::add(
                    tx,
                    org,
                    actor,
                    "assistant.created",
                    &assistant.id.to_string(),
                    details,
                )
                .await
            })
        });
        written.await?;
        Ok((assistant, made))
    }

    /// Lets an assistant go to one more platform: its addresses exist from now on. One that is there
    /// already is left as it is.
    pub async fn add_platform(
        &self,
        actor: Actor,
        org: OrgId,
        id: AssistantId,
        platform: PlatformKind,
    ) -> Result<Installation> {
        let made = installation(&self.assistant(org, id).await?, platform)?;
        let (kept, sealer) = (made, self.sealer.clone());
        let written = self.db.write(move |tx| {
            let (at, sealer) = (kept.clone(), sealer.clone());
            Box::pin(async move {
                installations::add(tx, &sealer, &at).await?;
                let details = json!({ "platform": at.kind().as_str() });
                audit::add(tx, org, actor, "installation.added", &at.id.to_string(), details).await
            })
        });
        match written.await {
            Ok(()) | Err(Error::Conflict(_)) => self.installation(org, id, platform).await,
            Err(error) => Err(error),
        }
    }

    /// Makes sure that what other nodes sealed opens with this node's master key.
    pub async fn check_master_key(&self) -> Result<()> {
        let bound_to = "seal_check";
        let sealed = self
            .sealer
            .seal(&Secret::new("the same on every node"), bound_to)?;
        let read = self.db.write(move |tx| {
            let sealed = sealed.clone();
            Box::pin(async move { installations::seal_check(tx, &sealed).await })
        });
        let opened = self.sealer.open(&read.await?, bound_to);
        opened.map(drop).map_err(|_| {
            Error::invalid(
                "CORBEL_MASTER_KEY",
                "is not the key that this database's secrets were sealed with; every node needs the same one",
            )
        })
    }

    pub async fn list(&self, principal: &Principal) -> Result<Vec<Assistant>> {
        installations::assistants(self.db.read(), principal.org).await
    }

    pub async fn assistant(&self, org: OrgId, id: AssistantId) -> Result<Assistant> {
        installations::assistant(self.db.read(), org, id)
            .await?
            .ok_or(Error::NotFound("assistant"))
    }

    /// The organization of an assistant, for the operator's command line.
    pub async fn org_of(&self, id: AssistantId) -> Result<OrgId> {
        installations::org_of(self.db.read(), id)
            .await?
            .ok_or(Error::NotFound("assistant"))
    }

    pub async fn installations(&self, org: OrgId, id: AssistantId) -> Result<Vec<Installation>> {
        installations::of_assistant(self.db.read(), &self.sealer, org, id).await
    }

    /// Every installation of an organization.
    pub async fn installations_of(&self, org: OrgId) -> Result<Vec<Installation>> {
        let mut all = Vec::new();
        for assistant in installations::assistants(self.db.read(), org).await? {
            all.extend(self.installations(org, assistant.id).await?);
        }
        Ok(all)
    }

    /// An assistant's installation on a platform.
    pub async fn installation(
        &self,
        org: OrgId,
        id: AssistantId,
        platform: PlatformKind,
    ) -> Result<Installation> {
        let all = self.installations(org, id).await?;
        all.into_iter()
            .find(|at| at.kind() == platform)
            .ok_or(Error::NotFound("installation"))
    }

    pub async fn installation_by_id(&self, org: OrgId, id: InstallationId) -> Result<Installation> {
        let found = installations::find(self.db.read(), &self.sealer, org, id).await?;
        found.ok_or(Error::NotFound("installation"))
    }

    /// Which installation an address belongs to. At most five seconds old.
    pub async fn by_address(
        &self,
        platform: PlatformKind,
        address: &str,
    ) -> Result<Option<Arc<Installation>>> {
        if let Some(known) = self.known.get(platform, address) {
            return Ok(Some(known));
        }
        let digest = crate::base::secret::digest_of(address);
        let found = installations::by_address(self.db.read(), &self.sealer, platform, &digest).await?;
        let found = found.map(Arc::new);
        if let Some(installation) = &found {
            self.known.put(installation);
        }
        Ok(found)
    }

    /// What is kept in memory of installations is read again.
    pub(super) fn forget_known(&self) {
        self.known.forget();
    }

    /// Lets an assistant answer in approved shared conversations, or not.
    pub async fn set_shared(&self, actor: Actor, org: OrgId, id: AssistantId, on: bool) -> Result<()> {
        self.assistant(org, id).await?;
        let set = self.db.write(move |tx| {
            Box::pin(async move {
                installations::set_shared(tx, org, id, on).await?;
                let action = if on { "shared.enabled" } else { "shared.disabled" };
                audit::add(tx, org, actor, action, &id.to_string(), json!({})).await
            })
        });
        set.await
    }

    /// Binds a platform identity to an account without a link: for migrations and tests.
    pub async fn link_directly(
        &self,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        who: crate::assistants::model::Sender,
        user: UserId,
    ) -> Result<crate::base::ids::LinkId> {
        self.put_link(actor, org, at, who, user).await
    }
}

fn installation(of: &Assistant, kind: PlatformKind) -> Result<Installation> {
    let platform = Platform::new(kind)?;
    let state = if platform.is_complete() {
        InstallationState::Active
    } else {
        InstallationState::Pending
    };
    Ok(Installation {
        org: of.org_id,
        id: InstallationId::new(),
        assistant: of.id,
        assistant_name: of.name.clone(),
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

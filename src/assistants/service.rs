//! Creates, finds and lists assistants.
//!
//! Does not depend on a platform's wire format. Everything else about an assistant has its own service:
//! `installations`, `links`, `conversations`, `inbox` and `deliveries`.

use serde_json::json;
use sqlx::types::Json;

use crate::assistants::assistant_store;
use crate::assistants::brand::Brand;
use crate::assistants::conversations::store as conversation_store;
use crate::assistants::installations::service::{Installations, new_installation};
use crate::assistants::installations::store as installation_store;
use crate::assistants::model::{Assistant, ConversationState, Installation, PlatformKind};
use crate::assistants::slack::grants::{SlackFields, fill_in};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, OrgId};
use crate::base::principal::Principal;
use crate::db::pool::Db;

/// The conversation id of the preview's shared mode. Only members of the organization can read it.
pub const SHARED_PREVIEW: &str = "preview";

/// The assistants of organizations.
#[derive(Clone)]
pub struct Assistants {
    pub(super) db: Db,
    pub(super) installations: Installations,
}

/// An assistant to be created.
#[derive(Clone, Debug)]
pub struct NewAssistant {
    pub name: String,
    /// As `#rrggbb`. None: the default colour.
    pub colour: Option<String>,
    pub greeting: Option<String>,
    pub about: Option<String>,
}

/// The platform for a new assistant, with the details of its app that are known so far.
#[derive(Clone, Debug)]
pub enum PlatformFields {
    Slack(SlackFields),
}

impl Assistants {
    /// A service on this database.
    pub fn new(db: Db, installations: Installations) -> Self {
        Self { db, installations }
    }

    /// Creates an assistant with its browser preview and, if given, its installation on a platform.
    pub async fn create(
        &self,
        actor: Actor,
        org: OrgId,
        new: NewAssistant,
        platform: Option<PlatformFields>,
    ) -> Result<(Assistant, Vec<Installation>)> {
        let defaults = Brand::default();
        let brand = Brand {
            name: new.name,
            colour: new.colour.unwrap_or(defaults.colour),
            greeting: new.greeting.unwrap_or_default(),
            about: new.about.unwrap_or_default(),
            ..Brand::default()
        };
        self.create_branded(actor, org, brand, platform).await
    }

    /// As [`create`](Self::create), with a complete brand.
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
        brand.validate()?.apply_to(&mut assistant);
        let mut installations = vec![new_installation(&assistant, PlatformKind::Web)?];
        if let Some(PlatformFields::Slack(fields)) = platform {
            let mut at = new_installation(&assistant, PlatformKind::Slack)?;
            fill_in(&mut at, fields, assistant.created_at)?;
            installations.push(at);
        }
        let (new, sealer) = (
            (assistant.clone(), installations.clone()),
            self.installations.sealer.clone(),
        );
        let written = self.db.write(move |tx| {
            let ((assistant, installations), sealer) = (new.clone(), sealer.clone());
            Box::pin(async move {
                assistant_store::add(tx, &assistant).await?;
                for at in &installations {
                    installation_store::add(tx, &sealer, at).await?;
                    if at.kind() == PlatformKind::Web {
                        let approved = ConversationState::Approved;
                        conversation_store::decide(tx, org, at.id, SHARED_PREVIEW, approved, actor.user)
                            .await?;
                    }
                }
                let platforms: Vec<_> = installations.iter().map(|at| at.kind().as_str()).collect();
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
        Ok((assistant, installations))
    }

    /// The assistants of the caller's organization, by name.
    pub async fn list(&self, principal: &Principal) -> Result<Vec<Assistant>> {
        assistant_store::list(self.db.read(), principal.org).await
    }

    /// One assistant.
    pub async fn assistant(&self, org: OrgId, id: AssistantId) -> Result<Assistant> {
        assistant_store::find(self.db.read(), org, id)
            .await?
            .ok_or(Error::NotFound("assistant"))
    }

    /// The organization of an assistant. For the operator's command line, which gets only the id.
    pub async fn org_of(&self, id: AssistantId) -> Result<OrgId> {
        assistant_store::org_of(self.db.read(), id)
            .await?
            .ok_or(Error::NotFound("assistant"))
    }

    /// Turns answers in approved shared conversations on or off.
    pub async fn set_shared(&self, actor: Actor, org: OrgId, id: AssistantId, on: bool) -> Result<()> {
        self.assistant(org, id).await?;
        let set = self.db.write(move |tx| {
            Box::pin(async move {
                assistant_store::set_shared(tx, org, id, on).await?;
                let action = if on { "shared.enabled" } else { "shared.disabled" };
                audit::add(tx, org, actor, action, &id.to_string(), json!({})).await
            })
        });
        set.await
    }
}

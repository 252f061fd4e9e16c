//! Assistants: set them up, find their installations, decide on shared conversations.
//!
//! Knows no platform's wire format. Chat events and deliveries are in `turns`, links in `linking`.

use std::sync::Arc;

use serde_json::json;

use crate::assistants::addresses::Known;
use crate::assistants::intake::Intake;
use crate::assistants::model::{Assistant, ConversationState, Installation, InstallationState, PlatformKind};
use crate::assistants::{conversations, deliveries, installations};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{AssistantId, InstallationId, OrgId, UserId};
use crate::base::principal::Principal;
use crate::base::secret::{Secret, random_token};
use crate::base::text;
use crate::crypto::seal::Sealer;
use crate::db::pool::Db;
use crate::queue::service::Queue;

/// The conversation of the preview's shared mode: everyone in it is of the organization.
pub const SHARED_PREVIEW: &str = "preview";

#[derive(Clone)]
pub struct Assistants {
    pub(super) db: Db,
    pub(super) sealer: Sealer,
    pub(super) queue: Queue,
    known: Known,
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

/// What an admin pastes from a platform's console. All of it may come later.
#[derive(Clone, Debug, Default)]
pub struct PlatformFields {
    pub app_id: Option<String>,
    pub client_id: Option<String>,
    pub client_secret: Option<Secret>,
    pub signing_secret: Option<Secret>,
    pub bot_token: Option<Secret>,
    pub team_id: Option<String>,
    pub bot_user_id: Option<String>,
}

impl Assistants {
    pub fn new(db: Db, sealer: Sealer, queue: Queue) -> Self {
        let intake = Intake::start(db.clone(), queue.clone());
        Self {
            db,
            sealer,
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
        platform: Option<(PlatformKind, PlatformFields)>,
    ) -> Result<(Assistant, Vec<Installation>)> {
        let assistant = Assistant {
            org_id: org,
            id: AssistantId::new(),
            name: text::name("name", &new.name, 35)?,
            colour: colour(new.colour.as_deref())?,
            tone: "professional".to_owned(),
            greeting: text::optional("greeting", new.greeting.as_deref().unwrap_or_default(), 1000)?,
            about: text::optional("about", new.about.as_deref().unwrap_or_default(), 4000)?,
            shared_enabled: false,
            created_at: self.db.clock().now(),
        };
        let mut made = vec![installation(&assistant, PlatformKind::Web)?];
        if let Some((platform, fields)) = platform {
            let mut at = installation(&assistant, platform)?;
            fill_in(&mut at, fields)?;
            made.push(at);
        }
        let (kept, sealer) = ((assistant.clone(), made.clone()), self.sealer.clone());
        let written = self.db.write(move |tx| {
            let ((assistant, made), sealer) = (kept.clone(), sealer.clone());
            Box::pin(async move {
                installations::add_assistant(tx, &assistant).await?;
                for at in &made {
                    installations::add(tx, &sealer, at).await?;
                    if at.platform == PlatformKind::Web {
                        let approved = ConversationState::Approved;
                        conversations::decide(tx, org, at.id, SHARED_PREVIEW, approved, actor.user).await?;
                    }
                }
                let platforms: Vec<_> = made.iter().map(|at| at.platform.as_str()).collect();
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

    /// Takes over more of what a platform's console shows; answers the installation as it then is.
    pub async fn update_installation(
        &self,
        actor: Actor,
        mut at: Installation,
        fields: PlatformFields,
    ) -> Result<Installation> {
        fill_in(&mut at, fields)?;
        let (kept, sealer) = (at.clone(), self.sealer.clone());
        let written = self.db.write(move |tx| {
            let (at, sealer) = (kept.clone(), sealer.clone());
            Box::pin(async move {
                installations::update(tx, &sealer, &at).await?;
                let details = json!({ "platform": at.platform.as_str(), "state": at.state.as_str() });
                audit::add(
                    tx,
                    at.org,
                    actor,
                    "installation.updated",
                    &at.id.to_string(),
                    details,
                )
                .await
            })
        });
        written.await?;
        self.known.forget();
        Ok(at)
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
            .find(|at| at.platform == platform)
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

    /// Decides on a shared conversation of an assistant's platform.
    pub async fn decide_conversation(
        &self,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        state: ConversationState,
    ) -> Result<()> {
        let conversation = text::name("conversation", conversation, 200)?;
        let decided = self.db.write(move |tx| {
            let conversation = conversation.clone();
            Box::pin(async move {
                conversations::decide(tx, org, at, &conversation, state, actor.user).await?;
                let details = json!({ "installation": at, "state": state.as_str() });
                audit::add(tx, org, actor, "conversation.decided", &conversation, details).await
            })
        });
        decided.await
    }

    pub async fn conversation(
        &self,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
    ) -> Result<Option<ConversationState>> {
        conversations::state(self.db.read(), org, at, conversation).await
    }

    /// Takes note that a platform took the rights away. Kept, so that a reinstall finds it.
    pub async fn disable(&self, org: OrgId, at: InstallationId, because: &str) -> Result<()> {
        let because = text::shortened(because, 100);
        let disabled = self.db.write(move |tx| {
            let because = because.clone();
            Box::pin(async move {
                if installations::disable(tx, org, at, &because).await? > 0 {
                    let details = json!({ "because": because });
                    audit::add(
                        tx,
                        org,
                        Actor::SYSTEM,
                        "installation.disabled",
                        &at.to_string(),
                        details,
                    )
                    .await?;
                }
                Ok(())
            })
        });
        disabled.await?;
        self.known.forget();
        Ok(())
    }

    /// How many deliveries of an organization failed.
    pub async fn failed_deliveries(&self, org: OrgId) -> Result<i64> {
        deliveries::failed(self.db.read(), org).await
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

fn installation(of: &Assistant, platform: PlatformKind) -> Result<Installation> {
    let state = if platform == PlatformKind::Web {
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
        app_id: None,
        client_id: None,
        client_secret: None,
        signing_secret: None,
        previous_signing_secret: None,
        bot_token: None,
        team_id: None,
        bot_user_id: None,
    })
}

/// Takes over what is given. With app, signing secret, bot token and team it is active, also where
/// the platform had taken the rights away before.
fn fill_in(at: &mut Installation, fields: PlatformFields) -> Result<()> {
    let id = |field: &'static str, value: Option<String>, kept: &mut Option<String>| -> Result<()> {
        if let Some(value) = value {
            *kept = Some(text::name(field, &value, 128)?);
        }
        Ok(())
    };
    id("app-id", fields.app_id, &mut at.app_id)?;
    id("client-id", fields.client_id, &mut at.client_id)?;
    id("team-id", fields.team_id, &mut at.team_id)?;
    id("bot-user-id", fields.bot_user_id, &mut at.bot_user_id)?;
    let secret = |field: &'static str, value: Option<Secret>, kept: &mut Option<Secret>| -> Result<()> {
        if let Some(value) = value {
            *kept = Some(Secret::new(text::name(field, value.expose(), 512)?));
        }
        Ok(())
    };
    // While a secret is being rotated, the platform may still sign with the one before.
    if fields.signing_secret.is_some() && fields.signing_secret != at.signing_secret {
        at.previous_signing_secret = at.signing_secret.take();
    }
    let renewed = fields.bot_token.is_some();
    secret("client-secret", fields.client_secret, &mut at.client_secret)?;
    secret("signing-secret", fields.signing_secret, &mut at.signing_secret)?;
    secret("bot-token", fields.bot_token, &mut at.bot_token)?;
    let complete =
        at.app_id.is_some() && at.signing_secret.is_some() && at.bot_token.is_some() && at.team_id.is_some();
    if complete && (renewed || at.state == InstallationState::Pending) {
        at.state = InstallationState::Active;
        at.disabled_because = None;
    }
    Ok(())
}

fn colour(given: Option<&str>) -> Result<String> {
    let colour = given.unwrap_or("#1f2a44").trim().to_lowercase();
    let digits = colour.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.bytes().all(|sign| sign.is_ascii_hexdigit()) {
        Ok(colour)
    } else {
        Err(Error::invalid("colour", "must be written #rrggbb"))
    }
}

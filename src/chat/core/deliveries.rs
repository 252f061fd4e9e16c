//! Deliveries: each message reaches its conversation once, whatever the platform does.

use crate::assistants::jobs::payload_id;
use crate::assistants::model::{
    Delivery, DeliveryKind, DeliveryState, Installation, InstallationState, PlaceKind, Say,
};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::Chat;
use crate::chat::core::notices::notify_of_failure;
use crate::chat::core::platform::Failure;
use crate::chat::core::posting::{Posting, Undelivered};
use crate::chat::core::say;
use crate::queue::job::{Claim, Done, GaveUp};

/// Carries deliveries out. Cheap to clone.
#[derive(Clone)]
pub struct Deliverer {
    pub(super) chat: Chat,
}

impl Deliverer {
    pub fn new(chat: &Chat) -> Self {
        Self { chat: chat.clone() }
    }

    /// Handles a `chat.deliver` job.
    pub async fn deliver(self, claim: Claim) -> Result<Done> {
        let delivery = self.load(&claim).await?;
        if matches!(delivery.state, DeliveryState::Delivered | DeliveryState::Failed) {
            return Ok(Done::Nothing);
        }
        let at = self.installation(&delivery, &claim).await?;
        if at.state != InstallationState::Active {
            // Answers are kept until a reinstall, or until they are too old.
            return self.chat.wait_for_reinstall(&claim, &at).await;
        }
        let posting = Posting::new(&self.chat, &claim, &at, &delivery)?;
        let undelivered = match send(&posting).await {
            Ok(()) => {
                self.end(&claim, delivery.id, DeliveryState::Delivered, None)
                    .await?;
                return Ok(Done::Finished);
            }
            Err(undelivered) => undelivered,
        };
        match undelivered.into_done(&self.chat, &claim, &at).await? {
            Ok(done) => Ok(done),
            Err(why) => {
                tracing::warn!(delivery = %delivery.id, installation = %at.id, why, "a delivery failed for good");
                self.end(&claim, delivery.id, DeliveryState::Failed, Some(why))
                    .await?;
                notify_of_failure(&self.chat.services, &at, &delivery).await?;
                Ok(Done::Finished)
            }
        }
    }

    /// Stores the failure of a delivery that no attempt completed, and notifies administrators.
    pub async fn give_up(self, claim: Claim, why: GaveUp) -> Result<()> {
        let id: DeliveryId = payload_id(&claim.payload, "delivery")?;
        tracing::error!(delivery = %id, reason = why.code(), "a delivery was given up");
        self.end(&claim, id, DeliveryState::Failed, Some(why.code().to_owned()))
            .await?;
        let delivery = self.load(&claim).await?;
        let at = self.installation(&delivery, &claim).await?;
        notify_of_failure(&self.chat.services, &at, &delivery).await
    }

    pub(super) async fn load(&self, claim: &Claim) -> Result<Delivery> {
        let id: DeliveryId = payload_id(&claim.payload, "delivery")?;
        self.chat.services.deliveries.get(claim.org, id).await
    }

    pub(super) async fn installation(&self, delivery: &Delivery, claim: &Claim) -> Result<Installation> {
        let installations = &self.chat.services.installations;
        installations.by_id(claim.org, delivery.installation).await
    }

    async fn end(
        &self,
        claim: &Claim,
        id: DeliveryId,
        state: DeliveryState,
        failure: Option<String>,
    ) -> Result<()> {
        let deliveries = &self.chat.services.deliveries;
        deliveries.advance(claim, id, state, None, failure).await
    }
}

async fn send(posting: &Posting<'_>) -> Result<(), Undelivered> {
    let delivery = posting.delivery;
    let say = || delivery.say.clone().unwrap_or_default();
    match delivery.kind {
        DeliveryKind::Answer => posting.send_answer().await,
        DeliveryKind::Replace => replace(posting, &say()).await,
        DeliveryKind::Reply => {
            let say = say();
            if posting.approval_ended(&delivery.target).await? {
                return posting
                    .fall_back_to_direct(delivery.id, &say, Err(Failure::not_approved()))
                    .await;
            }
            posting.send_here(&say).await
        }
        DeliveryKind::Private => posting.send_privately(&say()).await,
        DeliveryKind::LinkPrompt => send_link(posting).await,
        DeliveryKind::Direct => posting.send_direct(&say()).await,
    }
}

/// Replaces an earlier message of ours, or replies privately if that is not possible.
async fn replace(posting: &Posting<'_>, say: &Say) -> Result<(), Undelivered> {
    let target = &posting.delivery.target;
    match posting.update(target, &target.place.message, say).await {
        Err(Failure::Gone(_) | Failure::NotEditable(_)) => posting.send_privately(say).await,
        Err(failure) if failure.obstacle().is_some() => posting.send_privately(say).await,
        outcome => posting.handle_outcome(outcome).await,
    }
}

/// Sends the link that connects an account. In a shared conversation it is sent twice: as a direct message, which can
/// be found again, and as an ephemeral post, which is lost on reload and not shown by every client.
async fn send_link(posting: &Posting<'_>) -> Result<(), Undelivered> {
    let say = create_link(posting).await?;
    let (at, target) = (posting.at, &posting.delivery.target);
    if target.place.kind == PlaceKind::Direct {
        return posting.send_privately(&say).await;
    }
    match posting.send_direct(&say).await {
        Ok(()) => {
            if let Err(failure) = posting.platform.post_ephemeral(at, target, &say).await {
                let delivery = posting.delivery.id;
                tracing::info!(%delivery, error = %failure, "a link was sent in a direct message only");
            }
            Ok(())
        }
        Err(Undelivered::Never(why)) => posting.fall_back_to_ephemeral(&say, why).await,
        outcome => outcome,
    }
}

/// Creates the one-time link. Its token is never stored, and is the same for every attempt of a delivery, so that no
/// message contains a link that a later attempt made invalid.
async fn create_link(posting: &Posting<'_>) -> Result<Say, Undelivered> {
    let (at, delivery, services) = (posting.at, posting.delivery, &posting.chat.services);
    let sender = &delivery.target.sender;
    let identity = match posting.platform.identify(at, sender).await {
        Ok(identity) => identity,
        Err(failure) => return Err(posting.handle_failure(failure).await?),
    };
    let token = services
        .links
        .create_offer(at, delivery.id, sender, &identity.name, &identity.team_name)
        .await?;
    let url = format!("{}/connect/{}", services.site.public_url, token.expose());
    Ok(say::link_prompt(&at.assistant_name, &url))
}

//! Private messages and their fallbacks, in order:
//!
//! 1. an ephemeral post in the conversation, or an ordinary post if the conversation is direct;
//! 2. a direct message that says what was asked where, and why it arrives there;
//! 3. an ephemeral post in the conversation, if no direct message is possible;
//! 4. none: the delivery failed, and administrators see it.
//!
//! Link prompts have another order, in `deliveries`. Replies on a page have no conversation
//! and are direct messages from the start.
//!
//! An ephemeral post cannot be found again. If it is unknown whether one arrived, a direct message is sent, which can
//! be found, and no second ephemeral post.

use crate::assistants::model::{DeliveryState, PlaceKind, Say};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::platform::{Failure, Obstacle};
use crate::chat::core::posting::{Posting, Undelivered};
use crate::chat::core::say;

impl Posting<'_> {
    /// Sends it so that only the sender sees it.
    pub(super) async fn send_privately(&self, say: &Say) -> Result<(), Undelivered> {
        let (target, delivery) = (&self.delivery.target, self.delivery);
        if target.place.conversation.is_empty() {
            return self.send_direct(say).await;
        }
        if target.place.kind == PlaceKind::Direct {
            return self.send_here(say).await;
        }
        if delivery.state != DeliveryState::Posting {
            self.record(DeliveryState::Posting, None).await?;
            let outcome = self.post_ephemeral(say).await;
            if !matches!(&outcome, Err(failure) if failure.is_ambiguous()) {
                let not_posted = matches!(&outcome, Err(failure) if failure.obstacle().is_none());
                if not_posted && delivery.state == DeliveryState::Pending {
                    self.record(DeliveryState::Pending, None).await?;
                }
                return self.fall_back_to_direct(delivery.id, say, outcome).await;
            }
        }
        tracing::info!(delivery = %delivery.id, "unknown whether an ephemeral post arrived; a direct message is sent");
        let say = self.with_reason(Obstacle::MaybePosted, say).await?;
        self.send_direct(&say).await
    }

    /// Posts in the delivery's own conversation, or else sends a direct message.
    pub(super) async fn send_here(&self, say: &Say) -> Result<(), Undelivered> {
        let id = self.delivery.id;
        let posted = self.post_once(&self.delivery.target, id, say).await;
        self.fall_back_to_direct(id, say, posted.map(drop)).await
    }

    /// Sends a direct message.
    pub(super) async fn send_direct(&self, say: &Say) -> Result<(), Undelivered> {
        let target = self.open_direct().await?;
        let posted = self.post_once(&target, self.delivery.id, say).await;
        self.handle_outcome(posted.map(drop)).await
    }

    /// Keeps an outcome, unless the conversation does not allow the post: then sends a direct message with the
    /// reason, or if that is not possible either, an ephemeral post in the conversation.
    pub(super) async fn fall_back_to_direct(
        &self,
        id: DeliveryId,
        say: &Say,
        outcome: Result<(), Failure>,
    ) -> Result<(), Undelivered> {
        let failure = match outcome {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        let Some(obstacle) = failure.obstacle() else {
            return self.handle_outcome(Err(failure)).await;
        };
        tracing::info!(
            delivery = %self.delivery.id, %failure,
            "not possible in its conversation; a direct message is sent"
        );
        self.report(&failure).await?;
        let say = self.with_reason(obstacle, say).await?;
        let sent = match self.platform.open_direct(self.at, &self.delivery.target).await {
            Ok(target) => self.post_once(&target, id, &say).await.map(drop),
            Err(failure) => Err(failure),
        };
        match self.handle_outcome(sent).await {
            Err(Undelivered::Never(why)) => self.fall_back_to_ephemeral(&say, why).await,
            outcome => outcome,
        }
    }

    /// The last fallback: an ephemeral post in the conversation. If that fails too, the delivery fails because of
    /// `why`.
    pub(super) async fn fall_back_to_ephemeral(&self, say: &Say, why: String) -> Result<(), Undelivered> {
        if self.delivery.target.place.kind != PlaceKind::Shared {
            return Err(Undelivered::Never(why));
        }
        match self.post_ephemeral(say).await {
            Ok(()) => Ok(()),
            Err(failure) if failure.had_no_effect() => Err(self.handle_failure(failure).await?),
            // It may have arrived, and a second one would be read twice.
            Err(failure) => {
                tracing::info!(delivery = %self.delivery.id, %failure, "the last way to the sender failed too");
                Err(Undelivered::Never(why))
            }
        }
    }

    /// Adds to `say` what was asked and where, and why it arrives in a direct message.
    pub(super) async fn with_reason(&self, obstacle: Obstacle, say: &Say) -> Result<Say> {
        let place = &self.delivery.target.place;
        let name = match place.kind {
            PlaceKind::Direct => None,
            PlaceKind::Shared => {
                let name = self.platform.conversation_name(self.at, place).await;
                Some(name.unwrap_or_else(|| format!("another conversation ({})", place.conversation)))
            }
        };
        let asked = match self.delivery.inbox {
            Some(id) => self.chat.services.inbox.turn(self.claim.org, id).await?.turn.text,
            None => String::new(),
        };
        Ok(say::instead(obstacle, name.as_deref(), &asked, say))
    }
}

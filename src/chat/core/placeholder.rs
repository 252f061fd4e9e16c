//! Where an answer stands: its placeholder, in the conversation it was asked in as long as that is open,
//! else in the direct conversation with whoever asked. Knows nothing of what the answer says.

use crate::assistants::model::{ConversationState, DeliveryState, PlaceKind, Target};
use crate::base::error::Result;
use crate::chat::core::chat::Chat;
use crate::chat::core::deliver::{DeliveryContext, Stopped};
use crate::chat::core::platform::{Failure, Obstacle};
use crate::chat::core::say;

/// Where a placeholder stands, and why not where it was asked.
pub(super) struct Placed {
    pub(super) target: Target,
    pub(super) receipt: String,
    pub(super) instead: Option<Obstacle>,
}

impl Chat {
    /// True unless the conversation was closed since its turn was decided.
    pub(super) async fn is_still_open(&self, context: &DeliveryContext<'_>) -> Result<bool> {
        let (at, place) = (context.at, &context.delivery.target.place);
        if place.kind == PlaceKind::Direct {
            return Ok(true);
        }
        let assistants = &self.services.assistants;
        let state = assistants
            .conversation(at.org, at.id, &place.conversation)
            .await?;
        let enabled = assistants.assistant(at.org, at.assistant).await?.shared_enabled;
        Ok(enabled && state == Some(ConversationState::Approved))
    }

    /// The placeholder's place and receipt, made if it is not there.
    pub(super) async fn placed(
        &self,
        context: &DeliveryContext<'_>,
        stoppable: bool,
    ) -> Result<Placed, Stopped> {
        let DeliveryContext {
            at,
            platform,
            delivery,
            ..
        } = context;
        let here = &delivery.target;
        if let (DeliveryState::Placed, Some(receipt)) = (delivery.state, &delivery.receipt) {
            // A direct message's place is not the turn's: the receipt says which.
            return Ok(unpacked(here, receipt));
        }
        let placeholder = if stoppable {
            say::stoppable_placeholder(delivery.id)
        } else {
            say::placeholder()
        };
        let posted = if self.is_still_open(context).await? {
            self.post_once(context, here, &placeholder).await
        } else {
            Err(Failure::closed())
        };
        let (target, instead, posted) = match posted {
            Err(failure) => match failure.obstacle() {
                Some(obstacle) => {
                    tracing::info!(delivery = %delivery.id, %failure, "an answer cannot be given in its place; it goes out directly");
                    self.heed(context, &failure).await?;
                    let target = match platform.direct(at, here).await {
                        Ok(target) => target,
                        Err(failure) => return Err(self.stopped(context, failure).await?),
                    };
                    let posted = self.post_once(context, &target, &placeholder).await;
                    (target, Some(obstacle), posted)
                }
                None => (here.clone(), None, Err(failure)),
            },
            Ok(receipt) => (here.clone(), None, Ok(receipt)),
        };
        let receipt = match posted {
            Ok(receipt) => receipt,
            Err(failure) => return Err(self.stopped(context, failure).await?),
        };
        let placed = Placed {
            target,
            receipt,
            instead,
        };
        self.note(context, DeliveryState::Placed, Some(packed(here, &placed)))
            .await?;
        Ok(placed)
    }

    /// Takes an answer whose conversation was closed after its placeholder was posted to whoever asked:
    /// the placeholder says so, and another stands in the direct conversation. What is there is what a
    /// later attempt finds.
    pub(super) async fn moved_out(
        &self,
        context: &DeliveryContext<'_>,
        placed: &Placed,
    ) -> Result<Placed, Stopped> {
        tracing::info!(delivery = %context.delivery.id, "a conversation was closed before its answer; it goes out directly");
        let neutral = say::closed_meanwhile();
        match self
            .replaced(context, &placed.target, &placed.receipt, &neutral)
            .await
        {
            Ok(()) => {}
            Err(
                failure @ (Failure::Wait(_) | Failure::Away(_) | Failure::Ambiguous(_) | Failure::Late(_)),
            ) => {
                return Err(self.stopped(context, failure).await?);
            }
            // It says nothing of the answer either way.
            Err(failure) => {
                tracing::info!(delivery = %context.delivery.id, %failure, "a placeholder could not be taken back");
            }
        }
        let DeliveryContext { at, platform, .. } = context;
        let target = match platform.direct(at, &context.delivery.target).await {
            Ok(target) => target,
            Err(failure) => return Err(self.stopped(context, failure).await?),
        };
        let receipt = match self.post_once(context, &target, &say::placeholder()).await {
            Ok(receipt) => receipt,
            Err(failure) => return Err(self.stopped(context, failure).await?),
        };
        let moved = Placed {
            target,
            receipt,
            instead: Some(Obstacle::NotApproved),
        };
        let packed = packed(&context.delivery.target, &moved);
        self.note(context, DeliveryState::Placed, Some(packed)).await?;
        Ok(moved)
    }

    /// True where what is to be said there may not be said there any more.
    pub(super) async fn is_closed(&self, context: &DeliveryContext<'_>, target: &Target) -> Result<bool> {
        Ok(target.place.kind == PlaceKind::Shared && !self.is_still_open(context).await?)
    }
}

/// A receipt with the conversation it was made in and the reason, where that is not the turn's own.
fn packed(turn: &Target, placed: &Placed) -> String {
    let conversation = &placed.target.place.conversation;
    match placed.instead {
        Some(obstacle) => format!("{conversation}|{}|{obstacle}", placed.receipt),
        None if turn.place.conversation != *conversation => format!("{conversation}|{}", placed.receipt),
        None => placed.receipt.clone(),
    }
}

pub(super) fn unpacked(turn: &Target, packed: &str) -> Placed {
    let mut words = packed.split('|');
    let (first, second, third) = (words.next(), words.next(), words.next());
    match (first, second) {
        (Some(conversation), Some(receipt)) => {
            let mut target = turn.clone();
            target.place.conversation = conversation.to_owned();
            target.place.kind = PlaceKind::Direct;
            Placed {
                target,
                receipt: receipt.to_owned(),
                instead: third.and_then(|word| word.parse().ok()),
            }
        }
        _ => Placed {
            target: turn.clone(),
            receipt: packed.to_owned(),
            instead: None,
        },
    }
}

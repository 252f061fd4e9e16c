//! The placeholder of an answer: posted in the conversation of the question while that is approved, else in the
//! direct conversation with the sender, and later replaced by the answer. Does not depend on what the answer says.

use crate::assistants::model::{DeliveryState, PlaceKind, Target};
use crate::chat::core::platform::{Failure, Obstacle};
use crate::chat::core::posting::{Posting, Undelivered};
use crate::chat::core::say;

/// Where a placeholder is, and why not in the conversation of the question.
pub(super) struct Placeholder {
    pub(super) target: Target,
    pub(super) receipt: String,
    pub(super) obstacle: Option<Obstacle>,
}

impl Posting<'_> {
    /// The delivery's placeholder, posted if there is none yet.
    pub(super) async fn ensure_placeholder(&self, stoppable: bool) -> Result<Placeholder, Undelivered> {
        let (delivery, here) = (self.delivery, &self.delivery.target);
        if let (DeliveryState::Placed, Some(receipt)) = (delivery.state, &delivery.receipt) {
            // It may be in the direct conversation: the receipt says so.
            return Ok(Placeholder::from_receipt(here, receipt));
        }
        let text = if stoppable {
            say::stoppable_placeholder(delivery.id)
        } else {
            say::placeholder()
        };
        let posted = if self.is_approved().await? {
            self.post_once(here, delivery.id, &text).await
        } else {
            Err(Failure::not_approved())
        };
        let obstacle = posted.as_ref().err().and_then(Failure::obstacle);
        let (target, posted) = match (obstacle, posted) {
            (Some(_), Err(failure)) => {
                tracing::info!(
                    delivery = %delivery.id, %failure,
                    "an answer is not possible in its conversation; a direct message is sent"
                );
                self.report(&failure).await?;
                let target = self.open_direct().await?;
                let posted = self.post_once(&target, delivery.id, &text).await;
                (target, posted)
            }
            (_, posted) => (here.clone(), posted),
        };
        let receipt = match posted {
            Ok(receipt) => receipt,
            Err(failure) => return Err(self.handle_failure(failure).await?),
        };
        self.record_placeholder(Placeholder {
            target,
            receipt,
            obstacle,
        })
        .await
    }

    /// The conversation's approval ended after the placeholder was posted: the placeholder says so, and another is
    /// posted in the direct conversation.
    pub(super) async fn move_to_direct(&self, placeholder: &Placeholder) -> Result<Placeholder, Undelivered> {
        tracing::info!(
            delivery = %self.delivery.id,
            "the conversation's approval ended before the answer; a direct message is sent"
        );
        let neutral = say::closed_meanwhile();
        let updated = self
            .update(&placeholder.target, &placeholder.receipt, &neutral)
            .await;
        match updated {
            Ok(()) => {}
            Err(failure) if failure.had_no_effect() || failure.is_ambiguous() => {
                return Err(self.handle_failure(failure).await?);
            }
            // The placeholder contains nothing of the answer either way.
            Err(failure) => {
                tracing::info!(delivery = %self.delivery.id, %failure, "a placeholder could not be updated");
            }
        }
        let target = self.open_direct().await?;
        let posted = self
            .post_once(&target, self.delivery.id, &say::placeholder())
            .await;
        let receipt = match posted {
            Ok(receipt) => receipt,
            Err(failure) => return Err(self.handle_failure(failure).await?),
        };
        self.record_placeholder(Placeholder {
            target,
            receipt,
            obstacle: Some(Obstacle::NotApproved),
        })
        .await
    }

    /// Deletes a placeholder that did not become the answer: now, or later where that is not possible now. Where it
    /// cannot be deleted, its button finds that the analysis has ended.
    pub(super) async fn retract(&self, placeholder: &Placeholder) -> Result<(), Undelivered> {
        let (at, id) = (self.at, self.delivery.id);
        let deleted = self
            .platform
            .delete(at, &placeholder.target, &placeholder.receipt)
            .await;
        match deleted {
            Ok(()) | Err(Failure::Gone(_)) => Ok(()),
            Err(failure) if failure.had_no_effect() || failure.is_ambiguous() => Ok(self
                .chat
                .services
                .deliveries
                .mark_uncertain(self.claim, id)
                .await?),
            Err(failure) => {
                tracing::info!(delivery = %id, %failure, "a placeholder could not be deleted");
                Ok(())
            }
        }
    }

    /// Stores where the placeholder is, so that a later attempt finds it.
    async fn record_placeholder(&self, placeholder: Placeholder) -> Result<Placeholder, Undelivered> {
        let receipt = placeholder.to_receipt(&self.delivery.target);
        self.record(DeliveryState::Placed, Some(receipt)).await?;
        Ok(placeholder)
    }
}

impl Placeholder {
    /// The platform's id, with the conversation and the obstacle where it is not in the turn's conversation.
    fn to_receipt(&self, turn: &Target) -> String {
        let conversation = &self.target.place.conversation;
        match self.obstacle {
            Some(obstacle) => format!("{conversation}|{}|{obstacle}", self.receipt),
            None if turn.place.conversation != *conversation => format!("{conversation}|{}", self.receipt),
            None => self.receipt.clone(),
        }
    }

    /// The reverse of [`to_receipt`](Self::to_receipt).
    pub(super) fn from_receipt(turn: &Target, stored: &str) -> Self {
        let mut parts = stored.split('|');
        let (first, second, third) = (parts.next(), parts.next(), parts.next());
        match (first, second) {
            (Some(conversation), Some(receipt)) => {
                let mut target = turn.clone();
                target.place.conversation = conversation.to_owned();
                target.place.kind = PlaceKind::Direct;
                Self {
                    target,
                    receipt: receipt.to_owned(),
                    obstacle: third.and_then(|word| word.parse().ok()),
                }
            }
            _ => Self {
                target: turn.clone(),
                receipt: stored.to_owned(),
                obstacle: None,
            },
        }
    }
}

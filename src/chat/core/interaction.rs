//! One interaction that is being handled: a button press, a platform's Stop, a deleted question or an opened page;
//! and how handling it ends.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::accounts::model::Membership;
use crate::analysis::service::Stop;
use crate::assistants::deliveries::service::Outgoing;
use crate::assistants::inbox::interaction::Press;
use crate::assistants::model::{Delivery, DeliveryKind, Installation, PlaceKind, Say, Target};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, InteractionId};
use crate::chat::core::notices::{ApprovalRequest, save_approval_request};
use crate::chat::core::rules::{Rules, principal_of};
use crate::chat::core::stop::stop_all;
use crate::queue::job::Claim;
use crate::services::Services;
use crate::sessions::model::Message;

pub(super) struct InteractionContext<'a> {
    pub(super) rules: &'a Rules,
    pub(super) claim: &'a Claim,
    pub(super) id: InteractionId,
    pub(super) at: &'a Installation,
    /// Since when an earlier attempt may have posted.
    pub(super) posting_since: Option<DateTime<Utc>>,
}

/// A button press that is being handled.
pub(super) struct PressContext<'a> {
    pub(super) interaction: &'a InteractionContext<'a>,
    pub(super) press: &'a Press,
}

/// A button press by a linked member.
pub(super) struct MemberPress<'a> {
    pub(super) context: &'a PressContext<'a>,
    pub(super) member: &'a Membership,
}

impl InteractionContext<'_> {
    pub(super) fn services(&self) -> &Services {
        &self.rules.chat.services
    }

    /// A delivery of this installation; nothing where a button names another.
    pub(super) async fn find_delivery(&self, delivery: DeliveryId) -> Result<Option<Delivery>> {
        match self.services().deliveries.get(self.at.org, delivery).await {
            Ok(found) => Ok(Some(found).filter(|found| found.installation == self.at.id)),
            Err(Error::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Ends the interaction and queues messages.
    pub(super) async fn finish(&self, messages: Vec<Outgoing>) -> Result<()> {
        self.finish_and_request(messages, None).await
    }

    /// The one transaction of an interaction: the job ends, the interaction is done, messages are queued, and
    /// administrators are asked to approve a conversation.
    pub(super) async fn finish_and_request(
        &self,
        messages: Vec<Outgoing>,
        request: Option<ApprovalRequest>,
    ) -> Result<()> {
        let (services, claim, id) = (self.services().clone(), self.claim.clone(), self.id);
        let at = self.at.clone();
        let finished = self.services().db.write(move |tx| {
            let (services, claim, messages) = (services.clone(), claim.clone(), messages.clone());
            let (at, request) = (at.clone(), request.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.inbox.finish_interaction(tx, claim.org, id).await?;
                for outgoing in messages {
                    services.deliveries.add(tx, claim.org, outgoing).await?;
                }
                if let Some(request) = &request {
                    save_approval_request(&services, tx, &at, request).await?;
                }
                Ok(())
            })
        });
        finished.await
    }

    /// Ends the interaction and stops running analyses. Where all had ended before, `otherwise` is queued.
    pub(super) async fn finish_and_stop(
        &self,
        actor: Actor,
        running: Vec<Message>,
        why: Stop,
        otherwise: Option<Outgoing>,
    ) -> Result<()> {
        let (services, claim, id) = (self.services().clone(), self.claim.clone(), self.id);
        let running = Arc::new(running);
        let stopped = self.services().db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (running, otherwise) = (Arc::clone(&running), otherwise.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.inbox.finish_interaction(tx, claim.org, id).await?;
                let stopped = stop_all(&services, tx, actor, claim.org, &running, why).await?;
                if let Some(otherwise) = otherwise.filter(|_| !stopped) {
                    services.deliveries.add(tx, claim.org, otherwise).await?;
                }
                Ok(())
            })
        });
        stopped.await
    }
}

impl PressContext<'_> {
    /// A message that only the presser sees.
    pub(super) fn private(&self, say: Say) -> Outgoing {
        Outgoing {
            at: self.interaction.at.id,
            inbox: None,
            kind: DeliveryKind::Private,
            target: Target {
                sender: self.press.sender.clone(),
                place: self.press.place.clone(),
            },
            say: Some(say),
        }
    }

    /// A message that replaces the one with the button, where that is a direct message of ours; else a private one.
    pub(super) fn in_place(&self, say: Say) -> Outgoing {
        let mut outgoing = self.private(say);
        let place = &self.press.place;
        if place.kind == PlaceKind::Direct && !place.message.is_empty() && !self.press.ephemeral {
            outgoing.kind = DeliveryKind::Replace;
        }
        outgoing
    }

    /// Ends the interaction with a private message.
    pub(super) async fn reply(&self, say: Say) -> Result<()> {
        self.interaction.finish(vec![self.private(say)]).await
    }

    /// Ends the interaction with a message in place of the one with the button.
    pub(super) async fn reply_in_place(&self, say: Say) -> Result<()> {
        self.interaction.finish(vec![self.in_place(say)]).await
    }
}

impl MemberPress<'_> {
    pub(super) fn actor(&self) -> Actor {
        Actor::from(&principal_of(self.context.interaction.at, self.member))
    }
}

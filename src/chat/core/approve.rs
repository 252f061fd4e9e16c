//! What admins decide with a press: whether a shared conversation is answered, and that something is
//! sent again.
//!
//! Who they are was looked up; that they are admins is checked here, every time.

use std::time::Duration;

use crate::accounts::model::Membership;
use crate::assistants::interaction::Press;
use crate::assistants::model::{ConversationState, Say};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::DeliveryId;
use crate::chat::core::authorize::{NotYet, Outsiders, conversation_at, principal_of};
use crate::chat::core::chat::Chat;
use crate::chat::core::interactions::{InteractionContext, instead, private};
use crate::chat::core::notices::named;
use crate::chat::core::platform::Audience;
use crate::chat::core::refusals;
use crate::chat::core::say;

impl Chat {
    /// An admin decides on a shared conversation.
    pub(super) async fn decided(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: &Membership,
        conversation: &str,
        state: ConversationState,
    ) -> Result<(), NotYet> {
        let at = context.at;
        let refused = |reason: Say| vec![private(at, press, reason)];
        if !member.role.is_admin() {
            return Ok(self.close(context, refused(say::admins_only())).await?);
        }
        let assistants = &self.services.assistants;
        let Some(known) = assistants.conversation_of(at.org, at.id, conversation).await? else {
            return Ok(self.close(context, refused(say::not_found())).await?);
        };
        let name = named(conversation, &known.title);
        // A button that stands there still decides nothing anew.
        if matches!(
            known.state,
            ConversationState::Approved | ConversationState::Revoked
        ) {
            let by = match known.decided_by {
                Some(user) => self.services.accounts.membership(at.org, user).await.ok(),
                None => None,
            };
            let by = by.map_or_else(|| "the operator".to_owned(), |member| member.name);
            let told = instead(
                at,
                press,
                refusals::decided_already(&name, known.state, &by, state),
            );
            return Ok(self.close(context, vec![told]).await?);
        }
        let place = conversation_at(conversation);
        if state == ConversationState::Approved {
            match self.outsiders(at, &place, context.claim.tries).await? {
                Outsiders::None => {}
                Outsiders::Some(audience) => {
                    let told = refused(refusals::outsiders_there(&name, audience));
                    return Ok(self.close(context, told).await?);
                }
                Outsiders::Unknown(_) => {
                    let told = refused(refusals::outsiders_there(&name, Audience::Outside));
                    return Ok(self.close(context, told).await?);
                }
            }
        }
        let assistant = assistants.assistant(at.org, at.assistant).await?;
        let by_whom = refusals::decided(
            &assistant.name,
            &name,
            state,
            &member.name,
            assistant.shared_enabled,
        );
        let told = instead(at, press, by_whom);
        let to_askers = refusals::asked_and_decided(&assistant.name, &name, state);
        let presser = press.sender.user.clone();
        let (services, claim, id, at) = (
            self.services.clone(),
            context.claim.clone(),
            context.id,
            at.clone(),
        );
        let (actor, conversation) = (Actor::from(&principal_of(&at, member)), conversation.to_owned());
        let decided = self.services.db.write(move |tx| {
            let (services, claim, at) = (services.clone(), claim.clone(), at.clone());
            let (conversation, told) = (conversation.clone(), told.clone());
            let (to_askers, presser) = (to_askers.clone(), presser.clone());
            Box::pin(async move {
                let assistants = &services.assistants;
                // First of all, so that nothing is written where somebody else decided meanwhile.
                let Some(askers) = assistants
                    .decide_open_conversation(tx, actor, at.org, at.id, &conversation, state)
                    .await?
                else {
                    return Ok(false);
                };
                services.queue.finish(tx, &claim).await?;
                assistants.done(tx, at.org, id).await?;
                assistants.say(tx, at.org, told).await?;
                for asker in askers.iter().filter(|asker| asker.user != presser) {
                    assistants
                        .tell(tx, at.org, at.id, asker, to_askers.clone())
                        .await?;
                }
                Ok(true)
            })
        });
        if decided.await? {
            return Ok(());
        }
        // The next look finds who did.
        Err(NotYet::Wait(Duration::ZERO))
    }

    /// An admin has something delivered again.
    pub(super) async fn resent(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: &Membership,
        delivery: DeliveryId,
    ) -> Result<()> {
        let at = context.at;
        if !member.role.is_admin() {
            return self
                .close(context, vec![private(at, press, say::admins_only())])
                .await;
        }
        let Some(found) = self.delivery_of(context, delivery).await? else {
            return self
                .close(context, vec![private(at, press, say::not_found())])
                .await;
        };
        let actor = Actor::from(&principal_of(at, member));
        let again = self.services.assistants.resend(actor, at.org, found.id).await;
        let told = match again {
            Ok(again) => instead(at, press, say::resent(&member.name, again)),
            Err(error @ (Error::Busy { .. } | Error::Stale | Error::Internal(_))) => return Err(error),
            Err(error) => private(at, press, say::refusal(&error)),
        };
        self.close(context, vec![told]).await
    }
}

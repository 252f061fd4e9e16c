//! What administrators decide with a button: whether a shared conversation is answered, and that an answer is sent
//! again. Checks every time that the person is an administrator.

use std::time::Duration;

use crate::assistants::model::ConversationState;
use crate::base::error::{Error, Result};
use crate::base::ids::DeliveryId;
use crate::chat::core::deferred::Deferred;
use crate::chat::core::interaction::MemberPress;
use crate::chat::core::notices::conversation_label;
use crate::chat::core::platform::Audience;
use crate::chat::core::refusals;
use crate::chat::core::rules::{Outsiders, shared_place};
use crate::chat::core::say;

/// Approves or declines a shared conversation.
pub(super) async fn decide_conversation(
    by_member: &MemberPress<'_>,
    conversation: &str,
    state: ConversationState,
) -> Result<(), Deferred> {
    let MemberPress { context, member } = by_member;
    let (interaction, press) = (context.interaction, context.press);
    let (at, services) = (interaction.at, interaction.services());
    if !member.role.is_admin() {
        return Ok(context.reply(say::admins_only()).await?);
    }
    let assistants = &services.assistants;
    let conversations = &services.conversations;
    let Some(known) = conversations.find(at.org, at.id, conversation).await? else {
        return Ok(context.reply(say::not_found()).await?);
    };
    let label = conversation_label(conversation, &known.title);
    // The button of an earlier request does not change a decision.
    if matches!(
        known.state,
        ConversationState::Approved | ConversationState::Revoked
    ) {
        let by = match known.decided_by {
            Some(user) => services.accounts.membership(at.org, user).await.ok(),
            None => None,
        };
        let by = by.map_or_else(|| "the operator".to_owned(), |member| member.name);
        let text = refusals::decided_already(&label, known.state, &by, state);
        return Ok(context.reply_in_place(text).await?);
    }
    if state == ConversationState::Approved {
        let place = shared_place(conversation);
        let outsiders = interaction
            .rules
            .outsiders(at, &place, interaction.claim.tries)
            .await?;
        let audience = match outsiders {
            Outsiders::None => None,
            Outsiders::Some(audience) => Some(audience),
            Outsiders::Unknown(_) => Some(Audience::Outside),
        };
        if let Some(audience) = audience {
            let text = refusals::outsiders_there(&label, audience);
            return Ok(context.reply(text).await?);
        }
    }
    let assistant = assistants.assistant(at.org, at.assistant).await?;
    let decided = refusals::decided(
        &assistant.name,
        &label,
        state,
        &member.name,
        assistant.shared_enabled,
    );
    let reply = context.in_place(decided);
    let to_askers = refusals::asked_and_decided(&assistant.name, &label, state);
    let presser = press.sender.user.clone();
    let (in_tx, claim, id, at) = (
        services.clone(),
        interaction.claim.clone(),
        interaction.id,
        at.clone(),
    );
    let (actor, conversation) = (by_member.actor(), conversation.to_owned());
    let decided = services.db.write(move |tx| {
        let (services, claim, at) = (in_tx.clone(), claim.clone(), at.clone());
        let (conversation, reply) = (conversation.clone(), reply.clone());
        let (to_askers, presser) = (to_askers.clone(), presser.clone());
        Box::pin(async move {
            let conversations = &services.conversations;
            let deliveries = &services.deliveries;
            let inbox = &services.inbox;
            // First, so that nothing is written where someone else decided meanwhile.
            let Some(askers) = conversations
                .decide_if_pending(tx, actor, at.org, at.id, &conversation, state)
                .await?
            else {
                return Ok(false);
            };
            services.queue.finish(tx, &claim).await?;
            inbox.finish_interaction(tx, at.org, id).await?;
            deliveries.add(tx, at.org, reply).await?;
            for asker in askers.iter().filter(|asker| asker.user != presser) {
                deliveries
                    .send_direct(tx, at.org, at.id, asker, to_askers.clone())
                    .await?;
            }
            Ok(true)
        })
    });
    if decided.await? {
        return Ok(());
    }
    // The next attempt finds the other decision.
    Err(Deferred::Wait(Duration::ZERO))
}

/// Sends an answer again that could not be delivered.
pub(super) async fn resend(by_member: &MemberPress<'_>, delivery: DeliveryId) -> Result<()> {
    let MemberPress { context, member } = by_member;
    let (at, services) = (context.interaction.at, context.interaction.services());
    if !member.role.is_admin() {
        return context.reply(say::admins_only()).await;
    }
    let Some(found) = context.interaction.find_delivery(delivery).await? else {
        return context.reply(say::not_found()).await;
    };
    match services
        .deliveries
        .resend(by_member.actor(), at.org, found.id)
        .await
    {
        Ok(resent) => context.reply_in_place(say::resent(&member.name, resent)).await,
        Err(error @ (Error::Busy { .. } | Error::Stale | Error::Internal(_))) => Err(error),
        Err(error) => context.reply(say::refusal(&error)).await,
    }
}

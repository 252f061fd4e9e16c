//! Interactions: button presses, and everything else people do except write.
//!
//! A button grants no rights: the person is looked up again, as for every turn, and so are the objects that the
//! button names, in the person's organization. Every button press gets a reply.

use crate::accounts::model::Membership;
use crate::analysis::service::Stop;
use crate::assistants::deliveries::service::Outgoing;
use crate::assistants::inbox::interaction::{Interaction, Press};
use crate::assistants::jobs::payload_id;
use crate::assistants::model::{
    Act, ConversationState, Delivery, DeliveryKind, InstallationState, PlaceKind, Say, Target,
};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, InteractionId};
use crate::chat::core::approve::{decide_conversation, resend};
use crate::chat::core::chat::Chat;
use crate::chat::core::deferred::Deferred;
use crate::chat::core::home::{open_page, refresh_home};
use crate::chat::core::interaction::{InteractionContext, MemberPress, PressContext};
use crate::chat::core::progress;
use crate::chat::core::rules::{Account, Denial, Rules, principal_of};
use crate::chat::core::say;
use crate::chat::core::share::share_question;
use crate::chat::core::stop::{session_origin, stoppable};
use crate::queue::job::{Claim, Done, GaveUp};

/// Handles interactions. Cheap to clone.
#[derive(Clone)]
pub struct Interactions {
    chat: Chat,
    rules: Rules,
}

impl Interactions {
    pub fn new(chat: &Chat) -> Self {
        Self {
            chat: chat.clone(),
            rules: Rules::new(chat),
        }
    }

    /// Handles a `chat.heard` job.
    pub async fn handle(self, claim: Claim) -> Result<Done> {
        let id: InteractionId = payload_id(&claim.payload, "heard")?;
        let inbox = &self.chat.services.inbox;
        let installations = &self.chat.services.installations;
        let stored = inbox.interaction(claim.org, id).await?;
        if stored.done {
            return Ok(Done::Nothing);
        }
        let at = installations.by_id(claim.org, stored.installation).await?;
        let context = InteractionContext {
            rules: &self.rules,
            claim: &claim,
            id,
            at: &at,
            posting_since: stored.posting_since,
        };
        if at.state != InstallationState::Active {
            // An opened page cannot be shown now, and is opened again later.
            if matches!(stored.interaction, Interaction::Opened { .. }) {
                context.finish(Vec::new()).await?;
                return Ok(Done::Finished);
            }
            // As for turns: wait for a reinstall. If it takes too long, the person gets a reply that says so.
            return self.chat.wait_for_reinstall(&claim, &at).await;
        }
        let handled = match &stored.interaction {
            Interaction::Press(press) => {
                let press = PressContext {
                    interaction: &context,
                    press,
                };
                handle_press(&press).await
            }
            Interaction::Stopped { target, .. } => stop_session(&context, target).await,
            Interaction::Deleted { message_key, .. } => withdraw_question(&context, message_key).await,
            Interaction::Opened { target, page } => open_page(&context, target, *page).await,
        };
        match handled {
            Ok(()) => Ok(Done::Finished),
            Err(deferred) => deferred.into_done(&self.chat, &claim, &at).await,
        }
    }

    /// Replies that every attempt to handle the button press failed.
    pub async fn give_up(self, claim: Claim, why: GaveUp) -> Result<()> {
        let id: InteractionId = payload_id(&claim.payload, "heard")?;
        let inbox = &self.chat.services.inbox;
        let installations = &self.chat.services.installations;
        let stored = inbox.interaction(claim.org, id).await?;
        let at = installations.by_id(claim.org, stored.installation).await?;
        tracing::error!(job = %claim.id, reason = why.code(), "an interaction was given up");
        let context = InteractionContext {
            rules: &self.rules,
            claim: &claim,
            id,
            at: &at,
            posting_since: stored.posting_since,
        };
        match &stored.interaction {
            Interaction::Press(press) if !stored.done => {
                let press = PressContext {
                    interaction: &context,
                    press,
                };
                press.reply(say::press_failed()).await
            }
            _ => context.finish(Vec::new()).await,
        }
    }
}

async fn handle_press(context: &PressContext<'_>) -> Result<(), Deferred> {
    let InteractionContext { rules, claim, at, .. } = context.interaction;
    let press = context.press;
    match rules.check_sender(at, &press.sender, claim.tries).await? {
        None => {}
        Some(Denial::Silent(why)) => {
            tracing::info!(installation = %at.id, why, "a button press is ignored");
            return Ok(context.interaction.finish(Vec::new()).await?);
        }
        Some(Denial::Explained(reason)) => return Ok(context.reply(reason).await?),
    }
    let account = rules.account(at, &press.sender).await?;
    // Everyone who may read an answer may say whether it helped.
    if let Act::Feedback { delivery, helpful } = press.act {
        let member = match &account {
            Account::Member(member) => Some(member),
            _ => None,
        };
        return Ok(add_feedback(context, member, delivery, helpful).await?);
    }
    let member = match account {
        Account::Member(member) => member,
        Account::Unlinked if press.act == Act::Disconnect => {
            return Ok(context.reply(say::not_connected()).await?);
        }
        Account::Unlinked => {
            let prompt = Outgoing {
                kind: DeliveryKind::LinkPrompt,
                say: None,
                ..context.private(Say::default())
            };
            return Ok(context.interaction.finish(vec![prompt]).await?);
        }
        Account::Refused(reason) => return Ok(context.reply(reason).await?),
    };
    let by_member = MemberPress {
        context,
        member: &member,
    };
    match &press.act {
        Act::Approve { conversation } => {
            decide_conversation(&by_member, conversation, ConversationState::Approved).await
        }
        Act::Decline { conversation } => {
            decide_conversation(&by_member, conversation, ConversationState::Revoked).await
        }
        Act::Stop { delivery } => Ok(stop_run(&by_member, *delivery).await?),
        Act::Resend { delivery } => Ok(resend(&by_member, *delivery).await?),
        Act::Share { delivery } => share_question(&by_member, *delivery).await,
        Act::Connect => {
            let text = say::connected_already(&member.name, &member.email);
            Ok(context.reply(text).await?)
        }
        Act::Disconnect => Ok(disconnect(&by_member).await?),
        Act::Feedback { .. } => Ok(()),
    }
}

async fn add_feedback(
    context: &PressContext<'_>,
    member: Option<&Membership>,
    delivery: DeliveryId,
    helpful: bool,
) -> Result<()> {
    let (at, press) = (context.interaction.at, context.press);
    let user = member.map(|member| member.user_id);
    let found = context.interaction.find_delivery(delivery).await?;
    let Some(found) = found.filter(|found| may_read(found, press)) else {
        return context.reply(say::not_found()).await;
    };
    let deliveries = &context.interaction.services().deliveries;
    match deliveries
        .add_feedback(at.org, at.id, found.id, &press.sender, user, helpful)
        .await
    {
        Ok(()) => {}
        Err(Error::NotFound(_)) => return context.reply(say::not_found()).await,
        Err(error) => return Err(error),
    }
    // In a direct conversation the button itself shows the choice.
    if press.place.kind == PlaceKind::Direct {
        return context.interaction.finish(Vec::new()).await;
    }
    context.reply(say::thanks(helpful)).await
}

/// A delivery may be read by its recipient and, if it is shared, by everyone in the conversation.
fn may_read(delivery: &Delivery, press: &Press) -> bool {
    let of = &delivery.target;
    of.sender == press.sender
        || (of.place.kind == PlaceKind::Shared && of.place.conversation == press.place.conversation)
}

async fn stop_run(by_member: &MemberPress<'_>, delivery: DeliveryId) -> Result<()> {
    let MemberPress { context, member } = by_member;
    let interaction = context.interaction;
    let found = interaction.find_delivery(delivery).await?;
    let Some(message) = found.and_then(|found| found.message) else {
        return context.reply(say::not_found()).await;
    };
    let sessions = &interaction.services().sessions;
    let message = sessions.message(interaction.at.org, message).await?;
    if message.user_id != member.user_id && !member.role.is_admin() {
        return context.reply(say::not_yours_to_stop()).await;
    }
    let otherwise = Some(context.private(say::ended_already()));
    interaction
        .finish_and_stop(by_member.actor(), vec![message], Stop::Asked, otherwise)
        .await
}

/// The platform's own Stop: stops all analyses of the person in the thread, and removes the status.
async fn stop_session(context: &InteractionContext<'_>, target: &Target) -> Result<(), Deferred> {
    let (at, rules) = (context.at, context.rules);
    let (actor, running) = match rules
        .check_sender(at, &target.sender, context.claim.tries)
        .await?
    {
        Some(_) => (Actor::SYSTEM, Vec::new()),
        None => match rules.account(at, &target.sender).await? {
            Account::Member(member) => {
                // Only in this thread: the platform shows one Stop for each.
                let within = session_origin(at.id, &target.place, member.user_id);
                let running = stoppable(context.services(), at, &member, &within).await?;
                (Actor::from(&principal_of(at, &member)), running)
            }
            Account::Unlinked | Account::Refused(_) => (Actor::SYSTEM, Vec::new()),
        },
    };
    context.finish_and_stop(actor, running, Stop::Asked, None).await?;
    // The platform leaves its status as it was.
    progress::remove(&rules.chat, at, target);
    Ok(())
}

/// The question was deleted: its analysis is stopped if it still runs.
async fn withdraw_question(context: &InteractionContext<'_>, message_key: &str) -> Result<(), Deferred> {
    let (at, services) = (context.at, context.services());
    let asked = services.inbox.message_of_turn(at.org, at.id, message_key).await?;
    let running = match asked {
        Some(message) => vec![services.sessions.message(at.org, message).await?],
        None => Vec::new(),
    };
    Ok(context
        .finish_and_stop(Actor::SYSTEM, running, Stop::Withdrawn, None)
        .await?)
}

/// Unlinks the account and queues the confirmation, in one transaction.
async fn disconnect(by_member: &MemberPress<'_>) -> Result<()> {
    let context = by_member.context;
    let InteractionContext {
        rules, claim, id, at, ..
    } = context.interaction;
    let (services, claim, id) = (rules.chat.services.clone(), (*claim).clone(), *id);
    let (actor, confirmation) = (by_member.actor(), context.private(say::unlinked()));
    let disconnected = rules.chat.services.db.write(move |tx| {
        let (services, claim, confirmation) = (services.clone(), claim.clone(), confirmation.clone());
        Box::pin(async move {
            services.queue.finish(tx, &claim).await?;
            let deliveries = &services.deliveries;
            let inbox = &services.inbox;
            let links = &services.links;
            inbox.finish_interaction(tx, claim.org, id).await?;
            let sender = &confirmation.target.sender;
            links
                .remove(tx, actor, claim.org, confirmation.at, sender)
                .await?;
            deliveries.add(tx, claim.org, confirmation).await?;
            Ok(())
        })
    });
    disconnected.await?;
    if context.press.place.conversation.is_empty() {
        refresh_home(rules, at, &context.press.sender).await?;
    }
    Ok(())
}

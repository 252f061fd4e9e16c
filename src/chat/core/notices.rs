//! Direct messages to administrators: a conversation waits for their decision, or an answer was not delivered.
//! Each is sent at most once in a while, not for every mention or failure.
//!
//! Only administrators with an account linked at the installation get them; the console shows everything.

use std::time::Duration;

use crate::assistants::model::{
    Act, Assistant, Button, ConversationState, Delivery, DeliveryKind, Installation, Part, Place, Say,
    Sender, Style,
};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::deferred::{Deferred, MAX_LOOKUPS};
use crate::chat::core::refusals;
use crate::chat::core::rules::{ConversationRefusal, Outsiders, Rules, shared_place};
use crate::db::tx::Tx;
use crate::services::Services;

/// Time until administrators are notified again of the same conversation, or of failures.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Most buildings that are listed by name.
const LISTED_BUILDINGS: usize = 8;

/// Longest id of a conversation or person that is stored for a decision.
const MAX_ID: usize = 200;

/// What a person wants in a conversation that is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// An answer to a question asked there.
    Answer,
    /// To share a question there.
    Share,
}

/// A request to answer in a conversation that is not approved.
#[derive(Clone, Debug)]
pub(super) struct ApprovalRequest {
    conversation: String,
    title: String,
    by: Sender,
    /// The message to administrators; none where they have nothing to decide.
    notice: Option<Say>,
}

/// What is stored, and sent to administrators, about a person who wants an answer in a conversation that is not
/// approved; nothing where they have decided or cannot decide.
pub(super) async fn approval_request(
    rules: &Rules,
    at: &Installation,
    assistant: &Assistant,
    place: &Place,
    by: &Sender,
    (refusal, wanted): (&ConversationRefusal, Wanted),
) -> Result<Option<ApprovalRequest>> {
    let notify = match refusal {
        ConversationRefusal::Undecided | ConversationRefusal::Suspended(_) => true,
        // Stored until it can be decided.
        ConversationRefusal::SharedOff | ConversationRefusal::NotApprovable(_) => false,
        ConversationRefusal::Revoked | ConversationRefusal::Unknown(_) => return Ok(None),
    };
    // No platform has ids this long; nobody could decide about them.
    if [&place.conversation, &by.user]
        .iter()
        .any(|id| id.chars().count() > MAX_ID)
    {
        return Ok(None);
    }
    let platform = rules.chat.platform(at.kind())?;
    // Only for display: a failed lookup does not matter.
    let title = platform.conversation_name(at, place).await.unwrap_or_default();
    let request = |notice| ApprovalRequest {
        conversation: place.conversation.clone(),
        title: title.clone(),
        by: by.clone(),
        notice,
    };
    // Where the assistant is not a member, an approval would change nothing.
    if !notify || !platform.assistant_is_in(at, place).await.unwrap_or(true) {
        return Ok(Some(request(None)));
    }
    let identity = platform.identify(at, by).await;
    let who = identity.map_or_else(|_| by.user.clone(), |identity| identity.name);
    let conversations = &rules.chat.services.conversations;
    let known = conversations.find(at.org, at.id, &place.conversation).await?;
    let label = conversation_label(&place.conversation, &title);
    let name = &assistant.name;
    let buildings = known
        .filter(|known| known.state != ConversationState::Revoked)
        .and_then(|known| known.buildings);
    let wanted = match wanted {
        Wanted::Answer => format!("{who} asked {name} in {label}"),
        Wanted::Share => format!("{who} wants to share a question to {name} with {label}"),
    };
    let happened = match refusal {
        ConversationRefusal::Suspended(Some(reason)) => {
            format!("{wanted}. Its approval is suspended: {reason}.")
        }
        ConversationRefusal::Suspended(None) => format!("{wanted}. Its approval is suspended."),
        _ => format!("{wanted}, which is not approved yet."),
    };
    if has_outsiders(rules, at, place).await? {
        let text = format!("{happened} It cannot be approved as long as that is so.");
        return Ok(Some(request(Some(Say::plain(text)))));
    }
    let use_of = buildings.map_or_else(
        || "all buildings of the organization".to_owned(),
        |set| match set.0.len() {
            0..=LISTED_BUILDINGS => format!("these buildings: {}", set.0.join(", ")),
            many => format!("{many} chosen buildings"),
        },
    );
    let text = format!(
        "{happened} If you approve, everyone in it can ask and read the answers. They never use personal context. \
         They may use {use_of}, for each asker those that they may use themselves."
    );
    let button = |label: &str, act, style| Button {
        label: label.to_owned(),
        act,
        style,
    };
    let conversation = place.conversation.clone();
    let approve = Act::Approve {
        conversation: conversation.clone(),
    };
    let buttons = vec![
        button("Approve", approve, Style::Primary),
        button("Decline", Act::Decline { conversation }, Style::Danger),
    ];
    let notice = Say::plain(text).with(Part::Buttons(buttons));
    Ok(Some(request(Some(notice))))
}

/// Whether outsiders are known to be in a conversation, so that an approval would be refused.
async fn has_outsiders(rules: &Rules, at: &Installation, place: &Place) -> Result<bool> {
    let conversation = Place {
        outsiders: place.outsiders,
        ..shared_place(&place.conversation)
    };
    match rules.outsiders(at, &conversation, MAX_LOOKUPS).await {
        Ok(Outsiders::Some(_)) => Ok(true),
        // The approval checks again.
        Ok(Outsiders::None | Outsiders::Unknown(_)) => Ok(false),
        Err(Deferred::Wait(_) | Deferred::Retry(_) | Deferred::UntilReinstalled) => Ok(false),
        Err(Deferred::Failed(error)) => Err(error),
    }
}

/// Notifies administrators of an answer that was not delivered.
pub(super) async fn notify_of_failure(
    services: &Services,
    at: &Installation,
    delivery: &Delivery,
) -> Result<()> {
    // Nobody misses a private notice, and a notice about a failed notice would never end.
    if !matches!(delivery.kind, DeliveryKind::Answer | DeliveryKind::Reply) {
        return Ok(());
    }
    let failed = services.deliveries.count_failed(at.org).await?;
    let notice = failure_notice(&at.assistant_name, failed, delivery.id);
    let (in_tx, at) = (services.clone(), at.clone());
    let notified = services.db.write(move |tx| {
        let (services, at, notice) = (in_tx.clone(), at.clone(), notice.clone());
        Box::pin(async move { notify_admins(&services, tx, &at, "failed", HOUR, &notice).await })
    });
    notified.await
}

/// Stores the request and who gets to know the decision, and notifies administrators at most once a day, in the
/// caller's transaction.
pub(super) async fn save_approval_request(
    services: &Services,
    tx: &mut Tx,
    at: &Installation,
    request: &ApprovalRequest,
) -> Result<()> {
    let ApprovalRequest {
        conversation,
        title,
        by,
        notice,
    } = request;
    services
        .conversations
        .request_in(tx, at.org, at.id, conversation, title, &by.user)
        .await?;
    services
        .conversations
        .add_asker(tx, at.org, at.id, conversation, by)
        .await?;
    let Some(notice) = notice else { return Ok(()) };
    let subject = format!("conversation/{conversation}");
    notify_admins(services, tx, at, &subject, DAY, notice).await
}

/// Notifies each administrator, unless they were notified of the same subject within the last `quiet_for`.
pub(super) async fn notify_admins(
    services: &Services,
    tx: &mut Tx,
    at: &Installation,
    subject: &str,
    quiet_for: Duration,
    notice: &Say,
) -> Result<()> {
    let deliveries = &services.deliveries;
    let installations = &services.installations;
    let links = &services.links;
    let admins = links.admins(tx, at.org, at.id).await?;
    // Administrators who link their account later are notified then.
    if admins.is_empty()
        || !installations
            .claim_admin_notice(tx, at.org, at.id, subject, quiet_for)
            .await?
    {
        return Ok(());
    }
    for admin in &admins {
        deliveries
            .send_direct(tx, at.org, at.id, admin, notice.clone())
            .await?;
    }
    Ok(())
}

/// Why a shared conversation is not answered, for the sender.
pub(super) fn refusal_text(refusal: ConversationRefusal, assistant: &str, conversation: &str) -> Say {
    match refusal {
        ConversationRefusal::SharedOff => refusals::shared_off(assistant),
        ConversationRefusal::Undecided => refusals::not_approved(assistant, conversation),
        ConversationRefusal::Revoked => refusals::revoked(assistant),
        ConversationRefusal::Suspended(reason) => refusals::suspended(assistant, reason.as_deref()),
        ConversationRefusal::NotApprovable(audience) => refusals::not_approvable(assistant, audience),
        ConversationRefusal::Unknown(reason) => reason,
    }
}

/// A conversation's name, with the id that the console shows.
pub(super) fn conversation_label(conversation: &str, title: &str) -> String {
    if title.is_empty() {
        format!("the conversation {conversation}")
    } else {
        format!("{title} ({conversation})")
    }
}

fn failure_notice(assistant: &str, failed: i64, delivery: DeliveryId) -> Say {
    let others = match failed {
        0 | 1 => String::new(),
        2 => " One other answer of your organization is undelivered too.".to_owned(),
        more => format!(
            " {} other answers of your organization are undelivered too.",
            more - 1
        ),
    };
    let text = format!(
        "{assistant} could not deliver an answer. The console shows why, under the assistant's failed \
         deliveries.{others} \
         Once the cause is mended, it can be sent again."
    );
    let again = Button {
        label: "Send again".to_owned(),
        act: Act::Resend { delivery },
        style: Style::Primary,
    };
    Say::plain(text).with(Part::Buttons(vec![again]))
}

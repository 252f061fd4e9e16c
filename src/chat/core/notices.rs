//! What admins are told in direct messages: that a conversation waits for their decision, that answers
//! did not arrive. Bounded: not for every mention, nor for every failure.
//!
//! Only admins with a linked identity at the installation can be told; the console shows the rest.

use crate::assistants::model::{
    Act, Assistant, Button, ConversationState, Delivery, DeliveryKind, Installation, Part, Place, Say,
    Sender, Style,
};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::Chat;
use crate::chat::core::judge::Closed;
use crate::chat::core::say;
use crate::db::tx::Tx;
use crate::services::Services;

/// Seconds in which admins are not told again of the same conversation, or of failures.
const DAY: i64 = 86_400;
const HOUR: i64 = 3_600;

/// Longest id of a conversation or person that is kept for a decision.
const ID: usize = 200;

/// A conversation in which somebody asked, and in which nothing is answered.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    conversation: String,
    title: String,
    by: Sender,
    notice: Say,
}

impl Chat {
    /// What is to be kept, and told to admins, of a turn in a conversation that is closed; nothing where
    /// they have decided, or cannot.
    pub(super) async fn asked_in(
        &self,
        at: &Installation,
        assistant: &Assistant,
        place: &Place,
        by: &Sender,
        closed: &Closed,
    ) -> Result<Option<Asked>> {
        if !matches!(closed, Closed::Undecided | Closed::Suspended) {
            return Ok(None);
        }
        // No platform has such; nobody could decide on it.
        if [&place.conversation, &by.user]
            .iter()
            .any(|id| id.chars().count() > ID)
        {
            return Ok(None);
        }
        let platform = self.platform(at.platform)?;
        // Only shown: what it is called must not hold anything up.
        let title = platform.place_name(at, place).await.unwrap_or_default();
        let identity = platform.identify(at, by).await;
        let who = identity.map_or_else(|_| by.user.clone(), |identity| identity.name);
        let known = &self.services.assistants;
        let known = known.conversation_of(at.org, at.id, &place.conversation).await?;
        let named = named(&place.conversation, &title);
        let name = &assistant.name;
        let (reason, buildings) = known
            .filter(|known| known.state != ConversationState::Revoked)
            .map_or((None, None), |known| (known.reason, known.buildings));
        let happened = match (closed, reason) {
            (&Closed::Suspended, Some(reason)) => {
                format!("{who} asked {name} in {named}. Its approval is suspended: {reason}.")
            }
            (&Closed::Suspended, None) => {
                format!("{who} asked {name} in {named}. Its approval is suspended.")
            }
            _ => format!("{who} asked {name} in {named}, which is not approved yet."),
        };
        let use_of = buildings.map_or_else(
            || "all buildings of the organization".to_owned(),
            |set| format!("these buildings: {}", set.0.join(", ")),
        );
        let text = format!(
            "{happened} If you approve, everyone in it can ask and read the answers. They never use personal context. \
             This version has no portfolio data; the approval is kept for {use_of}."
        );
        let conversation = place.conversation.clone();
        let button = |label: &str, act, style| Button {
            label: label.to_owned(),
            act,
            style,
        };
        let buttons = vec![
            button(
                "Approve",
                Act::Approve {
                    conversation: conversation.clone(),
                },
                Style::Primary,
            ),
            button(
                "Decline",
                Act::Decline {
                    conversation: conversation.clone(),
                },
                Style::Danger,
            ),
        ];
        Ok(Some(Asked {
            conversation,
            title,
            by: by.clone(),
            notice: Say::plain(text).with(Part::Buttons(buttons)),
        }))
    }

    /// Tells admins that something did not arrive.
    pub(super) async fn notice_failure(&self, at: &Installation, delivery: &Delivery) -> Result<()> {
        // What was told to one person unasked is no loss to anyone else, and a notice about a notice
        // would never end.
        let matters = matches!(delivery.kind, DeliveryKind::Answer | DeliveryKind::Reply);
        if !matters {
            return Ok(());
        }
        let (services, at, id) = (self.services.clone(), at.clone(), delivery.id);
        let failed = services.assistants.failed_deliveries(at.org).await?;
        let notice = failure_notice(&at.assistant_name, failed, id);
        let told = self.services.db.write(move |tx| {
            let (services, at, notice) = (services.clone(), at.clone(), notice.clone());
            Box::pin(async move { tell_admins(&services, tx, &at, "failed", HOUR, &notice).await })
        });
        told.await
    }
}

/// Keeps that somebody asked, and tells admins of it at most once a day, in the caller's transaction.
pub(super) async fn keep_asked(
    services: &Services,
    tx: &mut Tx,
    at: &Installation,
    asked: &Asked,
) -> Result<()> {
    let Asked {
        conversation,
        title,
        by,
        notice,
    } = asked;
    services
        .assistants
        .request_conversation_in(tx, at.org, at.id, conversation, title, &by.user)
        .await?;
    let subject = format!("conversation/{conversation}");
    tell_admins(services, tx, at, &subject, DAY, notice).await
}

async fn tell_admins(
    services: &Services,
    tx: &mut Tx,
    at: &Installation,
    subject: &str,
    quiet_s: i64,
    notice: &Say,
) -> Result<()> {
    let assistants = &services.assistants;
    let admins = assistants.admins_at(tx, at.org, at.id).await?;
    // Who links tomorrow is told then.
    if admins.is_empty() || !assistants.may_tell(tx, at.org, at.id, subject, quiet_s).await? {
        return Ok(());
    }
    for admin in &admins {
        assistants.tell(tx, at.org, at.id, admin, notice.clone()).await?;
    }
    Ok(())
}

/// Why nothing is said in a shared conversation. Every case decides.
pub(super) fn reason(closed: Closed, assistant: &str, conversation: &str) -> Say {
    match closed {
        Closed::SharedOff => say::shared_off(assistant),
        Closed::Undecided => say::not_approved(assistant, conversation),
        Closed::Declined => say::declined(assistant),
        Closed::Suspended => say::suspended(assistant),
        Closed::Unclear(reason) => reason,
    }
}

/// A conversation as people know it, with the id that the console shows.
pub(super) fn named(conversation: &str, title: &str) -> String {
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
        "{assistant} could not deliver an answer. The console shows why, under the assistant's failed deliveries.{others} \
         Once the cause is mended, it can be sent again."
    );
    let again = Button {
        label: "Send again".to_owned(),
        act: Act::Resend { delivery },
        style: Style::Primary,
    };
    Say::plain(text).with(Part::Buttons(vec![again]))
}

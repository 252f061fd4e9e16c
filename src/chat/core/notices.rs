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
use crate::chat::core::authorize::{Closed, LOOK_UPS, NotYet, Outsiders, conversation_at};
use crate::chat::core::chat::Chat;
use crate::chat::core::refusals;
use crate::db::tx::Tx;
use crate::services::Services;

/// Seconds in which admins are not told again of the same conversation, or of failures.
const DAY: i64 = 86_400;
const HOUR: i64 = 3_600;

/// Most buildings that are named one by one.
const NAMED: usize = 8;

/// Longest id of a conversation or person that is kept for a decision.
const ID: usize = 200;

/// What somebody wanted of a conversation in which nothing is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// They asked there.
    Answer,
    /// They want their question to be asked there.
    Share,
}

/// A conversation of which somebody wants answers, and in which nothing is answered.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    conversation: String,
    title: String,
    by: Sender,
    /// What admins hear at once; nothing where they have nothing to decide.
    notice: Option<Say>,
}

impl Chat {
    /// What is to be kept of a wish for answers in a conversation that is closed, and told to admins;
    /// nothing where they have decided, or cannot.
    pub(super) async fn asked_in(
        &self,
        at: &Installation,
        assistant: &Assistant,
        place: &Place,
        by: &Sender,
        (closed, wish): (&Closed, Wish),
    ) -> Result<Option<Asked>> {
        let told = match closed {
            Closed::Undecided | Closed::Suspended(_) => true,
            // Kept for the day on which it can be decided.
            Closed::SharedOff | Closed::Crowded(_) => false,
            Closed::Declined | Closed::Unclear(_) => return Ok(None),
        };
        // No platform has such; nobody could decide on it.
        if [&place.conversation, &by.user]
            .iter()
            .any(|id| id.chars().count() > ID)
        {
            return Ok(None);
        }
        let platform = self.platform(at.kind())?;
        // Only shown: what it is called must not hold anything up.
        let title = platform.place_name(at, place).await.unwrap_or_default();
        let conversation = place.conversation.clone();
        // Where the assistant is not, an approval would change nothing.
        let told = told && platform.is_in(at, place).await.unwrap_or(true);
        if !told {
            return Ok(Some(Asked {
                conversation,
                title,
                by: by.clone(),
                notice: None,
            }));
        }
        let identity = platform.identify(at, by).await;
        let who = identity.map_or_else(|_| by.user.clone(), |identity| identity.name);
        let known = &self.services.assistants;
        let known = known.conversation_of(at.org, at.id, &place.conversation).await?;
        let named = named(&place.conversation, &title);
        let name = &assistant.name;
        let buildings = known
            .filter(|known| known.state != ConversationState::Revoked)
            .and_then(|known| known.buildings);
        let wanted = match wish {
            Wish::Answer => format!("{who} asked {name} in {named}"),
            Wish::Share => format!("{who} wants to share a question to {name} with {named}"),
        };
        let happened = match closed {
            Closed::Suspended(Some(reason)) => {
                format!("{wanted}. Its approval is suspended: {reason}.")
            }
            Closed::Suspended(None) => format!("{wanted}. Its approval is suspended."),
            _ => format!("{wanted}, which is not approved yet."),
        };
        if self.is_crowded(at, place).await? {
            let text = format!("{happened} It cannot be approved as long as that is so.");
            return Ok(Some(Asked {
                conversation,
                title,
                by: by.clone(),
                notice: Some(Say::plain(text)),
            }));
        }
        let use_of = buildings.map_or_else(
            || "all buildings of the organization".to_owned(),
            |set| match set.0.len() {
                0..=NAMED => format!("these buildings: {}", set.0.join(", ")),
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
            notice: Some(Say::plain(text).with(Part::Buttons(buttons))),
        }))
    }

    /// True where others are known to be in a conversation: an approval would be refused.
    async fn is_crowded(&self, at: &Installation, place: &Place) -> Result<bool> {
        let whole = Place {
            outsiders: place.outsiders,
            ..conversation_at(&place.conversation)
        };
        match self.outsiders(at, &whole, LOOK_UPS).await {
            Ok(Outsiders::Some(_)) => Ok(true),
            // Whoever approves is told, if it is so.
            Ok(Outsiders::None | Outsiders::Unknown(_)) => Ok(false),
            Err(NotYet::Wait(_) | NotYet::Again(_) | NotYet::Disabled) => Ok(false),
            Err(NotYet::Failed(error)) => Err(error),
        }
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

/// Keeps that somebody asked and wants to hear of a decision, and tells admins of it at most once a day,
/// in the caller's transaction.
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
    services
        .assistants
        .note_asker(tx, at.org, at.id, conversation, by)
        .await?;
    let Some(notice) = notice else { return Ok(()) };
    let subject = format!("conversation/{conversation}");
    tell_admins(services, tx, at, &subject, DAY, notice).await
}

pub(super) async fn tell_admins(
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
        Closed::SharedOff => refusals::shared_off(assistant),
        Closed::Undecided => refusals::not_approved(assistant, conversation),
        Closed::Declined => refusals::declined(assistant),
        Closed::Suspended(reason) => refusals::suspended(assistant, reason.as_deref()),
        Closed::Crowded(audience) => refusals::not_approvable(assistant, audience),
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

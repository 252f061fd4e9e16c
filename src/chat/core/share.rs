//! Sharing: the question of a private answer is asked again in a shared conversation, under all of its rules. The
//! private answer and the context it used are never shared.
//!
//! The person must be in the conversation, and it must be approved and without outsiders, as for every question asked
//! there. The question of one answer can be shared once in each conversation.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::json;

use crate::analysis::request::{Admitted, RunRequest};
use crate::assistants::deliveries::service::Outgoing;
use crate::assistants::model::{Assistant, DeliveryKind, Installation, Part, Place, PlaceKind, Say, Target};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::DeliveryId;
use crate::base::text::shortened;
use crate::chat::core::analyst::tone_and_selection;
use crate::chat::core::deferred::{Deferred, unless_final};
use crate::chat::core::interaction::MemberPress;
use crate::chat::core::notices::{Wanted, approval_request, conversation_label, refusal_text};
use crate::chat::core::platform::{Failure, LookupResult, Obstacle};
use crate::chat::core::post_ids::shared_question_id;
use crate::chat::core::rules::{principal_of, shared_place};
use crate::chat::core::say;
use crate::chat::core::stop::session_origin;
use crate::sessions::model::{Audience, Message, Status, Which};

/// Longest part of a question that is quoted in the conversation; all of it is answered.
const MAX_QUOTE: usize = 2_000;
/// How long a question that was being posted may still appear, and how often it is looked for.
const SETTLE_TIME: TimeDelta = TimeDelta::seconds(20);
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(3);
/// A time for people.
const TIME_FORMAT: &str = "%-d %b %Y, %H:%M UTC";

/// The post of the question, in whose thread it is answered.
enum QuestionPost {
    /// The platform's id of it.
    Posted(String),
    /// It may have been posted, but we cannot check.
    Unknown,
    Failed(Failure),
}

/// Asks the question of a private answer again in the conversation that the person chose.
pub(super) async fn share_question(
    by_member: &MemberPress<'_>,
    delivery: DeliveryId,
) -> Result<(), Deferred> {
    let context = by_member.context;
    let (interaction, press) = (context.interaction, context.press);
    let at = interaction.at;
    let Some(message) = by_member.answered_message(delivery).await? else {
        return Ok(context.reply(say::not_found()).await?);
    };
    let Some(conversation) = press.conversation.clone().filter(|id| !id.starts_with('D')) else {
        return Ok(context.reply(say::share_where()).await?);
    };
    let place = shared_place(&conversation);
    // First, so that a person who is not in the conversation learns nothing about it.
    if !by_member.is_in(&place).await? {
        return Ok(context.reply(say::not_in_there()).await?);
    }
    let assistants = &interaction.services().assistants;
    let assistant = assistants.assistant(at.org, at.assistant).await?;
    let conversations = &interaction.services().conversations;
    if let Some(when) = conversations.shared_at(at.org, message.id, &conversation).await? {
        let label = by_member.label(&place).await?;
        let text = say::shared_already(&label, &when.format(TIME_FORMAT).to_string());
        return Ok(context.reply(text).await?);
    }
    if !by_member.assistant_may_be_in(&place).await? {
        let label = by_member.label(&place).await?;
        return Ok(context
            .reply(say::share_uninvited(&assistant.name, &label))
            .await?);
    }
    let refusal = interaction
        .rules
        .check_conversation(at, &assistant, &place, interaction.claim.tries)
        .await?;
    if let Some(refusal) = refusal {
        let request = approval_request(
            interaction.rules,
            at,
            &assistant,
            &place,
            &press.sender,
            (&refusal, Wanted::Share),
        );
        let request = request.await?;
        let why = refusal_text(refusal, &assistant.name, &place.conversation);
        let reply = context.private(say::not_shared(&why));
        return Ok(interaction.finish_and_request(vec![reply], request).await?);
    }
    let root = match by_member.post_question(&place, &message).await? {
        QuestionPost::Posted(root) => root,
        QuestionPost::Unknown => return Ok(context.reply(say::share_unseen()).await?),
        QuestionPost::Failed(failure) => {
            tracing::info!(installation = %at.id, %failure, "a question could not be shared");
            return Ok(context.reply(say::share_failed()).await?);
        }
    };
    let there = Place {
        thread: root.clone(),
        message: root,
        ..place
    };
    Ok(by_member.ask(&assistant, message, there).await?)
}

impl MemberPress<'_> {
    fn at(&self) -> &Installation {
        self.context.interaction.at
    }

    /// The question behind an answer that the person got in a direct conversation.
    async fn answered_message(&self, delivery: DeliveryId) -> Result<Option<Message>> {
        let (interaction, press) = (self.context.interaction, self.context.press);
        let Some(found) = interaction.find_delivery(delivery).await? else {
            return Ok(None);
        };
        let own = found.kind == DeliveryKind::Answer
            && found.target.place.kind == PlaceKind::Direct
            && found.target.sender == press.sender;
        let Some(message) = found.message.filter(|_| own) else {
            return Ok(None);
        };
        let sessions = &interaction.services().sessions;
        let message = sessions.message(interaction.at.org, message).await?;
        let answered = message.status == Status::Completed && message.user_id == self.member.user_id;
        Ok(Some(message).filter(|_| answered))
    }

    /// Whether the person is in the conversation; false where that cannot be looked up.
    async fn is_in(&self, place: &Place) -> Result<bool, Deferred> {
        let at = self.at();
        let platform = self.context.interaction.rules.chat.platform(at.kind())?;
        match platform.sender_is_in(at, place, &self.context.press.sender).await {
            Ok(is_in) => Ok(is_in),
            Err(failure) => {
                let failure = self.unless_final(failure).await?;
                tracing::info!(installation = %at.id, %failure, "members of a conversation could not be looked up");
                Ok(false)
            }
        }
    }

    /// False where the assistant is known not to be in the conversation.
    async fn assistant_may_be_in(&self, place: &Place) -> Result<bool, Deferred> {
        let at = self.at();
        let platform = self.context.interaction.rules.chat.platform(at.kind())?;
        match platform.assistant_is_in(at, place).await {
            Ok(is_in) => Ok(is_in),
            Err(failure) => {
                let failure = self.unless_final(failure).await?;
                Ok(failure.obstacle() != Some(Obstacle::NotMember))
            }
        }
    }

    async fn unless_final(&self, failure: Failure) -> Result<Failure, Deferred> {
        let interaction = self.context.interaction;
        let installations = &interaction.services().installations;
        unless_final(installations, interaction.at, failure, interaction.claim.tries).await
    }

    /// The conversation's name with its id.
    async fn label(&self, place: &Place) -> Result<String> {
        let at = self.at();
        let platform = self.context.interaction.rules.chat.platform(at.kind())?;
        let name = platform.conversation_name(at, place).await;
        Ok(conversation_label(&place.conversation, &name.unwrap_or_default()))
    }

    /// Posts the question once: where an earlier attempt may have posted it and we cannot check, not again.
    async fn post_question(&self, place: &Place, message: &Message) -> Result<QuestionPost, Deferred> {
        let (interaction, press) = (self.context.interaction, self.context.press);
        let (at, claim) = (interaction.at, interaction.claim);
        let platform = interaction.rules.chat.platform(at.kind())?;
        let target = Target {
            sender: press.sender.clone(),
            place: place.clone(),
        };
        let id = shared_question_id(interaction.id);
        if let Some(since) = interaction.posting_since {
            match platform.find_post(at, &target, id).await {
                Ok(LookupResult::Found(receipt)) => return Ok(QuestionPost::Posted(receipt)),
                Ok(LookupResult::Absent) if claim.claimed_at - since < SETTLE_TIME => {
                    return Err(Deferred::Wait(LOOK_AGAIN_AFTER));
                }
                Ok(LookupResult::Absent) => {}
                Ok(LookupResult::Unreadable) => return Ok(QuestionPost::Unknown),
                Err(failure) => return self.unless_final(failure).await.map(|_| QuestionPost::Unknown),
            }
        }
        let name = match platform.identify(at, &press.sender).await {
            Ok(identity) => identity.name,
            Err(failure) => return self.unless_final(failure).await.map(QuestionPost::Failed),
        };
        let inbox = &interaction.services().inbox;
        inbox.record_posting(claim, interaction.id, true).await?;
        let question = quoted_question(&name, &message.question);
        match platform.post(at, &target, id, &question).await {
            Ok(receipt) => Ok(QuestionPost::Posted(receipt)),
            Err(failure) if failure.is_ambiguous() => {
                self.unless_final(failure).await.map(|_| QuestionPost::Unknown)
            }
            Err(failure) => {
                // Nothing was posted, so the next attempt does not have to look for it.
                inbox.record_posting(claim, interaction.id, false).await?;
                self.unless_final(failure).await.map(QuestionPost::Failed)
            }
        }
    }

    /// Asks the question in a new session, without the context of the private one.
    async fn ask(&self, assistant: &Assistant, message: Message, there: Place) -> Result<()> {
        let (context, interaction) = (self.context, self.context.interaction);
        let (at, services) = (interaction.at, interaction.services());
        let principal = principal_of(at, self.member);
        let (tone, selection) = tone_and_selection(services, &principal, at, assistant, &there).await?;
        let request = RunRequest {
            question: message.question.clone(),
            session: Which::Origin {
                origin: session_origin(at.id, &there, self.member.user_id),
                audience: Audience::Shared,
            },
            organisation_safe: true,
            tone,
            fast: false,
            selection,
            ..RunRequest::default()
        };
        let label = self.label(&there).await?;
        let answer = Outgoing {
            kind: DeliveryKind::Answer,
            target: Target {
                sender: context.press.sender.clone(),
                place: there.clone(),
            },
            say: None,
            ..context.private(Say::default())
        };
        let reply = context.private(say::sharing(&label));
        let (conversation, shared) = (there.conversation.clone(), message.id);
        let (in_tx, claim, id) = (services.clone(), interaction.claim.clone(), interaction.id);
        let asked = services.db.write(move |tx| {
            let (services, claim, request) = (in_tx.clone(), claim.clone(), request.clone());
            let (answer, reply) = (answer.clone(), reply.clone());
            let conversation = conversation.clone();
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                let conversations = &services.conversations;
                let deliveries = &services.deliveries;
                let inbox = &services.inbox;
                inbox.finish_interaction(tx, claim.org, id).await?;
                let Admitted { run, message, .. } = Admitted::draft();
                let then = deliveries.prepare_answer(tx, claim.org, answer, message).await?;
                deliveries.add_placeholder(tx, claim.org, &then).await?;
                services
                    .analysis
                    .admit_in(tx, &principal, &request, run, message, Some(then))
                    .await?;
                conversations
                    .record_share(tx, claim.org, shared, &conversation)
                    .await?;
                let details = json!({ "conversation": conversation, "asked": message });
                let (actor, subject) = (Actor::from(&principal), shared.to_string());
                audit::add(tx, claim.org, actor, "answer.shared", &subject, details).await?;
                deliveries.add(tx, claim.org, reply).await?;
                Ok(())
            })
        });
        match asked.await {
            Ok(()) => Ok(()),
            Err(error @ (Error::Stale | Error::Busy { .. } | Error::Internal(_))) => Err(error),
            // The posted question is updated to say that it is not answered.
            Err(error) => {
                let unanswered = Outgoing {
                    kind: DeliveryKind::Replace,
                    target: Target {
                        sender: context.press.sender.clone(),
                        place: there,
                    },
                    ..context.private(say::shared_unanswered())
                };
                let why = context.private(say::refusal(&error));
                interaction.finish(vec![unanswered, why]).await
            }
        }
    }
}

/// Who asked what, for everyone in the conversation.
fn quoted_question(name: &str, question: &str) -> Say {
    let name: String = name.chars().filter(|sign| !"*_`~[]<>".contains(*sign)).collect();
    let question = shortened(question.trim(), MAX_QUOTE);
    let quoted: Vec<String> = question.lines().map(|line| format!("> {line}")).collect();
    Say {
        text: format!("{name} asked: {question}"),
        parts: vec![Part::Markdown(format!("{name} asked:\n{}", quoted.join("\n")))],
    }
}

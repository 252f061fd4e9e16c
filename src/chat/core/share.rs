//! Sharing safely: the question of a private answer asked again in a shared conversation, under all of
//! its rules. The private answer itself never leaves its place, nor does anything it rests on.
//!
//! Whoever shares must be in the conversation; it must be approved and free of outsiders, as for every
//! question asked there. The question of an answer stands in a conversation once.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::json;

use crate::accounts::model::Membership;
use crate::analysis::request::{Admitted, RunRequest};
use crate::assistants::interaction::Press;
use crate::assistants::model::{
    Act, Assistant, Button, DeliveryKind, Installation, Part, Place, PlaceKind, Say, Style, Target,
};
use crate::assistants::turns::Outgoing;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::DeliveryId;
use crate::base::text::shortened;
use crate::chat::core::authorize::{LOOK_UPS, NotYet, conversation_at, principal_of};
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::deliver::DeliveryContext;
use crate::chat::core::interactions::{InteractionContext, private};
use crate::chat::core::notices::{Wish, named, reason};
use crate::chat::core::platform::{Failure, LookupResult, Obstacle};
use crate::chat::core::post_ids::shared_question_id;
use crate::chat::core::say;
use crate::chat::core::stop::origin;
use crate::sessions::model::Which;
use crate::sessions::model::{Audience, Message, Status};

/// Longest part of a question that is repeated in the conversation; the whole of it is answered.
const QUOTED: usize = 2_000;
/// How long after a question was begun to be posted it may yet appear, and how often it is looked for.
const SETTLING: TimeDelta = TimeDelta::seconds(20);
const LOOK_AGAIN: Duration = Duration::from_secs(3);
/// A time as people read it.
const SHOWN: &str = "%-d %b %Y, %H:%M UTC";

impl Chat {
    /// What stands beneath a finished answer.
    pub(super) async fn beneath(&self, context: &DeliveryContext<'_>, mut say: Say) -> Result<Say> {
        let (at, delivery) = (context.at, context.delivery);
        let assistants = &self.services.assistants;
        if delivery.target.place.kind == PlaceKind::Direct
            && assistants.assistant(at.org, at.assistant).await?.shared_enabled
        {
            let share = Button {
                label: "Share to a channel…".to_owned(),
                act: Act::Share {
                    delivery: delivery.id,
                },
                style: Style::Plain,
            };
            say = say.with(Part::Buttons(vec![share]));
        }
        Ok(say.with(Part::Feedback(delivery.id)))
    }

    pub(super) async fn shared(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: &Membership,
        delivery: DeliveryId,
    ) -> Result<(), NotYet> {
        let at = context.at;
        let refused = |why: Say| vec![private(at, press, why)];
        let Some(message) = self.shareable(context, press, member, delivery).await? else {
            return Ok(self.close(context, refused(say::not_found())).await?);
        };
        let Some(conversation) = press.conversation.clone().filter(|id| !id.starts_with('D')) else {
            return Ok(self.close(context, refused(say::share_where())).await?);
        };
        let place = conversation_at(&conversation);
        // Before anything is said of the conversation: who is not in it learns nothing of it.
        if !self.is_in(context, press, &place).await? {
            return Ok(self.close(context, refused(say::not_in_there())).await?);
        }
        let assistants = &self.services.assistants;
        let assistant = assistants.assistant(at.org, at.assistant).await?;
        if let Some(when) = assistants.shared_at(at.org, message.id, &conversation).await? {
            let name = self.called(at, &place).await?;
            let told = refused(say::shared_already(&name, &when.format(SHOWN).to_string()));
            return Ok(self.close(context, told).await?);
        }
        if !self.could_speak(context, &place).await? {
            let name = self.called(at, &place).await?;
            let told = refused(say::share_uninvited(&assistant.name, &name));
            return Ok(self.close(context, told).await?);
        }
        if let Some(closed) = self.closed(at, &assistant, &place, context.claim.tries).await? {
            let asked = self
                .asked_in(at, &assistant, &place, &press.sender, (&closed, Wish::Share))
                .await?;
            let why = reason(closed, &assistant.name, &place.conversation);
            return Ok(self
                .close_and_ask(context, refused(say::not_shared(&why)), asked)
                .await?);
        }
        let root = match self.root(context, press, &place, &message).await? {
            Root::Posted(root) => root,
            Root::Unseen => return Ok(self.close(context, refused(say::share_unseen())).await?),
            Root::Refused(failure) => {
                tracing::info!(installation = %at.id, %failure, "a question could not be shared");
                return Ok(self.close(context, refused(say::share_failed())).await?);
            }
        };
        let there = Place {
            thread: root.clone(),
            message: root,
            ..place
        };
        Ok(self
            .ask_there(context, press, member, &assistant, message, there)
            .await?)
    }

    /// The question behind an answer that the presser got privately.
    async fn shareable(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: &Membership,
        delivery: DeliveryId,
    ) -> Result<Option<Message>> {
        let Some(found) = self.delivery_of(context, delivery).await? else {
            return Ok(None);
        };
        let own = found.kind == DeliveryKind::Answer
            && found.target.place.kind == PlaceKind::Direct
            && found.target.sender == press.sender;
        let Some(message) = found.message.filter(|_| own) else {
            return Ok(None);
        };
        let message = self.services.sessions.message(context.at.org, message).await?;
        let answered = message.status == Status::Completed && message.user_id == member.user_id;
        Ok(Some(message).filter(|_| answered))
    }

    /// Whether the presser is in the conversation; not, where that cannot be seen.
    async fn is_in(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        place: &Place,
    ) -> Result<bool, NotYet> {
        let (at, tries) = (context.at, context.claim.tries);
        match self
            .platform(at.kind())?
            .has_member(at, place, &press.sender)
            .await
        {
            Ok(is_in) => Ok(is_in),
            Err(failure) => {
                let failure = self.again(at, failure, tries).await?;
                tracing::info!(installation = %at.id, %failure, "who is in a conversation could not be seen");
                Ok(false)
            }
        }
    }

    /// False where the assistant is known not to be in the conversation.
    async fn could_speak(&self, context: &InteractionContext<'_>, place: &Place) -> Result<bool, NotYet> {
        let (at, tries) = (context.at, context.claim.tries);
        match self.platform(at.kind())?.is_in(at, place).await {
            Ok(is_in) => Ok(is_in),
            Err(failure) => {
                let failure = self.again(at, failure, tries).await?;
                Ok(failure.obstacle() != Some(Obstacle::NotMember))
            }
        }
    }

    /// A conversation as people know it.
    async fn called(&self, at: &Installation, place: &Place) -> Result<String> {
        let name = self.platform(at.kind())?.place_name(at, place).await;
        Ok(named(&place.conversation, &name.unwrap_or_default()))
    }

    /// The message under which the answer will stand, made once: where an earlier attempt may have made
    /// it and nobody can look, no other is made.
    async fn root(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        place: &Place,
        message: &Message,
    ) -> Result<Root, NotYet> {
        let (at, tries) = (context.at, context.claim.tries);
        let platform = self.platform(at.kind())?;
        let target = Target {
            sender: press.sender.clone(),
            place: place.clone(),
        };
        let id = shared_question_id(context.id);
        if let Some(since) = context.posting_since {
            match platform.find(at, &target, id).await {
                Ok(LookupResult::Found(receipt)) => return Ok(Root::Posted(receipt)),
                Ok(LookupResult::Absent) if context.claim.claimed_at - since < SETTLING => {
                    return Err(NotYet::Wait(LOOK_AGAIN));
                }
                Ok(LookupResult::Absent) => {}
                Ok(LookupResult::Unreadable) => return Ok(Root::Unseen),
                Err(failure) => return self.again(at, failure, tries).await.map(|_| Root::Unseen),
            }
        }
        let name = match platform.identify(at, &press.sender).await {
            Ok(identity) => identity.name,
            Err(failure) => return self.again(at, failure, tries).await.map(Root::Refused),
        };
        let (assistants, claim) = (&self.services.assistants, context.claim);
        assistants.note_posting(claim, context.id, true).await?;
        let asked = asked_by(&name, &message.question);
        match platform.post(at, &target, id, &asked).await {
            Ok(receipt) => Ok(Root::Posted(receipt)),
            Err(failure @ (Failure::Ambiguous(_) | Failure::Late(_))) => {
                self.again(at, failure, tries).await.map(|_| Root::Unseen)
            }
            Err(failure) => {
                // Nothing stands there, so nothing has to be looked for.
                assistants.note_posting(claim, context.id, false).await?;
                self.again(at, failure, tries).await.map(Root::Refused)
            }
        }
    }

    /// What is worth another attempt waits for it; the failure itself where it is final.
    async fn again(&self, at: &Installation, failure: Failure, tries: i64) -> Result<Failure, NotYet> {
        match failure {
            Failure::Wait(wait) => Err(NotYet::Wait(wait)),
            Failure::Disabled(because) | Failure::Expired(because) => {
                self.services.assistants.disable(at, &because).await?;
                Err(NotYet::Disabled)
            }
            Failure::Away(_) | Failure::Ambiguous(_) | Failure::Late(_) if tries < LOOK_UPS => {
                Err(NotYet::Again(pause(tries)))
            }
            failure => Ok(failure),
        }
    }

    /// Asks the question afresh, in a session that knows nothing of the private one.
    async fn ask_there(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: &Membership,
        assistant: &Assistant,
        message: Message,
        there: Place,
    ) -> Result<()> {
        let at = context.at;
        let principal = principal_of(at, member);
        let (tone, selection) = self.manner(&principal, at, assistant, &there).await?;
        let request = RunRequest {
            question: message.question.clone(),
            session: Which::Origin {
                origin: origin(at.id, &there, member.user_id),
                audience: Audience::Shared,
            },
            organisation_safe: true,
            tone,
            fast: false,
            selection,
            ..RunRequest::default()
        };
        let name = self.called(at, &there).await?;
        let answer = Outgoing {
            kind: DeliveryKind::Answer,
            target: Target {
                sender: press.sender.clone(),
                place: there.clone(),
            },
            say: None,
            ..private(at, press, Say::default())
        };
        let told = private(at, press, say::sharing(&name));
        let (conversation, shared) = (there.conversation.clone(), message.id);
        let (services, claim, id) = (self.services.clone(), context.claim.clone(), context.id);
        let asked = self.services.db.write(move |tx| {
            let (services, claim, request) = (services.clone(), claim.clone(), request.clone());
            let (answer, told) = (answer.clone(), told.clone());
            let conversation = conversation.clone();
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                let assistants = &services.assistants;
                assistants.done(tx, claim.org, id).await?;
                let Admitted { run, message, .. } = Admitted::draft();
                let then = assistants.prepare_answer(tx, claim.org, answer, message).await?;
                assistants.announce(tx, claim.org, &then).await?;
                services
                    .analysis
                    .admit_in(tx, &principal, &request, run, message, Some(then))
                    .await?;
                assistants
                    .note_share(tx, claim.org, shared, &conversation)
                    .await?;
                let details = json!({ "conversation": conversation, "asked": message });
                let (actor, subject) = (Actor::from(&principal), shared.to_string());
                audit::add(tx, claim.org, actor, "answer.shared", &subject, details).await?;
                assistants.say(tx, claim.org, told).await?;
                Ok(())
            })
        });
        match asked.await {
            Ok(()) => Ok(()),
            Err(error @ (Error::Stale | Error::Busy { .. } | Error::Internal(_))) => Err(error),
            // The question stands there already, and is not to wait for an answer.
            Err(error) => {
                let unanswered = Outgoing {
                    kind: DeliveryKind::Replace,
                    target: Target {
                        sender: press.sender.clone(),
                        place: there,
                    },
                    ..private(at, press, say::shared_unanswered())
                };
                let why = private(at, press, say::refusal(&error));
                self.close(context, vec![unanswered, why]).await
            }
        }
    }
}

/// What became of the message under which the answer will stand.
enum Root {
    /// The platform's id of it.
    Posted(String),
    /// It may stand there, but nobody can see it.
    Unseen,
    Refused(Failure),
}

/// Who asked what, so that everyone in the conversation can follow.
fn asked_by(name: &str, question: &str) -> Say {
    let name: String = name.chars().filter(|sign| !"*_`~[]<>".contains(*sign)).collect();
    let question = shortened(question.trim(), QUOTED);
    let quoted: Vec<String> = question.lines().map(|line| format!("> {line}")).collect();
    Say {
        text: format!("{name} asked: {question}"),
        parts: vec![Part::Markdown(format!("{name} asked:\n{}", quoted.join("\n")))],
    }
}

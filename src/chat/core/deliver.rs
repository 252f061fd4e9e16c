//! Saying it: each delivery reaches its place once, whatever the platform does.
//!
//! Before a post the row says `posting`. Whoever finds it so looks for the post before making
//! another; an answer is a placeholder first and then an update, which may be repeated. At worst
//! a second placeholder appears, never a second answer.

use std::sync::Arc;
use std::time::Duration;

use crate::analysis::service::Stop;
use crate::assistants::model::{
    Delivery, DeliveryKind, DeliveryState, Installation, InstallationState, PlaceKind, Say, Target,
};
use crate::assistants::turns::{may_have_posted, payload_id};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::Chat;
use crate::chat::core::files::origin;
use crate::chat::core::platform::{Failure, LookupResult, Obstacle, OutFile, Platform};
use crate::chat::core::post_ids::answer_id;
use crate::chat::core::say;
use crate::queue::job::{Claim, Done, GaveUp};
use crate::sessions::model::{Message, Status};

/// One delivery on its way, with all that is needed for it.
pub(super) struct DeliveryContext<'a> {
    pub(super) claim: &'a Claim,
    pub(super) at: &'a Installation,
    pub(super) platform: &'a Arc<dyn Platform>,
    pub(super) delivery: &'a Delivery,
}

/// Why a delivery is not done.
pub(super) enum Stopped {
    /// It is not its time: again after this time.
    Later(Duration),
    /// Tried in vain: again after this time.
    Again(Duration),
    /// Again once the rights are back.
    Disabled,
    /// Never: with the platform's word.
    Never(String),
    Fault(crate::base::error::Error),
}

impl From<crate::base::error::Error> for Stopped {
    fn from(error: crate::base::error::Error) -> Self {
        Self::Fault(error)
    }
}

impl Chat {
    /// Handles a `chat.deliver` job.
    pub async fn deliver(&self, claim: Claim) -> Result<Done> {
        let id: DeliveryId = payload_id(&claim.payload, "delivery")?;
        let delivery = self.services.assistants.delivery(claim.org, id).await?;
        if matches!(delivery.state, DeliveryState::Delivered | DeliveryState::Failed) {
            return Ok(Done::Nothing);
        }
        let at = self
            .services
            .assistants
            .installation_by_id(claim.org, delivery.installation)
            .await?;
        if at.state != InstallationState::Active {
            // What is finished is kept until the rights are back, or its time is over.
            return self.until_reinstalled(&claim, &at).await;
        }
        let platform = self.platform(at.kind())?;
        let context = DeliveryContext {
            claim: &claim,
            at: &at,
            platform,
            delivery: &delivery,
        };
        match self.carry(&context).await {
            Ok(()) => self.end(&claim, id, DeliveryState::Delivered, None).await?,
            Err(Stopped::Later(wait)) => return Ok(Done::Later(wait)),
            Err(Stopped::Again(wait)) => return Ok(Done::Again(wait)),
            Err(Stopped::Disabled) => return self.until_reinstalled(&claim, &at).await,
            Err(Stopped::Never(why)) => {
                tracing::warn!(delivery = %id, installation = %at.id, why, "a delivery failed for good");
                self.end(&claim, id, DeliveryState::Failed, Some(why)).await?;
                self.notice_failure(&at, &delivery).await?;
            }
            Err(Stopped::Fault(error)) => return Err(error),
        }
        Ok(Done::Finished)
    }

    pub async fn give_up_delivery(&self, claim: Claim, why: GaveUp) -> Result<()> {
        let id: DeliveryId = payload_id(&claim.payload, "delivery")?;
        tracing::error!(delivery = %id, reason = why.code(), "a delivery was given up");
        self.end(&claim, id, DeliveryState::Failed, Some(why.code().to_owned()))
            .await?;
        let delivery = self.services.assistants.delivery(claim.org, id).await?;
        let at = self
            .services
            .assistants
            .installation_by_id(claim.org, delivery.installation)
            .await?;
        self.notice_failure(&at, &delivery).await
    }

    async fn end(
        &self,
        claim: &Claim,
        id: DeliveryId,
        state: DeliveryState,
        failure: Option<String>,
    ) -> Result<()> {
        self.services
            .assistants
            .advance(claim, id, state, None, failure)
            .await
    }

    async fn carry(&self, context: &DeliveryContext<'_>) -> Result<(), Stopped> {
        let delivery = context.delivery;
        match delivery.kind {
            DeliveryKind::Answer => self.answer(context).await,
            DeliveryKind::Replace => {
                let say = delivery.say.clone().unwrap_or_default();
                self.replace(context, &say).await
            }
            DeliveryKind::Reply => {
                let say = delivery.say.clone().unwrap_or_default();
                if self.is_closed(context, &delivery.target).await? {
                    return self
                        .or_directly(context, delivery.id, &say, Err(Failure::closed()))
                        .await;
                }
                self.post_here_or_directly(context, &say).await
            }
            DeliveryKind::Private => {
                let say = delivery.say.clone().unwrap_or_default();
                self.privately(context, &say).await
            }
            DeliveryKind::LinkPrompt => {
                let say = self.fresh_link(context).await?;
                if delivery.target.place.kind == PlaceKind::Direct {
                    return self.privately(context, &say).await;
                }
                self.prompt_in_shared(context, &say).await
            }
            DeliveryKind::Direct => {
                let say = delivery.say.clone().unwrap_or_default();
                self.post_directly(context, &say).await
            }
        }
    }

    async fn answer(&self, context: &DeliveryContext<'_>) -> Result<(), Stopped> {
        let Some(message) = context.delivery.message else {
            return Err(Stopped::Never("no_message".to_owned()));
        };
        let turn = self.services.sessions.message(context.claim.org, message).await?;
        // Nobody waits for an answer to what was deleted, unless there is a sign of it already.
        let withdrawn = turn.failure.as_deref() == Some(Stop::Withdrawn.code());
        if withdrawn && context.delivery.state == DeliveryState::Pending {
            return Ok(());
        }
        let said = match self.answer_of(context, &turn).await {
            Ok(say) => {
                let (say, made) = self.with_made(context, &turn, say).await?;
                self.place_then_update(context, &say, made).await
            }
            Err(stopped) => Err(stopped),
        };
        // Said or not: nothing is under way any more.
        if matches!(said, Ok(()) | Err(Stopped::Never(_))) {
            self.hide_progress(context.at, &context.delivery.target, &turn);
        }
        said
    }

    /// In the place of an earlier message of ours; where that cannot be, privately.
    async fn replace(&self, context: &DeliveryContext<'_>, say: &Say) -> Result<(), Stopped> {
        let target = &context.delivery.target;
        let replaced = self.replaced(context, target, &target.place.message, say).await;
        match replaced {
            Err(Failure::Gone(_) | Failure::Fixed(_)) => self.privately(context, say).await,
            Err(failure) if failure.obstacle().is_some() => self.privately(context, say).await,
            outcome => self.settled(context, outcome).await,
        }
    }

    async fn answer_of(&self, context: &DeliveryContext<'_>, turn: &Message) -> Result<Say, Stopped> {
        let (org, message, services) = (context.claim.org, turn.id, &self.services);
        if turn.status == Status::Failed {
            let code = turn.failure.as_deref();
            return Ok(say::failed(crate::analysis::completed::failure_text(code)));
        }
        let Some(answer) = services.analysis.answer_of(org, message).await? else {
            return Err(Stopped::Never("no_response".to_owned()));
        };
        let files = match context.delivery.inbox {
            Some(inbox) => services.files.of_origin(org, &origin(inbox)).await?,
            None => Vec::new(),
        };
        let say = say::answer(&answer, &files);
        // What asks back is no answer yet.
        if answer.success {
            return Ok(self.beneath(context, say).await?);
        }
        Ok(say)
    }

    /// A direct message, which can be found again, and a whisper in the place itself: an ephemeral
    /// message is lost on reload and not shown everywhere. Both bear the same link, whatever attempt
    /// made them.
    async fn prompt_in_shared(&self, context: &DeliveryContext<'_>, say: &Say) -> Result<(), Stopped> {
        match self.post_directly(context, say).await {
            Ok(()) => {
                let whispered = context
                    .platform
                    .whisper(context.at, &context.delivery.target, say)
                    .await;
                if let Err(failure) = whispered {
                    tracing::info!(delivery = %context.delivery.id, error = %failure, "a link was sent directly only");
                }
                Ok(())
            }
            // No direct message is possible: the whisper is the only way.
            Err(Stopped::Never(why)) => self.or_whispered(context, say, why).await,
            outcome => outcome,
        }
    }

    /// Placeholder, then update, then what does not fit into one message. Where the placeholder cannot
    /// become the answer, the answer is a post of its own, once.
    async fn place_then_update(
        &self,
        context: &DeliveryContext<'_>,
        say: &Say,
        made: Vec<OutFile>,
    ) -> Result<(), Stopped> {
        let mut placed = match self.placed(context, false).await {
            Ok(placed) => placed,
            Err(Stopped::Never(why)) => return self.or_whispered(context, say, why).await,
            Err(stopped) => return Err(stopped),
        };
        let mut pages = context.platform.pages(say);
        pages.files.extend(made);
        // Decided against since the placeholder was posted, or before it is sent again. What has begun
        // to follow the first message goes on elsewhere.
        if self.is_closed(context, &placed.target).await? {
            if self.has_followed(context).await? {
                return self.follow(context, &placed.target, &pages).await;
            }
            placed = match self.moved_out(context, &placed).await {
                Ok(moved) => moved,
                Err(Stopped::Never(why)) => return self.or_whispered(context, say, why).await,
                Err(stopped) => return Err(stopped),
            };
        }
        let first = pages.messages.first().unwrap_or(say);
        let shown = match placed.instead {
            Some(obstacle) => self.explained(context, obstacle, first).await?,
            None => first.clone(),
        };
        let id = answer_id(context.delivery.id);
        match self
            .replaced(context, &placed.target, &placed.receipt, &shown)
            .await
        {
            Ok(()) => {}
            Err(Failure::Gone(why)) => {
                tracing::info!(delivery = %context.delivery.id, why, "the placeholder is gone");
                self.without_placeholder(context, &placed.target, id, &shown)
                    .await?;
            }
            Err(Failure::Fixed(why) | Failure::Refused(why)) => {
                tracing::info!(delivery = %context.delivery.id, why, "the placeholder cannot be changed; the answer follows it");
                self.beside_placeholder(context, &placed.target, id, &shown)
                    .await?;
                self.take_back(context, &placed).await?;
            }
            Err(failure) if failure.obstacle().is_some() => {
                self.apart_from_placeholder(context, id, first, failure).await?;
                self.take_back(context, &placed).await?;
            }
            Err(failure) => return Err(self.stopped(context, failure).await?),
        }
        self.follow(context, &placed.target, &pages).await
    }

    pub(super) async fn post_once(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        say: &Say,
    ) -> Result<String, Failure> {
        self.post_as(context, target, context.delivery.id, say).await
    }

    /// Posts, bearing `id`, unless an earlier attempt did: looked for at the platform where that is
    /// not known.
    pub(super) async fn post_as(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        id: DeliveryId,
        say: &Say,
    ) -> Result<String, Failure> {
        let DeliveryContext {
            at,
            platform,
            delivery,
            claim,
        } = context;
        // A placeholder may stand there twice; nothing else may.
        let is_placeholder = delivery.kind == DeliveryKind::Answer && id == delivery.id;
        if delivery.state == DeliveryState::Posting || may_have_posted(claim) {
            match self.sought(context, target, id).await? {
                LookupResult::Found(receipt) => {
                    // It may have been said in simpler words, or with a reason that holds no more. Of an answer it is the placeholder, which a newer attempt may have replaced meanwhile.
                    if delivery.kind != DeliveryKind::Answer {
                        platform.update(at, target, &receipt, say).await?;
                    }
                    return Ok(receipt);
                }
                LookupResult::Unreadable if !is_placeholder && delivery.state == DeliveryState::Posting => {
                    let why = "it may stand there already, and nobody can look";
                    return Err(Failure::Elsewhere(Obstacle::Unsure, why.to_owned()));
                }
                LookupResult::Absent | LookupResult::Unreadable => {}
            }
        }
        if self.note(context, DeliveryState::Posting, None).await.is_err() {
            return Err(Failure::Away("the database is away".to_owned()));
        }
        let posted = self.posted(context, target, id, say).await;
        let certainly_not = matches!(posted, Err(Failure::Wait(_) | Failure::Away(_)));
        if certainly_not && delivery.state == DeliveryState::Pending {
            // Nothing has to be looked for next time. If this is not written, it is.
            let _ = self.note(context, DeliveryState::Pending, None).await;
        }
        posted
    }

    async fn post_here_or_directly(&self, context: &DeliveryContext<'_>, say: &Say) -> Result<(), Stopped> {
        let posted = self.post_once(context, &context.delivery.target, say).await;
        self.or_directly(context, context.delivery.id, say, posted.map(drop))
            .await
    }

    async fn post_directly(&self, context: &DeliveryContext<'_>, say: &Say) -> Result<(), Stopped> {
        let target = match context
            .platform
            .direct(context.at, &context.delivery.target)
            .await
        {
            Ok(target) => target,
            Err(failure) => return Err(self.stopped(context, failure).await?),
        };
        let posted = self.post_once(context, &target, say).await;
        self.settled(context, posted.map(drop)).await
    }

    /// So that only the sender sees it. Whether a whisper arrived nobody can look up: where that is not
    /// known it is said directly, which can be, and never whispered again.
    async fn privately(&self, context: &DeliveryContext<'_>, say: &Say) -> Result<(), Stopped> {
        let (target, delivery) = (&context.delivery.target, context.delivery);
        if target.place.conversation.is_empty() {
            return self.post_directly(context, say).await;
        }
        if target.place.kind == PlaceKind::Direct {
            return self.post_here_or_directly(context, say).await;
        }
        if delivery.state != DeliveryState::Posting {
            self.note(context, DeliveryState::Posting, None).await?;
            let whispered = self.whispered(context, say).await;
            if !matches!(whispered, Err(Failure::Ambiguous(_) | Failure::Late(_))) {
                let certainly_not = matches!(&whispered, Err(failure) if failure.obstacle().is_none());
                if certainly_not && delivery.state == DeliveryState::Pending {
                    self.note(context, DeliveryState::Pending, None).await?;
                }
                return self.or_directly(context, delivery.id, say, whispered).await;
            }
        }
        tracing::info!(delivery = %delivery.id, "whether a whisper arrived is not known; it is said directly");
        let say = self.explained(context, Obstacle::Unsure, say).await?;
        self.post_directly(context, &say).await
    }

    /// Makes the one-time link when it is sent: its token is never kept, and is the same for every attempt
    /// of a delivery, so that none leaves a dead one behind.
    async fn fresh_link(&self, context: &DeliveryContext<'_>) -> Result<Say, Stopped> {
        let DeliveryContext {
            at,
            platform,
            delivery,
            ..
        } = context;
        let who = &delivery.target.sender;
        let identity = match platform.identify(at, who).await {
            Ok(identity) => identity,
            Err(failure) => return Err(self.stopped(context, failure).await?),
        };
        let token = self
            .services
            .assistants
            .make_offer(at, delivery.id, who, &identity.name, &identity.team_name)
            .await?;
        let url = format!("{}/connect/{}", self.services.site.public_url, token.expose());
        Ok(say::link_prompt(&at.assistant_name, &url))
    }

    pub(super) async fn note(
        &self,
        context: &DeliveryContext<'_>,
        state: DeliveryState,
        receipt: Option<String>,
    ) -> Result<()> {
        self.services
            .assistants
            .advance(context.claim, context.delivery.id, state, receipt, None)
            .await
    }

    pub(super) async fn settled(
        &self,
        context: &DeliveryContext<'_>,
        outcome: Result<(), Failure>,
    ) -> Result<(), Stopped> {
        match outcome {
            Ok(()) => Ok(()),
            Err(failure) => Err(self.stopped(context, failure).await?),
        }
    }
}

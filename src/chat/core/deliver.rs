//! Saying it: each delivery reaches its place once, whatever the platform does.
//!
//! Before a post the row says `posting`. Whoever finds it so looks for the post before making
//! another; an answer is a placeholder first and then an update, which may be repeated. At worst
//! a second placeholder appears, never a second answer.

use std::sync::Arc;
use std::time::Duration;

use crate::assistants::model::{
    ConversationState, Delivery, DeliveryKind, DeliveryState, Installation, InstallationState, PlaceKind,
    Say, Target,
};
use crate::assistants::turns::payload_id;
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::platform::{Failure, Platform};
use crate::chat::core::say;
use crate::queue::job::{Claim, Done, GaveUp};
use crate::sessions::model::Status;

/// One delivery on its way, with all that is needed for it.
struct Errand<'a> {
    claim: &'a Claim,
    at: &'a Installation,
    platform: &'a Arc<dyn Platform>,
    delivery: &'a Delivery,
}

/// Why a delivery is not done.
enum Stopped {
    /// Again after this time.
    Later(Duration),
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
            self.end(
                &claim,
                id,
                DeliveryState::Failed,
                Some("installation_disabled".to_owned()),
            )
            .await?;
            return Ok(Done::Finished);
        }
        let platform = self.platform(at.platform)?;
        let errand = Errand {
            claim: &claim,
            at: &at,
            platform,
            delivery: &delivery,
        };
        match self.carry(&errand).await {
            Ok(()) => self.end(&claim, id, DeliveryState::Delivered, None).await?,
            Err(Stopped::Later(wait)) => return Ok(Done::Later(wait)),
            Err(Stopped::Never(why)) => {
                tracing::warn!(delivery = %id, installation = %at.id, why, "a delivery failed for good");
                self.end(&claim, id, DeliveryState::Failed, Some(why)).await?;
            }
            Err(Stopped::Fault(error)) => return Err(error),
        }
        Ok(Done::Finished)
    }

    pub async fn give_up_delivery(&self, claim: Claim, why: GaveUp) -> Result<()> {
        let id: DeliveryId = payload_id(&claim.payload, "delivery")?;
        tracing::error!(delivery = %id, reason = why.code(), "a delivery was given up");
        self.end(&claim, id, DeliveryState::Failed, Some(why.code().to_owned()))
            .await
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

    async fn carry(&self, errand: &Errand<'_>) -> Result<(), Stopped> {
        let delivery = errand.delivery;
        match delivery.kind {
            DeliveryKind::Answer => {
                let say = self.answer_of(errand).await?;
                self.place_then_update(errand, &say).await
            }
            DeliveryKind::Reply => {
                let say = delivery.say.clone().unwrap_or_default();
                self.post_here_or_directly(errand, &say).await
            }
            DeliveryKind::Private => {
                let say = delivery.say.clone().unwrap_or_default();
                self.privately(errand, &say).await
            }
            DeliveryKind::LinkPrompt => {
                let say = self.fresh_link(errand).await?;
                if delivery.target.place.kind == PlaceKind::Direct {
                    return self.privately(errand, &say).await;
                }
                self.prompt_in_shared(errand, &say).await
            }
            DeliveryKind::Direct => {
                let say = delivery.say.clone().unwrap_or_default();
                self.post_directly(errand, &say).await
            }
        }
    }

    async fn answer_of(&self, errand: &Errand<'_>) -> Result<Say, Stopped> {
        let (org, services) = (errand.claim.org, &self.services);
        let Some(message) = errand.delivery.message else {
            return Err(Stopped::Never("no_message".to_owned()));
        };
        let turn = services.sessions.message(org, message).await?;
        if turn.status == Status::Failed {
            let code = turn.failure.as_deref();
            return Ok(say::failed(crate::analysis::service::failure_text(code)));
        }
        let Some(answer) = services.analysis.answer_of(org, message).await? else {
            return Err(Stopped::Never("no_response".to_owned()));
        };
        let files = match errand.delivery.inbox {
            Some(inbox) => services.assistants.inboxed(org, inbox).await?.turn.files,
            None => Vec::new(),
        };
        Ok(say::answer(&answer, &files))
    }

    /// A direct message, which can be found again, and a whisper in the place itself: an ephemeral
    /// message is lost on reload and not shown everywhere. Repeated, only the direct message is
    /// renewed, so that the link people see is the one that works.
    async fn prompt_in_shared(&self, errand: &Errand<'_>, say: &Say) -> Result<(), Stopped> {
        let first = errand.delivery.state == DeliveryState::Pending && errand.claim.attempt == 1;
        match self.post_directly(errand, say).await {
            Ok(()) if first => {
                let whispered = errand
                    .platform
                    .whisper(errand.at, &errand.delivery.target, say)
                    .await;
                if let Err(failure) = whispered {
                    tracing::info!(delivery = %errand.delivery.id, error = %failure, "a link was sent directly only");
                }
                Ok(())
            }
            // No direct message is possible: the whisper is the only way.
            Err(Stopped::Never(_)) => {
                let whispered = errand
                    .platform
                    .whisper(errand.at, &errand.delivery.target, say)
                    .await;
                self.settled(errand, whispered).await
            }
            outcome => outcome,
        }
    }

    /// Placeholder, then update. Where the placeholder cannot become the answer, the answer is a
    /// post of its own, once.
    async fn place_then_update(&self, errand: &Errand<'_>, say: &Say) -> Result<(), Stopped> {
        let (target, receipt) = self.placed(errand).await?;
        match errand.platform.update(errand.at, &target, &receipt, say).await {
            Ok(()) => Ok(()),
            Err(Failure::Gone(why)) => {
                tracing::info!(delivery = %errand.delivery.id, why, "the placeholder is gone; another is made");
                self.note(errand, DeliveryState::Pending, None).await?;
                Err(Stopped::Later(pause(errand.claim.attempt)))
            }
            Err(Failure::Fixed(why)) => {
                tracing::info!(delivery = %errand.delivery.id, why, "the placeholder cannot be changed; the answer follows it");
                let posted = self
                    .post_as(errand, &target, answer_id(errand.delivery.id), say)
                    .await;
                match posted {
                    Err(Failure::Elsewhere(_) | Failure::Refused(_)) => {
                        self.answer_directly(errand, say).await
                    }
                    outcome => self.settled(errand, outcome.map(drop)).await,
                }
            }
            Err(Failure::Elsewhere(why) | Failure::Refused(why)) => {
                tracing::info!(delivery = %errand.delivery.id, why, "the place closed before the answer; it goes out directly");
                self.answer_directly(errand, say).await
            }
            Err(Failure::Content(why)) => {
                tracing::warn!(delivery = %errand.delivery.id, why, "an answer's layout was refused; its short form goes out");
                let short = Say::plain(say.text.clone());
                self.settled(
                    errand,
                    errand.platform.update(errand.at, &target, &receipt, &short).await,
                )
                .await
            }
            Err(failure) => self.settled(errand, Err(failure)).await,
        }
    }

    async fn answer_directly(&self, errand: &Errand<'_>, say: &Say) -> Result<(), Stopped> {
        let target = match errand.platform.direct(errand.at, &errand.delivery.target).await {
            Ok(target) => target,
            Err(failure) => return Err(self.stopped(errand, failure).await?),
        };
        let posted = self
            .post_as(errand, &target, answer_id(errand.delivery.id), say)
            .await;
        self.settled(errand, posted.map(drop)).await
    }

    /// True unless the conversation was closed since its turn was decided.
    async fn is_still_open(&self, errand: &Errand<'_>) -> Result<bool> {
        let (at, place) = (errand.at, &errand.delivery.target.place);
        if place.kind == PlaceKind::Direct {
            return Ok(true);
        }
        let assistants = &self.services.assistants;
        let state = assistants
            .conversation(at.org, at.id, &place.conversation)
            .await?;
        let enabled = assistants.assistant(at.org, at.assistant).await?.shared_enabled;
        Ok(enabled && state == Some(ConversationState::Approved))
    }

    /// The placeholder's place and receipt, made if it is not there.
    async fn placed(&self, errand: &Errand<'_>) -> Result<(Target, String), Stopped> {
        let Errand {
            at,
            platform,
            delivery,
            ..
        } = errand;
        let here = &delivery.target;
        if let (DeliveryState::Placed, Some(receipt)) = (delivery.state, &delivery.receipt) {
            // A direct message's place is not the turn's: the receipt says which.
            return Ok(unpacked(here, receipt));
        }
        let posted = if self.is_still_open(errand).await? {
            self.post_once(errand, here, &say::placeholder()).await
        } else {
            Err(Failure::Elsewhere(
                "the conversation is not approved any more".to_owned(),
            ))
        };
        let target = match posted {
            Ok(receipt) => return self.kept(errand, here, receipt).await,
            Err(Failure::Elsewhere(why) | Failure::Refused(why)) => {
                tracing::info!(delivery = %delivery.id, why, "an answer cannot be given in its place; it goes out directly");
                match platform.direct(at, here).await {
                    Ok(target) => target,
                    Err(failure) => return Err(self.stopped(errand, failure).await?),
                }
            }
            Err(failure) => return Err(self.stopped(errand, failure).await?),
        };
        match self.post_once(errand, &target, &say::placeholder()).await {
            Ok(receipt) => self.kept(errand, &target, receipt).await,
            Err(failure) => Err(self.stopped(errand, failure).await?),
        }
    }

    async fn kept(
        &self,
        errand: &Errand<'_>,
        target: &Target,
        receipt: String,
    ) -> Result<(Target, String), Stopped> {
        let packed = packed(&errand.delivery.target, target, &receipt);
        self.note(errand, DeliveryState::Placed, Some(packed)).await?;
        Ok((target.clone(), receipt))
    }

    async fn post_once(&self, errand: &Errand<'_>, target: &Target, say: &Say) -> Result<String, Failure> {
        self.post_as(errand, target, errand.delivery.id, say).await
    }

    /// Posts, bearing `id`, unless an earlier attempt did: looked for at the platform where that is
    /// not known.
    async fn post_as(
        &self,
        errand: &Errand<'_>,
        target: &Target,
        id: DeliveryId,
        say: &Say,
    ) -> Result<String, Failure> {
        let Errand {
            at,
            platform,
            delivery,
            claim,
        } = errand;
        let begun = delivery.state == DeliveryState::Posting || claim.attempt > 1;
        if begun && let Some(receipt) = platform.find(at, target, id).await? {
            // What it says may have changed since: a connection link is made anew by each attempt.
            // Of an answer it is the placeholder, which a newer attempt may have replaced meanwhile.
            if delivery.kind != DeliveryKind::Answer {
                platform.update(at, target, &receipt, say).await?;
            }
            return Ok(receipt);
        }
        if self.note(errand, DeliveryState::Posting, None).await.is_err() {
            return Err(Failure::Away("the database is away".to_owned()));
        }
        platform.post(at, target, id, say).await
    }

    async fn post_here_or_directly(&self, errand: &Errand<'_>, say: &Say) -> Result<(), Stopped> {
        match self.post_once(errand, &errand.delivery.target, say).await {
            Err(Failure::Elsewhere(_) | Failure::Refused(_)) => self.post_directly(errand, say).await,
            outcome => self.settled(errand, outcome.map(drop)).await,
        }
    }

    async fn post_directly(&self, errand: &Errand<'_>, say: &Say) -> Result<(), Stopped> {
        let target = match errand.platform.direct(errand.at, &errand.delivery.target).await {
            Ok(target) => target,
            Err(failure) => return Err(self.stopped(errand, failure).await?),
        };
        let posted = self.post_once(errand, &target, say).await;
        self.settled(errand, posted.map(drop)).await
    }

    /// So that only the sender sees it.
    async fn privately(&self, errand: &Errand<'_>, say: &Say) -> Result<(), Stopped> {
        let target = &errand.delivery.target;
        if target.place.kind == PlaceKind::Direct {
            let posted = self.post_once(errand, target, say).await;
            return self.settled(errand, posted.map(drop)).await;
        }
        match errand.platform.whisper(errand.at, target, say).await {
            Err(Failure::Elsewhere(_) | Failure::Refused(_)) => self.post_directly(errand, say).await,
            outcome => self.settled(errand, outcome).await,
        }
    }

    /// Makes the one-time link when it is sent: its token is never kept.
    async fn fresh_link(&self, errand: &Errand<'_>) -> Result<Say, Stopped> {
        let Errand {
            at,
            platform,
            delivery,
            ..
        } = errand;
        let who = &delivery.target.sender;
        let identity = match platform.identify(at, who).await {
            Ok(identity) => identity,
            Err(failure) => return Err(self.stopped(errand, failure).await?),
        };
        let token = self
            .services
            .assistants
            .make_offer(at, who, &identity.name, &identity.team_name)
            .await?;
        let url = format!("{}/connect/{}", self.services.site.public_url, token.expose());
        Ok(say::link_prompt(&at.assistant_name, &url))
    }

    async fn note(&self, errand: &Errand<'_>, state: DeliveryState, receipt: Option<String>) -> Result<()> {
        self.services
            .assistants
            .advance(errand.claim, errand.delivery.id, state, receipt, None)
            .await
    }

    async fn settled(&self, errand: &Errand<'_>, outcome: Result<(), Failure>) -> Result<(), Stopped> {
        match outcome {
            Ok(()) => Ok(()),
            Err(failure) => Err(self.stopped(errand, failure).await?),
        }
    }

    /// What a failure means for the delivery. Every variant decides.
    async fn stopped(&self, errand: &Errand<'_>, failure: Failure) -> Result<Stopped> {
        let again = pause(errand.claim.attempt);
        Ok(match failure {
            Failure::Wait(wait) => Stopped::Later(wait),
            Failure::Away(why) | Failure::Ambiguous(why) => {
                tracing::info!(delivery = %errand.delivery.id, why, "a delivery will be tried again");
                Stopped::Later(again)
            }
            Failure::Gone(_) => Stopped::Later(again),
            Failure::Elsewhere(why) | Failure::Content(why) | Failure::Refused(why) | Failure::Fixed(why) => {
                Stopped::Never(why)
            }
            Failure::Disabled(because) => {
                self.services
                    .assistants
                    .disable(errand.at.org, errand.at.id, &because)
                    .await?;
                Stopped::Never(because)
            }
        })
    }
}

/// What an answer bears that could not take its placeholder's place: an identifier that follows
/// from the delivery's, so that every attempt looks for the same.
fn answer_id(delivery: DeliveryId) -> DeliveryId {
    DeliveryId::from_uuid(uuid::Uuid::from_u128(delivery.uuid().as_u128() ^ 1))
}

/// A receipt with the conversation it was made in, where that is not the turn's own.
fn packed(turn: &Target, made: &Target, receipt: &str) -> String {
    if turn.place.conversation == made.place.conversation {
        receipt.to_owned()
    } else {
        format!("{}|{receipt}", made.place.conversation)
    }
}

fn unpacked(turn: &Target, packed: &str) -> (Target, String) {
    match packed.split_once('|') {
        None => (turn.clone(), packed.to_owned()),
        Some((conversation, receipt)) => {
            let mut target = turn.clone();
            target.place.conversation = conversation.to_owned();
            target.place.kind = PlaceKind::Direct;
            (target, receipt.to_owned())
        }
    }
}

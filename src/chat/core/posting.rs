//! Posting one delivery: each message at most once, in simpler words where the platform rejects its layout, and what
//! a failure means for the delivery.
//!
//! Before a post, the delivery's state becomes `posting`. An attempt that finds this state looks for the post before
//! it posts again.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use crate::assistants::deliveries::service::may_have_posted;
use crate::assistants::model::{
    ConversationState, Delivery, DeliveryKind, DeliveryState, Installation, PlaceKind, Say, Target,
};
use crate::base::error::{Error, Result};
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::{Chat, backoff};
use crate::chat::core::platform::{Failure, LookupResult, Obstacle, Platform};
use crate::chat::core::say;
use crate::queue::job::{Claim, Done};

/// How long, and at which interval, to look for a post that timed out before posting again. A post that appears
/// even later is deleted.
const SETTLE_TIME: TimeDelta = TimeDelta::seconds(10);
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(3);

/// One attempt to post a delivery.
pub(super) struct Posting<'a> {
    pub(super) chat: &'a Chat,
    pub(super) claim: &'a Claim,
    pub(super) at: &'a Installation,
    pub(super) platform: &'a Arc<dyn Platform>,
    pub(super) delivery: &'a Delivery,
}

/// Why a delivery is not done.
pub(super) enum Undelivered {
    /// The platform asked to wait.
    Wait(Duration),
    /// The attempt failed: try again after this time.
    Retry(Duration),
    /// The installation was revoked.
    UntilReinstalled,
    /// It cannot be delivered; with the platform's error code.
    Never(String),
    Fault(Error),
}

impl From<Error> for Undelivered {
    fn from(error: Error) -> Self {
        Self::Fault(error)
    }
}

impl Undelivered {
    /// What becomes of the job; the reason where it cannot be delivered.
    pub(super) async fn into_done(
        self,
        chat: &Chat,
        claim: &Claim,
        at: &Installation,
    ) -> Result<Result<Done, String>> {
        Ok(match self {
            Self::Wait(wait) => Ok(Done::Later(wait)),
            Self::Retry(wait) => Ok(Done::Again(wait)),
            Self::UntilReinstalled => Ok(chat.wait_for_reinstall(claim, at).await?),
            Self::Never(why) => Err(why),
            Self::Fault(error) => return Err(error),
        })
    }
}

/// A call that writes a message.
#[derive(Clone, Copy)]
enum Write<'a> {
    Post(&'a Target, DeliveryId),
    Update(&'a Target, &'a str),
    Ephemeral,
}

impl<'a> Posting<'a> {
    pub(super) fn new(
        chat: &'a Chat,
        claim: &'a Claim,
        at: &'a Installation,
        delivery: &'a Delivery,
    ) -> Result<Self> {
        Ok(Self {
            chat,
            claim,
            at,
            platform: chat.platform(at.kind())?,
            delivery,
        })
    }

    /// Posts a message with this `id`, unless an earlier attempt did. If that is not known, looks for the earlier post.
    /// Returns the platform's ID of the message.
    pub(super) async fn post_once(
        &self,
        target: &Target,
        id: DeliveryId,
        say: &Say,
    ) -> Result<String, Failure> {
        let (at, platform, delivery) = (self.at, self.platform, self.delivery);
        // A placeholder may be posted twice; nothing else may.
        let is_placeholder = delivery.kind == DeliveryKind::Answer && id == delivery.id;
        if delivery.state == DeliveryState::Posting || may_have_posted(self.claim) {
            match self.find_post(target, id).await? {
                LookupResult::Found(receipt) => {
                    // It may be in simpler words, or give a reason that no longer applies. For an answer it is the
                    // placeholder, which a newer attempt may have replaced meanwhile.
                    if delivery.kind != DeliveryKind::Answer {
                        platform.update(at, target, &receipt, say).await?;
                    }
                    return Ok(receipt);
                }
                LookupResult::Unreadable if !is_placeholder && delivery.state == DeliveryState::Posting => {
                    let why = "it may have been posted already, and the conversation cannot be read";
                    return Err(Failure::NotHere(Obstacle::MaybePosted, why.to_owned()));
                }
                LookupResult::Absent | LookupResult::Unreadable => {}
            }
        }
        if self.record(DeliveryState::Posting, None).await.is_err() {
            return Err(Failure::Unavailable("the database is away".to_owned()));
        }
        let posted = self.post(target, id, say).await;
        let not_posted = matches!(&posted, Err(failure) if failure.had_no_effect());
        if not_posted && delivery.state == DeliveryState::Pending {
            // The next attempt does not have to look for it. If this write fails, it does.
            let _ = self.record(DeliveryState::Pending, None).await;
        }
        posted
    }

    /// Posts a message that carries `id`.
    pub(super) async fn post(&self, target: &Target, id: DeliveryId, say: &Say) -> Result<String, Failure> {
        let outcome = self.write(Write::Post(target, id), say).await;
        if matches!(outcome, Err(Failure::Late(_))) {
            // If this write fails, the post is looked for once only.
            let deliveries = &self.chat.services.deliveries;
            let _ = deliveries.mark_uncertain(self.claim, self.delivery.id).await;
        }
        outcome
    }

    /// Replaces the content of a post.
    pub(super) async fn update(&self, target: &Target, receipt: &str, say: &Say) -> Result<(), Failure> {
        self.write(Write::Update(target, receipt), say).await.map(drop)
    }

    /// Posts in the conversation so that only the sender sees it.
    pub(super) async fn post_ephemeral(&self, say: &Say) -> Result<(), Failure> {
        self.write(Write::Ephemeral, say).await.map(drop)
    }

    /// Writes a message, in simpler words where the platform rejects its content.
    async fn write(&self, write: Write<'_>, say: &Say) -> Result<String, Failure> {
        let mut outcome = self.write_as_is(write, say).await;
        for simpler in say::simpler(say) {
            let Err(Failure::ContentRejected(why)) = &outcome else {
                break;
            };
            tracing::warn!(delivery = %self.delivery.id, why, "content was rejected; a simpler form is sent");
            outcome = self.write_as_is(write, &simpler).await;
        }
        outcome
    }

    async fn write_as_is(&self, write: Write<'_>, say: &Say) -> Result<String, Failure> {
        let (at, platform) = (self.at, self.platform);
        match write {
            Write::Post(target, id) => platform.post(at, target, id, say).await,
            Write::Update(target, receipt) => {
                platform.update(at, target, receipt, say).await?;
                Ok(receipt.to_owned())
            }
            Write::Ephemeral => {
                platform.post_ephemeral(at, &self.delivery.target, say).await?;
                Ok(String::new())
            }
        }
    }

    /// Looks for the post of an earlier attempt. While it may still appear, the caller has to wait.
    pub(super) async fn find_post(&self, target: &Target, id: DeliveryId) -> Result<LookupResult, Failure> {
        let found = self.platform.find_post(self.at, target, id).await?;
        let may_still_appear = self
            .delivery
            .uncertain_since
            .is_some_and(|since| self.claim.claimed_at - since < SETTLE_TIME);
        if found == LookupResult::Absent && may_still_appear {
            return Err(Failure::Wait(LOOK_AGAIN_AFTER));
        }
        Ok(found)
    }

    /// Opens the direct conversation with the sender.
    pub(super) async fn open_direct(&self) -> Result<Target, Undelivered> {
        match self.platform.open_direct(self.at, &self.delivery.target).await {
            Ok(target) => Ok(target),
            Err(failure) => Err(self.handle_failure(failure).await?),
        }
    }

    /// Whether the conversation is still approved, so that the delivery may be posted in it.
    pub(super) async fn is_approved(&self) -> Result<bool> {
        let (at, place) = (self.at, &self.delivery.target.place);
        if place.kind == PlaceKind::Direct {
            return Ok(true);
        }
        let assistants = &self.chat.services.assistants;
        let conversations = &self.chat.services.conversations;
        let state = conversations.state(at.org, at.id, &place.conversation).await?;
        let enabled = assistants.assistant(at.org, at.assistant).await?.shared_enabled;
        Ok(enabled && state == Some(ConversationState::Approved))
    }

    /// Whether `target` is a shared conversation that is no longer approved.
    pub(super) async fn approval_ended(&self, target: &Target) -> Result<bool> {
        Ok(target.place.kind == PlaceKind::Shared && !self.is_approved().await?)
    }

    /// Stores the state of the delivery.
    pub(super) async fn record(&self, state: DeliveryState, receipt: Option<String>) -> Result<()> {
        let deliveries = &self.chat.services.deliveries;
        deliveries
            .advance(self.claim, self.delivery.id, state, receipt, None)
            .await
    }

    pub(super) async fn handle_outcome(&self, outcome: Result<(), Failure>) -> Result<(), Undelivered> {
        match outcome {
            Ok(()) => Ok(()),
            Err(failure) => Err(self.handle_failure(failure).await?),
        }
    }

    /// What a failure means for the delivery.
    pub(super) async fn handle_failure(&self, failure: Failure) -> Result<Undelivered> {
        self.report(&failure).await?;
        let wait = backoff(self.claim.tries);
        Ok(match failure {
            Failure::Wait(wait) => Undelivered::Wait(wait),
            Failure::Unavailable(why) | Failure::Ambiguous(why) | Failure::Late(why) => {
                tracing::info!(delivery = %self.delivery.id, why, "a delivery will be retried");
                Undelivered::Retry(wait)
            }
            Failure::Gone(_) => Undelivered::Retry(wait),
            Failure::Disabled(_) | Failure::TokenExpired(_) => Undelivered::UntilReinstalled,
            Failure::MissingPermission(permission) => {
                Undelivered::Never(format!("missing_scope: {permission}"))
            }
            Failure::NotHere(_, why)
            | Failure::ContentRejected(why)
            | Failure::Rejected(why)
            | Failure::Forbidden(why)
            | Failure::NoRecipient(why)
            | Failure::NotEditable(why) => Undelivered::Never(why),
        })
    }

    /// Stores what an administrator has to see of a failure.
    pub(super) async fn report(&self, failure: &Failure) -> Result<()> {
        let (installations, at) = (&self.chat.services.installations, self.at);
        match failure {
            Failure::Forbidden(code) => installations.add_alert(at.org, at.id, code).await,
            Failure::Disabled(because) | Failure::TokenExpired(because) => {
                installations.disable(at, because).await
            }
            // The platform's client stores which permission is missing.
            Failure::MissingPermission(_)
            | Failure::Wait(_)
            | Failure::Unavailable(_)
            | Failure::Ambiguous(_)
            | Failure::Late(_)
            | Failure::NotHere(..)
            | Failure::ContentRejected(_)
            | Failure::Gone(_)
            | Failure::NotEditable(_)
            | Failure::NoRecipient(_)
            | Failure::Rejected(_) => Ok(()),
        }
    }
}

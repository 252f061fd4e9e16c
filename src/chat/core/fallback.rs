//! When something cannot be said as it was meant: in simpler words, in another place with the reason,
//! later, or never and where an administrator sees it. Whoever asked hears something if any way is
//! left. Knows no platform's words.

use std::time::Duration;

use chrono::TimeDelta;

use crate::assistants::model::{PlaceKind, Say, Target};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::deliver::{DeliveryContext, Stopped};
use crate::chat::core::platform::{Failure, LookupResult, Obstacle};
use crate::chat::core::say;

/// How long a post to which there was no answer in time is looked for before it is made again, and how
/// often. What appears later still is taken away.
const SETTLING: TimeDelta = TimeDelta::seconds(10);
const LOOK_AGAIN: Duration = Duration::from_secs(3);

impl Chat {
    /// Posts, in simpler words where the platform does not take these.
    pub(super) async fn posted(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        id: DeliveryId,
        say: &Say,
    ) -> Result<String, Failure> {
        let DeliveryContext { at, platform, .. } = context;
        let mut outcome = platform.post(at, target, id, say).await;
        for simpler in say::simpler(say) {
            let Err(Failure::Content(why)) = &outcome else {
                break;
            };
            tracing::warn!(delivery = %context.delivery.id, why, "a layout was refused; it is said in simpler words");
            outcome = platform.post(at, target, id, &simpler).await;
        }
        if matches!(outcome, Err(Failure::Late(_))) {
            // If this is not written, it is looked for once only.
            let _ = self
                .services
                .assistants
                .doubt(context.claim, context.delivery.id)
                .await;
        }
        outcome
    }

    /// Looks for a post that an earlier attempt may have made. One that may still be made is waited for,
    /// before another is.
    pub(super) async fn sought(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        id: DeliveryId,
    ) -> Result<LookupResult, Failure> {
        let sought = context.platform.find(context.at, target, id).await?;
        let waiting = context
            .delivery
            .doubted_at
            .is_some_and(|since| context.claim.claimed_at - since < SETTLING);
        if sought == LookupResult::Absent && waiting {
            return Err(Failure::Wait(LOOK_AGAIN));
        }
        Ok(sought)
    }

    /// Replaces what a post says, in simpler words where the platform does not take these.
    pub(super) async fn replaced(
        &self,
        context: &DeliveryContext<'_>,
        target: &Target,
        receipt: &str,
        say: &Say,
    ) -> Result<(), Failure> {
        let DeliveryContext { at, platform, .. } = context;
        let mut outcome = platform.update(at, target, receipt, say).await;
        for simpler in say::simpler(say) {
            let Err(Failure::Content(why)) = &outcome else {
                break;
            };
            tracing::warn!(delivery = %context.delivery.id, why, "a layout was refused; it is said in simpler words");
            outcome = platform.update(at, target, receipt, &simpler).await;
        }
        outcome
    }

    pub(super) async fn whispered(&self, context: &DeliveryContext<'_>, say: &Say) -> Result<(), Failure> {
        let (at, target) = (context.at, &context.delivery.target);
        let mut outcome = context.platform.whisper(at, target, say).await;
        for simpler in say::simpler(say) {
            let Err(Failure::Content(_)) = &outcome else { break };
            outcome = context.platform.whisper(at, target, &simpler).await;
        }
        outcome
    }

    /// Takes an outcome as it is, unless its place does not allow it: then it is said directly, with
    /// the reason; and where that is not possible either, so that only the sender sees it in the place.
    pub(super) async fn or_directly(
        &self,
        context: &DeliveryContext<'_>,
        id: DeliveryId,
        say: &Say,
        outcome: Result<(), Failure>,
    ) -> Result<(), Stopped> {
        let failure = match outcome {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        let Some(obstacle) = failure.obstacle() else {
            return self.settled(context, Err(failure)).await;
        };
        tracing::info!(delivery = %context.delivery.id, %failure, "it cannot be said in its place; it goes out directly");
        self.heed(context, &failure).await?;
        let say = self.explained(context, obstacle, say).await?;
        let direct = match context
            .platform
            .direct(context.at, &context.delivery.target)
            .await
        {
            Ok(target) => self.post_as(context, &target, id, &say).await.map(drop),
            Err(failure) => Err(failure),
        };
        match self.settled(context, direct).await {
            Err(Stopped::Never(why)) => self.or_whispered(context, &say, why).await,
            outcome => outcome,
        }
    }

    /// The last way to whoever asked: so that only they see it, in the place. Where that is none either,
    /// the delivery has failed.
    pub(super) async fn or_whispered(
        &self,
        context: &DeliveryContext<'_>,
        say: &Say,
        why: String,
    ) -> Result<(), Stopped> {
        let shared = context.delivery.target.place.kind == PlaceKind::Shared;
        if !shared {
            return Err(Stopped::Never(why));
        }
        match self.whispered(context, say).await {
            Ok(()) => Ok(()),
            Err(failure @ (Failure::Wait(_) | Failure::Away(_))) => {
                Err(self.stopped(context, failure).await?)
            }
            // Whispered again, it may be heard again: nobody can look whether it was.
            Err(failure) => {
                tracing::info!(delivery = %context.delivery.id, %failure, "the last way failed too");
                Err(Stopped::Never(why))
            }
        }
    }

    /// The same, with what was asked and where, and why it is said here.
    pub(super) async fn explained(
        &self,
        context: &DeliveryContext<'_>,
        obstacle: Obstacle,
        say: &Say,
    ) -> Result<Say> {
        let place = &context.delivery.target.place;
        let name = match place.kind {
            PlaceKind::Direct => None,
            PlaceKind::Shared => Some(
                context
                    .platform
                    .place_name(context.at, place)
                    .await
                    .unwrap_or_else(|| format!("another conversation ({})", place.conversation)),
            ),
        };
        let asked = match context.delivery.inbox {
            Some(inbox) => {
                let turn = self
                    .services
                    .assistants
                    .inboxed(context.claim.org, inbox)
                    .await?
                    .turn;
                turn.text
            }
            None => String::new(),
        };
        Ok(say::instead(obstacle, name.as_deref(), &asked, say))
    }

    /// Keeps what an administrator has to see.
    pub(super) async fn heed(&self, context: &DeliveryContext<'_>, failure: &Failure) -> Result<()> {
        let (assistants, at) = (&self.services.assistants, context.at);
        match failure {
            Failure::Barred(word) => assistants.alert(at.org, at.id, word).await,
            Failure::Disabled(because) | Failure::Expired(because) => assistants.disable(at, because).await,
            Failure::Wait(_)
            | Failure::Away(_)
            | Failure::Ambiguous(_)
            | Failure::Late(_)
            | Failure::Elsewhere(..)
            | Failure::Content(_)
            | Failure::Gone(_)
            | Failure::Fixed(_)
            // Which right, the platform's client keeps with the installation.
            | Failure::MissingRight(_)
            | Failure::Nobody(_)
            | Failure::Refused(_) => Ok(()),
        }
    }

    /// What a failure means for the delivery. Every variant decides.
    pub(super) async fn stopped(&self, context: &DeliveryContext<'_>, failure: Failure) -> Result<Stopped> {
        self.heed(context, &failure).await?;
        let again: Duration = pause(context.claim.tries);
        Ok(match failure {
            Failure::Wait(wait) => Stopped::Later(wait),
            Failure::Away(why) | Failure::Ambiguous(why) | Failure::Late(why) => {
                tracing::info!(delivery = %context.delivery.id, why, "a delivery will be tried again");
                Stopped::Again(again)
            }
            Failure::Gone(_) => Stopped::Again(again),
            Failure::Disabled(_) | Failure::Expired(_) => Stopped::Disabled,
            Failure::MissingRight(right) => Stopped::Never(format!("missing_scope: {right}")),
            Failure::Elsewhere(_, why)
            | Failure::Content(why)
            | Failure::Refused(why)
            | Failure::Barred(why)
            | Failure::Nobody(why)
            | Failure::Fixed(why) => Stopped::Never(why),
        })
    }
}

//! Deletes what a delivery left behind: placeholders that did not become the answer, and posts that appeared after
//! the delivery stopped waiting. Nothing should be read twice, and no button should remain for an analysis that has
//! ended. Recognizes posts by the identifiers they carry.

use chrono::TimeDelta;

use crate::assistants::model::{Delivery, DeliveryKind, DeliveryState, InstallationState, Target};
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::backoff;
use crate::chat::core::deliveries::Deliverer;
use crate::chat::core::placeholder::Placeholder;
use crate::chat::core::platform::{Failure, Post};
use crate::chat::core::post_ids::{answer_id, belongs_to};
use crate::chat::core::posting::Posting;
use crate::chat::core::say;
use crate::queue::job::{Claim, Done, GaveUp};

/// Delays after a timed-out post at which its conversation is checked.
const CHECKS: [TimeDelta; 3] = [
    TimeDelta::seconds(20),
    TimeDelta::seconds(60),
    TimeDelta::seconds(300),
];

impl Deliverer {
    /// Handles a `chat.tidy` job.
    pub async fn clean_up(self, claim: Claim) -> Result<Done> {
        let delivery = self.load(&claim).await?;
        let at = self.installation(&delivery, &claim).await?;
        let Some(uncertain_since) = delivery
            .uncertain_since
            .filter(|_| at.state == InstallationState::Active)
        else {
            return Ok(Done::Nothing);
        };
        let age = claim.claimed_at - uncertain_since;
        let wait_until = |check: TimeDelta| Done::Later((check - age).to_std().unwrap_or_default());
        let [first, ..] = CHECKS;
        if age < first {
            return Ok(wait_until(first));
        }
        let posting = Posting::new(&self.chat, &claim, &at, &delivery)?;
        match delete_surplus(&posting).await {
            Ok(()) => {}
            Err(Failure::Wait(wait)) => return Ok(Done::Later(wait)),
            Err(Failure::Unavailable(_) | Failure::Ambiguous(_) | Failure::Late(_)) => {
                return Ok(Done::Again(backoff(claim.tries)));
            }
            Err(failure) => {
                tracing::info!(delivery = %delivery.id, %failure, "a delivery could not be cleaned up");
                return Ok(Done::Nothing);
            }
        }
        let next = CHECKS.into_iter().find(|check| *check > age);
        Ok(next.map_or(Done::Nothing, wait_until))
    }

    /// Ends the job; the delivery is unaffected.
    pub async fn give_up_cleanup(self, claim: Claim, why: GaveUp) -> Result<()> {
        tracing::warn!(job = %claim.id, reason = why.code(), "a delivery was not cleaned up");
        self.chat.finish(&claim).await
    }
}

/// Looks for the delivery's posts where they may be, and deletes duplicates.
async fn delete_surplus(posting: &Posting<'_>) -> Result<(), Failure> {
    let (at, platform, delivery) = (posting.at, posting.platform, posting.delivery);
    let mut places: Vec<Target> = Vec::new();
    if !delivery.target.place.conversation.is_empty() {
        places.push(delivery.target.clone());
    }
    match platform.open_direct(at, &delivery.target).await {
        Ok(direct) if !places.contains(&direct) => places.push(direct),
        Ok(_) => {}
        Err(failure) if places.is_empty() => return Err(failure),
        Err(failure) => {
            tracing::debug!(delivery = %delivery.id, %failure, "the direct conversation is not checked");
        }
    }
    let mut found: Vec<(Target, Post)> = Vec::new();
    for place in places {
        let posts = platform.our_posts(at, &place).await?;
        for post in posts.into_iter().filter(|post| belongs_to(delivery.id, post.id)) {
            let is_same = |(target, other): &(Target, Post)| {
                other.receipt == post.receipt && target.place.conversation == place.place.conversation
            };
            if !found.iter().any(is_same) {
                found.push((place.clone(), post));
            }
        }
    }
    for (target, receipt) in surplus(delivery, &found) {
        tracing::info!(delivery = %delivery.id, "a post that appeared late is deleted");
        match platform.delete(at, target, receipt).await {
            Ok(()) | Err(Failure::Gone(_)) => {}
            Err(failure) if failure.had_no_effect() => return Err(failure),
            // If it cannot be deleted, it says that it is a repetition and has no buttons.
            Err(_) => drop(platform.update(at, target, receipt, &say::repeated()).await),
        }
    }
    Ok(())
}

/// Of the posts that carry the same identifier in one conversation, all but one. The one that became the answer is
/// kept, or else the first. If the answer is a separate post, its placeholder is surplus too.
fn surplus<'a>(
    delivery: &Delivery,
    found: &'a [(Target, Post)],
) -> impl Iterator<Item = (&'a Target, &'a str)> {
    let conversation = |target: &Target| target.place.conversation.clone();
    let is_answer = delivery.kind == DeliveryKind::Answer;
    let answered = is_answer && delivery.state == DeliveryState::Delivered;
    let is_separate_post = answered && found.iter().any(|(_, post)| post.id == answer_id(delivery.id));
    let replaced = delivery
        .receipt
        .as_deref()
        .filter(|_| is_answer)
        .map(|receipt| Placeholder::from_receipt(&delivery.target, receipt));
    let id: DeliveryId = delivery.id;
    found.iter().filter_map(move |(target, post)| {
        let first = found
            .iter()
            .filter(|(other, one)| one.id == post.id && conversation(other) == conversation(target))
            .map(|(_, one)| one.receipt.as_str())
            .min();
        let kept = if post.id != id {
            first
        } else if is_separate_post {
            None
        } else {
            let here = replaced
                .as_ref()
                .filter(|replaced| conversation(&replaced.target) == conversation(target));
            here.map_or(first, |replaced| Some(replaced.receipt.as_str()))
        };
        (kept != Some(post.receipt.as_str())).then_some((target, post.receipt.as_str()))
    })
}

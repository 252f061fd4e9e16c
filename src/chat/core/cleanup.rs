//! What is left over once something was said: placeholders that could not become the answer, and posts that
//! a platform made only after nobody waited for them any more. They are taken away, so that nothing is read
//! twice and no button stands there for what has ended.
//!
//! Knows nothing of what was said but by the identifiers that posts bear.

use chrono::TimeDelta;

use crate::assistants::model::{Delivery, DeliveryKind, DeliveryState, InstallationState, Target};
use crate::assistants::turns::payload_id;
use crate::base::error::Result;
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::deliver::{DeliveryContext, Stopped};
use crate::chat::core::placeholder::{Placed, unpacked};
use crate::chat::core::platform::{Failure, Post};
use crate::chat::core::post_ids::{answer_id, belongs_to};
use crate::chat::core::say;
use crate::queue::job::{Claim, Done, GaveUp};

/// How long after a post got no answer it is looked for what became of it.
const LOOKS: [TimeDelta; 3] = [
    TimeDelta::seconds(20),
    TimeDelta::seconds(60),
    TimeDelta::seconds(300),
];

impl Chat {
    /// Handles a `chat.tidy` job.
    pub async fn clean_up(&self, claim: Claim) -> Result<Done> {
        let id: DeliveryId = payload_id(&claim.payload, "delivery")?;
        let assistants = &self.services.assistants;
        let delivery = assistants.delivery(claim.org, id).await?;
        let at = assistants
            .installation_by_id(claim.org, delivery.installation)
            .await?;
        let Some(doubted) = delivery
            .doubted_at
            .filter(|_| at.state == InstallationState::Active)
        else {
            return Ok(Done::Nothing);
        };
        let age = claim.claimed_at - doubted;
        let until = |look: TimeDelta| Done::Later((look - age).to_std().unwrap_or_default());
        let [first, ..] = LOOKS;
        if age < first {
            return Ok(until(first));
        }
        let context = DeliveryContext {
            claim: &claim,
            at: &at,
            platform: self.platform(at.kind())?,
            delivery: &delivery,
        };
        match self.swept(&context).await {
            Ok(()) => {}
            Err(Failure::Wait(wait)) => return Ok(Done::Later(wait)),
            Err(Failure::Away(_) | Failure::Ambiguous(_) | Failure::Late(_)) => {
                return Ok(Done::Again(pause(claim.tries)));
            }
            Err(failure) => {
                tracing::info!(delivery = %id, %failure, "what is left of a delivery could not be looked at");
                return Ok(Done::Nothing);
            }
        }
        let next = LOOKS.into_iter().find(|look| *look > age);
        Ok(next.map_or(Done::Nothing, until))
    }

    /// Nothing is lost: all was said.
    pub async fn give_up_cleanup(&self, claim: Claim, why: GaveUp) -> Result<()> {
        tracing::warn!(job = %claim.id, reason = why.code(), "what is left of a delivery was not looked at");
        let services = self.services.clone();
        let ended = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            Box::pin(async move { services.queue.finish(tx, &claim).await })
        });
        ended.await
    }

    /// Takes a placeholder away that did not become the answer, which stands elsewhere. Where that is not
    /// possible now, later; where it is not at all, its button finds that all has ended.
    pub(super) async fn take_back(
        &self,
        context: &DeliveryContext<'_>,
        placed: &Placed,
    ) -> Result<(), Stopped> {
        let (at, id) = (context.at, context.delivery.id);
        match context.platform.remove(at, &placed.target, &placed.receipt).await {
            Ok(()) | Err(Failure::Gone(_)) => Ok(()),
            Err(Failure::Wait(_) | Failure::Away(_) | Failure::Ambiguous(_) | Failure::Late(_)) => {
                Ok(self.services.assistants.doubt(context.claim, id).await?)
            }
            Err(failure) => {
                tracing::info!(delivery = %id, %failure, "a placeholder stays where it is");
                Ok(())
            }
        }
    }

    /// Looks where posts of the delivery may stand, and takes away what stands there too much.
    async fn swept(&self, context: &DeliveryContext<'_>) -> Result<(), Failure> {
        let DeliveryContext {
            at,
            platform,
            delivery,
            ..
        } = context;
        let mut places: Vec<Target> = Vec::new();
        if !delivery.target.place.conversation.is_empty() {
            places.push(delivery.target.clone());
        }
        match platform.direct(at, &delivery.target).await {
            Ok(direct) if !places.contains(&direct) => places.push(direct),
            Ok(_) => {}
            Err(failure) if places.is_empty() => return Err(failure),
            Err(failure) => {
                tracing::debug!(delivery = %delivery.id, %failure, "a direct conversation is not looked through");
            }
        }
        let mut found: Vec<(Target, Post)> = Vec::new();
        for place in places {
            let stands = platform.standing(at, &place).await?;
            let ours = stands.into_iter().filter(|one| belongs_to(delivery.id, one.id));
            for one in ours {
                let seen = |(target, other): &(Target, Post)| {
                    other.receipt == one.receipt && target.place.conversation == place.place.conversation
                };
                if !found.iter().any(seen) {
                    found.push((place.clone(), one));
                }
            }
        }
        for (target, receipt) in surplus(delivery, &found) {
            tracing::info!(delivery = %delivery.id, "a post that appeared late is taken away");
            match platform.remove(at, target, receipt).await {
                Ok(()) | Err(Failure::Gone(_)) => {}
                Err(failure @ (Failure::Wait(_) | Failure::Away(_))) => return Err(failure),
                // Where it has to stay, it says so, and nothing in it can be pressed.
                Err(_) => drop(platform.update(at, target, receipt, &say::repeated()).await),
            }
        }
        Ok(())
    }
}

/// Of the posts that bear the same in one conversation all but one: but the one that became the answer, or
/// else the first. Where the answer stands by itself, no placeholder is needed.
fn surplus<'a>(
    delivery: &Delivery,
    found: &'a [(Target, Post)],
) -> impl Iterator<Item = (&'a Target, &'a str)> {
    let place_of = |target: &Target| target.place.conversation.clone();
    let is_answer = delivery.kind == DeliveryKind::Answer;
    let answered = is_answer && delivery.state == DeliveryState::Delivered;
    let apart = answered
        && found
            .iter()
            .any(|(_, stands)| stands.id == answer_id(delivery.id));
    let became = delivery
        .receipt
        .as_deref()
        .filter(|_| is_answer)
        .map(|receipt| unpacked(&delivery.target, receipt));
    let id = delivery.id;
    found.iter().filter_map(move |(target, stands)| {
        let first = found
            .iter()
            .filter(|(other, one)| one.id == stands.id && place_of(other) == place_of(target))
            .map(|(_, one)| one.receipt.as_str())
            .min();
        let kept = if stands.id != id {
            first
        } else if apart {
            None
        } else {
            let here = became
                .as_ref()
                .filter(|became| place_of(&became.target) == place_of(target));
            here.map_or(first, |became| Some(became.receipt.as_str()))
        };
        (kept != Some(stands.receipt.as_str())).then_some((target, stands.receipt.as_str()))
    })
}

//! While a run works: the placeholder with its Stop button, and the platform's sign that somebody is at
//! it.
//!
//! A courtesy: whatever fails here, the delivery that follows the run makes good.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use crate::assistants::model::{DeliveryState, Installation, InstallationState, Target};
use crate::assistants::turns::payload_id;
use crate::base::error::Result;
use crate::base::ids::{DeliveryId, MessageId};
use crate::chat::core::chat::Chat;
use crate::chat::core::deliver::{DeliveryContext, Stopped};
use crate::chat::core::platform::Failure;
use crate::queue::job::{Claim, Done, GaveUp};
use crate::sessions::model::{Message, Status};

/// Answers that come sooner show no sign of work: it would only flicker.
const SHOWN_AFTER: Duration = Duration::from_millis(700);
/// Platforms take the sign away after two minutes.
const SHOWN_AGAIN: Duration = Duration::from_secs(90);
/// How often it is looked whether the run has ended.
const LOOK: Duration = Duration::from_secs(1);
/// Longest wait for showing progress: it must never hold an answer up.
const PROGRESS: Duration = Duration::from_secs(3);

/// Longest wait before the sign is taken away in a second attempt.
const PATIENCE: Duration = Duration::from_secs(30);

const DOING: &str = "is working on it…";
const FETCHING: &str = "is fetching your files…";

impl Chat {
    /// Handles a `chat.place` job: shows at once, in the place of the answer to come, that it is coming.
    pub async fn place(&self, claim: Claim) -> Result<Done> {
        let id: DeliveryId = payload_id(&claim.payload, "delivery")?;
        let services = &self.services;
        let delivery = services.assistants.delivery(claim.org, id).await?;
        let Some(message) = delivery.message else {
            return Ok(Done::Nothing);
        };
        let begun = matches!(delivery.state, DeliveryState::Pending | DeliveryState::Posting);
        let status = services.sessions.message(claim.org, message).await?.status;
        // Also where the run has ended meanwhile: a later question's place must not come before this one's.
        if !begun || status == Status::Failed {
            return Ok(Done::Nothing);
        }
        let works = status == Status::Processing;
        let at = services
            .assistants
            .installation_by_id(claim.org, delivery.installation)
            .await?;
        if at.state != InstallationState::Active {
            return Ok(Done::Nothing);
        }
        let platform = self.platform(at.kind())?;
        let context = DeliveryContext {
            claim: &claim,
            at: &at,
            platform,
            delivery: &delivery,
        };
        match self.placed(&context, works).await {
            Ok(placed) if works => self.show_progress(&at, placed.target, message),
            Err(Stopped::Later(wait)) => return Ok(Done::Later(wait)),
            Err(Stopped::Again(wait)) => return Ok(Done::Again(wait)),
            Err(Stopped::Disabled) => return self.until_reinstalled(&claim, &at).await,
            Ok(_) | Err(Stopped::Never(_)) => {}
            Err(Stopped::Fault(error)) => return Err(error),
        }
        Ok(Done::Nothing)
    }

    /// Nothing is lost: the delivery says it all.
    pub async fn give_up_place(&self, claim: Claim, why: GaveUp) -> Result<()> {
        tracing::warn!(job = %claim.id, reason = why.code(), "an answer could not be announced");
        let services = self.services.clone();
        let ended = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            Box::pin(async move { services.queue.finish(tx, &claim).await })
        });
        ended.await
    }

    /// Shows that work is under way as long as it is.
    fn show_progress(&self, at: &Installation, target: Target, message: MessageId) {
        let (chat, at) = (self.clone(), at.clone());
        tokio::spawn(async move {
            let mut pause = SHOWN_AFTER;
            let mut since_shown = SHOWN_AGAIN;
            loop {
                tokio::time::sleep(pause).await;
                since_shown += pause;
                pause = LOOK;
                match chat.services.sessions.message(at.org, message).await {
                    Ok(message) if message.status == Status::Processing => {}
                    _ => break,
                }
                if since_shown >= SHOWN_AGAIN {
                    since_shown = Duration::ZERO;
                    chat.progress(&at, &target, Some(DOING)).await;
                    // Ended meanwhile: whoever delivered has taken the sign away before it was there.
                    let now = chat.services.sessions.message(at.org, message).await;
                    if now.is_ok_and(|message| message.status != Status::Processing) {
                        chat.progress(&at, &target, None).await;
                        break;
                    }
                }
            }
        });
    }

    /// Shows that files are on their way, as long as it is polled, if that takes a while. Says in `shown`
    /// that there is something to take away.
    pub(super) async fn show_fetching(
        &self,
        at: &Installation,
        target: &Target,
        shown: &mut bool,
    ) -> Infallible {
        tokio::time::sleep(SHOWN_AFTER).await;
        loop {
            *shown = true;
            self.progress(at, target, Some(FETCHING)).await;
            tokio::time::sleep(SHOWN_AGAIN).await;
        }
    }

    /// Takes the sign of work away, where the run took long enough to have one.
    pub(super) fn hide_progress(&self, at: &Installation, target: &Target, message: &Message) {
        let ended = message.finished_at.unwrap_or(message.created_at);
        let took = (ended - message.created_at).to_std().unwrap_or_default();
        if took < SHOWN_AFTER / 2 {
            return;
        }
        self.rest(at, target);
    }

    /// Shows that nothing is under way any more; once more where the platform asks for a little patience.
    pub(super) fn rest(&self, at: &Installation, target: &Target) {
        let (chat, at, target) = (self.clone(), at.clone(), target.clone());
        tokio::spawn(async move {
            if let Some(wait) = chat
                .progress(&at, &target, None)
                .await
                .filter(|wait| *wait <= PATIENCE)
            {
                tokio::time::sleep(wait).await;
                chat.progress(&at, &target, None).await;
            }
        });
    }

    /// Answers how long the platform asks to wait, if it does.
    pub(super) async fn progress(
        &self,
        at: &Installation,
        target: &Target,
        doing: Option<&str>,
    ) -> Option<Duration> {
        let platform = self.platform(at.kind()).map(Arc::clone).ok()?;
        let showing = platform.progress(at, target, doing);
        let failure = tokio::time::timeout(PROGRESS, showing).await.ok()?.err()?;
        tracing::debug!(installation = %at.id, error = %failure, "progress could not be shown");
        match failure {
            Failure::Wait(wait) => Some(wait),
            _ => None,
        }
    }
}

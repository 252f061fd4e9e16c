//! Announcing an answer while its analysis runs: the placeholder with its Stop button, and the platform's status.
//! Only a convenience: where it fails, the delivery that follows the analysis posts everything.

use crate::assistants::model::{DeliveryState, InstallationState};
use crate::base::error::Result;
use crate::chat::core::deliveries::Deliverer;
use crate::chat::core::posting::Posting;
use crate::chat::core::progress::show_while_running;
use crate::queue::job::{Claim, Done, GaveUp};
use crate::sessions::model::Status;

impl Deliverer {
    /// Handles a `chat.place` job: posts the placeholder of an answer.
    pub async fn announce(self, claim: Claim) -> Result<Done> {
        let services = &self.chat.services;
        let delivery = self.load(&claim).await?;
        let Some(message) = delivery.message else {
            return Ok(Done::Nothing);
        };
        let unplaced = matches!(delivery.state, DeliveryState::Pending | DeliveryState::Posting);
        let status = services.sessions.message(claim.org, message).await?.status;
        // Also where the analysis has ended: the placeholder of a later question must not come before this one.
        if !unplaced || status == Status::Failed {
            return Ok(Done::Nothing);
        }
        let running = status == Status::Processing;
        let at = self.installation(&delivery, &claim).await?;
        if at.state != InstallationState::Active {
            return Ok(Done::Nothing);
        }
        let posting = Posting::new(&self.chat, &claim, &at, &delivery)?;
        match posting.ensure_placeholder(running).await {
            Ok(placeholder) => {
                if running {
                    show_while_running(&self.chat, &at, placeholder.target, message);
                }
                Ok(Done::Nothing)
            }
            // Where it is impossible, the delivery finds out again.
            Err(undelivered) => {
                let done = undelivered.into_done(&self.chat, &claim, &at).await?;
                Ok(done.unwrap_or(Done::Nothing))
            }
        }
    }

    /// Nothing is lost: the delivery posts the answer.
    pub async fn give_up_announcement(self, claim: Claim, why: GaveUp) -> Result<()> {
        tracing::warn!(job = %claim.id, reason = why.code(), "an answer could not be announced");
        self.chat.finish(&claim).await
    }
}

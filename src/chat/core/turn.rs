//! Deciding a turn: refuse, prompt to link, answer from fixed text, or admit a run.
//!
//! The rules of a chat are here, for every platform. Asking who someone is may call the platform;
//! the decision itself is one transaction, fenced by the job and by the inbox row.

use std::sync::Arc;
use std::time::Duration;

use crate::analysis::engine::Tone;
use crate::analysis::request::{Admitted, RunRequest};
use crate::assistants::model::{DeliveryKind, Installation, PlaceKind, Target, Turn};
use crate::assistants::turns::{Outgoing, payload_id};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::InboxId;
use crate::base::principal::Principal;
use crate::chat::core::chat::Chat;
use crate::chat::core::judge::{NotYet, Verdict};
use crate::chat::core::say;
use crate::queue::job::{Claim, Done, GaveUp};
use crate::sessions::model::Audience;
use crate::sessions::service::Which;

/// Longest wait for showing progress: it must never hold an answer up.
const PROGRESS: Duration = Duration::from_secs(3);

impl Chat {
    /// Handles a `chat.turn` job.
    pub async fn decide(&self, claim: Claim) -> Result<Done> {
        let id: InboxId = payload_id(&claim.payload, "inbox")?;
        let boxed = self.services.assistants.inboxed(claim.org, id).await?;
        if boxed.decided {
            return Ok(Done::Nothing);
        }
        let at = self
            .services
            .assistants
            .installation_by_id(claim.org, boxed.installation)
            .await?;
        let verdict = match self.judge(&at, &boxed.turn, claim.attempt).await {
            Ok(verdict) => verdict,
            Err(NotYet::Wait(wait)) => return Ok(Done::Later(wait)),
            Err(NotYet::Failed(error)) => return Err(error),
        };
        self.carry_out(&claim, id, &at, &boxed.turn, verdict).await?;
        Ok(Done::Finished)
    }

    /// A turn that no attempt could decide: whoever asked still hears of it.
    pub async fn give_up_turn(&self, claim: Claim, why: GaveUp) -> Result<()> {
        let id: InboxId = payload_id(&claim.payload, "inbox")?;
        let boxed = self.services.assistants.inboxed(claim.org, id).await?;
        let at = self
            .services
            .assistants
            .installation_by_id(claim.org, boxed.installation)
            .await?;
        tracing::error!(job = %claim.id, reason = why.code(), "a chat turn was given up");
        if boxed.decided {
            let (services, claim) = (self.services.clone(), claim.clone());
            let ended = self.services.db.write(move |tx| {
                let (services, claim) = (services.clone(), claim.clone());
                Box::pin(async move { services.queue.finish(tx, &claim).await })
            });
            return ended.await;
        }
        let say =
            say::failed("Something went wrong on our side before I could look at this. Please ask again.");
        self.carry_out(
            &claim,
            id,
            &at,
            &boxed.turn,
            Verdict::Say(DeliveryKind::Private, say),
        )
        .await
    }

    /// The decision's one transaction: the job ends, the inbox row is decided, and what follows is queued.
    async fn carry_out(
        &self,
        claim: &Claim,
        inbox: InboxId,
        at: &Installation,
        turn: &Turn,
        verdict: Verdict,
    ) -> Result<()> {
        let outgoing = |kind, say| Outgoing {
            at: at.id,
            inbox: Some(inbox),
            kind,
            target: Target {
                sender: turn.sender.clone(),
                place: turn.place.clone(),
            },
            say,
        };
        match verdict {
            Verdict::Drop(why) => {
                tracing::info!(installation = %at.id, why, "a turn is not answered");
                self.conclude(claim, inbox, None).await
            }
            Verdict::Say(kind, say) => self.conclude(claim, inbox, Some(outgoing(kind, Some(say)))).await,
            Verdict::LinkPrompt => {
                self.conclude(claim, inbox, Some(outgoing(DeliveryKind::LinkPrompt, None)))
                    .await
            }
            Verdict::Disconnect(principal) => {
                let told = outgoing(DeliveryKind::Private, Some(say::unlinked()));
                self.disconnect(claim, inbox, principal, told).await
            }
            Verdict::Ask(principal) => {
                let asked = self
                    .admit(
                        claim,
                        inbox,
                        principal,
                        turn,
                        outgoing(DeliveryKind::Answer, None),
                    )
                    .await;
                match asked {
                    Ok(()) => {
                        self.show_progress(at, turn);
                        Ok(())
                    }
                    Err(error @ (Error::Stale | Error::Busy { .. })) => Err(error),
                    Err(error) => {
                        if matches!(error, Error::Internal(_) | Error::Upstream(_)) {
                            tracing::error!(job = %claim.id, error = error.chain(), "a turn could not be admitted");
                        }
                        let say = outgoing(DeliveryKind::Private, Some(say::refusal(&error)));
                        self.conclude(claim, inbox, Some(say)).await
                    }
                }
            }
        }
    }

    async fn conclude(&self, claim: &Claim, inbox: InboxId, outgoing: Option<Outgoing>) -> Result<()> {
        let (services, claim) = (self.services.clone(), claim.clone());
        let concluded = self.services.db.write(move |tx| {
            let (services, claim, outgoing) = (services.clone(), claim.clone(), outgoing.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.assistants.decide(tx, claim.org, inbox, None).await?;
                if let Some(outgoing) = outgoing {
                    services.assistants.say(tx, claim.org, outgoing).await?;
                }
                Ok(())
            })
        });
        concluded.await
    }

    /// Ends the link and says so, in one: who is told to be disconnected is.
    async fn disconnect(
        &self,
        claim: &Claim,
        inbox: InboxId,
        principal: Principal,
        told: Outgoing,
    ) -> Result<()> {
        let (services, claim) = (self.services.clone(), claim.clone());
        let ended = self.services.db.write(move |tx| {
            let (services, claim, told) = (services.clone(), claim.clone(), told.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.assistants.decide(tx, claim.org, inbox, None).await?;
                let (assistants, who) = (&services.assistants, &told.target.sender);
                assistants
                    .unlink(tx, Actor::from(&principal), claim.org, told.at, who)
                    .await?;
                assistants.say(tx, claim.org, told).await?;
                Ok(())
            })
        });
        ended.await
    }

    async fn admit(
        &self,
        claim: &Claim,
        inbox: InboxId,
        principal: Principal,
        turn: &Turn,
        outgoing: Outgoing,
    ) -> Result<()> {
        let place = &turn.place;
        let (audience, of_whom) = match place.kind {
            PlaceKind::Direct => (Audience::Private, principal.user.to_string()),
            PlaceKind::Shared => (Audience::Shared, String::new()),
        };
        let request = RunRequest {
            question: turn.text.clone(),
            session: Which::Origin {
                origin: format!(
                    "chat/{}/{}/{}/{of_whom}",
                    outgoing.at, place.conversation, place.thread
                ),
                audience,
            },
            organisation_safe: audience == Audience::Shared,
            tone: Tone::default(),
            fast: false,
        };
        let (services, claim) = (self.services.clone(), claim.clone());
        let admitted = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (request, outgoing) = (request.clone(), outgoing.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                let Admitted { run, message, .. } = Admitted::draft();
                services
                    .assistants
                    .decide(tx, claim.org, inbox, Some(message))
                    .await?;
                let then = services
                    .assistants
                    .prepare_answer(tx, claim.org, outgoing, message)
                    .await?;
                services
                    .analysis
                    .admit_in(tx, &principal, &request, run, message, Some(then))
                    .await?;
                Ok(())
            })
        });
        admitted.await
    }

    fn show_progress(&self, at: &Installation, turn: &Turn) {
        let Ok(platform) = self.platform(at.platform).map(Arc::clone) else {
            return;
        };
        let (at, target) = (
            at.clone(),
            Target {
                sender: turn.sender.clone(),
                place: turn.place.clone(),
            },
        );
        tokio::spawn(async move {
            let showing = platform.progress(&at, &target, Some("is working on it…"));
            if let Ok(Err(failure)) = tokio::time::timeout(PROGRESS, showing).await {
                tracing::debug!(installation = %at.id, error = %failure, "progress could not be shown");
            }
        });
    }
}

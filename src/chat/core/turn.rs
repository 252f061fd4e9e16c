//! Deciding a turn: refuse, prompt to link, answer from fixed text, or admit a run.
//!
//! The rules of a chat are here, for every platform. Asking who someone is may call the platform;
//! the decision itself is one transaction, fenced by the job and by the inbox row.

use std::sync::Arc;

use crate::analysis::completed::failure_text;
use crate::analysis::engine::{Remark, Tone};
use crate::analysis::request::{Admitted, Brought, RunRequest};
use crate::analysis::selection::Selection;
use crate::analysis::service::Stop;
use crate::assistants::model::{DeliveryKind, Installation, PlaceKind, Target, Turn};
use crate::assistants::turns::{Inboxed, Outgoing, payload_id};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::InboxId;
use crate::base::principal::Principal;
use crate::chat::core::authorize::{NotYet, Verdict};
use crate::chat::core::chat::Chat;
use crate::chat::core::notices::{Asked, Wish, keep_asked, reason};
use crate::chat::core::say;
use crate::chat::core::stop::{origin, stop_all};
use crate::files::model::{File, Part};
use crate::queue::job::{Claim, Done, GaveUp};
use crate::sessions::model::Which;
use crate::sessions::model::{Audience, Message};

/// A question with all that came along.
struct Asking<'a> {
    principal: Principal,
    tone: Tone,
    turn: &'a Turn,
    files: &'a [File],
    thread: Vec<Remark>,
    selection: Selection,
}

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
        let decided = async {
            let verdict = match self.taken_back(&at, &boxed).await? {
                Some(verdict) => verdict,
                None => self.authorize(&at, &boxed.turn, claim.tries).await?,
            };
            let files = match &verdict {
                Verdict::Ask(principal) | Verdict::FilesAlone(principal) => {
                    self.receive_files(&at, id, &boxed.turn, principal.user, &claim)
                        .await?
                }
                _ => Vec::new(),
            };
            Ok((verdict, files))
        };
        let (verdict, files) = match decided.await {
            Ok(decided) => decided,
            Err(NotYet::Wait(wait)) => return Ok(Done::Later(wait)),
            Err(NotYet::Again(wait)) => return Ok(Done::Again(wait)),
            Err(NotYet::Disabled) => return self.until_reinstalled(&claim, &at).await,
            Err(NotYet::Failed(error)) => return Err(error),
        };
        self.carry_out(&claim, id, &at, &boxed.turn, verdict, &files)
            .await?;
        Ok(Done::Finished)
    }

    /// What becomes of a question that was taken back before it was heard: the platform's events come in
    /// any order.
    async fn taken_back(&self, at: &Installation, boxed: &Inboxed) -> Result<Option<Verdict>> {
        let assistants = &self.services.assistants;
        if assistants.is_deleted(at.org, at.id, &boxed.message_key).await? {
            return Ok(Some(Verdict::Drop("it was deleted before it was heard")));
        }
        Ok(assistants.is_stopped(at.org, at.id, &boxed.turn).await?.then(|| {
            let stopped = failure_text(Some(Stop::Asked.code()));
            Verdict::Say(DeliveryKind::Private, say::failed(stopped))
        }))
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
            &[],
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
        files: &[File],
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
                self.conclude(claim, inbox, None, &[]).await
            }
            Verdict::Say(kind, say) => {
                self.conclude(claim, inbox, Some(outgoing(kind, Some(say))), &[])
                    .await
            }
            Verdict::FilesAlone(_) => {
                let say = say::files_alone(files);
                self.conclude(
                    claim,
                    inbox,
                    Some(outgoing(DeliveryKind::Reply, Some(say))),
                    files,
                )
                .await
            }
            Verdict::LinkPrompt => {
                self.conclude(claim, inbox, Some(outgoing(DeliveryKind::LinkPrompt, None)), &[])
                    .await
            }
            Verdict::Closed(closed) => {
                let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
                let asked = self
                    .asked_in(at, &assistant, &turn.place, &turn.sender, (&closed, Wish::Answer))
                    .await?;
                let reason = reason(closed, &assistant.name, &turn.place.conversation);
                let told = outgoing(DeliveryKind::Private, Some(reason));
                self.leave(claim, inbox, at, told, asked).await
            }
            Verdict::Stop(principal, running) => {
                let otherwise = outgoing(DeliveryKind::Private, Some(say::nothing_to_stop()));
                self.stop(claim, inbox, principal, running, otherwise).await
            }
            Verdict::Disconnect(principal) => {
                let told = outgoing(DeliveryKind::Private, Some(say::unlinked()));
                self.disconnect(claim, inbox, principal, told).await
            }
            Verdict::Ask(principal) => {
                let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
                let (tone, selection) = self.manner(&principal, at, &assistant, &turn.place).await?;
                let asking = Asking {
                    principal,
                    tone,
                    selection,
                    turn,
                    files,
                    thread: self.said_before(at, turn).await,
                };
                let asked = self
                    .admit(claim, inbox, asking, outgoing(DeliveryKind::Answer, None))
                    .await;
                match asked {
                    Ok(()) => Ok(()),
                    Err(error @ (Error::Stale | Error::Busy { .. })) => Err(error),
                    Err(error) => {
                        if matches!(error, Error::Internal(_) | Error::Upstream(_)) {
                            tracing::error!(job = %claim.id, error = error.chain(), "a turn could not be admitted");
                        }
                        let say = outgoing(DeliveryKind::Private, Some(say::refusal(&error)));
                        self.conclude(claim, inbox, Some(say), files).await
                    }
                }
            }
        }
    }

    async fn conclude(
        &self,
        claim: &Claim,
        inbox: InboxId,
        outgoing: Option<Outgoing>,
        files: &[File],
    ) -> Result<()> {
        let (services, claim, files) = (self.services.clone(), claim.clone(), files.to_vec());
        let concluded = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (outgoing, files) = (outgoing.clone(), files.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.assistants.decide(tx, claim.org, inbox, None).await?;
                services.files.add(tx, claim.org, &files, None).await?;
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

    /// Says why nothing is said in the conversation, and lets admins know that somebody asked.
    async fn leave(
        &self,
        claim: &Claim,
        inbox: InboxId,
        at: &Installation,
        told: Outgoing,
        asked: Option<Asked>,
    ) -> Result<()> {
        let (services, claim, at) = (self.services.clone(), claim.clone(), at.clone());
        let left = self.services.db.write(move |tx| {
            let (services, claim, at) = (services.clone(), claim.clone(), at.clone());
            let (told, asked) = (told.clone(), asked.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.assistants.decide(tx, claim.org, inbox, None).await?;
                services.assistants.say(tx, claim.org, told).await?;
                if let Some(asked) = &asked {
                    keep_asked(&services, tx, &at, asked).await?;
                }
                Ok(())
            })
        });
        left.await
    }

    /// Ends what is under way. What was delivered in its place says so; where all had ended before,
    /// `otherwise` is said.
    async fn stop(
        &self,
        claim: &Claim,
        inbox: InboxId,
        principal: Principal,
        running: Vec<Message>,
        otherwise: Outgoing,
    ) -> Result<()> {
        let (services, claim, running) = (self.services.clone(), claim.clone(), Arc::new(running));
        let stopped = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (running, otherwise) = (Arc::clone(&running), otherwise.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.assistants.decide(tx, claim.org, inbox, None).await?;
                let actor = Actor::from(&principal);
                if !stop_all(&services, tx, actor, claim.org, &running, Stop::Asked).await? {
                    services.assistants.say(tx, claim.org, otherwise).await?;
                }
                Ok(())
            })
        });
        stopped.await
    }

    async fn admit(
        &self,
        claim: &Claim,
        inbox: InboxId,
        asking: Asking<'_>,
        outgoing: Outgoing,
    ) -> Result<()> {
        let Asking {
            principal,
            tone,
            turn,
            files,
            thread,
            selection,
        } = asking;
        let (place, files) = (&turn.place, files.to_vec());
        let audience = match place.kind {
            PlaceKind::Direct => Audience::Private,
            PlaceKind::Shared => Audience::Shared,
        };
        let request = RunRequest {
            question: turn.text.clone(),
            session: Which::Origin {
                origin: origin(outgoing.at, place, principal.user),
                audience,
            },
            organisation_safe: audience == Audience::Shared,
            tone,
            fast: false,
            brought: Brought::default(),
            thread,
            selection,
            ..RunRequest::default()
        };
        let (services, claim) = (self.services.clone(), claim.clone());
        let admitted = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (request, outgoing, files) = (request.clone(), outgoing.clone(), files.clone());
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
                services.assistants.announce(tx, claim.org, &then).await?;
                services
                    .analysis
                    .admit_in(tx, &principal, &request, run, message, Some(then))
                    .await?;
                services
                    .files
                    .add(tx, claim.org, &files, Some((message, Part::Question)))
                    .await?;
                Ok(())
            })
        });
        admitted.await
    }
}

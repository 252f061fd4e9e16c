//! Turns: what a person says to an assistant is refused, answered with a link prompt or a fixed text, or admitted
//! as an analysis.
//!
//! Deciding may ask the platform. Carrying the decision out is one transaction, fenced by the job's attempt and by
//! the inbox row.

use std::sync::Arc;

use crate::analysis::completed::failure_text;
use crate::analysis::request::{Admitted, QuestionFiles, RunRequest};
use crate::analysis::service::Stop;
use crate::assistants::deliveries::service::Outgoing;
use crate::assistants::inbox::service::StoredTurn;
use crate::assistants::jobs::payload_id;
use crate::assistants::model::{DeliveryKind, Installation, PlaceKind, Say, Target, Turn};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::InboxId;
use crate::base::principal::Principal;
use crate::chat::core::analyst::tone_and_selection;
use crate::chat::core::chat::Chat;
use crate::chat::core::decision::Decision;
use crate::chat::core::deferred::Deferred;
use crate::chat::core::files::receive_files;
use crate::chat::core::notices::{Wanted, approval_request, refusal_text, save_approval_request};
use crate::chat::core::rules::{ConversationRefusal, Rules};
use crate::chat::core::say;
use crate::chat::core::stop::{session_origin, stop_all};
use crate::chat::core::thread::thread_before;
use crate::files::model::{File, Part};
use crate::queue::job::{Claim, Done, GaveUp};
use crate::services::Services;
use crate::sessions::model::{Audience, Message, Which};

/// Decides turns. Cheap to clone.
#[derive(Clone)]
pub struct Turns {
    chat: Chat,
    rules: Rules,
}

impl Turns {
    pub fn new(chat: &Chat) -> Self {
        Self {
            chat: chat.clone(),
            rules: Rules::new(chat),
        }
    }

    /// Handles a `chat.turn` job.
    pub async fn decide(self, claim: Claim) -> Result<Done> {
        let (inbox, stored, at) = self.load(&claim).await?;
        if stored.decided {
            return Ok(Done::Nothing);
        }
        let context = self.context(&claim, inbox, &at, &stored.turn);
        match self.decide_with_files(&context, &stored).await {
            Ok((decision, files)) => {
                context.carry_out(decision, &files).await?;
                Ok(Done::Finished)
            }
            Err(deferred) => deferred.into_done(&self.chat, &claim, &at).await,
        }
    }

    /// Tells the sender that no attempt could decide the turn.
    pub async fn give_up(self, claim: Claim, why: GaveUp) -> Result<()> {
        let (inbox, stored, at) = self.load(&claim).await?;
        tracing::error!(job = %claim.id, reason = why.code(), "a chat turn was given up");
        if stored.decided {
            return self.chat.finish(&claim).await;
        }
        let say =
            say::failed("Something went wrong on our side before I could look at this. Please ask again.");
        self.context(&claim, inbox, &at, &stored.turn)
            .carry_out(Decision::Say(DeliveryKind::Private, say), &[])
            .await
    }

    async fn load(&self, claim: &Claim) -> Result<(InboxId, StoredTurn, Installation)> {
        let id: InboxId = payload_id(&claim.payload, "inbox")?;
        let inbox = &self.chat.services.inbox;
        let installations = &self.chat.services.installations;
        let stored = inbox.turn(claim.org, id).await?;
        let at = installations.by_id(claim.org, stored.installation).await?;
        Ok((id, stored, at))
    }

    fn context<'a>(
        &'a self,
        claim: &'a Claim,
        inbox: InboxId,
        at: &'a Installation,
        turn: &'a Turn,
    ) -> TurnContext<'a> {
        TurnContext {
            services: &self.chat.services,
            turns: self,
            claim,
            inbox,
            at,
            turn,
        }
    }

    /// The decision, and the files of the turn where they are needed.
    async fn decide_with_files(
        &self,
        context: &TurnContext<'_>,
        stored: &StoredTurn,
    ) -> Result<(Decision, Vec<File>), Deferred> {
        let TurnContext { claim, at, turn, .. } = context;
        let decision = match self.withdrawn(at, stored).await? {
            Some(decision) => decision,
            None => self.rules.decide(at, turn, claim.tries).await?,
        };
        let files = match &decision {
            Decision::Ask(principal) | Decision::FilesOnly(principal) => {
                receive_files(&self.chat, at, context.inbox, turn, principal.user, claim).await?
            }
            _ => Vec::new(),
        };
        Ok((decision, files))
    }

    /// The decision on a question that was deleted or stopped before it was decided: a platform's events arrive in
    /// any order.
    async fn withdrawn(&self, at: &Installation, stored: &StoredTurn) -> Result<Option<Decision>> {
        let inbox = &self.chat.services.inbox;
        if inbox.is_deleted(at.org, at.id, &stored.message_key).await? {
            return Ok(Some(Decision::Drop("it was deleted before it was decided")));
        }
        let stopped = inbox.is_stopped(at.org, at.id, &stored.turn).await?;
        Ok(stopped.then(|| {
            let text = failure_text(Some(Stop::Asked.code()));
            Decision::Say(DeliveryKind::Private, say::failed(text))
        }))
    }
}

/// One turn that is being decided.
struct TurnContext<'a> {
    services: &'a Services,
    turns: &'a Turns,
    claim: &'a Claim,
    inbox: InboxId,
    at: &'a Installation,
    turn: &'a Turn,
}

impl TurnContext<'_> {
    /// The one transaction of a decision: the job ends, the inbox row is decided, and what follows is queued.
    async fn carry_out(&self, decision: Decision, files: &[File]) -> Result<()> {
        let private = |say| self.outgoing(DeliveryKind::Private, Some(say));
        match decision {
            Decision::Drop(why) => {
                tracing::info!(installation = %self.at.id, why, "a turn is not answered");
                self.conclude(None, &[]).await
            }
            Decision::Say(kind, say) => self.conclude(Some(self.outgoing(kind, Some(say))), &[]).await,
            Decision::FilesOnly(_) => {
                let say = say::files_alone(files);
                let reply = self.outgoing(DeliveryKind::Reply, Some(say));
                self.conclude(Some(reply), files).await
            }
            Decision::LinkPrompt => {
                let prompt = self.outgoing(DeliveryKind::LinkPrompt, None);
                self.conclude(Some(prompt), &[]).await
            }
            Decision::Refuse(refusal) => self.refuse(refusal).await,
            Decision::Stop(principal, running) => {
                self.stop(principal, running, private(say::nothing_to_stop()))
                    .await
            }
            Decision::Disconnect(principal) => self.disconnect(principal, private(say::unlinked())).await,
            Decision::Ask(principal) => {
                let request = self.request(&principal).await?;
                match self.admit(principal, request, files).await {
                    Ok(()) => Ok(()),
                    Err(error @ (Error::Stale | Error::Busy { .. })) => Err(error),
                    Err(error) => {
                        if matches!(error, Error::Internal(_) | Error::Upstream(_)) {
                            tracing::error!(
                                job = %self.claim.id, error = error.chain(), "a turn could not be admitted"
                            );
                        }
                        self.conclude(Some(private(say::refusal(&error))), files).await
                    }
                }
            }
        }
    }

    fn outgoing(&self, kind: DeliveryKind, say: Option<Say>) -> Outgoing {
        Outgoing {
            at: self.at.id,
            inbox: Some(self.inbox),
            kind,
            target: Target {
                sender: self.turn.sender.clone(),
                place: self.turn.place.clone(),
            },
            say,
        }
    }

    async fn conclude(&self, outgoing: Option<Outgoing>, files: &[File]) -> Result<()> {
        let (services, claim, inbox) = (self.services.clone(), self.claim.clone(), self.inbox);
        let files = files.to_vec();
        let concluded = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (outgoing, files) = (outgoing.clone(), files.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.inbox.decide(tx, claim.org, inbox, None).await?;
                services.files.add(tx, claim.org, &files, None).await?;
                if let Some(outgoing) = outgoing {
                    services.deliveries.add(tx, claim.org, outgoing).await?;
                }
                Ok(())
            })
        });
        concluded.await
    }

    /// Unlinks the account and queues the confirmation, in one transaction.
    async fn disconnect(&self, principal: Principal, confirmation: Outgoing) -> Result<()> {
        let (services, claim, inbox) = (self.services.clone(), self.claim.clone(), self.inbox);
        let disconnected = self.services.db.write(move |tx| {
            let (services, claim, confirmation) = (services.clone(), claim.clone(), confirmation.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.inbox.decide(tx, claim.org, inbox, None).await?;
                let sender = &confirmation.target.sender;
                services
                    .links
                    .remove(tx, Actor::from(&principal), claim.org, confirmation.at, sender)
                    .await?;
                services.deliveries.add(tx, claim.org, confirmation).await?;
                Ok(())
            })
        });
        disconnected.await
    }

    /// Tells the sender why the conversation is not answered, and notifies administrators of the request.
    async fn refuse(&self, refusal: ConversationRefusal) -> Result<()> {
        let (at, place) = (self.at, &self.turn.place);
        let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
        let request = approval_request(
            &self.turns.rules,
            at,
            &assistant,
            place,
            &self.turn.sender,
            (&refusal, Wanted::Answer),
        );
        let request = request.await?;
        let reason = refusal_text(refusal, &assistant.name, &place.conversation);
        let reply = self.outgoing(DeliveryKind::Private, Some(reason));
        let (services, claim, inbox) = (self.services.clone(), self.claim.clone(), self.inbox);
        let at = at.clone();
        let refused = self.services.db.write(move |tx| {
            let (services, claim, at) = (services.clone(), claim.clone(), at.clone());
            let (reply, request) = (reply.clone(), request.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.inbox.decide(tx, claim.org, inbox, None).await?;
                services.deliveries.add(tx, claim.org, reply).await?;
                if let Some(request) = &request {
                    save_approval_request(&services, tx, &at, request).await?;
                }
                Ok(())
            })
        });
        refused.await
    }

    /// Stops running analyses. The answer of each says so; where all had ended before, `otherwise` is sent.
    async fn stop(&self, principal: Principal, running: Vec<Message>, otherwise: Outgoing) -> Result<()> {
        let (services, claim, inbox) = (self.services.clone(), self.claim.clone(), self.inbox);
        let running = Arc::new(running);
        let stopped = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (running, otherwise) = (Arc::clone(&running), otherwise.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.inbox.decide(tx, claim.org, inbox, None).await?;
                let actor = Actor::from(&principal);
                if !stop_all(&services, tx, actor, claim.org, &running, Stop::Asked).await? {
                    services.deliveries.add(tx, claim.org, otherwise).await?;
                }
                Ok(())
            })
        });
        stopped.await
    }

    /// The analysis that the turn asks for.
    async fn request(&self, principal: &Principal) -> Result<RunRequest> {
        let (at, turn) = (self.at, self.turn);
        let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
        let (tone, selection) =
            tone_and_selection(self.services, principal, at, &assistant, &turn.place).await?;
        let thread = thread_before(&self.turns.chat, at, turn).await;
        let audience = match turn.place.kind {
            PlaceKind::Direct => Audience::Private,
            PlaceKind::Shared => Audience::Shared,
        };
        Ok(RunRequest {
            question: turn.question(),
            session: Which::Origin {
                origin: session_origin(at.id, &turn.place, principal.user),
                audience,
            },
            organisation_safe: audience == Audience::Shared,
            tone,
            fast: false,
            files: QuestionFiles::default(),
            thread,
            selection,
            ..RunRequest::default()
        })
    }

    /// Admits an analysis, whose answer is delivered later.
    async fn admit(&self, principal: Principal, request: RunRequest, files: &[File]) -> Result<()> {
        let answer = self.outgoing(DeliveryKind::Answer, None);
        let (services, claim, inbox) = (self.services.clone(), self.claim.clone(), self.inbox);
        let files = files.to_vec();
        let admitted = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (request, answer, files) = (request.clone(), answer.clone(), files.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                let Admitted { run, message, .. } = Admitted::draft();
                services.inbox.decide(tx, claim.org, inbox, Some(message)).await?;
                let then = services
                    .deliveries
                    .prepare_answer(tx, claim.org, answer, message)
                    .await?;
                services.deliveries.add_placeholder(tx, claim.org, &then).await?;
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

//! Deciding a turn: refuse, prompt to link, answer from fixed text, or admit a run.
//!
//! The rules of a chat are here, for every platform. Asking who someone is may call the platform;
//! the decision itself is one transaction, fenced by the job and by the inbox row.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::accounts::model::Membership;
use crate::analysis::engine::Tone;
use crate::analysis::request::{Admitted, RunRequest};
use crate::assistants::model::{
    Assistant, ConversationState, DeliveryKind, Installation, InstallationState, Place, PlaceKind,
    PlatformKind, Say, Target, Turn,
};
use crate::assistants::turns::{Outgoing, payload_id};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::InboxId;
use crate::base::principal::{Face, Principal};
use crate::chat::core::about::{self, Facts, Topic};
use crate::chat::core::platform::{Failure, Platform, Standing};
use crate::chat::core::say;
use crate::queue::job::{Claim, Done, GaveUp};
use crate::services::Services;
use crate::sessions::model::Audience;
use crate::sessions::service::Which;

/// Attempts to look something up before the sender is told that it did not work.
const LOOK_UPS: i64 = 6;
/// Longest wait for showing progress: it must never hold an answer up.
const PROGRESS: Duration = Duration::from_secs(3);

/// The chat core with its platforms. Cheap to clone.
#[derive(Clone)]
pub struct Chat {
    pub(super) services: Services,
    platforms: Arc<HashMap<PlatformKind, Arc<dyn Platform>>>,
}

/// What becomes of a turn.
enum Verdict {
    /// Nothing is said: the sender is a machine, or nobody could hear it.
    Drop(&'static str),
    Say(DeliveryKind, Say),
    LinkPrompt,
    Ask(Principal),
}

/// Why there is no verdict yet.
enum NotYet {
    Wait(Duration),
    Failed(Error),
}

impl From<Error> for NotYet {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Chat {
    pub fn new(services: Services, platforms: Vec<Arc<dyn Platform>>) -> Self {
        let platforms = platforms
            .into_iter()
            .map(|platform| (platform.kind(), platform))
            .collect();
        Self {
            services,
            platforms: Arc::new(platforms),
        }
    }

    pub(super) fn platform(&self, kind: PlatformKind) -> Result<&Arc<dyn Platform>> {
        self.platforms
            .get(&kind)
            .ok_or_else(|| Error::internal(format!("no platform {kind}")))
    }

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

    async fn judge(&self, at: &Installation, turn: &Turn, attempt: i64) -> Result<Verdict, NotYet> {
        if at.state != InstallationState::Active {
            return Ok(Verdict::Drop("the installation is not active"));
        }
        let platform = self.platform(at.platform)?;
        let standing = match platform.identify(at, &turn.sender).await {
            Ok(identity) => identity.standing,
            Err(failure) => return self.not_identified(at, failure, attempt).await,
        };
        match standing {
            Standing::Teammate => {}
            Standing::Bot => return Ok(Verdict::Drop("a machine wrote it")),
            Standing::Guest => return Ok(Verdict::Say(DeliveryKind::Private, say::guest())),
            Standing::Deactivated => return Ok(Verdict::Say(DeliveryKind::Private, say::deactivated())),
            Standing::Stranger => return Ok(Verdict::Say(DeliveryKind::Private, say::stranger())),
        }
        let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
        if turn.place.kind == PlaceKind::Shared
            && let Some(reason) = self.closed(at, &assistant, &turn.place, attempt).await?
        {
            return Ok(Verdict::Say(DeliveryKind::Private, reason));
        }
        let account = match turn.sender.account {
            Some(account) => Some(account),
            None => self
                .services
                .assistants
                .link(at.org, at.id, &turn.sender)
                .await?
                .map(|link| link.user_id),
        };
        let Some(user) = account else {
            return Ok(Verdict::LinkPrompt);
        };
        let member = match self.services.accounts.membership(at.org, user).await {
            Ok(member) => member,
            Err(Error::NotFound(_)) => {
                return Ok(Verdict::Say(
                    DeliveryKind::Private,
                    say::refusal(&Error::Unauthenticated),
                ));
            }
            Err(error) => return Err(error.into()),
        };
        if let Err(error) = member.check_chat() {
            return Ok(Verdict::Say(DeliveryKind::Private, say::refusal(&error)));
        }
        Ok(self.of_teammate(at, &assistant, turn, &member).await?)
    }

    /// A linked, eligible teammate in a place that may be answered.
    async fn of_teammate(
        &self,
        at: &Installation,
        assistant: &Assistant,
        turn: &Turn,
        member: &Membership,
    ) -> Result<Verdict> {
        let face = if at.platform == PlatformKind::Web {
            Face::Web
        } else {
            Face::Slack
        };
        let principal = Principal {
            org: member.org_id,
            user: member.user_id,
            role: member.role,
            face,
        };
        let said = turn.text.trim();
        if wants_to_disconnect(said) && turn.sender.account.is_none() {
            self.services
                .assistants
                .unlink(Actor::from(&principal), at, &turn.sender)
                .await?;
            return Ok(Verdict::Say(DeliveryKind::Private, say::unlinked()));
        }
        if said.is_empty() {
            let text = if turn.files.is_empty() {
                say::greeting(&assistant.name, &assistant.greeting)
            } else {
                Say::plain(say::unread_files(&turn.files))
            };
            return Ok(Verdict::Say(DeliveryKind::Reply, text));
        }
        if let Some(topic) = about::topic(said) {
            let facts = Facts {
                assistant: &assistant.name,
                service: &self.services.site.service_name,
                org: &member.org_name,
                account: (&member.name, &member.email),
                own: &assistant.about,
            };
            // Who someone is connected as is nobody else's business.
            let kind = if topic == Topic::Account {
                DeliveryKind::Private
            } else {
                DeliveryKind::Reply
            };
            return Ok(Verdict::Say(kind, Say::plain(about::text(topic, &facts))));
        }
        Ok(Verdict::Ask(principal))
    }

    /// Why a shared conversation is not answered; nothing where it is.
    async fn closed(
        &self,
        at: &Installation,
        assistant: &Assistant,
        place: &Place,
        attempt: i64,
    ) -> Result<Option<Say>, NotYet> {
        if !assistant.shared_enabled {
            return Ok(Some(say::shared_off(&assistant.name)));
        }
        match self
            .services
            .assistants
            .conversation(at.org, at.id, &place.conversation)
            .await?
        {
            Some(ConversationState::Approved) => {}
            Some(ConversationState::Suspended) => return Ok(Some(say::suspended(&assistant.name))),
            Some(ConversationState::Revoked) | None => {
                return Ok(Some(say::not_approved(&assistant.name, &place.conversation)));
            }
        }
        let outsiders = if place.outsiders {
            true
        } else {
            match self.platform(at.platform)?.has_outsiders(at, place).await {
                Ok(outsiders) => outsiders,
                Err(Failure::Wait(wait)) => return Err(NotYet::Wait(wait)),
                Err(Failure::Away(_) | Failure::Ambiguous(_)) if attempt < LOOK_UPS => {
                    return Err(NotYet::Wait(pause(attempt)));
                }
                // Fail closed, but keep the approval: nobody joined, we just cannot see.
                Err(failure) => {
                    tracing::warn!(installation = %at.id, error = %failure, "a conversation could not be checked for outsiders");
                    return Ok(Some(say::suspended(&assistant.name)));
                }
            }
        };
        if outsiders {
            let suspended = ConversationState::Suspended;
            let assistants = &self.services.assistants;
            assistants
                .decide_conversation(Actor::SYSTEM, at.org, at.id, &place.conversation, suspended)
                .await?;
            return Ok(Some(say::suspended(&assistant.name)));
        }
        Ok(None)
    }

    async fn not_identified(
        &self,
        at: &Installation,
        failure: Failure,
        attempt: i64,
    ) -> Result<Verdict, NotYet> {
        match failure {
            Failure::Wait(wait) => Err(NotYet::Wait(wait)),
            Failure::Disabled(because) => {
                self.services.assistants.disable(at.org, at.id, &because).await?;
                Ok(Verdict::Drop("the installation has no rights any more"))
            }
            Failure::Away(_) | Failure::Ambiguous(_) if attempt < LOOK_UPS => {
                Err(NotYet::Wait(pause(attempt)))
            }
            Failure::Away(_) | Failure::Ambiguous(_) | Failure::Content(_) | Failure::Gone(_) => {
                tracing::warn!(installation = %at.id, error = %failure, "a sender could not be looked up");
                let say = say::failed(
                    "I could not check who you are, so I must not answer. Please ask again in a while.",
                );
                Ok(Verdict::Say(DeliveryKind::Private, say))
            }
            Failure::Refused(_) | Failure::Elsewhere(_) => {
                tracing::warn!(installation = %at.id, error = %failure, "a sender is not known to the platform");
                Ok(Verdict::Say(DeliveryKind::Private, say::stranger()))
            }
        }
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

/// A wait that grows with the attempts.
pub(super) fn pause(attempt: i64) -> Duration {
    let doublings = u32::try_from(attempt.clamp(0, 6)).unwrap_or(0);
    Duration::from_millis(250) * 2_u32.pow(doublings)
}

/// Exactly the words for it: a question about disconnecting utilities is a question.
fn wants_to_disconnect(said: &str) -> bool {
    let words: Vec<String> = crate::base::text::words(said).take(6).collect();
    let said = words.join(" ");
    [
        "disconnect",
        "unlink",
        "disconnect me",
        "unlink me",
        "disconnect my account",
        "unlink my account",
    ]
    .contains(&said.as_str())
}

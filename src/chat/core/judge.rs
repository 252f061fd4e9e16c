//! Who may be answered, where, and with what: the rules of a chat, for every platform.
//!
//! Looks things up, decides nothing on disk except that a conversation with outsiders is suspended.

use std::time::Duration;

use crate::accounts::model::Membership;
use crate::assistants::model::{
    Assistant, ConversationState, DeliveryKind, Installation, InstallationState, Place, PlaceKind,
    PlatformKind, Say, Turn,
};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::principal::{Face, Principal};
use crate::chat::core::about::{self, Facts, Topic};
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::platform::{Failure, Standing};
use crate::chat::core::say;

/// Attempts to look something up before the sender is told that it did not work.
const LOOK_UPS: i64 = 6;
/// What becomes of a turn.
pub(super) enum Verdict {
    /// Nothing is said: the sender is a machine, or nobody could hear it.
    Drop(&'static str),
    Say(DeliveryKind, Say),
    LinkPrompt,
    /// The link ends, and the person is told.
    Disconnect(Principal),
    Ask(Principal),
}

/// Why there is no verdict yet.
pub(super) enum NotYet {
    Wait(Duration),
    Failed(Error),
}

impl From<Error> for NotYet {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Chat {
    pub(super) async fn judge(
        &self,
        at: &Installation,
        turn: &Turn,
        attempt: i64,
    ) -> Result<Verdict, NotYet> {
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
            return Ok(Verdict::Disconnect(principal));
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
            Failure::Away(_)
            | Failure::Ambiguous(_)
            | Failure::Content(_)
            | Failure::Gone(_)
            | Failure::Fixed(_) => {
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

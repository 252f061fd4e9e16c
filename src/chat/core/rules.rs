//! The rules of a chat, for every platform: who may be answered, and where. Looks things up and writes nothing,
//! except that it suspends a conversation with outsiders in it.

use std::time::Duration;

use crate::accounts::model::Membership;
use crate::assistants::model::{
    Assistant, ConversationState, Installation, InstallationState, Place, PlaceKind, PlatformKind, Say,
    Sender,
};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::principal::{Face, Principal};
use crate::chat::core::chat::Chat;
use crate::chat::core::deferred::{Deferred, MAX_LOOKUPS, unless_final};
use crate::chat::core::platform::{Audience, Failure, Obstacle, SenderStatus};
use crate::chat::core::refusals;
use crate::chat::core::say;

/// Longest that a page waits for a platform's answer about a conversation.
const PAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// The rules, over the services and platforms. Cheap to clone.
#[derive(Clone)]
pub struct Rules {
    pub(super) chat: Chat,
}

/// Why questions in a shared conversation are not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConversationRefusal {
    /// The assistant answers in no shared conversation.
    SharedOff,
    /// No administrator has decided.
    Undecided,
    /// An administrator decided against it.
    Revoked,
    /// With the reason, if one was stored.
    Suspended(Option<String>),
    /// No administrator has decided, and it cannot be approved because of who is in it.
    NotApprovable(Audience),
    /// The platform does not say who is in it; with the text for the sender.
    Unknown(Say),
}

/// Whether people from outside the workspace are, or may soon be, in a conversation.
pub(super) enum Outsiders {
    None,
    Some(Audience),
    /// It could not be looked up; with the reason for the sender.
    Unknown(Say),
}

/// Why a sender gets no answer to any question.
pub(super) enum Denial {
    /// Nobody would read a reply.
    Silent(&'static str),
    Explained(Say),
}

/// The account behind a sender.
pub(super) enum Account {
    Unlinked,
    Refused(Say),
    Member(Membership),
}

impl Rules {
    pub fn new(chat: &Chat) -> Self {
        Self { chat: chat.clone() }
    }

    /// Why a sender may not use the assistant at all; `None` for a full member of the workspace.
    pub(super) async fn check_sender(
        &self,
        at: &Installation,
        sender: &Sender,
        tries: i64,
    ) -> Result<Option<Denial>, Deferred> {
        let status = match self.chat.platform(at.kind())?.identify(at, sender).await {
            Ok(identity) => identity.status,
            Err(failure) => return self.not_identified(at, failure, tries).await.map(Some),
        };
        Ok(match status {
            SenderStatus::Member => None,
            SenderStatus::Bot => Some(Denial::Silent("it was written by a bot")),
            SenderStatus::Guest => Some(Denial::Explained(say::guest())),
            SenderStatus::Deactivated => Some(Denial::Explained(say::deactivated())),
            SenderStatus::Outsider => Some(Denial::Explained(say::stranger())),
        })
    }

    /// The account of a full member of the workspace, as it is now: linked, a member of the organization, and in a
    /// plan with chat.
    pub(super) async fn account(&self, at: &Installation, sender: &Sender) -> Result<Account> {
        let services = &self.chat.services;
        let user = match sender.account {
            Some(user) => user,
            None => match services.links.find(at.org, at.id, sender).await? {
                Some(link) => link.user_id,
                None => return Ok(Account::Unlinked),
            },
        };
        let member = match services.accounts.membership(at.org, user).await {
            Ok(member) => member,
            Err(Error::NotFound(_)) => return Ok(Account::Refused(say::refusal(&Error::Unauthenticated))),
            Err(error) => return Err(error),
        };
        Ok(match member.check_chat() {
            Ok(()) => Account::Member(member),
            Err(error) => Account::Refused(say::refusal(&error)),
        })
    }

    /// Why questions in a shared conversation are not answered; `None` if they are.
    pub(super) async fn check_conversation(
        &self,
        at: &Installation,
        assistant: &Assistant,
        place: &Place,
        tries: i64,
    ) -> Result<Option<ConversationRefusal>, Deferred> {
        if !assistant.shared_enabled {
            return Ok(Some(ConversationRefusal::SharedOff));
        }
        let conversations = &self.chat.services.conversations;
        match conversations.state(at.org, at.id, &place.conversation).await? {
            Some(ConversationState::Approved) => {}
            Some(ConversationState::Suspended) => {
                let known = conversations.find(at.org, at.id, &place.conversation).await?;
                let reason = known.and_then(|known| known.reason);
                return Ok(Some(ConversationRefusal::Suspended(reason)));
            }
            Some(ConversationState::Revoked) => return Ok(Some(ConversationRefusal::Revoked)),
            Some(ConversationState::Requested) | None => {
                // A failed lookup is ignored here: the approval checks again.
                let audience = self.chat.platform(at.kind())?.audience(at, place).await;
                return Ok(Some(match audience {
                    Ok(audience @ (Audience::Outside | Audience::Workspaces)) => {
                        ConversationRefusal::NotApprovable(audience)
                    }
                    Ok(Audience::Own) | Err(_) => ConversationRefusal::Undecided,
                }));
            }
        }
        match self.outsiders(at, place, tries).await? {
            Outsiders::None => Ok(None),
            // Fail closed, but keep the approval: nobody is known to have joined.
            Outsiders::Unknown(reason) => Ok(Some(ConversationRefusal::Unknown(reason))),
            Outsiders::Some(audience) => {
                self.suspend(at, &place.conversation, audience).await?;
                let reason = refusals::outsiders_reason(audience).to_owned();
                Ok(Some(ConversationRefusal::Suspended(Some(reason))))
            }
        }
    }

    /// Suspends the approval of a conversation with outsiders in it.
    async fn suspend(&self, at: &Installation, conversation: &str, audience: Audience) -> Result<bool> {
        let reason = refusals::outsiders_reason(audience);
        let conversations = &self.chat.services.conversations;
        conversations
            .suspend(Actor::SYSTEM, at.org, at.id, conversation, reason)
            .await
    }

    /// Who is, or may soon be, in a conversation that an administrator is about to approve; `None` if the
    /// platform cannot say now. If outsiders are in it, an earlier approval is suspended.
    pub async fn audience_of(&self, at: &Installation, conversation: &str) -> Result<Option<Audience>> {
        if at.state != InstallationState::Active {
            return Ok(None);
        }
        let place = shared_place(conversation);
        // A page is waiting, and every turn checks again anyway.
        let lookup = tokio::time::timeout(PAGE_TIMEOUT, self.outsiders(at, &place, MAX_LOOKUPS)).await;
        match lookup.unwrap_or(Err(Deferred::Wait(PAGE_TIMEOUT))) {
            Ok(Outsiders::None) => Ok(Some(Audience::Own)),
            Ok(Outsiders::Some(audience)) => {
                self.suspend(at, conversation, audience).await?;
                Ok(Some(audience))
            }
            Ok(Outsiders::Unknown(_))
            | Err(Deferred::Wait(_) | Deferred::Retry(_) | Deferred::UntilReinstalled) => Ok(None),
            Err(Deferred::Failed(error)) => Err(error),
        }
    }

    pub(super) async fn outsiders(
        &self,
        at: &Installation,
        place: &Place,
        tries: i64,
    ) -> Result<Outsiders, Deferred> {
        if place.outsiders {
            return Ok(Outsiders::Some(Audience::Outside));
        }
        match self.chat.platform(at.kind())?.audience(at, place).await {
            Ok(Audience::Own) => Ok(Outsiders::None),
            Ok(audience @ (Audience::Outside | Audience::Workspaces)) => Ok(Outsiders::Some(audience)),
            Err(failure) => {
                let failure = unless_final(&self.chat.services.installations, at, failure, tries).await?;
                tracing::warn!(installation = %at.id, error = %failure, "conversation not checked for outsiders");
                self.audience_unknown(at, failure).await.map(Outsiders::Unknown)
            }
        }
    }

    /// The reply to the sender if the lookup of a conversation's audience failed.
    async fn audience_unknown(&self, at: &Installation, failure: Failure) -> Result<Say, Deferred> {
        match failure {
            Failure::MissingPermission(permission) => Ok(say::missing_right(&permission)),
            Failure::NotHere(Obstacle::NotMember, _) => Ok(say::not_a_member()),
            Failure::Forbidden(code) => {
                let installations = &self.chat.services.installations;
                installations.add_alert(at.org, at.id, &code).await?;
                Ok(refusals::suspended(&at.assistant_name, None))
            }
            Failure::Wait(_)
            | Failure::Disabled(_)
            | Failure::TokenExpired(_)
            | Failure::Unavailable(_)
            | Failure::Ambiguous(_)
            | Failure::Late(_)
            | Failure::NotHere(..)
            | Failure::ContentRejected(_)
            | Failure::Gone(_)
            | Failure::NotEditable(_)
            | Failure::NoRecipient(_)
            | Failure::Rejected(_) => Ok(refusals::suspended(&at.assistant_name, None)),
        }
    }

    /// Why a sender who could not be looked up is not answered.
    async fn not_identified(
        &self,
        at: &Installation,
        failure: Failure,
        tries: i64,
    ) -> Result<Denial, Deferred> {
        let installations = &self.chat.services.installations;
        tracing::warn!(installation = %at.id, error = %failure, "a sender could not be looked up");
        let say = match unless_final(installations, at, failure, tries).await? {
            Failure::MissingPermission(permission) => say::missing_right(&permission),
            Failure::Forbidden(code) => {
                installations.add_alert(at.org, at.id, &code).await?;
                say::not_identified()
            }
            Failure::NoRecipient(_) | Failure::NotHere(..) => say::stranger(),
            Failure::Wait(_)
            | Failure::Disabled(_)
            | Failure::TokenExpired(_)
            | Failure::Unavailable(_)
            | Failure::Ambiguous(_)
            | Failure::Late(_)
            | Failure::ContentRejected(_)
            | Failure::Gone(_)
            | Failure::NotEditable(_)
            | Failure::Rejected(_) => say::not_identified(),
        };
        Ok(Denial::Explained(say))
    }
}

/// A shared conversation as a whole.
pub(super) fn shared_place(conversation: &str) -> Place {
    Place {
        kind: PlaceKind::Shared,
        conversation: conversation.to_owned(),
        thread: String::new(),
        message: String::new(),
        outsiders: false,
    }
}

/// The caller for the domain services.
pub(super) fn principal_of(at: &Installation, member: &Membership) -> Principal {
    Principal {
        org: member.org_id,
        user: member.user_id,
        role: member.role,
        face: if at.kind() == PlatformKind::Web {
            Face::Web
        } else {
            Face::Slack
        },
    }
}

//! Who may be answered, where, and with what: the rules of a chat, for every platform.
//!
//! Looks things up, decides nothing on disk except that a conversation with outsiders is suspended.

use std::time::Duration;

use crate::accounts::model::Membership;
use crate::assistants::model::{
    Assistant, ConversationState, DeliveryKind, Installation, InstallationState, Part, Place, PlaceKind,
    PlatformKind, Say, Sender, Turn,
};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::principal::{Face, Principal};
use crate::chat::core::about::{self, Facts, Topic};
use crate::chat::core::chat::{Chat, pause};
use crate::chat::core::greeting::is_greeting;
use crate::chat::core::platform::{Audience, Failure, Obstacle, Standing};
use crate::chat::core::refusals;
use crate::chat::core::say;
use crate::chat::core::stop::{around, wants_to_stop};
use crate::sessions::model::Message;

/// Tries to look something up before the sender is told that it did not work.
pub(super) const LOOK_UPS: i64 = 6;
/// Longest that a page waits for a platform's word on a conversation.
const ASKING: Duration = Duration::from_secs(10);

/// What becomes of a turn.
pub(super) enum Verdict {
    /// Nothing is said: the sender is a machine, or nobody could hear it.
    Drop(&'static str),
    Say(DeliveryKind, Say),
    LinkPrompt,
    /// Nothing is said there: the sender hears why, and admins may hear of it.
    Closed(Closed),
    /// What is under way there ends.
    Stop(Principal, Vec<Message>),
    /// The link ends, and the person is told.
    Disconnect(Principal),
    Ask(Principal),
    /// Files without a word: each gets its verdict.
    FilesAlone(Principal),
}

/// Why a shared conversation is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// Nowhere, by this assistant.
    SharedOff,
    /// Nobody has decided on it.
    Undecided,
    Declined,
    /// With the reason, where one was kept.
    Suspended(Option<String>),
    /// Nobody has decided on it, and it cannot be approved because of who is in it.
    Crowded(Audience),
    /// The platform does not say who is in it, with what that means for whoever asks.
    Unclear(Say),
}

/// Whether others than the workspace's own people are, or may soon be, in a conversation.
pub(super) enum Outsiders {
    None,
    Some(Audience),
    /// With the reason, for whoever asks.
    Unknown(Say),
}

/// Why somebody is not answered, whatever they want.
pub(super) enum Barred {
    /// Nobody could hear it.
    Unheard(&'static str),
    Because(Say),
}

/// Whose account a teammate's identity is.
pub(super) enum Account {
    Unlinked,
    Refused(Say),
    Member(Membership),
}

/// Why there is no verdict yet.
pub(super) enum NotYet {
    /// The platform asks to.
    Wait(Duration),
    /// What was needed could not be had.
    Again(Duration),
    /// The rights are gone; once they are back there will be.
    Disabled,
    Failed(Error),
}

impl From<Error> for NotYet {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Chat {
    pub(super) async fn authorize(
        &self,
        at: &Installation,
        turn: &Turn,
        tries: i64,
    ) -> Result<Verdict, NotYet> {
        if at.state != InstallationState::Active {
            // Whoever asked is answered once the rights are back, or is told that it took too long.
            return Err(NotYet::Disabled);
        }
        match self.barred(at, &turn.sender, tries).await? {
            None => {}
            Some(Barred::Unheard(why)) => return Ok(Verdict::Drop(why)),
            Some(Barred::Because(reason)) => return Ok(Verdict::Say(DeliveryKind::Private, reason)),
        }
        let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
        if turn.place.kind == PlaceKind::Shared
            && let Some(closed) = self.closed(at, &assistant, &turn.place, tries).await?
        {
            return Ok(Verdict::Closed(closed));
        }
        let member = match self.account(at, &turn.sender).await? {
            Account::Unlinked => return Ok(Verdict::LinkPrompt),
            Account::Refused(reason) => return Ok(Verdict::Say(DeliveryKind::Private, reason)),
            Account::Member(member) => member,
        };
        Ok(self.of_teammate(at, &assistant, turn, &member).await?)
    }

    /// Why a person may not speak to the assistant at all; nothing for a full member of the workspace.
    pub(super) async fn barred(
        &self,
        at: &Installation,
        who: &Sender,
        tries: i64,
    ) -> Result<Option<Barred>, NotYet> {
        let standing = match self.platform(at.kind())?.identify(at, who).await {
            Ok(identity) => identity.standing,
            Err(failure) => return self.not_identified(at, failure, tries).await.map(Some),
        };
        Ok(match standing {
            Standing::Teammate => None,
            Standing::Bot => Some(Barred::Unheard("a machine wrote it")),
            Standing::Guest => Some(Barred::Because(say::guest())),
            Standing::Deactivated => Some(Barred::Because(say::deactivated())),
            Standing::Stranger => Some(Barred::Because(say::stranger())),
        })
    }

    /// The account behind a teammate, as it is now: linked, a member, of an eligible organization.
    pub(super) async fn account(&self, at: &Installation, who: &Sender) -> Result<Account> {
        let user = match who.account {
            Some(user) => user,
            None => match self.services.assistants.link(at.org, at.id, who).await? {
                Some(link) => link.user_id,
                None => return Ok(Account::Unlinked),
            },
        };
        let member = match self.services.accounts.membership(at.org, user).await {
            Ok(member) => member,
            Err(Error::NotFound(_)) => return Ok(Account::Refused(say::refusal(&Error::Unauthenticated))),
            Err(error) => return Err(error),
        };
        Ok(match member.check_chat() {
            Ok(()) => Account::Member(member),
            Err(error) => Account::Refused(say::refusal(&error)),
        })
    }

    /// A linked, eligible teammate in a place that may be answered.
    async fn of_teammate(
        &self,
        at: &Installation,
        assistant: &Assistant,
        turn: &Turn,
        member: &Membership,
    ) -> Result<Verdict> {
        let principal = principal_of(at, member);
        let said = turn.text.trim();
        if wants_to_disconnect(said) && turn.sender.account.is_none() {
            return Ok(Verdict::Disconnect(principal));
        }
        if wants_to_stop(said) {
            let running = self
                .stoppable(at, member, &around(at.id, &turn.place, member.user_id))
                .await?;
            return Ok(if running.is_empty() {
                Verdict::Say(DeliveryKind::Private, say::nothing_to_stop())
            } else {
                Verdict::Stop(principal, running)
            });
        }
        if said.is_empty() {
            if !turn.files.is_empty() {
                return Ok(Verdict::FilesAlone(principal));
            }
            let text = say::greeting(&assistant.name, &assistant.greeting);
            return Ok(Verdict::Say(DeliveryKind::Reply, text));
        }
        if turn.files.is_empty() && is_greeting(said, &assistant.name) {
            let text = say::greeting(&assistant.name, &assistant.greeting);
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
            let mut about = Say::plain(about::text(topic, &facts));
            if !turn.files.is_empty() {
                let names: Vec<&str> = turn.files.iter().map(|file| file.name.as_str()).collect();
                about = about.with(Part::Markdown(say::unused_files(&names)));
            }
            return Ok(Verdict::Say(kind, about));
        }
        Ok(Verdict::Ask(principal))
    }

    /// Why a shared conversation is not answered; nothing where it is.
    pub(super) async fn closed(
        &self,
        at: &Installation,
        assistant: &Assistant,
        place: &Place,
        tries: i64,
    ) -> Result<Option<Closed>, NotYet> {
        if !assistant.shared_enabled {
            return Ok(Some(Closed::SharedOff));
        }
        let assistants = &self.services.assistants;
        match assistants
            .conversation(at.org, at.id, &place.conversation)
            .await?
        {
            Some(ConversationState::Approved) => {}
            Some(ConversationState::Suspended) => {
                let known = assistants
                    .conversation_of(at.org, at.id, &place.conversation)
                    .await?;
                return Ok(Some(Closed::Suspended(known.and_then(|known| known.reason))));
            }
            Some(ConversationState::Revoked) => return Ok(Some(Closed::Declined)),
            Some(ConversationState::Requested) | None => {
                // Where that cannot be seen now, whoever approves is told.
                let audience = self.platform(at.kind())?.audience(at, place).await;
                return Ok(Some(match audience {
                    Ok(audience @ (Audience::Outside | Audience::Workspaces)) => Closed::Crowded(audience),
                    Ok(Audience::Own) | Err(_) => Closed::Undecided,
                }));
            }
        }
        match self.outsiders(at, place, tries).await? {
            Outsiders::None => Ok(None),
            // Fail closed, but keep the approval: nobody joined, we just cannot see.
            Outsiders::Unknown(reason) => Ok(Some(Closed::Unclear(reason))),
            Outsiders::Some(audience) => {
                self.suspend(at, &place.conversation, audience).await?;
                Ok(Some(Closed::Suspended(Some(
                    refusals::crowded(audience).to_owned(),
                ))))
            }
        }
    }

    /// Others are in a conversation: an approval of it rests.
    async fn suspend(&self, at: &Installation, conversation: &str, audience: Audience) -> Result<bool> {
        let assistants = &self.services.assistants;
        assistants
            .suspend_conversation(
                Actor::SYSTEM,
                at.org,
                at.id,
                conversation,
                refusals::crowded(audience),
            )
            .await
    }

    /// Who is, or may soon be, in a conversation that an admin is about to approve; nothing where the
    /// platform cannot say now. An approval from before is suspended where others are.
    pub async fn audience_of(&self, at: &Installation, conversation: &str) -> Result<Option<Audience>> {
        if at.state != InstallationState::Active {
            return Ok(None);
        }
        let place = conversation_at(conversation);
        // Somebody looks at a page meanwhile, and every turn asks anyway.
        let asked = tokio::time::timeout(ASKING, self.outsiders(at, &place, LOOK_UPS)).await;
        match asked.unwrap_or(Err(NotYet::Wait(ASKING))) {
            Ok(Outsiders::None) => Ok(Some(Audience::Own)),
            Ok(Outsiders::Some(audience)) => {
                self.suspend(at, conversation, audience).await?;
                Ok(Some(audience))
            }
            Ok(Outsiders::Unknown(_)) | Err(NotYet::Wait(_) | NotYet::Again(_) | NotYet::Disabled) => {
                Ok(None)
            }
            Err(NotYet::Failed(error)) => Err(error),
        }
    }

    pub(super) async fn outsiders(
        &self,
        at: &Installation,
        place: &Place,
        tries: i64,
    ) -> Result<Outsiders, NotYet> {
        if place.outsiders {
            return Ok(Outsiders::Some(Audience::Outside));
        }
        match self.platform(at.kind())?.audience(at, place).await {
            Ok(Audience::Own) => Ok(Outsiders::None),
            Ok(audience @ (Audience::Outside | Audience::Workspaces)) => Ok(Outsiders::Some(audience)),
            Err(Failure::Wait(wait)) => Err(NotYet::Wait(wait)),
            Err(Failure::Away(_) | Failure::Ambiguous(_) | Failure::Late(_)) if tries < LOOK_UPS => {
                Err(NotYet::Again(pause(tries)))
            }
            Err(failure) => {
                tracing::warn!(installation = %at.id, error = %failure, "a conversation could not be checked for outsiders");
                self.not_seen(at, failure).await.map(Outsiders::Unknown)
            }
        }
    }

    /// A conversation that could not be looked at. Every failure decides.
    async fn not_seen(&self, at: &Installation, failure: Failure) -> Result<Say, NotYet> {
        let assistants = &self.services.assistants;
        match failure {
            Failure::Wait(wait) => Err(NotYet::Wait(wait)),
            Failure::Disabled(because) | Failure::Expired(because) => {
                assistants.disable(at, &because).await?;
                Err(NotYet::Disabled)
            }
            Failure::MissingRight(right) => Ok(say::missing_right(&right)),
            Failure::Elsewhere(Obstacle::NotMember, _) => Ok(say::not_a_member()),
            Failure::Barred(word) => {
                assistants.alert(at.org, at.id, &word).await?;
                Ok(refusals::suspended(&at.assistant_name, None))
            }
            Failure::Away(_)
            | Failure::Ambiguous(_)
            | Failure::Late(_)
            | Failure::Elsewhere(..)
            | Failure::Content(_)
            | Failure::Gone(_)
            | Failure::Fixed(_)
            | Failure::Nobody(_)
            | Failure::Refused(_) => Ok(refusals::suspended(&at.assistant_name, None)),
        }
    }

    /// A sender who could not be looked up. Every failure decides.
    async fn not_identified(
        &self,
        at: &Installation,
        failure: Failure,
        tries: i64,
    ) -> Result<Barred, NotYet> {
        let assistants = &self.services.assistants;
        tracing::warn!(installation = %at.id, error = %failure, "a sender could not be looked up");
        let say = match failure {
            Failure::Wait(wait) => return Err(NotYet::Wait(wait)),
            Failure::Disabled(because) | Failure::Expired(because) => {
                assistants.disable(at, &because).await?;
                return Err(NotYet::Disabled);
            }
            Failure::Away(_) | Failure::Ambiguous(_) | Failure::Late(_) if tries < LOOK_UPS => {
                return Err(NotYet::Again(pause(tries)));
            }
            Failure::MissingRight(right) => say::missing_right(&right),
            Failure::Barred(word) => {
                assistants.alert(at.org, at.id, &word).await?;
                say::not_identified()
            }
            Failure::Nobody(_) | Failure::Elsewhere(..) => say::stranger(),
            Failure::Away(_)
            | Failure::Ambiguous(_)
            | Failure::Late(_)
            | Failure::Content(_)
            | Failure::Gone(_)
            | Failure::Fixed(_)
            | Failure::Refused(_) => say::not_identified(),
        };
        Ok(Barred::Because(say))
    }
}

/// A shared conversation as a whole.
pub(super) fn conversation_at(conversation: &str) -> Place {
    Place {
        kind: PlaceKind::Shared,
        conversation: conversation.to_owned(),
        thread: String::new(),
        message: String::new(),
        outsiders: false,
    }
}

/// Who acts, for the domains.
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

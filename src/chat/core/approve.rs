//! What admins decide with a press: whether a shared conversation is answered, and that something is
//! sent again.
//!
//! Who they are was looked up; that they are admins is checked here, every time.

use std::time::Duration;

use crate::accounts::model::Membership;
use crate::assistants::gesture::Press;
use crate::assistants::model::{ConversationState, DeliveryKind, Place, PlaceKind, Say, Sender, Target};
use crate::assistants::turns::Outgoing;
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::DeliveryId;
use crate::chat::core::chat::Chat;
use crate::chat::core::judge::{NotYet, Outsiders, conversation_at, principal_of};
use crate::chat::core::notices::named;
use crate::chat::core::press::{Matter, instead, private};
use crate::chat::core::say;

impl Chat {
    /// An admin decides on a shared conversation.
    pub(super) async fn decided(
        &self,
        matter: &Matter<'_>,
        press: &Press,
        member: &Membership,
        conversation: &str,
        state: ConversationState,
    ) -> Result<(), NotYet> {
        let at = matter.at;
        let refused = |reason: Say| vec![private(at, press, reason)];
        if !member.role.is_admin() {
            return Ok(self.close(matter, refused(say::admins_only())).await?);
        }
        let assistants = &self.services.assistants;
        let Some(known) = assistants.conversation_of(at.org, at.id, conversation).await? else {
            return Ok(self.close(matter, refused(say::not_found())).await?);
        };
        let name = named(conversation, &known.title);
        if known.state == state {
            let by = match known.decided_by {
                Some(user) => self.services.accounts.membership(at.org, user).await.ok(),
                None => None,
            };
            let by = by.map_or_else(|| "the operator".to_owned(), |member| member.name);
            let told = instead(at, press, say::decided_already(&name, state, &by));
            return Ok(self.close(matter, vec![told]).await?);
        }
        let place = conversation_at(conversation);
        if state == ConversationState::Approved {
            match self.outsiders(at, &place, matter.claim.tries).await? {
                Outsiders::None => {}
                Outsiders::Some | Outsiders::Unknown(_) => {
                    let told = refused(say::outsiders_there(&name));
                    return Ok(self.close(matter, told).await?);
                }
            }
        }
        let assistant = assistants.assistant(at.org, at.assistant).await?;
        let by_whom = say::decided(
            &assistant.name,
            &name,
            state,
            &member.name,
            assistant.shared_enabled,
        );
        let mut told = vec![instead(at, press, by_whom)];
        if let Some(asker) = known.requested_by.filter(|user| *user != press.sender.user) {
            let target = Target {
                sender: Sender {
                    team: at.team_id.clone().unwrap_or_default(),
                    user: asker,
                    account: None,
                },
                place: Place {
                    kind: PlaceKind::Direct,
                    conversation: String::new(),
                    ..place
                },
            };
            let say = say::asked_and_decided(&assistant.name, &name, state);
            told.push(Outgoing {
                kind: DeliveryKind::Direct,
                target,
                ..private(at, press, say)
            });
        }
        let (services, claim, id, at) = (self.services.clone(), matter.claim.clone(), matter.id, at.clone());
        let (actor, conversation) = (Actor::from(&principal_of(&at, member)), conversation.to_owned());
        let decided = self.services.db.write(move |tx| {
            let (services, claim, at) = (services.clone(), claim.clone(), at.clone());
            let (conversation, told) = (conversation.clone(), told.clone());
            Box::pin(async move {
                let assistants = &services.assistants;
                // First of all, so that nothing is written where somebody else decided meanwhile.
                if !assistants
                    .decide_conversation_in(tx, actor, at.org, at.id, &conversation, state)
                    .await?
                {
                    return Ok(false);
                }
                services.queue.finish(tx, &claim).await?;
                assistants.done(tx, at.org, id).await?;
                for outgoing in told {
                    assistants.say(tx, at.org, outgoing).await?;
                }
                Ok(true)
            })
        });
        if decided.await? {
            return Ok(());
        }
        // The next look finds who did.
        Err(NotYet::Wait(Duration::ZERO))
    }

    /// An admin has something delivered again.
    pub(super) async fn resent(
        &self,
        matter: &Matter<'_>,
        press: &Press,
        member: &Membership,
        delivery: DeliveryId,
    ) -> Result<()> {
        let at = matter.at;
        if !member.role.is_admin() {
            return self
                .close(matter, vec![private(at, press, say::admins_only())])
                .await;
        }
        let Some(found) = self.delivery_of(matter, delivery).await? else {
            return self
                .close(matter, vec![private(at, press, say::not_found())])
                .await;
        };
        let actor = Actor::from(&principal_of(at, member));
        let again = self.services.assistants.resend(actor, at.org, found.id).await;
        let told = match again {
            Ok(again) => instead(at, press, say::resent(&member.name, again)),
            Err(error @ (Error::Busy { .. } | Error::Stale | Error::Internal(_))) => return Err(error),
            Err(error) => private(at, press, say::refusal(&error)),
        };
        self.close(matter, vec![told]).await
    }
}

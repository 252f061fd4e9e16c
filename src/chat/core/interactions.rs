//! What follows a press, and everything else people do beside speaking.
//!
//! Who pressed is looked up anew, as for every turn; what the button names is looked up in the presser's
//! organization. Nobody who pressed hears nothing.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::accounts::model::Membership;
use crate::analysis::service::Stop;
use crate::assistants::interaction::{Interaction, Press};
use crate::assistants::model::{
    Act, ConversationState, Delivery, DeliveryKind, Installation, InstallationState, PlaceKind, Say, Target,
};
use crate::assistants::turns::{Outgoing, payload_id};
use crate::audit::store::Actor;
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, InteractionId};
use crate::chat::core::authorize::{Account, Barred, NotYet, principal_of};
use crate::chat::core::chat::Chat;
use crate::chat::core::notices::{Asked, keep_asked};
use crate::chat::core::say;
use crate::chat::core::stop::{origin, stop_all};
use crate::queue::job::{Claim, Done, GaveUp};
use crate::sessions::model::Message;

/// One thing heard, being attended to.
pub(super) struct InteractionContext<'a> {
    pub(super) claim: &'a Claim,
    pub(super) id: InteractionId,
    pub(super) at: &'a Installation,
    /// Since when an earlier attempt may have posted.
    pub(super) posting_since: Option<DateTime<Utc>>,
}

impl Chat {
    /// Handles a `chat.heard` job.
    pub async fn handle_interaction(&self, claim: Claim) -> Result<Done> {
        let id: InteractionId = payload_id(&claim.payload, "heard")?;
        let hearing = self.services.assistants.interaction(claim.org, id).await?;
        if hearing.done {
            return Ok(Done::Nothing);
        }
        let at = self
            .services
            .assistants
            .installation_by_id(claim.org, hearing.installation)
            .await?;
        let context = InteractionContext {
            claim: &claim,
            id,
            at: &at,
            posting_since: hearing.posting_since,
        };
        if at.state != InstallationState::Active {
            // A page that nobody can be shown is asked for again by opening it.
            if matches!(hearing.heard, Interaction::Opened { .. }) {
                self.close(&context, Vec::new()).await?;
                return Ok(Done::Finished);
            }
            // As for turns: until the rights are back, or whoever pressed is told that it took too long.
            return self.until_reinstalled(&claim, &at).await;
        }
        let attended = match &hearing.heard {
            Interaction::Press(press) => self.pressed(&context, press).await,
            Interaction::Stopped { target, .. } => self.session_stopped(&context, target).await,
            Interaction::Deleted { message_key, .. } => self.withdrawn(&context, message_key).await,
            Interaction::Opened { target, page } => self.opened(&context, target, *page).await,
        };
        match attended {
            Ok(()) => Ok(Done::Finished),
            Err(NotYet::Wait(wait)) => Ok(Done::Later(wait)),
            Err(NotYet::Again(wait)) => Ok(Done::Again(wait)),
            Err(NotYet::Disabled) => self.until_reinstalled(&claim, &at).await,
            Err(NotYet::Failed(error)) => Err(error),
        }
    }

    /// What no attempt could handle_interaction to: whoever pressed still hears of it.
    pub async fn give_up_interaction(&self, claim: Claim, why: GaveUp) -> Result<()> {
        let id: InteractionId = payload_id(&claim.payload, "heard")?;
        let hearing = self.services.assistants.interaction(claim.org, id).await?;
        let at = self
            .services
            .assistants
            .installation_by_id(claim.org, hearing.installation)
            .await?;
        tracing::error!(job = %claim.id, reason = why.code(), "a press was given up");
        let context = InteractionContext {
            claim: &claim,
            id,
            at: &at,
            posting_since: hearing.posting_since,
        };
        let told = match &hearing.heard {
            Interaction::Press(press) if !hearing.done => vec![private(&at, press, say::press_failed())],
            _ => Vec::new(),
        };
        self.close(&context, told).await
    }

    async fn pressed(&self, context: &InteractionContext<'_>, press: &Press) -> Result<(), NotYet> {
        let at = context.at;
        let refused = |reason: Say| vec![private(at, press, reason)];
        match self.barred(at, &press.sender, context.claim.tries).await? {
            None => {}
            Some(Barred::Unheard(why)) => {
                tracing::info!(installation = %at.id, why, "a press is not acted on");
                return Ok(self.close(context, Vec::new()).await?);
            }
            Some(Barred::Because(reason)) => return Ok(self.close(context, refused(reason)).await?),
        }
        let account = self.account(at, &press.sender).await?;
        // Whether an answer helped, everyone who may read it may say.
        if let Act::Feedback { delivery, helpful } = press.act {
            let user = match &account {
                Account::Member(member) => Some(member),
                _ => None,
            };
            return Ok(self.rated(context, press, user, delivery, helpful).await?);
        }
        let member = match account {
            Account::Member(member) => member,
            Account::Unlinked if press.act == Act::Disconnect => {
                let told = refused(say::not_connected());
                return Ok(self.close(context, told).await?);
            }
            Account::Unlinked => {
                let prompt = Outgoing {
                    kind: DeliveryKind::LinkPrompt,
                    say: None,
                    ..private(at, press, Say::default())
                };
                return Ok(self.close(context, vec![prompt]).await?);
            }
            Account::Refused(reason) => return Ok(self.close(context, refused(reason)).await?),
        };
        match &press.act {
            Act::Approve { conversation } => {
                let state = ConversationState::Approved;
                self.decided(context, press, &member, conversation, state).await
            }
            Act::Decline { conversation } => {
                let state = ConversationState::Revoked;
                self.decided(context, press, &member, conversation, state).await
            }
            Act::Stop { delivery } => Ok(self.stop_pressed(context, press, &member, *delivery).await?),
            Act::Resend { delivery } => Ok(self.resent(context, press, &member, *delivery).await?),
            Act::Share { delivery } => self.shared(context, press, &member, *delivery).await,
            Act::Connect => {
                let told = refused(say::connected_already(&member.name, &member.email));
                Ok(self.close(context, told).await?)
            }
            Act::Disconnect => Ok(self.disconnected(context, press, &member).await?),
            Act::Feedback { .. } => Ok(()),
        }
    }

    async fn rated(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: Option<&Membership>,
        delivery: DeliveryId,
        helpful: bool,
    ) -> Result<()> {
        let at = context.at;
        let user = member.map(|member| member.user_id);
        let found = self.delivery_of(context, delivery).await?;
        let Some(found) = found.filter(|found| may_read(found, press)) else {
            return self
                .close(context, vec![private(at, press, say::not_found())])
                .await;
        };
        let assistants = &self.services.assistants;
        match assistants
            .add_feedback(at.org, at.id, found.id, &press.sender, user, helpful)
            .await
        {
            Ok(()) => {}
            Err(Error::NotFound(_)) => {
                return self
                    .close(context, vec![private(at, press, say::not_found())])
                    .await;
            }
            Err(error) => return Err(error),
        }
        // Where the two are alone, the pressed thumb says it.
        let told = if press.place.kind == PlaceKind::Direct {
            Vec::new()
        } else {
            vec![private(at, press, say::thanks(helpful))]
        };
        self.close(context, told).await
    }

    async fn stop_pressed(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: &Membership,
        delivery: DeliveryId,
    ) -> Result<()> {
        let at = context.at;
        let found = self.delivery_of(context, delivery).await?;
        let Some(message) = found.and_then(|found| found.message) else {
            return self
                .close(context, vec![private(at, press, say::not_found())])
                .await;
        };
        let message = self.services.sessions.message(at.org, message).await?;
        if message.user_id != member.user_id && !member.role.is_admin() {
            let told = private(at, press, say::not_yours_to_stop());
            return self.close(context, vec![told]).await;
        }
        let otherwise = Some(private(at, press, say::ended_already()));
        let actor = Actor::from(&principal_of(at, member));
        self.end_runs(context, actor, vec![message], Stop::Asked, otherwise)
            .await
    }

    /// The platform's own Stop: everything of the person's in the thread.
    async fn session_stopped(&self, context: &InteractionContext<'_>, target: &Target) -> Result<(), NotYet> {
        let at = context.at;
        let running = match self.barred(at, &target.sender, context.claim.tries).await? {
            Some(_) => Vec::new(),
            None => match self.account(at, &target.sender).await? {
                Account::Member(member) => {
                    // Of this thread alone: the platform shows the Stop of each apart.
                    let within = origin(at.id, &target.place, member.user_id);
                    let running = self.stoppable(at, &member, &within).await?;
                    if !running.is_empty() {
                        let actor = Actor::from(&principal_of(at, &member));
                        self.end_runs(context, actor, running, Stop::Asked, None).await?;
                        self.rest(at, target);
                        return Ok(());
                    }
                    running
                }
                Account::Unlinked | Account::Refused(_) => Vec::new(),
            },
        };
        self.end_runs(context, Actor::SYSTEM, running, Stop::Asked, None)
            .await?;
        // The platform does not do it by itself.
        self.rest(at, target);
        Ok(())
    }

    /// The question was deleted: what is not yet answered need not be.
    async fn withdrawn(&self, context: &InteractionContext<'_>, message_key: &str) -> Result<(), NotYet> {
        let (at, services) = (context.at, &self.services);
        let asked = services
            .assistants
            .message_of_turn(at.org, at.id, message_key)
            .await?;
        let running = match asked {
            Some(message) => vec![services.sessions.message(at.org, message).await?],
            None => Vec::new(),
        };
        self.end_runs(context, Actor::SYSTEM, running, Stop::Withdrawn, None)
            .await?;
        Ok(())
    }

    async fn end_runs(
        &self,
        context: &InteractionContext<'_>,
        actor: Actor,
        running: Vec<Message>,
        why: Stop,
        otherwise: Option<Outgoing>,
    ) -> Result<()> {
        let (services, claim, id) = (self.services.clone(), context.claim.clone(), context.id);
        let running = Arc::new(running);
        let ended = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            let (running, otherwise) = (Arc::clone(&running), otherwise.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.assistants.done(tx, claim.org, id).await?;
                let stopped = stop_all(&services, tx, actor, claim.org, &running, why).await?;
                if let Some(otherwise) = otherwise.filter(|_| !stopped) {
                    services.assistants.say(tx, claim.org, otherwise).await?;
                }
                Ok(())
            })
        });
        ended.await
    }

    async fn disconnected(
        &self,
        context: &InteractionContext<'_>,
        press: &Press,
        member: &Membership,
    ) -> Result<()> {
        let at = context.at;
        let (services, claim, id) = (self.services.clone(), context.claim.clone(), context.id);
        let (actor, told) = (
            Actor::from(&principal_of(at, member)),
            private(at, press, say::unlinked()),
        );
        let ended = self.services.db.write(move |tx| {
            let (services, claim, told) = (services.clone(), claim.clone(), told.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                let assistants = &services.assistants;
                assistants.done(tx, claim.org, id).await?;
                let who = &told.target.sender;
                assistants.unlink(tx, actor, claim.org, told.at, who).await?;
                assistants.say(tx, claim.org, told).await?;
                Ok(())
            })
        });
        ended.await?;
        if press.place.conversation.is_empty() {
            self.refresh_home(at, &press.sender).await?;
        }
        Ok(())
    }

    /// A delivery that the button names, if it is this installation's.
    pub(super) async fn delivery_of(
        &self,
        context: &InteractionContext<'_>,
        delivery: DeliveryId,
    ) -> Result<Option<Delivery>> {
        match self.services.assistants.delivery(context.at.org, delivery).await {
            Ok(found) => Ok(Some(found).filter(|found| found.installation == context.at.id)),
            Err(Error::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn close(&self, context: &InteractionContext<'_>, told: Vec<Outgoing>) -> Result<()> {
        self.close_and_ask(context, told, None).await
    }

    /// The context's one transaction: the job ends, it is done, what is to be said is queued, and admins
    /// hear where somebody wants an answer that is not allowed.
    pub(super) async fn close_and_ask(
        &self,
        context: &InteractionContext<'_>,
        told: Vec<Outgoing>,
        asked: Option<Asked>,
    ) -> Result<()> {
        let (services, claim, id, at) = (
            self.services.clone(),
            context.claim.clone(),
            context.id,
            context.at.clone(),
        );
        let closed = self.services.db.write(move |tx| {
            let (services, claim, told) = (services.clone(), claim.clone(), told.clone());
            let (at, asked) = (at.clone(), asked.clone());
            Box::pin(async move {
                services.queue.finish(tx, &claim).await?;
                services.assistants.done(tx, claim.org, id).await?;
                for outgoing in told {
                    services.assistants.say(tx, claim.org, outgoing).await?;
                }
                if let Some(asked) = &asked {
                    keep_asked(&services, tx, &at, asked).await?;
                }
                Ok(())
            })
        });
        closed.await
    }
}

/// Everyone in the conversation, or the one it was for.
fn may_read(delivery: &Delivery, press: &Press) -> bool {
    let of = &delivery.target;
    of.sender == press.sender
        || (of.place.kind == PlaceKind::Shared && of.place.conversation == press.place.conversation)
}

/// Only the presser sees it.
pub(super) fn private(at: &Installation, press: &Press, say: Say) -> Outgoing {
    Outgoing {
        at: at.id,
        inbox: None,
        kind: DeliveryKind::Private,
        target: Target {
            sender: press.sender.clone(),
            place: press.place.clone(),
        },
        say: Some(say),
    }
}

/// In the place of what was pressed, where it is a direct message of ours; else privately.
pub(super) fn instead(at: &Installation, press: &Press, say: Say) -> Outgoing {
    let mut outgoing = private(at, press, say);
    let place = &press.place;
    if place.kind == PlaceKind::Direct && !place.message.is_empty() && !press.ephemeral {
        outgoing.kind = DeliveryKind::Replace;
    }
    outgoing
}

//! Chat events on their way: taken in, decided, and what is to be said about them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::assistants::inbox::Arrival;
use crate::assistants::model::{
    Delivery, DeliveryKind, DeliveryState, Installation, InstallationState, Place, PlaceKind, Say, Sender,
    Target, Turn,
};
use crate::assistants::service::Assistants;
use crate::assistants::{deliveries, inbox, installations, intake};
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, InboxId, InstallationId, JobId, MessageId, OrgId};
use crate::db::tx::Tx;
use crate::queue::job::{Claim, NewJob, Patience, Pool};

/// Kinds of jobs; `app` registers the chat core's handlers for them.
pub const TURN_JOB: &str = "chat.turn";
pub const DELIVER_JOB: &str = "chat.deliver";
/// Shows that an answer is coming, while it is worked on.
pub const PLACE_JOB: &str = "chat.place";

/// Looks, once something was said, for what of it appeared late.
pub const CLEANUP_JOB: &str = "chat.tidy";

/// One turn with the lane in which everything of its thread happens.
#[derive(Clone, Debug)]
pub struct Inboxed {
    pub installation: InstallationId,
    /// The same for every event about its message.
    pub message_key: String,
    pub turn: Turn,
    /// Decided by an earlier attempt.
    pub decided: bool,
}

/// Something to be said.
#[derive(Clone, Debug)]
pub struct Outgoing {
    pub at: InstallationId,
    /// The turn it answers.
    pub inbox: Option<InboxId>,
    pub kind: DeliveryKind,
    pub target: Target,
    /// Absent for an answer, which is read from its message, and for a link, made when it is sent.
    pub say: Option<Say>,
}

impl Assistants {
    /// Takes a turn in: on disk, once, with the job that decides it. False for a duplicate.
    pub async fn take_in(
        &self,
        at: &Installation,
        event_key: &str,
        message_key: &str,
        turn: &Turn,
    ) -> Result<bool> {
        let (arrival, job) = arriving(at, event_key, message_key, turn);
        self.intake.take_in(arrival, job).await
    }

    /// As [`take_in`](Self::take_in), in the caller's transaction: for a caller who writes more with it.
    pub async fn take_in_tx(
        &self,
        tx: &mut Tx,
        at: &Installation,
        event_key: &str,
        message_key: &str,
        turn: &Turn,
    ) -> Result<bool> {
        let one = arriving(at, event_key, message_key, turn);
        let new = intake::add(tx, &self.queue, &[one]).await?;
        Ok(!new.is_empty())
    }

    pub async fn inboxed(&self, org: OrgId, id: InboxId) -> Result<Inboxed> {
        let found = inbox::find(self.db.read(), org, id).await?;
        let (installation, message_key, turn, decided) = found.ok_or(Error::NotFound("chat event"))?;
        Ok(Inboxed {
            installation,
            message_key,
            turn,
            decided,
        })
    }

    /// The analysis that a message led to, by the key it was taken in under.
    pub async fn message_of_turn(
        &self,
        org: OrgId,
        at: InstallationId,
        message_key: &str,
    ) -> Result<Option<MessageId>> {
        inbox::message_of(self.db.read(), org, at, message_key).await
    }

    /// Decides a turn in the caller's transaction; `Stale` if another attempt did.
    pub async fn decide(
        &self,
        tx: &mut Tx,
        org: OrgId,
        id: InboxId,
        message: Option<MessageId>,
    ) -> Result<()> {
        if inbox::decide(tx, org, id, message).await? {
            Ok(())
        } else {
            Err(Error::Stale)
        }
    }

    /// Adds something to be said, with the job that delivers it.
    pub async fn say(&self, tx: &mut Tx, org: OrgId, outgoing: Outgoing) -> Result<DeliveryId> {
        let (delivery, lane) = draft(outgoing, None);
        if deliveries::add(tx, org, &delivery).await? {
            self.queue
                .add(tx, org, JobId::new(), &deliver_job(delivery.id, lane))
                .await?;
        }
        Ok(delivery.id)
    }

    /// Prepares the delivery of an answer: the job is left to whoever finishes the run. Answers its
    /// payload and lane.
    pub async fn prepare_answer(
        &self,
        tx: &mut Tx,
        org: OrgId,
        outgoing: Outgoing,
        message: MessageId,
    ) -> Result<NewJob> {
        let (delivery, lane) = draft(outgoing, Some(message));
        deliveries::add(tx, org, &delivery).await?;
        Ok(deliver_job(delivery.id, lane))
    }

    /// Has the answer that `then` will deliver announced at once, before it in its lane.
    pub async fn announce(&self, tx: &mut Tx, org: OrgId, then: &NewJob) -> Result<()> {
        let job = NewJob {
            kind: PLACE_JOB.into(),
            patience: Patience::Usual,
            ..then.clone()
        };
        self.queue.add(tx, org, JobId::new(), &job).await
    }

    pub async fn delivery(&self, org: OrgId, id: DeliveryId) -> Result<Delivery> {
        deliveries::find(self.db.read(), org, id)
            .await?
            .ok_or(Error::NotFound("delivery"))
    }

    /// Takes up at once what waited for an installation's rights to come back.
    pub(super) async fn resume(&self, tx: &mut Tx, org: OrgId, at: InstallationId) -> Result<()> {
        for step in ["turn", "press", "page", "deliver"] {
            let lanes = format!("{step}/{at}/");
            self.queue.hasten(tx, org, Pool::Chat, &lanes).await?;
        }
        Ok(())
    }

    /// Puts a job back until an installation's rights return, or for `absent` at the longest; where they
    /// came back while it was under way, for `back` only. What is still running is no job that
    /// [`resume`](Self::resume) finds, so the two take turns at the installation's row.
    pub async fn await_rights(
        &self,
        claim: &Claim,
        at: InstallationId,
        absent: Duration,
        back: Duration,
    ) -> Result<()> {
        let (assistants, kept) = (self.clone(), claim.clone());
        let put_back = self.db.write(move |tx| {
            let (assistants, claim) = (assistants.clone(), kept.clone());
            Box::pin(async move {
                let held = installations::hold(tx, &assistants.sealer, claim.org, at).await?;
                let active = held.is_some_and(|at| at.state == InstallationState::Active);
                let wait = if active { back } else { absent };
                assistants.queue.put_back(tx, &claim, wait).await
            })
        });
        put_back.await
    }

    /// Takes note that a post of a delivery may still be made. Fenced by the job's attempt.
    pub async fn doubt(&self, claim: &Claim, id: DeliveryId) -> Result<()> {
        let (claim, queue) = (claim.clone(), self.queue.clone());
        let noted = self.db.write(move |tx| {
            let (claim, queue) = (claim.clone(), queue.clone());
            Box::pin(async move {
                queue.holds(tx, &claim).await?;
                deliveries::doubt(tx, claim.org, id).await
            })
        });
        noted.await
    }

    /// Writes how far a delivery has come, fenced by the job's attempt.
    pub async fn advance(
        &self,
        claim: &Claim,
        id: DeliveryId,
        state: DeliveryState,
        receipt: Option<String>,
        failure: Option<String>,
    ) -> Result<()> {
        let (claim, queue) = (claim.clone(), self.queue.clone());
        let ends = matches!(state, DeliveryState::Delivered | DeliveryState::Failed);
        let moved = self.db.write(move |tx| {
            let (claim, queue) = (claim.clone(), queue.clone());
            let (receipt, failure) = (receipt.clone(), failure.clone());
            Box::pin(async move {
                if ends {
                    queue.finish(tx, &claim).await?;
                } else {
                    queue.holds(tx, &claim).await?;
                }
                deliveries::advance(tx, claim.org, id, state, receipt.as_deref(), failure.as_deref()).await?;
                if ends && let Some(tidy) = tidy_job(tx, claim.org, id).await? {
                    queue.add(tx, claim.org, JobId::new(), &tidy).await?;
                }
                Ok(())
            })
        });
        moved.await?;
        if ends {
            metrics::counter!("corbel_deliveries_ended_total", "state" => state.as_str()).increment(1);
        }
        Ok(())
    }
}

/// Tells someone something in a direct message, in the caller's transaction.
pub(super) async fn tell(
    assistants: &Assistants,
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    who: &Sender,
    say: Say,
) -> Result<()> {
    // Where that is, the platform says when it is delivered.
    let place = Place {
        kind: PlaceKind::Direct,
        conversation: String::new(),
        thread: String::new(),
        message: String::new(),
        outsiders: false,
    };
    let target = Target {
        sender: who.clone(),
        place,
    };
    let outgoing = Outgoing {
        at,
        inbox: None,
        kind: DeliveryKind::Direct,
        target,
        say: Some(say),
    };
    assistants.say(tx, org, outgoing).await?;
    Ok(())
}

/// A turn as it is taken in, and the job that decides it.
fn arriving(at: &Installation, event_key: &str, message_key: &str, turn: &Turn) -> (Arrival, NewJob) {
    // Keys come from outside too.
    let key = |key: &str| key.replace('\0', " ");
    let turn = turn.clone().storable();
    let id = InboxId::new();
    let job = NewJob {
        pool: Pool::Chat,
        kind: TURN_JOB.into(),
        lane: lane("turn", at.id, &turn.place.conversation, &turn.place.thread),
        payload: json!({ "inbox": id }),
        patience: Patience::Usual,
    };
    let arrival = Arrival {
        org: at.org,
        id,
        installation: at.id,
        event_key: key(event_key),
        message_key: key(message_key),
        turn,
    };
    (arrival, job)
}

fn draft(outgoing: Outgoing, message: Option<MessageId>) -> (Delivery, String) {
    let Outgoing {
        at,
        inbox,
        kind,
        target,
        say,
    } = outgoing;
    let lane = lane_of(at, &target);
    let delivery = Delivery {
        id: DeliveryId::new(),
        installation: at,
        inbox,
        kind,
        target,
        say,
        message,
        state: DeliveryState::Pending,
        receipt: None,
        doubted_at: None,
    };
    (delivery, lane)
}

/// Where a delivery waits for the ones before it.
fn lane_of(at: InstallationId, target: &Target) -> String {
    // Where a direct message goes is not known yet, but whom it is for.
    let thread = if target.place.thread.is_empty() {
        &target.sender.user
    } else {
        &target.place.thread
    };
    lane("deliver", at, &target.place.conversation, thread)
}

/// The job that delivers again what failed. It looks for what earlier attempts posted before it posts.
pub(super) fn deliver_again_job(delivery: &Delivery) -> NewJob {
    let lane = lane_of(delivery.installation, &delivery.target);
    let mut job = deliver_job(delivery.id, lane);
    job.payload = json!({ "delivery": delivery.id, "again": true });
    job
}

/// True where a job before this one may have posted. What this one posted, its delivery says.
pub fn may_have_posted(claim: &Claim) -> bool {
    claim.payload.get("again").and_then(Value::as_bool) == Some(true)
}

fn deliver_job(id: DeliveryId, lane: String) -> NewJob {
    NewJob {
        pool: Pool::Chat,
        kind: DELIVER_JOB.into(),
        lane,
        payload: json!({ "delivery": id }),
        // What is finished is not thrown away because a platform is down for an evening.
        patience: Patience::Long,
    }
}

/// The job that looks after a delivery of which a post may still be made; nothing for others.
async fn tidy_job(tx: &mut Tx, org: OrgId, id: DeliveryId) -> Result<Option<NewJob>> {
    let delivery = deliveries::find(tx.exec(), org, id).await?;
    Ok(delivery
        .filter(|delivery| delivery.doubted_at.is_some())
        .map(|delivery| NewJob {
            pool: Pool::Chat,
            kind: CLEANUP_JOB.into(),
            // It waits for nothing said meanwhile, nor holds that up.
            lane: format!("tidy/{}/{id}", delivery.installation),
            payload: json!({ "delivery": id }),
            patience: Patience::Usual,
        }))
}

/// Everything of one thread happens one after the other. Threads that begin later sort later, so that
/// new lanes are added at one end of the index.
pub(super) fn lane(step: &str, at: InstallationId, conversation: &str, thread: &str) -> String {
    format!("{step}/{at}/{thread}/{conversation}")
}

/// The identifier a chat job carries.
pub fn payload_id<T: std::str::FromStr>(payload: &Value, key: &str) -> Result<T> {
    let text = payload.get(key).and_then(Value::as_str).unwrap_or_default();
    text.parse()
        .map_err(|_| Error::internal(format!("a job's payload lacks {key}")))
}

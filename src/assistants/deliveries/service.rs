//! Deliveries: what is to be posted, and how far each post has come.

use serde_json::{Value, json};

use crate::assistants::deliveries::store;
use crate::assistants::jobs::{CLEANUP_JOB, DELIVER_JOB, PLACEHOLDER_JOB, lane};
use crate::assistants::model::{
    Delivery, DeliveryKind, DeliveryState, Place, PlaceKind, Say, Sender, Target,
};
use crate::base::error::{Error, Result};
use crate::base::ids::{DeliveryId, InboxId, InstallationId, JobId, MessageId, OrgId};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::queue::job::{Claim, NewJob, Patience, Pool};
use crate::queue::service::Queue;

#[derive(Clone)]
pub struct Deliveries {
    pub(super) db: Db,
    pub(in crate::assistants) queue: Queue,
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

impl Deliveries {
    pub fn new(db: Db, queue: Queue) -> Self {
        Self { db, queue }
    }

    /// Adds something to be said, with the job that delivers it.
    pub async fn add(&self, tx: &mut Tx, org: OrgId, outgoing: Outgoing) -> Result<DeliveryId> {
        let (delivery, lane) = draft(outgoing, None);
        if store::add(tx, org, &delivery).await? {
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
        store::add(tx, org, &delivery).await?;
        Ok(deliver_job(delivery.id, lane))
    }

    /// Has the answer that `then` will deliver announced at once, before it in its lane.
    pub async fn add_placeholder(&self, tx: &mut Tx, org: OrgId, then: &NewJob) -> Result<()> {
        let job = NewJob {
            kind: PLACEHOLDER_JOB.into(),
            patience: Patience::Usual,
            ..then.clone()
        };
        self.queue.add(tx, org, JobId::new(), &job).await
    }

    pub async fn get(&self, org: OrgId, id: DeliveryId) -> Result<Delivery> {
        store::find(self.db.read(), org, id)
            .await?
            .ok_or(Error::NotFound("delivery"))
    }

    /// Tells someone something in a direct message, in the caller's transaction.
    pub async fn send_direct(
        &self,
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
        self.add(tx, org, outgoing).await?;
        Ok(())
    }

    /// Takes up at once what waited for an installation's rights to come back.
    pub(in crate::assistants) async fn resume(
        &self,
        tx: &mut Tx,
        org: OrgId,
        at: InstallationId,
    ) -> Result<()> {
        for step in ["turn", "press", "page", "deliver"] {
            let lanes = format!("{step}/{at}/");
            self.queue.hasten(tx, org, Pool::Chat, &lanes).await?;
        }
        Ok(())
    }

    /// Takes note that a post of a delivery may still be made. Fenced by the job's attempt.
    pub async fn mark_uncertain(&self, claim: &Claim, id: DeliveryId) -> Result<()> {
        let (claim, queue) = (claim.clone(), self.queue.clone());
        let noted = self.db.write(move |tx| {
            let (claim, queue) = (claim.clone(), queue.clone());
            Box::pin(async move {
                queue.holds(tx, &claim).await?;
                store::doubt(tx, claim.org, id).await
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
                store::advance(tx, claim.org, id, state, receipt.as_deref(), failure.as_deref()).await?;
                if ends && let Some(cleanup) = cleanup_job(tx, claim.org, id).await? {
                    queue.add(tx, claim.org, JobId::new(), &cleanup).await?;
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
async fn cleanup_job(tx: &mut Tx, org: OrgId, id: DeliveryId) -> Result<Option<NewJob>> {
    let delivery = store::find(tx.exec(), org, id).await?;
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

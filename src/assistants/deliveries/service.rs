//! Deliveries: the messages to post, and how far each has come.

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

/// The messages that assistants post.
#[derive(Clone)]
pub struct Deliveries {
    pub(super) db: Db,
    pub(in crate::assistants) queue: Queue,
}

/// A message to be posted.
#[derive(Clone, Debug)]
pub struct Outgoing {
    pub at: InstallationId,
    /// The turn that it replies to.
    pub inbox: Option<InboxId>,
    pub kind: DeliveryKind,
    pub target: Target,
    /// None for an answer, which is read from its message, and for a link, which is created when it is sent.
    pub say: Option<Say>,
}

impl Deliveries {
    /// A service on this database and queue.
    pub fn new(db: Db, queue: Queue) -> Self {
        Self { db, queue }
    }

    /// Adds a delivery with the job that posts it, in the caller's transaction.
    pub async fn add(&self, tx: &mut Tx, org: OrgId, outgoing: Outgoing) -> Result<DeliveryId> {
        let (delivery, lane) = draft(outgoing, None);
        if store::add(tx, org, &delivery).await? {
            self.queue
                .add(tx, org, JobId::new(), &deliver_job(delivery.id, lane))
                .await?;
        }
        Ok(delivery.id)
    }

    /// Adds the delivery of an answer, in the caller's transaction. Returns the job that posts it, which is added when
    /// the run ends.
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

    /// Adds a job that posts a placeholder at once, for the answer that `answer_job` will post. It is in the same lane
    /// and therefore runs first.
    pub async fn add_placeholder(&self, tx: &mut Tx, org: OrgId, answer_job: &NewJob) -> Result<()> {
        let job = NewJob {
            kind: PLACEHOLDER_JOB.into(),
            patience: Patience::Usual,
            asker: None,
            ..answer_job.clone()
        };
        self.queue.add(tx, org, JobId::new(), &job).await
    }

    /// A delivery.
    pub async fn get(&self, org: OrgId, id: DeliveryId) -> Result<Delivery> {
        store::find(self.db.read(), org, id)
            .await?
            .ok_or(Error::NotFound("delivery"))
    }

    /// Adds a direct message to a person, in the caller's transaction.
    pub async fn send_direct(
        &self,
        tx: &mut Tx,
        org: OrgId,
        at: InstallationId,
        who: &Sender,
        say: Say,
    ) -> Result<()> {
        // The direct conversation is looked up on the platform when the message is posted.
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

    /// Makes the jobs due that wait for an installation to become active again.
    pub(in crate::assistants) async fn resume(
        &self,
        tx: &mut Tx,
        org: OrgId,
        at: InstallationId,
    ) -> Result<()> {
        for step in ["turn", "press", "page", "deliver"] {
            let lanes = format!("{step}/{at}/");
            self.queue.make_due(tx, org, Pool::Chat, &lanes).await?;
        }
        Ok(())
    }

    /// Records that a post timed out and may still appear. Refused if the claim is no longer valid.
    pub async fn mark_uncertain(&self, claim: &Claim, id: DeliveryId) -> Result<()> {
        let (claim, queue) = (claim.clone(), self.queue.clone());
        let recorded = self.db.write(move |tx| {
            let (claim, queue) = (claim.clone(), queue.clone());
            Box::pin(async move {
                queue.holds(tx, &claim).await?;
                store::mark_uncertain(tx, claim.org, id).await
            })
        });
        recorded.await
    }

    /// Records how far a delivery has come, and finishes the job if the delivery ended. Refused if the claim is no
    /// longer valid.
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
        let recorded = self.db.write(move |tx| {
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
        recorded.await?;
        if ends {
            metrics::counter!("corbel_deliveries_ended_total", "state" => state.as_str()).increment(1);
        }
        Ok(())
    }
}

/// A new delivery and its lane.
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
        uncertain_since: None,
    };
    (delivery, lane)
}

/// The lane of a delivery. Deliveries in one lane are posted one at a time, in order.
fn lane_of(at: InstallationId, target: &Target) -> String {
    // The conversation of a direct message is not known yet, so the person takes the place of the thread.
    let thread = if target.place.thread.is_empty() {
        &target.sender.user
    } else {
        &target.place.thread
    };
    lane("deliver", at, thread, &target.place.conversation)
}

/// The job that tries a failed delivery again. It looks for posts of earlier attempts before it posts.
pub(super) fn deliver_again_job(delivery: &Delivery) -> NewJob {
    let lane = lane_of(delivery.installation, &delivery.target);
    let mut job = deliver_job(delivery.id, lane);
    job.payload = json!({ "delivery": delivery.id, "again": true });
    job
}

/// True if an earlier job may have posted the delivery. The delivery itself records only the posts of this job.
pub fn may_have_posted(claim: &Claim) -> bool {
    claim.payload.get("again").and_then(Value::as_bool) == Some(true)
}

fn deliver_job(id: DeliveryId, lane: String) -> NewJob {
    NewJob {
        pool: Pool::Chat,
        kind: DELIVER_JOB.into(),
        lane,
        payload: json!({ "delivery": id }),
        // The answer is ready and should survive an outage of the platform for some hours.
        patience: Patience::Long,
        asker: None,
    }
}

/// The job that deletes a post that appears after the delivery ended. None if no post timed out.
async fn cleanup_job(tx: &mut Tx, org: OrgId, id: DeliveryId) -> Result<Option<NewJob>> {
    let delivery = store::find(tx.exec(), org, id).await?;
    Ok(delivery
        .filter(|delivery| delivery.uncertain_since.is_some())
        .map(|delivery| NewJob {
            pool: Pool::Chat,
            kind: CLEANUP_JOB.into(),
            // In a lane of its own, so that it neither waits for other deliveries nor delays them.
            lane: format!("tidy/{}/{id}", delivery.installation),
            payload: json!({ "delivery": id }),
            patience: Patience::Usual,
            asker: None,
        }))
}

//! Writes chat events in groups: all events that are waiting go into one transaction with few statements, and each
//! caller gets its result after the commit.
//!
//! If writing a group fails because of one event, each event is written on its own. A bad event slows down the others
//! but does not make them fail.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::assistants::inbox::store::{self, Arrival};
use crate::base::error::{Error, Result};
use crate::base::ids::{InboxId, JobId, OrgId};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::queue::job::NewJob;
use crate::queue::service::Queue;

/// Maximum number of events in one transaction.
const MAX_GROUP: usize = 64;
/// Maximum number of waiting events. Further callers are held up until there is room.
const QUEUE_CAPACITY: usize = 4096;

/// A handle to submit events. The writing task ends when the last clone is dropped.
#[derive(Clone)]
pub(super) struct Intake {
    waiting: mpsc::Sender<Waiting>,
}

/// An event that waits to be written.
struct Waiting {
    arrival: Arrival,
    job: NewJob,
    reply: oneshot::Sender<Result<bool>>,
}

/// Events, each with the job that handles it.
type Group = Arc<[(Arrival, NewJob)]>;

impl Intake {
    pub(super) fn start(db: Db, queue: Queue) -> Self {
        let (waiting, arriving) = mpsc::channel(QUEUE_CAPACITY);
        tokio::spawn(write_groups(db, queue, arriving));
        Self { waiting }
    }

    /// Stores an event with the job that handles it. False for a duplicate, which gets no job.
    pub(super) async fn submit(&self, arrival: Arrival, job: NewJob) -> Result<bool> {
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("chat events are no longer accepted");
        self.waiting
            .send(Waiting { arrival, job, reply })
            .await
            .map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

async fn write_groups(db: Db, queue: Queue, mut arriving: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(MAX_GROUP);
    while arriving.recv_many(&mut waiting, MAX_GROUP).await > 0 {
        let mut group = Vec::with_capacity(waiting.len());
        let mut replies = Vec::with_capacity(waiting.len());
        for Waiting { arrival, job, reply } in waiting.drain(..) {
            group.push((arrival, job));
            replies.push(reply);
        }
        // In a separate task, so that a panic affects only this group.
        let writing = tokio::spawn(write_group(db.clone(), queue.clone(), group.into()));
        match writing.await {
            Ok(outcomes) => {
                for (reply, outcome) in replies.into_iter().zip(outcomes) {
                    // The caller may have gone. The event is stored anyway.
                    let _ = reply.send(outcome);
                }
            }
            // Dropping the replies makes every caller fail: whether the events were stored is unknown.
            Err(error) => tracing::error!(%error, "the task that writes a group of chat events failed"),
        }
    }
}

/// Writes a group. Returns for each event, in order, whether it was new.
async fn write_group(db: Db, queue: Queue, group: Group) -> Vec<Result<bool>> {
    match write(&db, &queue, Arc::clone(&group)).await {
        Ok(new) => group
            .iter()
            .map(|(arrival, _)| Ok(new.contains(&arrival.id)))
            .collect(),
        Err(error) if group.len() == 1 => vec![Err(error)],
        // The database is unavailable. Writing each event on its own would fail too.
        Err(error @ Error::Busy { .. }) => {
            let why = error.chain();
            group.iter().map(|_| Err(Error::busy(why.clone()))).collect()
        }
        Err(_) => {
            let mut outcomes = Vec::with_capacity(group.len());
            for one in group.iter() {
                let new = write(&db, &queue, Arc::from([one.clone()])).await;
                outcomes.push(new.map(|new| !new.is_empty()));
            }
            outcomes
        }
    }
}

/// Writes all events or none. Returns which were new.
async fn write(db: &Db, queue: &Queue, group: Group) -> Result<Vec<InboxId>> {
    let queue = queue.clone();
    let written = db.write(move |tx| {
        let (queue, group) = (queue.clone(), Arc::clone(&group));
        Box::pin(async move { add(tx, &queue, &group).await })
    });
    written.await
}

/// Adds events and their jobs in the caller's transaction. Duplicates are skipped. Returns which were new.
pub(super) async fn add(tx: &mut Tx, queue: &Queue, group: &[(Arrival, NewJob)]) -> Result<Vec<InboxId>> {
    let arrivals: Vec<&Arrival> = group.iter().map(|(arrival, _)| arrival).collect();
    let new = store::add(tx, &arrivals).await?;
    let stored = group.iter().filter(|(arrival, _)| new.contains(&arrival.id));
    let jobs: Vec<(OrgId, JobId, &NewJob)> = stored
        .map(|(arrival, job)| (arrival.org, JobId::new(), job))
        .collect();
    queue.add_all(tx, &jobs).await?;
    Ok(new)
}

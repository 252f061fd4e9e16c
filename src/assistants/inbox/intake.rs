//! Chat events on the way to disk: those that wait are written together, in few statements and one
//! transaction, and each is answered only after its commit.
//!
//! If a group is refused for what one of it holds, each is written alone: a bad event costs its
//! neighbours time but never their effect.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::assistants::inbox::store::{self, Arrival};
use crate::base::error::{Error, Result};
use crate::base::ids::{InboxId, JobId, OrgId};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::queue::job::NewJob;
use crate::queue::service::Queue;

/// Most events of one transaction.
const GROUP: usize = 64;
/// Events that may wait; beyond it callers wait for a place.
const WAITING: usize = 4096;

/// Where events are handed in. Ends with its last clone.
#[derive(Clone)]
pub(super) struct Intake {
    waiting: mpsc::Sender<Waiting>,
}

struct Waiting {
    arrival: Arrival,
    job: NewJob,
    reply: oneshot::Sender<Result<bool>>,
}

/// Events, each with the job that decides it.
type Group = Arc<[(Arrival, NewJob)]>;

impl Intake {
    pub(super) fn start(db: Db, queue: Queue) -> Self {
        let (waiting, arriving) = mpsc::channel(WAITING);
        tokio::spawn(write_groups(db, queue, arriving));
        Self { waiting }
    }

    /// Takes an event in, once, with the job that decides it. False for a duplicate, which gets no job.
    pub(super) async fn take_in(&self, arrival: Arrival, job: NewJob) -> Result<bool> {
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("chat events are not taken in any more");
        self.waiting
            .send(Waiting { arrival, job, reply })
            .await
            .map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

async fn write_groups(db: Db, queue: Queue, mut arriving: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(GROUP);
    while arriving.recv_many(&mut waiting, GROUP).await > 0 {
        let mut group = Vec::with_capacity(waiting.len());
        let mut replies = Vec::with_capacity(waiting.len());
        for Waiting { arrival, job, reply } in waiting.drain(..) {
            group.push((arrival, job));
            replies.push(reply);
        }
        // In a task of its own, so that a panic ends one group and not the intake.
        let writing = tokio::spawn(write_group(db.clone(), queue.clone(), group.into()));
        match writing.await {
            Ok(outcomes) => {
                for (reply, outcome) in replies.into_iter().zip(outcomes) {
                    // The asker may have gone; what was written stays written.
                    let _ = reply.send(outcome);
                }
            }
            // The replies are dropped: nothing is known to be on disk, and nothing else is said.
            Err(error) => tracing::error!(%error, "a group of chat events was not written"),
        }
    }
}

/// Answers each of the group, in its order.
async fn write_group(db: Db, queue: Queue, group: Group) -> Vec<Result<bool>> {
    match write(&db, &queue, Arc::clone(&group)).await {
        Ok(new) => group
            .iter()
            .map(|(arrival, _)| Ok(new.contains(&arrival.id)))
            .collect(),
        Err(error) if group.len() == 1 => vec![Err(error)],
        // The database is away: it would be for each of them.
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

/// Writes all or none; answers which were new.
async fn write(db: &Db, queue: &Queue, group: Group) -> Result<Vec<InboxId>> {
    let queue = queue.clone();
    let written = db.write(move |tx| {
        let (queue, group) = (queue.clone(), Arc::clone(&group));
        Box::pin(async move { add(tx, &queue, &group).await })
    });
    written.await
}

/// Adds them in the caller's transaction, each with its job unless it is a duplicate; answers which
/// were new.
pub(super) async fn add(tx: &mut Tx, queue: &Queue, group: &[(Arrival, NewJob)]) -> Result<Vec<InboxId>> {
    let arrivals: Vec<&Arrival> = group.iter().map(|(arrival, _)| arrival).collect();
    let new = store::add(tx, &arrivals).await?;
    let taken = group.iter().filter(|(arrival, _)| new.contains(&arrival.id));
    let jobs: Vec<(OrgId, JobId, &NewJob)> = taken
        .map(|(arrival, job)| (arrival.org, JobId::new(), job))
        .collect();
    queue.add_all(tx, &jobs).await?;
    Ok(new)
}

//! Runs on the way to disk: those that wait are admitted together, in few statements and one transaction, and each is
//! answered only after its commit.
//!
//! If a group cannot be written for what one of it holds, each is written alone: a bad one costs its neighbours time
//! but never their effect. What is merely refused (no credit, no such session) does not even cost that.
//!
//! Runs of one organization are written in the order they came to this process: no two groups that are under way hold
//! runs of the same one.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::analysis::admission::{Admission, Asked};
use crate::analysis::request::Admitted;
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::db::pool::Db;

/// Most runs of one transaction.
const GROUP: usize = 64;
/// Runs that may wait; beyond it callers wait for a place.
const WAITING: usize = 4096;
/// Groups that are written at once on PostgreSQL if they share no organization: while they are, the next one gathers. SQLite has one writer, so that
/// there a second group would only be closed too early.
const AT_ONCE: usize = 2;

/// Where runs are handed in. Ends with its last clone.
#[derive(Clone)]
pub(super) struct Intake {
    waiting: mpsc::Sender<Waiting>,
}

struct Waiting {
    asked: Asked,
    reply: oneshot::Sender<Result<Admitted>>,
}

type Group = Arc<[Asked]>;

impl Intake {
    pub(super) fn start(db: Db, admission: Admission) -> Self {
        let (waiting, arriving) = mpsc::channel(WAITING);
        tokio::spawn(take_in(db, admission, arriving));
        Self { waiting }
    }

    /// Admits a run: when this answers, it is on disk and will end.
    pub(super) async fn admit(&self, asked: Asked) -> Result<Admitted> {
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("runs are not admitted any more");
        let sent = self.waiting.send(Waiting { asked, reply }).await;
        sent.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

async fn take_in(db: Db, admission: Admission, mut arriving: mpsc::Receiver<Waiting>) {
    let places = if db.is_sqlite() { 1 } else { AT_ONCE };
    let places = Arc::new(Semaphore::new(places));
    let mut waiting = Vec::with_capacity(GROUP);
    let mut under_way = UnderWay::default();
    loop {
        // A place first: whoever comes until there is one is in the same group.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        if arriving.recv_many(&mut waiting, GROUP).await == 0 {
            return;
        }
        // Groups that share an organization would wait for its row anyway, and in whatever order they come to it. Whoever
        // came meanwhile goes along.
        while under_way.ended_for(&waiting).await {
            while waiting.len() < GROUP
                && let Ok(one) = arriving.try_recv()
            {
                waiting.push(one);
            }
        }
        let whose = waiting.iter().map(|one| one.asked.org()).collect();
        let (group, replies): (Vec<Asked>, Vec<_>) =
            waiting.drain(..).map(|one| (one.asked, one.reply)).unzip();
        let (db, admission) = (db.clone(), admission.clone());
        // In a task of its own, so that a panic ends one group and not the intake: then the replies are dropped,
        // nothing is known to be on disk, and nothing else is said.
        let writing = tokio::spawn(async move {
            let outcomes = write_group(&db, &admission, group.into()).await;
            for (reply, outcome) in replies.into_iter().zip(outcomes) {
                // The asker may have gone; what was written stays written.
                let _ = reply.send(outcome);
            }
            drop(place);
        });
        under_way.groups.push((whose, writing));
    }
}

/// The groups that are being written, each with whose runs it holds.
#[derive(Default)]
struct UnderWay {
    groups: Vec<(HashSet<OrgId>, JoinHandle<()>)>,
}

impl UnderWay {
    /// Waits for a group that holds runs of an organization that is among these: whether there was one.
    async fn ended_for(&mut self, waiting: &[Waiting]) -> bool {
        self.groups.retain(|(_, writing)| !writing.is_finished());
        let holds =
            |(whose, _): &(HashSet<OrgId>, _)| waiting.iter().any(|one| whose.contains(&one.asked.org()));
        let Some(shared) = self.groups.iter().position(holds) else {
            return false;
        };
        // If it panicked, it has ended all the same.
        let _ = self.groups.swap_remove(shared).1.await;
        true
    }
}

/// Answers each of the group, in its order.
async fn write_group(db: &Db, admission: &Admission, group: Group) -> Vec<Result<Admitted>> {
    match write(db, admission, Arc::clone(&group)).await {
        Ok(outcomes) => outcomes,
        Err(error) if group.len() == 1 => vec![Err(error)],
        // The database is away: it would be for each of them.
        Err(error @ Error::Busy { .. }) => {
            let why = error.chain();
            group.iter().map(|_| Err(Error::busy(why.clone()))).collect()
        }
        Err(_) => {
            let mut outcomes = Vec::with_capacity(group.len());
            for one in group.iter() {
                match write(db, admission, Arc::from([one.clone()])).await {
                    Ok(answered) => outcomes.extend(answered),
                    Err(error) => outcomes.push(Err(error)),
                }
            }
            outcomes
        }
    }
}

/// Writes what may be admitted; all of it or, in error, nothing.
async fn write(db: &Db, admission: &Admission, group: Group) -> Result<Vec<Result<Admitted>>> {
    let admission = admission.clone();
    let written = db.write(move |tx| {
        let (admission, group) = (admission.clone(), Arc::clone(&group));
        Box::pin(async move { admission.admit(tx, &group).await })
    });
    written.await
}

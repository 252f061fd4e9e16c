//! Group commit of new runs: waiting runs are admitted as one group in one transaction, and each caller gets its
//! outcome only after the commit.
//!
//! If one run makes the whole group fail, each run of it is written alone. A run that is merely refused (no credit, no
//! such session) does not make the group fail.
//!
//! Runs of one organization are written in the order in which they reached this process: two groups that are being
//! written at the same time never share an organization.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::analysis::admission::{Admission, NewRun};
use crate::analysis::request::Admitted;
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::db::pool::Db;

/// Most runs in one transaction.
const GROUP: usize = 64;
/// Capacity of the channel; when it is full, callers wait.
const WAITING: usize = 4096;
/// Groups that are written at once on PostgreSQL; meanwhile the next one fills. SQLite has a single writer, so a second
/// group there would only be closed before it is full.
const AT_ONCE: usize = 2;

/// Accepts runs to admit. Its task ends when the last clone is dropped.
#[derive(Clone)]
pub(super) struct Intake {
    waiting: mpsc::Sender<Waiting>,
}

struct Waiting {
    run: NewRun,
    reply: oneshot::Sender<Result<Admitted>>,
}

type Group = Arc<[NewRun]>;

impl Intake {
    pub(super) fn start(db: Db, admission: Admission) -> Self {
        let (waiting, arriving) = mpsc::channel(WAITING);
        tokio::spawn(write_groups(db, admission, arriving));
        Self { waiting }
    }

    /// Admits a run. When this returns, the run is on disk and will end.
    pub(super) async fn admit(&self, run: NewRun) -> Result<Admitted> {
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("runs are not admitted any more");
        let sent = self.waiting.send(Waiting { run, reply }).await;
        sent.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

async fn write_groups(db: Db, admission: Admission, mut arriving: mpsc::Receiver<Waiting>) {
    let permits = if db.is_sqlite() { 1 } else { AT_ONCE };
    let permits = Arc::new(Semaphore::new(permits));
    let mut waiting = Vec::with_capacity(GROUP);
    let mut under_way = UnderWay::default();
    loop {
        // The permit first: runs that arrive while waiting for it join the group.
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
            return;
        };
        if arriving.recv_many(&mut waiting, GROUP).await == 0 {
            return;
        }
        // Two groups that share an organization would wait for its row anyway, and in an undefined order. Runs that
        // arrive meanwhile join the group.
        while under_way.ended_for(&waiting).await {
            while waiting.len() < GROUP
                && let Ok(one) = arriving.try_recv()
            {
                waiting.push(one);
            }
        }
        let orgs = waiting.iter().map(|one| one.run.org()).collect();
        let (group, replies): (Vec<NewRun>, Vec<_>) =
            waiting.drain(..).map(|one| (one.run, one.reply)).unzip();
        let (db, admission) = (db.clone(), admission.clone());
        // In its own task, so that a panic ends one group and not the intake. Then the replies are dropped and the
        // callers get an error.
        let writing = tokio::spawn(async move {
            let outcomes = write_group(&db, &admission, group.into()).await;
            for (reply, outcome) in replies.into_iter().zip(outcomes) {
                // The caller may be gone; its run stays admitted.
                let _ = reply.send(outcome);
            }
            drop(permit);
        });
        under_way.groups.push((orgs, writing));
    }
}

/// The groups that are being written, each with the organizations of its runs.
#[derive(Default)]
struct UnderWay {
    groups: Vec<(HashSet<OrgId>, JoinHandle<()>)>,
}

impl UnderWay {
    /// Waits for one group that shares an organization with `waiting`. False if there is none.
    async fn ended_for(&mut self, waiting: &[Waiting]) -> bool {
        self.groups.retain(|(_, writing)| !writing.is_finished());
        let shares =
            |(orgs, _): &(HashSet<OrgId>, _)| waiting.iter().any(|one| orgs.contains(&one.run.org()));
        let Some(shared) = self.groups.iter().position(shares) else {
            return false;
        };
        // A group that panicked has ended as well.
        let _ = self.groups.swap_remove(shared).1.await;
        true
    }
}

/// Writes a group; the outcomes have its order.
async fn write_group(db: &Db, admission: &Admission, group: Group) -> Vec<Result<Admitted>> {
    match write(db, admission, Arc::clone(&group)).await {
        Ok(outcomes) => outcomes,
        Err(error) if group.len() == 1 => vec![Err(error)],
        // The database is unavailable: it would be for each run alone as well.
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

/// Admits the runs of a group in one transaction.
async fn write(db: &Db, admission: &Admission, group: Group) -> Result<Vec<Result<Admitted>>> {
    let admission = admission.clone();
    let written = db.write(move |tx| {
        let (admission, group) = (admission.clone(), Arc::clone(&group));
        Box::pin(async move { admission.admit(tx, &group).await })
    });
    written.await
}

//! The queue as the domains use it: they add and finish jobs in their own transactions.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;

use crate::base::error::Result;
use crate::base::ids::{JobId, OrgId};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::queue::job::{Asker, Claim, Counted, NewJob, Pool, Timing};
use crate::queue::store;

pub use crate::queue::store::Group;

/// Cheap to clone; clones share the wake-up signals.
#[derive(Clone)]
pub struct Queue {
    timing: Timing,
    chat: Arc<Notify>,
    run: Arc<Notify>,
    model: Arc<Notify>,
    /// A signal for each job that this process runs: it was cancelled.
    cancelled: Arc<Mutex<HashMap<JobId, Arc<Notify>>>>,
}

impl Queue {
    pub fn new(timing: Timing) -> Self {
        Self {
            timing,
            chat: Arc::default(),
            run: Arc::default(),
            model: Arc::default(),
            cancelled: Arc::default(),
        }
    }

    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// Adds a job in the caller's transaction and wakes a worker of this process once it is on disk.
    pub async fn add(&self, tx: &mut Tx, org: OrgId, id: JobId, job: &NewJob) -> Result<()> {
        self.add_all(tx, &[(org, id, job)]).await
    }

    /// Like [`add`](Self::add), for many jobs of any organizations in few statements.
    pub async fn add_all<J>(&self, tx: &mut Tx, jobs: &[(OrgId, JobId, J)]) -> Result<()>
    where
        J: Borrow<NewJob> + Sync,
    {
        store::add(tx, jobs, &self.timing).await?;
        for (_, _, job) in jobs {
            tx.signal(self.signal(job.borrow().pool));
        }
        Ok(())
    }

    /// Finishes a claimed job in the caller's transaction. Fails with `Stale` if a newer attempt owns the job,
    /// which rolls the transaction back.
    pub async fn finish(&self, tx: &mut Tx, claim: &Claim) -> Result<()> {
        store::finish(tx, claim).await
    }

    /// Cancels a queued or running job in the caller's transaction and returns its payload, or `None` if the job
    /// has already ended. Later writes of a running attempt are refused. An attempt in this process is dropped at once,
    /// in another one after two renewals of its lease at most.
    pub async fn cancel(&self, tx: &mut Tx, org: OrgId, id: JobId) -> Result<Option<Value>> {
        let payload = store::cancel(tx, org, id).await?;
        if let Some(cancelled) = self.signals().get(&id) {
            tx.signal(cancelled);
        }
        Ok(payload)
    }

    /// Watches whether a job is cancelled, while this process runs it.
    pub(super) fn watch(&self, id: JobId) -> Watch {
        let cancelled = Arc::<Notify>::default();
        self.signals().insert(id, Arc::clone(&cancelled));
        Watch {
            queue: self.clone(),
            id,
            cancelled,
        }
    }

    /// Ignores poison: the map is consistent at every moment.
    fn signals(&self) -> MutexGuard<'_, HashMap<JobId, Arc<Notify>>> {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that the claim is still valid; fails with `Stale` if a newer attempt owns the job.
    pub async fn holds(&self, tx: &mut Tx, claim: &Claim) -> Result<()> {
        store::holds(tx, claim).await
    }

    /// Puts a claimed job back in the caller's transaction, without counting a try.
    pub async fn put_back(&self, tx: &mut Tx, claim: &Claim, wait: Duration) -> Result<()> {
        store::put_back(tx, claim, wait, Counted::Untried).await
    }

    /// Makes all jobs due whose lanes start with `lane`, which ends in `/`. For jobs that wait for an event.
    pub async fn make_due(&self, tx: &mut Tx, org: OrgId, pool: Pool, lane: &str) -> Result<()> {
        if store::make_due(tx, org, lane).await? > 0 {
            tx.signal(self.signal(pool));
        }
        Ok(())
    }

    /// True while a worker runs the job.
    pub async fn is_running(&self, db: &Db, org: OrgId, id: JobId) -> Result<bool> {
        Ok(store::state(db, org, id).await?.as_deref() == Some("running"))
    }

    /// True while a job of the lane is queued or running.
    pub async fn is_busy(&self, db: &Db, org: OrgId, lane: &str) -> Result<bool> {
        store::is_busy(db, org, lane).await
    }

    /// True if at least `count` jobs of the pool are queued, over all organizations.
    pub async fn has_at_least_waiting(&self, db: &Db, pool: Pool, count: i64) -> Result<bool> {
        Ok(store::waiting(db, pool, count).await? >= count)
    }

    /// True if `count` jobs of the asker are queued, or jobs of `count` askers, over all organizations.
    pub async fn has_backlog(
        &self,
        db: &Db,
        pool: Pool,
        org: OrgId,
        asker: Asker,
        count: i64,
    ) -> Result<bool> {
        Ok(
            store::waiting_of(db, pool, org, &asker.path(), count).await? >= count
                || store::waiting_askers(db, pool, count).await? >= count,
        )
    }

    /// The number of queued and running jobs, over all organizations.
    pub async fn open(&self, db: &Db) -> Result<i64> {
        store::open(db).await
    }

    /// Counts queued and running jobs by pool, kind and state, over all organizations.
    pub async fn census(&self, db: &Db) -> Result<Vec<Group>> {
        store::census(db).await
    }

    pub(super) fn signal(&self, pool: Pool) -> &Arc<Notify> {
        match pool {
            Pool::Chat => &self.chat,
            Pool::Run => &self.run,
            Pool::Model => &self.model,
        }
    }
}

/// See [`Queue::watch`].
pub(super) struct Watch {
    queue: Queue,
    id: JobId,
    cancelled: Arc<Notify>,
}

impl Watch {
    pub(super) async fn cancelled(&self) {
        self.cancelled.notified().await;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut signals = self.queue.signals();
        // A newer attempt in this process may have replaced it.
        if signals
            .get(&self.id)
            .is_some_and(|own| Arc::ptr_eq(own, &self.cancelled))
        {
            signals.remove(&self.id);
        }
    }
}

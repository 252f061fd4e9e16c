//! The worker of a process: claims jobs, renews their leases, finishes them or puts them back, and drains on shutdown.
//!
//! Polling guarantees that jobs are found; signals, and the alarm for jobs that this process put back, only make it
//! faster. A job whose process crashed twice runs alone, so that a third crash identifies it and does not count
//! against other jobs.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::sync::{OwnedSemaphorePermit, RwLock, Semaphore, watch};
use tokio::task::{AbortHandle, JoinSet};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::base::error::{Error, Result};
use crate::base::ids::{JobId, OrgId};
use crate::db::pool::Db;
use crate::queue::alarm::Alarm;
use crate::queue::claims::{self, Claimant};
use crate::queue::handlers::{Handler, Handlers};
use crate::queue::job::{Claim, Counted, Done, GaveUp, Pool, Slots};
use crate::queue::service::Queue;
use crate::queue::shares::{Served, Shares};
use crate::queue::store;

/// Number of crashes from which a job is suspected and runs alone.
const SUSPECTED: i64 = 2;
/// Number of crashes after which a job is given up. Chat jobs get more: they run no engine and are short, and an
/// answer is lost if its delivery is given up.
const fn max_crashes(pool: Pool) -> i64 {
    match pool {
        Pool::Run | Pool::Model => 3,
        Pool::Chat => 6,
    }
}
/// Time limit for an attempt of a suspected job, because its pool runs nothing else meanwhile.
const SUSPECT_TIMEOUT: Duration = Duration::from_secs(5 * 60);
/// Number of attempts with an error after which a job is given up.
const MAX_ERRORS: i64 = 8;
/// How long finished jobs are kept.
const RETENTION: Duration = Duration::from_secs(24 * 60 * 60);

/// Lets a suspected job run without other jobs of its pool.
#[derive(Default)]
struct Quarantine {
    /// Shared by ordinary jobs, exclusive for the suspect.
    shared: RwLock<()>,
    /// Locked by the suspect; a pool of this process runs one at a time.
    suspect: tokio::sync::Mutex<()>,
}

/// Cheap to clone; all clones are one worker.
#[derive(Clone)]
pub struct Worker {
    inner: Arc<Inner>,
}

struct Inner {
    db: Db,
    queue: Queue,
    handlers: Handlers,
    node: Uuid,
    /// By job and attempt: a job may be claimed here again while an older attempt still runs.
    running: Mutex<HashMap<(JobId, i64), Running>>,
    /// Tasks that return the leases of aborted attempts.
    returning: Mutex<JoinSet<()>>,
    served: Mutex<Arc<Served>>,
    chat: Lot,
    run: Lot,
    model: Lot,
}

/// What a worker keeps for each pool.
#[derive(Default)]
struct Lot {
    quarantine: Quarantine,
    alarm: Alarm,
}

/// An attempt that holds a slot.
struct Running {
    abort: AbortHandle,
    pool: Pool,
    org: OrgId,
    asker: String,
}

impl Worker {
    pub fn new(db: Db, queue: Queue, handlers: Handlers) -> Self {
        let inner = Inner {
            db,
            queue,
            handlers,
            node: JobId::new().uuid(),
            running: Mutex::default(),
            returning: Mutex::default(),
            served: Mutex::default(),
            chat: Lot::default(),
            run: Lot::default(),
            model: Lot::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Works until `stop` becomes true, then drains and puts back the jobs that are left.
    pub async fn run(&self, slots: Slots, stop: watch::Receiver<bool>) {
        let heartbeat = tokio::spawn(self.clone().heartbeat(stop.clone()));
        let chat = self.clone().pool(Pool::Chat, slots.chat, stop.clone());
        let run = self.clone().pool(Pool::Run, slots.run, stop.clone());
        let model = self.clone().pool(Pool::Model, slots.model, stop);
        tokio::join!(chat, run, model);
        let mut returning = std::mem::take(&mut *lock(&self.inner.returning));
        while returning.join_next().await.is_some() {}
        heartbeat.abort();
    }

    async fn pool(self, pool: Pool, slots: usize, mut stop: watch::Receiver<bool>) {
        let free = Arc::new(Semaphore::new(slots));
        let mut tasks = JoinSet::new();
        while !*stop.borrow() && slots > 0 {
            self.alarm(pool).acknowledge();
            // Claims nothing while a suspect is running or waiting to run alone.
            let open = self.quarantine(pool).shared.try_read().is_ok();
            let claims = match self
                .claim(pool, slots, if open { free.available_permits() } else { 0 })
                .await
            {
                Ok(claims) => claims,
                Err(error) => {
                    tracing::warn!(%pool, error = error.chain(), "no jobs could be claimed");
                    Vec::new()
                }
            };
            for claim in claims {
                let Ok(permit) = Arc::clone(&free).try_acquire_owned() else {
                    break;
                };
                let key = (claim.id, claim.attempt);
                let slot = Slot {
                    worker: self.clone(),
                    key,
                    pool,
                    permit: Some(permit),
                };
                let (org, asker) = (claim.org, claim.asker.clone());
                let mut running = lock(&self.inner.running);
                let span =
                    tracing::error_span!("job", job = %claim.id, kind = claim.kind, attempt = claim.attempt);
                let attempt = async move { slot.worker.attempt(claim, pool).await };
                let abort = tasks.spawn(attempt.instrument(span));
                let attempt = Running {
                    abort,
                    pool,
                    org,
                    asker,
                };
                running.insert(key, attempt);
            }
            while tasks.try_join_next().is_some() {}
            tokio::select! {
                () = self.inner.queue.signal(pool).notified() => {}
                () = tokio::time::sleep(self.alarm(pool).next(self.inner.queue.timing().poll)) => {}
                _ = stop.changed() => {}
            }
        }
        let drained = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(self.inner.queue.timing().drain, drained)
            .await
            .is_err()
        {
            tracing::warn!(%pool, left = tasks.len(), "stopping while jobs are running; they are put back");
        }
        // Aborted attempts return their leases when they are dropped.
        tasks.shutdown().await;
    }

    fn lot(&self, pool: Pool) -> &Lot {
        match pool {
            Pool::Chat => &self.inner.chat,
            Pool::Run => &self.inner.run,
            Pool::Model => &self.inner.model,
        }
    }

    fn quarantine(&self, pool: Pool) -> &Quarantine {
        &self.lot(pool).quarantine
    }

    fn alarm(&self, pool: Pool) -> &Alarm {
        &self.lot(pool).alarm
    }

    /// Claims at most `free` jobs for a pool with this many slots.
    async fn claim(&self, pool: Pool, slots: usize, free: usize) -> Result<Vec<Claim>> {
        let inner = &self.inner;
        if free == 0 || !store::any_waiting(&inner.db, pool).await? {
            return Ok(Vec::new());
        }
        let shares = Arc::new(self.shares(pool, slots));
        let by = Claimant {
            pool,
            node: inner.node,
            lease: inner.queue.timing().lease,
        };
        let claimed = inner.db.write(move |tx| {
            // A copy for each try.
            let shares = Shares::clone(&shares);
            Box::pin(async move { claims::claim(tx, by, free, shares).await })
        });
        let claims = match claimed.await {
            Err(Error::Stale) => Vec::new(),
            other => other?,
        };
        let mut served = lock(&inner.served);
        for claim in &claims {
            Arc::make_mut(&mut served).note(claim.org, &claim.asker);
        }
        Ok(claims)
    }

    /// What the running attempts of a pool hold of its slots.
    fn shares(&self, pool: Pool, slots: usize) -> Shares {
        let mut shares = Shares::new(pool, slots, Arc::clone(&lock(&self.inner.served)));
        for attempt in lock(&self.inner.running).values() {
            if attempt.pool == pool {
                shares.take(attempt.org, &attempt.asker, 1);
            }
        }
        shares
    }

    /// Runs one attempt of a claimed job to its end, including failures.
    async fn attempt(&self, claim: Claim, pool: Pool) {
        let Some(handler) = self.inner.handlers.of(&claim.kind).cloned() else {
            tracing::error!(kind = claim.kind, job = %claim.id, "no handler for this kind of job");
            self.log_outcome(
                &claim,
                self.put_back(&claim, pool, Duration::from_secs(60), Counted::Failed)
                    .await,
            );
            return;
        };
        let put_back_on_abort = PutBackOnAbort {
            worker: self.clone(),
            pool,
            claim: Some(claim.clone()),
        };
        let Quarantine { shared, suspect } = self.quarantine(pool);
        // Puts jobs back instead of letting them wait: a job waiting here would count as crashed if the suspect
        // crashes the process. Nothing is claimed again before the suspect has ended.
        let outcome = if claim.crashes < SUSPECTED {
            match shared.try_read() {
                Ok(_shared) => self.run_or_give_up(&handler, &claim, pool, Duration::MAX).await,
                Err(_) => {
                    self.put_back(&claim, pool, Duration::ZERO, Counted::Untried)
                        .await
                }
            }
        } else {
            match suspect.try_lock() {
                Ok(_only) => {
                    let _alone = shared.write().await;
                    self.run_or_give_up(&handler, &claim, pool, SUSPECT_TIMEOUT).await
                }
                Err(_) => {
                    self.put_back(&claim, pool, Duration::ZERO, Counted::Untried)
                        .await
                }
            }
        };
        put_back_on_abort.disarm();
        self.log_outcome(&claim, outcome);
    }

    async fn run_or_give_up(
        &self,
        handler: &Handler,
        claim: &Claim,
        pool: Pool,
        max: Duration,
    ) -> Result<()> {
        if claim.crashes >= max_crashes(pool) {
            return (handler.give_up)(claim.clone(), GaveUp::Poisoned).await;
        }
        let Ok(left) = (claim.expires_at - claim.claimed_at).to_std() else {
            return (handler.give_up)(claim.clone(), GaveUp::Expired).await;
        };
        let watch = self.inner.queue.watch(claim.id);
        let running = AssertUnwindSafe((handler.run)(claim.clone())).catch_unwind();
        let running = async {
            tokio::select! {
                outcome = running => outcome,
                () = watch.cancelled() => Ok(Err(Error::Stale)),
            }
        };
        let outcome = match tokio::time::timeout(left.min(max), running).await {
            Err(_) if max < left => Err(Error::internal("a suspected job took too long")),
            Err(_) => return (handler.give_up)(claim.clone(), GaveUp::Expired).await,
            Ok(Err(_)) => Err(Error::internal("a job panicked")),
            Ok(Ok(outcome)) => outcome,
        };
        match outcome {
            Ok(Done::Finished) => Ok(()),
            Ok(Done::Nothing) => {
                let claim = claim.clone();
                let ended = self.inner.db.write(move |tx| {
                    let claim = claim.clone();
                    Box::pin(async move { store::finish(tx, &claim).await })
                });
                ended.await
            }
            Ok(Done::Later(wait)) => self.put_back(claim, pool, wait, Counted::Untried).await,
            Ok(Done::Again(wait)) => self.put_back(claim, pool, wait, Counted::Tried).await,
            Err(Error::Stale) => Err(Error::Stale),
            // Not the job's fault. If it cannot be put back either, its lease expires and it is queued again.
            Err(error @ Error::Busy { .. }) => {
                tracing::warn!(kind = claim.kind, job = %claim.id, error = error.chain(),
                    "putting a job back: a dependency is unavailable");
                self.put_back(claim, pool, Duration::from_secs(1), Counted::Untried)
                    .await
            }
            Err(error) => {
                tracing::warn!(kind = claim.kind, job = %claim.id, attempt = claim.attempt, error = error.chain(),
                    "an attempt failed");
                if claim.errors + 1 >= MAX_ERRORS {
                    return (handler.give_up)(claim.clone(), GaveUp::Failed).await;
                }
                let wait = Duration::from_millis(500 << claim.errors.clamp(0, 7));
                self.put_back(claim, pool, wait, Counted::Failed).await
            }
        }
    }

    async fn put_back(&self, claim: &Claim, pool: Pool, wait: Duration, counted: Counted) -> Result<()> {
        let claim = claim.clone();
        let back = self.inner.db.write(move |tx| {
            let claim = claim.clone();
            Box::pin(async move { store::put_back(tx, &claim, wait, counted).await })
        });
        back.await?;
        self.alarm(pool).set(wait);
        Ok(())
    }

    fn log_outcome(&self, claim: &Claim, outcome: Result<()>) {
        match outcome {
            Ok(()) => {}
            Err(Error::Stale) => {
                tracing::info!(kind = claim.kind, job = %claim.id, attempt = claim.attempt,
                    "the job was cancelled, or a newer attempt owns it");
            }
            // Its lease expires and it is queued again.
            Err(error) => {
                tracing::error!(kind = claim.kind, job = %claim.id, error = error.chain(),
                    "a job could not be finished or put back");
            }
        }
    }

    /// Renews leases, requeues jobs with expired leases and prunes finished jobs. If renewing fails for two thirds of
    /// a lease, the attempts are aborted before another node may start them. An attempt that no longer owns its
    /// job is aborted when this is seen twice in a row, because once may only mean that it has just ended.
    async fn heartbeat(self, stop: watch::Receiver<bool>) {
        let timing = *self.inner.queue.timing();
        let mut renewed = Instant::now();
        let mut pruned: Option<Instant> = None;
        let mut previously_lost = HashSet::new();
        loop {
            // A connection that does not respond counts as a failure too.
            let renewing = tokio::time::timeout(timing.heartbeat(), self.renew()).await;
            match renewing.unwrap_or_else(|_| Err(Error::busy("no answer within a third of a lease"))) {
                Ok(lost) => {
                    renewed = Instant::now();
                    let running = lock(&self.inner.running);
                    lost.intersection(&previously_lost)
                        .filter_map(|key| running.get(key))
                        .for_each(|attempt| attempt.abort.abort());
                    previously_lost = lost;
                }
                Err(error) => {
                    tracing::warn!(error = error.chain(), "leases could not be renewed");
                    if renewed.elapsed() >= timing.lease * 2 / 3 {
                        let running = lock(&self.inner.running);
                        running.values().for_each(|attempt| attempt.abort.abort());
                    }
                }
            }
            if !*stop.borrow() {
                if let Err(error) = self.sweep().await {
                    tracing::warn!(error = error.chain(), "the sweep for expired leases failed");
                }
                if pruned.is_none_or(|at| at.elapsed() > Duration::from_secs(600)) {
                    pruned = Some(Instant::now());
                    let (db, before) = (self.inner.db.clone(), self.inner.db.clock().now() - RETENTION);
                    tokio::spawn(async move {
                        if let Err(error) = store::prune(&db, before).await {
                            tracing::warn!(error = error.chain(), "finished jobs could not be removed");
                        }
                    });
                }
            }
            tokio::time::sleep(timing.heartbeat()).await;
        }
    }

    /// Renews the leases and returns the attempts that no longer own their job.
    async fn renew(&self) -> Result<HashSet<(JobId, i64)>> {
        let running: Vec<(JobId, i64)> = lock(&self.inner.running).keys().copied().collect();
        if running.is_empty() {
            return Ok(HashSet::new());
        }
        let jobs: Arc<[JobId]> = running.iter().map(|(id, _)| *id).collect();
        let (node, lease) = (self.inner.node, self.inner.queue.timing().lease);
        let renewing = self.inner.db.write(move |tx| {
            let jobs = Arc::clone(&jobs);
            Box::pin(async move { store::renew(tx, node, &jobs, lease).await })
        });
        let owned: HashSet<(JobId, i64)> = renewing.await?.into_iter().collect();
        Ok(running.into_iter().filter(|key| !owned.contains(key)).collect())
    }

    async fn sweep(&self) -> Result<()> {
        // With SQLite there is only this process, so its own clock decides and saves a transaction.
        let (db, now) = (&self.inner.db, self.inner.db.clock().now());
        if db.is_sqlite() && !store::any_lost(db, now).await? {
            return Ok(());
        }
        let lost = self
            .inner
            .db
            .write(|tx| Box::pin(async move { store::sweep(tx).await }))
            .await?;
        if lost > 0 {
            tracing::warn!(lost, "the leases of jobs expired; they are queued again");
            for pool in Pool::ALL {
                self.inner.queue.signal(pool).notify_one();
            }
        }
        Ok(())
    }
}

/// The slot of an attempt. Released when dropped, however the attempt ends.
struct Slot {
    worker: Worker,
    key: (JobId, i64),
    pool: Pool,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.worker.inner.running).remove(&self.key);
        drop(self.permit.take());
        // A slot and a lane are free again.
        self.worker.inner.queue.signal(self.pool).notify_one();
    }
}

/// Puts the job of an aborted attempt back at once instead of letting its lease expire.
struct PutBackOnAbort {
    worker: Worker,
    pool: Pool,
    claim: Option<Claim>,
}

impl PutBackOnAbort {
    fn disarm(mut self) {
        self.claim = None;
    }
}

impl Drop for PutBackOnAbort {
    fn drop(&mut self) {
        if let (Some(claim), Ok(runtime)) = (self.claim.take(), tokio::runtime::Handle::try_current()) {
            let (worker, pool) = (self.worker.clone(), self.pool);
            let mut returning = lock(&self.worker.inner.returning);
            while returning.try_join_next().is_some() {}
            let back = async move {
                let outcome = worker
                    .put_back(&claim, pool, Duration::ZERO, Counted::Untried)
                    .await;
                worker.log_outcome(&claim, outcome);
            };
            returning.spawn_on(back, &runtime);
        }
    }
}

/// Locks, ignoring poison: the values are consistent at every moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

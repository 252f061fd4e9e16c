//! The worker of a process: claims jobs, renews their leases, ends or puts them back, drains.
//!
//! Polling is the guarantee; a signal, or the alarm for what this process put back, only makes it sooner. A job that took its process down
//! twice runs alone, so that the third crash names the culprit and spares its neighbours.

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
use crate::queue::handlers::{Handler, Handlers};
use crate::queue::job::{Claim, Counted, Done, GaveUp, Pool};
use crate::queue::service::Queue;
use crate::queue::store;

/// From so many crashes on a job runs alone.
const SUSPECTED: i64 = 2;
/// Crashes that end a job. Turns and deliveries get more: they run no engine, are over within
/// moments, and an answer whose delivery is given up reaches nobody.
const fn poisoned(pool: Pool) -> i64 {
    match pool {
        Pool::Run => 3,
        Pool::Chat => 6,
    }
}
/// Longest attempt of a suspected job: its pool stands still meanwhile.
const ALONE: Duration = Duration::from_secs(5 * 60);
/// Attempts answering an error that end a job.
const MOST_ERRORS: i64 = 8;
/// How long ended jobs are kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// How many jobs of each pool run at once.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    pub chat: usize,
    pub run: usize,
}

/// Keeps a suspected job of a pool apart.
#[derive(Default)]
struct Quarantine {
    /// Shared by ordinary jobs, exclusive for the suspect.
    shared: RwLock<()>,
    /// Held by the one suspect of this process.
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
    /// By job and attempt: a job may come back while its overtaken attempt still runs here.
    running: Mutex<HashMap<(JobId, i64), AbortHandle>>,
    /// Leases on their way back to the database.
    returning: Mutex<JoinSet<()>>,
    served: Mutex<(u64, HashMap<OrgId, u64>)>,
    /// Shared by ordinary jobs of a pool, exclusive for a suspected one.
    chat_quarantine: Quarantine,
    run_quarantine: Quarantine,
    chat_alarm: Alarm,
    run_alarm: Alarm,
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
            chat_quarantine: Quarantine::default(),
            run_quarantine: Quarantine::default(),
            chat_alarm: Alarm::default(),
            run_alarm: Alarm::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Works until `stop` turns true, then drains and hands back what is left.
    pub async fn run(&self, slots: Slots, stop: watch::Receiver<bool>) {
        let beating = tokio::spawn(self.clone().beat(stop.clone()));
        let chat = self.clone().pool(Pool::Chat, slots.chat, stop.clone());
        let run = self.clone().pool(Pool::Run, slots.run, stop);
        tokio::join!(chat, run);
        let mut returning = std::mem::take(&mut *held(&self.inner.returning));
        while returning.join_next().await.is_some() {}
        beating.abort();
    }

    async fn pool(self, pool: Pool, slots: usize, mut stop: watch::Receiver<bool>) {
        let free = Arc::new(Semaphore::new(slots));
        let mut tasks = JoinSet::new();
        while !*stop.borrow() && slots > 0 {
            self.alarm(pool).acknowledge();
            // Nothing is claimed beside a suspect, nor while it waits until it is alone.
            let fine = self.quarantine(pool).shared.try_read().is_ok();
            let claims = match self
                .claim(pool, if fine { free.available_permits() } else { 0 })
                .await
            {
                Ok(claims) => claims,
                Err(error) => {
                    tracing::warn!(%pool, error = error.chain(), "no jobs could be claimed");
                    Vec::new()
                }
            };
            let found = !claims.is_empty();
            for claim in claims {
                let Ok(permit) = Arc::clone(&free).try_acquire_owned() else {
                    break;
                };
                let key = (claim.id, claim.attempt);
                let place = Place {
                    worker: self.clone(),
                    key,
                    pool,
                    permit: Some(permit),
                };
                let mut running = held(&self.inner.running);
                let span =
                    tracing::error_span!("job", job = %claim.id, kind = claim.kind, attempt = claim.attempt);
                let attempt = async move { place.worker.attempt(claim, pool).await };
                let handle = tasks.spawn(attempt.instrument(span));
                running.insert(key, handle);
            }
            while tasks.try_join_next().is_some() {}
            if found && free.available_permits() > 0 {
                continue;
            }
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
            tracing::warn!(%pool, left = tasks.len(), "stopping before every job ended; they are handed back");
        }
        // Aborted attempts give their leases back on the way out.
        tasks.shutdown().await;
    }

    fn quarantine(&self, pool: Pool) -> &Quarantine {
        match pool {
            Pool::Chat => &self.inner.chat_quarantine,
            Pool::Run => &self.inner.run_quarantine,
        }
    }

    fn alarm(&self, pool: Pool) -> &Alarm {
        match pool {
            Pool::Chat => &self.inner.chat_alarm,
            Pool::Run => &self.inner.run_alarm,
        }
    }

    async fn claim(&self, pool: Pool, slots: usize) -> Result<Vec<Claim>> {
        let inner = &self.inner;
        if slots == 0 || !store::any_waiting(&inner.db, pool).await? {
            return Ok(Vec::new());
        }
        let served = Arc::new(held(&inner.served).1.clone());
        let (node, lease) = (inner.node, inner.queue.timing().lease);
        let claimed = inner.db.write(move |tx| {
            let served = Arc::clone(&served);
            Box::pin(async move { store::claim(tx, pool, node, slots, lease, &served).await })
        });
        let claims = match claimed.await {
            Err(Error::Stale) => Vec::new(),
            other => other?,
        };
        let mut served = held(&inner.served);
        for claim in &claims {
            served.0 += 1;
            let turn = served.0;
            served.1.insert(claim.org, turn);
        }
        if served.1.len() > 10_000 {
            let oldest = served.0.saturating_sub(5_000);
            served.1.retain(|_, turn| *turn > oldest);
        }
        Ok(claims)
    }

    /// One attempt, from claim to its end, whatever happens in it.
    async fn attempt(&self, claim: Claim, pool: Pool) {
        let Some(handler) = self.inner.handlers.of(&claim.kind).cloned() else {
            tracing::error!(kind = claim.kind, job = %claim.id, "no handler for this kind of job");
            self.settle(
                &claim,
                self.put_back(&claim, pool, Duration::from_secs(60), Counted::Failed)
                    .await,
            );
            return;
        };
        let handed_back = HandBack {
            worker: self.clone(),
            pool,
            claim: Some(claim.clone()),
        };
        let Quarantine { shared, suspect } = self.quarantine(pool);
        // What waited here would count as crashed, should the suspect take the process down. Nothing is
        // claimed again before the suspect has ended.
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
                    self.run_or_give_up(&handler, &claim, pool, ALONE).await
                }
                Err(_) => {
                    self.put_back(&claim, pool, Duration::ZERO, Counted::Untried)
                        .await
                }
            }
        };
        handed_back.disarm();
        self.settle(&claim, outcome);
    }

    async fn run_or_give_up(
        &self,
        handler: &Handler,
        claim: &Claim,
        pool: Pool,
        most: Duration,
    ) -> Result<()> {
        if claim.crashes >= poisoned(pool) {
            return (handler.give_up)(claim.clone(), GaveUp::Poisoned).await;
        }
        let Ok(left) = (claim.expires_at - claim.claimed_at).to_std() else {
            return (handler.give_up)(claim.clone(), GaveUp::Expired).await;
        };
        let running = AssertUnwindSafe((handler.run)(claim.clone())).catch_unwind();
        let outcome = match tokio::time::timeout(left.min(most), running).await {
            Err(_) if most < left => Err(Error::internal("a suspected job took too long")),
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
            // The database is away: no fault of the job. Its lease brings it back if this does not.
            Err(error @ Error::Busy { .. }) => {
                tracing::warn!(kind = claim.kind, job = %claim.id, error = error.chain(), "put back, the database is away");
                self.put_back(claim, pool, Duration::from_secs(1), Counted::Untried)
                    .await
            }
            Err(error) => {
                tracing::warn!(kind = claim.kind, job = %claim.id, attempt = claim.attempt, error = error.chain(),
                    "an attempt failed");
                if claim.errors + 1 >= MOST_ERRORS {
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

    fn settle(&self, claim: &Claim, outcome: Result<()>) {
        match outcome {
            Ok(()) => {}
            Err(Error::Stale) => {
                tracing::info!(kind = claim.kind, job = %claim.id, attempt = claim.attempt, "a newer attempt owns the job");
            }
            // The lease runs out and the job comes back.
            Err(error) => {
                tracing::error!(kind = claim.kind, job = %claim.id, error = error.chain(), "a job could not be ended");
            }
        }
    }

    /// Renews leases, sweeps up lost ones, prunes ended jobs. When renewing fails for two thirds of
    /// a lease, the attempts are stopped here before another node may start them. What was overtaken
    /// is stopped too; once it was missed twice, because an attempt that just ended is missed as well.
    async fn beat(self, stop: watch::Receiver<bool>) {
        let timing = *self.inner.queue.timing();
        let mut renewed = Instant::now();
        let mut pruned: Option<Instant> = None;
        let mut missed = HashSet::new();
        loop {
            // A connection that swallows everything counts as a failure too.
            let renewing = tokio::time::timeout(timing.beat(), self.renew()).await;
            match renewing.unwrap_or_else(|_| Err(Error::busy("no answer within a third of a lease"))) {
                Ok(lost) => {
                    renewed = Instant::now();
                    let running = held(&self.inner.running);
                    lost.intersection(&missed)
                        .filter_map(|key| running.get(key))
                        .for_each(AbortHandle::abort);
                    missed = lost;
                }
                Err(error) => {
                    tracing::warn!(error = error.chain(), "leases could not be renewed");
                    if renewed.elapsed() >= timing.lease * 2 / 3 {
                        held(&self.inner.running).values().for_each(AbortHandle::abort);
                    }
                }
            }
            if !*stop.borrow() {
                if let Err(error) = self.sweep().await {
                    tracing::warn!(error = error.chain(), "lost leases could not be looked for");
                }
                if pruned.is_none_or(|at| at.elapsed() > Duration::from_secs(600)) {
                    pruned = Some(Instant::now());
                    let worker = self.clone();
                    tokio::spawn(async move {
                        if let Err(error) = worker.prune().await {
                            tracing::warn!(error = error.chain(), "ended jobs could not be removed");
                        }
                    });
                }
            }
            tokio::time::sleep(timing.beat()).await;
        }
    }

    /// Answers which attempts no longer own their job.
    async fn renew(&self) -> Result<HashSet<(JobId, i64)>> {
        let running: Vec<(JobId, i64)> = held(&self.inner.running).keys().copied().collect();
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
        // Several nodes ask their database for the time; one alone spares itself the transaction.
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
            tracing::warn!(lost, "jobs lost their lease and are queued again");
            self.inner.queue.signal(Pool::Chat).notify_one();
            self.inner.queue.signal(Pool::Run).notify_one();
        }
        Ok(())
    }

    async fn prune(&self) -> Result<()> {
        let before = self.inner.db.clock().now() - KEPT;
        while self
            .inner
            .db
            .write(move |tx| Box::pin(async move { store::prune(tx, before).await }))
            .await?
            > 0
        {}
        Ok(())
    }
}

/// The slot of an attempt, given back however it ends.
struct Place {
    worker: Worker,
    key: (JobId, i64),
    pool: Pool,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Place {
    fn drop(&mut self) {
        held(&self.worker.inner.running).remove(&self.key);
        drop(self.permit.take());
        // A slot and a lane are free again.
        self.worker.inner.queue.signal(self.pool).notify_one();
    }
}

/// Gives an aborted attempt's lease back at once instead of letting it run out.
struct HandBack {
    worker: Worker,
    pool: Pool,
    claim: Option<Claim>,
}

impl HandBack {
    fn disarm(mut self) {
        self.claim = None;
    }
}

impl Drop for HandBack {
    fn drop(&mut self) {
        if let (Some(claim), Ok(runtime)) = (self.claim.take(), tokio::runtime::Handle::try_current()) {
            let (worker, pool) = (self.worker.clone(), self.pool);
            let mut returning = held(&self.worker.inner.returning);
            while returning.try_join_next().is_some() {}
            let back = async move {
                let outcome = worker
                    .put_back(&claim, pool, Duration::ZERO, Counted::Untried)
                    .await;
                worker.settle(&claim, outcome);
            };
            returning.spawn_on(back, &runtime);
        }
    }
}

/// A panic of another holder does not matter: what is kept here is whole at every moment.
fn held<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

//! A rate limiter with a sliding window. Where several nodes share a database (PostgreSQL), requests are counted in
//! the database: all waiting requests share one transaction of few statements, and each is answered after the commit.
//! Where the database belongs to one process (SQLite), that process counts in memory (`limits::local_counter`).
//!
//! Each permit becomes free again a fixed time after it was taken, so no period of that length ever has more than
//! the maximum. A refused request is not counted.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::{mpsc, oneshot};

use crate::base::error::{Error, Result};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::limits::counter_table;
use crate::limits::local_counter::LocalCounter;
use crate::limits::permit::Permit;
use crate::limits::sliding_window::SlidingWindow;

/// Largest number of requests counted in one transaction.
const MAX_GROUP: usize = 512;
/// Length of the queue; callers wait while it is full.
const QUEUE: usize = 4096;

/// The rate limiter. Cheap to clone; stops when the last clone is dropped.
#[derive(Clone)]
pub struct Counter {
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Shared(mpsc::Sender<Waiting>),
    Local(Arc<LocalCounter>),
}

struct Waiting {
    name: String,
    limit: i64,
    reply: oneshot::Sender<Result<Permit>>,
}

impl Counter {
    /// Starts a limiter that counts permits over the period `per`, which is a day or less.
    pub fn start(db: Db, per: Duration) -> Self {
        let kind = if db.is_sqlite() {
            Kind::Local(LocalCounter::start(db, per))
        } else {
            let (waiting, arriving) = mpsc::channel(QUEUE);
            tokio::spawn(count_groups(db, per, arriving));
            Kind::Shared(waiting)
        };
        Self { kind }
    }

    /// Takes a permit under this name if fewer than `limit` are taken. The name is stored, so it must not contain
    /// a secret.
    pub async fn take(&self, name: String, limit: i64) -> Result<Permit> {
        let waiting = match &self.kind {
            Kind::Shared(waiting) => waiting,
            Kind::Local(counter) => return counter.take(&name, limit).await,
        };
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("the rate limiter has stopped");
        let sent = waiting.send(Waiting { name, limit, reply }).await;
        sent.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }

    /// Writes counts that are only in memory. Call this at shutdown.
    pub async fn flush(&self) -> Result<()> {
        match &self.kind {
            Kind::Shared(_) => Ok(()),
            Kind::Local(counter) => counter.flush().await,
        }
    }
}

/// The limit of each request, in order, by name.
type Requests = BTreeMap<String, Vec<i64>>;
/// The result of each request, in order, by name.
type Permits = BTreeMap<String, Vec<Permit>>;

async fn count_groups(db: Db, per: Duration, mut arriving: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(MAX_GROUP);
    while arriving.recv_many(&mut waiting, MAX_GROUP).await > 0 {
        let (mut requests, mut replies) = (Requests::new(), BTreeMap::<String, Vec<_>>::new());
        for request in waiting.drain(..) {
            requests
                .entry(request.name.clone())
                .or_default()
                .push(request.limit);
            replies.entry(request.name).or_default().push(request.reply);
        }
        // A task of its own, so that a panic fails one group only.
        match tokio::spawn(count(db.clone(), per, requests)).await {
            Ok(counted) => answer(replies, counted),
            // Dropping the replies refuses the requests, because it is unknown whether they were counted.
            Err(error) => tracing::error!(%error, "counting a group of requests panicked"),
        }
    }
}

fn answer(replies: BTreeMap<String, Vec<oneshot::Sender<Result<Permit>>>>, mut counted: Result<Permits>) {
    for (name, replies) in replies {
        let mut permits = match &mut counted {
            Ok(counted) => counted.remove(&name).unwrap_or_default().into_iter(),
            Err(_) => Vec::new().into_iter(),
        };
        for reply in replies {
            let permit = match &counted {
                Ok(_) => permits
                    .next()
                    .ok_or_else(|| Error::internal("a request was not counted")),
                Err(error @ Error::Busy { .. }) => Err(Error::busy(error.chain())),
                Err(error) => Err(Error::internal(error.chain())),
            };
            // The caller may have gone away; the request stays counted.
            let _ = reply.send(permit);
        }
    }
}

async fn count(db: Db, per: Duration, requests: Requests) -> Result<Permits> {
    let clock = db.clock().clone();
    let counted = db.write(move |tx| {
        let (requests, clock) = (requests.clone(), clock.clone());
        Box::pin(async move {
            let mut found = locked_records(tx, &requests).await?;
            let mut permits = Permits::new();
            for (name, record, at) in &mut found {
                let Some(limits) = requests.get(name.as_str()) else {
                    continue;
                };
                let now = clock.shifted(*at);
                let taken = limits.iter().map(|limit| record.take(now, per, *limit));
                permits.insert(name.clone(), taken.collect());
            }
            let changed: Vec<(&str, &SlidingWindow)> = found
                .iter()
                .filter(|(name, ..)| {
                    let taken = permits.get(name).map(Vec::as_slice).unwrap_or_default();
                    taken.iter().any(|permit| permit.granted)
                })
                .map(|(name, record, _)| (name.as_str(), record))
                .collect();
            counter_table::put(tx, &changed).await?;
            Ok(permits)
        })
    });
    counted.await
}

/// The records of all names, locked, each with the server's time. Missing records are created.
async fn locked_records(
    tx: &mut Tx,
    requests: &Requests,
) -> Result<Vec<(String, SlidingWindow, DateTime<Utc>)>> {
    let names: Vec<&str> = requests.keys().map(String::as_str).collect();
    let mut found = counter_table::locked(tx, &names).await?;
    if found.len() < names.len() {
        let known = |name: &str| found.iter().any(|(known, ..)| known == name);
        let new: Vec<&str> = names.into_iter().filter(|name| !known(name)).collect();
        let now = tx.now().await?;
        counter_table::begin(tx, &new, now).await?;
        found.extend(counter_table::locked(tx, &new).await?);
        counter_table::prune(tx, now).await?;
    }
    Ok(found)
}

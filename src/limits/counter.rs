//! Places that the requests of this node take. Where several nodes share the database they are counted in it, and
//! together: those that wait are one transaction of few statements however many they are, and each is answered
//! after its commit. Where it is one process's own, that one counts (`limits/own`).
//!
//! A place is free again a fixed time after it was taken, each for itself: no time of that length has more, whenever
//! it begins. Whoever comes when none is free is refused and changes nothing.

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
use crate::limits::record::Record;

/// Most requests of one transaction.
const GROUP: usize = 512;
/// Requests that may wait; beyond it callers wait for a place.
const WAITING: usize = 4096;

/// Where places are asked for. Ends with its last clone.
#[derive(Clone)]
pub struct Counter {
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Shared(mpsc::Sender<Waiting>),
    LocalCounter(Arc<LocalCounter>),
}

struct Waiting {
    name: String,
    most: i64,
    reply: oneshot::Sender<Result<Permit>>,
}

impl Counter {
    /// Counts what is taken in the time `per`, which is a day or less.
    pub fn start(db: Db, per: Duration) -> Self {
        let kind = if db.is_sqlite() {
            Kind::LocalCounter(LocalCounter::start(db, per))
        } else {
            let (waiting, arriving) = mpsc::channel(WAITING);
            tokio::spawn(count_groups(db, per, arriving));
            Kind::Shared(waiting)
        };
        Self { kind }
    }

    /// Takes a place of this name, which bears no secret, if fewer than `most` are taken.
    pub async fn take(&self, name: String, most: i64) -> Result<Permit> {
        let waiting = match &self.kind {
            Kind::Shared(waiting) => waiting,
            Kind::LocalCounter(own) => return own.take(&name, most).await,
        };
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("requests are not counted any more");
        let sent = waiting.send(Waiting { name, most, reply }).await;
        sent.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }

    /// Writes what is only counted here; to be called at the end.
    pub async fn settle(&self) -> Result<()> {
        match &self.kind {
            Kind::Shared(_) => Ok(()),
            Kind::LocalCounter(own) => own.settle().await,
        }
    }
}

/// Of each name what its requests ask for, in their order.
type Asked = BTreeMap<String, Vec<i64>>;
/// Of each name what its requests got, in their order.
type Places = BTreeMap<String, Vec<Permit>>;

async fn count_groups(db: Db, per: Duration, mut arriving: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(GROUP);
    while arriving.recv_many(&mut waiting, GROUP).await > 0 {
        let (mut asked, mut replies) = (Asked::new(), BTreeMap::<String, Vec<_>>::new());
        for one in waiting.drain(..) {
            asked.entry(one.name.clone()).or_default().push(one.most);
            replies.entry(one.name).or_default().push(one.reply);
        }
        // In a task of its own, so that a panic ends one group and not the counting.
        match tokio::spawn(count(db.clone(), per, asked)).await {
            Ok(counted) => answer(replies, counted),
            // The replies are dropped: what is not known to be counted is not granted.
            Err(error) => tracing::error!(%error, "a group of requests was not counted"),
        }
    }
}

fn answer(replies: BTreeMap<String, Vec<oneshot::Sender<Result<Permit>>>>, mut counted: Result<Places>) {
    for (name, replies) in replies {
        let mut places = match &mut counted {
            Ok(counted) => counted.remove(&name).unwrap_or_default().into_iter(),
            Err(_) => Vec::new().into_iter(),
        };
        for reply in replies {
            let place = match &counted {
                Ok(_) => places
                    .next()
                    .ok_or_else(|| Error::internal("a request was not counted")),
                Err(error @ Error::Busy { .. }) => Err(Error::busy(error.chain())),
                Err(error) => Err(Error::internal(error.chain())),
            };
            // The asker may have gone; what was counted stays counted.
            let _ = reply.send(place);
        }
    }
}

async fn count(db: Db, per: Duration, asked: Asked) -> Result<Places> {
    let clock = db.clock().clone();
    let counted = db.write(move |tx| {
        let (asked, clock) = (asked.clone(), clock.clone());
        Box::pin(async move {
            let mut found = records(tx, &asked).await?;
            let mut places = Places::new();
            for (name, record, at) in &mut found {
                let Some(wanted) = asked.get(name.as_str()) else {
                    continue;
                };
                let now = clock.shifted(*at);
                let got = wanted.iter().map(|most| record.take(now, per, *most));
                places.insert(name.clone(), got.collect());
            }
            let changed: Vec<(&str, &Record)> = found
                .iter()
                .filter(|(name, ..)| {
                    let got = places.get(name).map(Vec::as_slice).unwrap_or_default();
                    got.iter().any(|place| place.granted)
                })
                .map(|(name, record, _)| (name.as_str(), record))
                .collect();
            counter_table::put(tx, &changed).await?;
            Ok(places)
        })
    });
    counted.await
}

/// The records of all names, locked, each with the server's time.
async fn records(tx: &mut Tx, asked: &Asked) -> Result<Vec<(String, Record, DateTime<Utc>)>> {
    let names: Vec<&str> = asked.keys().map(String::as_str).collect();
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

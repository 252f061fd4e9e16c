//! Places that the requests of this node take, counted together: those that wait are one statement and one
//! transaction however many they are, and each is answered after its commit.
//!
//! A window begins with the first place taken in it. Whoever comes when it is full is refused and changes
//! nothing: neither its end nor who comes after.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::{mpsc, oneshot};

use crate::base::error::{Error, Result};
use crate::db::exec::batches;
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::limits::window;

/// Most requests of one transaction.
const GROUP: usize = 512;
/// Requests that may wait; beyond it callers wait for a place.
const WAITING: usize = 4096;

/// Where places are asked for. Ends with its last clone.
#[derive(Clone)]
pub struct Counter {
    waiting: mpsc::Sender<Waiting>,
}

struct Waiting {
    name: String,
    most: i64,
    reply: oneshot::Sender<Result<Place>>,
}

/// A place in a window, or that there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub granted: bool,
    pub most: i64,
    /// Places left after this one.
    pub left: i64,
    /// How long until the window ends and all places are free again.
    pub ends: Duration,
}

impl Counter {
    /// Counts in windows of `per`, which is a day or less.
    pub fn start(db: Db, per: Duration) -> Self {
        let (waiting, arriving) = mpsc::channel(WAITING);
        tokio::spawn(count_groups(db, per, arriving));
        Self { waiting }
    }

    /// Takes a place in the window of this name, which bears no secret, if fewer than `most` are taken.
    pub async fn take(&self, name: String, most: i64) -> Result<Place> {
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("requests are not counted any more");
        let sent = self.waiting.send(Waiting { name, most, reply }).await;
        sent.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

async fn count_groups(db: Db, per: Duration, mut arriving: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(GROUP);
    while arriving.recv_many(&mut waiting, GROUP).await > 0 {
        let mut wanted: BTreeMap<String, Vec<Waiting>> = BTreeMap::new();
        for one in waiting.drain(..) {
            wanted.entry(one.name.clone()).or_default().push(one);
        }
        // In the order of names: two nodes that count in the same windows never hold each other up.
        let asked: Vec<(String, i64)> = wanted
            .iter()
            .map(|(name, all)| (name.clone(), i64::try_from(all.len()).unwrap_or(i64::MAX)))
            .collect();
        // In a task of its own, so that a panic ends one group and not the counting.
        match tokio::spawn(count(db.clone(), per, asked)).await {
            Ok(counted) => answer(wanted, per, counted),
            // The replies are dropped: what is not known to be counted is not granted.
            Err(error) => tracing::error!(%error, "a group of requests was not counted"),
        }
    }
}

/// What was counted: the time of the count, and every window by its name.
type Counted = (DateTime<Utc>, BTreeMap<String, (DateTime<Utc>, i64)>);

fn answer(wanted: BTreeMap<String, Vec<Waiting>>, per: Duration, counted: Result<Counted>) {
    for (name, all) in wanted {
        let asked = i64::try_from(all.len()).unwrap_or(i64::MAX);
        for (n, one) in (1..).zip(all) {
            let place = match &counted {
                Ok((now, windows)) => match windows.get(&name) {
                    Some((started_at, used)) => Ok(place(*now, *started_at, per, used - asked + n, one.most)),
                    None => Err(Error::internal("a window was not counted")),
                },
                Err(error @ Error::Busy { .. }) => Err(Error::busy(error.chain())),
                Err(error) => Err(Error::internal(error.chain())),
            };
            // The asker may have gone; what was counted stays counted.
            let _ = one.reply.send(place);
        }
    }
}

/// The `n`th place of a window.
fn place(now: DateTime<Utc>, started_at: DateTime<Utc>, per: Duration, n: i64, most: i64) -> Place {
    Place {
        granted: n <= most,
        most,
        left: (most - n).max(0),
        // Another node may have begun it after this one read the time, or by a clock ahead of it.
        ends: (started_at + per - now).to_std().unwrap_or_default().min(per),
    }
}

async fn count(db: Db, per: Duration, asked: Vec<(String, i64)>) -> Result<Counted> {
    let counted = db.write(move |tx| {
        let asked = asked.clone();
        Box::pin(async move {
            let now = tx.now().await?;
            let mut windows = BTreeMap::new();
            for batch in batches(&asked) {
                let rows = add(tx, batch, per, now).await?;
                windows.extend(rows.into_iter().map(|(name, at, used)| (name, (at, used))));
            }
            let begun = asked
                .iter()
                .any(|(name, wanted)| windows.get(name).is_some_and(|(_, used)| used == wanted));
            if begun {
                window::prune(tx, now).await?;
            }
            Ok((now, windows))
        })
    });
    counted.await
}

/// Adds what is asked for to every window. Those that are full count on: it refuses nobody who would have
/// been let in, and who asked last is known from the sum.
async fn add(
    tx: &mut Tx,
    asked: &[(String, i64)],
    per: Duration,
    now: DateTime<Utc>,
) -> Result<Vec<(String, DateTime<Utc>, i64)>> {
    let mut insert = tx.build("INSERT INTO limit_windows (name, started_at, used) VALUES ");
    for (n, (name, wanted)) in asked.iter().enumerate() {
        insert = insert
            .push(if n == 0 { "(" } else { ", (" })
            .bind(name)
            .push(", ")
            .bind(now)
            .push(", ")
            .bind(*wanted)
            .push(")");
    }
    let over = now - per;
    Ok(insert
        .push(
            " ON CONFLICT (name) DO UPDATE SET
                 used = CASE WHEN limit_windows.started_at <= ",
        )
        .bind(over)
        .push(
            " THEN excluded.used ELSE limit_windows.used + excluded.used END,
                 started_at = CASE WHEN limit_windows.started_at <= ",
        )
        .bind(over)
        .push(
            " THEN excluded.started_at ELSE limit_windows.started_at END
             RETURNING name, started_at, used",
        )
        .done()
        .all()
        .await?)
}

//! Places counted by the one process that its database belongs to, as on SQLite: in memory, and written behind a
//! moment later, so that the process after this one goes on from there. A process that is killed forgets what it
//! counted in that moment, and nothing else. They are in a file of their own: with one that is written ten times a
//! second the readers of the other would have to begin anew as often.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::{Notify, OnceCell};

use crate::base::error::{Error, Result};
use crate::db::pool::Db;
use crate::limits::counter_table;
use crate::limits::permit::Permit;
use crate::limits::record::Record;

/// How long what was counted waits to be written.
const BEHIND: Duration = Duration::from_millis(100);
/// Between two tries where it could not be written.
const PAUSE: Duration = Duration::from_secs(1);

/// The form of `limit_places`.
const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS limit_places (
    name    TEXT        NOT NULL PRIMARY KEY,
    last_at TIMESTAMPTZ NOT NULL,
    taken   BYTEA       NOT NULL
) WITHOUT ROWID";

pub(super) struct LocalCounter {
    db: Db,
    /// Where it is kept; opened with the first request that counts.
    kept: OnceCell<Db>,
    per: Duration,
    state: Mutex<State>,
    /// Something is to be written, or nobody asks any more.
    changed: Arc<Notify>,
}

#[derive(Default)]
struct State {
    records: HashMap<String, Counted>,
    /// Names whose records are otherwise than written, each once.
    unwritten: Vec<String>,
    /// When records that hold nobody back were last let go.
    swept: DateTime<Utc>,
}

struct Counted {
    record: Record,
    written: bool,
}

impl State {
    /// Takes a place of a record that is known here.
    fn take(&mut self, name: &str, own: &LocalCounter, most: i64) -> Option<Permit> {
        let counted = self.records.get_mut(name)?;
        let place = counted.record.take(own.db.clock().now(), own.per, most);
        if place.granted && counted.written {
            counted.written = false;
            self.unwritten.push(name.to_owned());
            own.changed.notify_one();
        }
        Some(place)
    }
}

impl LocalCounter {
    pub(super) fn start(db: Db, per: Duration) -> Arc<Self> {
        let own = Arc::new(Self {
            db,
            kept: OnceCell::new(),
            per,
            state: Mutex::default(),
            changed: Arc::default(),
        });
        tokio::spawn(write_behind(Arc::downgrade(&own), Arc::clone(&own.changed)));
        own
    }

    pub(super) async fn take(&self, name: &str, most: i64) -> Result<Permit> {
        if let Some(place) = self.state().take(name, self, most) {
            return Ok(place);
        }
        // What an earlier process counted.
        let stored = counter_table::find(self.kept().await?.read(), name)
            .await?
            .unwrap_or_default();
        let mut state = self.state();
        // Whoever else looked meanwhile has begun to count.
        state.records.entry(name.to_owned()).or_insert(Counted {
            record: stored,
            written: true,
        });
        let place = state.take(name, self, most);
        place.ok_or_else(|| Error::internal("a record that was begun is not there"))
    }

    /// Writes what is not written yet.
    pub(super) async fn settle(&self) -> Result<()> {
        if self.state().unwritten.is_empty() {
            return Ok(());
        }
        let kept = self.kept().await?;
        let rows = Arc::new(self.unwritten());
        let all = Arc::clone(&rows);
        let written = kept.write(move |tx| {
            let rows = Arc::clone(&rows);
            Box::pin(async move {
                let records: Vec<(&str, &Record)> = rows
                    .iter()
                    .map(|(name, record)| (name.as_str(), record))
                    .collect();
                counter_table::put(tx, &records).await?;
                let now = tx.now().await?;
                counter_table::prune(tx, now).await
            })
        });
        let written = written.await;
        if written.is_err() {
            let mut state = self.state();
            let State {
                records, unwritten, ..
            } = &mut *state;
            for (name, _) in all.iter() {
                if let Some(counted) = records.get_mut(name).filter(|counted| counted.written) {
                    counted.written = false;
                    unwritten.push(name.clone());
                }
            }
        }
        written
    }

    async fn kept(&self) -> Result<&Db> {
        self.kept
            .get_or_try_init(|| self.db.sidecar("limits", SCHEMA))
            .await
    }

    /// What is to be written, from now on taken as written.
    fn unwritten(&self) -> Vec<(String, Record)> {
        let now = self.db.clock().now();
        let mut state = self.state();
        let names = std::mem::take(&mut state.unwritten);
        let mut rows = Vec::with_capacity(names.len());
        for name in names {
            if let Some(counted) = state.records.get_mut(&name) {
                counted.written = true;
                rows.push((name, counted.record.clone()));
            }
        }
        if state.swept + self.per <= now {
            state.swept = now;
            let holds = |record: &Record| record.last().is_some_and(|last| last + self.per > now);
            state
                .records
                .retain(|_, counted| !counted.written || holds(&counted.record));
        }
        rows
    }

    /// A thread that panicked left whole records.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LocalCounter {
    fn drop(&mut self) {
        self.changed.notify_one();
    }
}

async fn write_behind(own: Weak<LocalCounter>, changed: Arc<Notify>) {
    loop {
        changed.notified().await;
        tokio::time::sleep(BEHIND).await;
        let Some(own) = own.upgrade() else {
            return;
        };
        if let Err(error) = own.settle().await {
            tracing::warn!(error = error.chain(), "what was counted could not be written");
            tokio::time::sleep(PAUSE).await;
            own.changed.notify_one();
        }
    }
}

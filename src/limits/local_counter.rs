//! Counts permits in memory, for databases that belong to one process (SQLite). The counts are written a moment
//! later, so that the next process continues from them; a process that is killed loses only the last moment. They
//! are written to a separate file, because frequent commits would invalidate the caches of the main file's readers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::{Notify, OnceCell};

use crate::base::error::{Error, Result};
use crate::db::pool::Db;
use crate::limits::counter_table;
use crate::limits::permit::Permit;
use crate::limits::sliding_window::SlidingWindow;

/// Delay between counting and writing.
const WRITE_DELAY: Duration = Duration::from_millis(100);
/// Pause before a failed write is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The schema of the separate file.
const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS limit_places (
    name    TEXT        NOT NULL PRIMARY KEY,
    last_at TIMESTAMPTZ NOT NULL,
    taken   BYTEA       NOT NULL
) WITHOUT ROWID";

pub(super) struct LocalCounter {
    db: Db,
    /// The separate file, opened on first use.
    file: OnceCell<Db>,
    per: Duration,
    state: Mutex<State>,
    /// Signals that there is something to write, or that the counter was dropped.
    changed: Arc<Notify>,
}

#[derive(Default)]
struct State {
    records: HashMap<String, Counted>,
    /// Names whose records differ from the file, without duplicates.
    unwritten: Vec<String>,
    /// When records without an effect were last removed.
    swept: DateTime<Utc>,
}

struct Counted {
    record: SlidingWindow,
    written: bool,
}

impl State {
    /// Takes a permit, or returns `None` if the record is not in memory.
    fn take(&mut self, name: &str, counter: &LocalCounter, limit: i64) -> Option<Permit> {
        let counted = self.records.get_mut(name)?;
        let permit = counted.record.take(counter.db.clock().now(), counter.per, limit);
        if permit.granted && counted.written {
            counted.written = false;
            self.unwritten.push(name.to_owned());
            counter.changed.notify_one();
        }
        Some(permit)
    }
}

impl LocalCounter {
    pub(super) fn start(db: Db, per: Duration) -> Arc<Self> {
        let counter = Arc::new(Self {
            db,
            file: OnceCell::new(),
            per,
            state: Mutex::default(),
            changed: Arc::default(),
        });
        tokio::spawn(write_behind(
            Arc::downgrade(&counter),
            Arc::clone(&counter.changed),
        ));
        counter
    }

    pub(super) async fn take(&self, name: &str, limit: i64) -> Result<Permit> {
        if let Some(permit) = self.state().take(name, self, limit) {
            return Ok(permit);
        }
        // Loads what an earlier process counted.
        let stored = counter_table::find(self.file().await?.read(), name)
            .await?
            .unwrap_or_default();
        let mut state = self.state();
        // Another request may have loaded the record meanwhile and counted in it.
        state.records.entry(name.to_owned()).or_insert(Counted {
            record: stored,
            written: true,
        });
        let permit = state.take(name, self, limit);
        permit.ok_or_else(|| Error::internal("a record is missing after it was loaded"))
    }

    /// Writes all records that differ from the file.
    pub(super) async fn flush(&self) -> Result<()> {
        if self.state().unwritten.is_empty() {
            return Ok(());
        }
        let file = self.file().await?;
        let rows = Arc::new(self.take_unwritten());
        let all = Arc::clone(&rows);
        let written = file.write(move |tx| {
            let rows = Arc::clone(&rows);
            Box::pin(async move {
                let records: Vec<(&str, &SlidingWindow)> = rows
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

    async fn file(&self) -> Result<&Db> {
        self.file
            .get_or_try_init(|| self.db.sidecar("limits", SCHEMA))
            .await
    }

    /// Returns the records to write and marks them as written. Also removes records that no longer have an effect.
    fn take_unwritten(&self) -> Vec<(String, SlidingWindow)> {
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
            let holds = |record: &SlidingWindow| record.last().is_some_and(|last| last + self.per > now);
            state
                .records
                .retain(|_, counted| !counted.written || holds(&counted.record));
        }
        rows
    }

    /// A poisoned lock is safe to use: no update leaves a record half-written.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LocalCounter {
    fn drop(&mut self) {
        self.changed.notify_one();
    }
}

async fn write_behind(counter: Weak<LocalCounter>, changed: Arc<Notify>) {
    loop {
        changed.notified().await;
        tokio::time::sleep(WRITE_DELAY).await;
        let Some(counter) = counter.upgrade() else {
            return;
        };
        if let Err(error) = counter.flush().await {
            tracing::warn!(
                error = error.chain(),
                "the counts of rate limits could not be written"
            );
            tokio::time::sleep(RETRY_PAUSE).await;
            counter.changed.notify_one();
        }
    }
}

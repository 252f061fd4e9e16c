//! A writing transaction as a closure of `Db::write` sees it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use metrics::Counter;
use sqlx::{PgConnection, SqliteConnection};
use tokio::sync::Notify;

use crate::base::clock::Clock;
use crate::db::args::Sql;
use crate::db::connections::Lent;
use crate::db::error::{Error, Result};
use crate::db::exec::{Builder, Exec, Query};

/// Begun and ended by `db`; a store only runs statements in it.
pub struct Tx {
    connection: Connection,
    clock: Clock,
    now: Option<DateTime<Utc>>,
    signals: Vec<Arc<Notify>>,
    counters: Vec<Counter>,
}

enum Connection {
    Sqlite(SqliteConnection),
    Postgres(Lent<PgConnection>),
}

impl Tx {
    pub(super) fn sqlite(connection: SqliteConnection, clock: Clock) -> Self {
        Self {
            connection: Connection::Sqlite(connection),
            clock,
            now: None,
            signals: Vec::new(),
            counters: Vec::new(),
        }
    }

    /// Dropped before its end, it closes the connection, and with it goes what was done.
    pub(super) fn postgres(connection: Lent<PgConnection>, clock: Clock) -> Self {
        Self {
            connection: Connection::Postgres(connection),
            clock,
            now: None,
            signals: Vec::new(),
            counters: Vec::new(),
        }
    }

    pub fn exec(&mut self) -> Exec<'_> {
        match &mut self.connection {
            Connection::Sqlite(connection) => Exec::SqliteConn(connection),
            Connection::Postgres(lent) => Exec::PgConn(lent.connection()),
        }
    }

    pub fn query(&mut self, sql: impl Into<Sql>) -> Query<'_> {
        self.exec().query(sql)
    }

    pub fn build(&mut self, start: &'static str) -> Builder<'_> {
        self.exec().build(start)
    }

    /// The time for leases, windows and new rows, the same throughout the transaction: the
    /// database server's where several nodes share one, else the clock's.
    pub async fn now(&mut self) -> Result<DateTime<Utc>> {
        if let Some(now) = self.now {
            return Ok(now);
        }
        let now = match &mut self.connection {
            Connection::Sqlite(_) => self.clock.now(),
            Connection::Postgres(lent) => {
                let server = Exec::PgConn(lent.connection())
                    .query("SELECT clock_timestamp()")
                    .scalar()
                    .await?;
                self.clock.shifted(server)
            }
        };
        self.now = Some(now);
        Ok(now)
    }

    /// Wakes whoever waits on `signal`, once this transaction is on disk.
    pub fn signal(&mut self, signal: &Arc<Notify>) {
        if !self.signals.iter().any(|known| Arc::ptr_eq(known, signal)) {
            self.signals.push(Arc::clone(signal));
        }
    }

    /// Counts one, once this transaction is on disk: a write may run more than once.
    pub fn count(&mut self, counter: Counter) {
        self.counters.push(counter);
    }

    pub(super) async fn begin(&mut self, clock: &Clock) -> Result<()> {
        self.now = None;
        self.forget();
        self.clock = clock.clone();
        // IMMEDIATE: a deferred transaction that reads first and writes later fails at once with BUSY.
        match self.query("BEGIN IMMEDIATE").execute().await {
            Ok(_) => Ok(()),
            // A transaction was left open by a failed rollback: end it and begin anew.
            Err(Error::Sqlx(_)) => {
                self.roll_back_in_place().await?;
                self.query("BEGIN IMMEDIATE").execute().await?;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Commits on the writer's own connection, which stays open.
    pub(super) async fn commit_in_place(&mut self) -> Result<()> {
        self.query("COMMIT").execute().await?;
        self.fire();
        Ok(())
    }

    pub(super) async fn roll_back_in_place(&mut self) -> Result<()> {
        self.forget();
        match self.query("ROLLBACK").execute().await {
            // SQLite has rolled back by itself on some errors; then there is nothing left to do.
            Ok(_) | Err(Error::Sqlx(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Commits on a connection that was lent, and gives it back.
    pub(super) async fn commit(mut self) -> Result<()> {
        self.query("COMMIT").execute().await?;
        self.fire();
        self.give_back();
        Ok(())
    }

    /// Rolls back on a connection that was lent, and gives it back; where that fails, it is closed.
    pub(super) async fn roll_back(mut self) {
        if self.query("ROLLBACK").execute().await.is_ok() {
            self.give_back();
        }
    }

    fn give_back(self) {
        if let Connection::Postgres(lent) = self.connection {
            lent.done(&Ok(()));
        }
    }

    fn forget(&mut self) {
        self.signals.clear();
        self.counters.clear();
    }

    fn fire(&mut self) {
        fire(self.signals.drain(..), self.counters.drain(..));
    }
}

fn fire(signals: impl IntoIterator<Item = Arc<Notify>>, counters: impl IntoIterator<Item = Counter>) {
    for signal in signals {
        signal.notify_one();
    }
    for counter in counters {
        counter.increment(1);
    }
}

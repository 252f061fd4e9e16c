//! The writing transaction that `Db::write` passes to its closure.

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

/// A writing transaction. `db` begins and ends it; stores only run statements in it.
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

    /// If dropped before it ends, the connection is closed, which rolls the transaction back.
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

    /// The time for leases, windows and new rows; constant within the transaction. It comes from the database
    /// server on PostgreSQL, which several nodes may share, and from the clock on SQLite.
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

    /// Notifies `signal` after this transaction has committed.
    pub fn signal(&mut self, signal: &Arc<Notify>) {
        if !self.signals.iter().any(|known| Arc::ptr_eq(known, signal)) {
            self.signals.push(Arc::clone(signal));
        }
    }

    /// Increments `counter` after this transaction has committed. A closure may run more than once, so it must
    /// not count itself.
    pub fn count(&mut self, counter: Counter) {
        self.counters.push(counter);
    }

    pub(super) async fn begin(&mut self, clock: &Clock) -> Result<()> {
        self.now = None;
        self.forget();
        self.clock = clock.clone();
        // IMMEDIATE, because a deferred transaction that reads before it writes can fail with BUSY at once.
        match self.query("BEGIN IMMEDIATE").execute().await {
            Ok(_) => Ok(()),
            // A failed rollback left a transaction open: end it and begin again.
            Err(Error::Sqlx(_)) => {
                self.roll_back_in_place().await?;
                self.query("BEGIN IMMEDIATE").execute().await?;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Commits and keeps the connection, which belongs to the writer.
    pub(super) async fn commit_in_place(&mut self) -> Result<()> {
        self.query("COMMIT").execute().await?;
        self.fire();
        Ok(())
    }

    pub(super) async fn roll_back_in_place(&mut self) -> Result<()> {
        self.forget();
        match self.query("ROLLBACK").execute().await {
            // SQLite rolls back by itself on some errors; then there is nothing left to do.
            Ok(_) | Err(Error::Sqlx(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Commits and returns the lent connection.
    pub(super) async fn commit(mut self) -> Result<()> {
        self.query("COMMIT").execute().await?;
        self.fire();
        self.give_back();
        Ok(())
    }

    /// Rolls back and returns the lent connection; if that fails, the connection is closed.
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

//! A writing transaction as a closure of `Db::write` sees it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{Postgres, SqliteConnection, Transaction};
use tokio::sync::Notify;

use crate::base::clock::Clock;
use crate::db::args::Sql;
use crate::db::error::{Error, Result};
use crate::db::exec::{Builder, Exec, Query};

/// Begun and ended by `db`; a store only runs statements in it.
pub struct Tx {
    connection: Connection,
    clock: Clock,
    now: Option<DateTime<Utc>>,
    signals: Vec<Arc<Notify>>,
}

enum Connection {
    Sqlite(SqliteConnection),
    Postgres(Transaction<'static, Postgres>),
}

impl Tx {
    pub(super) fn sqlite(connection: SqliteConnection, clock: Clock) -> Self {
        Self {
            connection: Connection::Sqlite(connection),
            clock,
            now: None,
            signals: Vec::new(),
        }
    }

    pub(super) fn postgres(transaction: Transaction<'static, Postgres>, clock: Clock) -> Self {
        Self {
            connection: Connection::Postgres(transaction),
            clock,
            now: None,
            signals: Vec::new(),
        }
    }

    pub fn exec(&mut self) -> Exec<'_> {
        match &mut self.connection {
            Connection::Sqlite(connection) => Exec::SqliteConn(connection),
            Connection::Postgres(transaction) => Exec::PgConn(transaction),
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
            Connection::Postgres(transaction) => {
                let server = Exec::PgConn(transaction)
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

    pub(super) async fn begin(&mut self, clock: &Clock) -> Result<()> {
        self.now = None;
        self.signals.clear();
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
        self.signals.clear();
        match self.query("ROLLBACK").execute().await {
            // SQLite has rolled back by itself on some errors; then there is nothing left to do.
            Ok(_) | Err(Error::Sqlx(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn commit(mut self) -> Result<()> {
        let signals = std::mem::take(&mut self.signals);
        if let Connection::Postgres(transaction) = self.connection {
            transaction.commit().await?;
        }
        for signal in signals {
            signal.notify_one();
        }
        Ok(())
    }

    fn fire(&mut self) {
        for signal in self.signals.drain(..) {
            signal.notify_one();
        }
    }
}

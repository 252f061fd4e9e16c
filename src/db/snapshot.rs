//! Several reading statements on one consistent snapshot, each with a time limit.
//!
//! A query that a caller composes (in the semantic layer) can be valid but slow, and must not occupy a connection
//! indefinitely. PostgreSQL cancels such a statement itself; on SQLite a progress handler does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sqlx::{PgConnection, SqliteConnection};

use crate::db::connections::{Connections, Lent};
use crate::db::error::Result;
use crate::db::exec::{Builder, Exec};

/// Virtual machine steps of SQLite between checks of the time limit: some tens of microseconds.
const STEPS: i32 = 4_000;

/// A read-only transaction, begun by `Db::snapshot` or `Db::begin_snapshot`.
pub struct Snapshot {
    connection: Connection,
}

enum Connection {
    Sqlite(Lent<SqliteConnection>, DeadlineGuard),
    Postgres(Lent<PgConnection>),
}

impl Snapshot {
    /// Runs the next statement. Its time limit starts now.
    pub fn exec(&mut self) -> Exec<'_> {
        match &mut self.connection {
            Connection::Sqlite(lent, guard) => {
                guard.0.renew();
                Exec::SqliteConn(lent.connection())
            }
            Connection::Postgres(lent) => Exec::PgConn(lent.connection()),
        }
    }

    pub fn build(&mut self, start: &'static str) -> Builder<'_> {
        self.exec().build(start)
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self.connection, Connection::Sqlite(..))
    }

    pub(super) async fn sqlite(connections: &Connections<SqliteConnection>, limit: Duration) -> Result<Self> {
        let mut lent = connections.lend().await?;
        let deadline = Deadline::new(limit);
        Exec::SqliteConn(lent.connection())
            .query("BEGIN")
            .execute()
            .await?;
        let checked = deadline.clone();
        let mut handle = lent.connection().lock_handle().await?;
        handle.set_progress_handler(STEPS, move || checked.is_ahead());
        drop(handle);
        Ok(Self {
            connection: Connection::Sqlite(lent, DeadlineGuard(deadline)),
        })
    }

    pub(super) async fn postgres(connections: &Connections<PgConnection>, limit: Duration) -> Result<Self> {
        let mut lent = connections.lend().await?;
        Exec::PgConn(lent.connection())
            .query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            .execute()
            .await?;
        // A composed statement joins many tables through views, and the planner estimates a row or two for each,
        // especially just after an import. The nested loops it then chooses take minutes where a hash join takes
        // milliseconds. The estimated costs also trigger JIT compilation, which is not worth its time here.
        Exec::PgConn(lent.connection())
            .query(
                "SELECT set_config('statement_timeout', $1, true), set_config('enable_nestloop', 'off', true), \
                 set_config('jit', 'off', true)",
            )
            .bind(limit.as_millis().to_string())
            .execute()
            .await?;
        Ok(Self {
            connection: Connection::Postgres(lent),
        })
    }

    /// Returns the connection to the pool. If this fails or is not called, the connection is closed.
    pub async fn end(self) -> Result<()> {
        match self.connection {
            Connection::Sqlite(mut lent, guard) => {
                drop(guard);
                lent.connection().lock_handle().await?.remove_progress_handler();
                Exec::SqliteConn(lent.connection())
                    .query("ROLLBACK")
                    .execute()
                    .await?;
                lent.done(&Ok(()));
            }
            Connection::Postgres(mut lent) => {
                Exec::PgConn(lent.connection())
                    .query("ROLLBACK")
                    .execute()
                    .await?;
                lent.done(&Ok(()));
            }
        }
        Ok(())
    }
}

/// Removes the deadline when dropped. After a panic, the handler stays installed on the connection and must not
/// cancel later statements.
struct DeadlineGuard(Deadline);

impl Drop for DeadlineGuard {
    fn drop(&mut self) {
        self.0.until.store(u64::MAX, Ordering::Relaxed);
    }
}

/// The deadline of the current statement, shared with the progress handler on the connection's thread.
#[derive(Clone)]
struct Deadline {
    since: Instant,
    limit: Duration,
    /// Milliseconds after `since`; `u64::MAX` means no deadline.
    until: Arc<AtomicU64>,
}

impl Deadline {
    fn new(limit: Duration) -> Self {
        Self {
            since: Instant::now(),
            limit,
            until: Arc::new(AtomicU64::new(u64::MAX)),
        }
    }

    fn renew(&self) {
        let until = (self.since.elapsed() + self.limit).as_millis();
        self.until
            .store(u64::try_from(until).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn is_ahead(&self) -> bool {
        self.since.elapsed().as_millis() < u128::from(self.until.load(Ordering::Relaxed))
    }
}

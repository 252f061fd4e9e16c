//! Several reading statements at one moment of the data, none of them longer than a bound.
//!
//! What a caller may compose (a query of the semantic layer) can be slow without being wrong; its connection is
//! not left to it. PostgreSQL ends the statement itself; SQLite asks a handler every few thousand steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sqlx::{PgConnection, SqliteConnection};

use crate::db::connections::{Connections, Lent};
use crate::db::error::Result;
use crate::db::exec::{Builder, Exec};

/// Steps of SQLite's machine between two looks at the clock: some tens of microseconds.
const STEPS: i32 = 4_000;

/// Begun by `Db::snapshot` or `Db::begin_snapshot`; reads only.
pub struct Snapshot {
    connection: Connection,
}

enum Connection {
    Sqlite(Lent<SqliteConnection>, Lifted),
    Postgres(Lent<PgConnection>),
}

impl Snapshot {
    /// Where the next statement runs; its time begins now.
    pub fn exec(&mut self) -> Exec<'_> {
        match &mut self.connection {
            Connection::Sqlite(lent, bound) => {
                bound.0.renew();
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
        let bound = Bound::new(limit);
        Exec::SqliteConn(lent.connection())
            .query("BEGIN")
            .execute()
            .await?;
        let asked = bound.clone();
        let mut handle = lent.connection().lock_handle().await?;
        handle.set_progress_handler(STEPS, move || asked.holds());
        drop(handle);
        Ok(Self {
            connection: Connection::Sqlite(lent, Lifted(bound)),
        })
    }

    pub(super) async fn postgres(connections: &Connections<PgConnection>, limit: Duration) -> Result<Self> {
        let mut lent = connections.lend().await?;
        Exec::PgConn(lent.connection())
            .query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            .execute()
            .await?;
        // A composed statement joins many tables through views, and the planner takes each for a row or two, most of
        // all just after an import. A nested loop it chooses then takes minutes where a hash takes milliseconds; and what
        // such a statement costs on paper, large as that looks, is not worth compiling.
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

    /// Gives the connection back as it was. Dropped before, or where this fails, it is closed.
    pub async fn end(self) -> Result<()> {
        match self.connection {
            Connection::Sqlite(mut lent, bound) => {
                drop(bound);
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

/// A bound that is lifted at the latest when it goes: after a panic the handler stays with the connection, and must
/// not stop whoever gets it next.
struct Lifted(Bound);

impl Drop for Lifted {
    fn drop(&mut self) {
        self.0.until.store(u64::MAX, Ordering::Relaxed);
    }
}

/// Until when a statement may run, as the handler on the connection's own thread sees it.
#[derive(Clone)]
struct Bound {
    since: Instant,
    limit: Duration,
    /// Milliseconds after `since`; `u64::MAX`: no bound.
    until: Arc<AtomicU64>,
}

impl Bound {
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

    fn holds(&self) -> bool {
        self.since.elapsed().as_millis() < u128::from(self.until.load(Ordering::Relaxed))
    }
}

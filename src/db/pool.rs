//! The database: reads run on a pool, every write is a closure.
//!
//! On SQLite the closures go to one writer (`db::write`) that commits what is waiting together;
//! on PostgreSQL each closure is a transaction, run again where two writers met.

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use futures_core::future::BoxFuture;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, PgConnection, PgPool, SqliteConnection, SqlitePool};
use tokio::sync::Semaphore;
use tracing::Instrument as _;

use crate::base::clock::Clock;
use crate::base::error::{Error as BaseError, Result};
use crate::db::args::Sql;
use crate::db::error::{Error, may_rerun};
use crate::db::exec::{Builder, Exec, Query};
use crate::db::migrate;
use crate::db::tx::Tx;
use crate::db::write::Writer;

/// How often a PostgreSQL transaction is run again after meeting another writer.
const RERUNS: u32 = 8;
/// Writes that run at once on PostgreSQL; the other connections are for reads.
const WRITES: usize = 12;
/// Longest wait for PostgreSQL connections to end.
const CLOSING: Duration = Duration::from_secs(5);
/// Bounds in milliseconds, kept by the server. A process that hangs in a transaction keeps its rows
/// locked until `idle_in_transaction`; those of its own that wait for them give up before that.
const BOUNDS: [(&str, &str); 3] = [
    ("statement_timeout", "15000"),
    ("lock_timeout", "4000"),
    ("idle_in_transaction_session_timeout", "5000"),
];

/// How busy this process keeps its database.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub in_use: u32,
    pub idle: u32,
    pub writes_waiting: i64,
}

/// A handle on one of the two databases. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
}

struct Inner {
    kind: Kind,
    clock: Clock,
}

enum Kind {
    Sqlite { readers: SqlitePool, writer: Writer },
    Postgres { pool: PgPool, writes: Arc<Semaphore> },
}

impl Db {
    /// Opens the database of `url` and brings its schema up to date.
    pub async fn open(url: &str, clock: Clock) -> Result<Self> {
        let kind = if url.starts_with("postgres") {
            open_postgres(url).await?
        } else {
            open_sqlite(url).await?
        };
        Ok(Self {
            inner: Arc::new(Inner { kind, clock }),
        })
    }

    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self.inner.kind, Kind::Sqlite { .. })
    }

    /// Where one reading statement runs, outside a transaction.
    pub fn read(&self) -> Exec<'_> {
        match &self.inner.kind {
            Kind::Sqlite { readers, .. } => Exec::SqlitePool(readers),
            Kind::Postgres { pool, .. } => Exec::PgPool(pool),
        }
    }

    /// A reading statement of fixed text.
    pub fn query(&self, sql: impl Into<Sql>) -> Query<'_> {
        self.read().query(sql)
    }

    /// A reading statement put together from fixed pieces and bound values.
    pub fn build(&self, start: &'static str) -> Builder<'_> {
        self.read().build(start)
    }

    /// Runs `work` in a writing transaction and answers after it is on disk.
    ///
    /// `work` may run more than once and must touch the database and nothing else. An error rolls
    /// back everything it did. Never call this inside another `work`.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + Sync + 'static,
    {
        match &self.inner.kind {
            Kind::Sqlite { writer, .. } => writer.run(&self.inner.clock, work).await,
            Kind::Postgres { pool, writes } => {
                let (pool, writes, clock) = (pool.clone(), Arc::clone(writes), self.inner.clock.clone());
                // As on SQLite, whoever asked may go meanwhile: a connection whose transaction is cut
                // off in its midst may never come back to the pool.
                let writing = async move { write_postgres(&pool, &writes, &clock, &work).await };
                let written = tokio::spawn(writing.in_current_span()).await;
                written.unwrap_or_else(|_| Err(BaseError::internal("a write panicked")))
            }
        }
    }

    /// Of reading connections on SQLite, of all on PostgreSQL.
    pub fn load(&self) -> Load {
        let (size, idle, writes_waiting) = match &self.inner.kind {
            Kind::Sqlite { readers, writer } => (readers.size(), readers.num_idle(), writer.waiting()),
            Kind::Postgres { pool, writes } => {
                (pool.size(), pool.num_idle(), WRITES - writes.available_permits())
            }
        };
        let idle = u32::try_from(idle).unwrap_or(size).min(size);
        Load {
            in_use: size - idle,
            idle,
            writes_waiting: i64::try_from(writes_waiting).unwrap_or(i64::MAX),
        }
    }

    /// How many migrations this binary knows that the database has not run.
    pub async fn pending_migrations(&self) -> Result<i64> {
        let done: i64 = self
            .query("SELECT CAST(COUNT(*) AS BIGINT) FROM _sqlx_migrations WHERE success")
            .scalar()
            .await?;
        Ok((migrate::known(self.is_sqlite()) - done).max(0))
    }

    /// Stops taking writes, finishes those taken, and closes every connection.
    pub async fn close(&self) {
        match &self.inner.kind {
            Kind::Sqlite { readers, writer } => {
                writer.close().await;
                readers.close().await;
            }
            Kind::Postgres { pool, .. } => {
                // Nothing is written any more; a connection that does not answer is left behind.
                if tokio::time::timeout(CLOSING, pool.close()).await.is_err() {
                    tracing::warn!("a connection to the database did not end");
                }
            }
        }
    }
}

async fn write_postgres<T, F>(pool: &PgPool, writes: &Semaphore, clock: &Clock, work: &F) -> Result<T>
where
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>>,
{
    // Waiting here rather than in the pool keeps connections for reads.
    let _permit = writes.acquire().await.map_err(|_| Error::Closed)?;
    let mut reruns = 0;
    loop {
        match once(pool, clock, work).await {
            Err(error) if may_rerun(&error) && reruns < RERUNS => {
                reruns += 1;
                metrics::counter!("corbel_database_reruns_total").increment(1);
                let wait = Duration::from_millis(u64::from(reruns * reruns));
                tokio::time::sleep(wait).await;
            }
            outcome => return outcome,
        }
    }
}

async fn once<T, F>(pool: &PgPool, clock: &Clock, work: &F) -> Result<T>
where
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>>,
{
    let mut tx = Tx::postgres(pool.begin().await.map_err(Error::from)?, clock.clone());
    // Dropped on error, which rolls back.
    let value = work(&mut tx).await?;
    tx.commit().await?;
    Ok(value)
}

async fn open_postgres(url: &str) -> Result<Kind> {
    let options = PgConnectOptions::from_str(url)
        .map_err(Error::from)?
        .application_name("corbel");
    // Without bounds: a large index may take its time, and other nodes wait for it.
    let mut migrating = PgConnection::connect_with(&options).await.map_err(Error::from)?;
    migrate::postgres(&mut migrating).await?;
    migrating.close().await.map_err(Error::from)?;
    let pool = PgPoolOptions::new()
        .max_connections(16)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(options.options(BOUNDS))
        .await
        .map_err(Error::from)?;
    Ok(Kind::Postgres {
        pool,
        writes: Arc::new(Semaphore::new(WRITES)),
    })
}

async fn open_sqlite(url: &str) -> Result<Kind> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(Error::from)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .pragma("journal_size_limit", "67108864");
    // Commands may start at once on a new database: one makes it, the others wait.
    let alone = migrate::alone(options.get_filename()).await?;
    let readers = SqlitePoolOptions::new()
        .min_connections(1)
        .max_connections(4)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(options.clone())
        .await
        .map_err(Error::from)?;
    migrate::sqlite(&readers).await?;
    drop(alone);
    // Only the writer: beside another process each connection would wait for its turn to write.
    let connection = SqliteConnection::connect_with(&options.optimize_on_close(true, None))
        .await
        .map_err(Error::from)?;
    Ok(Kind::Sqlite {
        readers,
        writer: Writer::start(connection)?,
    })
}

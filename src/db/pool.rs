//! The database: reads run on any free connection, every write is a closure.
//!
//! On SQLite, one writer (`db::write`) runs the closures and commits all waiting ones in one transaction. On
//! PostgreSQL, each closure is a transaction and is retried after a conflict with another one.

use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use futures_core::future::BoxFuture;
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection as _, PgConnection, SqliteConnection};
use tokio::sync::Semaphore;
use tracing::Instrument as _;

use crate::base::clock::Clock;
use crate::base::error::{Error as BaseError, Result};
use crate::db::args::Sql;
use crate::db::connections::Connections;
use crate::db::error::{Error, may_retry};
use crate::db::exec::{Builder, Exec, Query};
use crate::db::migrate;
use crate::db::snapshot::Snapshot;
use crate::db::tx::Tx;
use crate::db::write::Writer;

/// How often a PostgreSQL transaction is retried after a conflict.
const MAX_RETRIES: u32 = 8;
/// Largest number of reading connections on SQLite.
const READERS: u32 = 4;
/// Largest number of connections on PostgreSQL.
const MAX_CONNECTIONS: u32 = 16;
/// Rows that SQLite may fetch ahead of the reader.
const ROW_BUFFER: usize = 512;
/// Concurrent writes on PostgreSQL; the remaining connections are for reads.
const MAX_WRITES: usize = 12;
/// Prepared statements cached by a writing connection. Multi-row statements have one text for each size.
const PREPARED: usize = 300;
/// Pages in SQLite's WAL before a checkpoint: 16 MiB. A page changed by many commits is then copied only once.
const WAL_PAGES: &str = "4096";
/// How much of the file a reading connection maps, which is address space, not memory. SQLite's maximum is 2 GiB.
const MMAP_BYTES: &str = "2147418112";
/// Longest wait for PostgreSQL connections to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeouts in milliseconds, enforced by the server. A process that hangs in a transaction keeps its rows locked until
/// the idle timeout; the lock timeout is shorter, so that transactions waiting for these rows give up first.
const SERVER_TIMEOUTS: [(&str, &str); 3] = [
    ("statement_timeout", "15000"),
    ("lock_timeout", "4000"),
    ("idle_in_transaction_session_timeout", "5000"),
];

/// How busy the database connections of this process are.
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
    Sqlite {
        file: PathBuf,
        readers: Connections<SqliteConnection>,
        writer: Writer,
    },
    Postgres {
        connections: Connections<PgConnection>,
        writes: Arc<Semaphore>,
    },
}

impl Db {
    /// Opens the database at `url` and migrates its schema.
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

    /// Opens a small separate SQLite file next to this one, for data that is written constantly and may be lost in a
    /// power failure. SQLite only. Kept separate because each commit invalidates the page caches of all readers of
    /// the same file.
    pub async fn sidecar(&self, name: &str, schema: &'static str) -> Result<Self> {
        let Kind::Sqlite { file, .. } = &self.inner.kind else {
            return Err(BaseError::internal("sidecar databases exist only on SQLite"));
        };
        let kind = open_sidecar(&file.with_extension(format!("{name}.db")), schema).await?;
        let clock = self.inner.clock.clone();
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

    /// Runs one reading statement on any free connection, outside a transaction.
    pub fn read(&self) -> Exec<'_> {
        match &self.inner.kind {
            Kind::Sqlite { readers, .. } => Exec::SqliteAny(readers),
            Kind::Postgres { connections, .. } => Exec::PgAny(connections),
        }
    }

    /// Starts a reading statement with a fixed text.
    pub fn query(&self, sql: impl Into<Sql>) -> Query<'_> {
        self.read().query(sql)
    }

    /// Starts a reading statement that is composed from fixed pieces and bound values.
    pub fn build(&self, start: &'static str) -> Builder<'_> {
        self.read().build(start)
    }

    /// Runs `work` in a writing transaction and returns after it is on disk.
    ///
    /// `work` may run more than once and must have no effects outside the database. If it returns an error,
    /// everything it wrote is rolled back. Never call this inside another `work`.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + Sync + 'static,
    {
        match &self.inner.kind {
            Kind::Sqlite { writer, .. } => writer.run(&self.inner.clock, work).await,
            Kind::Postgres { connections, writes } => {
                let (connections, writes) = (connections.clone(), Arc::clone(writes));
                let clock = self.inner.clock.clone();
                // A task of its own: the caller may be cancelled, as on SQLite, and a transaction interrupted by
                // that would cost its connection.
                let writing = async move { write_postgres(&connections, &writes, &clock, &work).await };
                let written = tokio::spawn(writing.in_current_span()).await;
                written.unwrap_or_else(|_| Err(BaseError::internal("a write panicked")))
            }
        }
    }

    /// Runs `read` on a consistent snapshot. Each statement may take at most `limit`; after that it fails with an
    /// error for which `error::is_timeout` is true.
    pub async fn snapshot<T, F>(&self, limit: Duration, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'s> FnOnce(&'s mut Snapshot) -> BoxFuture<'s, Result<T>> + Send + 'static,
    {
        let db = self.clone();
        // A task of its own: the connection is returned even if the caller is cancelled.
        let reading = async move {
            let mut snapshot = db.begin_snapshot(limit).await?;
            let outcome = read(&mut snapshot).await;
            snapshot.end().await?;
            outcome
        };
        let outcome = tokio::spawn(reading.in_current_span()).await;
        outcome.unwrap_or_else(|_| Err(BaseError::internal("a snapshot read panicked")))
    }

    /// Like [`snapshot`](Self::snapshot), for callers that read in several steps. It occupies a connection until
    /// [`Snapshot::end`] is called; dropping it instead closes that connection.
    pub async fn begin_snapshot(&self, limit: Duration) -> Result<Snapshot> {
        Ok(match &self.inner.kind {
            Kind::Sqlite { readers, .. } => Snapshot::sqlite(readers, limit).await?,
            Kind::Postgres { connections, .. } => Snapshot::postgres(connections, limit).await?,
        })
    }

    /// The load of the reading connections on SQLite, and of all connections on PostgreSQL.
    pub fn load(&self) -> Load {
        let ((size, idle), writes_waiting) = match &self.inner.kind {
            Kind::Sqlite { readers, writer, .. } => (readers.count(), writer.waiting()),
            Kind::Postgres { connections, writes } => {
                (connections.count(), MAX_WRITES - writes.available_permits())
            }
        };
        let idle = u32::try_from(idle).unwrap_or(size).min(size);
        Load {
            in_use: size - idle,
            idle,
            writes_waiting: i64::try_from(writes_waiting).unwrap_or(i64::MAX),
        }
    }

    /// The number of migrations in this binary that the database has not run.
    pub async fn pending_migrations(&self) -> Result<i64> {
        let done: i64 = self
            .query("SELECT CAST(COUNT(*) AS BIGINT) FROM _sqlx_migrations WHERE success")
            .scalar()
            .await?;
        Ok((migrate::count(self.is_sqlite()) - done).max(0))
    }

    /// Stops accepting writes, finishes the accepted ones and closes all connections.
    pub async fn close(&self) {
        match &self.inner.kind {
            Kind::Sqlite { readers, writer, .. } => {
                writer.close().await;
                readers.close().await;
            }
            Kind::Postgres { connections, .. } => {
                // Nothing is written any more, so a connection that does not respond can be abandoned.
                if tokio::time::timeout(CLOSE_TIMEOUT, connections.close())
                    .await
                    .is_err()
                {
                    tracing::warn!("a database connection did not close in time");
                }
            }
        }
    }
}

async fn write_postgres<T, F>(
    connections: &Connections<PgConnection>,
    writes: &Semaphore,
    clock: &Clock,
    work: &F,
) -> Result<T>
where
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>>,
{
    // Waiting here rather than for a connection keeps some connections free for reads.
    let _permit = writes.acquire().await.map_err(|_| Error::Closed)?;
    let mut retries = 0;
    loop {
        match write_once(connections, clock, work).await {
            Err(error) if may_retry(&error) && retries < MAX_RETRIES => {
                retries += 1;
                metrics::counter!("corbel_database_reruns_total").increment(1);
                let wait = Duration::from_millis(u64::from(retries * retries));
                tokio::time::sleep(wait).await;
            }
            outcome => return outcome,
        }
    }
}

async fn write_once<T, F>(connections: &Connections<PgConnection>, clock: &Clock, work: &F) -> Result<T>
where
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>>,
{
    let lent = connections.lend().await.map_err(Error::from)?;
    let mut tx = Tx::postgres(lent, clock.clone());
    tx.query("BEGIN").execute().await?;
    match work(&mut tx).await {
        Ok(value) => {
            tx.commit().await?;
            Ok(value)
        }
        Err(error) => {
            tx.roll_back().await;
            Err(error)
        }
    }
}

async fn open_postgres(url: &str) -> Result<Kind> {
    let options = PgConnectOptions::from_str(url)
        .map_err(Error::from)?
        .application_name("corbel");
    // Without timeouts: building a large index may take long, and other nodes wait for it.
    let mut migrating = PgConnection::connect_with(&options).await.map_err(Error::from)?;
    migrate::postgres(&mut migrating).await?;
    migrating.close().await.map_err(Error::from)?;
    let options = options
        .statement_cache_capacity(PREPARED)
        .options(SERVER_TIMEOUTS);
    let connections = Connections::new(options, MAX_CONNECTIONS);
    // Connect once, so that an unreachable server is an error at startup.
    connections.lend().await.map_err(Error::from)?.done(&Ok(()));
    Ok(Kind::Postgres {
        connections,
        writes: Arc::new(Semaphore::new(MAX_WRITES)),
    })
}

/// The options of every connection to a SQLite file.
fn sqlite_options(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // With a small buffer, the reader and the connection's thread wait for each other every few rows.
        .row_buffer_size(ROW_BUFFER)
        .busy_timeout(Duration::from_secs(5))
        .pragma("journal_size_limit", "67108864")
}

async fn open_sqlite(url: &str) -> Result<Kind> {
    let options = sqlite_options(SqliteConnectOptions::from_str(url).map_err(Error::from)?);
    let file = options.get_filename().to_owned();
    private_file(&file)?;
    // Several processes may start on a new database at once: one creates it, the others wait.
    let lock = migrate::lock(&file).await?;
    // Readers map the file: reading a page that is not in their cache then needs no system call and no copy.
    let readers = Connections::new(options.clone().pragma("mmap_size", MMAP_BYTES), READERS);
    let mut first = readers.lend().await.map_err(Error::from)?;
    migrate::sqlite(first.connection()).await?;
    first.done(&Ok(()));
    drop(lock);
    // For the writer only. With another process on the file, `optimize_on_close` would make each connection wait
    // for its turn to write.
    let options = options
        .statement_cache_capacity(PREPARED)
        // The undo log of a statement is small and does not need a file.
        .pragma("temp_store", "memory")
        .pragma("wal_autocheckpoint", WAL_PAGES)
        .optimize_on_close(true, None);
    let connection = SqliteConnection::connect_with(&options)
        .await
        .map_err(Error::from)?;
    Ok(Kind::Sqlite {
        file,
        readers,
        writer: Writer::start(connection)?,
    })
}

async fn open_sidecar(file: &Path, schema: &'static str) -> Result<Kind> {
    private_file(file)?;
    let options = sqlite_options(SqliteConnectOptions::new().filename(file))
        // Flushes only at checkpoints: a power failure may undo the last commits, but does not corrupt the file.
        .synchronous(SqliteSynchronous::Normal);
    let mut connection = SqliteConnection::connect_with(&options)
        .await
        .map_err(Error::from)?;
    sqlx::raw_sql(schema)
        .execute(&mut connection)
        .await
        .map_err(Error::from)?;
    Ok(Kind::Sqlite {
        file: file.to_owned(),
        readers: Connections::new(options, 1),
        writer: Writer::start(connection)?,
    })
}

/// Creates a new database file that only its owner can access; SQLite gives the files next to it the same
/// permissions. An existing file keeps its permissions.
fn private_file(path: &Path) -> Result<()> {
    let created = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match created {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(BaseError::internal(error)),
        _ => Ok(()),
    }
}

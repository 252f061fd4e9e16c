//! The database: reads run on any free connection, every write is a closure.
//!
//! On SQLite the closures go to one writer (`db::write`) that commits what is waiting together;
//! on PostgreSQL each closure is a transaction, run again where two writers met.

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
use crate::db::error::{Error, may_rerun};
use crate::db::exec::{Builder, Exec, Query};
use crate::db::migrate;
use crate::db::snapshot::Snapshot;
use crate::db::tx::Tx;
use crate::db::write::Writer;

/// How often a PostgreSQL transaction is run again after meeting another writer.
const RERUNS: u32 = 8;
/// Connections for reads on SQLite, and for everything on PostgreSQL.
const READERS: u32 = 4;
const MOST: u32 = 16;
/// Rows that SQLite may be ahead of whoever reads them.
const ROWS: usize = 512;
/// Writes that run at once on PostgreSQL; the other connections are for reads.
const WRITES: usize = 12;
/// Statements that a writing connection keeps prepared: multi-row ones have a text for each size.
const PREPARED: usize = 300;
/// Pages of SQLite's log before it is carried over to the database: 16 MiB. Pages that many commits change are carried
/// over once.
const WAL_PAGES: &str = "4096";
/// Most of the file that a reading connection maps: address space, not memory. SQLite takes no more than 2 GiB.
const MAPPED: &str = "2147418112";
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

    /// A small database beside this one, which is SQLite's: for what is written all the time and may be forgotten
    /// when the power fails. Each commit makes the readers of its database let go of all that they hold of the file,
    /// and the more they hold of it, the more they have to fetch again.
    pub async fn beside(&self, name: &str, schema: &'static str) -> Result<Self> {
        let Kind::Sqlite { file, .. } = &self.inner.kind else {
            return Err(BaseError::internal("PostgreSQL has no files beside it"));
        };
        let kind = open_beside(&file.with_extension(format!("{name}.db")), schema).await?;
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

    /// Where one reading statement runs, outside a transaction.
    pub fn read(&self) -> Exec<'_> {
        match &self.inner.kind {
            Kind::Sqlite { readers, .. } => Exec::SqliteAny(readers),
            Kind::Postgres { connections, .. } => Exec::PgAny(connections),
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
            Kind::Postgres { connections, writes } => {
                let (connections, writes) = (connections.clone(), Arc::clone(writes));
                let clock = self.inner.clock.clone();
                // As on SQLite, whoever asked may go meanwhile: a transaction that is cut off in its midst
                // costs a connection.
                let writing = async move { write_postgres(&connections, &writes, &clock, &work).await };
                let written = tokio::spawn(writing.in_current_span()).await;
                written.unwrap_or_else(|_| Err(BaseError::internal("a write panicked")))
            }
        }
    }

    /// Runs `look` on the data of one moment; each of its statements takes at most `limit`, else the error is one
    /// of which `error::is_overtime` holds.
    pub async fn snapshot<T, F>(&self, limit: Duration, look: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'s> FnOnce(&'s mut Snapshot) -> BoxFuture<'s, Result<T>> + Send + 'static,
    {
        let db = self.clone();
        // Whoever asked may go meanwhile: the connection is given back in order all the same.
        let looking = async move {
            let mut snapshot = db.begin_snapshot(limit).await?;
            let seen = look(&mut snapshot).await;
            snapshot.end().await?;
            seen
        };
        let seen = tokio::spawn(looking.in_current_span()).await;
        seen.unwrap_or_else(|_| Err(BaseError::internal("a look at the data panicked")))
    }

    /// As [`snapshot`](Self::snapshot), for whoever looks several times: to be ended by [`Snapshot::end`]. It takes
    /// a connection until then, and one that is dropped instead costs that connection.
    pub async fn begin_snapshot(&self, limit: Duration) -> Result<Snapshot> {
        Ok(match &self.inner.kind {
            Kind::Sqlite { readers, .. } => Snapshot::sqlite(readers, limit).await?,
            Kind::Postgres { connections, .. } => Snapshot::postgres(connections, limit).await?,
        })
    }

    /// Of reading connections on SQLite, of all on PostgreSQL.
    pub fn load(&self) -> Load {
        let ((size, idle), writes_waiting) = match &self.inner.kind {
            Kind::Sqlite { readers, writer, .. } => (readers.count(), writer.waiting()),
            Kind::Postgres { connections, writes } => {
                (connections.count(), WRITES - writes.available_permits())
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
            Kind::Sqlite { readers, writer, .. } => {
                writer.close().await;
                readers.close().await;
            }
            Kind::Postgres { connections, .. } => {
                // Nothing is written any more; a connection that does not answer is left behind.
                if tokio::time::timeout(CLOSING, connections.close()).await.is_err() {
                    tracing::warn!("a connection to the database did not end");
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
    // Waiting here rather than for a connection keeps some for reads.
    let _permit = writes.acquire().await.map_err(|_| Error::Closed)?;
    let mut reruns = 0;
    loop {
        match once(connections, clock, work).await {
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

async fn once<T, F>(connections: &Connections<PgConnection>, clock: &Clock, work: &F) -> Result<T>
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
    // Without bounds: a large index may take its time, and other nodes wait for it.
    let mut migrating = PgConnection::connect_with(&options).await.map_err(Error::from)?;
    migrate::postgres(&mut migrating).await?;
    migrating.close().await.map_err(Error::from)?;
    let options = options.statement_cache_capacity(PREPARED).options(BOUNDS);
    let connections = Connections::new(options, MOST);
    // Whether the server is there is known now, and not at the first question.
    connections.lend().await.map_err(Error::from)?.done(&Ok(()));
    Ok(Kind::Postgres {
        connections,
        writes: Arc::new(Semaphore::new(WRITES)),
    })
}

/// What every connection to a SQLite file has.
fn sqlite_options(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // Else the reader and the connection's thread wait for one another every few rows.
        .row_buffer_size(ROWS)
        .busy_timeout(Duration::from_secs(5))
        .pragma("journal_size_limit", "67108864")
}

async fn open_sqlite(url: &str) -> Result<Kind> {
    let options = sqlite_options(SqliteConnectOptions::from_str(url).map_err(Error::from)?);
    let file = options.get_filename().to_owned();
    private_file(&file)?;
    // Commands may start at once on a new database: one makes it, the others wait.
    let alone = migrate::alone(&file).await?;
    // Readers look at the file in place: a page that is in none of their caches, as nearly all of a large file are,
    // costs no call and no copy.
    let readers = Connections::new(options.clone().pragma("mmap_size", MAPPED), READERS);
    let mut first = readers.lend().await.map_err(Error::from)?;
    migrate::sqlite(first.connection()).await?;
    first.done(&Ok(()));
    drop(alone);
    // Only the writer: beside another process each connection would wait for its turn to write.
    let options = options
        .statement_cache_capacity(PREPARED)
        // What would have to be undone of a statement that fails: small, and no matter for a file.
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

async fn open_beside(file: &Path, schema: &'static str) -> Result<Kind> {
    private_file(file)?;
    let options = sqlite_options(SqliteConnectOptions::new().filename(file))
        // Nothing is flushed before the log is carried over: that a commit was there is all that a power cut undoes.
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

/// Makes a new database file its owner's alone; SQLite gives the files beside it the same rights. One that
/// is there keeps what it has.
fn private_file(path: &Path) -> Result<()> {
    let made = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(BaseError::internal(error)),
        _ => Ok(()),
    }
}

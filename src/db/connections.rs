//! A connection pool: lends a connection for one statement or one transaction. Does not depend on any statement.
//!
//! The driver's own pool pings a connection before and after each use, which adds two round trips to a read that
//! needs one. This pool trusts a connection that was used a moment ago, and closes one whose use was aborted or
//! failed at the connection level.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::{ConnectOptions, Connection, Error};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Longest wait for a connection.
const LEND_TIMEOUT: Duration = Duration::from_secs(5);
/// How long after its last use a connection is trusted without a ping.
const TRUSTED: Duration = Duration::from_secs(1);
/// Maximum age of a connection. The server's host name may resolve to another address by then.
const MAX_AGE: Duration = Duration::from_secs(30 * 60);
/// Pauses between attempts to connect to a server that is starting.
const PAUSES: [Duration; 4] = [
    Duration::from_millis(10),
    Duration::from_millis(40),
    Duration::from_millis(120),
    Duration::from_millis(300),
];

/// The pool. Cheap to clone; clones share the connections.
pub struct Connections<C: Connection> {
    shared: Arc<Shared<C>>,
}

impl<C: Connection> Clone for Connections<C> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

struct Shared<C: Connection> {
    options: C::Options,
    max: u32,
    permits: Arc<Semaphore>,
    idle: Mutex<Idle<C>>,
    open: Arc<AtomicU32>,
}

struct Idle<C> {
    /// A stack with the most recently used connection on top.
    pooled: Vec<Pooled<C>>,
    /// When a connection was last found broken. Connections not used since then are pinged before use.
    broken_at: Option<Instant>,
}

struct Pooled<C> {
    connection: C,
    opened: Instant,
    used: Instant,
    _open: OpenGuard,
}

/// Counts one open connection until it is dropped.
struct OpenGuard(Arc<AtomicU32>);

impl Drop for OpenGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<C: Connection> Connections<C> {
    pub(super) fn new(options: C::Options, max: u32) -> Self {
        Self {
            shared: Arc::new(Shared {
                options,
                max,
                permits: Arc::new(Semaphore::new(max as usize)),
                idle: Mutex::new(Idle {
                    pooled: Vec::new(),
                    broken_at: None,
                }),
                open: Arc::default(),
            }),
        }
    }

    /// Lends a connection, waiting until one is free. It is closed when dropped unless `done` returns it.
    pub(super) async fn lend(&self) -> Result<Lent<C>, Error> {
        let lending = async {
            let permits = Arc::clone(&self.shared.permits);
            let permit = permits.acquire_owned().await.map_err(|_| Error::PoolClosed)?;
            while let Some(mut pooled) = self.take() {
                if pooled.opened.elapsed() > MAX_AGE {
                    // It is discarded either way.
                    let _ = pooled.connection.close().await;
                    continue;
                }
                if self.trusts(&pooled) || pooled.connection.ping().await.is_ok() {
                    return Ok(self.lent(pooled, permit));
                }
            }
            let connection = self.connect().await?;
            let open = Arc::clone(&self.shared.open);
            open.fetch_add(1, Ordering::Relaxed);
            let now = Instant::now();
            let pooled = Pooled {
                connection,
                opened: now,
                used: now,
                _open: OpenGuard(open),
            };
            Ok(self.lent(pooled, permit))
        };
        tokio::time::timeout(LEND_TIMEOUT, lending)
            .await
            .map_err(|_| Error::PoolTimedOut)?
    }

    fn lent(&self, pooled: Pooled<C>, permit: OwnedSemaphorePermit) -> Lent<C> {
        Lent {
            pooled,
            pool: self.clone(),
            _permit: permit,
        }
    }

    /// Connects, and retries while the server is starting.
    async fn connect(&self) -> Result<C, Error> {
        let mut pauses = PAUSES.iter().copied();
        let longest = PAUSES.last().copied().unwrap_or_default();
        loop {
            match self.shared.options.connect().await {
                Err(error) if is_starting(&error) => {
                    tokio::time::sleep(pauses.next().unwrap_or(longest)).await;
                }
                connected => return connected,
            }
        }
    }

    /// True if the connection can be used without a ping.
    fn trusts(&self, pooled: &Pooled<C>) -> bool {
        let broken_at = self.idle().broken_at;
        pooled.used.elapsed() < TRUSTED && broken_at.is_none_or(|broken_at| pooled.used > broken_at)
    }

    /// The number of open connections, and how many of them are idle.
    pub(super) fn count(&self) -> (u32, usize) {
        (self.shared.open.load(Ordering::Relaxed), self.idle().pooled.len())
    }

    /// Waits until all connections are returned and closes them. Nothing is lent after that.
    pub(super) async fn close(&self) {
        // Fails only if the pool is already closed.
        let all = self.shared.permits.acquire_many(self.shared.max).await;
        self.shared.permits.close();
        drop(all);
        while let Some(pooled) = self.take() {
            let _ = pooled.connection.close().await;
        }
    }

    fn take(&self) -> Option<Pooled<C>> {
        self.idle().pooled.pop()
    }

    /// A poisoned lock is safe to use: entries are only added and removed, never changed in place.
    fn idle(&self) -> MutexGuard<'_, Idle<C>> {
        self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True if the server is not listening yet or refuses connections for the moment.
fn is_starting(error: &Error) -> bool {
    match error {
        Error::Io(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        // cannot_connect_now, too_many_connections
        Error::Database(error) => matches!(error.code().as_deref(), Some("57P03" | "53300")),
        _ => false,
    }
}

/// A connection in use. Dropping it closes it, because a statement may have been interrupted and its state is unknown.
pub(super) struct Lent<C: Connection> {
    pooled: Pooled<C>,
    pool: Connections<C>,
    _permit: OwnedSemaphorePermit,
}

impl<C: Connection> Lent<C> {
    pub(super) fn connection(&mut self) -> &mut C {
        &mut self.pooled.connection
    }

    /// Returns the connection to the pool, unless the outcome shows that it is broken.
    pub(super) fn done<T>(mut self, outcome: &Result<T, Error>) {
        self.pooled.used = Instant::now();
        let mut idle = self.pool.idle();
        if outcome.as_ref().err().is_some_and(is_broken) {
            idle.broken_at = Some(self.pooled.used);
        } else {
            idle.pooled.push(self.pooled);
        }
    }
}

/// True for errors of the connection, as opposed to errors of the statement or of decoding its rows.
fn is_broken(error: &Error) -> bool {
    match error {
        // PostgreSQL codes: the connection is lost, or the server or an administrator closes it.
        Error::Database(error) => error
            .code()
            .is_some_and(|code| code.len() == 5 && (code.starts_with("08") || code.starts_with("57P"))),
        Error::RowNotFound | Error::ColumnNotFound(_) | Error::ColumnDecode { .. } | Error::Encode(_) => {
            false
        }
        _ => true,
    }
}

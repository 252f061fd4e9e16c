//! Connections lent for one statement or one transaction each. Knows no statement.
//!
//! The driver's own pool asks a connection whether it is there before it is used and after: two of three round
//! trips of a read that has one. Here one that was used a moment ago is believed, and one whose use was cut off or
//! failed below the statement is closed instead of being asked.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::{ConnectOptions, Connection, Error};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Longest wait for a connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long after its use a connection is believed to be there.
const BELIEVED: Duration = Duration::from_secs(1);
/// Connections are not kept for ever: the server's name may lead elsewhere by then.
const OLDEST: Duration = Duration::from_secs(30 * 60);
/// Between two tries to connect to a server that is starting.
const PAUSES: [Duration; 4] = [
    Duration::from_millis(10),
    Duration::from_millis(40),
    Duration::from_millis(120),
    Duration::from_millis(300),
];

/// Cheap to clone; clones lend the same connections.
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
    most: u32,
    places: Arc<Semaphore>,
    idle: Mutex<Idle<C>>,
    open: Arc<AtomicU32>,
}

struct Idle<C> {
    /// The one used last on top: the others are asked for when it is not enough.
    kept: Vec<Kept<C>>,
    /// A connection was found broken then: those last used before are asked whether they are there.
    doubted: Option<Instant>,
}

struct Kept<C> {
    connection: C,
    opened: Instant,
    used: Instant,
    _counted: Counted,
}

/// One of the open connections.
struct Counted(Arc<AtomicU32>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<C: Connection> Connections<C> {
    pub(super) fn new(options: C::Options, most: u32) -> Self {
        Self {
            shared: Arc::new(Shared {
                options,
                most,
                places: Arc::new(Semaphore::new(most as usize)),
                idle: Mutex::new(Idle {
                    kept: Vec::new(),
                    doubted: None,
                }),
                open: Arc::default(),
            }),
        }
    }

    /// A connection, as soon as one is free. Closed when dropped, unless it is given back.
    pub(super) async fn lend(&self) -> Result<Lent<C>, Error> {
        let lending = async {
            let places = Arc::clone(&self.shared.places);
            let place = places.acquire_owned().await.map_err(|_| Error::PoolClosed)?;
            while let Some(mut kept) = self.take() {
                if kept.opened.elapsed() > OLDEST {
                    // Whether it says good-bye is of no interest.
                    let _ = kept.connection.close().await;
                    continue;
                }
                if self.believes(&kept) || kept.connection.ping().await.is_ok() {
                    return Ok(self.lent(kept, place));
                }
            }
            let connection = self.connect().await?;
            let open = Arc::clone(&self.shared.open);
            open.fetch_add(1, Ordering::Relaxed);
            let now = Instant::now();
            let kept = Kept {
                connection,
                opened: now,
                used: now,
                _counted: Counted(open),
            };
            Ok(self.lent(kept, place))
        };
        tokio::time::timeout(PATIENCE, lending)
            .await
            .map_err(|_| Error::PoolTimedOut)?
    }

    fn lent(&self, kept: Kept<C>, place: OwnedSemaphorePermit) -> Lent<C> {
        Lent {
            kept,
            home: self.clone(),
            _place: place,
        }
    }

    /// Connects; a server that is about to start is waited for.
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

    fn believes(&self, kept: &Kept<C>) -> bool {
        let doubted = self.idle().doubted;
        kept.used.elapsed() < BELIEVED && doubted.is_none_or(|doubted| kept.used > doubted)
    }

    /// How many are open, and how many of those wait for their next use.
    pub(super) fn count(&self) -> (u32, usize) {
        (self.shared.open.load(Ordering::Relaxed), self.idle().kept.len())
    }

    /// Waits for those that are lent, and closes all; nothing is lent any more.
    pub(super) async fn close(&self) {
        // An error: it was closed before.
        let all = self.shared.places.acquire_many(self.shared.most).await;
        self.shared.places.close();
        drop(all);
        while let Some(kept) = self.take() {
            let _ = kept.connection.close().await;
        }
    }

    fn take(&self) -> Option<Kept<C>> {
        self.idle().kept.pop()
    }

    /// A thread that panicked left whole entries: they are put in and taken out, never changed.
    fn idle(&self) -> MutexGuard<'_, Idle<C>> {
        self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nothing listens yet, or what does takes nobody in for a moment.
fn is_starting(error: &Error) -> bool {
    match error {
        Error::Io(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        // cannot_connect_now, too_many_connections
        Error::Database(error) => matches!(error.code().as_deref(), Some("57P03" | "53300")),
        _ => false,
    }
}

/// A connection in use. Whoever drops it in the midst of a statement leaves it in a state that nobody knows:
/// then it is closed.
pub(super) struct Lent<C: Connection> {
    kept: Kept<C>,
    home: Connections<C>,
    _place: OwnedSemaphorePermit,
}

impl<C: Connection> Lent<C> {
    pub(super) fn connection(&mut self) -> &mut C {
        &mut self.kept.connection
    }

    /// Gives it back after its use, unless what came of it says that it is broken.
    pub(super) fn done<T>(mut self, outcome: &Result<T, Error>) {
        self.kept.used = Instant::now();
        let mut idle = self.home.idle();
        if outcome.as_ref().err().is_some_and(is_broken) {
            idle.doubted = Some(self.kept.used);
        } else {
            idle.kept.push(self.kept);
        }
    }
}

/// All but what the server said of the statement itself, and what was made of the rows here.
fn is_broken(error: &Error) -> bool {
    match error {
        // PostgreSQL's: the connection is lost, or the server or an operator ends it.
        Error::Database(error) => error
            .code()
            .is_some_and(|code| code.len() == 5 && (code.starts_with("08") || code.starts_with("57P"))),
        Error::RowNotFound | Error::ColumnNotFound(_) | Error::ColumnDecode { .. } | Error::Encode(_) => {
            false
        }
        _ => true,
    }
}

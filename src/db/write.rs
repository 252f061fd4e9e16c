//! Group commit on SQLite: one thread owns the writing connection, runs all waiting writes in one
//! transaction, commits once, and only then replies to each caller.
//!
//! The writer has a thread of its own because every statement is handed to the connection's thread and
//! back, which a busy async runtime would delay each time. A transaction of ten statements takes about an
//! eighth less time than from a task (`benches/admission.rs`).
//!
//! If one write of a group fails, the group is rolled back and its writes are run one by one. A failing
//! write delays the others in its group but does not affect their outcome.

use std::panic::AssertUnwindSafe;
use std::thread;

use futures_core::future::BoxFuture;
use futures_util::FutureExt as _;
use sqlx::SqliteConnection;
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};

use crate::base::clock::Clock;
use crate::base::error::{Error as BaseError, Result};
use crate::db::error::Error;
use crate::db::tx::Tx;

/// Largest number of writes in one transaction.
const MAX_GROUP: usize = 512;
/// Length of the queue; callers wait while it is full.
const QUEUE: usize = 4096;

/// The sending side of the writer thread.
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
}

enum Message {
    Work(Box<dyn Job>, Clock),
    Close(oneshot::Sender<()>),
}

/// A queued closure with its outcome and its reply channel.
trait Job: Send {
    /// Runs the closure; returns true if it succeeded.
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool>;
    /// Replies with the outcome of the last run.
    fn answer(self: Box<Self>);
    /// Replies with an error of the database.
    fn refuse(self: Box<Self>, error: BaseError);
}

struct TypedJob<T, F> {
    work: F,
    outcome: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T, F> Job for TypedJob<T, F>
where
    T: Send,
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + Sync,
{
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool> {
        Box::pin(async move {
            // A panic in one write must not stop the writer thread.
            let outcome = AssertUnwindSafe((self.work)(tx))
                .catch_unwind()
                .await
                .unwrap_or_else(|_| Err(BaseError::internal("a write panicked")));
            let succeeded = outcome.is_ok();
            self.outcome = Some(outcome);
            succeeded
        })
    }

    fn answer(self: Box<Self>) {
        let outcome = self.outcome.unwrap_or_else(|| Err(Error::Closed.into()));
        // The caller may have gone away; the write stays committed.
        let _ = self.reply.send(outcome);
    }

    fn refuse(self: Box<Self>, error: BaseError) {
        let _ = self.reply.send(Err(error));
    }
}

impl Writer {
    pub(super) fn start(connection: SqliteConnection) -> Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let unavailable = |error| Error::Unavailable(sqlx::Error::Io(error));
        let runtime = Builder::new_current_thread().build().map_err(unavailable)?;
        let writing = move || runtime.block_on(write_groups(connection, waiting));
        thread::Builder::new()
            .name("corbel-writer".to_owned())
            .spawn(writing)
            .map_err(unavailable)?;
        Ok(Self { queue })
    }

    pub(super) async fn run<T, F>(&self, clock: &Clock, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + Sync + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(TypedJob {
            work,
            outcome: None,
            reply,
        });
        let sent = self.queue.send(Message::Work(job, clock.clone())).await;
        sent.map_err(|_| Error::Closed)?;
        answer.await.map_err(|_| Error::Closed)?
    }

    /// The number of writes in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    pub(super) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if self.queue.send(Message::Close(reply)).await.is_ok() {
            let _ = closed.await;
        }
    }
}

async fn write_groups(connection: SqliteConnection, mut waiting: mpsc::Receiver<Message>) {
    let mut tx = Tx::sqlite(connection, Clock::system());
    let mut messages = Vec::with_capacity(MAX_GROUP);
    let mut closed = Vec::new();
    while waiting.recv_many(&mut messages, MAX_GROUP).await > 0 {
        let mut jobs = Vec::with_capacity(messages.len());
        let mut clock = None;
        for message in messages.drain(..) {
            match message {
                Message::Work(job, job_clock) => {
                    clock.get_or_insert(job_clock);
                    jobs.push(job);
                }
                Message::Close(reply) => {
                    waiting.close();
                    closed.push(reply);
                }
            }
        }
        if let Some(clock) = clock {
            write_group(&mut tx, &clock, jobs).await;
        }
    }
    drop(tx);
    for reply in closed {
        let _ = reply.send(());
    }
}

async fn write_group(tx: &mut Tx, clock: &Clock, mut jobs: Vec<Box<dyn Job>>) {
    let size = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
    metrics::histogram!("corbel_database_write_group").record(f64::from(size));
    match attempt(tx, clock, &mut jobs).await {
        Ok(true) => jobs.into_iter().for_each(Job::answer),
        Ok(false) if jobs.len() == 1 => jobs.into_iter().for_each(Job::answer),
        Ok(false) => {
            for job in jobs {
                let mut alone = vec![job];
                let outcome = attempt(tx, clock, &mut alone).await;
                for job in alone {
                    match &outcome {
                        Ok(_) => job.answer(),
                        Err(error) => job.refuse(copied(error)),
                    }
                }
            }
        }
        Err(error) => jobs.into_iter().for_each(|job| job.refuse(copied(&error))),
    }
}

/// Runs all jobs in one transaction. `Ok(false)` means that one failed and everything was rolled back.
async fn attempt(tx: &mut Tx, clock: &Clock, jobs: &mut [Box<dyn Job>]) -> Result<bool, Error> {
    tx.begin(clock).await?;
    for job in jobs {
        if !job.run(tx).await {
            tx.roll_back_in_place().await?;
            return Ok(false);
        }
    }
    if let Err(error) = tx.commit_in_place().await {
        tx.roll_back_in_place().await?;
        return Err(error);
    }
    Ok(true)
}

/// A copy of the error for each caller of a group. The cause becomes text because it cannot be cloned.
fn copied(error: &Error) -> BaseError {
    BaseError::busy(error.to_string())
}

//! Group commit on SQLite: one thread owns the writing connection, runs everything that waits in
//! one transaction, commits once, and only then answers each.
//!
//! The writer has a thread of its own: every statement is a hand-over to the connection's thread and
//! back, and a busy runtime, with its sockets, would be in the way of each. A transaction of ten
//! statements costs about an eighth less than from a task (`benches/admission.rs`).
//!
//! If one of a group fails, the group is rolled back and run one by one, so that a bad write
//! costs its neighbours time but never their effect.

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

/// Most writes of one transaction.
const GROUP: usize = 512;
/// Writes that may wait; beyond it callers wait for a place.
const WAITING: usize = 4096;

/// Where closures are handed in.
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
}

enum Message {
    Work(Box<dyn Job>, Clock),
    Close(oneshot::Sender<()>),
}

/// A closure with its outcome and the one who waits for it.
trait Job: Send {
    /// Runs the closure; true when it succeeded.
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool>;
    /// Hands over the outcome of the last run.
    fn answer(self: Box<Self>);
    /// Answers that the database refused.
    fn refuse(self: Box<Self>, error: BaseError);
}

struct Typed<T, F> {
    work: F,
    outcome: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T, F> Job for Typed<T, F>
where
    T: Send,
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + Sync,
{
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool> {
        Box::pin(async move {
            // A panic of one write must not end the writer of all.
            let outcome = AssertUnwindSafe((self.work)(tx))
                .catch_unwind()
                .await
                .unwrap_or_else(|_| Err(BaseError::internal("a write panicked")));
            let fine = outcome.is_ok();
            self.outcome = Some(outcome);
            fine
        })
    }

    fn answer(self: Box<Self>) {
        let outcome = self.outcome.unwrap_or_else(|| Err(Error::Closed.into()));
        // The asker may have gone; what was written stays written.
        let _ = self.reply.send(outcome);
    }

    fn refuse(self: Box<Self>, error: BaseError) {
        let _ = self.reply.send(Err(error));
    }
}

impl Writer {
    pub(super) fn start(connection: SqliteConnection) -> Result<Self> {
        let (queue, waiting) = mpsc::channel(WAITING);
        let away = |error| Error::Away(sqlx::Error::Io(error));
        let runtime = Builder::new_current_thread().build().map_err(away)?;
        let writing = move || runtime.block_on(write_groups(connection, waiting));
        thread::Builder::new()
            .name("corbel-writer".to_owned())
            .spawn(writing)
            .map_err(away)?;
        Ok(Self { queue })
    }

    pub(super) async fn run<T, F>(&self, clock: &Clock, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + Sync + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Typed {
            work,
            outcome: None,
            reply,
        });
        let sent = self.queue.send(Message::Work(job, clock.clone())).await;
        sent.map_err(|_| Error::Closed)?;
        answer.await.map_err(|_| Error::Closed)?
    }

    /// How many writes wait for their turn.
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
    let mut messages = Vec::with_capacity(GROUP);
    let mut closed = Vec::new();
    while waiting.recv_many(&mut messages, GROUP).await > 0 {
        let mut jobs = Vec::with_capacity(messages.len());
        let mut clock = None;
        for message in messages.drain(..) {
            match message {
                Message::Work(job, own) => {
                    clock.get_or_insert(own);
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
                        Err(error) => job.refuse(again(error)),
                    }
                }
            }
        }
        Err(error) => jobs.into_iter().for_each(|job| job.refuse(again(&error))),
    }
}

/// Runs all in one transaction. `Ok(false)`: one failed and everything is rolled back.
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

/// The same refusal for each of a group; the cause is kept as text because it cannot be shared.
fn again(error: &Error) -> BaseError {
    BaseError::busy(error.to_string())
}

//! Batches concurrent reads: requests that arrive at the same moment share one statement. On a busy server this
//! saves a statement, a connection and two thread switches for each request.
//!
//! No request waits for others to arrive: a single one is read at once.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::base::error::{Error, Result};

/// Largest number of requests in one statement.
const MAX_GROUP: usize = 32;
/// Groups read concurrently. While they run, the next group gathers.
const CONCURRENT_GROUPS: usize = 2;
/// Length of the queue; callers wait while it is full.
const QUEUE: usize = 4096;

/// Accepts requests and answers them in batches. Cheap to clone; stops when the last clone is dropped.
pub struct ReadBatcher<Q, A> {
    waiting: mpsc::Sender<Waiting<Q, A>>,
}

impl<Q, A> Clone for ReadBatcher<Q, A> {
    fn clone(&self) -> Self {
        Self {
            waiting: self.waiting.clone(),
        }
    }
}

struct Waiting<Q, A> {
    request: Q,
    reply: oneshot::Sender<Result<A>>,
}

impl<Q, A> ReadBatcher<Q, A>
where
    Q: Send + 'static,
    A: Send + 'static,
{
    /// `read` returns the answers for a group of requests, in the same order.
    pub fn start<R, F>(read: R) -> Self
    where
        R: Fn(Vec<Q>) -> F + Send + 'static,
        F: Future<Output = Result<Vec<A>>> + Send + 'static,
    {
        let (waiting, arriving) = mpsc::channel(QUEUE);
        tokio::spawn(gather(read, arriving));
        Self { waiting }
    }

    pub async fn ask(&self, request: Q) -> Result<A> {
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("batched reads have stopped");
        let sent = self.waiting.send(Waiting { request, reply }).await;
        sent.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

async fn gather<Q, A, R, F>(read: R, mut arriving: mpsc::Receiver<Waiting<Q, A>>)
where
    Q: Send + 'static,
    A: Send + 'static,
    R: Fn(Vec<Q>) -> F,
    F: Future<Output = Result<Vec<A>>> + Send + 'static,
{
    let permits = Arc::new(Semaphore::new(CONCURRENT_GROUPS));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
            return;
        };
        let Some(first) = arriving.recv().await else {
            return;
        };
        // Lets other tasks that are ready to send do so before the group is closed.
        tokio::task::yield_now().await;
        let (mut group, mut replies) = (vec![first.request], vec![first.reply]);
        while group.len() < MAX_GROUP
            && let Ok(next) = arriving.try_recv()
        {
            group.push(next.request);
            replies.push(next.reply);
        }
        let reading = read(group);
        // A task of its own, so that a panic fails one group only.
        tokio::spawn(async move {
            answer(reading.await, replies);
            drop(permit);
        });
    }
}

/// Sends the replies. Callers that have gone away are ignored.
fn answer<A>(read: Result<Vec<A>>, replies: Vec<oneshot::Sender<Result<A>>>) {
    match read {
        Ok(answers) => {
            for (reply, answer) in replies.into_iter().zip(answers) {
                let _ = reply.send(Ok(answer));
            }
        }
        Err(error) => {
            let is_busy = matches!(error, Error::Busy { .. });
            let why = error.chain();
            for reply in replies {
                let error = if is_busy {
                    Error::busy(why.clone())
                } else {
                    Error::internal(why.clone())
                };
                let _ = reply.send(Err(error));
            }
        }
    }
}

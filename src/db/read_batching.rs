//! Reads that are asked for at the same moment, done together: one statement for all of them. On a busy server each
//! would otherwise be a statement, a connection and two changes of thread of its own.
//!
//! Nothing waits for company: what is asked for alone is read at once.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::base::error::{Error, Result};

/// Most of one statement.
const GROUP: usize = 32;
/// Groups that are read at once: while they are, the next one gathers.
const AT_ONCE: usize = 2;
/// How many may wait; beyond it askers wait for a place.
const WAITING: usize = 4096;

/// Where something is asked for. Ends with its last clone.
pub struct Together<Q, A> {
    waiting: mpsc::Sender<Waiting<Q, A>>,
}

impl<Q, A> Clone for Together<Q, A> {
    fn clone(&self) -> Self {
        Self {
            waiting: self.waiting.clone(),
        }
    }
}

struct Waiting<Q, A> {
    asked: Q,
    reply: oneshot::Sender<Result<A>>,
}

impl<Q, A> Together<Q, A>
where
    Q: Send + 'static,
    A: Send + 'static,
{
    /// `read` answers all of a group, in its order.
    pub fn start<R, F>(read: R) -> Self
    where
        R: Fn(Vec<Q>) -> F + Send + 'static,
        F: Future<Output = Result<Vec<A>>> + Send + 'static,
    {
        let (waiting, arriving) = mpsc::channel(WAITING);
        tokio::spawn(gather(read, arriving));
        Self { waiting }
    }

    pub async fn ask(&self, asked: Q) -> Result<A> {
        let (reply, answer) = oneshot::channel();
        let ended = || Error::busy("nothing is looked up any more");
        let sent = self.waiting.send(Waiting { asked, reply }).await;
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
    let places = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Some(first) = arriving.recv().await else {
            return;
        };
        // Those that can ask right now do so before the group is closed.
        tokio::task::yield_now().await;
        let (mut group, mut replies) = (vec![first.asked], vec![first.reply]);
        while group.len() < GROUP
            && let Ok(one) = arriving.try_recv()
        {
            group.push(one.asked);
            replies.push(one.reply);
        }
        let reading = read(group);
        // In a task of its own, so that a panic ends one group and not the looking up.
        tokio::spawn(async move {
            answer(reading.await, replies);
            drop(place);
        });
    }
}

/// The asker may have gone.
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
                let again = if is_busy {
                    Error::busy(why.clone())
                } else {
                    Error::internal(why.clone())
                };
                let _ = reply.send(Err(again));
            }
        }
    }
}

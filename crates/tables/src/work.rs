//! A limit on the work of one reading, and a way to end it from another thread.
//!
//! Loops over input call [`charge`]. A reading that has used up its limit, or that was stopped, unwinds to
//! [`Work::read`] or [`Work::answer`], so that no reader in between can take half of a text for the whole.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};

thread_local! {
    /// The limit of the reading that this thread does now.
    static CURRENT: RefCell<Option<Work>> = const { RefCell::new(None) };
}

/// Why a reading ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It used up its limit.
    TooMuch,
    /// [`Work::stop`] was called.
    Stopped,
}

/// The work that is left for a reading, in units of about one character or cell. Clones share it.
#[derive(Clone, Debug)]
pub struct Work(Arc<State>);

#[derive(Debug)]
struct State {
    left: AtomicU64,
    stopped: AtomicBool,
}

impl Work {
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self(Arc::new(State {
            left: AtomicU64::new(limit),
            stopped: AtomicBool::new(false),
        }))
    }

    /// Ends the reading at its next charge, on any thread.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// How much work is left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.0.left.load(Ordering::Relaxed)
    }

    /// Runs a reading under this limit.
    ///
    /// # Errors
    ///
    /// If the reading ended early.
    pub fn read<T>(&self, reading: impl FnOnce() -> T) -> Result<T, Ended> {
        let outer = CURRENT.replace(Some(self.clone()));
        let ended = catch_unwind(AssertUnwindSafe(reading));
        CURRENT.set(outer);
        ended.or_else(|panic| match panic.downcast::<Ended>() {
            Ok(ended) => Err(*ended),
            Err(panic) => resume_unwind(panic),
        })
    }

    /// Runs a reading that also waits for others under this limit.
    ///
    /// # Errors
    ///
    /// If the reading ended early.
    pub async fn answer<F: Future>(self, reading: F) -> Result<F::Output, Ended> {
        let reading = Box::pin(reading);
        Limited { work: self, reading }.await
    }

    fn charge(&self, units: u64) {
        let left = self.left();
        if self.0.stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Ended::Stopped));
        }
        if left < units {
            resume_unwind(Box::new(Ended::TooMuch));
        }
        // One thread at a time does the reading, so nothing is lost between load and store.
        self.0.left.store(left - units, Ordering::Relaxed);
    }
}

/// Charges the current reading, if there is one, for `units` of work that is about to be done.
pub fn charge(units: usize) {
    // A reading that already unwinds is not ended again.
    if std::thread::panicking() {
        return;
    }
    CURRENT.with_borrow(|current| {
        if let Some(work) = current {
            work.charge(u64::try_from(units).unwrap_or(u64::MAX));
        }
    });
}

/// A future that sets the current limit while it is polled.
struct Limited<F> {
    work: Work,
    reading: Pin<Box<F>>,
}

impl<F: Future> Future for Limited<F> {
    type Output = Result<F::Output, Ended>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let reading = this.reading.as_mut();
        match this.work.read(|| reading.poll(context)) {
            Ok(poll) => poll.map(Ok),
            Err(ended) => Poll::Ready(Err(ended)),
        }
    }
}

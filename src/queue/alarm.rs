//! When the jobs that this process put back are due, so that its worker comes in time. What others put
//! back, polling finds.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Moments are rounded up to this, so that jobs due at almost the same time are claimed together.
pub const STEP: Duration = Duration::from_millis(20);
/// Most moments that are kept. What is due at others waits for the poll.
pub const MOST: usize = 10_000;

#[derive(Debug)]
pub struct Alarm {
    since: Instant,
    /// In steps since then.
    due: Mutex<BTreeSet<u128>>,
}

impl Default for Alarm {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            due: Mutex::default(),
        }
    }
}

impl Alarm {
    /// Something is due after `wait`.
    pub fn set(&self, wait: Duration) {
        let moment = (self.since.elapsed() + wait)
            .as_micros()
            .div_ceil(STEP.as_micros());
        let mut due = self.due();
        if due.len() < MOST {
            due.insert(moment);
        }
    }

    /// Forgets the moments that have passed: to be called before looking for what is due, so that one
    /// that passes while somebody looks is found by the next.
    pub fn acknowledge(&self) {
        let passed = self.since.elapsed().as_micros() / STEP.as_micros();
        let mut due = self.due();
        *due = due.split_off(&(passed + 1));
    }

    /// How long until something is due, at most `most`.
    pub fn next(&self, most: Duration) -> Duration {
        let Some(moment) = self.due().first().copied() else {
            return most;
        };
        let micros = u64::try_from(moment * STEP.as_micros()).unwrap_or(u64::MAX);
        most.min(Duration::from_micros(micros).saturating_sub(self.since.elapsed()))
    }

    /// A panic elsewhere leaves nothing half-written here.
    fn due(&self) -> MutexGuard<'_, BTreeSet<u128>> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

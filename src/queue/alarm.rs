//! Remembers when the jobs that this process put back become due, so that its worker wakes up in time. Jobs
//! put back by other processes are found by polling.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Due times are rounded up to a multiple of this, so that jobs due at almost the same time are claimed at once.
pub const STEP: Duration = Duration::from_millis(20);
/// Largest number of due times remembered. Jobs beyond that are found by polling.
pub const MAX_DUE: usize = 10_000;

#[derive(Debug)]
pub struct Alarm {
    since: Instant,
    /// Due times, in steps after `since`.
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
    /// Remembers that a job becomes due after `wait`.
    pub fn set(&self, wait: Duration) {
        let moment = (self.since.elapsed() + wait)
            .as_micros()
            .div_ceil(STEP.as_micros());
        let mut due = self.due();
        if due.len() < MAX_DUE {
            due.insert(moment);
        }
    }

    /// Forgets the due times that have passed. Call this before looking for due jobs, so that a job that becomes
    /// due during the search is found by the next one.
    pub fn acknowledge(&self) {
        let passed = self.since.elapsed().as_micros() / STEP.as_micros();
        let mut due = self.due();
        *due = due.split_off(&(passed + 1));
    }

    /// The time until the next job is due, at most `max`.
    pub fn next(&self, max: Duration) -> Duration {
        let Some(moment) = self.due().first().copied() else {
            return max;
        };
        let micros = u64::try_from(moment * STEP.as_micros()).unwrap_or(u64::MAX);
        max.min(Duration::from_micros(micros).saturating_sub(self.since.elapsed()))
    }

    /// A poisoned lock is safe to use: no update leaves the set half-written.
    fn due(&self) -> MutexGuard<'_, BTreeSet<u128>> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! When the jobs that this process put back are due, so that its worker comes in time. What others put
//! back, polling finds.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Moments are rounded up to this, so that jobs due at almost the same time are claimed together.
const STEP: Duration = Duration::from_millis(20);
/// Most moments that are kept. What is due at others waits for the poll.
const MOST: usize = 10_000;

#[derive(Debug)]
pub(super) struct Alarm {
    since: Instant,
    /// In steps since then.
    due: Mutex<BTreeSet<u128>>,
}

impl Alarm {
    pub(super) fn new() -> Self {
        Self {
            since: Instant::now(),
            due: Mutex::default(),
        }
    }

    /// Something is due after `wait`.
    pub(super) fn set(&self, wait: Duration) {
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
    pub(super) fn acknowledge(&self) {
        let passed = self.since.elapsed().as_micros() / STEP.as_micros();
        let mut due = self.due();
        *due = due.split_off(&(passed + 1));
    }

    /// How long until something is due, at most `most`.
    pub(super) fn next(&self, most: Duration) -> Duration {
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

#[cfg(test)]
mod tests {
    use super::*;

    const POLL: Duration = Duration::from_secs(1);

    #[test]
    fn the_earliest_moment_counts_and_stays_until_it_is_acknowledged() {
        let alarm = Alarm::new();
        assert_eq!(alarm.next(POLL), POLL);
        alarm.set(Duration::from_secs(60));
        assert_eq!(alarm.next(POLL), POLL);
        alarm.set(Duration::from_millis(500));
        alarm.set(Duration::ZERO);
        assert!(alarm.next(POLL) <= STEP);
        while alarm.next(POLL) > Duration::ZERO {
            std::hint::spin_loop();
        }
        assert_eq!(alarm.next(POLL), Duration::ZERO, "nobody has looked yet");
        alarm.acknowledge();
        let next = alarm.next(POLL);
        assert!(
            next > Duration::ZERO && next <= Duration::from_millis(520),
            "{next:?}"
        );
    }

    #[test]
    fn moments_close_together_are_one_and_there_are_not_too_many() {
        let alarm = Alarm::new();
        for wait in 0..100_000 {
            alarm.set(Duration::from_micros(wait));
        }
        assert!(
            alarm.due().len() <= 100_000 / 20_000 + 1_000,
            "{}",
            alarm.due().len()
        );
        for wait in 0..20_000 {
            alarm.set(STEP * wait);
        }
        assert_eq!(alarm.due().len(), MOST);
    }
}

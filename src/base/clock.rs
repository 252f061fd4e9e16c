//! The clock. Times are whole microseconds, PostgreSQL's precision; tests can shift the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};

/// The source of the current time. Clones share the offset.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset_us: Arc<AtomicI64>,
}

impl Clock {
    pub fn system() -> Self {
        Self::default()
    }

    #[expect(clippy::disallowed_methods, reason = "the only place that reads the clock")]
    pub fn now(&self) -> DateTime<Utc> {
        self.shifted(Utc::now())
    }

    /// Applies this clock's offset to a time read from another clock, such as the database's.
    pub fn shifted(&self, time: DateTime<Utc>) -> DateTime<Utc> {
        (time + TimeDelta::microseconds(self.offset_us.load(Ordering::Relaxed))).trunc_subsecs(6)
    }

    /// Moves the clock forward. For tests only.
    pub fn advance(&self, by: Duration) {
        let us = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.offset_us.fetch_add(us, Ordering::Relaxed);
    }
}

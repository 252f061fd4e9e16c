//! The sliding window of one limit: the times at which permits were taken. No period of the limit's length ever has
//! more than the maximum. Pure; does not depend on where windows are stored.

use std::collections::VecDeque;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::limits::permit::Permit;

/// Limits up to 128 store each permit's time. Higher ones store 128 steps: permits of one step share the time of the
/// last one. This bounds the size of the stored window and never grants too many.
pub const STEPS: i64 = 128;

/// The permits that were taken, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlidingWindow {
    taken: VecDeque<Taken>,
    used: i64,
}

/// Permits taken at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taken {
    /// Microseconds since the Unix epoch.
    at: i64,
    count: i64,
}

impl SlidingWindow {
    /// Takes a permit if fewer than `limit` were taken in the last `per`.
    pub fn take(&mut self, now: DateTime<Utc>, per: Duration, limit: i64) -> Permit {
        let per_us = i64::try_from(per.as_micros()).unwrap_or(i64::MAX);
        // Another node may have counted after this one read the time, or with a clock that is ahead.
        let last = self.taken.back().map_or(i64::MIN, |last| last.at);
        let now = now.timestamp_micros().max(last);
        self.forget(now.saturating_sub(per_us));
        let granted = self.used < limit;
        if granted {
            self.add(now, if limit <= STEPS { 1 } else { per_us / STEPS });
        }
        let oldest = self.taken.front().map_or(now, |oldest| oldest.at);
        let resets_in = oldest.saturating_add(per_us).saturating_sub(now);
        Permit {
            granted,
            limit,
            left: (limit - self.used).max(0),
            resets_in: Duration::from_micros(u64::try_from(resets_in).unwrap_or_default()),
        }
    }

    /// When the last permit was taken. The window has no effect once `per` has passed since then.
    pub(super) fn last(&self) -> Option<DateTime<Utc>> {
        let last = self.taken.back()?;
        DateTime::from_timestamp_micros(last.at)
    }

    fn forget(&mut self, until: i64) {
        while let Some(oldest) = self.taken.front().filter(|oldest| oldest.at <= until) {
            self.used -= oldest.count;
            self.taken.pop_front();
        }
    }

    fn add(&mut self, now: i64, step: i64) {
        let step = step.max(1);
        self.used += 1;
        match self.taken.back_mut() {
            Some(last) if last.at.div_euclid(step) == now.div_euclid(step) => {
                last.at = now;
                last.count += 1;
            }
            _ => self.taken.push_back(Taken { at: now, count: 1 }),
        }
    }

    /// The stored form: for each entry the microseconds since the previous one, then the count, as varints.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.taken.len() * 5 + 8);
        let mut before = 0;
        for taken in &self.taken {
            push(&mut bytes, taken.at.saturating_sub(before));
            push(&mut bytes, taken.count);
            before = taken.at;
        }
        bytes
    }

    /// Parses the stored form; `None` if it is not valid.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut window = Self::default();
        let (mut bytes, mut before) = (bytes.iter(), 0_i64);
        while !bytes.as_slice().is_empty() {
            let at = before.checked_add(next(&mut bytes)?)?;
            let count = next(&mut bytes)?;
            window.taken.push_back(Taken { at, count });
            window.used = window.used.checked_add(count)?;
            before = at;
        }
        Some(window)
    }
}

/// Appends a number as a varint, seven bits to a byte.
fn push(bytes: &mut Vec<u8>, number: i64) {
    let mut left = u64::try_from(number).unwrap_or_default();
    loop {
        let low = u8::try_from(left & 0x7F).unwrap_or_default();
        left >>= 7;
        if left == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

fn next(bytes: &mut std::slice::Iter<'_, u8>) -> Option<i64> {
    let mut number = 0_u64;
    for shift in (0..63).step_by(7) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return i64::try_from(number).ok();
        }
    }
    None
}

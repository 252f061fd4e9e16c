//! When places were taken: at no moment are there more than so many in the time that ends then, wherever it begins.
//! Knows not where it is kept. Pure.

use std::collections::VecDeque;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::limits::permit::Permit;

/// Up to so many places each has its own time. Of more, those of one step (as small a part of the time) are kept
/// together, and are free again with the last of them: a record has a bound, and never lets in too many.
pub const STEPS: i64 = 128;

/// Places that were taken, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    taken: VecDeque<Taken>,
    used: i64,
}

/// So many places, in microseconds of the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taken {
    at: i64,
    count: i64,
}

impl Record {
    /// Takes a place, if fewer than `most` were taken in the time `per` until now.
    pub fn take(&mut self, now: DateTime<Utc>, per: Duration, most: i64) -> Permit {
        let per_us = i64::try_from(per.as_micros()).unwrap_or(i64::MAX);
        // Another node may have counted after this one read the time, or by a clock ahead of it.
        let last = self.taken.back().map_or(i64::MIN, |last| last.at);
        let now = now.timestamp_micros().max(last);
        self.forget(now.saturating_sub(per_us));
        let granted = self.used < most;
        if granted {
            self.add(now, if most <= STEPS { 1 } else { per_us / STEPS });
        }
        let oldest = self.taken.front().map_or(now, |oldest| oldest.at);
        let frees = oldest.saturating_add(per_us).saturating_sub(now);
        Permit {
            granted,
            most,
            left: (most - self.used).max(0),
            frees: Duration::from_micros(u64::try_from(frees).unwrap_or_default()),
        }
    }

    /// When the last place was taken; nothing holds anybody back `per` after it.
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

    /// As it is kept: for each the microseconds since the one before and the count, seven bits to a byte.
    pub fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.taken.len() * 5 + 8);
        let mut before = 0;
        for one in &self.taken {
            push(&mut bytes, one.at.saturating_sub(before));
            push(&mut bytes, one.count);
            before = one.at;
        }
        bytes
    }

    /// From how it is kept. `None`: it is not written so.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut record = Self::default();
        let (mut bytes, mut before) = (bytes.iter(), 0_i64);
        while !bytes.as_slice().is_empty() {
            let at = before.checked_add(next(&mut bytes)?)?;
            let count = next(&mut bytes)?;
            record.taken.push_back(Taken { at, count });
            record.used = record.used.checked_add(count)?;
            before = at;
        }
        Some(record)
    }
}

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
    for place in (0..63).step_by(7) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7F) << place;
        if byte & 0x80 == 0 {
            return i64::try_from(number).ok();
        }
    }
    None
}

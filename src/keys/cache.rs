//! A cache of recently verified keys. An entry is valid for a few seconds from the start of its read, so that a
//! revocation takes effect on all nodes in time, although they do not notify each other.
//!
//! Entries are found by the digest of the whole key; the key itself is not stored. Does not depend on the database.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use crate::keys::model::Bearer;

/// How long an entry is valid. Including the longest read, it stays below the five seconds within which a revoked
/// key must stop working.
const TTL: Duration = Duration::from_secs(3);
/// Largest number of entries; with more keys in use, some are looked up more often.
const MAX_ENTRIES: usize = 10_000;

#[derive(Default)]
pub(super) struct Cache {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    entries: HashMap<Vec<u8>, Entry>,
    /// Incremented by every change of a key on this node. Results read before a change are not cached after it.
    generation: u64,
}

struct Entry {
    bearer: Bearer,
    /// When the key itself expires, or the overlap after its rotation ends.
    until: Option<DateTime<Utc>>,
    started: ReadStart,
}

/// When a read started, by both clocks: the wall clock may be set, and the monotonic clock stops while the machine
/// sleeps.
#[derive(Clone, Copy)]
pub(super) struct ReadStart {
    generation: u64,
    at: DateTime<Utc>,
    instant: Instant,
}

impl ReadStart {
    fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        let age = now - self.at;
        self.instant.elapsed() < TTL && age >= TimeDelta::zero() && age.to_std().is_ok_and(|age| age < TTL)
    }
}

impl Cache {
    pub(super) fn get(&self, digest: &[u8], now: DateTime<Utc>) -> Option<Bearer> {
        let state = self.state();
        let entry = state.entries.get(digest)?;
        let is_valid = entry.started.is_fresh(now) && entry.until.is_none_or(|until| now < until);
        is_valid.then_some(entry.bearer)
    }

    /// Call this before the read whose result is passed to `put`.
    pub(super) fn begin(&self, now: DateTime<Utc>) -> ReadStart {
        ReadStart {
            generation: self.state().generation,
            at: now,
            instant: Instant::now(),
        }
    }

    pub(super) fn put(
        &self,
        digest: Vec<u8>,
        bearer: Bearer,
        until: Option<DateTime<Utc>>,
        started: ReadStart,
    ) {
        let mut state = self.state();
        if state.generation != started.generation {
            return;
        }
        if state.entries.len() >= MAX_ENTRIES {
            state
                .entries
                .retain(|_, entry| entry.started.is_fresh(started.at));
        }
        if state.entries.len() >= MAX_ENTRIES {
            state.entries.clear();
        }
        let entry = Entry {
            bearer,
            until,
            started,
        };
        state.entries.insert(digest, entry);
    }

    /// Removes all entries after a key was changed on this node, which is rare.
    pub(super) fn clear(&self) {
        let mut state = self.state();
        state.generation += 1;
        state.entries.clear();
    }

    /// A poisoned lock is safe to use: entries are replaced, never changed in place.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

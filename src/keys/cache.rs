//! Keys that were found good a moment ago. An entry is believed for a few seconds from before its read began,
//! so that a revocation holds everywhere in time even where nodes cannot hear one another.
//!
//! Found by the digest of the whole text; the text is not kept. Knows no table.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use crate::keys::model::Bearer;

/// How long an entry is believed: with the longest read, less than the five seconds in which a revoked key ends.
const BELIEVED: Duration = Duration::from_secs(3);
/// Most entries: more keys than that are looked up more often.
const MOST: usize = 10_000;

#[derive(Default)]
pub(super) struct Cache {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    entries: HashMap<Vec<u8>, Entry>,
    /// Turns with every change made here: what was read before is not kept after.
    generation: u64,
}

struct Entry {
    bearer: Bearer,
    /// When the text itself ceases to hold: the key's end, or that of a rotation's overlap.
    until: Option<DateTime<Utc>>,
    begun: Begun,
}

/// When a read began, by both clocks: one steps, the other stands still while the machine sleeps.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    generation: u64,
    at: DateTime<Utc>,
    instant: Instant,
}

impl Begun {
    fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        let age = now - self.at;
        self.instant.elapsed() < BELIEVED
            && age >= TimeDelta::zero()
            && age.to_std().is_ok_and(|age| age < BELIEVED)
    }
}

impl Cache {
    pub(super) fn get(&self, digest: &[u8], now: DateTime<Utc>) -> Option<Bearer> {
        let state = self.state();
        let entry = state.entries.get(digest)?;
        let holds = entry.begun.is_fresh(now) && entry.until.is_none_or(|until| now < until);
        holds.then_some(entry.bearer)
    }

    /// To be called before the read whose result is put in.
    pub(super) fn begin(&self, now: DateTime<Utc>) -> Begun {
        Begun {
            generation: self.state().generation,
            at: now,
            instant: Instant::now(),
        }
    }

    pub(super) fn put(&self, digest: Vec<u8>, bearer: Bearer, until: Option<DateTime<Utc>>, begun: Begun) {
        let mut state = self.state();
        if state.generation != begun.generation {
            return;
        }
        if state.entries.len() >= MOST {
            state.entries.retain(|_, entry| entry.begun.is_fresh(begun.at));
        }
        if state.entries.len() >= MOST {
            state.entries.clear();
        }
        let entry = Entry { bearer, until, begun };
        state.entries.insert(digest, entry);
    }

    /// Forgets everything: a key was changed here, and that is rare.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        state.generation += 1;
        state.entries.clear();
    }

    /// A thread that panicked left whole entries: they are replaced, never changed.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

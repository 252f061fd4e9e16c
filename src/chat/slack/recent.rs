//! Answers that stay true for a short while: bounded, in memory, at a given time. Knows neither
//! Slack nor a clock; what it forgets is asked for again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

/// Values with the time until which each holds.
#[derive(Debug)]
pub struct Recent<K, V> {
    entries: Mutex<HashMap<K, (DateTime<Utc>, V)>>,
    most: usize,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// Holds at most `most` values.
    pub fn new(most: usize) -> Self {
        Self {
            entries: Mutex::new(HashMap::new()),
            most,
        }
    }

    /// The value and until when it holds, if it still does.
    pub fn get(&self, key: &K, now: DateTime<Utc>) -> Option<(DateTime<Utc>, V)> {
        self.lock().get(key).filter(|(until, _)| *until > now).cloned()
    }

    pub fn put(&self, key: K, value: V, until: DateTime<Utc>, now: DateTime<Utc>) {
        let mut entries = self.lock();
        if entries.len() >= self.most {
            entries.retain(|_, (until, _)| *until > now);
        }
        // All still hold: starting again costs some lookups, an order of use would cost each of them.
        if entries.len() >= self.most {
            entries.clear();
        }
        entries.insert(key, (until, value));
    }

    /// A panic elsewhere leaves nothing half-written here.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, (DateTime<Utc>, V)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! A bounded cache in memory whose entries expire. The time is an argument, and an entry that was dropped is
//! simply looked up again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

/// Values with the time at which each expires.
#[derive(Debug)]
pub struct TtlCache<K, V> {
    entries: Mutex<HashMap<K, (DateTime<Utc>, V)>>,
    capacity: usize,
}

impl<K: Eq + Hash, V: Clone> TtlCache<K, V> {
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: Mutex::new(HashMap::new()),
            capacity,
        }
    }

    /// The value and when it expires, unless it has expired.
    pub fn get(&self, key: &K, now: DateTime<Utc>) -> Option<(DateTime<Utc>, V)> {
        self.lock().get(key).filter(|(until, _)| *until > now).cloned()
    }

    pub fn put(&self, key: K, value: V, until: DateTime<Utc>, now: DateTime<Utc>) {
        let mut entries = self.lock();
        if entries.len() >= self.capacity {
            entries.retain(|_, (until, _)| *until > now);
        }
        // No entry has expired. Clearing costs a few lookups; tracking the order of use would slow down each one.
        if entries.len() >= self.capacity {
            entries.clear();
        }
        entries.insert(key, (until, value));
    }

    /// The entries are consistent even after a panic in another thread.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, (DateTime<Utc>, V)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

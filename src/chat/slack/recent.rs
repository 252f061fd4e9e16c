//! Answers that stay true for a short while: bounded, in memory, at a given time. Knows neither
//! Slack nor a clock; what it forgets is asked for again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

/// Values with the time until which each holds.
#[derive(Debug)]
pub(super) struct Recent<K, V> {
    entries: Mutex<HashMap<K, (DateTime<Utc>, V)>>,
    most: usize,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// Holds at most `most` values.
    pub(super) fn new(most: usize) -> Self {
        Self {
            entries: Mutex::new(HashMap::new()),
            most,
        }
    }

    /// The value and until when it holds, if it still does.
    pub(super) fn get(&self, key: &K, now: DateTime<Utc>) -> Option<(DateTime<Utc>, V)> {
        self.lock().get(key).filter(|(until, _)| *until > now).cloned()
    }

    pub(super) fn put(&self, key: K, value: V, until: DateTime<Utc>, now: DateTime<Utc>) {
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

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn holds_until_its_time_and_never_more_than_its_bound() {
        let now = DateTime::<Utc>::UNIX_EPOCH;
        let later = now + TimeDelta::seconds(5);
        let recent = Recent::new(2);
        recent.put("a", 1, later, now);
        assert_eq!(recent.get(&"a", now), Some((later, 1)));
        assert_eq!(recent.get(&"a", later), None);
        recent.put("b", 2, later + TimeDelta::seconds(1), now);
        recent.put("c", 3, later + TimeDelta::seconds(1), later);
        assert_eq!(
            recent.get(&"b", later).map(|(_, value)| value),
            Some(2),
            "only the stale one went"
        );
        recent.put("d", 4, later + TimeDelta::seconds(1), later);
        assert_eq!(recent.get(&"b", later), None);
        assert_eq!(recent.get(&"d", later).map(|(_, value)| value), Some(4));
    }
}

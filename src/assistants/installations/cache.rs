//! Caches installations by address for five seconds, because every chat event needs one. A change on another node
//! takes effect after that time at the latest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::assistants::model::{Installation, InstallationState, PlatformKind};
use crate::base::ids::InstallationId;

const LIFETIME: Duration = Duration::from_secs(5);
/// Unknown addresses are not cached, so callers without a valid address cannot fill the cache.
const MAX_ENTRIES: usize = 10_000;

type Key = (PlatformKind, String);
type Entry = (Instant, Arc<Installation>);
type LastTimes = Arc<Mutex<HashMap<InstallationId, Instant>>>;

/// The cache, and when calls and refusals were last recorded by this process.
#[derive(Clone, Default)]
pub(in crate::assistants) struct Cache {
    entries: Arc<Mutex<HashMap<Key, Entry>>>,
    calls: LastTimes,
    refused: LastTimes,
}

impl Cache {
    pub(in crate::assistants) fn get(
        &self,
        platform: PlatformKind,
        address: &str,
    ) -> Option<Arc<Installation>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (added, installation) = entries.get(&(platform, address.to_owned()))?;
        (added.elapsed() < LIFETIME).then(|| Arc::clone(installation))
    }

    /// Adds an active installation. A disabled one is not cached: another node may activate it at any moment, and the
    /// next call must not be refused then.
    pub(in crate::assistants) fn put(&self, installation: &Arc<Installation>) {
        if installation.state != InstallationState::Active {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MAX_ENTRIES {
            entries.retain(|_, (added, _)| added.elapsed() < LIFETIME);
        }
        let key = (installation.kind(), installation.address.expose().to_owned());
        entries.insert(key, (Instant::now(), Arc::clone(installation)));
    }

    /// Whether this is the first call of the installation within `every`, or since one was refused. The next refusal
    /// then counts as new, so that the recorded times show which came last.
    pub(in crate::assistants) fn is_new_call(&self, at: InstallationId, every: Duration) -> bool {
        let is_new = is_first(&self.calls, at, every);
        if is_new {
            remove(&self.refused, at);
        }
        is_new
    }

    /// Whether this is the first refused call of the installation within `every`, or since one was accepted. The next
    /// accepted call then counts as new.
    pub(in crate::assistants) fn is_new_refusal(&self, at: InstallationId, every: Duration) -> bool {
        let is_new = is_first(&self.refused, at, every);
        if is_new {
            remove(&self.calls, at);
        }
        is_new
    }

    /// Removes all installations.
    pub(in crate::assistants) fn clear(&self) {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        // After a reinstall the next call has to be recorded at once.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn remove(calls: &LastTimes, at: InstallationId) {
    calls.lock().unwrap_or_else(PoisonError::into_inner).remove(&at);
}

/// Whether the last recorded time is at least `every` ago. Records the current time if so.
fn is_first(calls: &LastTimes, at: InstallationId, every: Duration) -> bool {
    let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
    if calls.get(&at).is_some_and(|last| last.elapsed() < every) {
        return false;
    }
    if calls.len() >= MAX_ENTRIES {
        calls.retain(|_, last| last.elapsed() < every);
    }
    calls.insert(at, Instant::now());
    true
}

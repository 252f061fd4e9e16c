//! Installations by address, kept in memory for five seconds: the way of every chat event.
//! A change elsewhere is seen after that time at the latest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::assistants::model::{Installation, InstallationState, PlatformKind};
use crate::base::ids::InstallationId;

const KEPT: Duration = Duration::from_secs(5);
/// Unknown addresses are not kept, so strangers cannot fill this.
const MOST: usize = 10_000;

type Key = (PlatformKind, String);
type Seen = (Instant, Arc<Installation>);
type Last = Arc<Mutex<HashMap<InstallationId, Instant>>>;

#[derive(Clone, Default)]
pub(in crate::assistants) struct Cache {
    entries: Arc<Mutex<HashMap<Key, Seen>>>,
    calls: Last,
    refused: Last,
}

impl Cache {
    pub(in crate::assistants) fn get(
        &self,
        platform: PlatformKind,
        address: &str,
    ) -> Option<Arc<Installation>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (seen, installation) = entries.get(&(platform, address.to_owned()))?;
        (seen.elapsed() < KEPT).then(|| Arc::clone(installation))
    }

    /// Only what is active is kept: another node may give rights back at any moment, and what comes next
    /// must not be taken for a call without rights.
    pub(in crate::assistants) fn put(&self, installation: &Arc<Installation>) {
        if installation.state != InstallationState::Active {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MOST {
            entries.retain(|_, (seen, _)| seen.elapsed() < KEPT);
        }
        let key = (installation.kind(), installation.address.expose().to_owned());
        entries.insert(key, (Instant::now(), Arc::clone(installation)));
    }

    /// Whether a call of this installation is the first within `every`.
    /// The next refused one is new then, so that it is seen to come later.
    pub(in crate::assistants) fn is_new_call(&self, at: InstallationId, every: Duration) -> bool {
        let is_new = is_first(&self.calls, at, every);
        if is_new {
            forget(&self.refused, at);
        }
        is_new
    }

    /// Whether a refused call of this installation is the first within `every`, or since one was accepted.
    /// The next accepted one is new then. What comes of one kind alone is new once within `every`.
    pub(in crate::assistants) fn is_new_refusal(&self, at: InstallationId, every: Duration) -> bool {
        let is_new = is_first(&self.refused, at, every);
        if is_new {
            forget(&self.calls, at);
        }
        is_new
    }

    pub(in crate::assistants) fn forget(&self) {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        // What was heard of an earlier installation says nothing of the next.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn forget(calls: &Last, at: InstallationId) {
    calls.lock().unwrap_or_else(PoisonError::into_inner).remove(&at);
}

fn is_first(calls: &Last, at: InstallationId, every: Duration) -> bool {
    let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
    if calls.get(&at).is_some_and(|last| last.elapsed() < every) {
        return false;
    }
    if calls.len() >= MOST {
        calls.retain(|_, last| last.elapsed() < every);
    }
    calls.insert(at, Instant::now());
    true
}

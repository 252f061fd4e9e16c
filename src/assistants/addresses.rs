//! Installations by address, kept in memory for five seconds: the way of every chat event.
//! A change elsewhere is seen after that time at the latest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::assistants::model::{Installation, PlatformKind};

const KEPT: Duration = Duration::from_secs(5);
/// Unknown addresses are not kept, so strangers cannot fill this.
const MOST: usize = 10_000;

type Key = (PlatformKind, String);
type Seen = (Instant, Arc<Installation>);

#[derive(Clone, Default)]
pub(super) struct Known {
    entries: Arc<Mutex<HashMap<Key, Seen>>>,
}

impl Known {
    pub(super) fn get(&self, platform: PlatformKind, address: &str) -> Option<Arc<Installation>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (seen, installation) = entries.get(&(platform, address.to_owned()))?;
        (seen.elapsed() < KEPT).then(|| Arc::clone(installation))
    }

    pub(super) fn put(&self, installation: &Arc<Installation>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MOST {
            entries.retain(|_, (seen, _)| seen.elapsed() < KEPT);
        }
        let key = (installation.platform, installation.address.expose().to_owned());
        entries.insert(key, (Instant::now(), Arc::clone(installation)));
    }

    pub(super) fn forget(&self) {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}

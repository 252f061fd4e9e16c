//! One permit for a whole process, in a fair order: of those that share a key, for instance the same person, only one
//! waits in line with the others. So many requests of one person delay another person by one request at most.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::base::error::{Error, Result};

/// Cheap to clone; clones share the permit.
#[derive(Clone, Debug)]
pub struct FairPermits<K> {
    of_all: Arc<Semaphore>,
    of_one: SemaphoreByKey<K>,
}

/// The permit, until the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Permit {
    _held: Arc<Vec<OwnedSemaphorePermit>>,
}

impl<K> Default for FairPermits<K> {
    fn default() -> Self {
        Self {
            of_all: Arc::new(Semaphore::new(1)),
            of_one: SemaphoreByKey::new(1),
        }
    }
}

impl<K: Eq + Hash> FairPermits<K> {
    /// Waits for the permit. `keys` begin with the narrowest, for instance the person before the organization.
    ///
    /// # Errors
    ///
    /// Only if a semaphore was closed, which does not happen.
    pub async fn take(&self, keys: impl IntoIterator<Item = K>) -> Result<Permit> {
        let mut held = Vec::new();
        for key in keys {
            let permit = self.of_one.get(key).acquire_owned().await;
            held.push(permit.map_err(Error::internal)?);
        }
        let permit = Arc::clone(&self.of_all).acquire_owned().await;
        held.push(permit.map_err(Error::internal)?);
        Ok(Permit {
            _held: Arc::new(held),
        })
    }
}

/// A semaphore for each key, as long as somebody has a permit of it or waits for one. Clones share the semaphores.
#[derive(Clone, Debug)]
pub struct SemaphoreByKey<K> {
    permits: usize,
    known: Arc<Mutex<HashMap<K, Weak<Semaphore>>>>,
}

impl<K> SemaphoreByKey<K> {
    /// Semaphores with that many permits each.
    pub fn new(permits: usize) -> Self {
        Self {
            permits,
            known: Arc::default(),
        }
    }
}

impl<K: Eq + Hash> SemaphoreByKey<K> {
    /// The semaphore of a key.
    pub fn get(&self, key: K) -> Arc<Semaphore> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, semaphore| semaphore.strong_count() > 0);
        if let Some(semaphore) = known.get(&key).and_then(Weak::upgrade) {
            return semaphore;
        }
        let semaphore = Arc::new(Semaphore::new(self.permits));
        known.insert(key, Arc::downgrade(&semaphore));
        semaphore
    }
}

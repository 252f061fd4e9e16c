//! One import of this process runs at a time, in order: its files and rows are in memory. A dry run counts too.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::base::error::{Error, Result};

/// Maximum number of imports that wait.
const MAX_WAITING: usize = 16;

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Permits {
    /// A permit for each import that waits or runs.
    places: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

/// The right to read files and import them, until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _running: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
}

impl Default for Permits {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(MAX_WAITING + 1)),
            running: Arc::new(Semaphore::new(1)),
        }
    }
}

impl Permits {
    /// Waits until no earlier import runs.
    ///
    /// # Errors
    /// `unavailable` if too many imports wait already.
    pub async fn take(&self) -> Result<Permit> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| Error::busy("too many imports are waiting"))?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        Ok(Permit {
            _running: running.map_err(Error::internal)?,
            _place: place,
        })
    }
}

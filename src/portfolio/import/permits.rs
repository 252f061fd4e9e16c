//! One import of this process runs at a time, and organizations take turns: its files and rows are in memory. A dry run
//! counts too.

use tokio::sync::OwnedSemaphorePermit;

use crate::base::error::{Error, Result};
use crate::base::fair_permits::{self, FairPermits, SemaphoreByKey};
use crate::base::ids::OrgId;

/// Maximum number of imports of an organization that wait or run.
const MOST_OF_ONE: usize = 5;

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Permits {
    /// A permit for each import that waits or runs.
    places: SemaphoreByKey<OrgId>,
    running: FairPermits<OrgId>,
}

/// The right to read files and import them, until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _running: fair_permits::Permit,
    _place: OwnedSemaphorePermit,
}

impl Default for Permits {
    fn default() -> Self {
        Self {
            places: SemaphoreByKey::new(MOST_OF_ONE),
            running: FairPermits::default(),
        }
    }
}

impl Permits {
    /// Waits until no other import runs.
    ///
    /// # Errors
    /// `unavailable` if too many imports of the organization wait already.
    pub async fn take(&self, org: OrgId) -> Result<Permit> {
        let place = self.places.get(org).try_acquire_owned();
        let place = place.map_err(|_| Error::busy("too many imports of this organization are waiting"))?;
        Ok(Permit {
            _running: self.running.take([org]).await?,
            _place: place,
        })
    }
}

//! The chat core as a whole: services and platforms in one cheap clone. What it does is in
//! `judge`, `turn` and `deliver`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::assistants::model::{Installation, PlatformKind};
use crate::base::error::{Error, Result};
use crate::chat::core::platform::Platform;
use crate::queue::job::{Claim, Done};
use crate::services::Services;

/// The chat core with its platforms. Cheap to clone.
#[derive(Clone)]
pub struct Chat {
    pub(super) services: Services,
    platforms: Arc<HashMap<PlatformKind, Arc<dyn Platform>>>,
}

impl Chat {
    pub fn new(services: Services, platforms: Vec<Arc<dyn Platform>>) -> Self {
        let platforms = platforms
            .into_iter()
            .map(|platform| (platform.kind(), platform))
            .collect();
        Self {
            services,
            platforms: Arc::new(platforms),
        }
    }

    pub(super) fn platform(&self, kind: PlatformKind) -> Result<&Arc<dyn Platform>> {
        self.platforms
            .get(&kind)
            .ok_or_else(|| Error::internal(format!("no platform {kind}")))
    }

    /// Puts a job back until the installation's rights return: at once where they are back already.
    pub(super) async fn until_reinstalled(&self, claim: &Claim, at: &Installation) -> Result<Done> {
        let (absent, back) = (absence(claim.attempt), pause(claim.tries));
        let assistants = &self.services.assistants;
        assistants.await_rights(claim, at.id, absent, back).await?;
        Ok(Done::Finished)
    }
}

/// A wait that grows with the tries.
pub(super) fn pause(tries: i64) -> Duration {
    let doublings = u32::try_from(tries.clamp(0, 6)).unwrap_or(0);
    Duration::from_millis(250) * 2_u32.pow(doublings)
}

/// How long to wait for an administrator to give rights back; a reinstall ends it sooner.
fn absence(attempt: i64) -> Duration {
    let doublings = u32::try_from(attempt.clamp(0, 5)).unwrap_or(0);
    (Duration::from_secs(10) * 2_u32.pow(doublings)).min(Duration::from_secs(300))
}

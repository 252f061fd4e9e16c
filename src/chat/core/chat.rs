//! The chat core as a whole: services and platforms in one cheap clone. What it does is in
//! `judge`, `turn` and `deliver`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::assistants::model::PlatformKind;
use crate::base::error::{Error, Result};
use crate::chat::core::platform::Platform;
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
}

/// A wait that grows with the attempts.
pub(super) fn pause(attempt: i64) -> Duration {
    let doublings = u32::try_from(attempt.clamp(0, 6)).unwrap_or(0);
    Duration::from_millis(250) * 2_u32.pow(doublings)
}

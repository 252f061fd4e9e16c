//! What every part of the chat core works with: the services and the platforms, in one cheap clone. The parts are
//! [`Turns`](crate::chat::core::turns::Turns), [`Interactions`](crate::chat::core::interactions::Interactions) and
//! [`Deliverer`](crate::chat::core::deliveries::Deliverer).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::assistants::model::{Assistant, Installation, PlatformKind};
use crate::base::error::{Error, Result};
use crate::chat::core::platform::{Package, Platform};
use crate::queue::job::{Claim, Done};
use crate::services::Services;

/// The services and the chat platforms. Cheap to clone.
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

    /// What an administrator installs the assistant with at its platform.
    pub fn package(&self, at: &Installation, assistant: &Assistant) -> Result<Package> {
        let package = self
            .platform(at.kind())?
            .package(at, assistant, &self.services.site);
        package.ok_or(Error::NotFound("package"))
    }

    /// Puts a job back until the assistant is installed again: at once where it already is.
    pub(super) async fn wait_for_reinstall(&self, claim: &Claim, at: &Installation) -> Result<Done> {
        let (still_disabled, reinstalled) = (reinstall_backoff(claim.attempt), backoff(claim.tries));
        let installations = &self.services.installations;
        installations
            .wait_until_active(claim, at.id, still_disabled, reinstalled)
            .await?;
        Ok(Done::Finished)
    }

    /// Ends a job that has nothing to write.
    pub(super) async fn finish(&self, claim: &Claim) -> Result<()> {
        let (services, claim) = (self.services.clone(), claim.clone());
        let finished = self.services.db.write(move |tx| {
            let (services, claim) = (services.clone(), claim.clone());
            Box::pin(async move { services.queue.finish(tx, &claim).await })
        });
        finished.await
    }
}

/// A wait that grows with the tries.
pub(super) fn backoff(tries: i64) -> Duration {
    let doublings = u32::try_from(tries.clamp(0, 6)).unwrap_or(0);
    Duration::from_millis(250) * 2_u32.pow(doublings)
}

/// How long to wait for an administrator to install the assistant again; a new installation ends the wait sooner.
fn reinstall_backoff(attempt: i64) -> Duration {
    let doublings = u32::try_from(attempt.clamp(0, 5)).unwrap_or(0);
    (Duration::from_secs(10) * 2_u32.pow(doublings)).min(Duration::from_secs(300))
}

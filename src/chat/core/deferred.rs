//! Work that cannot be done yet because a platform could not be asked: when to try again, and for how long.

use std::time::Duration;

use crate::assistants::installations::service::Installations;
use crate::assistants::model::Installation;
use crate::base::error::{Error, Result};
use crate::chat::core::chat::{Chat, backoff};
use crate::chat::core::platform::Failure;
use crate::queue::job::{Claim, Done};

/// Attempts at a lookup before the sender gets the reply that it failed.
pub(super) const MAX_LOOKUPS: i64 = 6;

/// Why something is not decided yet.
pub(super) enum Deferred {
    /// The platform asked to wait.
    Wait(Duration),
    /// A lookup failed: try again after this time.
    Retry(Duration),
    /// The installation was revoked.
    UntilReinstalled,
    Failed(Error),
}

impl From<Error> for Deferred {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Deferred {
    /// What becomes of the job.
    pub(super) async fn into_done(self, chat: &Chat, claim: &Claim, at: &Installation) -> Result<Done> {
        match self {
            Self::Wait(wait) => Ok(Done::Later(wait)),
            Self::Retry(wait) => Ok(Done::Again(wait)),
            Self::UntilReinstalled => chat.wait_for_reinstall(claim, at).await,
            Self::Failed(error) => Err(error),
        }
    }
}

/// Defers if another attempt may succeed; returns a failure that is final.
pub(super) async fn unless_final(
    installations: &Installations,
    at: &Installation,
    failure: Failure,
    tries: i64,
) -> Result<Failure, Deferred> {
    match failure {
        Failure::Wait(wait) => Err(Deferred::Wait(wait)),
        Failure::Disabled(because) | Failure::TokenExpired(because) => {
            installations.disable(at, &because).await?;
            Err(Deferred::UntilReinstalled)
        }
        Failure::Unavailable(_) | Failure::Ambiguous(_) | Failure::Late(_) if tries < MAX_LOOKUPS => {
            Err(Deferred::Retry(backoff(tries)))
        }
        failure => Ok(failure),
    }
}

//! Retries writes of data that cannot be obtained again while the database is unavailable, for a limited time.

use std::future::Future;
use std::time::{Duration, Instant};

use crate::base::error::{Error, Result};

const PAUSE: Duration = Duration::from_millis(500);

/// Retries `write` while the database is unavailable, for up to `patience`. The write must be idempotent: it
/// is repeated if its result was lost.
pub async fn retry_while_unavailable<T, F>(patience: Duration, write: impl Fn() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    let since = Instant::now();
    loop {
        match write().await {
            Err(Error::Busy { .. }) if since.elapsed() < patience => tokio::time::sleep(PAUSE).await,
            outcome => return outcome,
        }
    }
}

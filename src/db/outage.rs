//! Waits while the database is unavailable, for writes of data that cannot be obtained again. Retries after
//! serialization failures are in `pool`.

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

//! Writes of what cannot be had again: they are tried while the database is away, for a while.

use std::future::Future;
use std::time::{Duration, Instant};

use crate::base::error::{Error, Result};

const PAUSE: Duration = Duration::from_millis(500);

/// Does `write` until the database is there for it, or `patience` is over. To be given only what may be
/// done twice: a write whose answer was lost is done again.
pub async fn until_back<T, F>(patience: Duration, write: impl Fn() -> F) -> Result<T>
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

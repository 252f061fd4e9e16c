//! Runs long readings outside the async worker threads, each under a limit of work.

use futures_util::future::{AbortHandle, abortable};
use tables::work::{Ended, Work};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::base::error::{Error, Result};

/// Runs `reading` on a blocking thread with at most `limit` units of [`tables::work`]. When the returned future is
/// dropped, as for a run that is stopped or out of time, the reading ends as well.
///
/// # Errors
///
/// If the reading panics. A reading that ended early is in the inner result.
pub async fn read<F>(limit: u64, reading: F) -> Result<std::result::Result<F::Output, Ended>>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    let work = Work::new(limit);
    let (reading, waiting) = abortable(work.clone().answer(reading));
    let _stop = StopOnDrop { work, waiting };
    let runtime = Handle::current();
    let read = spawn_blocking(move || runtime.block_on(reading)).await;
    // Only a dropped future aborts, and then nobody asks for the result.
    Ok(read.map_err(Error::internal)?.unwrap_or(Err(Ended::Stopped)))
}

/// Ends a reading wherever it is: in its loops, or where it waits.
struct StopOnDrop {
    work: Work,
    waiting: AbortHandle,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.work.stop();
        self.waiting.abort();
    }
}

//! Deletes orphaned data: stored bytes without a row, because a process crashed or a request was refused in between;
//! bytes of files that were removed from their notes; rows of imports that crashed; and sums of spending limits whose
//! period is over. One node at a time does it, once an hour.
//!
//! Every module that stores bytes is asked which keys it still uses. A row follows its bytes within minutes, so bytes
//! that are older than [`FLOOR`] and unused now will stay unused.

use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt as _;
use tokio::sync::watch;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::blobs::store::BlobKey;
use crate::limits::window::{self, Outcome, Window};
use crate::services::Services;

/// Minimum age of bytes to delete: longer than any attempt that could still write their row.
const FLOOR: TimeDelta = TimeDelta::days(1);
/// Interval between sweeps, over all nodes.
const EVERY: Duration = Duration::from_secs(3600);
/// How often each node checks whether a sweep is due.
const CHECK: Duration = Duration::from_secs(600);
/// Keys that are checked at once.
const BATCH: usize = 200;

/// What a sweep deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Rows of files that were removed from their notes.
    pub files: u64,
    /// Stored objects without a row.
    pub blobs: usize,
    /// Pieces of incomplete uploads.
    pub fragments: usize,
    /// Imports that crashed; their rows were never visible.
    pub imports: usize,
}

/// Sweeps regularly, until `stop` turns true.
pub async fn run(services: Services, mut stop: watch::Receiver<bool>) {
    loop {
        let swept = tokio::select! {
            swept = sweep_if_due(&services) => swept,
            _ = stop.wait_for(|stop| *stop) => return,
        };
        match swept {
            Ok(None) => {}
            Ok(Some(swept)) if swept == Swept::default() => {}
            Ok(Some(Swept {
                files,
                blobs,
                fragments,
                imports,
            })) => {
                tracing::info!(files, blobs, fragments, imports, "deleted orphaned data");
            }
            Err(error) => tracing::warn!(cause = error.chain(), "the sweep failed"),
        }
        tokio::select! {
            () = tokio::time::sleep(CHECK) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// Sweeps, unless a node has done so within the last hour.
async fn sweep_if_due(services: &Services) -> Result<Option<Swept>> {
    let turn = services.db.write(|tx| {
        Box::pin(async move {
            let window = Window {
                name: "sweep".to_owned(),
                most: 1,
                per: EVERY,
            };
            window::take(tx, &[window]).await
        })
    });
    match turn.await? {
        Outcome::Yes => sweep(services).await.map(Some),
        Outcome::Refused(_) => Ok(None),
    }
}

/// Sweeps everything once. It may be repeated, and may run at the same time as another sweep.
pub async fn sweep(services: &Services) -> Result<Swept> {
    let until = services.clock.now() - FLOOR;
    services.usage.delete_old_spending().await?;
    Ok(Swept {
        files: services.files.remove_unreferenced(until).await?,
        blobs: bytes(services, until).await?,
        fragments: services.blobs.clear_fragments(until).await?,
        imports: services.imports.clear_dead(until).await?,
    })
}

async fn bytes(services: &Services, until: DateTime<Utc>) -> Result<usize> {
    let mut removed = 0;
    let mut found = services.blobs.older(until).chunks(BATCH);
    while let Some(some) = found.next().await {
        let mut by_org: HashMap<OrgId, Vec<BlobKey>> = HashMap::new();
        for one in some {
            let (org, key) = one?;
            by_org.entry(org).or_default().push(key);
        }
        for (org, keys) in by_org {
            let mut used = services.files.used_keys(org, &keys).await?;
            used.extend(services.assistants.used_keys(org, &keys).await?);
            used.extend(services.portfolio.used_keys(org).await?);
            for key in keys
                .iter()
                .filter(|key| used.iter().all(|one| one != key.as_str()))
            {
                services.blobs.delete(org, key).await?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

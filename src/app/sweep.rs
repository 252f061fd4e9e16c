//! Sweeping up bytes that belong to nothing: those whose rows were never written, because a process died or a
//! request was refused in between, and those of files that their notes gave up; and rows of imports that died. One node
//! at a time, now and then.
//!
//! Whoever keeps bytes in the storage is asked here. A key is put once and its row follows within minutes, so
//! what is older than [`FLOOR`] and nobody's now will be nobody's.

use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt as _;
use tokio::sync::watch;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::blobs::store::BlobKey;
use crate::limits::window::{self, Taken, Window};
use crate::services::Services;

/// How old bytes without a row have to be. Longer than any attempt that may still write the row.
const FLOOR: TimeDelta = TimeDelta::days(1);
/// One sweep, of all nodes, in so long.
const EVERY: Duration = Duration::from_secs(3600);
/// How often a node looks whether it is time.
const LOOK: Duration = Duration::from_secs(600);
/// Keys that are asked for at once.
const BATCH: usize = 200;

/// What a sweep took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Rows of files that belonged to notes.
    pub files: u64,
    /// Stored bytes that were nobody's.
    pub blobs: usize,
    /// Pieces of uploads that broke off.
    pub fragments: usize,
    /// Imports that died, whose rows nobody sees.
    pub imports: usize,
}

/// Sweeps now and then, until `stop` turns true.
pub async fn now_and_then(services: Services, mut stop: watch::Receiver<bool>) {
    loop {
        let swept = tokio::select! {
            swept = in_turn(&services) => swept,
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
                tracing::info!(
                    files,
                    blobs,
                    fragments,
                    imports,
                    "swept up what belonged to nothing"
                );
            }
            Err(error) => tracing::warn!(cause = error.chain(), "sweeping up broke off"),
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// Sweeps, unless some node has within the last hour.
async fn in_turn(services: &Services) -> Result<Option<Swept>> {
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
        Taken::Yes => sweep(services).await.map(Some),
        Taken::Refused(_) => Ok(None),
    }
}

/// Sweeps once, all of it. May be repeated, and run beside another.
pub async fn sweep(services: &Services) -> Result<Swept> {
    let until = services.clock.now() - FLOOR;
    Ok(Swept {
        files: services.files.forget_loose(until).await?,
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
            let mut kept = services.files.keeps(org, &keys).await?;
            kept.extend(services.assistants.keeps(org, &keys).await?);
            kept.extend(services.portfolio.keeps(org).await?);
            for key in keys
                .iter()
                .filter(|key| kept.iter().all(|one| one != key.as_str()))
            {
                services.blobs.delete(org, key).await?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

//! Records when keys were last used, to the minute. Written in the background, so that requests do not wait for it.
//! A use that cannot be written is dropped; a later use updates the time.

use tokio::sync::mpsc;

use crate::base::ids::{KeyId, OrgId};
use crate::db::pool::Db;
use crate::keys::store;

/// Largest number of uses written in one transaction.
const MAX_GROUP: usize = 64;
/// Length of the queue; uses are dropped while it is full.
const QUEUE: usize = 1024;

/// The sending side of the background writer, which stops when the last clone is dropped.
#[derive(Clone)]
pub(super) struct LastUse {
    waiting: mpsc::Sender<(OrgId, KeyId)>,
}

impl LastUse {
    pub(super) fn start(db: Db) -> Self {
        let (waiting, arriving) = mpsc::channel(QUEUE);
        tokio::spawn(write(db, arriving));
        Self { waiting }
    }

    pub(super) fn note(&self, org: OrgId, key: KeyId) {
        // If the queue is full, a later use of the key is recorded.
        let _ = self.waiting.try_send((org, key));
    }
}

async fn write(db: Db, mut arriving: mpsc::Receiver<(OrgId, KeyId)>) {
    let mut uses = Vec::with_capacity(MAX_GROUP);
    while arriving.recv_many(&mut uses, MAX_GROUP).await > 0 {
        // Sorted, so that nodes that write the same keys lock them in the same order.
        uses.sort_unstable();
        uses.dedup();
        let group = std::mem::take(&mut uses);
        let written = db.write(move |tx| {
            let group = group.clone();
            Box::pin(async move {
                let at = tx.now().await?;
                for (org, key) in group {
                    store::touch(tx, org, key, at).await?;
                }
                Ok(())
            })
        });
        if let Err(error) = written.await {
            tracing::debug!(error = error.chain(), "the last use of keys could not be written");
        }
    }
}

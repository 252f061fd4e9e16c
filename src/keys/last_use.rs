//! When keys were last used, to the minute. Written beside the requests, never in their way: what cannot be
//! written now is written at a later use.

use tokio::sync::mpsc;

use crate::base::ids::{KeyId, OrgId};
use crate::db::pool::Db;
use crate::keys::store;

/// Uses of one transaction, and uses that may wait for it.
const GROUP: usize = 64;
const WAITING: usize = 1024;

/// Where uses are handed in. Ends with its last clone.
#[derive(Clone)]
pub(super) struct LastUse {
    waiting: mpsc::Sender<(OrgId, KeyId)>,
}

impl LastUse {
    pub(super) fn start(db: Db) -> Self {
        let (waiting, arriving) = mpsc::channel(WAITING);
        tokio::spawn(write(db, arriving));
        Self { waiting }
    }

    pub(super) fn note(&self, org: OrgId, key: KeyId) {
        // Full: the key's next use comes soon.
        let _ = self.waiting.try_send((org, key));
    }
}

async fn write(db: Db, mut arriving: mpsc::Receiver<(OrgId, KeyId)>) {
    let mut uses = Vec::with_capacity(GROUP);
    while arriving.recv_many(&mut uses, GROUP).await > 0 {
        // In one order, so that nodes that write the same keys wait for each other in one order.
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
            tracing::debug!(error = error.chain(), "the last use of keys was not written");
        }
    }
}

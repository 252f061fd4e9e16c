//! Removes the rows of files that nothing refers to any more, and tells which stored bytes belong to a file. Does not
//! delete bytes, because other modules use the same storage.

use chrono::{DateTime, Utc};

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::blobs::store::BlobKey;
use crate::files::service::Files;
use crate::files::store;

impl Files {
    /// Removes files that were detached from notes before `until` and that nothing refers to.
    pub async fn remove_unreferenced(&self, until: DateTime<Utc>) -> Result<u64> {
        let removed = self
            .db
            .write(move |tx| Box::pin(async move { store::remove_loose(tx, until).await }));
        removed.await
    }

    /// The subset of the blob keys that belong to a file.
    pub async fn used_keys(&self, org: OrgId, keys: &[BlobKey]) -> Result<Vec<String>> {
        let used = store::with_blobs(self.db.read(), org, keys).await?;
        Ok(used.into_iter().map(|(key,)| key).collect())
    }
}

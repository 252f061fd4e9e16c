//! What belongs to nothing any more: rows of files that their notes gave up, and which stored bytes are still
//! a file's. Deletes no bytes: others keep some in the same storage.

use chrono::{DateTime, Utc};

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::blobs::store::BlobKey;
use crate::files::service::Files;
use crate::files::store;

impl Files {
    /// Forgets files that belonged to notes and have been named by nothing since before `until`.
    pub async fn forget_loose(&self, until: DateTime<Utc>) -> Result<u64> {
        let removed = self
            .db
            .write(move |tx| Box::pin(async move { store::remove_loose(tx, until).await }));
        removed.await
    }

    /// Those of the keys whose bytes are a file's.
    pub async fn keeps(&self, org: OrgId, keys: &[BlobKey]) -> Result<Vec<String>> {
        let kept = store::with_blobs(self.db.read(), org, keys).await?;
        Ok(kept.into_iter().map(|(key,)| key).collect())
    }
}

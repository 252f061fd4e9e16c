//! The table `seal_check`: one value sealed by the first node, with which other nodes verify their master key.

use crate::base::error::Result;
use crate::db::tx::Tx;

/// Returns the stored value. Stores `sealed` first if there is none.
pub(super) async fn get_or_insert(tx: &mut Tx, sealed: &[u8]) -> Result<Vec<u8>> {
    tx.query("INSERT INTO seal_check (id, sealed) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
        .bind(sealed)
        .execute()
        .await?;
    Ok(tx
        .query("SELECT sealed FROM seal_check WHERE id = 1")
        .scalar()
        .await?)
}

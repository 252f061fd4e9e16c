//! Named windows counted in the database, so that all nodes share them. Several may hold at once;
//! the strictest wins. A refused request counts in none.

use std::time::Duration;

use crate::base::error::{Error, Result};
use crate::db::tx::Tx;

/// At most `most` in `per`, for what `name` names. The name bears no secret.
#[derive(Clone, Debug)]
pub struct Window {
    pub name: String,
    pub most: i64,
    pub per: Duration,
}

/// Takes one place in every window, or answers `Limited` with the time until all have room.
pub async fn take(tx: &mut Tx, windows: &[Window]) -> Result<()> {
    let now = tx.now().await?;
    let mut wait = Duration::ZERO;
    for window in windows {
        let started_before = now - window.per;
        // Touching the row first also locks it, so that two nodes count one after the other.
        let (started_at, used): (chrono::DateTime<chrono::Utc>, i64) = tx
            .query(
                "INSERT INTO limit_windows (name, started_at, used) VALUES ($1, $2, 1)
                 ON CONFLICT (name) DO UPDATE SET
                     used = CASE WHEN limit_windows.started_at <= $3 THEN 1 ELSE limit_windows.used + 1 END,
                     started_at = CASE WHEN limit_windows.started_at <= $3 THEN $2 ELSE limit_windows.started_at END
                 RETURNING started_at, used",
            )
            .bind(&window.name)
            .bind(now)
            .bind(started_before)
            .one()
            .await?;
        if used > window.most {
            let left = (started_at + window.per - now).to_std().unwrap_or_default();
            wait = wait.max(left.max(Duration::from_secs(1)));
        }
    }
    // The error rolls the whole transaction back, so a refusal has counted nowhere.
    if wait.is_zero() {
        Ok(())
    } else {
        Err(Error::Limited { retry_after: wait })
    }
}

/// Forgets what was counted: a success ends a series of failures.
pub async fn clear(tx: &mut Tx, name: &str) -> Result<()> {
    tx.query("DELETE FROM limit_windows WHERE name = $1")
        .bind(name)
        .execute()
        .await?;
    Ok(())
}

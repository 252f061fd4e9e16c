//! Named windows counted in the database, so that all nodes share them. Several may hold at once;
//! the strictest wins. A refused request counts in none.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::base::error::Result;
use crate::db::args::Sql;
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// A window that began so long ago holds nobody back: none is longer.
const LONGEST: TimeDelta = TimeDelta::days(1);

/// At most `most` in `per`, for what `name` names. The name bears no secret; `per` is a day or less.
#[derive(Clone, Debug)]
pub struct Window {
    pub name: String,
    pub most: i64,
    pub per: Duration,
}

/// Whether there was a place in every window. A refusal is no error: the transaction it is told in
/// goes on, and so do those that are written together with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Taken {
    Yes,
    /// Nothing was counted; by then all have room.
    Refused(Duration),
}

/// Takes one place in every window, or in none.
pub async fn take(tx: &mut Tx, windows: &[Window]) -> Result<Taken> {
    let now = tx.now().await?;
    let mut wait = Duration::ZERO;
    for window in windows {
        wait = wait.max(window.wait(tx, now).await?);
    }
    if !wait.is_zero() {
        return Ok(Taken::Refused(wait));
    }
    let mut begun = false;
    for (n, window) in windows.iter().enumerate() {
        match window.count(tx, now).await? {
            Some(used) => begun |= used == 1,
            // Another node took the last place since.
            None => {
                for counted in windows.iter().take(n) {
                    give_back(tx, &counted.name).await?;
                }
                let wait = window.wait(tx, now).await?;
                return Ok(Taken::Refused(wait.max(Duration::from_secs(1))));
            }
        }
    }
    if begun {
        prune(tx, now).await?;
    }
    Ok(Taken::Yes)
}

impl Window {
    /// How long until there is room, as it stands.
    async fn wait(&self, tx: &mut Tx, now: DateTime<Utc>) -> Result<Duration> {
        let found = stored(tx.exec(), &self.name).await?;
        let full = found.filter(|&(started_at, used)| used >= self.most && started_at + self.per > now);
        Ok(full.map_or(Duration::ZERO, |(started_at, _)| {
            let left = (started_at + self.per - now).to_std().unwrap_or_default();
            left.max(Duration::from_secs(1))
        }))
    }

    /// Counts one, if there is room: how many that makes. Also locks the row, so that two nodes count
    /// one after the other.
    async fn count(&self, tx: &mut Tx, now: DateTime<Utc>) -> Result<Option<i64>> {
        let counted = tx
            .query(
                "INSERT INTO limit_windows (name, started_at, used) VALUES ($1, $2, 1)
                 ON CONFLICT (name) DO UPDATE SET
                     used = CASE WHEN limit_windows.started_at <= $3 THEN 1 ELSE limit_windows.used + 1 END,
                     started_at = CASE WHEN limit_windows.started_at <= $3 THEN $2 ELSE limit_windows.started_at END
                 WHERE limit_windows.started_at <= $3 OR limit_windows.used < $4
                 RETURNING used",
            )
            .bind(&self.name)
            .bind(now)
            .bind(now - self.per)
            .bind(self.most)
            .optional::<(i64,)>()
            .await?;
        Ok(counted.map(|(used,)| used))
    }
}

/// Gives one place back: what was counted is not to be counted after all.
pub async fn give_back(tx: &mut Tx, name: &str) -> Result<()> {
    tx.query("UPDATE limit_windows SET used = used - 1 WHERE name = $1 AND used > 0")
        .bind(name)
        .execute()
        .await?;
    Ok(())
}

/// Forgets what was counted: a success ends a series of failures.
pub async fn clear(tx: &mut Tx, name: &str) -> Result<()> {
    tx.query("DELETE FROM limit_windows WHERE name = $1")
        .bind(name)
        .execute()
        .await?;
    Ok(())
}

/// When the window of this name began, and how many places of it are taken.
async fn stored(db: Exec<'_>, name: &str) -> Result<Option<(DateTime<Utc>, i64)>> {
    Ok(db
        .query("SELECT started_at, used FROM limit_windows WHERE name = $1")
        .bind(name)
        .optional()
        .await?)
}

/// Removes a few windows that are over, whenever one begins: more than begin, so that they do not pile
/// up. Skips what another node has in hand.
async fn prune(tx: &mut Tx, now: DateTime<Utc>) -> Result<()> {
    tx.query(Sql::each(
        "DELETE FROM limit_windows WHERE name IN
             (SELECT name FROM limit_windows WHERE started_at < $1 LIMIT 16)",
        "DELETE FROM limit_windows WHERE name IN
             (SELECT name FROM limit_windows WHERE started_at < $1 LIMIT 16 FOR UPDATE SKIP LOCKED)",
    ))
    .bind(now - LONGEST)
    .execute()
    .await?;
    Ok(())
}

//! Rate limits with fixed windows, counted in the database so that all nodes share them. A request can be subject
//! to several windows; the strictest decides. A refused request is not counted in any of them.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::base::error::Result;
use crate::db::args::Sql;
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// The longest window. One that started before that has no effect any more.
const LONGEST: TimeDelta = TimeDelta::days(1);

/// At most `most` requests in `per` under this name. `per` is a day or less. The name is stored, so it must not
/// contain a secret.
#[derive(Clone, Debug)]
pub struct Window {
    pub name: String,
    pub most: i64,
    pub per: Duration,
}

/// Whether every window had room. A refusal is not an error, because an error would roll back the transaction and
/// delay the writes committed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    Yes,
    /// Nothing was counted; all windows have room after this time.
    Refused(Duration),
}

/// Counts one request in every window, or in none of them.
pub async fn take(tx: &mut Tx, windows: &[Window]) -> Result<Outcome> {
    let now = tx.now().await?;
    let mut wait = Duration::ZERO;
    for window in windows {
        wait = wait.max(window.wait(tx, now).await?);
    }
    if !wait.is_zero() {
        return Ok(Outcome::Refused(wait));
    }
    let mut started = false;
    for (n, window) in windows.iter().enumerate() {
        match window.count(tx, now).await? {
            Some(used) => started |= used == 1,
            // Another node has filled this window since the check.
            None => {
                for counted in windows.iter().take(n) {
                    give_back(tx, &counted.name).await?;
                }
                let wait = window.wait(tx, now).await?;
                return Ok(Outcome::Refused(wait.max(Duration::from_secs(1))));
            }
        }
    }
    if started {
        prune(tx, now).await?;
    }
    Ok(Outcome::Yes)
}

impl Window {
    /// The time until there is room; zero if there is room now.
    async fn wait(&self, tx: &mut Tx, now: DateTime<Utc>) -> Result<Duration> {
        let found = stored(tx.exec(), &self.name).await?;
        let full = found.filter(|&(started_at, used)| used >= self.most && started_at + self.per > now);
        Ok(full.map_or(Duration::ZERO, |(started_at, _)| {
            let left = (started_at + self.per - now).to_std().unwrap_or_default();
            left.max(Duration::from_secs(1))
        }))
    }

    /// Counts one request if there is room, and returns the new count. Locks the row, so that two nodes count one
    /// after the other.
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

/// Takes back one counted request.
pub async fn give_back(tx: &mut Tx, name: &str) -> Result<()> {
    tx.query("UPDATE limit_windows SET used = used - 1 WHERE name = $1 AND used > 0")
        .bind(name)
        .execute()
        .await?;
    Ok(())
}

/// Resets a window, for instance when a success ends a series of failures.
pub async fn clear(tx: &mut Tx, name: &str) -> Result<()> {
    tx.query("DELETE FROM limit_windows WHERE name = $1")
        .bind(name)
        .execute()
        .await?;
    Ok(())
}

/// When the window of this name started, and how many requests it has counted.
async fn stored(db: Exec<'_>, name: &str) -> Result<Option<(DateTime<Utc>, i64)>> {
    Ok(db
        .query("SELECT started_at, used FROM limit_windows WHERE name = $1")
        .bind(name)
        .optional()
        .await?)
}

/// Removes some windows that are over. Called when a window starts; it removes more than are started, so that they
/// do not accumulate. Skips rows that another node has locked.
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

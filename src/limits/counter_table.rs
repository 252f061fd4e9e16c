//! The table `limit_places`: records of taken permits by name. Names contain no secrets.

use chrono::{DateTime, TimeDelta, Utc};

use crate::base::error::{Error, Result};
use crate::db::args::Sql;
use crate::db::exec::{Exec, batches};
use crate::db::tx::Tx;
use crate::limits::sliding_window::SlidingWindow;

/// The longest period of any limit. Records last changed before that have no effect any more.
const LONGEST: TimeDelta = TimeDelta::days(1);

pub(super) async fn find(db: Exec<'_>, name: &str) -> Result<Option<SlidingWindow>> {
    let found = db
        .query("SELECT taken FROM limit_places WHERE name = $1")
        .bind(name)
        .optional::<(Vec<u8>,)>()
        .await?;
    found.map(|(taken,)| read(&taken)).transpose()
}

/// Locks the existing records of these names until the transaction ends, and returns each with the server's time.
/// PostgreSQL only.
pub(super) async fn locked(
    tx: &mut Tx,
    names: &[&str],
) -> Result<Vec<(String, SlidingWindow, DateTime<Utc>)>> {
    let mut found = Vec::with_capacity(names.len());
    for batch in batches(names) {
        let rows: Vec<(String, Vec<u8>, DateTime<Utc>)> = tx
            .build("SELECT name, taken, clock_timestamp() FROM limit_places WHERE name IN ")
            .list(batch.iter().copied())
            // In byte order, like the batches, so that two nodes that lock the same names cannot deadlock.
            .push(" ORDER BY name COLLATE \"C\" FOR UPDATE")
            .done()
            .all()
            .await?;
        for (name, taken, at) in rows {
            found.push((name, read(&taken)?, at));
        }
    }
    Ok(found)
}

/// Creates empty records for names that have none.
pub(super) async fn begin(tx: &mut Tx, names: &[&str], now: DateTime<Utc>) -> Result<()> {
    for batch in batches(names) {
        let mut insert = tx.build("INSERT INTO limit_places (name, last_at, taken) VALUES ");
        for (n, name) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*name)
                .push(", ")
                .bind(now)
                .push(", ")
                .bind(Vec::<u8>::new())
                .push(")");
        }
        insert
            .push(" ON CONFLICT (name) DO NOTHING")
            .done()
            .execute()
            .await?;
    }
    Ok(())
}

pub(super) async fn put(tx: &mut Tx, records: &[(&str, &SlidingWindow)]) -> Result<()> {
    for batch in batches(records) {
        let mut insert = tx.build("INSERT INTO limit_places (name, last_at, taken) VALUES ");
        for (n, (name, record)) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*name)
                .push(", ")
                .bind(record.last().unwrap_or_default())
                .push(", ")
                .bind(record.encode())
                .push(")");
        }
        insert
            .push(" ON CONFLICT (name) DO UPDATE SET last_at = excluded.last_at, taken = excluded.taken")
            .done()
            .execute()
            .await?;
    }
    Ok(())
}

/// Removes some records that no longer have an effect. Called when a record is created; it removes more than are
/// created, so that they do not accumulate. Skips rows that another node has locked.
pub(super) async fn prune(tx: &mut Tx, now: DateTime<Utc>) -> Result<()> {
    tx.query(Sql::each(
        "DELETE FROM limit_places WHERE name IN (SELECT name FROM limit_places WHERE last_at < $1 LIMIT 16)",
        "DELETE FROM limit_places WHERE name IN
             (SELECT name FROM limit_places WHERE last_at < $1 LIMIT 16 FOR UPDATE SKIP LOCKED)",
    ))
    .bind(now - LONGEST)
    .execute()
    .await?;
    Ok(())
}

fn read(taken: &[u8]) -> Result<SlidingWindow> {
    SlidingWindow::decode(taken).ok_or_else(|| Error::internal("a stored record of taken permits is invalid"))
}

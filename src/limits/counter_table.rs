//! The table `limit_places`: records by name, which bears no secret.

use chrono::{DateTime, TimeDelta, Utc};

use crate::base::error::{Error, Result};
use crate::db::args::Sql;
use crate::db::exec::{Exec, batches};
use crate::db::tx::Tx;
use crate::limits::record::Record;

/// What was last counted so long ago holds nobody back: no limit is of a longer time.
const LONGEST: TimeDelta = TimeDelta::days(1);

pub(super) async fn find(db: Exec<'_>, name: &str) -> Result<Option<Record>> {
    let found = db
        .query("SELECT taken FROM limit_places WHERE name = $1")
        .bind(name)
        .optional::<(Vec<u8>,)>()
        .await?;
    found.map(|(taken,)| read(&taken)).transpose()
}

/// Locks these records until the transaction ends, on PostgreSQL: those that are there, and the server's time.
pub(super) async fn locked(tx: &mut Tx, names: &[&str]) -> Result<Vec<(String, Record, DateTime<Utc>)>> {
    let mut found = Vec::with_capacity(names.len());
    for batch in batches(names) {
        let rows: Vec<(String, Vec<u8>, DateTime<Utc>)> = tx
            .build("SELECT name, taken, clock_timestamp() FROM limit_places WHERE name IN ")
            .list(batch.iter().copied())
            // In the order of bytes, as the batches are: two nodes that count for the same names never hold
            // each other up.
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

/// Makes empty records of those that are not there.
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

pub(super) async fn put(tx: &mut Tx, records: &[(&str, &Record)]) -> Result<()> {
    for batch in batches(records) {
        let mut insert = tx.build("INSERT INTO limit_places (name, last_at, taken) VALUES ");
        for (n, (name, record)) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*name)
                .push(", ")
                .bind(record.last().unwrap_or_default())
                .push(", ")
                .bind(record.written())
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

/// Removes a few records that hold nobody back, whenever one begins: more than begin, so that they do not pile up.
/// Skips what another node has in hand.
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

fn read(taken: &[u8]) -> Result<Record> {
    Record::read(taken).ok_or_else(|| Error::internal("a record of taken places is not one"))
}

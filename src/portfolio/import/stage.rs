//! The database side of an import. Changes are staged next to the current rows in small steps, then published
//! at once or removed.
//!
//! An organization runs one import at a time. A new import replaces one that has not ended: it has crashed,
//! or its next step finds that it was abandoned. Each step checks this in its own transaction.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;

use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::db::exec::{Builder, Exec, batches};
use crate::db::pool::Db;
use crate::db::tx::Tx;
use crate::portfolio::import::current_state::{Changes, Coverage};
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::listing::Mapping;
use crate::portfolio::import::rows::{
    AccountRow, BuildingRow, LeaseRow, LeaseUnitRow, LedgerRow, LoanBuildingRow, LoanRow, MarketRentRow,
    PaymentRow, StepRow, TenantRow, UnitMonthRow, UnitRow, ValuationRow, Versioned,
};

/// Rows per transaction: few enough that other writers do not wait long.
const STEP: usize = 500;
/// The value of `until_import` for rows that no import has ended.
const OPEN: i64 = i64::MAX;

/// An import that may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub org: OrgId,
    pub number: i64,
}

/// Assigns the organization's next import number, after removing what an unfinished import left.
pub async fn begin(db: &Db, actor: Actor, org: OrgId, source: &str, files: Value) -> Result<Slot> {
    let unfinished: Vec<(i64,)> = db
        .write(move |tx| {
            Box::pin(async move {
                tx.query("UPDATE portfolio_imports SET state = 'abandoned' WHERE org_id = $1 AND state = 'staging'")
                    .bind(org)
                    .execute()
                    .await?;
                let left = tx.query("SELECT number FROM portfolio_imports WHERE org_id = $1 AND state = 'abandoned'");
                Ok(left.bind(org).all().await?)
            })
        })
        .await?;
    for (number,) in unfinished {
        clear(db, Slot { org, number }).await?;
    }
    let source = source.to_owned();
    let number = db
        .write(move |tx| {
            let (source, files) = (source.clone(), files.clone());
            Box::pin(async move {
                let at = tx.now().await?;
                let last: i64 = tx
                    .query("SELECT COALESCE(MAX(number), 0) FROM portfolio_imports WHERE org_id = $1")
                    .bind(org)
                    .scalar()
                    .await?;
                let number = last + 1;
                let begun = tx.query(
                    "INSERT INTO portfolio_imports
                        (org_id, number, source, state, user_id, files, summary, started_at, alive_at)
                     VALUES ($1, $2, $3, 'staging', $4, $5, $6, $7, $7)",
                );
                let begun = begun.bind(org).bind(number).bind(source).bind(actor.user);
                begun
                    .bind(Json(files))
                    .bind(Json(Value::Null))
                    .bind(at)
                    .execute()
                    .await?;
                Ok(number)
            })
        })
        .await
        .map_err(|error| match error {
            // Another import of the organization began at the same moment.
            Error::Conflict(_) => Error::Conflict("another import began at the same time; try again"),
            other => other,
        })?;
    Ok(Slot { org, number })
}

/// Checks that the import may still write, and locks its row until the transaction ends.
async fn fence(tx: &mut Tx, slot: Slot) -> Result<()> {
    let at = tx.now().await?;
    let locked = tx
        .query("UPDATE portfolio_imports SET alive_at = $3 WHERE org_id = $1 AND number = $2 AND state = 'staging'")
        .bind(slot.org)
        .bind(slot.number)
        .bind(at)
        .execute()
        .await?;
    if locked == 0 {
        return Err(Error::Conflict(
            "a newer import replaced this one; nothing was imported",
        ));
    }
    Ok(())
}

/// Writes one table's changes, which stay invisible until [`publish`].
pub async fn write<T: Versioned>(db: &Db, slot: Slot, changes: Changes<T>) -> Result<()> {
    for rows in changes.end.chunks(STEP) {
        let rows = rows.to_vec();
        db.write(move |tx| {
            let rows = rows.clone();
            Box::pin(async move {
                fence(tx, slot).await?;
                for batch in batches(&rows) {
                    end(tx, slot, batch).execute().await?;
                }
                Ok(())
            })
        })
        .await?;
    }
    for rows in changes.write.chunks(STEP) {
        let rows = rows.to_vec();
        db.write(move |tx| {
            let rows = rows.clone();
            Box::pin(async move {
                fence(tx, slot).await?;
                for batch in batches(&rows) {
                    insert(tx, slot, batch).execute().await?;
                }
                Ok(())
            })
        })
        .await?;
    }
    Ok(())
}

fn insert<'t, T: Versioned>(tx: &'t mut Tx, slot: Slot, rows: &[T]) -> crate::db::exec::Query<'t> {
    let mut insert = tx.build(T::INSERT);
    for (n, row) in rows.iter().enumerate() {
        insert = insert
            .push(if n == 0 { "(" } else { ", (" })
            .bind(slot.org)
            .push(", ");
        insert = row
            .bind(insert)
            .push(", ")
            .bind(slot.number)
            .push(", ")
            .bind(OPEN)
            .push(")");
    }
    insert.done()
}

/// Ends the current versions, which are those without an end.
fn end<'t, T: Versioned>(tx: &'t mut Tx, slot: Slot, rows: &[T]) -> crate::db::exec::Query<'t> {
    let update = tx.build(T::END).bind(slot.number);
    let update = update
        .push(" WHERE org_id = ")
        .bind(slot.org)
        .push(" AND until_import = ")
        .bind(OPEN);
    let mut update = update.push(" AND ").push(T::KEY).push(" IN (VALUES ");
    for (n, row) in rows.iter().enumerate() {
        update = row
            .bind_key(update.push(if n == 0 { "(" } else { ", (" }))
            .push(")");
    }
    update.push(")").done()
}

/// Publishes the import in one transaction: the buildings, the current import number, the end of the import
/// and the audit entry.
pub async fn publish(
    db: &Db,
    actor: Actor,
    slot: Slot,
    buildings: Vec<BuildingRow>,
    coverage: Option<Coverage>,
    summary: Value,
) -> Result<()> {
    db.write(move |tx| {
        let (buildings, summary) = (buildings.clone(), summary.clone());
        Box::pin(async move {
            fence(tx, slot).await?;
            let at = tx.now().await?;
            for batch in batches(&buildings) {
                let mut put = tx.build(PUT_BUILDINGS);
                for (n, row) in batch.iter().enumerate() {
                    put = building(put.push(if n == 0 { "(" } else { ", (" }).bind(slot.org), row);
                    put = put.push(", ").bind(slot.number).push(", ").bind(at).push(")");
                }
                put.push(OVER_BUILDINGS).done().execute().await?;
            }
            if let Some(coverage) = coverage {
                tx.query(
                    "INSERT INTO portfolio_state (org_id, current_import, as_of, first_month, last_month)
                     VALUES ($1, $2, $3, $4, $5)
                     ON CONFLICT (org_id) DO UPDATE SET current_import = excluded.current_import,
                        as_of = excluded.as_of, first_month = excluded.first_month, last_month = excluded.last_month",
                )
                .bind(slot.org)
                .bind(slot.number)
                .bind(coverage.as_of)
                .bind(coverage.first_month)
                .bind(coverage.last_month)
                .execute()
                .await?;
            }
            tx.query(
                "UPDATE portfolio_imports SET state = 'done', summary = $3, ended_at = $4
                 WHERE org_id = $1 AND number = $2",
            )
            .bind(slot.org)
            .bind(slot.number)
            .bind(Json(summary.clone()))
            .bind(at)
            .execute()
            .await?;
            let subject = slot.number.to_string();
            audit::add(tx, slot.org, actor, "portfolio.imported", &subject, summary).await
        })
    })
    .await
}

const PUT_BUILDINGS: &str = "INSERT INTO buildings (org_id, id, name, property_type, address, city, state, \
     postal_code, country, year_built, acquired_date, purchase_price, closing_costs, building_value_share, \
     rentable_area, unit_count, ownership_share, currency, timezone, source, import, created_at) VALUES ";
const OVER_BUILDINGS: &str = " ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, \
     property_type = excluded.property_type, address = excluded.address, city = excluded.city, \
     state = excluded.state, postal_code = excluded.postal_code, country = excluded.country, \
     year_built = excluded.year_built, acquired_date = excluded.acquired_date, \
     purchase_price = excluded.purchase_price, closing_costs = excluded.closing_costs, \
     building_value_share = excluded.building_value_share, rentable_area = excluded.rentable_area, \
     unit_count = excluded.unit_count, ownership_share = excluded.ownership_share, currency = excluded.currency, \
     timezone = excluded.timezone, source = excluded.source, import = excluded.import";
pub const SELECT_BUILDINGS: &str = "SELECT id, name, property_type, address, city, state, postal_code, country, \
     year_built, acquired_date, purchase_price, closing_costs, building_value_share, rentable_area, unit_count, \
     ownership_share, currency, timezone, source FROM buildings WHERE org_id = $1 ORDER BY id";

fn building<'c>(to: Builder<'c>, row: &BuildingRow) -> Builder<'c> {
    to.push(", ")
        .bind(row.id.clone())
        .push(", ")
        .bind(row.name.clone())
        .push(", ")
        .bind(row.property_type.clone())
        .push(", ")
        .bind(row.address.clone())
        .push(", ")
        .bind(row.city.clone())
        .push(", ")
        .bind(row.state.clone())
        .push(", ")
        .bind(row.postal_code.clone())
        .push(", ")
        .bind(row.country.clone())
        .push(", ")
        .bind(row.year_built)
        .push(", ")
        .bind(row.acquired_date)
        .push(", ")
        .bind(row.purchase_price)
        .push(", ")
        .bind(row.closing_costs)
        .push(", ")
        .bind(row.building_value_share)
        .push(", ")
        .bind(row.rentable_area)
        .push(", ")
        .bind(row.unit_count)
        .push(", ")
        .bind(row.ownership_share)
        .push(", ")
        .bind(row.currency.clone())
        .push(", ")
        .bind(row.timezone.clone())
        .push(", ")
        .bind(row.source.clone())
}

/// Abandons the import: removes what it wrote, and restores what it ended.
pub async fn abandon(db: &Db, slot: Slot) -> Result<()> {
    let own = db
        .write(move |tx| {
            Box::pin(async move {
                let mark = tx.query(
                    "UPDATE portfolio_imports SET state = 'abandoned'
                     WHERE org_id = $1 AND number = $2 AND state = 'staging'",
                );
                Ok(mark.bind(slot.org).bind(slot.number).execute().await?)
            })
        })
        .await?;
    if own == 1 { clear(db, slot).await } else { Ok(()) }
}

/// Removes what imports left that have not written anything since the given time. Returns the number of
/// imports.
pub async fn clear_dead(db: &Db, since: DateTime<Utc>) -> Result<usize> {
    let dead: Vec<(OrgId, i64)> = db
        .query(
            "SELECT org_id, number FROM portfolio_imports
             WHERE state IN ('staging', 'abandoned') AND alive_at < $1",
        )
        .bind(since)
        .all()
        .await?;
    let mut cleared = 0;
    for (org, number) in dead {
        let slot = Slot { org, number };
        let own = db
            .write(move |tx| {
                Box::pin(async move {
                    let mark = tx.query(
                        "UPDATE portfolio_imports SET state = 'abandoned'
                         WHERE org_id = $1 AND number = $2 AND state IN ('staging', 'abandoned') AND alive_at < $3",
                    );
                    Ok(mark.bind(org).bind(number).bind(since).execute().await?)
                })
            })
            .await?;
        if own == 1 {
            clear(db, slot).await?;
            cleared += 1;
        }
    }
    Ok(cleared)
}

async fn clear(db: &Db, slot: Slot) -> Result<()> {
    each_table(db, slot, Sweep::Undo).await?;
    db.write(move |tx| {
        Box::pin(async move {
            let at = tx.now().await?;
            let void = tx.query(
                "UPDATE portfolio_imports SET state = 'void', ended_at = $3
                 WHERE org_id = $1 AND number = $2 AND state = 'abandoned'",
            );
            void.bind(slot.org).bind(slot.number).bind(at).execute().await?;
            Ok(())
        })
    })
    .await
}

/// Deletes versions that ended before this import. Those that it ended itself stay until the next import,
/// because readers may still use the previous import number.
pub async fn prune(db: &Db, slot: Slot) -> Result<()> {
    each_table(db, slot, Sweep::Prune).await
}

#[derive(Clone, Copy)]
enum Sweep {
    Undo,
    Prune,
}

async fn each_table(db: &Db, slot: Slot, sweep: Sweep) -> Result<()> {
    table::<AccountRow>(db, slot, sweep).await?;
    table::<UnitRow>(db, slot, sweep).await?;
    table::<MarketRentRow>(db, slot, sweep).await?;
    table::<TenantRow>(db, slot, sweep).await?;
    table::<LeaseRow>(db, slot, sweep).await?;
    table::<LeaseUnitRow>(db, slot, sweep).await?;
    table::<StepRow>(db, slot, sweep).await?;
    table::<LedgerRow>(db, slot, sweep).await?;
    table::<LoanRow>(db, slot, sweep).await?;
    table::<LoanBuildingRow>(db, slot, sweep).await?;
    table::<PaymentRow>(db, slot, sweep).await?;
    table::<ValuationRow>(db, slot, sweep).await?;
    table::<UnitMonthRow>(db, slot, sweep).await
}

async fn table<T: Versioned>(db: &Db, slot: Slot, sweep: Sweep) -> Result<()> {
    let texts: &[&'static str] = match sweep {
        Sweep::Undo => &[T::DROP_SINCE, T::UNDO_UNTIL],
        Sweep::Prune => &[T::DROP_UNTIL],
    };
    let most = i64::try_from(STEP).unwrap_or(i64::MAX);
    for text in texts {
        loop {
            let text: &'static str = text;
            let swept = db
                .write(move |tx| {
                    Box::pin(async move {
                        let swept = tx.query(text).bind(slot.org).bind(slot.number).bind(most);
                        Ok(swept.execute().await?)
                    })
                })
                .await?;
            if swept == 0 {
                break;
            }
        }
    }
    Ok(())
}

/// The current rows of one table.
pub async fn current<T: Versioned>(db: Exec<'_>, org: OrgId) -> Result<Vec<T>> {
    Ok(db.query(T::SELECT).bind(org).all().await?)
}

/// The current rows of one table, for some buildings.
pub async fn current_of<T: Versioned>(db: Exec<'_>, org: OrgId, buildings: &[String]) -> Result<Vec<T>> {
    // The statement starts with the organization as its first placeholder.
    let start = T::SELECT.strip_suffix("$1").unwrap_or(T::SELECT);
    let found = db.build(start).bind(org).push(" AND building_id IN ");
    Ok(found
        .list(buildings.iter().map(String::as_str))
        .done()
        .all()
        .await?)
}

/// The header mapping for an organization's files of one source.
pub async fn mapping(db: &Db, org: OrgId, source: &str) -> Result<Mapping> {
    let found: Vec<(String, String, String)> = db
        .query("SELECT kind, header, field FROM import_headers WHERE org_id = $1 AND source = $2")
        .bind(org)
        .bind(source.to_owned())
        .all()
        .await?;
    let known = found
        .into_iter()
        .filter_map(|(kind, header, field)| Some(((Kind::parse(&kind)?, header), field)));
    Ok(Mapping {
        fields: known.collect(),
    })
}

/// Stores the header mapping for later files of the source.
pub async fn store_mapping(db: &Db, org: OrgId, source: &str, mapping: &Mapping) -> Result<()> {
    if mapping.fields.is_empty() {
        return Ok(());
    }
    let (source, mapping) = (source.to_owned(), mapping.clone());
    db.write(move |tx| {
        let (source, mapping) = (source.clone(), mapping.clone());
        Box::pin(async move {
            for ((kind, header), field) in mapping.fields {
                tx.query(
                    "INSERT INTO import_headers (org_id, source, kind, header, field) VALUES ($1, $2, $3, $4, $5)
                     ON CONFLICT (org_id, source, kind, header) DO UPDATE SET field = excluded.field",
                )
                .bind(org)
                .bind(source.clone())
                .bind(kind.as_str())
                .bind(header)
                .bind(field)
                .execute()
                .await?;
            }
            Ok(())
        })
    })
    .await
}

//! Rows of statements that are composed at run time: each column is read as a plain value. Does not
//! depend on what the columns mean.

use sqlx::postgres::{PgRow, PgTypeInfo};
use sqlx::sqlite::SqliteRow;
use sqlx::{Column as _, FromRow, Row as _, TypeInfo as _, ValueRef as _};

/// One value. A date is text (`2026-10-31`) on both databases, as SQLite stores it.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
}

/// The values of a row in column order. SQLite has no booleans and returns 0 or 1 instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells(pub Vec<Cell>);

impl<'r> FromRow<'r, SqliteRow> for Cells {
    fn from_row(row: &'r SqliteRow) -> Result<Self, sqlx::Error> {
        let cell = |at: usize| {
            let raw = row.try_get_raw(at)?;
            if raw.is_null() {
                return Ok(Cell::Null);
            }
            // The type of the value, not of the column: expressions have no declared type.
            Ok(match raw.type_info().name() {
                "INTEGER" | "INT8" | "BOOLEAN" => Cell::Int(row.try_get_unchecked(at)?),
                "REAL" => Cell::Real(row.try_get_unchecked(at)?),
                "TEXT" | "DATE" | "DATETIME" => Cell::Text(row.try_get_unchecked(at)?),
                other => return Err(unsupported(at, other)),
            })
        };
        (0..row.len()).map(cell).collect::<Result<_, _>>().map(Self)
    }
}

impl<'r> FromRow<'r, PgRow> for Cells {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let cell = |column: &sqlx::postgres::PgColumn| {
            let at = column.ordinal();
            if row.try_get_raw(at)?.is_null() {
                return Ok(Cell::Null);
            }
            let kind: &PgTypeInfo = column.type_info();
            Ok(match kind.name() {
                "BOOL" => Cell::Bool(row.try_get(at)?),
                "INT8" => Cell::Int(row.try_get(at)?),
                "INT4" => Cell::Int(row.try_get::<i32, _>(at)?.into()),
                "FLOAT8" => Cell::Real(row.try_get(at)?),
                "TEXT" => Cell::Text(row.try_get(at)?),
                "DATE" => Cell::Text(row.try_get::<chrono::NaiveDate, _>(at)?.to_string()),
                other => return Err(unsupported(at, other)),
            })
        };
        row.columns().iter().map(cell).collect::<Result<_, _>>().map(Self)
    }
}

/// A column type that is not supported here; the statement should cast it.
fn unsupported(at: usize, kind: &str) -> sqlx::Error {
    sqlx::Error::ColumnDecode {
        index: at.to_string(),
        source: format!("{kind} cannot be read as a plain value").into(),
    }
}

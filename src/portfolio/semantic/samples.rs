//! Sample values of a model's dimensions: the first in sorted order among a limited number of rows.
//!
//! One statement reads the values of all dimensions. A statement for each would read all rows that often, only to
//! find the first of them.

use std::cmp::Ordering;

use chrono::NaiveDate;
use serde_json::{Map, Value as Json};

use crate::base::error::Result;
use crate::db::cells::{Cell, Cells};
use crate::db::snapshot::Snapshot;
use crate::portfolio::semantic::answer::{Shape, shown};
use crate::portfolio::semantic::answering::{Scope, covered, data_date};
use crate::portfolio::semantic::compile::some_rows;
use crate::portfolio::semantic::describe::owners;
use crate::portfolio::semantic::model::{Dimension, Kind, Model};
use crate::portfolio::semantic::statement::Statement;

/// Maximum number of sample values of a dimension.
const SAMPLES: usize = 10;
/// Maximum number of rows that are read for them, of the model and of buildings. SQLite without statistics may look
/// at all rows of a joined table for each.
const ROWS: i64 = 500;

/// Sample values of each dimension of texts or numbers, by its full name.
pub async fn samples_of(
    snapshot: &mut Snapshot,
    scope: Scope,
    model: &'static Model,
    today: NaiveDate,
) -> Result<Map<String, Json>> {
    let covered = covered(snapshot, scope.org).await?;
    let none_visible = scope.is_empty();
    let frame = scope.frame(data_date(covered, today));
    let mut samples = Map::new();
    for owner in owners(model) {
        let sampled = |one: &&Dimension| matches!(one.kind, Kind::Text | Kind::Number(_));
        let dimensions: Vec<&'static Dimension> = owner.dimensions.iter().filter(sampled).collect();
        let mut rows = Vec::new();
        if !none_visible && !dimensions.is_empty() {
            let mut statement = Statement::new(&frame, snapshot.is_sqlite());
            let month = covered.map(|covered| covered.last_month);
            some_rows(&mut statement, owner, &dimensions, month, ROWS);
            rows = statement.run(snapshot).await?;
        }
        for (at, dimension) in dimensions.into_iter().enumerate() {
            let cells = rows.iter().filter_map(|Cells(cells)| cells.get(at));
            let values = first(cells.collect(), dimension.kind);
            samples.insert(format!("{}.{}", owner.name, dimension.name), Json::Array(values));
        }
    }
    Ok(samples)
}

/// The first of the values, which are all texts or all integers.
fn first(mut cells: Vec<&Cell>, kind: Kind) -> Vec<Json> {
    cells.retain(|cell| **cell != Cell::Null);
    cells.sort_unstable_by(|one, other| match (one, other) {
        (Cell::Text(one), Cell::Text(other)) => one.cmp(other),
        (Cell::Int(one), Cell::Int(other)) => one.cmp(other),
        _ => Ordering::Equal,
    });
    cells.dedup();
    let values = cells.into_iter().take(SAMPLES);
    values.map(|cell| shown(cell, Shape::Of(kind), None)).collect()
}

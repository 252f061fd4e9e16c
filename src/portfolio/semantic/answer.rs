//! The answer to a query: rows in the requested format, their annotation, and the date of the data. The size
//! is limited.

use serde::Serialize;
use serde_json::{Map, Number, Value as Json, json};

use crate::db::cells::Cell;
use crate::portfolio::import::cells::minor_digits;
use crate::portfolio::semantic::describe;
use crate::portfolio::semantic::model::{Kind, Unit};
use crate::portfolio::semantic::operators::scale;
use crate::portfolio::semantic::query::{Format, Query};

/// Maximum size of an answer in bytes of JSON.
pub const MAX_BYTES: usize = 256 * 1024;

/// The answer to a query.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub data: Json,
    /// Describes each column.
    pub annotation: Json,
    pub row_count: usize,
    pub limit: i64,
    pub offset: i64,
    /// Whether rows were left out.
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
    /// The date that the numbers are as of.
    pub as_of: Option<String>,
    /// The resolved date ranges, by dimension.
    pub date_ranges: Map<String, Json>,
    /// The currency of all amounts. Absent if there is no money, or if currencies are mixed and each row
    /// names its own.
    pub currency: Option<String>,
    pub warnings: Vec<String>,
}

/// A column of the answer.
pub struct Column {
    pub key: String,
    pub shape: Shape,
}

#[derive(Clone, Copy)]
pub enum Shape {
    Of(Kind),
    Measure(Unit),
    Currency,
}

/// The columns in the order of the statement.
pub fn columns(query: &Query, by_currency: bool) -> Vec<Column> {
    let groups = query.groups.iter().map(|group| Column {
        key: group.key.clone(),
        shape: Shape::Of(group.dimension.of.kind),
    });
    let currency = by_currency.then(|| Column {
        key: format!("{}.currency", query.model.name),
        shape: Shape::Currency,
    });
    let measures = query.measures.iter().map(|one| Column {
        key: one.name.to_owned(),
        shape: Shape::Measure(one.of.unit),
    });
    groups.chain(currency).chain(measures).collect()
}

impl Answer {
    /// Adds rows up to the size limit. If rows are left out, the answer says so.
    pub fn fill(&mut self, format: Format, columns: &[Column], rows: &[Vec<Json>]) {
        let keys: Vec<Json> = columns.iter().map(|column| json!(column.key)).collect();
        // Reserve space for the sentence about omitted rows.
        let around =
            serde_json::to_string(self).map_or(0, |text| text.len()) + json!(keys).to_string().len() + 512;
        let mut left = MAX_BYTES.saturating_sub(around);
        let names: usize = match format {
            Format::Default => columns.iter().map(|column| column.key.len() + 3).sum(),
            Format::Compact | Format::Columnar => 0,
        };
        let fitting = rows.iter().take_while(|row| {
            let size = names + row.iter().map(|value| value.to_string().len() + 1).sum::<usize>() + 3;
            let fits = size <= left;
            left = left.saturating_sub(size);
            fits
        });
        let rows: Vec<&Vec<Json>> = fitting.collect();
        self.row_count = rows.len();
        self.data = match format {
            Format::Default => rows
                .iter()
                .map(|row| {
                    let pairs = columns.iter().zip(row.iter());
                    let object: Map<String, Json> = pairs
                        .map(|(column, value)| (column.key.clone(), value.clone()))
                        .collect();
                    Json::Object(object)
                })
                .collect(),
            Format::Compact => json!({ "members": keys, "dataset": rows }),
            Format::Columnar => {
                let turned: Vec<Vec<&Json>> = (0..columns.len())
                    .map(|at| rows.iter().filter_map(|row| row.get(at)).collect())
                    .collect();
                json!({ "members": keys, "columns": turned })
            }
        };
    }
}

/// Renders a cell for the answer: money in units of the row's currency, days in Cube's format.
pub fn shown(cell: &Cell, shape: Shape, currency: Option<&str>) -> Json {
    let scale = |unit: Unit| match currency {
        Some(currency) if unit.is_money() => minor_digits(currency),
        _ => scale(unit),
    };
    match (cell, shape) {
        (Cell::Null, _) => Json::Null,
        (Cell::Bool(word), _) => json!(word),
        (Cell::Int(number), Shape::Of(Kind::Boolean)) => json!(*number != 0),
        (Cell::Int(number), Shape::Of(Kind::Number(0))) => json!(number),
        (Cell::Int(number), Shape::Of(Kind::Number(scale))) => shifted(*number as f64, scale, scale),
        (Cell::Int(number), Shape::Measure(unit)) if scale(unit) == 0 => json!(number),
        (Cell::Int(number), Shape::Measure(unit)) => shifted(*number as f64, scale(unit), scale(unit)),
        (Cell::Int(number), _) => json!(number),
        (Cell::Real(number), Shape::Measure(unit)) => {
            // Nine decimals of a ratio are more than anyone reads, and hide differences in the last bit.
            let decimals = match unit {
                Unit::Money | Unit::MoneyPer(_) => scale(unit).max(2),
                Unit::Area | Unit::AreaPer(_) => 2,
                Unit::Count | Unit::Share | Unit::Rate | Unit::Multiple | Unit::Years | Unit::Months => 9,
            };
            shifted(*number, scale(unit), decimals)
        }
        (Cell::Real(number), _) => shifted(*number, 0, 9),
        (Cell::Text(day), Shape::Of(kind)) if kind.is_time() => json!(format!("{day}T00:00:00.000")),
        (Cell::Text(text), _) => json!(text),
    }
}

/// Converts a number stored with `scale` decimals, rounded to `decimals`.
fn shifted(kept: f64, scale: u32, decimals: u32) -> Json {
    let power = |digits: u32| 10_f64.powi(i32::try_from(digits).unwrap_or(0));
    // Round while the number is still large: the division then gives the float closest to the decimal.
    let factor = power(decimals.saturating_sub(scale));
    let value = (kept * factor).round() / factor / power(scale);
    Number::from_f64(value).map_or(Json::Null, Json::Number)
}

/// Cube's annotation, with the meaning of each number.
pub fn annotation(query: &Query, currency: Option<&str>) -> Json {
    let measures: Map<String, Json> = query
        .measures
        .iter()
        .map(|one| (one.name.to_owned(), describe::measure(one.of, currency)))
        .collect();
    let (mut dimensions, mut times) = (Map::new(), Map::new());
    for group in &query.groups {
        let mut about = describe::dimension(group.dimension.of);
        if let (Some(granularity), Some(about)) = (group.granularity, about.as_object_mut()) {
            about.insert("granularity".to_owned(), json!(granularity.as_str()));
        }
        let place = if group.timed { &mut times } else { &mut dimensions };
        place.insert(group.key.clone(), about);
    }
    let segments: Map<String, Json> = query
        .segments
        .iter()
        .map(|one| (one.name.to_owned(), describe::segment(one.of)))
        .collect();
    json!({ "measures": measures, "dimensions": dimensions, "segments": segments, "timeDimensions": times })
}

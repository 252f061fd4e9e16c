//! Cells of a table as numbers, dates or texts, and what is computed of a column.

use std::cmp::Ordering;

use chrono::Datelike;
use finance::fault::ratio;
use finance::variable::Unit;
use schemars::JsonSchema;
use serde::Deserialize;
use tables::dates::{self, Order};

use crate::amount::{Amount, Measure, read};
use crate::result::Refusal;

/// What is computed of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    Sum,
    Mean,
    Median,
    Min,
    Max,
    Count,
    WeightedMean,
    Share,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    pub text: String,
    pub number: Option<f64>,
    /// The unit of the number, as in results.
    pub unit: String,
    /// The number, or the day of a date, for comparisons.
    pub order: Option<f64>,
}

/// Reads a cell. A share with a percent sign becomes a fraction.
#[must_use]
pub fn cell(text: &str) -> Cell {
    let text = text.trim();
    if let Some(dated) = dates::date(text, Order::MonthFirst) {
        return Cell {
            text: text.to_owned(),
            order: Some(f64::from(dated.date.num_days_from_ce())),
            ..Cell::default()
        };
    }
    match read(text, Unit::Money) {
        Some(amount) => of_amount(text, &amount),
        None => Cell {
            text: text.to_owned(),
            ..Cell::default()
        },
    }
}

/// The cell of an amount.
#[must_use]
pub fn of_amount(text: &str, amount: &Amount) -> Cell {
    let currency = amount.currency.unwrap_or("USD");
    let (number, unit) = match amount.measure {
        Some(Measure::Percent) => (amount.number / 100.0, "percent".to_owned()),
        Some(Measure::BasisPoints) => (amount.number / 10_000.0, "percent".to_owned()),
        Some(Measure::SquareFeet) => (amount.number, "sqft".to_owned()),
        Some(Measure::Times) => (amount.number, "multiple".to_owned()),
        Some(Measure::Time(crate::amount::Period::Year)) => (amount.number, "years".to_owned()),
        Some(Measure::Time(crate::amount::Period::Month)) => (amount.number, "months".to_owned()),
        _ if amount.basis == Some(crate::amount::Basis::Area) => (amount.number, format!("{currency}/sqft")),
        _ if amount.currency.is_some() => (amount.number, currency.to_owned()),
        _ => (amount.number, "number".to_owned()),
    };
    Cell {
        text: text.to_owned(),
        number: Some(number),
        unit,
        order: Some(number),
    }
}

impl Cell {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        tables::numbers::is_nothing(&self.text)
    }

    /// Whether both are the same number, date or text.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (self.order, other.order) {
            (Some(own), Some(other)) => (own - other).abs() <= 1e-9 * own.abs().max(1.0),
            _ => self.text.trim().eq_ignore_ascii_case(other.text.trim()),
        }
    }

    /// Numbers and dates first, in their order, then texts.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self.order, other.order) {
            (Some(own), Some(other)) => own.total_cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.text.cmp(&other.text),
        }
    }
}

/// One aggregate of the cells of a column. `whole` is the sum of the column over all rows.
///
/// # Errors
/// A cell that is neither empty nor a number, no number at all, or weights that are none.
pub fn aggregate(
    wanted: Aggregate,
    column: &str,
    cells: &[&Cell],
    weights: Option<&[Option<&Cell>]>,
    whole: f64,
) -> Result<Cell, Refusal> {
    if wanted == Aggregate::Count {
        let count = cells.iter().filter(|cell| !cell.is_empty()).count();
        return Ok(of(count as f64, "count"));
    }
    if let Some(text) = cells
        .iter()
        .find(|cell| cell.number.is_none() && !cell.is_empty())
    {
        let what = format!(
            "{column}: \"{}\" is no number. Leave such rows out with where.",
            text.text
        );
        return Err(Refusal::failure("bad_value", what));
    }
    let numbers: Vec<f64> = cells.iter().filter_map(|cell| cell.number).collect();
    let unit = cells
        .iter()
        .find(|cell| cell.number.is_some())
        .map_or("number", |cell| cell.unit.as_str());
    let unit = if unit == "number" {
        by_heading(column)
    } else {
        unit
    };
    let sum: f64 = numbers.iter().sum();
    let fold = |pick: fn(f64, f64) -> f64| numbers.iter().copied().reduce(pick);
    let value = match wanted {
        Aggregate::Sum | Aggregate::Count => Some(sum),
        Aggregate::Share => return Ok(of(ratio(sum, whole, "sum of the column")?, "percent")),
        Aggregate::Mean => ratio(sum, numbers.len() as f64, "number of rows").ok(),
        Aggregate::Min => fold(f64::min),
        Aggregate::Max => fold(f64::max),
        Aggregate::Median => median(numbers),
        Aggregate::WeightedMean => Some(weighted(cells, weights.unwrap_or_default())?),
    };
    let value =
        value.ok_or_else(|| Refusal::failure("no_result", format!("{column}: no row has a number.")))?;
    Ok(of(value, unit))
}

/// The unit of a column of plain numbers, by its heading.
fn by_heading(column: &str) -> &'static str {
    const MONEY: &[&str] = &[
        "amount", "balance", "budget", "cost", "expense", "income", "loan", "noi", "price", "rent",
        "revenue", "tax", "value",
    ];
    let lower = column.to_lowercase();
    let area = ["psf", "per sf", "/sf"].iter().any(|word| lower.contains(word));
    match MONEY.iter().any(|word| lower.contains(word)) {
        true if area => "USD/sqft",
        true => "USD",
        false => "number",
    }
}

fn of(value: f64, unit: &str) -> Cell {
    Cell {
        text: value.to_string(),
        number: Some(value),
        unit: unit.to_owned(),
        order: Some(value),
    }
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    let upper = numbers.get(middle).copied()?;
    if numbers.len() % 2 == 1 {
        return Some(upper);
    }
    Some(f64::midpoint(numbers.get(middle - 1).copied()?, upper))
}

fn weighted(cells: &[&Cell], weights: &[Option<&Cell>]) -> Result<f64, Refusal> {
    let lacking = || Refusal::missing(&[("by", "column of the weights, with a number in each row", false)]);
    let (mut sum, mut all) = (0.0, 0.0);
    for (cell, weight) in cells.iter().zip(weights) {
        let Some(value) = cell.number else { continue };
        let weight = weight.and_then(|weight| weight.number).ok_or_else(lacking)?;
        sum += value * weight;
        all += weight;
    }
    if weights.is_empty() {
        return Err(lacking());
    }
    Ok(ratio(sum, all, "sum of the weights")?)
}

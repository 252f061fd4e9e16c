//! Comparable sales: price, area and adjustment of each.
//!
//! Independent of the subject property and of questions.

use crate::headers::{self, Field};
use crate::table::{Indexed, Row, Table};

/// A sale.
#[derive(Clone, Debug, PartialEq)]
pub struct Comp {
    /// Its row in [`Table::rows`].
    pub row: usize,
    pub name: String,
    pub price: Option<f64>,
    pub area: Option<f64>,
    pub units: Option<f64>,
    /// Price per square foot before adjustment.
    pub per_area: Option<f64>,
    /// As a fraction of the price.
    pub adjustment: Option<f64>,
    /// Price per square foot after adjustment.
    pub adjusted: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comps {
    pub sales: Vec<Comp>,
    pub doubts: Vec<String>,
    pub remarks: Vec<String>,
}

/// Reads the sales of a table.
#[must_use]
pub fn read(table: &Table) -> Comps {
    let table = &Indexed::new(table);
    let mut comps = Comps::default();
    let adjustments = adjustments(table);
    let scale = scale(table, &adjustments, &mut comps);
    for (at, row) in table.rows.iter().enumerate() {
        if row.role == crate::table::Role::Total {
            continue;
        }
        let number = |field: Field| {
            table
                .column(field)
                .and_then(|column| table.number(row, column))
                .map(super::numbers::Number::written)
                .filter(|value| *value > 0.0)
        };
        let (price, area) = (number(Field::Price), number(Field::Area));
        let per_area = price
            .zip(area)
            .map(|(price, area)| price / area)
            .or(number(Field::PricePerArea));
        if price.is_none() && per_area.is_none() {
            continue;
        }
        let adjustment = adjustment(table, row, &adjustments, scale, price);
        let adjusted = number(Field::AdjustedPerArea)
            .or_else(|| {
                number(Field::AdjustedPrice)
                    .zip(area)
                    .map(|(price, area)| price / area)
            })
            .or_else(|| per_area.zip(adjustment).map(|(per, share)| per * (1.0 + share)));
        comps.sales.push(Comp {
            row: at,
            name: name(table, row),
            price,
            area,
            units: number(Field::Units),
            per_area,
            adjustment,
            adjusted,
        });
    }
    comps
}

fn name(table: &Indexed<'_>, row: &Row) -> String {
    let column = table
        .column(Field::Name)
        .or_else(|| table.column(Field::Building))
        .unwrap_or(0);
    table.text(row, column).to_owned()
}

/// The column of net adjustments if there is one, otherwise all columns of adjustments.
fn adjustments(table: &Indexed<'_>) -> Vec<usize> {
    let all: Vec<usize> = (0..table.columns.len())
        .filter(|at| headers::field(table.header(*at)) == Some(Field::Adjustment))
        .collect();
    let net = all.iter().copied().find(|at| {
        headers::words(table.header(*at))
            .iter()
            .any(|word| matches!(word.as_str(), "net" | "total" | "overall"))
    });
    net.map_or(all, |net| vec![net])
}

/// The notation of an adjustment.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    Fraction,
    /// 5 means five percent.
    Points,
    /// An amount of money added to the price.
    Money,
}

fn scale(table: &Indexed<'_>, columns: &[usize], comps: &mut Comps) -> Scale {
    let numbers: Vec<_> = table
        .data()
        .flat_map(|row| columns.iter().filter_map(|at| table.number(row, *at)))
        .collect();
    let largest = numbers
        .iter()
        .map(|number| number.written().abs())
        .fold(0.0, f64::max);
    if numbers.iter().any(|number| number.percent) || largest < 1.0 {
        return Scale::Fraction;
    }
    if largest <= 100.0 && !numbers.iter().any(|number| number.money) {
        comps
            .remarks
            .push("The adjustments are read as percentages.".to_owned());
        return Scale::Points;
    }
    comps
        .remarks
        .push("The adjustments are read as amounts on the price.".to_owned());
    Scale::Money
}

fn adjustment(
    table: &Indexed<'_>,
    row: &Row,
    columns: &[usize],
    scale: Scale,
    price: Option<f64>,
) -> Option<f64> {
    if columns.is_empty() {
        return None;
    }
    let sum: f64 = columns
        .iter()
        .filter_map(|at| table.number(row, *at))
        .map(|number| {
            if scale == Scale::Fraction {
                number.value()
            } else {
                number.written()
            }
        })
        .sum();
    match scale {
        Scale::Fraction => Some(sum),
        Scale::Points => Some(sum / 100.0),
        Scale::Money => price.map(|price| sum / price),
    }
}

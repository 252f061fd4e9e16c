//! Amounts that a header or a title gives in thousands or millions, written out.
//!
//! Knows no kind of table.

use crate::tables::columns::numeric_columns;
use crate::tables::dates::Precision;
use crate::tables::headers;
use crate::tables::numbers::{Decimal, Number};
use crate::tables::table::Table;

/// No amount in thousands is as large: such a column is written out already.
const LARGEST: f64 = 1e7;

/// The table with its amounts written out.
#[must_use]
pub fn written_out(mut table: Table) -> Table {
    let whole = table.titles.iter().find_map(|title| titled(title));
    let scaled: Vec<(usize, f64)> = numeric_columns(&table)
        .into_iter()
        .filter_map(|at| {
            let header = table.header(at);
            let factor = scale(header).or_else(|| whole.filter(|_| is_amount(&table, at)))?;
            let small = table
                .data()
                .filter_map(|row| table.number(row, at))
                .all(|number| number.written().abs() < LARGEST && !number.percent);
            small.then_some((at, factor))
        })
        .collect();
    for (at, factor) in scaled {
        let cells: Vec<Option<String>> = table
            .rows
            .iter()
            .map(|row| {
                let sum = format!("{:.2}", table.number(row, at).map(Number::written)? * factor);
                Some(if table.decimal == Decimal::Comma {
                    sum.replace('.', ",")
                } else {
                    sum
                })
            })
            .collect();
        for (row, cell) in table.rows.iter_mut().zip(cells) {
            if let (Some(own), Some(cell)) = (row.cells.get_mut(at), cell) {
                *own = cell;
            }
        }
    }
    table
}

/// What one of a header's numbers stands for: "USD 000s", "£k", "Amount (in thousands)", "EUR m".
fn scale(header: &str) -> Option<f64> {
    let words = headers::words(header);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    // "Above 5,000" is no scale.
    let zeros = words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        matches!(word.as_str(), "000" | "000s")
            && before
                .is_none_or(|before| before == "1" || !before.starts_with(|sign: char| sign.is_ascii_digit()))
    });
    if zeros
        || has(&[
            "thousand",
            "thousands",
            "teur",
            "tsd",
            "k$",
            "keur",
            "kusd",
            "kgbp",
        ])
        || ["$k", "£k", "€k", "($k)"]
            .iter()
            .any(|sign| header.to_lowercase().contains(sign))
    {
        return Some(1e3);
    }
    let money = has(&["usd", "eur", "gbp", "chf", "$"]) || header.contains(['€', '£']);
    if has(&["million", "millions", "mio", "mn"]) || (money && has(&["mm"])) {
        return Some(1e6);
    }
    None
}

/// "All amounts in USD thousands", "(in 000s)" above the table.
fn titled(title: &str) -> Option<f64> {
    let lower = title.to_lowercase();
    let said = [
        "in thousands",
        "in usd thousand",
        "in eur thousand",
        "in gbp thousand",
        "in 000",
        "(000",
        "'000",
        "$000",
        "£000",
        "€000",
    ]
    .iter()
    .any(|words| lower.contains(words));
    said.then_some(1e3)
}

/// Amounts: no shares, sizes, counts, codes or years.
fn is_amount(table: &Table, at: usize) -> bool {
    let words = headers::words(table.header(at));
    let aside = words.iter().any(|word| {
        matches!(
            word.as_str(),
            "%" | "pct"
                | "percent"
                | "share"
                | "units"
                | "unit"
                | "sf"
                | "sqft"
                | "sqm"
                | "area"
                | "code"
                | "gl"
                | "no"
                | "acct"
                | "account"
                | "number"
                | "psf"
                | "level"
                | "beds"
                | "year"
                | "rate"
                | "id"
        )
    });
    let dates = table
        .data()
        .filter_map(|row| table.date(row, at))
        .any(|dated| dated.precision == Precision::Day && dated.ambiguous);
    !aside && !dates && !table.header(at).is_empty()
}

//! Converts amounts that a header or title declares as thousands or millions to full amounts.
//!
//! Independent of the kind of table.

use std::cell::LazyCell;

use crate::columns::numeric_columns;
use crate::dates::Precision;
use crate::headers;
use crate::numbers::{self, Decimal, Number};
use crate::table::Table;

/// Amounts in thousands are smaller than this; a column with larger ones is already in full amounts.
const LARGEST: f64 = 1e7;

/// The table with full amounts.
#[must_use]
pub fn written_out(mut table: Table) -> Table {
    let numeric = numeric_columns(&table);
    // "Line ($000s)" above the names of the lines refers to the amounts next to them.
    let whole = table.titles.iter().find_map(|title| titled(title)).or_else(|| {
        (0..table.columns.len())
            .filter(|at| numeric.binary_search(at).is_err())
            .find_map(|at| scale(table.header(at)))
    });
    let filled = LazyCell::new(|| table.filled());
    let numbers_of = |at: usize| -> Vec<Number> {
        let rows = filled.get(at).into_iter().flatten();
        rows.filter_map(|row| table.number(row, at)).collect()
    };
    let scaled: Vec<(usize, f64)> = numeric
        .into_iter()
        .filter_map(|at| {
            let header = table.header(at);
            let own = scale(header);
            let factor = own.or_else(|| whole.filter(|_| is_amount(&table, at)))?;
            // A percentage among the amounts of a statement is not scaled.
            let numbers = numbers_of(at);
            let small = numbers
                .iter()
                .all(|number| number.written().abs() < LARGEST && (own.is_none() || !number.percent));
            let shares = numbers.iter().all(|number| number.percent);
            (small && !shares).then_some((at, factor))
        })
        .collect();
    for row in &mut table.rows {
        for (at, factor) in &scaled {
            // The columns are in order: a short row has none of the others.
            let Some(cell) = row.cells.get(*at) else { break };
            let number = numbers::number(cell, table.decimal).filter(|number| !number.percent);
            if let Some(number) = number {
                let sum = format!("{:.2}", number.written() * factor);
                let comma = table.decimal == Decimal::Comma;
                row.cells
                    .set(*at, &if comma { sum.replace('.', ",") } else { sum });
            }
        }
    }
    table
}

/// The factor given by a header: "USD 000s", "£k", "Amount (in thousands)", "EUR m".
fn scale(header: &str) -> Option<f64> {
    let words = headers::words(header);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    // "Above 5,000" is not a scale.
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

/// The factor given by a title: "All amounts in USD thousands", "(in 000s)".
fn titled(title: &str) -> Option<f64> {
    let lower = title.to_lowercase();
    let millions = [
        "in millions",
        "$ millions",
        "$ million",
        "(millions",
        "in usd million",
        "in eur million",
        "in gbp million",
        "(mm)",
        "($mm",
        "in $mm",
    ];
    if millions.iter().any(|words| lower.contains(words)) {
        return Some(1e6);
    }
    let is_thousands = [
        "in thousands",
        "of thousands",
        "thousands of",
        "$ thousand",
        "(thousands",
        "in $k",
        "($k",
        "000s",
        "000's",
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
    is_thousands.then_some(1e3)
}

/// Whether a column contains amounts, and not shares, sizes, counts, codes or years.
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
                | "year"
                | "rate"
                | "id"
                | "occupied"
                | "occupancy"
                | "beds"
                | "tenants"
                | "leases"
                | "months"
                | "years"
                | "term"
                | "dscr"
                | "ltv"
                | "multiple"
                | "floor"
                | "count"
        )
    });
    let dates = table
        .data()
        .filter_map(|row| table.date(row, at))
        .any(|dated| dated.precision == Precision::Day && dated.ambiguous);
    !aside && !dates && !table.header(at).is_empty()
}

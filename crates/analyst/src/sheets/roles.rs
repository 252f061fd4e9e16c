//! Which part a number or a date of a question has beside those that a measure takes: the days of a year, the months of
//! a year, how many rows there are, the day of the first flow.
//!
//! What is taken counts as understood; what does not agree with the table is left.

use chrono::NaiveDate;

use crate::sheets::asked::Measure;
use crate::sheets::words::{Kind as WordKind, Words};
use tables::dates::Precision;
use tables::table::Table;

/// Takes the numbers whose part is clear.
pub(crate) fn settle(words: &mut Words, measures: &[Measure], table: &Table) {
    let dated = measures
        .iter()
        .any(|measure| matches!(measure, Measure::Irr | Measure::Npv));
    let rows = table.data().count();
    let first = dated.then(|| earliest(table)).flatten();
    for at in 0..words.all.len() {
        // "Rounded to two decimals": how it is shown.
        if matches!(words.stem_at(at + 1), "decimal" | "digit") && at > 0 {
            words.mark(at, 2);
        }
        let Some(word) = words.all.get(at).filter(|word| !word.used) else {
            continue;
        };
        let taken = match &word.kind {
            WordKind::Date(date) => first == Some(date.date),
            WordKind::Number(number) => {
                let Some(count) = number.scaled(0).filter(|_| !number.money && !number.percent) else {
                    continue;
                };
                (dated && count == 365)
                    || (count == 12 && words.stem_at(at + 1) == "month")
                    || (usize::try_from(count) == Ok(rows) && counts(words, at))
            }
            WordKind::Plain => match spelled(&word.stem) {
                Some(12) if words.stem_at(at + 1) == "month" => true,
                Some(count) => count == rows && counts(words, at),
                None => false,
            },
        };
        if taken {
            words.mark(at, 1);
        }
    }
}

/// The earliest day under any column of days.
fn earliest(table: &Table) -> Option<NaiveDate> {
    let column = tables::columns::date_column(table)?;
    table
        .data()
        .filter_map(|row| table.date(row, column))
        .filter(|dated| dated.precision == Precision::Day)
        .map(|dated| dated.date)
        .min()
}

/// The date that is left where a measure needs exactly one.
pub(crate) fn only_date(words: &mut Words) -> Option<NaiveDate> {
    let dates = words.dates();
    let [(at, dated)] = dates.as_slice() else {
        return None;
    };
    words.mark(*at, 1);
    Some(dated.last_day())
}

/// "Five sales", "these three neighbouring buildings", "six-plex": a number of rows.
fn counts(words: &Words, at: usize) -> bool {
    (1..=3).any(|ahead| {
        let near = (at + 1..=at + ahead).all(|place| words.all.get(place).is_some_and(|word| !word.begins));
        near && matches!(
            words.stem_at(at + ahead),
            "unit"
                | "flat"
                | "apartment"
                | "suite"
                | "lease"
                | "tenant"
                | "tenancy"
                | "sale"
                | "comp"
                | "comparable"
                | "building"
                | "transaction"
                | "flow"
                | "payment"
                | "row"
                | "line"
                | "plex"
                | "deal"
                | "space"
                | "entry"
                | "letting"
                | "occupier"
                | "property"
                | "home"
                | "cash"
                | "item"
        )
    })
}

fn spelled(word: &str) -> Option<usize> {
    const WORDS: &[&str] = &[
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    WORDS.iter().position(|own| *own == word).map(|at| at + 2)
}

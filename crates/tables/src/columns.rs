//! Recognizes columns of dates and of numbers by their contents.
//!
//! Independent of the kind of table.

use std::iter::zip;

use crate::dates;
use crate::headers::Field;
use crate::numbers;
use crate::table::{Row, Table};

/// The date column: by its header, or the only column that contains nothing but dates.
#[must_use]
pub fn date_column(table: &Table) -> Option<usize> {
    if let Some(at) = table.column(Field::Date) {
        // A header "Month" above 1, 2, 3 counts periods.
        let all = table.data().filter(|row| !table.text(row, at).is_empty()).count();
        let read = table.data().filter(|row| table.date(row, at).is_some()).count();
        if read > 0 && read * 2 > all {
            return Some(at);
        }
    }
    let filled = table.filled();
    zip(&table.columns, &filled)
        .enumerate()
        .find_map(|(at, (column, rows))| {
            let dated = |row: &&Row| dates::date(table.text(row, at), column.order).is_some();
            (rows.len() >= 2 && rows.iter().all(dated)).then_some(at)
        })
}

/// Columns in which at least half of the filled cells are numbers and none is a date.
#[must_use]
pub fn numeric_columns(table: &Table) -> Vec<usize> {
    let filled = table.filled();
    zip(&table.columns, &filled)
        .enumerate()
        .filter(|(at, (column, rows))| {
            let says = |row: &&&Row| !numbers::is_nothing(table.text(row, *at));
            let number = |row: &&&Row| table.number(row, *at).is_some();
            let date = |row: &&&Row| dates::date(table.text(row, *at), column.order).is_some();
            let count = rows.iter().filter(number).count();
            count > 0
                && count * 2 >= rows.iter().filter(says).count()
                && rows.iter().filter(date).count() * 2 < rows.len().max(1)
        })
        .map(|(at, _)| at)
        .collect()
}

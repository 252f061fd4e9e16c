//! Recognizes columns of dates and of numbers by their contents.
//!
//! Independent of the kind of table.

use crate::dates;
use crate::headers::Field;
use crate::table::Table;

/// The date column: by its header, or the only column that contains nothing but dates.
#[must_use]
pub fn date_column(table: &Table) -> Option<usize> {
    let dates_in = |at: usize| {
        let rows: Vec<_> = table
            .data()
            .filter(|row| !table.text(row, at).is_empty())
            .collect();
        let dated = rows
            .iter()
            .filter(|row| {
                table
                    .columns
                    .get(at)
                    .is_some_and(|column| dates::date(table.text(row, at), column.order).is_some())
            })
            .count();
        (rows.len(), dated)
    };
    if let Some(at) = table.column(Field::Date) {
        // A header "Month" above 1, 2, 3 counts periods.
        let (all, _) = dates_in(at);
        let read = table.data().filter(|row| table.date(row, at).is_some()).count();
        if read > 0 && read * 2 > all {
            return Some(at);
        }
    }
    (0..table.columns.len()).find(|at| {
        let (all, dated) = dates_in(*at);
        all >= 2 && dated == all
    })
}

/// Columns in which at least half of the filled cells are numbers and none is a date.
#[must_use]
pub fn numeric_columns(table: &Table) -> Vec<usize> {
    (0..table.columns.len())
        .filter(|at| {
            let filled = table
                .data()
                .filter(|row| !table.text(row, *at).is_empty())
                .count();
            let numbers = table
                .data()
                .filter(|row| table.number(row, *at).is_some())
                .count();
            let order = table
                .columns
                .get(*at)
                .map(|column| column.order)
                .unwrap_or_default();
            let dated = table
                .data()
                .filter(|row| dates::date(table.text(row, *at), order).is_some())
                .count();
            numbers > 0 && numbers * 2 >= filled && dated * 2 < filled.max(1)
        })
        .collect()
}

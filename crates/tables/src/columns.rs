//! Recognizes columns of dates and of numbers by their contents.
//!
//! Independent of the kind of table.

use std::iter::zip;

use crate::dates;
use crate::headers::Field;
use crate::numbers;
use crate::table::{Column, Row, Table};
use crate::work::charge;

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

/// Columns in which at least half of the filled cells are numbers and most are no dates. Of very many cells, some are
/// read from each part of the table.
#[must_use]
pub fn numeric_columns(table: &Table) -> Vec<usize> {
    let mut columns = vec![Seen::default(); table.columns.len()];
    let mut each = |see: fn(&mut Seen, &Table, &Column, &str)| {
        for row in table.data() {
            charge(row.cells.len());
            let cells = zip(&table.columns, row.cells.iter());
            for (seen, (column, cell)) in zip(&mut columns, cells).filter(|(_, (_, cell))| !cell.is_empty()) {
                see(seen, table, column, cell);
            }
        }
    };
    each(|seen, _, _, _| seen.filled += 1);
    each(Seen::read);
    let numeric =
        |seen: &Seen| seen.numbers > 0 && seen.numbers * 2 >= seen.said && seen.dates * 2 < seen.read;
    (0..)
        .zip(&columns)
        .filter(|(_, seen)| numeric(seen))
        .map(|(at, _)| at)
        .collect()
}

/// The rows in which a cell of a column is filled; of very many, some from each part of the table.
pub fn some_filled(table: &Table, column: usize) -> impl Iterator<Item = &Row> {
    let rows = move || {
        table
            .data()
            .filter(move |row| !table.text(row, column).is_empty())
    };
    rows().step_by(rows().count() / ENOUGH + 1)
}

/// So many cells tell what a column has.
const ENOUGH: usize = 2_000;

/// What the filled cells of a column are.
#[derive(Clone, Default)]
struct Seen {
    filled: usize,
    passed: usize,
    read: usize,
    numbers: usize,
    dates: usize,
    /// Cells that say more than that there is no value.
    said: usize,
}

impl Seen {
    fn read(&mut self, table: &Table, column: &Column, cell: &str) {
        self.passed += 1;
        if !self.passed.is_multiple_of(self.filled / ENOUGH + 1) {
            return;
        }
        self.read += 1;
        self.said += usize::from(!numbers::is_nothing(cell));
        self.numbers += usize::from(numbers::number(cell, table.decimal).is_some());
        self.dates += usize::from(dates::date(cell, column.order).is_some());
    }
}

/// The numbers of a row by column.
pub(crate) fn numbers_of(table: &Table, row: &Row) -> Vec<Option<f64>> {
    let cells = row.cells.iter();
    cells
        .map(|cell| numbers::number(cell, table.decimal).map(numbers::Number::value))
        .collect()
}

/// Whether a cell is a name: neither empty, nor a number, nor a date.
pub(crate) fn is_name(cell: &str) -> bool {
    !cell.is_empty()
        && numbers::number(cell, numbers::Decimal::Point).is_none()
        && dates::date(cell, dates::Order::MonthFirst).is_none()
}

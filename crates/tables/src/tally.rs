//! The account of a table: how many of its lines are data and what the others are, and whether its printed totals agree
//! with its rows.
//!
//! Independent of questions.

use crate::numbers::Number;
use crate::sums::same;
use crate::table::{Role, Row, Table, What};
use crate::totals::is_average;

/// What became of the lines of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Rows that are data.
    pub data: usize,
    pub totals: usize,
    /// Page numbers, times of printing and the like.
    pub print: usize,
    /// Lines of another table below.
    pub another: usize,
    /// The last printed total of each column.
    pub printed: Vec<Printed>,
}

/// A printed total of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    pub line: usize,
    pub column: usize,
    pub value: f64,
    /// The sum of all data rows.
    pub sum: f64,
}

impl Printed {
    #[must_use]
    pub fn agrees(&self) -> bool {
        same(self.value, self.sum)
    }
}

impl Tally {
    #[must_use]
    pub fn of(table: &Table) -> Self {
        let print = table
            .aside
            .iter()
            .filter(|aside| aside.what == What::Print)
            .count();
        let totals = table.rows.iter().filter(|row| row.role == Role::Total).count();
        Self {
            data: table.rows.len() - totals,
            totals,
            print,
            another: table.aside.len() - print,
            printed: printed(table),
        }
    }

    /// All lines but headings.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.data + self.totals + self.print + self.another
    }
}

/// The totals behind all data rows. Those in between are of a section.
fn printed(table: &Table) -> Vec<Printed> {
    let last = table.rows.iter().rposition(|row| row.role != Role::Total);
    let behind = table.rows.iter().skip(last.map_or(0, |last| last + 1));
    let totals: Vec<&Row> = behind
        .filter(|row| !row.cells.iter().any(|cell| is_average(cell)))
        .collect();
    let value = |row: &Row, at: usize| table.number(row, at).map(Number::value);
    let mut found = Vec::new();
    for column in 0..table.columns.len() {
        // The grand total is the last one, behind those of sections.
        let last = totals
            .iter()
            .rev()
            .find_map(|row| Some((row.line, value(row, column)?)));
        let Some((line, printed)) = last else { continue };
        found.push(Printed {
            line,
            column,
            value: printed,
            sum: table.data().filter_map(|row| value(row, column)).sum(),
        });
    }
    found
}

//! Compares a row with the sums of the rows above it. Each row is added once, however many rows are compared.
//!
//! Independent of labels.

use crate::table::{Role, Row, Table};

/// The sums of all data rows of a table, and of those of its last section.
#[derive(Default)]
pub(crate) struct Sums {
    section: Running,
    all: Running,
}

impl Sums {
    /// Whether each number of a row is the sum of those above it, in its section (from row `since`) or in the whole
    /// table.
    pub(crate) fn matches(&mut self, table: &Table, row: &Row, since: usize) -> bool {
        self.section.matches(table, row, since) || self.all.matches(table, row, 0)
    }
}

/// The sums of the data rows between two rows.
#[derive(Default)]
struct Running {
    from: usize,
    to: usize,
    rows: usize,
    columns: Vec<f64>,
}

impl Running {
    fn matches(&mut self, table: &Table, row: &Row, from: usize) -> bool {
        if self.from != from {
            *self = Self {
                from,
                to: from,
                ..Self::default()
            };
        }
        for above in table.rows.iter().skip(self.to) {
            if above.role == Role::Data {
                self.add(table, above);
            }
        }
        self.to = table.rows.len().max(from);
        if self.rows < 2 {
            return false;
        }
        let mut compared = 0;
        let equal = (0..row.cells.len()).all(|at| {
            let Some(own) = table.number(row, at) else {
                return true;
            };
            let sum = self.columns.get(at).copied().unwrap_or(0.0);
            compared += 1;
            (own.value() - sum).abs() <= 0.01_f64.max(sum.abs() * 1e-9)
        });
        equal && compared > 0
    }

    fn add(&mut self, table: &Table, row: &Row) {
        self.rows += 1;
        if self.columns.len() < row.cells.len() {
            self.columns.resize(row.cells.len(), 0.0);
        }
        for (at, sum) in self.columns.iter_mut().enumerate().take(row.cells.len()) {
            *sum += table.number(row, at).map_or(0.0, super::numbers::Number::value);
        }
    }
}

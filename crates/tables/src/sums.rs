//! Compares a row with the sums and counts of the rows above it. Each row is added once, however many are compared.
//!
//! Independent of labels.

use crate::numbers::Number;
use crate::table::{Role, Row, Table};

/// The sums of all data rows of a table, and of those of its last section.
#[derive(Default)]
pub(crate) struct Sums {
    section: Running,
    all: Running,
}

/// How many cells of a row are what the rows above make, and how many are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Cells that are the sum of those above, and not zero.
    pub(crate) sums: usize,
    /// Cells that count the rows above, such as "4 Units".
    pub(crate) counts: usize,
    /// Numbers that are neither.
    pub(crate) others: usize,
}

impl Compared {
    /// Nothing in the row is its own.
    pub(crate) fn is_total(self) -> bool {
        self.others == 0 && self.sums + self.counts > 0
    }

    /// Some numbers are averages or rates, which are no sums.
    pub(crate) fn is_mostly_total(self) -> bool {
        self.sums > 0 && self.sums + self.counts > 2 * self.others
    }
}

impl Sums {
    /// Compares a row with the rows above it: with those of its section (from row `since`) or of the whole table,
    /// whichever it fits better.
    pub(crate) fn compare(&mut self, table: &Table, row: &Row, since: usize) -> Compared {
        let section = self.section.compare(table, row, since);
        let all = self.all.compare(table, row, 0);
        if section.others <= all.others && section.sums + section.counts > 0 {
            section
        } else {
            all
        }
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
    fn compare(&mut self, table: &Table, row: &Row, from: usize) -> Compared {
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
        let mut compared = Compared::default();
        if self.rows < 2 {
            return Compared {
                others: 1,
                ..compared
            };
        }
        for (at, cell) in row.cells.iter().enumerate() {
            match table.number(row, at).map(Number::value) {
                Some(own) => {
                    let sum = self.columns.get(at).copied().unwrap_or(0.0);
                    match (same(own, sum), own == 0.0) {
                        (true, false) => compared.sums += 1,
                        (true, true) => {}
                        (false, _) if same(own, self.rows as f64) => compared.counts += 1,
                        (false, _) => compared.others += 1,
                    }
                }
                None if counts(cell) == Some(self.rows) => compared.counts += 1,
                None => {}
            }
        }
        compared
    }

    fn add(&mut self, table: &Table, row: &Row) {
        self.rows += 1;
        if self.columns.len() < row.cells.len() {
            self.columns.resize(row.cells.len(), 0.0);
        }
        for (at, sum) in self.columns.iter_mut().enumerate().take(row.cells.len()) {
            *sum += table.number(row, at).map_or(0.0, Number::value);
        }
    }
}

/// Whether two sums are equal except for rounding.
pub(crate) fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 0.01_f64.max(other.abs() * 1e-9)
}

/// The number in a text that has just one: "4 Units", "Units: 4".
fn counts(cell: &str) -> Option<usize> {
    let digits = |sign: char| !sign.is_ascii_digit();
    let mut numbers = cell.split(digits).filter(|part| !part.is_empty());
    let only = numbers.next().filter(|_| numbers.next().is_none())?;
    cell.contains(char::is_alphabetic)
        .then(|| only.parse().ok())
        .flatten()
}

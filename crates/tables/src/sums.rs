//! Compares a row with the sums and counts of the rows above it. Each row is added once, however many are compared.
//!
//! Independent of labels.

use crate::cells::Cells;

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
    /// Compares a row with the rows above it: with those of its section or of the whole table, whichever it fits
    /// better. They are at least so many.
    pub(crate) fn compare(&self, cells: &Cells, numbers: &[Option<f64>], least: usize) -> Compared {
        let section = self.section.compare(cells, numbers, least);
        let all = self.all.compare(cells, numbers, least);
        if section.others <= all.others && section.sums + section.counts > 0 {
            section
        } else {
            all
        }
    }

    /// Adds a data row.
    pub(crate) fn add(&mut self, numbers: &[Option<f64>]) {
        self.section.add(numbers);
        self.all.add(numbers);
    }

    /// The rows from here on are of another section.
    pub(crate) fn begin_section(&mut self) {
        self.section = Running::default();
    }

    /// The sums of all columns.
    pub(crate) fn into_all(self) -> Vec<f64> {
        self.all.columns
    }
}

/// The sums of some rows.
#[derive(Default)]
struct Running {
    rows: usize,
    columns: Vec<f64>,
}

impl Running {
    fn compare(&self, cells: &Cells, numbers: &[Option<f64>], least: usize) -> Compared {
        let mut compared = Compared::default();
        if self.rows < least {
            return Compared {
                others: 1,
                ..compared
            };
        }
        for ((at, cell), own) in cells.iter().enumerate().zip(numbers) {
            match own {
                Some(own) => {
                    let sum = self.columns.get(at).copied().unwrap_or(0.0);
                    match (same(*own, sum), *own == 0.0) {
                        (true, false) => compared.sums += 1,
                        (true, true) => {}
                        (false, _) if same(*own, self.rows as f64) => compared.counts += 1,
                        (false, _) => compared.others += 1,
                    }
                }
                None if counts(cell) == Some(self.rows) => compared.counts += 1,
                None => {}
            }
        }
        compared
    }

    fn add(&mut self, numbers: &[Option<f64>]) {
        self.rows += 1;
        if self.columns.len() < numbers.len() {
            self.columns.resize(numbers.len(), 0.0);
        }
        for (sum, own) in self.columns.iter_mut().zip(numbers) {
            *sum += own.unwrap_or(0.0);
        }
    }
}

/// Whether two sums are equal except for rounding.
pub(crate) fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 0.01_f64.max(other.abs() * 1e-9)
}

/// The number in a text that has just one: "4 Units", "Units: 4".
pub(crate) fn counts(cell: &str) -> Option<usize> {
    let digits = |sign: char| !sign.is_ascii_digit();
    let mut numbers = cell.split(digits).filter(|part| !part.is_empty());
    let only = numbers.next().filter(|_| numbers.next().is_none())?;
    cell.contains(char::is_alphabetic)
        .then(|| only.parse().ok())
        .flatten()
}

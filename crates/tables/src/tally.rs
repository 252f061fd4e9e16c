//! The account of a table: how many of its lines are data and what the others are, and whether its printed totals agree
//! with its rows.
//!
//! Independent of questions.

use crate::headers::Field;
use crate::numbers::Number;
use crate::sums::same;
use crate::table::{Role, Row, Table, What};
use crate::totals::{Named, is_average, named};

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
    /// Printed sums of the columns before them, where they differ.
    pub across: Option<Across>,
}

/// A column that has the sum of those before it in most rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Across {
    pub column: usize,
    /// The first of its parts.
    first: usize,
    /// The sum of the column.
    pub printed: f64,
    /// The sum of the columns before it.
    pub made: f64,
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
            across: Across::of(table).filter(Across::differs),
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
    let totals: Vec<&Row> = behind.filter(|row| !row.cells.iter().any(is_average)).collect();
    let value = |row: &Row, at: usize| table.number(row, at).map(Number::value);
    let mut found = Vec::new();
    for column in 0..table.columns.len() {
        // The grand total is the last one, behind those of sections.
        let last = totals
            .iter()
            .rev()
            .find_map(|row| Some((row.line(), value(row, column)?)));
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

/// So many columns before a sum may be its parts.
const PARTS: usize = 24;

/// The parts of a column from one column on, in all rows.
#[derive(Clone, Copy, Default)]
struct Parts {
    first: usize,
    /// Rows in which they make the sum.
    agreeing: usize,
    /// Those of them with at least two parts.
    telling: usize,
    made: f64,
}

impl Across {
    /// The first column of sums of those directly before it.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        (2..table.columns.len()).find_map(|column| Self::in_column(table, column))
    }

    fn in_column(table: &Table, column: usize) -> Option<Self> {
        let field = table.columns.get(column)?.field;
        let is_named =
            matches!(field, Some(Field::Total | Field::Balance)) || named(table.header(column)) != Named::No;
        let value = |row: &Row, at: usize| table.number(row, at).map(Number::written);
        let mut parts: Vec<Parts> = (column.saturating_sub(PARTS)..column - 1)
            .map(|first| Parts {
                first,
                ..Parts::default()
            })
            .collect();
        let (mut rows, mut printed) = (0, 0.0);
        for row in table.data() {
            let Some(own) = value(row, column) else { continue };
            let last = value(row, column - 1).unwrap_or(0.0);
            let (mut made, mut filled) = (last, usize::from(last != 0.0));
            for part in parts.iter_mut().rev() {
                let amount = value(row, part.first).unwrap_or(0.0);
                made += amount;
                filled += usize::from(amount != 0.0);
                let agrees = same(own, made);
                part.agreeing += usize::from(agrees);
                part.telling += usize::from(agrees && filled > 1);
                part.made += made;
            }
            rows += 1;
            printed += own;
            // A column that has nothing to do with those before it is seen from its first rows.
            if rows == SEEN && parts.iter().all(|part| part.agreeing == 0) {
                return None;
            }
        }
        let best = parts.into_iter().max_by_key(|part| part.agreeing)?;
        let least = if is_named { 2 } else { 3 };
        (best.telling >= least && best.agreeing * 2 >= rows).then_some(Self {
            column,
            first: best.first,
            printed,
            made: best.made,
        })
    }

    /// Whether a column is the sum or one of its parts.
    #[must_use]
    pub fn holds(&self, column: usize) -> bool {
        (self.first..=self.column).contains(&column)
    }

    fn differs(&self) -> bool {
        !same(self.printed, self.made)
    }
}

/// Rows after which a column without a sum is given up.
const SEEN: usize = 20;

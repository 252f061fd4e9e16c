//! A table with interpreted headers: the field of each column, the role of each row, and the notation of its
//! numbers and dates.
//!
//! Independent of the kind of table and of questions. `layout` builds it.

use std::collections::HashMap;
use std::iter::zip;
use std::ops::Deref;

use chrono::NaiveDate;

use crate::cells::{Cells, narrow};
use crate::dates::{self, Dated, Order};
use crate::headers::Field;
use crate::numbers::{self, Decimal, Number};
use crate::work::charge;

/// A column with its header.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The header as written, with its lines merged. Empty if there is none.
    pub header: String,
    /// The field. If several columns have the same field, only the first one gets it.
    pub field: Option<Field>,
    /// The month, in a statement with months as columns.
    pub month: Option<NaiveDate>,
    /// The order of day and month in its dates.
    pub order: Order,
    /// Whether some dates are ambiguous and nothing resolves them.
    pub ambiguous: bool,
}

/// The role of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Data,
    /// A sum, an average or a count of the rows above.
    Total,
    /// Labelled as a total, but with all fields of a data row: "Total Wine" is a tenant, "Total income" a
    /// sum.
    NamedTotal,
}

/// A row of a table. A large one has many: it is kept small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub cells: Cells,
    line: u32,
    section: Option<u32>,
    pub role: Role,
}

impl Row {
    pub(crate) fn new(line: usize, cells: Cells, section: Option<usize>) -> Self {
        Self {
            cells,
            line: narrow(line),
            section: section.map(narrow),
            role: Role::Data,
        }
    }

    /// The line of the file where the row starts.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line as usize
    }

    /// The section heading of the row, as an index in [`Table::sections`].
    #[must_use]
    pub fn section(&self) -> Option<usize> {
        self.section.map(|section| section as usize)
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Lines above the header, such as a name, a period or a date.
    pub titles: Vec<String>,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// Headings between the rows.
    pub sections: Vec<String>,
    /// Lines below and between the rows that are no part of the table.
    pub aside: Vec<Aside>,
    pub decimal: Decimal,
}

/// A line that is no part of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aside {
    pub line: usize,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A page number, the time of printing, a note next to the table.
    Print,
    /// A line of another table below this one.
    AnotherTable,
}

impl Table {
    /// The column of a field.
    #[must_use]
    pub fn column(&self, field: Field) -> Option<usize> {
        charge(1 + self.columns.len() / 16);
        self.columns.iter().position(|column| column.field == Some(field))
    }

    #[must_use]
    pub fn has(&self, field: Field) -> bool {
        self.column(field).is_some()
    }

    /// The header of a column, or an empty text.
    #[must_use]
    pub fn header(&self, column: usize) -> &str {
        self.columns
            .get(column)
            .map_or("", |column| column.header.as_str())
    }

    /// The data rows, including those that are only labelled as a total.
    pub fn data(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.role != Role::Total)
    }

    /// For each column, the data rows in which its cell is not empty.
    pub(crate) fn filled(&self) -> Vec<Vec<&Row>> {
        let mut filled = vec![Vec::new(); self.columns.len()];
        for row in self.data() {
            charge(row.cells.len());
            for (rows, _) in zip(&mut filled, row.cells.iter()).filter(|(_, cell)| !cell.is_empty()) {
                rows.push(row);
            }
        }
        filled
    }

    #[must_use]
    pub fn text<'a>(&self, row: &'a Row, column: usize) -> &'a str {
        charge(1);
        row.cells.get(column).unwrap_or_default()
    }

    /// The text of a field; empty if the table has no such column.
    #[must_use]
    pub fn text_of<'a>(&self, row: &'a Row, field: Field) -> &'a str {
        self.column(field).map_or("", |column| self.text(row, column))
    }

    #[must_use]
    pub fn number(&self, row: &Row, column: usize) -> Option<Number> {
        numbers::number(self.text(row, column), self.decimal)
    }

    /// The date of a cell, also if it is a spreadsheet serial number.
    #[must_use]
    pub fn date(&self, row: &Row, column: usize) -> Option<Dated> {
        let own = self.columns.get(column)?;
        let text = self.text(row, column);
        dates::date(text, own.order).or_else(|| {
            let number = numbers::number(text, Decimal::Point)?;
            (!number.money && !number.percent).then_some(())?;
            dates::serial(number.value()).map(|date| Dated {
                date,
                precision: dates::Precision::Day,
                ambiguous: false,
            })
        })
    }

    /// The section heading of a row.
    #[must_use]
    pub fn section(&self, row: &Row) -> Option<&str> {
        self.sections.get(row.section()?).map(String::as_str)
    }

    /// The columns that are months, with their month.
    #[must_use]
    pub fn months(&self) -> Vec<(usize, NaiveDate)> {
        self.columns
            .iter()
            .enumerate()
            .filter_map(|(at, column)| column.month.map(|month| (at, month)))
            .collect()
    }
}

/// A table with an index of its fields, for readers that look up fields in each row.
pub(crate) struct Indexed<'a> {
    table: &'a Table,
    columns: HashMap<Field, usize>,
}

impl<'a> Indexed<'a> {
    pub(crate) fn new(table: &'a Table) -> Self {
        let columns = table.columns.iter().enumerate().rev();
        Self {
            columns: columns
                .filter_map(|(at, column)| Some((column.field?, at)))
                .collect(),
            table,
        }
    }

    /// The same as [`Table::column`].
    pub(crate) fn column(&self, field: Field) -> Option<usize> {
        self.columns.get(&field).copied()
    }

    /// The same as [`Table::has`].
    pub(crate) fn has(&self, field: Field) -> bool {
        self.columns.contains_key(&field)
    }

    /// The same as [`Table::text_of`].
    pub(crate) fn text_of<'r>(&self, row: &'r Row, field: Field) -> &'r str {
        self.column(field)
            .map_or("", |column| self.table.text(row, column))
    }
}

impl Deref for Indexed<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.table
    }
}

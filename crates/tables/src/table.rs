//! A table with its headers understood: what each column holds, which rows are data, which are totals, and how its
//! numbers and dates are written.
//!
//! Knows no kind of table and no question. How the parts are found is `layout`'s.

use chrono::NaiveDate;

use crate::dates::{self, Dated, Order};
use crate::headers::Field;
use crate::numbers::{self, Decimal, Number};

/// A column under its header.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// As it stands in the file, lines merged. Empty where there is none.
    pub header: String,
    /// The first column of a field has it; a second one has none.
    pub field: Option<Field>,
    /// The month of a statement that runs across.
    pub month: Option<NaiveDate>,
    /// How its dates are ordered.
    pub order: Order,
    /// Some of its dates can be read in two ways and nothing says which.
    pub ambiguous: bool,
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Data,
    /// A sum, an average or a count of rows above.
    Total,
    /// Called a total, but with all that a row of data has: "Total Wine" is a tenant, "Total income" a sum.
    NamedTotal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line of the file it begins in.
    pub line: usize,
    pub cells: Vec<String>,
    pub role: Role,
    /// The heading it stands under, as a place in [`Table::sections`].
    pub section: Option<usize>,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Lines above the header: a name, a period, a date.
    pub titles: Vec<String>,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// Headings between the rows.
    pub sections: Vec<String>,
    pub decimal: Decimal,
}

impl Table {
    /// Where a field stands.
    #[must_use]
    pub fn column(&self, field: Field) -> Option<usize> {
        self.columns.iter().position(|column| column.field == Some(field))
    }

    #[must_use]
    pub fn has(&self, field: Field) -> bool {
        self.column(field).is_some()
    }

    /// The header over a column, or the empty text.
    #[must_use]
    pub fn header(&self, column: usize) -> &str {
        self.columns
            .get(column)
            .map_or("", |column| column.header.as_str())
    }

    /// Rows that are data beyond doubt, and those that are only called a total.
    pub fn data(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.role != Role::Total)
    }

    #[must_use]
    pub fn text<'a>(&self, row: &'a Row, column: usize) -> &'a str {
        row.cells.get(column).map_or("", String::as_str)
    }

    /// The text under a field; empty where the table has no such column.
    #[must_use]
    pub fn text_of<'a>(&self, row: &'a Row, field: Field) -> &'a str {
        self.column(field).map_or("", |column| self.text(row, column))
    }

    #[must_use]
    pub fn number(&self, row: &Row, column: usize) -> Option<Number> {
        numbers::number(self.text(row, column), self.decimal)
    }

    /// The date of a cell, also where a spreadsheet left its serial number.
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

    /// The heading over a row.
    #[must_use]
    pub fn section(&self, row: &Row) -> Option<&str> {
        self.sections.get(row.section?).map(String::as_str)
    }

    /// Months that run across, with their columns.
    #[must_use]
    pub fn months(&self) -> Vec<(usize, NaiveDate)> {
        self.columns
            .iter()
            .enumerate()
            .filter_map(|(at, column)| column.month.map(|month| (at, month)))
            .collect()
    }
}

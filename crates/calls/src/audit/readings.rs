//! What a number or date of a text can mean.

use std::ops::Range;

use chrono::NaiveDate;

/// A number or a date of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its bytes in the text, with sign, currency and unit.
    pub range: Range<usize>,
    /// What it can mean. Empty if it cannot be read, for instance because it is too long.
    pub readings: Vec<Reading>,
    /// Whether it is only digits: no currency, multiple or unit.
    pub bare: bool,
}

/// One meaning of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// A value, and what one unit of its last shown digit is worth: 1,200,000 and 100,000 for "$1.2m".
    Amount { kind: Kind, value: f64, step: f64 },
    /// The days that a date, month, quarter or year covers. A date without a year has [`NO_YEAR`].
    Days { first: NaiveDate, last: NaiveDate },
}

/// What the value of an amount counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    /// Percent and basis points, as a fraction of one.
    Share,
    /// A duration in months.
    Months,
}

/// The year of dates without a year. It is a leap year.
pub const NO_YEAR: i32 = 4;

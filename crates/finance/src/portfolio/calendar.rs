//! Months and spans of months, the time units of portfolio data. Pure.

use std::fmt;

use chrono::{Datelike as _, Days, Months, NaiveDate};
use serde::{Deserialize, Serialize};

/// A calendar month, counted from the year 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Month(i32);

const NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Month {
    /// Creates a month; `month` starts at 1. `None` for an invalid month or an implausible year.
    pub fn new(year: i32, month: u32) -> Option<Self> {
        let month = i32::try_from(month).ok()?;
        let fits = (1..=12).contains(&month) && (1900..=2200).contains(&year);
        fits.then(|| Self(year * 12 + month - 1))
    }

    pub fn of(date: NaiveDate) -> Self {
        Self(date.year() * 12 + i32::try_from(date.month0()).unwrap_or(0))
    }

    pub const fn year(self) -> i32 {
        self.0.div_euclid(12)
    }

    /// The month number, from 1.
    pub const fn number(self) -> u32 {
        self.0.rem_euclid(12).unsigned_abs() + 1
    }

    /// The quarter number, from 1.
    pub const fn quarter(self) -> u32 {
        (self.number() - 1) / 3 + 1
    }

    #[must_use]
    pub const fn plus(self, months: i32) -> Self {
        Self(self.0 + months)
    }

    pub fn first_day(self) -> NaiveDate {
        NaiveDate::from_ymd_opt(self.year(), self.number(), 1).unwrap_or(NaiveDate::MIN)
    }

    pub fn last_day(self) -> NaiveDate {
        let next = self.first_day().checked_add_months(Months::new(1));
        next.and_then(|next| next.checked_sub_days(Days::new(1)))
            .unwrap_or(NaiveDate::MAX)
    }

    /// "October 2026".
    pub fn words(self) -> String {
        let index = usize::try_from(self.number() - 1).unwrap_or(0);
        format!("{} {}", NAMES.get(index).unwrap_or(&""), self.year())
    }
}

impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}", self.year(), self.number())
    }
}

/// Whole months, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub from: Month,
    pub to: Month,
}

impl Span {
    pub const fn new(from: Month, to: Month) -> Self {
        Self { from, to }
    }

    /// The `months` months that end with `to`.
    pub const fn ending(to: Month, months: i32) -> Self {
        Self {
            from: to.plus(1 - months),
            to,
        }
    }

    pub fn year(year: i32) -> Option<Self> {
        Some(Self::new(Month::new(year, 1)?, Month::new(year, 12)?))
    }

    pub fn quarter(year: i32, quarter: u32) -> Option<Self> {
        let from = Month::new(year, quarter.checked_mul(3)?.checked_sub(2)?)?;
        Some(Self::new(from, from.plus(2)))
    }

    pub fn half(year: i32, half: u32) -> Option<Self> {
        let from = Month::new(year, if half == 2 { 7 } else { 1 })?;
        Some(Self::new(from, from.plus(5)))
    }

    pub const fn months(self) -> i32 {
        self.to.0 - self.from.0 + 1
    }

    pub fn each(self) -> impl Iterator<Item = Month> {
        (self.from.0..=self.to.0).map(Month)
    }

    /// Whether the span lies within `other`.
    pub fn within(self, other: Self) -> bool {
        other.from <= self.from && self.to <= other.to
    }

    /// The span of the same length directly before this one.
    #[must_use]
    pub const fn before(self) -> Self {
        Self::ending(self.from.plus(-1), self.months())
    }

    /// Whether the span is one calendar year.
    pub const fn is_calendar_year(self) -> bool {
        self.from.number() == 1 && self.months() == 12
    }

    /// Whether the span is one calendar quarter.
    pub const fn is_quarter(self) -> bool {
        self.from.number() % 3 == 1 && self.months() == 3
    }

    /// "October 2026", "calendar 2025", "Q3 2026", "November 2025 to October 2026".
    pub fn words(self) -> String {
        if self.months() == 1 {
            self.from.words()
        } else if self.is_calendar_year() {
            format!("calendar {}", self.from.year())
        } else if self.is_quarter() {
            format!("Q{} {}", self.from.quarter(), self.from.year())
        } else {
            format!("{} to {}", self.from.words(), self.to.words())
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to {
            write!(out, "{}", self.from)
        } else {
            write!(out, "{}..{}", self.from, self.to)
        }
    }
}

/// "October 31, 2026".
pub fn day_words(date: NaiveDate) -> String {
    let index = usize::try_from(date.month0()).unwrap_or(0);
    format!(
        "{} {}, {}",
        NAMES.get(index).unwrap_or(&""),
        date.day(),
        date.year()
    )
}

//! Day counts: the number of days between two dates, and the fraction of a year.
//!
//! Independent of loans and flows.

use chrono::{Datelike, NaiveDate};

/// How days are converted to a fraction of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayCount {
    Actual360,
    Actual365,
    /// Every month has 30 days and every year 360.
    Thirty360,
}

impl DayCount {
    /// Days of a year, for the denominator.
    #[must_use]
    pub fn year(self) -> f64 {
        match self {
            Self::Actual360 | Self::Thirty360 => 360.0,
            Self::Actual365 => 365.0,
        }
    }

    /// The usual notation.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Actual360 => "actual/360",
            Self::Actual365 => "actual/365",
            Self::Thirty360 => "30/360",
        }
    }

    /// Days from one date to another. Negative if `to` is earlier.
    ///
    /// 30/360 is the United States bond basis without the rule for the end of February. A 31st counts as the
    /// 30th, as an end date only if the start is a 30th or 31st.
    #[must_use]
    pub fn days(self, from: NaiveDate, to: NaiveDate) -> f64 {
        match self {
            Self::Actual360 | Self::Actual365 => (to - from).num_days() as f64,
            Self::Thirty360 => {
                let first = from.day().min(30);
                let last = if first == 30 { to.day().min(30) } else { to.day() };
                let months = (to.year() - from.year()) * 12 + month(to) - month(from);
                f64::from(months * 30) + f64::from(last) - f64::from(first)
            }
        }
    }

    /// The fraction of a year from one date to another.
    #[must_use]
    pub fn years(self, from: NaiveDate, to: NaiveDate) -> f64 {
        self.days(from, to) / self.year()
    }
}

fn month(date: NaiveDate) -> i32 {
    i32::try_from(date.month()).unwrap_or(1)
}

/// The date a number of months later, or the last day of a month that is too short.
#[must_use]
pub fn months_later(date: NaiveDate, months: u32) -> Option<NaiveDate> {
    date.checked_add_months(chrono::Months::new(months))
}

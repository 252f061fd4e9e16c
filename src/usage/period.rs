//! Months as periods of accounting, in UTC.

use chrono::{DateTime, Datelike as _, Months, NaiveTime, Utc};

/// When the next month begins.
pub(super) fn next(at: DateTime<Utc>) -> DateTime<Utc> {
    let first = at.date_naive().with_day(1).unwrap_or(at.date_naive());
    let next = first.checked_add_months(Months::new(1)).unwrap_or(first);
    next.and_time(NaiveTime::MIN).and_utc()
}

/// The month of a time as text; later months sort after earlier ones.
pub(super) fn period_of(at: DateTime<Utc>) -> String {
    at.format("%Y-%m").to_string()
}

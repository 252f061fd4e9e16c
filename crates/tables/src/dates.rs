//! Parses dates and months as people write them in cells. A date is marked as ambiguous if the order of day
//! and month is uncertain.
//!
//! Parses single cells. The order used in a whole column is determined by [`order_of`].

use std::borrow::Cow;

use chrono::{Datelike, Months, NaiveDate};

use crate::work::charge;

/// The order of day and month in numeric dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    MonthFirst,
    DayFirst,
}

/// The precision of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    Day,
    /// Only a month is given; the date is its first day.
    Month,
}

/// A parsed date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dated {
    pub date: NaiveDate,
    pub precision: Precision,
    /// Whether the other order of day and month gives a valid, different date.
    pub ambiguous: bool,
}

impl Dated {
    /// The last day that the cell can mean: for a month, its last day.
    #[must_use]
    pub fn last_day(self) -> NaiveDate {
        match self.precision {
            Precision::Day => self.date,
            Precision::Month => month_end(self.date),
        }
    }
}

/// The last day of a date's month.
#[must_use]
pub fn month_end(date: NaiveDate) -> NaiveDate {
    date.with_day(1)
        .and_then(|first| first.checked_add_months(Months::new(1)))
        .and_then(|next| next.pred_opt())
        .unwrap_or(date)
}

/// What the cells of a column show about the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Order(Order),
    /// No date shows an order: all are valid in both, or none is numeric.
    Nothing,
    /// Some cells are only valid in one order, some only in the other.
    Both,
}

/// Collects what the cells of a column show about the order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Orders {
    month_first: bool,
    day_first: bool,
}

impl Orders {
    pub fn see(&mut self, cell: &str) {
        match (date(cell, Order::MonthFirst), date(cell, Order::DayFirst)) {
            (Some(_), None) => self.month_first = true,
            (None, Some(_)) => self.day_first = true,
            _ => {}
        }
    }

    #[must_use]
    pub fn told(self) -> Told {
        match (self.month_first, self.day_first) {
            (true, true) => Told::Both,
            (true, false) => Told::Order(Order::MonthFirst),
            (false, true) => Told::Order(Order::DayFirst),
            (false, false) => Told::Nothing,
        }
    }
}

/// Determines the order from the cells of a column.
#[must_use]
pub fn order_of<'a>(cells: impl Iterator<Item = &'a str>) -> Told {
    let mut orders = Orders::default();
    cells.for_each(|cell| orders.see(cell));
    orders.told()
}

/// Longer cells are no dates.
const LONGEST: usize = 40;

/// The date or month of a cell that contains nothing else.
#[must_use]
pub fn date(cell: &str, order: Order) -> Option<Dated> {
    charge(1 + cell.len().min(LONGEST));
    let text = without_time(cell.trim());
    if text.len() > LONGEST
        || text.as_bytes().first() == Some(&b'-')
        || !text.bytes().any(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    if let Some(date) = packed(text) {
        return Some(day(date));
    }
    // A number with a point at most is no other date.
    let points = text.bytes().filter(|byte| *byte == b'.').count();
    if points < 2 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let lower = if text
        .chars()
        .all(|sign| sign.is_ascii() && !sign.is_ascii_uppercase())
    {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    };
    let mut parts = lower
        .split(|sign: char| sign.is_whitespace() || matches!(sign, '-' | '/' | '.' | ',' | '\u{2013}'))
        .filter(|part| !part.is_empty() && !is_weekday(part));
    match [parts.next(), parts.next(), parts.next(), parts.next()] {
        [Some(a), Some(b), Some(c), None] => three(a, b, c, text, order),
        [Some(a), Some(b), None, _] => two(a, b, text),
        [Some(one), None, ..] => quarterless_month(one),
        _ => None,
    }
}

/// A month and year without a day: `Nov 2025`, `11/2025`, `2025-11`, `November-25`.
#[must_use]
pub fn month(cell: &str) -> Option<NaiveDate> {
    date(cell, Order::MonthFirst)
        .filter(|dated| dated.precision == Precision::Month)
        .map(|dated| dated.date)
}

/// The date of a spreadsheet serial number, which counts days from the last day of 1899.
#[must_use]
pub fn serial(number: f64) -> Option<NaiveDate> {
    if !(20_000.0..80_000.0).contains(&number) || number.fract() != 0.0 {
        return None;
    }
    NaiveDate::from_ymd_opt(1899, 12, 30)?.checked_add_days(chrono::Days::new(number as u64))
}

fn day(date: NaiveDate) -> Dated {
    Dated {
        date,
        precision: Precision::Day,
        ambiguous: false,
    }
}

/// Strips a time of day after a date.
fn without_time(text: &str) -> &str {
    let Some(colon) = text.find(':') else { return text };
    let (before, after) = (
        text.get(..colon).unwrap_or(""),
        text.get(colon + 1..).unwrap_or(""),
    );
    // In "June 30, 2026: the rent", the colon introduces text and is not part of a time.
    if !after.starts_with(|sign: char| sign.is_ascii_digit()) {
        return text;
    }
    let cut = before.rfind(|sign: char| sign.is_whitespace() || sign == 'T' || sign == 't');
    cut.and_then(|at| before.get(..at)).map_or(text, str::trim_end)
}

/// `20260131`.
fn packed(text: &str) -> Option<NaiveDate> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    let year = i32::try_from(number(0, 4)?)
        .ok()
        .filter(|year| (1900..2200).contains(year))?;
    NaiveDate::from_ymd_opt(year, number(4, 6)?, number(6, 8)?)
}

fn is_weekday(part: &str) -> bool {
    part.starts_with(char::is_alphabetic) && is_name_of_day(part)
}

fn is_name_of_day(part: &str) -> bool {
    matches!(part, "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")
        || matches!(
            part,
            "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
        )
}

/// The month with this English name or abbreviation.
pub fn month_named(part: &str) -> Option<u32> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    if !part.starts_with(|sign: char| sign.is_ascii_lowercase()) {
        return None;
    }
    let found = NAMES
        .iter()
        .position(|name| part.len() >= 3 && name.starts_with(part))
        .or_else(|| (part == "sept").then_some(8))?;
    u32::try_from(found + 1).ok()
}

fn digits(part: &str) -> Option<u32> {
    (!part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| part.parse().ok())
        .flatten()
}

/// A day of the month, also in the form `1st`.
fn of_month(part: &str) -> Option<u32> {
    let bare = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| part.strip_suffix(ending))
        .unwrap_or(part);
    digits(bare).filter(|day| bare.len() <= 2 && (1..=31).contains(day))
}

/// A year in four digits or two. Two-digit years up to 69 belong to this century, as in spreadsheets.
fn year_of(part: &str, short: bool) -> Option<i32> {
    let bare = part.strip_prefix('\'').or(part.strip_prefix('’')).unwrap_or(part);
    let number = i32::try_from(digits(bare)?).ok()?;
    match bare.len() {
        4 if (1900..2200).contains(&number) => Some(number),
        2 if short => Some(if number < 70 { 2000 + number } else { 1900 + number }),
        _ => None,
    }
}

fn three(a: &str, b: &str, c: &str, text: &str, order: Order) -> Option<Dated> {
    // The year comes first, as in ISO 8601.
    if let Some(year) = year_of(a, false) {
        let month = month_named(b).or(digits(b))?;
        return NaiveDate::from_ymd_opt(year, month, of_month(c)?).map(day);
    }
    let year = year_of(c, true)?;
    if let Some(month) = month_named(a) {
        return NaiveDate::from_ymd_opt(year, month, of_month(b)?).map(day);
    }
    if let Some(month) = month_named(b) {
        return NaiveDate::from_ymd_opt(year, month, of_month(a)?).map(day);
    }
    let (first, second) = (
        digits(a).filter(|_| a.len() <= 2)?,
        digits(b).filter(|_| b.len() <= 2)?,
    );
    // Two dots indicate that the day comes first.
    let dotted = text.matches('.').count() == 2;
    let (month, of) = match order {
        _ if dotted => (second, first),
        Order::MonthFirst => (first, second),
        Order::DayFirst => (second, first),
    };
    let date = NaiveDate::from_ymd_opt(year, month, of)?;
    Some(Dated {
        date,
        precision: Precision::Day,
        ambiguous: !dotted && month != of && month <= 12 && of <= 12,
    })
}

fn two(a: &str, b: &str, text: &str) -> Option<Dated> {
    let (year, month) = if let Some(month) = month_named(a) {
        (year_of(b, true)?, month)
    } else if let Some(month) = month_named(b) {
        (year_of(a, true)?, month)
    } else if let Some(year) = year_of(a, false) {
        (year, digits(b).filter(|_| b.len() <= 2)?)
    } else {
        // "11.2025" is a number, "11/2025" a month.
        let slashed = text.contains(['/', '-']);
        (year_of(b, false)?, digits(a).filter(|_| slashed && a.len() <= 2)?)
    };
    if text.contains('.') && !text.chars().any(char::is_alphabetic) {
        return None;
    }
    first_of(year, month)
}

/// `2025m11`, `nov2025`, `nov'25`.
fn quarterless_month(part: &str) -> Option<Dated> {
    let split = part.find(|sign: char| sign.is_ascii_digit() || matches!(sign, '\'' | '’'))?;
    let (front, behind) = part.split_at(split);
    if let Some(month) = month_named(front) {
        return first_of(year_of(behind, true)?, month);
    }
    let (year, month) = part.split_once('m')?;
    first_of(year_of(year, false)?, digits(month).filter(|_| month.len() <= 2)?)
}

fn first_of(year: i32, month: u32) -> Option<Dated> {
    NaiveDate::from_ymd_opt(year, month, 1).map(|date| Dated {
        date,
        precision: Precision::Month,
        ambiguous: false,
    })
}

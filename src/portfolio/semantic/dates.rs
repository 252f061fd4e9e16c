//! Date ranges as written in queries: ISO dates, or phrases such as `last 12 months`. Independent of models
//! and of the clock.
//!
//! The data ends before today, so phrases count from the data: "this" is the period that contains the data's
//! last day, and "last" means the latest periods that the data covers completely. If the data ends with
//! October, `last 12 months` is November to October.

use chrono::{Datelike as _, Days as Count, Months, NaiveDate, NaiveDateTime};

/// Maximum number of units in a phrase.
const MAX_UNITS: u32 = 10_000;

/// A range of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    pub first: NaiveDate,
    pub last: NaiveDate,
}

impl Days {
    /// Extends the range to whole months, for data that is stored by month.
    #[must_use]
    pub fn whole_months(self) -> Self {
        let month = Granularity::Month;
        let last = month.next(self.last).and_then(|next| next.pred_opt());
        Self {
            first: month.start(self.first),
            last: last.unwrap_or(self.last),
        }
    }

    /// The number of buckets that the range touches. Stops counting at `most` + 1.
    pub fn buckets(self, granularity: Granularity, most: usize) -> usize {
        let mut start = Some(granularity.start(self.first));
        let mut count = 0;
        while let Some(at) = start.filter(|at| *at <= self.last && count <= most) {
            count += 1;
            start = granularity.next(at);
        }
        count
    }
}

/// The reference point of relative phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// "This" is the period that contains this day; "today" is this day.
    pub within: NaiveDate,
    /// "Last" periods end before this day.
    pub before: NaiveDate,
}

impl Anchor {
    /// Counts from the last day of the data.
    pub fn data(as_of: NaiveDate) -> Self {
        Self {
            within: as_of,
            before: as_of.succ_opt().unwrap_or(as_of),
        }
    }

    /// Counts from today, which is not over yet.
    pub fn today(today: NaiveDate) -> Self {
        Self {
            within: today,
            before: today,
        }
    }
}

/// The width of a time bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Granularity {
    Day,
    /// Weeks start on Monday.
    Week,
    Month,
    Quarter,
    Year,
}

impl Granularity {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    /// Parses a unit, in the singular or plural.
    fn word(word: &str) -> Option<Self> {
        let one = word.strip_suffix('s').unwrap_or(word);
        [Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year]
            .into_iter()
            .find(|unit| unit.as_str() == one)
    }

    /// The first day of the bucket.
    pub fn start(self, day: NaiveDate) -> NaiveDate {
        let first = |month| NaiveDate::from_ymd_opt(day.year(), month, 1);
        let start = match self {
            Self::Day => Some(day),
            Self::Week => day.checked_sub_days(Count::new(day.weekday().num_days_from_monday().into())),
            Self::Month => first(day.month()),
            Self::Quarter => first((day.month() - 1) / 3 * 3 + 1),
            Self::Year => first(1),
        };
        start.unwrap_or(day)
    }

    /// The first day of the next bucket.
    pub fn next(self, day: NaiveDate) -> Option<NaiveDate> {
        self.later(self.start(day), 1)
    }

    fn later(self, day: NaiveDate, units: u32) -> Option<NaiveDate> {
        match self {
            Self::Day => day.checked_add_days(Count::new(units.into())),
            Self::Week => day.checked_add_days(Count::new(u64::from(units) * 7)),
            Self::Month => day.checked_add_months(Months::new(units)),
            Self::Quarter => day.checked_add_months(Months::new(units * 3)),
            Self::Year => day.checked_add_months(Months::new(units * 12)),
        }
    }

    fn earlier(self, day: NaiveDate, units: u32) -> Option<NaiveDate> {
        match self {
            Self::Day => day.checked_sub_days(Count::new(units.into())),
            Self::Week => day.checked_sub_days(Count::new(u64::from(units) * 7)),
            Self::Month => day.checked_sub_months(Months::new(units)),
            Self::Quarter => day.checked_sub_months(Months::new(units * 3)),
            Self::Year => day.checked_sub_months(Months::new(units * 12)),
        }
    }
}

/// Parses one text: a day, a month, a year or a phrase.
pub fn one(text: &str, anchor: Anchor) -> Option<Days> {
    written(text).or_else(|| words(text, anchor)).filter(sensible)
}

/// Parses the first and the last day. A month or a year as the end means its last day.
pub fn between(first: &str, last: &str) -> Option<Days> {
    let range = Days {
        first: written(first)?.first,
        last: written(last)?.last,
    };
    Some(range).filter(sensible)
}

fn sensible(range: &Days) -> bool {
    let years = 1..=9999;
    range.first <= range.last && years.contains(&range.first.year()) && years.contains(&range.last.year())
}

/// Parses `2026-10-31`, optionally with a time, `2026-10` or `2026`.
fn written(text: &str) -> Option<Days> {
    let text = text.trim();
    if !text.is_ascii() || !text.starts_with(|sign: char| sign.is_ascii_digit()) {
        return None;
    }
    let date = |text: &str| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    match text.len() {
        4 => {
            let first = date(&format!("{text}-01-01"))?;
            let last = date(&format!("{text}-12-31"))?;
            Some(Days { first, last })
        }
        7 => {
            let first = date(&format!("{text}-01"))?;
            Some(Days { first, last: first }.whole_months())
        }
        10 => date(text).map(|day| Days {
            first: day,
            last: day,
        }),
        _ => {
            let time = text.strip_suffix('Z').unwrap_or(text);
            let day = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"]
                .iter()
                .find_map(|form| NaiveDateTime::parse_from_str(time, form).ok())?
                .date();
            Some(Days {
                first: day,
                last: day,
            })
        }
    }
}

fn words(text: &str, anchor: Anchor) -> Option<Days> {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text.split_whitespace().take(12).collect();
    let range = |first, last: Option<NaiveDate>| Some(Days { first, last: last? });
    match words.as_slice() {
        ["from", first_and_last @ ..] => {
            let to = first_and_last.iter().position(|word| *word == "to")?;
            let (first, last) = first_and_last.split_at(to);
            let last = last.get(1..)?;
            range(moment(first, anchor)?, moment(last, anchor))
        }
        ["this" | "current", unit] => {
            let unit = Granularity::word(unit)?;
            range(unit.start(anchor.within), unit.next(anchor.within)?.pred_opt())
        }
        ["last" | "previous", unit] => past(1, Granularity::word(unit)?, anchor),
        ["last" | "previous", count, unit] => past(units(count)?, Granularity::word(unit)?, anchor),
        ["next", unit] => coming(1, Granularity::word(unit)?, anchor),
        ["next", count, unit] => coming(units(count)?, Granularity::word(unit)?, anchor),
        one => {
            let day = moment(one, anchor)?;
            range(day, Some(day))
        }
    }
}

fn past(count: u32, unit: Granularity, anchor: Anchor) -> Option<Days> {
    let end = unit.start(anchor.before);
    Some(Days {
        first: unit.earlier(end, count)?,
        last: end.pred_opt()?,
    })
}

fn coming(count: u32, unit: Granularity, anchor: Anchor) -> Option<Days> {
    let first = unit.next(anchor.within)?;
    Some(Days {
        first,
        last: unit.later(first, count)?.pred_opt()?,
    })
}

fn units(word: &str) -> Option<u32> {
    word.parse().ok().filter(|count| (1..=MAX_UNITS).contains(count))
}

/// Parses a single day given in words.
fn moment(words: &[&str], anchor: Anchor) -> Option<NaiveDate> {
    match words {
        ["now" | "today"] => Some(anchor.within),
        ["yesterday"] => anchor.within.pred_opt(),
        ["tomorrow"] => anchor.within.succ_opt(),
        [count, unit, "ago"] => Granularity::word(unit)?.earlier(anchor.within, units(count)?),
        [count, unit, "from", "now"] => Granularity::word(unit)?.later(anchor.within, units(count)?),
        [day] if day.len() == 10 => written(day).map(|day| day.first),
        _ => None,
    }
}

//! Traces every number of an answer to something that the run was given.
//!
//! A number is traced if it is a known value rounded to the digits shown, in any notation that `prose` reads.
//! What a number is said of is not checked.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{Datelike, NaiveDate};
use tables::dates::month_end;

use crate::audit::prose;
use crate::audit::readings::{Kind, NO_YEAR, Number, Reading};

/// What is put behind a number that is not traced.
const MARK: &str = " (unverified)";
/// How far a value may be off because of its binary form, as a part of it.
const EXACT: f64 = 1e-9;
/// Whole numbers up to this one are not audited: they count what the reader sees.
const SMALL: f64 = 10.0;

/// The values and dates that a run was given.
#[derive(Clone, Debug, Default)]
pub struct Known {
    plain: Values,
    shares: Values,
    months: Values,
    /// Each known date with the month, quarter, half and year that it is in.
    days: BTreeSet<(NaiveDate, NaiveDate)>,
    /// Dates that were given without a year, in [`NO_YEAR`].
    yearless: BTreeSet<NaiveDate>,
}

/// Sizes of values, sorted. Non-negative numbers sort as their bits do.
#[derive(Clone, Debug, Default)]
struct Values(BTreeSet<u64>);

impl Values {
    fn add(&mut self, value: f64) {
        if value.is_finite() {
            self.0.insert(value.abs().to_bits());
        }
    }

    /// Whether a value is within a step around a written one.
    fn has(&self, written: f64, step: f64) -> bool {
        let written = written.abs();
        let off = step.abs() * 0.5 + written * EXACT;
        let (low, high) = ((written - off).max(0.0), written + off);
        high.is_finite() && self.0.range(low.to_bits()..=high.to_bits()).next().is_some()
    }
}

/// A number of an answer without a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untraced {
    /// Its bytes in the answer.
    pub range: Range<usize>,
    /// The number as it is written, with its sign and unit.
    pub text: String,
}

impl Known {
    /// Adds every number and date of a text.
    pub fn add_text(&mut self, text: &str) {
        for number in prose::numbers(text) {
            for reading in &number.readings {
                match *reading {
                    Reading::Amount {
                        kind: Kind::Plain,
                        value,
                        step,
                    } => {
                        self.plain.add(value);
                        // "A 6.75 cap" is 6.75%, and "0.0675" is as well. Whole numbers count things.
                        if number.bare && step < 1.0 {
                            self.shares.add(value / 100.0);
                            self.shares.add(value);
                        }
                    }
                    Reading::Amount {
                        kind: Kind::Share,
                        value,
                        ..
                    } => self.shares.add(value),
                    Reading::Amount {
                        kind: Kind::Months,
                        value,
                        ..
                    } => self.months.add(value),
                    Reading::Days { first, last } => self.add_days(first, last),
                }
            }
        }
    }

    /// Adds a computed value. A value in percent is a fraction of one.
    pub fn add_figure(&mut self, value: f64, unit: &str) {
        match unit {
            "percent" => self.shares.add(value),
            "bps" => self.shares.add(value / 10_000.0),
            "years" => self.months.add(value * 12.0),
            "months" => self.months.add(value),
            "ratio" | "multiple" => self.shares.add(value),
            _ => {}
        }
        // A duration is no other amount; without its unit it can be one, see `traces`.
        if !matches!(unit, "percent" | "years" | "months") {
            self.plain.add(value);
        }
    }

    /// Adds a date, and with it its month, quarter and year.
    pub fn add_date(&mut self, date: NaiveDate) {
        self.add_days(date, date);
    }

    fn add_days(&mut self, first: NaiveDate, last: NaiveDate) {
        self.days.insert((first, last));
        if first.year() == NO_YEAR {
            self.yearless.insert(first);
            return;
        }
        if first == last {
            self.days
                .extend(first.with_year(NO_YEAR).map(|date| (date, date)));
        }
        // The month, quarter, half and year, as far as all days are in it.
        for months in [1, 3, 6, 12] {
            let start = (first.month() - 1) / months * months + 1;
            let month = |month: u32| NaiveDate::from_ymd_opt(first.year(), month, 1);
            if let (Some(start), Some(end)) = (month(start), month(start + months - 1).map(month_end))
                && last <= end
            {
                self.days.insert((start, end));
            }
        }
    }

    /// Whether one of the readings of a number is known.
    #[must_use]
    pub fn traces(&self, number: &Number) -> bool {
        number.readings.iter().any(|reading| match *reading {
            Reading::Amount {
                kind: Kind::Share,
                value,
                step,
            } => self.shares.has(value, step),
            Reading::Amount {
                kind: Kind::Months,
                value,
                step,
            } => self.months.has(value, step),
            Reading::Amount {
                kind: Kind::Plain,
                value,
                step,
            } => {
                // Without a sign it can be the percentage of a table, or a fraction. A whole number is not rounded.
                let percent = if step < 1.0 { step / 100.0 } else { 0.0 };
                let duration = || self.months.has(value, step) || self.months.has(value * 12.0, step * 12.0);
                self.plain.has(value, step)
                    || number.bare
                        && (duration()
                            || self.shares.has(value / 100.0, percent)
                            || step < 1.0 && self.shares.has(value, step))
            }
            Reading::Days { first, last } => self.has_days(first, last),
        })
    }

    fn has_days(&self, first: NaiveDate, last: NaiveDate) -> bool {
        let year = |month, day| NaiveDate::from_ymd_opt(first.year(), month, day);
        let year = year(1, 1).zip(year(12, 31));
        let yearless = first
            .with_year(NO_YEAR)
            .filter(|date| first == last && self.yearless.contains(date));
        self.days.contains(&(first, last))
            // "March 15" of the question may be written with a year that is known.
            || yearless.is_some() && year.is_some_and(|year| self.days.contains(&year))
    }
}

/// The numbers of a text without a source, in their order.
#[must_use]
pub fn untraced(text: &str, known: &Known) -> Vec<Untraced> {
    let numbers = prose::numbers(text).into_iter();
    let strange = numbers.filter(|number| !is_exempt(number) && !known.traces(number));
    strange
        .filter_map(|number| {
            let text = text.get(number.range.clone())?.trim().to_owned();
            Some(Untraced {
                range: number.range,
                text,
            })
        })
        .collect()
}

/// A text without the numbers that have the mark behind them: an earlier answer does not make them known.
#[must_use]
pub fn without_marked(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    if text.contains(MARK.trim()) {
        for number in prose::numbers(text) {
            let behind = text.get(number.range.end..).unwrap_or_default();
            let behind = behind.trim_start_matches(['*', '_', '~']);
            if behind.starts_with(MARK) && number.range.start >= done {
                kept.push_str(text.get(done..number.range.start).unwrap_or_default());
                done = number.range.end;
            }
        }
    }
    kept.push_str(text.get(done..).unwrap_or_default());
    kept
}

/// Nothing, the whole, small whole numbers without a unit, and one unit of time.
fn is_exempt(number: &Number) -> bool {
    let time = |reading: &Reading| {
        matches!(
            reading,
            Reading::Amount {
                kind: Kind::Months,
                ..
            }
        )
    };
    let is_time = number.readings.iter().any(time);
    number.readings.first().is_some_and(|reading| match *reading {
        Reading::Amount { kind, value, step } => {
            let most = if is_time { 1.0 } else { SMALL };
            let small = kind == Kind::Plain && (number.bare || is_time) && step >= 1.0 && value <= most;
            value == 0.0 || small || kind == Kind::Share && value == 1.0
        }
        Reading::Days { .. } => false,
    })
}

/// The text with a mark behind each of these numbers. Marks of emphasis stay closed.
#[must_use]
pub fn mark(text: &str, untraced: &[Untraced]) -> String {
    let mut marked = String::with_capacity(text.len() + untraced.len() * MARK.len());
    let mut done = 0;
    // How many runs of emphasis there were in the line so far, for "*", "_" and "~".
    let mut open = Emphasis::default();
    for number in untraced {
        let Some(before) = text.get(done..number.range.end) else {
            continue;
        };
        marked.push_str(before);
        open.read(before);
        done = number.range.end;
        let rest = text.get(done..).unwrap_or("");
        let length = open.closing(rest);
        let (closing, _) = rest.split_at_checked(length).unwrap_or(("", rest));
        marked.push_str(closing);
        open.read(closing);
        done += closing.len();
        marked.push_str(MARK);
    }
    marked.push_str(text.get(done..).unwrap_or(""));
    marked
}

/// Which marks of emphasis are open.
#[derive(Default)]
struct Emphasis {
    open: [bool; 3],
}

impl Emphasis {
    const SIGNS: [char; 3] = ['*', '_', '~'];

    fn read(&mut self, text: &str) {
        let mut before = '\n';
        let mut signs = text.chars().peekable();
        while let Some(sign) = signs.next() {
            if sign == '\n' {
                self.open = [false; 3];
            }
            if let Some(at) = Self::SIGNS.iter().position(|own| *own == sign)
                && let Some(open) = self.open.get_mut(at)
            {
                while signs.next_if_eq(&sign).is_some() {}
                // A mark between spaces is a bullet or a product.
                let spaced = before.is_whitespace() && signs.peek().is_some_and(|next| next.is_whitespace());
                *open ^= !spaced;
            }
            before = sign;
        }
    }

    /// The length of the marks at the start of a text that close what is open.
    fn closing(&self, text: &str) -> usize {
        let mut length = 0;
        for sign in text.chars() {
            let open = Self::SIGNS
                .iter()
                .zip(self.open)
                .any(|(own, open)| *own == sign && open);
            if !open {
                break;
            }
            length += sign.len_utf8();
        }
        length
    }
}

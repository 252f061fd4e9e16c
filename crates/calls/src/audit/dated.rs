//! Dates in running text: days with and without a year, months, quarters, halves and years.

use chrono::NaiveDate;
use tables::dates::{month_end, month_named};

use crate::audit::readings::{NO_YEAR, Reading};
use crate::audit::signs::Signs;

/// A part of a date.
#[derive(Clone, Copy)]
enum Part {
    /// Whether it can be a month without a year: "may" is also a verb.
    Month(u32, bool),
    /// A value, how many digits it has, and whether it is an ordinal.
    Number(u32, usize, bool),
    /// "'26".
    Short(i32),
}

use Part::{Month, Number, Short};

/// All days of a year that is written as a number.
pub fn year_days(year: f64) -> Option<Reading> {
    (1900.0..2200.0)
        .contains(&year)
        .then(|| span(year as i32, 1, 12))
        .flatten()
}

/// The days of some months.
fn span(year: i32, month: u32, months: u32) -> Option<Reading> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    let last = month_end(NaiveDate::from_ymd_opt(year, month + months - 1, 1)?);
    Some(Reading::Days { first, last })
}

fn day(year: i32, month: u32, day: u32) -> Option<Reading> {
    let first = NaiveDate::from_ymd_opt(year, month, day)?;
    Some(Reading::Days { first, last: first })
}

/// A year with four digits, or with two where a sign says so.
fn year(part: Part, short: bool) -> Option<i32> {
    match part {
        Number(value, 4, false) => i32::try_from(value)
            .ok()
            .filter(|year| (1900..2200).contains(year)),
        Number(value, 2, false) if short => Some(century(value)),
        Short(year) => Some(year),
        _ => None,
    }
}

/// The year of two digits, as in spreadsheets.
fn century(value: u32) -> i32 {
    let value = i32::try_from(value).unwrap_or(0);
    if value < 70 { 2000 + value } else { 1900 + value }
}

impl Signs {
    /// The date that starts at a position, and its end. Several readings if the order of day and month is open.
    pub fn date(&self, at: usize) -> Option<(usize, Vec<Reading>)> {
        if let Some((reading, end)) = self.quarter(at) {
            return Some((end, vec![reading]));
        }
        let (first, end) = self.part(at)?;
        let (sign, next) = self.separator(end)?;
        let (second, end) = self.part(next)?;
        let third = self
            .separator(end)
            .and_then(|(sign, next)| Some((sign, self.part(next)?)));
        if let Some((other, (third, end))) = third {
            let readings = three(first, sign, second, other, third);
            if !readings.is_empty() {
                return Some((self.time_end(end), readings));
            }
        }
        let readings = two(first, sign, second);
        (!readings.is_empty()).then_some((end, readings))
    }

    /// The end of a time that is joined to a date: "T10:30:00Z".
    fn time_end(&self, at: usize) -> usize {
        if self.at(at) != 'T' || !self.digit(at + 1) {
            return at;
        }
        self.run(at, |sign| {
            sign.is_ascii_alphanumeric() || matches!(sign, ':' | '.' | '+')
        })
    }

    fn part(&self, at: usize) -> Option<(Part, usize)> {
        let sign = self.at(at);
        if sign.is_alphabetic() {
            let word = self.word(at);
            let month = month_named(word.lower())?;
            let end = if self.at(word.end) == '.' {
                word.end + 1
            } else {
                word.end
            };
            return Some((Month(month, word.lower() != "may" || sign.is_uppercase()), end));
        }
        let start = if sign == '\'' { at + 1 } else { at };
        let end = self.run(start, |sign| sign.is_ascii_digit());
        let value = self.value(start..end).filter(|_| end - start <= 4)?;
        if start > at {
            return (end - start == 2).then(|| (Short(century(value)), end));
        }
        let letters = self.word(end);
        let ordinal = matches!(letters.lower(), "st" | "nd" | "rd" | "th");
        Some((
            Number(value, end - start, ordinal),
            if ordinal { letters.end } else { end },
        ))
    }

    /// What separates two parts, and where the next starts.
    fn separator(&self, at: usize) -> Option<(char, usize)> {
        let sign = self.at(at);
        match (sign, self.at(at + 1)) {
            (',', next) if next.is_ascii_digit() => Some((' ', at + 1)),
            (',' | '.', ' ') => Some((' ', at + 2)),
            (' ' | '\u{a0}', _) => Some((' ', self.over_gap(at))),
            ('-' | '/' | '.', _) => Some((sign, at + 1)),
            // "Nov'25" and "Mar.2026".
            ('\'' | '0'..='9', _) => Some((' ', at)),
            _ => None,
        }
    }

    /// A quarter, half or fiscal year: "Q1 2026", "1Q26", "H2'25", "FY 2025".
    fn quarter(&self, at: usize) -> Option<(Reading, usize)> {
        let word = self.word(at);
        if matches!(word.lower(), "fy" | "cy") {
            let start = if matches!(self.at(word.end), ' ' | '-') {
                word.end + 1
            } else {
                word.end
            };
            let (part, end) = self.part(start)?;
            return Some((span(year(part, true)?, 1, 12)?, end));
        }
        let leading = self.digit(at);
        let letter = if leading { self.word(at + 1) } else { word };
        let months = match letter.lower() {
            "q" => 3,
            "h" => 6,
            _ => return None,
        };
        let (number, end) = if leading {
            (at, letter.end)
        } else {
            (letter.end, letter.end + 1)
        };
        let number = self
            .value(number..number + 1)?
            .checked_sub(1)
            .filter(|before| *before < 12 / months)?;
        let gap = matches!(self.at(end), ' ' | '-' | '/' | '\u{a0}');
        let start = if self.at(end) == ' ' {
            self.over_gap(end)
        } else {
            end + usize::from(gap)
        };
        let (part, after) = self.part(start)?;
        let short = leading && !gap || self.at(end) == '-';
        Some((span(year(part, short)?, number * months + 1, months)?, after))
    }
}

fn three(first: Part, sign: char, second: Part, other: char, third: Part) -> Vec<Reading> {
    let numeric = sign == other && matches!(sign, '-' | '/' | '.');
    let found = match (first, second, third) {
        (Number(_, 4, _), Number(month, 1..=2, _), Number(of, 1..=2, _)) if numeric => {
            [year(first, false).and_then(|year| day(year, month, of)), None]
        }
        (Number(a, 1..=2, _), Number(b, 1..=2, _), Number(..)) if numeric => {
            let padded = matches!((first, second), (Number(_, 2, _), Number(_, 2, _)));
            let year = year(third, sign == '/' || sign == '.' && padded);
            let other = year.filter(|_| a != b).and_then(|year| day(year, b, a));
            [year.and_then(|year| day(year, a, b)), other]
        }
        (Number(of, 1..=2, _), Month(month, _), _) | (Month(month, _), Number(of, 1..=2, _), _) => [
            year(third, other == '-').and_then(|year| day(year, month, of)),
            None,
        ],
        _ => [None, None],
    };
    found.into_iter().flatten().collect()
}

fn two(first: Part, sign: char, second: Part) -> Vec<Reading> {
    let found = match (first, second) {
        (Month(month, _), Number(_, 4, _) | Short(_)) => {
            [year(second, true).and_then(|year| span(year, month, 1)), None]
        }
        (Month(month, alone), Number(of, 1..=2, ordinal)) => {
            // "Mar 26" is a day or a month, "Mar-26" a month.
            let of = Some(of)
                .filter(|_| sign == ' ' && alone)
                .and_then(|of| day(NO_YEAR, month, of));
            let year = year(second, true).filter(|_| !ordinal);
            [year.and_then(|year| span(year, month, 1)), of]
        }
        (Number(of, 1..=2, _), Month(month, true)) if matches!(sign, ' ' | '-') => {
            [day(NO_YEAR, month, of), None]
        }
        (Number(_, 4, _), Number(month @ 1..=12, 2, false)) if matches!(sign, '-' | '/') => {
            [year(first, false).and_then(|year| span(year, month, 1)), None]
        }
        (Number(month @ 1..=12, 1..=2, false), Number(_, 4, _)) if sign == '/' => {
            [year(second, false).and_then(|year| span(year, month, 1)), None]
        }
        _ => [None, None],
    };
    found.into_iter().flatten().collect()
}

//! Reads a run of months in a header: which column is which month, and what keeps the run from being whole.
//!
//! A year that is not said counts from 1, and months that only have a number begin in January of [`NUMBERED`].
//! [`label`] names both without a year.

use std::collections::BTreeMap;
use std::iter::zip;

use chrono::{Datelike, Months, NaiveDate};

use crate::dates::{self, Order, Precision};
use crate::headers::{self, Field};
use crate::table::Table;
use crate::work::charge;

/// The year of the first of the months that only have a number.
const NUMBERED: i32 = 50;
/// Years before this one are not said.
const SAID: i32 = 100;
/// So many columns make a run where a single header could mean something else.
const RUN: usize = 3;

/// Months of a run that are not as they should be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Months between the first and the last without a column.
    pub missing: Vec<NaiveDate>,
    /// Months with more than one column.
    pub repeated: Vec<NaiveDate>,
    /// Headers of columns of amounts inside the run that name no month.
    pub unread: Vec<String>,
}

/// The month of each column of a header, where it names one.
#[must_use]
pub fn read(header: &[String], titles: &[String]) -> Vec<Option<NaiveDate>> {
    let bare: Vec<&str> = header.iter().map(|cell| without_notes(cell)).collect();
    let said: Vec<Option<NaiveDate>> = bare.iter().map(|cell| month(cell)).collect();
    let count = |months: &[Option<NaiveDate>]| months.iter().flatten().count();
    let readings = [
        worded(&bare),
        days(&bare, Order::MonthFirst),
        days(&bare, Order::DayFirst),
        names(&bare, titles),
        numbers(&bare),
    ];
    let mut best = said;
    for reading in readings {
        if count(&reading) >= RUN && count(&reading) > count(&best) {
            best = reading;
        }
    }
    between(&bare, &mut best);
    best
}

/// A month as people say it.
#[must_use]
pub fn label(month: NaiveDate) -> String {
    match month.year() {
        year if year >= SAID => month.format("%B %Y").to_string(),
        year if year >= NUMBERED => format!("month {}", (year - NUMBERED) * 12 + month.month() as i32),
        _ => month.format("%B").to_string(),
    }
}

/// Whether the year of a month is said.
#[must_use]
pub fn has_year(month: NaiveDate) -> bool {
    month.year() >= SAID
}

/// What is wrong with the run of months of a table.
#[must_use]
pub fn faults(table: &Table) -> Faults {
    let months = table.months();
    let mut faults = Faults::default();
    let (Some((first, _)), Some((last, _))) = (months.first(), months.last()) else {
        return faults;
    };
    let mut columns: BTreeMap<NaiveDate, usize> = BTreeMap::new();
    for (_, month) in &months {
        *columns.entry(*month).or_default() += 1;
    }
    faults.repeated = columns
        .iter()
        .filter(|(_, count)| **count > 1)
        .map(|(month, _)| *month)
        .collect();
    let mut expected = None;
    for month in columns.keys() {
        while let Some(missing) = expected.filter(|expected| expected < month) {
            faults.missing.push(missing);
            // Far apart, they are no run of months.
            if faults.missing.len() > months.len() {
                faults.missing.clear();
                return faults;
            }
            expected = next(missing);
        }
        expected = next(*month);
    }
    for at in *first..*last {
        let Some(column) = table.columns.get(at).filter(|column| column.month.is_none()) else {
            continue;
        };
        let amounts = table.data().filter(|row| table.number(row, at).is_some()).count();
        if amounts > 0 && !is_sum(&column.header, column.field) {
            faults.unread.push(column.header.clone());
        }
    }
    faults
}

fn next(month: NaiveDate) -> Option<NaiveDate> {
    month.checked_add_months(Months::new(1))
}

/// Whether a column among months is one of sums or shares of them.
fn is_sum(header: &str, field: Option<Field>) -> bool {
    let words = headers::words(header);
    field == Some(Field::Total)
        || words.iter().any(|word| {
            matches!(
                word.as_str(),
                "total" | "ytd" | "qtd" | "quarter" | "sum" | "average" | "avg" | "%" | "variance"
            ) || word
                .strip_prefix('q')
                .is_some_and(|rest| rest.parse::<u32>().is_ok())
        })
}

/// A header without the signs and brackets behind it that refer to a note.
fn without_notes(cell: &str) -> &str {
    charge(1 + cell.len());
    let mut cell = cell.trim();
    loop {
        let bare = cell.trim_end_matches(|sign: char| {
            sign.is_whitespace() || matches!(sign, '*' | '†' | '‡' | '§' | '^' | '¹' | '²' | '³' | '#' | ':')
        });
        let bare = match bare
            .strip_suffix([')', ']'])
            .and_then(|inside| inside.rfind(['(', '[']))
        {
            Some(at) if at > 0 => bare.get(..at).unwrap_or(bare),
            _ => bare,
        };
        if bare == cell {
            return cell;
        }
        cell = bare;
    }
}

/// A month with its year: as in a cell, or with the month's name in another language.
fn month(cell: &str) -> Option<NaiveDate> {
    dates::month(cell).or_else(|| {
        let lower = cell.to_lowercase();
        let mut parts =
            lower.split(|sign: char| sign.is_whitespace() || matches!(sign, '-' | '/' | '.' | ',' | '\''));
        let parts: Vec<&str> = parts.by_ref().filter(|part| !part.is_empty()).collect();
        let [one, other] = parts.as_slice() else {
            return None;
        };
        let (month, year) = named(one)
            .map(|month| (month, other))
            .or_else(|| Some((named(other)?, one)))?;
        let year: i32 = year.parse().ok()?;
        let year = match year {
            0..100 => 2000 + year,
            1900..2200 => year,
            _ => return None,
        };
        NaiveDate::from_ymd_opt(year, month, 1)
    })
}

/// The months of the year in the languages of European property systems, as in the Unicode Common Locale Data
/// Repository: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish.
const NAMES: [&str; 12] = [
    "january januar jänner janvier enero gennaio janeiro januari styczeń",
    "february februar février fevrier febrero febbraio fevereiro februari luty",
    "march märz marz mrz mars marzo março maart marzec",
    "april avril abril aprile kwiecień",
    "may mai mayo maggio maio mei maj",
    "june juni juin junio giugno junho czerwiec",
    "july juli juillet julio luglio julho lipiec",
    "august août aout agosto augustus augusti sierpień",
    "september septembre septiembre setiembre settembre setembro wrzesień",
    "october oktober octobre octubre ottobre outubro październik",
    "november novembre noviembre novembro listopad",
    "december dezember décembre decembre diciembre dicembre dezembro grudzień",
];

/// The month with this name, or the only one that begins so.
fn named(part: &str) -> Option<u32> {
    let part = part.trim_end_matches('.');
    if part.chars().count() < 3 || part.chars().any(|sign| !sign.is_alphabetic()) {
        return None;
    }
    let of = |fits: &dyn Fn(&str) -> bool| {
        let mut found = (1..)
            .zip(NAMES)
            .filter(|(_, names)| names.split(' ').any(fits))
            .map(|(month, _)| month);
        found.next().filter(|_| found.next().is_none())
    };
    of(&|name| name == part)
        .or_else(|| of(&|name| name.starts_with(part) || part == "sept" && name == "september"))
}

/// Months that all have the same word before or behind them: "Actual Nov 2025".
fn worded(header: &[&str]) -> Vec<Option<NaiveDate>> {
    let split = |cell: &str| {
        let (first, rest) = cell.split_once(' ')?;
        let (front, last) = cell.rsplit_once(' ')?;
        let behind = month(rest).map(|month| (month, first.to_lowercase()));
        behind.or_else(|| Some((month(front)?, last.to_lowercase())))
    };
    let found: Vec<Option<(NaiveDate, String)>> = header.iter().map(|cell| split(cell)).collect();
    let mut words = found.iter().flatten().map(|(_, word)| word);
    let first = words.next();
    if first.is_none() || !words.all(|word| Some(word) == first) {
        return Vec::new();
    }
    found.into_iter().map(|own| own.map(|(month, _)| month)).collect()
}

/// Days that each end or begin a month, one after the other: balance dates. "11/1/2025 - 11/30/2025" is a month too.
fn days(header: &[&str], order: Order) -> Vec<Option<NaiveDate>> {
    let of = |cell: &str| {
        dates::date(cell, order)
            .filter(|dated| dated.precision == Precision::Day)
            .map(|dated| dated.date)
    };
    let first = |date: NaiveDate| date.with_day(1);
    let range = |cell: &str| {
        let (from, to) = cell
            .split_once(" - ")
            .or_else(|| cell.split_once(" to "))
            .or_else(|| cell.split_once('–'))?;
        let (from, to) = (of(from)?, of(to)?);
        (first(from) == Some(from) && dates::month_end(from) == to).then_some(from)
    };
    let ranges: Vec<Option<NaiveDate>> = header.iter().map(|cell| range(cell)).collect();
    if ranges.iter().flatten().count() >= RUN {
        return ranges;
    }
    let days: Vec<Option<NaiveDate>> = header.iter().map(|cell| of(cell)).collect();
    let all = || days.iter().flatten();
    let ends = all().all(|date| dates::month_end(*date) == *date);
    let begins = all().all(|date| date.day() == 1);
    if !(ends || begins) || all().count() < RUN {
        return Vec::new();
    }
    let months: Vec<Option<NaiveDate>> = days.into_iter().map(|day| day.and_then(first)).collect();
    let one_by_one = zip(months.iter().flatten(), months.iter().flatten().skip(1));
    let consecutive =
        one_by_one.filter(|(one, other)| next(**one) == Some(**other) || next(**other) == Some(**one));
    // A month may be missing or repeated, but most follow each other.
    if consecutive.count() * 2 < months.iter().flatten().count() {
        return Vec::new();
    }
    months
}

/// Names of months without a year. The titles say the year, if they say only one.
fn names(header: &[&str], titles: &[String]) -> Vec<Option<NaiveDate>> {
    let found: Vec<Option<u32>> = header.iter().map(|cell| named(&cell.to_lowercase())).collect();
    let all: Vec<u32> = found.iter().flatten().copied().collect();
    let steps = |by: u32| {
        zip(&all, all.iter().skip(1))
            .filter(|(one, other)| (**one + by - 1) % 12 + 1 == **other)
            .count()
    };
    let falls = steps(11) > steps(1);
    if all.len() < RUN || steps(1).max(steps(11)) * 2 < all.len() - 1 {
        return Vec::new();
    }
    let wraps = zip(&all, all.iter().skip(1))
        .filter(|(one, other)| if falls { other > one } else { other < one })
        .count();
    let mut years: Vec<i32> = titles
        .iter()
        .flat_map(|title| headers::words(title))
        .filter_map(|word| word.parse().ok().filter(|year| (1900..2200).contains(year)))
        .collect();
    years.sort_unstable();
    years.dedup();
    let wraps = i32::try_from(wraps).unwrap_or(0);
    let first = match years.as_slice() {
        [year] if wraps == 0 => *year,
        [one, other] if wraps == 1 && one + 1 == *other => *one,
        _ => 1,
    };
    // The same month twice without a year: two columns of one month, and not two years.
    let mut columns = [0_usize; 13];
    for month in &all {
        if let Some(count) = columns.get_mut(*month as usize) {
            *count += 1;
        }
    }
    let twice = columns.iter().any(|count| *count > 1);
    let mut year = if falls && !twice { first + wraps } else { first };
    let mut before = None;
    found
        .into_iter()
        .map(|month| {
            let month = month?;
            match before.replace(month) {
                Some(before) if !twice && !falls && month < before => year += 1,
                Some(before) if !twice && falls && month > before => year -= 1,
                _ => {}
            }
            NaiveDate::from_ymd_opt(year, month, 1)
        })
        .collect()
}

/// "Month 1" to "Month 12", "M01", "Period 3".
fn numbers(header: &[&str]) -> Vec<Option<NaiveDate>> {
    header
        .iter()
        .map(|cell| {
            let name = headers::normalized(cell);
            let digits = name.trim_start_matches(char::is_alphabetic);
            let prefix = name.strip_suffix(digits).unwrap_or("");
            let number: i32 = digits.parse().ok().filter(|number| (1..=60).contains(number))?;
            matches!(prefix, "month" | "mo" | "m" | "mth" | "period" | "per" | "p").then_some(())?;
            NaiveDate::from_ymd_opt(
                NUMBERED + (number - 1) / 12,
                u32::try_from((number - 1) % 12 + 1).ok()?,
                1,
            )
        })
        .collect()
}

/// A header inside the run that has other words too, such as "March 2026 restated", is the month that is missing there.
fn between(header: &[&str], months: &mut [Option<NaiveDate>]) {
    for at in 1..months.len().saturating_sub(1) {
        let of = |at: usize| months.get(at).copied().flatten();
        let (None, Some(before), Some(after)) = (of(at), of(at - 1), of(at + 1)) else {
            continue;
        };
        let expected = if before < after { next(before) } else { next(after) };
        let fits = expected.and_then(next) == Some(before.max(after));
        let Some(expected) = expected.filter(|_| fits) else {
            continue;
        };
        let words = headers::words(header.get(at).unwrap_or(&""));
        let year = words
            .iter()
            .find_map(|word| word.parse().ok().filter(|year: &i32| (1900..2200).contains(year)));
        let same = words.iter().any(|word| named(word) == Some(expected.month()));
        if same
            && year.is_none_or(|year| year == expected.year() || !has_year(expected))
            && let Some(own) = months.get_mut(at)
        {
            *own = Some(expected);
        }
    }
}

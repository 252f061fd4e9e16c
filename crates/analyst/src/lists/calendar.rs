//! Calendar dates as people write them in a question.
//!
//! Knows no time zone; a date between slashes is month first, as in the United States, unless another date
//! of the same question can only be day first.

use chrono::NaiveDate;

use crate::forms::words::Words;
use crate::words::asides::DATE;
use crate::words::scan::Shape;

/// Where dates stand and which they are; `None` where one cannot be read. All dates between slashes are
/// read in one order: that of those which can be read in one order only.
pub(crate) fn dates(words: &Words) -> Vec<(usize, Option<NaiveDate>)> {
    let places: Vec<usize> = (0..words.tokens.len())
        .filter(|at| words.word(*at) == DATE)
        .collect();
    let slashed = |order: fn(u32, u32) -> bool| {
        places
            .iter()
            .filter_map(|at| halves(words.said(*at)))
            .any(|(one, two)| order(one, two))
    };
    let day_first = slashed(|one, _| one > 12) || said_day_first(words);
    let month_first = slashed(|_, two| two > 12);
    places
        .iter()
        .map(|at| {
            let text = words.said(*at);
            // Two orders in one list: nobody can tell which holds for the rest.
            let torn = day_first && month_first && halves(text).is_some();
            (*at, if torn { None } else { read(text, day_first) })
        })
        .collect()
}

/// The order in which the dates between slashes were read, where the reader could not be sure of it.
pub(crate) fn order(words: &Words) -> Option<&'static str> {
    let all: Vec<(u32, u32)> = (0..words.tokens.len())
        .filter(|at| words.word(*at) == DATE)
        .filter_map(|at| halves(words.said(at)))
        .collect();
    if !all
        .iter()
        .any(|(one, two)| *one <= 12 && *two <= 12 && one != two)
    {
        return None;
    }
    if said_day_first(words) {
        return Some("Dates between slashes are read as day/month/year, as you say.");
    }
    Some(if all.iter().any(|(one, _)| *one > 12) {
        "Dates between slashes are read as day/month/year, as one of them has to be."
    } else {
        "Dates between slashes are read as month/day/year."
    })
}

/// "(day/month/year)", "European dates": the order is told.
fn said_day_first(words: &Words) -> bool {
    let text = words.text.to_lowercase();
    [
        "day/month",
        "dd/mm",
        "d/m/y",
        "day first",
        "day-first",
        "day month year",
        "european date",
        "european format",
        "european style",
        "uk date",
        "uk format",
        "british date",
        "british format",
    ]
    .iter()
    .any(|said| text.contains(said))
}

/// "through June 2031", "until Mar 2029": the last day of a month that is named without a day.
pub(crate) fn month_ends(words: &Words) -> Vec<(usize, NaiveDate)> {
    words
        .numbers()
        .filter_map(|at| {
            let number = words.number(at)?;
            let year = number.short
                && number.value.fract() == 0.0
                && (2000.0..=2100.0).contains(&number.value)
                && matches!(number.shape, Shape::Calendar | Shape::Plain);
            let month = month(words.said(at.checked_sub(1)?)).filter(|_| year)?;
            let year = number.value as i32;
            let next = if month == 12 {
                NaiveDate::from_ymd_opt(year + 1, 1, 1)
            } else {
                NaiveDate::from_ymd_opt(year, month + 1, 1)
            };
            Some((at, next?.pred_opt()?))
        })
        .collect()
}

/// The first two numbers of a date between slashes.
fn halves(text: &str) -> Option<(u32, u32)> {
    let parts: Vec<u32> = text
        .split('/')
        .map_while(|part| part.trim().parse().ok())
        .collect();
    match parts.as_slice() {
        [one, two, year] if *one <= 31 && *year > 0 => Some((*one, *two)),
        _ => None,
    }
}

/// "2026-11-20", "11/20/2026", "November 20, 2026", "20 November 2026".
fn read(text: &str, day_first: bool) -> Option<NaiveDate> {
    let parts: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty() && !matches!(part.to_lowercase().as_str(), "of" | "the"))
        .collect();
    let &[first, second, third] = parts.as_slice() else {
        return None;
    };
    let digits = |part: &str| {
        part.trim_end_matches(|c: char| c.is_alphabetic())
            .parse::<u32>()
            .ok()
    };
    let year = |part: &str| {
        let value = i32::try_from(digits(part)?).ok()?;
        Some(match value {
            0..=68 => value + 2000,
            69..=99 => value + 1900,
            _ => value,
        })
    };
    if let Some(month) = month(first) {
        return NaiveDate::from_ymd_opt(year(third)?, month, digits(second)?);
    }
    if let Some(month) = month(second) {
        return NaiveDate::from_ymd_opt(year(third)?, month, digits(first)?);
    }
    if first.len() == 4 {
        return NaiveDate::from_ymd_opt(year(first)?, digits(second)?, digits(third)?);
    }
    let (one, two) = (digits(first)?, digits(second)?);
    if one > 12 || (day_first && text.contains('/')) {
        return NaiveDate::from_ymd_opt(year(third)?, two, one);
    }
    NaiveDate::from_ymd_opt(year(third)?, one, two)
}

fn month(word: &str) -> Option<u32> {
    const NAMES: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let lower = word.to_lowercase();
    let start = lower.get(..3)?;
    if !word.chars().all(char::is_alphabetic) {
        return None;
    }
    NAMES
        .iter()
        .position(|name| *name == start)
        .and_then(|at| u32::try_from(at + 1).ok())
}

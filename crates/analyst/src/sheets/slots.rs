//! What the headers of a statement's columns of amounts say: a quarter, a year, a month, actual or budget.
//!
//! Knows no question.

use std::collections::HashSet;

use crate::sheets::sources::Sheet;
use tables::columns::numeric_columns;
use tables::headers;
use tables::kind::Kind;
use tables::numbers::Decimal;
use tables::table::{Column, Table};

/// How much of a year a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Month,
    ToDate,
    Quarter(u32),
    /// A month by its name, without a year.
    Of(u32),
    Year,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Actual,
    Budget,
    Forecast,
    ProForma,
    Prior,
}

/// What a column of amounts is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) year: Option<i32>,
    pub(crate) reach: Option<Reach>,
    pub(crate) version: Option<Version>,
}

const ACTUAL: &[&str] = &["actual", "actuals"];
const BUDGET: &[&str] = &["budget", "budgeted", "bud", "plan", "planned"];
const FORECAST: &[&str] = &["forecast", "forecasted", "projected", "projection", "estimate"];
const PRO_FORMA: &[&str] = &["proforma", "underwritten", "uw", "stabilized", "stabilised"];
const PRIOR: &[&str] = &["prior", "previous", "ly", "py"];
/// Words of headers that say nothing of the column.
const SILENT: &[&str] = &[
    "amount",
    "amounts",
    "$",
    "usd",
    "eur",
    "gbp",
    "the",
    "of",
    "ended",
    "ending",
    "fiscal",
    "fy",
    "calendar",
    "cy",
    "year",
    "yr",
    "period",
    "in",
    "annualized",
];

pub(crate) fn version(word: &str) -> Option<Version> {
    [
        (ACTUAL, Version::Actual),
        (BUDGET, Version::Budget),
        (FORECAST, Version::Forecast),
        (PRO_FORMA, Version::ProForma),
        (PRIOR, Version::Prior),
    ]
    .into_iter()
    .find(|(words, _)| words.contains(&word))
    .map(|(_, version)| version)
}

/// "q3", "3q", "q325", "1q25": the quarter, and the year where it stands behind.
pub(crate) fn quarter(word: &str) -> Option<(u32, Option<i32>)> {
    let (digit, year) = match word.strip_prefix('q') {
        Some(rest) => rest.split_at_checked(1)?,
        None => {
            let (digit, rest) = word.split_at_checked(1)?;
            (digit, rest.strip_prefix('q')?)
        }
    };
    let number: u32 = digit.parse().ok()?;
    let year = match (year.len(), year.parse::<i32>()) {
        (0, _) => None,
        (2, Ok(short)) => Some(2000 + short),
        _ => Some(calendar(year)?),
    };
    (1..=4).contains(&number).then_some((number, year))
}

/// "2025", "fy25", "2025a".
pub(crate) fn calendar(word: &str) -> Option<i32> {
    let bare = word.strip_prefix("fy").or_else(|| word.strip_prefix("cy"));
    let digits = bare.unwrap_or(word).trim_end_matches(['a', 'b', 'e', 'f']);
    let number: i32 = digits.parse().ok()?;
    match digits.len() {
        4 if (1980..2120).contains(&number) => Some(number),
        2 if bare.is_some() => Some(2000 + number),
        _ => None,
    }
}

/// "Mar", "march": which month.
pub(crate) fn month(word: &str) -> Option<u32> {
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
    NAMES
        .iter()
        .position(|name| {
            *name == word
                || (word.len() == 3 && name.starts_with(word))
                || (word == "sept" && *name == "september")
        })
        .and_then(|place| u32::try_from(place + 1).ok())
}

/// What a header says; none where any word of it says something else.
pub(crate) fn slot(header: &str) -> Option<Slot> {
    let words = headers::words(header);
    let mut slot = Slot::default();
    let mut told = false;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let next = words.get(at + 1).map_or("", String::as_str);
        let mut length = 1;
        if let Some((number, year)) = quarter(word) {
            slot.reach = Some(Reach::Quarter(number));
            slot.year = slot.year.or(year);
        } else if matches!(slot.reach, Some(Reach::Quarter(_)))
            && slot.year.is_none()
            && word.len() == 2
            && let Ok(short) = word.parse::<i32>()
        {
            // "Q4-25", "Q4 '25".
            slot.year = Some(2000 + short);
        } else if let Some(year) = calendar(word) {
            slot.year = Some(year);
            // "2025B" is a budget, "2025A" what happened.
            slot.version = slot.version.or(match word.chars().last() {
                Some('a') => Some(Version::Actual),
                Some('b') => Some(Version::Budget),
                Some('e' | 'f') => Some(Version::Forecast),
                _ => None,
            });
        } else if matches!(word.as_str(), "year" | "yr" | "y")
            && next.parse::<i32>().is_ok_and(|number| number < 100)
        {
            slot.year = next.parse().ok();
            length = 2;
        } else if word == "pro" && next == "forma" {
            slot.version = Some(Version::ProForma);
            length = 2;
        } else if word == "year" && next == "to" {
            slot.reach = Some(Reach::ToDate);
            length = 3;
        } else if let Some(own) = version(word) {
            slot.version = Some(own);
        } else if let Some(own) = month(word).filter(|_| words.len() <= 2 && slot.reach.is_none()) {
            slot.reach = Some(Reach::Of(own));
        } else {
            match word.as_str() {
                "ytd" => slot.reach = Some(Reach::ToDate),
                "ptd" | "mtd" | "month" | "monthly" => slot.reach = Some(Reach::Month),
                "total" | "annual" | "full" | "t12" | "ttm" | "fullyear" => slot.reach = Some(Reach::Year),
                other if SILENT.contains(&other) => {
                    at += 1;
                    continue;
                }
                _ => return None,
            }
        }
        told = true;
        at += length;
    }
    told.then_some(slot)
}

/// Whether these columns are one amount together: one column, or different quarters of one year.
pub(crate) fn together(columns: &[(usize, Slot)], whole: bool) -> bool {
    let [(_, first), rest @ ..] = columns else {
        return false;
    };
    if rest.is_empty() {
        return true;
    }
    // Four quarters that follow one another are a year wherever they begin.
    let row = |(_, slot): &(usize, Slot)| match (slot.reach, slot.year) {
        (Some(Reach::Quarter(number)), Some(year)) => Some(year * 4 + i32::try_from(number).ok()?),
        _ => None,
    };
    let running = whole
        && columns.len() == 4
        && columns.windows(2).all(|pair| match pair {
            [one, other] => row(one).is_some_and(|one| row(other) == Some(one + 1)),
            _ => false,
        });
    let alike = rest
        .iter()
        .all(|(_, slot)| (running || slot.year == first.year) && slot.version == first.version);
    let count = |of: fn(Reach) -> bool| {
        columns
            .iter()
            .filter(|(_, slot)| slot.reach.is_some_and(of))
            .count()
    };
    let quarters = count(|reach| matches!(reach, Reach::Quarter(_)));
    let months = count(|reach| matches!(reach, Reach::Of(_)));
    let parts = (quarters == columns.len() && (quarters == 4 || !whole))
        || (months == columns.len() && (months == 12 || !whole));
    alike && parts
}

/// The statement as these columns have it, times a factor.
pub(crate) fn through(sheet: &Sheet, columns: &[(usize, Slot)], factor: f64) -> Sheet {
    let table = &sheet.table;
    let numeric: HashSet<usize> = numeric_columns(table).into_iter().collect();
    let kept: Vec<usize> = (0..table.columns.len())
        .filter(|at| !numeric.contains(at))
        .collect();
    let mut seen = table.clone();
    let plain = factor == 1.0 && columns.len() == 1;
    for row in &mut seen.rows {
        let mut cells: Vec<String> = kept.iter().map(|at| table.text(row, *at).to_owned()).collect();
        let numbers: Vec<f64> = columns
            .iter()
            .filter_map(|(at, _)| table.number(row, *at))
            .map(tables::numbers::Number::written)
            .collect();
        cells.push(match columns {
            [(at, _)] if plain => table.text(row, *at).to_owned(),
            _ if numbers.is_empty() => String::new(),
            _ => {
                let sum = format!("{:.2}", numbers.iter().sum::<f64>() * factor);
                if table.decimal == Decimal::Comma {
                    sum.replace('.', ",")
                } else {
                    sum
                }
            }
        });
        row.cells = cells.into_iter().collect();
    }
    seen.columns = kept
        .iter()
        .filter_map(|at| table.columns.get(*at).cloned())
        .chain(
            columns
                .first()
                .and_then(|(at, _)| table.columns.get(*at))
                .map(|column| Column {
                    header: "Amount".to_owned(),
                    field: Some(headers::Field::Amount),
                    ..column.clone()
                }),
        )
        .collect();
    Sheet {
        kind: Kind::Statement,
        ..sheet.with(seen)
    }
}

/// How the columns are called together.
pub(crate) fn called(table: &Table, columns: &[(usize, Slot)]) -> String {
    columns
        .iter()
        .map(|(at, _)| table.header(*at))
        .collect::<Vec<_>>()
        .join(" + ")
}

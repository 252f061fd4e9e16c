//! Finds columns whose numbers are not all of one kind: of several currencies, periods or units, or written in several
//! ways. No sum, average or comparison of them is a figure.
//!
//! Independent of questions.

use std::collections::BTreeSet;

use crate::headers::{self, Field};
use crate::numbers::{self, Decimal};
use crate::table::{Row, Table};

/// Why the numbers of a column are not of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixed {
    /// The column that tells the kinds apart, if it is another one.
    pub by: Option<usize>,
    /// The kinds as the table names them.
    pub kinds: Vec<String>,
    pub sentence: String,
}

/// Finds what keeps the numbers of a column from being of one kind. `money` says whether they are amounts.
#[must_use]
pub fn mixed(table: &Table, column: usize, money: bool) -> Option<Mixed> {
    let header = table.header(column);
    let within = |kind: fn(&str) -> Option<&'static str>, what: &str| {
        let kinds: BTreeSet<&str> = cells(table, column).filter_map(kind).collect();
        (kinds.len() > 1).then(|| Mixed {
            by: None,
            kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
            sentence: format!(
                "The numbers under “{header}” are of several {what} ({}), which I neither add nor compare. Please send \
                 a table with one of them.",
                kinds.into_iter().collect::<Vec<_>>().join(", ")
            ),
        })
    };
    let next_to = |kind: fn(&str) -> Option<&'static str>, what: &str| {
        let (by, kinds) = kinds_in_others(table, column, kind).find(|(_, kinds)| kinds.len() > 1)?;
        Some(Mixed {
            by: Some(by),
            sentence: format!(
                "“{}” gives several {what} for the amounts under “{header}”: {}. Please ask for the \
                 rows of one of them.",
                table.header(by),
                kinds.join(", ")
            ),
            kinds,
        })
    };
    let of_money = || {
        let currencies = "currencies";
        within(currency, currencies)
            .or_else(|| next_to(only_currency, currencies))
            .or_else(|| next_to(period, "periods"))
    };
    money
        .then(of_money)
        .flatten()
        .or_else(|| within(unit, "units"))
        .or_else(|| separators(table, column))
        .or_else(|| rates(table, column))
}

fn cells(table: &Table, column: usize) -> impl Iterator<Item = &str> {
    table
        .data()
        .map(move |row| table.text(row, column))
        .filter(|cell| !numbers::is_nothing(cell))
}

/// Columns that give a kind for each row with a number in this one, and the different kinds as they are written.
fn kinds_in_others(
    table: &Table,
    column: usize,
    kind: fn(&str) -> Option<&'static str>,
) -> impl Iterator<Item = (usize, Vec<String>)> {
    let others = (0..table.columns.len()).filter(move |at| *at != column);
    others.filter_map(move |at| Some((at, kinds_of_rows(table, at, column, kind)?)))
}

/// Whether the amounts of a column are of another period than a month: the one that its header names, the one that is
/// chosen, or the only one that another column gives.
#[must_use]
pub fn other_period(table: &Table, column: usize, chosen: Option<&str>) -> bool {
    let is_other = |kind: &str| period(kind).is_some_and(|period| period != MONTHLY);
    let single = |(_, kinds): (usize, Vec<String>)| matches!(kinds.as_slice(), [only] if is_other(only));
    let named = headers::words(table.header(column))
        .iter()
        .any(|word| is_other(word));
    named || chosen.is_some_and(is_other) || kinds_in_others(table, column, period).any(single)
}

/// The different kinds that a column gives for the rows with a number in another one, if each of its cells is a kind.
fn kinds_of_rows(
    table: &Table,
    by: usize,
    column: usize,
    kind: fn(&str) -> Option<&'static str>,
) -> Option<Vec<String>> {
    let counts =
        |row: &&Row| table.number(row, column).is_some() && !numbers::is_nothing(table.text(row, by));
    let mut kinds: Vec<(&str, &str)> = Vec::new();
    for row in table.data().filter(counts) {
        let cell = table.text(row, by);
        let own = kind(cell)?;
        if !kinds.iter().any(|(known, _)| *known == own) {
            kinds.push((own, cell));
        }
    }
    (!kinds.is_empty()).then(|| kinds.into_iter().map(|(_, cell)| cell.to_owned()).collect())
}

/// Currencies by their signs and codes, the code first.
const CURRENCIES: [&str; 22] = [
    "USD $ US$",
    "EUR €",
    "GBP £",
    "JPY ¥",
    "CHF SFR",
    "CAD C$ CA$",
    "AUD A$ AU$",
    "NZD NZ$",
    "SEK",
    "NOK",
    "DKK",
    "PLN ZŁ",
    "CZK KČ",
    "HUF FT",
    "RON",
    "INR ₹",
    "CNY",
    "HKD HK$",
    "SGD S$",
    "AED",
    "MXN MX$",
    "BRL R$",
];

/// The currency of an amount that says it.
fn currency(cell: &str) -> Option<&'static str> {
    if cell
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte.is_ascii_punctuation() && byte != b'$')
    {
        return None;
    }
    let word = |sign: char| sign.is_alphabetic() || matches!(sign, '$' | '€' | '£' | '¥' | '₹');
    cell.split(|sign: char| !word(sign)).find_map(only_currency)
}

/// The code of a currency that is named and nothing else.
#[must_use]
pub fn only_currency(cell: &str) -> Option<&'static str> {
    let name = cell.trim().to_uppercase();
    let listed = CURRENCIES
        .iter()
        .find(|names| names.split(' ').any(|own| own == name))?;
    listed.split(' ').next()
}

const MONTHLY: &str = "monthly";

/// The period that a cell names, such as "Monthly" or "per year".
fn period(cell: &str) -> Option<&'static str> {
    let words = headers::words(cell);
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| *word != "per")
        .collect();
    Some(match words.as_slice() {
        ["daily" | "day"] => "daily",
        ["weekly" | "week" | "wk" | "pw"] => "weekly",
        ["biweekly" | "fortnightly" | "fortnight"] => "fortnightly",
        ["monthly" | "month" | "mo" | "mth" | "pcm" | "pm"] => MONTHLY,
        ["quarterly" | "quarter" | "qtr"] => "quarterly",
        ["semiannual" | "semiannually"] => "semiannual",
        ["annual" | "annually" | "yearly" | "year" | "yr" | "annum" | "pa"] => "annual",
        _ => return None,
    })
}

/// The period or the measure of area behind a number: "1,200/mo", "14,400 per year", "50 m²".
fn unit(cell: &str) -> Option<&'static str> {
    let behind = cell.trim_start_matches(|sign: char| !sign.is_alphabetic() && sign != '/');
    let behind = behind.trim_start_matches('/').trim();
    if behind.is_empty() {
        return None;
    }
    period(behind).or_else(|| match headers::normalized(behind).as_str() {
        "sf" | "sqft" | "squarefeet" | "rsf" => Some("sq ft"),
        "m²" | "m2" | "sqm" => Some("m²"),
        _ => None,
    })
}

/// A number such as "1.050" is read in two ways. Next to numbers that are much larger or have the other separator, the
/// reading that takes it for a little more than 1 is not certain.
fn separators(table: &Table, column: usize) -> Option<Mixed> {
    let (point, group) = match table.decimal {
        Decimal::Point => ('.', ','),
        Decimal::Comma => (',', '.'),
    };
    let digits = |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_ascii_digit());
    let bare = |cell: &str| -> String {
        let own = |sign: &char| sign.is_ascii_digit() || [point, group].contains(sign);
        cell.chars().filter(own).collect()
    };
    let either = |cell: &&str| {
        let bare = bare(cell);
        bare.split_once(point).is_some_and(|(whole, fraction)| {
            digits(whole)
                && digits(fraction)
                && whole.len() <= 3
                && !whole.starts_with('0')
                && fraction.len() == 3
        })
    };
    let open = cells(table, column).find(either)?;
    let large = |cell: &str| {
        numbers::number(cell, table.decimal).is_some_and(|number| number.written().abs() >= 100.0)
            && !either(&cell)
    };
    let other = cells(table, column).find(|cell| large(cell))?;
    Some(Mixed {
        by: None,
        kinds: vec![open.to_owned(), other.to_owned()],
        sentence: format!(
            "Under “{}” I cannot tell whether “{open}” has thousands or decimals, next to “{other}”. Please write the \
             numbers of the column in one way.",
            table.header(column)
        ),
    })
}

/// Rates of which some are written in percent and others as fractions are further apart than rates are.
const APART: f64 = 20.0;

/// 5.25 and 0.0475 in one column of rates.
fn rates(table: &Table, column: usize) -> Option<Mixed> {
    let header = table.header(column);
    let field = table
        .columns
        .get(column)
        .and_then(|own| own.field)
        .or_else(|| headers::field(header));
    if !matches!(field, Some(Field::Rate | Field::CapRate | Field::Ltv)) {
        return None;
    }
    let read = |cell: &&str| {
        let number =
            numbers::number(cell, table.decimal).filter(|number| !number.percent && !number.money)?;
        Some((number.written().abs(), (*cell).to_owned()))
    };
    let mut bare: Vec<(f64, String)> = cells(table, column)
        .filter_map(|cell| read(&cell))
        .filter(|(rate, _)| *rate > 0.0)
        .collect();
    bare.sort_by(|one, other| one.0.total_cmp(&other.0));
    let ((low, lowest), (high, highest)) = (bare.first()?, bare.last()?);
    (*low < 1.0 && *high > 1.0 && *high > *low * APART).then(|| Mixed {
        by: None,
        kinds: vec![lowest.clone(), highest.clone()],
        sentence: format!(
            "Under “{header}” I cannot tell whether “{lowest}” is in percent, as “{highest}” is. Please write the \
             rates \
             of the column in one way."
        ),
    })
}

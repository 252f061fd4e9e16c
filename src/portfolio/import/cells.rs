//! Parses the cells of a row to typed values. A cell that does not fit its column becomes a finding.
//!
//! Decimals are in millionths here. The reader of the row knows the currency and converts them to the stored
//! unit.

use chrono::{Datelike as _, NaiveDate};

use crate::portfolio::import::fields::CellType;
use crate::portfolio::import::finding::{Code, Finding, Findings};
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::listing::{Column, Listing};
use tables::dates::{self, Order};
use tables::grid::Record;
use tables::numbers::{self, Decimal};

/// The number one in millionths.
pub const ONE: i64 = 1_000_000;
/// Maximum length of a cell, in characters.
const TEXT: usize = 400;
/// Largest amount in whole units of a currency: far above the price of any building, and small enough that
/// sums do not overflow.
const AMOUNT: i64 = 1_000_000_000_000;
/// Largest area in square feet.
const AREA: i64 = 1_000_000_000;
/// Ten-millionths of a square foot in a square metre.
const SQUARE_METRE: i128 = 107_639_104;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Date(NaiveDate),
    /// A number in millionths, also for whole numbers.
    Number(i64),
    Truth(bool),
}

/// The values of a row by field, with their position in the file.
pub struct Row<'l> {
    listing: &'l Listing,
    record: &'l Record,
    values: Vec<Option<Value>>,
    /// Whether a cell of the row could not be read.
    pub broken: bool,
}

impl<'l> Row<'l> {
    /// Reads every column, and adds problems to `found`.
    pub fn read(listing: &'l Listing, record: &'l Record, found: &mut Findings) -> Self {
        let mut row = Self {
            listing,
            record,
            values: Vec::with_capacity(listing.columns.len()),
            broken: false,
        };
        for column in &listing.columns {
            let cell = record.cell(column.at);
            let read = match cell {
                "" if column.field.required => {
                    let why = format!("{} must not be empty", column.field.name);
                    Err((Code::RequiredMissing, why))
                }
                "" => Ok((None, None)),
                cell => read(cell, column),
            };
            row.values.push(match read {
                Ok((value, warning)) => {
                    if let Some(why) = warning {
                        found.add(listing.at(record, column.field.name, Code::AmbiguousDate, why));
                    }
                    value
                }
                Err((code, why)) => {
                    row.broken = true;
                    found.add(listing.at(record, column.field.name, code, why));
                    None
                }
            });
        }
        row
    }

    pub fn kind(&self) -> Kind {
        self.listing.kind
    }

    pub fn line(&self) -> usize {
        self.record.line
    }

    /// Creates a finding for the cell of a field.
    pub fn at(&self, field: &str, code: Code, why: impl Into<String>) -> Finding {
        self.listing.at(self.record, field, code, why)
    }

    /// Whether the file has a column for this field.
    pub fn has(&self, field: &str) -> bool {
        self.listing.column(field).is_some()
    }

    fn value(&self, field: &str) -> Option<&Value> {
        let columns = &self.listing.columns;
        let at = columns.iter().position(|column| column.field.name == field)?;
        self.values.get(at)?.as_ref()
    }

    pub fn text(&self, field: &str) -> Option<String> {
        match self.value(field) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    pub fn date(&self, field: &str) -> Option<NaiveDate> {
        match self.value(field) {
            Some(Value::Date(date)) => Some(*date),
            _ => None,
        }
    }

    pub fn truth(&self, field: &str) -> Option<bool> {
        match self.value(field) {
            Some(Value::Truth(truth)) => Some(*truth),
            _ => None,
        }
    }

    /// A number in millionths.
    pub fn number(&self, field: &str) -> Option<i64> {
        match self.value(field) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A whole number.
    pub fn count(&self, field: &str) -> Option<i64> {
        self.number(field).map(|number| number / ONE)
    }

    /// An area in hundredths of a square foot.
    pub fn area(&self, field: &str) -> Option<i64> {
        let number = i128::from(self.number(field)?);
        let metric = self.listing.column(field).is_some_and(|column| column.metric);
        let (times, by) = if metric {
            (SQUARE_METRE * 100, 10_000_000 * i128::from(ONE))
        } else {
            (100, i128::from(ONE))
        };
        i64::try_from(rounded(number * times, by)).ok()
    }

    /// An amount in minor units of the currency.
    pub fn money(&self, field: &str, currency: &str) -> Option<i64> {
        let by = i128::from(ONE) / 10_i128.pow(minor_digits(currency));
        i64::try_from(rounded(i128::from(self.number(field)?), by)).ok()
    }

    /// A percentage as a fraction in millionths.
    pub fn share(&self, field: &str) -> Option<i64> {
        i64::try_from(rounded(i128::from(self.number(field)?), 100)).ok()
    }
}

/// Divides and rounds half away from zero.
fn rounded(number: i128, by: i128) -> i128 {
    let half = by / 2;
    if number < 0 {
        (number - half) / by
    } else {
        (number + half) / by
    }
}

/// The number of decimals of a currency's minor unit.
pub fn minor_digits(currency: &str) -> u32 {
    match currency {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "VND"
        | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        _ => 2,
    }
}

type Read = Result<(Option<Value>, Option<String>), (Code, String)>;

fn read(cell: &str, column: &Column) -> Read {
    let plain = |value| Ok((Some(value), None));
    if cell.chars().any(|sign| sign.is_control() || sign == '\u{fffd}') {
        return Err((
            Code::Encoding,
            "contains characters that are not text; save the file as CSV UTF-8".to_owned(),
        ));
    }
    match column.field.cell_type {
        CellType::Text => {
            let length = cell.chars().count();
            if length > TEXT {
                let why = format!("has {length} characters; the maximum is {TEXT}");
                return Err((Code::OutOfRange, why));
            }
            plain(Value::Text(cell.to_owned()))
        }
        CellType::Word(words) => word(cell, words),
        CellType::Currency => {
            let code = cell.to_ascii_uppercase();
            if code.len() == 3 && code.bytes().all(|sign| sign.is_ascii_uppercase()) {
                plain(Value::Text(code))
            } else {
                Err((
                    Code::UnknownValue,
                    "must be a three-letter currency code, such as USD".to_owned(),
                ))
            }
        }
        CellType::Bool => match cell.to_ascii_lowercase().as_str() {
            "true" | "yes" | "y" | "1" | "t" | "x" => plain(Value::Truth(true)),
            "false" | "no" | "n" | "0" | "f" | "-" => plain(Value::Truth(false)),
            _ => Err((Code::UnknownValue, "must be true or false".to_owned())),
        },
        CellType::Date => date(cell, column),
        CellType::Month => match date(cell, column)? {
            (Some(Value::Date(day)), warning) => Ok((day.with_day(1).map(Value::Date), warning)),
            other => Ok(other),
        },
        CellType::Amount => number(cell, 0, AMOUNT),
        CellType::Signed => number(cell, -AMOUNT, AMOUNT),
        CellType::Percent(least, most) => number(cell, least, most),
        CellType::Decimal(most) => number(cell, 0, most),
        CellType::Area => number(cell, 0, AREA),
        CellType::Count(least, most) => match number(cell, least, most)? {
            (Some(Value::Number(value)), _) if value % ONE != 0 => {
                Err((Code::InvalidNumber, "must be a whole number".to_owned()))
            }
            read => Ok(read),
        },
    }
}

fn word(cell: &str, words: &[&str]) -> Read {
    let plain: String = cell
        .chars()
        .map(|sign| match sign {
            ' ' | '-' if words.iter().any(|word| word.contains('_')) => '_',
            sign => sign.to_ascii_lowercase(),
        })
        .collect();
    match words.iter().find(|word| **word == plain) {
        Some(word) => Ok((Some(Value::Text((*word).to_owned())), None)),
        None => Err((
            Code::UnknownValue,
            format!("must be one of: {}", words.join(", ")),
        )),
    }
}

fn date(cell: &str, column: &Column) -> Read {
    let order = column.order;
    let Some(read) = dates::date(cell, order) else {
        let why = "is not a valid date; write it as 2026-10-31".to_owned();
        return Err((Code::InvalidDate, why));
    };
    let warning = (read.ambiguous && !column.order_known).then(|| match order {
        Order::MonthFirst => {
            format!(
                "read as {} (US order) unless the import sets day_first",
                read.date
            )
        }
        Order::DayFirst => format!("read as {} (day first)", read.date),
    });
    let day = if matches!(column.field.cell_type, CellType::Month) {
        read.date
    } else if column.field.name.starts_with("end") {
        // "Oct 2026" as an end date means the last day of that month.
        read.last_day()
    } else {
        read.date
    };
    if !(1900..=2199).contains(&day.year()) {
        let why = "is outside the years 1900 to 2199".to_owned();
        return Err((Code::InvalidDate, why));
    }
    Ok((Some(Value::Date(day)), warning))
}

/// Parses a number between two whole numbers, and returns millionths.
fn number(cell: &str, least: i64, most: i64) -> Read {
    if numbers::is_nothing(cell) {
        return Ok((None, None));
    }
    let Some(read) = numbers::number(cell, Decimal::Point) else {
        let why = "is not a number; write it as 1234.56".to_owned();
        return Err((Code::InvalidNumber, why));
    };
    // Take the number as written, so that 4.15 % and 4.15 are the same.
    let micro = read.scaled(6).map_or_else(
        || {
            // More than six decimals, or far too large.
            let value = read.written() * 1e6;
            (value.abs() < 9e18).then_some(value.round() as i64)
        },
        Some,
    );
    let Some(micro) = micro.filter(|micro| (least * ONE..=most.saturating_mul(ONE)).contains(micro)) else {
        return Err((Code::OutOfRange, format!("must be between {least} and {most}")));
    };
    Ok((Some(Value::Number(micro)), None))
}

/// Parses a cell that contains only a number, and returns millionths.
pub fn micro(cell: &str) -> Option<i64> {
    if numbers::is_nothing(cell) {
        return None;
    }
    numbers::number(cell, Decimal::Point)?.scaled(6)
}

/// Formats millionths as a decimal number.
pub fn plain(micro: i64) -> String {
    let sign = if micro < 0 { "-" } else { "" };
    let (integer, rest) = (micro.unsigned_abs() / 1_000_000, micro.unsigned_abs() % 1_000_000);
    let places = format!("{rest:06}");
    format!("{sign}{integer}.{:0<2}", places.trim_end_matches('0'))
}

/// An amount in whole units of its currency, for reports.
pub fn major(minor: i64, currency: &str) -> f64 {
    minor as f64 / 10_f64.powi(i32::try_from(minor_digits(currency)).unwrap_or(2))
}

//! Checks where values come from: each number of a call is in the texts of the run, in any notation, or is a ref.
//!
//! "7.2m" is "$7,200,000", "65%" is "0.65", "five-year" is "5", "30 yr" is "360 months". What a number is
//! said of is not checked.

use chrono::Datelike;
use serde_json::Value;
use tables::dates::{Order, date};

use crate::numerals;
use crate::reader::is_ref;
use crate::result::{Refusal, Table};

/// The numbers and texts that a run was given.
#[derive(Clone, Debug, Default)]
pub struct Givens {
    /// Lower case, for values that occur word for word.
    texts: Vec<String>,
    numbers: Vec<Seen>,
}

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// With its multiple: 7,200,000 for "7.2m".
    pub number: f64,
    /// What its last digit stands for: 100,000 for "7.2m".
    pub step: f64,
    /// Percent and basis points as a fraction.
    pub fraction: Option<f64>,
    /// The other reading of "6m": 6 months.
    bare: Option<f64>,
    /// A duration in months.
    months: Option<f64>,
    /// Counts years or other periods, like "5" in "year 5" and "years 1 to 5".
    counts_periods: bool,
}

/// Every number of a text, in its order.
#[must_use]
pub fn numbers(text: &str) -> Vec<Seen> {
    seen(&text.to_lowercase())
}

/// Arguments that hold choices, names or shapes and no values.
const CHOICES: &[&str] = &[
    "want",
    "table",
    "goal",
    "per",
    "accrual",
    "order",
    "style",
    "kind",
    "use",
    "rounding",
    "first",
    "day_count",
    "day_count_year",
    "select",
    "group",
    "limit",
    "columns",
    "column",
    "aggregate",
    "by",
    "op",
];

/// Most values that one refusal names.
const NAMED: usize = 8;

impl Givens {
    /// Adds a text: the question, an earlier turn, a note, a file.
    pub fn add(&mut self, text: &str) {
        let lower = text.to_lowercase();
        self.numbers.extend(seen(&lower));
        let decimals = numerals::without_fractions(&lower);
        if decimals != lower {
            self.numbers.extend(seen(&decimals));
        }
        self.texts.push(lower);
    }

    /// Adds a number that something other than a text gave.
    pub fn add_number(&mut self, number: f64) {
        self.numbers.push(Seen {
            number,
            step: 0.0,
            fraction: None,
            bare: None,
            months: None,
            counts_periods: false,
        });
    }

    /// Adds the cells of a table.
    pub fn add_table(&mut self, table: &Table) {
        for cell in table.rows.iter().flatten() {
            match cell {
                Value::Number(number) => number
                    .as_f64()
                    .into_iter()
                    .for_each(|number| self.add_number(number)),
                Value::String(text) => self.add(text),
                _ => {}
            }
        }
    }

    /// Checks every value of a call.
    ///
    /// # Errors
    /// All values that occur nowhere, by their arguments.
    pub fn check(&self, arguments: &Value) -> Result<(), Refusal> {
        let mut strange = Vec::new();
        self.walk("arguments", arguments, &mut strange);
        if strange.is_empty() {
            return Ok(());
        }
        let listed = strange.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let detail = format!(
            "Not in the question nor in anything that was given: {listed}. Leave these values out and call again, or \
             pass the ref of an earlier result; the result names what is missing."
        );
        Err(Refusal::failure("not_given", detail))
    }

    /// Adds what occurs nowhere.
    fn walk(&self, name: &str, value: &Value, strange: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    if !CHOICES.contains(&key.as_str()) || value.is_object() {
                        self.walk(key, value, strange);
                    }
                }
            }
            Value::Array(list) => {
                for (at, value) in list.iter().enumerate() {
                    // The rows of a table written into a call may be numbered, from 1.
                    let number = value
                        .as_array()
                        .and_then(|row| row.first())
                        .and_then(Value::as_str);
                    let numbered = name == "rows"
                        && number
                            .is_some_and(|first| first.parse().is_ok_and(|first: usize| first == at + 1));
                    match value.as_array() {
                        Some(row) if numbered => {
                            row.iter()
                                .skip(1)
                                .for_each(|value| self.walk(name, value, strange));
                        }
                        _ => self.walk(name, value, strange),
                    }
                }
            }
            Value::String(text) if !self.occurs(name, text) => strange.push(format!("{name} \"{text}\"")),
            Value::Number(number) if !self.occurs(name, &number.to_string()) => {
                strange.push(format!("{name} \"{number}\""));
            }
            _ => {}
        }
    }

    fn occurs(&self, name: &str, text: &str) -> bool {
        let lower = text.trim().to_lowercase();
        let bare = lower.trim_start_matches(['-', '−']).trim_start();
        let own = seen(&numerals::without_fractions(bare));
        // Words that say no number, and numbers that say nothing.
        if is_ref(bare) || own.is_empty() || ["0", "1"].contains(&bare) {
            return true;
        }
        if self.texts.iter().any(|given| whole_words(given, bare)) || self.has_date(bare) {
            return true;
        }
        // Nothing, the whole, and one of something are no numbers that have to be given; nor is what a period is.
        let usual = own.len() == 1
            && own.iter().all(|own| {
                own.number == 0.0 || own.fraction == Some(1.0) || own.number == 1.0 && own.months.is_some()
            });
        let rhythm = ["periods_per_year", "payments_per_year", "compounding_periods"].contains(&name)
            && (["2", "4", "12", "52", "360", "365"].contains(&bare)
                || !bare.bytes().any(|byte| byte.is_ascii_digit()));
        if usual || rhythm {
            return true;
        }
        let is_given = |own: &Seen| self.numbers.iter().any(|given| same(own, given));
        if bare.bytes().any(|byte| byte.is_ascii_digit()) {
            own.iter().all(is_given)
        } else {
            // "Forty-eight" is also read as forty and as eight.
            own.iter().any(is_given)
        }
    }

    /// Whether the text is a date that occurs in another notation.
    fn has_date(&self, text: &str) -> bool {
        let Some(wanted) = date(text, Order::MonthFirst) else {
            return false;
        };
        // The bounds of a year that occurs.
        let bound = matches!((wanted.date.month(), wanted.date.day()), (1, 1) | (12, 31));
        if bound
            && self
                .numbers
                .iter()
                .any(|seen| (seen.number - f64::from(wanted.date.year())).abs() < 0.5)
        {
            return true;
        }
        self.texts.iter().any(|given| {
            let words: Vec<&str> = given.split_whitespace().collect();
            (1..=3).any(|length| {
                words.windows(length).any(|window| {
                    let joined = window.join(" ");
                    let part = joined.trim_matches(|sign: char| !sign.is_alphanumeric());
                    [Order::MonthFirst, Order::DayFirst].iter().any(|order| {
                        date(part, *order)
                            .is_some_and(|found| found.date == wanted.date || found.last_day() == wanted.date)
                    })
                })
            }) || words.iter().flat_map(|word| word.split([',', ';'])).any(|part| {
                date(part, Order::MonthFirst)
                    .is_some_and(|found| found.date == wanted.date || found.last_day() == wanted.date)
            })
        })
    }
}

/// Whether `text` contains `part` as whole words or a whole number.
fn whole_words(text: &str, part: &str) -> bool {
    text.match_indices(part).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let mut behind = text.get(at + part.len()..).unwrap_or("").chars();
        let (next, after) = (behind.next(), behind.next());
        let digit = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_digit());
        let letter = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        // "1.5" is no part of "11.5" or "1.52", and "7.2" none of "7.2m" or "7.2%".
        let longer = matches!(next, Some('.' | ',')) && digit(after) || next == Some('%');
        !(letter(before) || matches!(before, Some('.' | ',')) || letter(next) || longer)
    })
}

/// Whether two numbers are the same in some notation.
fn same(own: &Seen, given: &Seen) -> bool {
    // A rate is written with or without its sign, but no year and no duration is one.
    if own.fraction.is_some() && given.fraction.is_none() && (given.counts_periods || given.months.is_some())
    {
        return false;
    }
    let equal = |a: f64, b: f64| (a.abs() - b.abs()).abs() <= 1e-9 * a.abs().max(b.abs());
    let pairs = [
        (Some(own.number), Some(given.number)),
        (Some(own.number), given.bare),
        (Some(own.number), given.fraction),
        (own.fraction, Some(given.number)),
        (own.fraction, given.fraction),
        (own.bare, given.months),
        (own.months, given.months),
        // A share without a sign, where the other has one: "0.65" for "65".
        (
            Some(own.number * 100.0).filter(|_| own.number.abs() < 1.0),
            Some(given.number),
        ),
    ];
    pairs
        .iter()
        .any(|pair| matches!(pair, (Some(a), Some(b)) if equal(*a, *b)))
}

/// Every number of a text in lower case.
fn seen(text: &str) -> Vec<Seen> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut tens: Option<f64> = None;
    let mut counts_periods = false;
    while let Some(first) = rest.chars().next() {
        let point = first == '.' && rest.chars().nth(1).is_some_and(|sign| sign.is_ascii_digit());
        if first.is_ascii_digit() || point {
            let (number, after) = digits(rest);
            found.extend(number.map(|(number, step)| Seen {
                counts_periods,
                ..with_words(number, step, after)
            }));
            // A multiple belongs to the number: its letters are no words.
            rest = after;
            tens = None;
        } else if first.is_alphabetic() {
            let end = rest
                .find(|sign: char| !sign.is_alphabetic())
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            counts_periods = is_period(word) || counts_periods && matches!(word, "to" | "and" | "through");
            if let Some(value) = numerals::word(word) {
                found.push(with_words(value, 1.0, after));
                if let Some(tens) = tens.filter(|_| value < 10.0) {
                    found.push(with_words(tens + value, 1.0, after));
                }
                tens = Some(value).filter(|value| (20.0..100.0).contains(value));
            } else if !matches!(word, "and") {
                tens = None;
            }
            rest = after;
        } else {
            rest = rest.get(first.len_utf8()..).unwrap_or("");
        }
    }
    found
}

fn is_period(word: &str) -> bool {
    matches!(
        word,
        "year" | "years" | "yr" | "yrs" | "month" | "months" | "quarter" | "quarters"
    )
}

/// The number at the start of a text with the step of its last digit, and what follows. Groups are three digits after
/// a comma or an apostrophe.
fn digits(text: &str) -> (Option<(f64, f64)>, &str) {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut plain, mut at, mut point) = (String::new(), 0, false);
    while let Some(&byte) = bytes.get(at) {
        let group = !point && digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4) && at > 0;
        match byte {
            b'0'..=b'9' => plain.push(char::from(byte)),
            b'.' if !point && digit(at + 1) => {
                point = true;
                plain.push('.');
            }
            b',' | b'\'' if group => {}
            _ => break,
        }
        at += 1;
    }
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let step = 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0));
    let number = plain.parse().ok().map(|number| (number, step));
    (number, text.get(at..).unwrap_or(""))
}

/// A number with the multiple, sign or time that follows it.
fn with_words(number: f64, step: f64, after: &str) -> Seen {
    let mut seen = Seen {
        number,
        step,
        fraction: None,
        bare: None,
        months: None,
        counts_periods: false,
    };
    let near = after.trim_start_matches([' ', '-', '\u{a0}']);
    if near.starts_with('%') {
        seen.fraction = Some(number / 100.0);
        return seen;
    }
    let end = near
        .find(|sign: char| !sign.is_alphabetic())
        .unwrap_or(near.len());
    let word = near.get(..end).unwrap_or("");
    let mut times = |multiple: f64| {
        seen.number = number * multiple;
        seen.step = step * multiple;
    };
    match word {
        "percent" | "pct" | "point" | "points" => seen.fraction = Some(number / 100.0),
        "bps" | "bp" | "basis" => seen.fraction = Some(number / 10_000.0),
        "k" | "thousand" => times(1e3),
        "m" => {
            times(1e6);
            if number.fract() == 0.0 && number <= 60.0 {
                seen.bare = Some(number);
                seen.months = Some(number);
            }
        }
        "mm" | "mn" | "mil" | "million" => times(1e6),
        "b" | "bn" | "billion" => times(1e9),
        "year" | "years" | "yr" | "yrs" | "y" => seen.months = Some(number * 12.0),
        "month" | "months" | "mo" | "mos" => seen.months = Some(number),
        "quarter" | "quarters" => seen.months = Some(number * 3.0),
        _ => {}
    }
    seen
}

//! Parses numbers as people write them in cells: `$`, thousands separators, parentheses for negatives,
//! percent signs, multiples such as `k`. Exact: stores digits and decimal places and no binary fractions.
//!
//! Parses single cells. The table decides whether `1.234` has thousands or decimals ([`Decimal`]).

use crate::work::charge;

/// The decimal separator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimal {
    #[default]
    Point,
    Comma,
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// All digits as one integer.
    pub digits: i128,
    /// The number of decimals among the digits.
    pub places: u32,
    /// Whether there is a percent sign, so that the value is a hundredth of the written number.
    pub percent: bool,
    /// Whether there is a currency sign or word.
    pub money: bool,
}

impl Number {
    /// The number as written: 6.25 for `6.25%`.
    #[must_use]
    pub fn written(self) -> f64 {
        let power = i32::try_from(self.places).unwrap_or(i32::MAX);
        self.digits as f64 / 10_f64.powi(power)
    }

    /// The value: 0.0625 for `6.25%`.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.percent {
            let power = i32::try_from(self.places + 2).unwrap_or(i32::MAX);
            self.digits as f64 / 10_f64.powi(power)
        } else {
            self.written()
        }
    }

    /// The written number in units of 10^-places, if it has no more decimals than that and fits.
    #[must_use]
    pub fn scaled(self, places: u32) -> Option<i64> {
        let (mut digits, mut own) = (self.digits, self.places);
        while own > places && digits % 10 == 0 {
            digits /= 10;
            own -= 1;
        }
        let more = places.checked_sub(own)?;
        let scaled = digits.checked_mul(10_i128.checked_pow(more)?)?;
        i64::try_from(scaled).ok()
    }
}

/// Whether a cell contains a placeholder for an empty value.
#[must_use]
pub fn is_nothing(cell: &str) -> bool {
    let plain = cell.trim().trim_matches('$').trim();
    matches!(plain, "" | "-" | "–" | "—" | "--" | "#N/A" | "." | "*")
        || ["n/a", "na", "n.a.", "nil", "none", "null", "tbd"]
            .iter()
            .any(|word| plain.eq_ignore_ascii_case(word))
}

/// Longer cells are no numbers.
const LONGEST: usize = 64;
/// Maximum number of digits.
const DIGITS: usize = 28;

/// Parses a cell that contains only a number. Units that do not change the value (`sf`, `/mo`, `x`) may
/// follow it.
#[must_use]
pub fn number(cell: &str, decimal: Decimal) -> Option<Number> {
    charge(1 + cell.len().min(LONGEST));
    let mut rest = cell.trim();
    if rest.len() > LONGEST || !rest.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let begins_with_digit = |rest: &str| rest.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let mut negative = false;
    if let Some((before, inner)) = in_parentheses(rest).filter(|_| !begins_with_digit(rest)) {
        if before == "$" {
            // In "$(1,200)", the currency applies to the number in parentheses.
            let own = number(&format!("${inner}"), decimal)?;
            return (own.digits >= 0).then_some(Number {
                digits: -own.digits,
                ..own
            });
        }
        negative = true;
        rest = inner.trim();
    }
    let mut money = false;
    let mut percent = false;
    let mut signed = false;
    // Signs and currencies in front, in any order.
    while !begins_with_digit(rest) {
        if let Some(after) = ["-", "−", "–"].iter().find_map(|sign| rest.strip_prefix(sign)) {
            if signed || negative {
                return None;
            }
            (signed, negative) = (true, true);
            rest = after.trim_start();
        } else if let Some(after) = rest.strip_prefix('+') {
            if signed || negative {
                return None;
            }
            signed = true;
            rest = after.trim_start();
        } else if let Some(after) = currency_before(rest) {
            if money {
                return None;
            }
            money = true;
            rest = after.trim_start();
        } else {
            break;
        }
    }
    let end = rest
        .char_indices()
        .find(|(_, sign)| {
            !(sign.is_ascii_digit() || matches!(sign, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}'))
        })
        .map_or(rest.len(), |(at, _)| at);
    let (body, mut behind) = rest.split_at(end);
    let (mut digits, places) = plain(body.trim_end(), decimal)?;
    behind = behind.trim();
    while !behind.is_empty() {
        let lower = behind.to_ascii_lowercase();
        if let Some(after) = behind.strip_prefix('%') {
            percent = true;
            behind = after.trim_start();
        } else if places == 0 && body.trim_end().ends_with(['.', ',']) && is_round(behind) {
            behind = "";
        } else if matches!(behind, "-" | "CR" | "cr") && !negative && !signed {
            negative = true;
            behind = "";
        } else if behind == ")" && cell.trim_start().starts_with('(') {
            return None;
        } else if let Some((length, power)) = multiple(&lower, money || !behind.starts_with(['m', 'b'])) {
            digits = digits.checked_mul(10_i128.checked_pow(power)?)?;
            behind = behind.get(length..).unwrap_or("").trim_start();
        } else if let Some(length) = currency_behind(&lower) {
            money = true;
            behind = behind.get(length..).unwrap_or("").trim_start();
        } else {
            let length = unit_behind(&lower)?;
            behind = behind.get(length..).unwrap_or("").trim_start();
        }
    }
    let (digits, places) = shortest(digits, places);
    Some(Number {
        digits: if negative { -digits } else { digits },
        places,
        percent,
        money,
    })
}

/// What is in parentheses up to the end of a text, behind nothing or a dollar sign.
fn in_parentheses(text: &str) -> Option<(&str, &str)> {
    let (before, inner) = text.strip_suffix(')')?.split_once('(')?;
    let before = before.trim();
    matches!(before, "" | "$").then_some((before, inner))
}

/// The same number without zeros at the end of its decimals.
fn shortest(mut digits: i128, mut places: u32) -> (i128, u32) {
    // Dividing the wider integers takes many times as long.
    if let Ok(mut small) = i64::try_from(digits) {
        while places > 0 && small % 10 == 0 {
            small /= 10;
            places -= 1;
        }
        return (small.into(), places);
    }
    while places > 0 && digits % 10 == 0 {
        digits /= 10;
        places -= 1;
    }
    (digits, places)
}

/// Dashes in place of decimals: "1'300.–" is a round amount.
fn is_round(behind: &str) -> bool {
    behind.chars().all(|sign| matches!(sign, '-' | '–' | '—'))
}

fn currency_before(rest: &str) -> Option<&str> {
    let signs = ["US$", "C$", "A$", "$", "€", "£", "¥"];
    if let Some(after) = signs.iter().find_map(|sign| rest.strip_prefix(sign)) {
        return Some(after);
    }
    let word = rest.get(..3)?;
    let after = rest.get(3..)?;
    let known = ["USD", "EUR", "GBP", "CHF", "CAD", "AUD", "JPY"].contains(&word);
    (known && !after.starts_with(char::is_alphabetic)).then_some(after)
}

fn currency_behind(lower: &str) -> Option<usize> {
    ["usd", "eur", "gbp", "chf", "cad", "aud", "jpy", "$", "€", "£"]
        .iter()
        .find(|word| begins(lower, word))
        .map(|word| word.len())
}

/// Suffixes that multiply a number, and their power of ten. A small `m` may mean months, so it is only
/// accepted for money (`letters`).
fn multiple(lower: &str, letters: bool) -> Option<(usize, u32)> {
    [
        ("thousand", 3),
        ("million", 6),
        ("billion", 9),
        ("mm", 6),
        ("bn", 9),
        ("k", 3),
        ("m", 6),
        ("b", 9),
    ]
    .iter()
    .find(|(word, _)| (letters || word.len() > 1) && begins(lower, word))
    .map(|(word, power)| (word.len(), *power))
}

/// Units that do not change the value: an area, a period, a ratio.
fn unit_behind(lower: &str) -> Option<usize> {
    [
        "square feet",
        "sq. ft.",
        "sq ft",
        "sqft",
        "sq.ft.",
        "rsf",
        "psf",
        "sf",
        "/sf",
        "/mo",
        "/month",
        "/yr",
        "/year",
        "/unit",
        "per month",
        "per year",
        "per sf",
        "sqm",
        "m²",
        "units",
        "unit",
        "x",
    ]
    .iter()
    .find(|word| begins(lower, word))
    .map(|word| word.len())
}

/// Whether a text begins with a word. The first letter is compared first, since most words differ there.
fn begins(text: &str, word: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    text.as_bytes().first() == word.as_bytes().first() && text.strip_prefix(word).is_some_and(ends)
}

/// Digits and decimal places of an unsigned number, with or without thousands separators.
fn plain(body: &str, decimal: Decimal) -> Option<(i128, u32)> {
    let (point, group) = match decimal {
        Decimal::Point => ('.', ','),
        Decimal::Comma => (',', '.'),
    };
    let (whole, fraction) = match body.split_once(point) {
        Some((whole, fraction)) => (whole, fraction),
        None => (body, ""),
    };
    if !fraction.chars().all(|sign| sign.is_ascii_digit()) {
        return None;
    }
    let grouped = |sign: char| sign == group || matches!(sign, '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}');
    let mut parts = whole.split(grouped);
    let first = parts.next()?;
    let mut all = appended((0, 0), first)?;
    let mut groups = 0;
    for part in parts {
        if part.len() != 3 {
            return None;
        }
        groups += 1;
        all = appended(all, part)?;
    }
    if groups > 0 && !(1..=3).contains(&first.len()) {
        return None;
    }
    let (value, length) = appended(all, fraction)?;
    (1..=DIGITS).contains(&length).then_some(())?;
    Some((value, u32::try_from(fraction.len()).ok()?))
}

/// Appends digits to a number and the count of its digits.
fn appended((value, length): (i128, usize), digits: &str) -> Option<(i128, usize)> {
    let value = digits.bytes().try_fold(value, |value: i128, byte| {
        let digit = byte.is_ascii_digit().then(|| i128::from(byte - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })?;
    Some((value, length + digits.len()))
}

/// The decimal separator of these cells: the comma only if some cell is not valid otherwise and none
/// contradicts it.
#[must_use]
pub fn decimal_of<'a>(cells: impl Iterator<Item = &'a str>) -> Decimal {
    let (mut comma, mut point) = (0_usize, 0_usize);
    // Without either mark, both readings are the same.
    for cell in cells.filter(|cell| cell.contains(['.', ','])) {
        let by_point = number(cell, Decimal::Point).is_some();
        let by_comma = number(cell, Decimal::Comma).is_some();
        match (by_point, by_comma) {
            (false, true) => comma += 1,
            (true, false) => point += 1,
            _ => {}
        }
    }
    if comma > 0 && point == 0 {
        Decimal::Comma
    } else {
        Decimal::Point
    }
}

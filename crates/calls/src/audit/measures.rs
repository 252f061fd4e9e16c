//! The grammar of one number: digits with groups, decimals and fractions, then multiple, unit and currency.

use crate::audit::readings::{Kind, Reading};
use crate::audit::signs::{Signs, fraction};

/// Numbers with more digits are not read.
const LONGEST: usize = 30;
/// What a word or sign behind a number does to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    Multiple(f64),
    /// "m": millions, or months.
    Millions,
    /// What one is as a fraction.
    Share(f64),
    /// Points of a loan are percent; other points are not.
    Points,
    /// What one is in months.
    Months(f64),
    /// "1.5x".
    Times,
    Currency,
    /// Hundredths of a currency.
    Cents,
    /// Units that are often joined to their digits and change nothing.
    Other,
}

use Measure::{Cents, Currency, Millions, Months, Multiple, Other, Points, Share, Times};

/// Multiples and units, in lower case. Words of one letter have to be joined to the digits or follow a currency.
const MEASURES: &[(&[&str], Measure)] = &[
    (&["hundred"], Multiple(1e2)),
    (&["k", "thousand", "thousands"], Multiple(1e3)),
    (&["m"], Millions),
    (&["mm", "mn", "mil", "mio", "million", "millions"], Multiple(1e6)),
    (&["b", "bn", "billion", "billions"], Multiple(1e9)),
    (&["tn", "trillion", "trillions"], Multiple(1e12)),
    (&["%", "percent", "pct", "pp", "ppt", "ppts"], Share(1e-2)),
    (
        &["per cent", "percentage point", "percentage points"],
        Share(1e-2),
    ),
    (&["‰"], Share(1e-3)),
    (&["bp", "bps", "basis point", "basis points"], Share(1e-4)),
    (&["point", "points", "pt", "pts"], Points),
    (&["y", "yr", "yrs", "year", "years"], Months(12.0)),
    (&["quarter", "quarters"], Months(3.0)),
    (&["mo", "mos", "month", "months"], Months(1.0)),
    (&["x", "×", "times"], Times),
    (
        &[
            "$", "€", "£", "¥", "₹", "usd", "eur", "gbp", "cad", "aud", "chf", "jpy",
        ],
        Currency,
    ),
    (
        &["dollar", "dollars", "euro", "euros", "pound", "pounds"],
        Currency,
    ),
    (&["¢", "cent", "cents"], Cents),
    (
        &[
            "sf", "psf", "sqft", "ft", "sqm", "m²", "m³", "km", "mi", "ac", "kw", "kwh", "mw",
        ],
        Other,
    ),
    (
        &["d", "day", "days", "h", "hr", "hrs", "min", "sec", "wk", "wks"],
        Other,
    ),
];

/// The digits of a number as they are shown.
#[derive(Clone, Copy, Debug)]
pub struct Digits {
    /// None if there are too many or they are no number, such as "1.2.3".
    pub value: Option<f64>,
    pub step: f64,
    /// How many zeros the whole number ends with, if it is one.
    pub zeros: i32,
    /// How many digits, if there are only digits.
    pub only: Option<usize>,
    pub end: usize,
}

/// What stands behind the digits.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    pub multiple: f64,
    /// "6m" can be six months.
    pub months: bool,
    pub unit: Option<Measure>,
    pub currency: bool,
    pub end: usize,
}

impl Digits {
    /// Digits that cannot be read.
    pub fn unread(end: usize) -> Self {
        Self {
            value: None,
            step: 1.0,
            zeros: 0,
            only: None,
            end,
        }
    }
}

impl Ending {
    /// No ending.
    pub fn at(end: usize) -> Self {
        Self {
            multiple: 1.0,
            months: false,
            unit: None,
            currency: false,
            end,
        }
    }

    /// The ending of "5%".
    pub fn percent() -> Self {
        Self {
            unit: Some(Share(1e-2)),
            ..Self::at(0)
        }
    }

    /// Whether it has no multiple and no unit, so that those of a neighbour can be meant.
    pub fn is_open(&self) -> bool {
        self.multiple == 1.0 && matches!(self.unit, None | Some(Other))
    }

    pub fn is_bare(&self) -> bool {
        self.is_open() && !self.currency
    }

    pub fn is_duration(&self) -> bool {
        self.multiple == 1.0 && !self.currency && matches!(self.unit, Some(Months(_)))
    }

    /// What digits with this ending can mean.
    pub fn readings(&self, digits: &Digits) -> Vec<Reading> {
        let Some(shown) = digits.value.filter(|value| value.is_finite()) else {
            return Vec::new();
        };
        let amount = |kind: Kind, times: f64| Reading::Amount {
            kind,
            value: shown * times,
            step: digits.step * times,
        };
        let plain = amount(Kind::Plain, self.multiple);
        let mut readings = match self.unit {
            Some(Share(one)) => vec![amount(Kind::Share, one * self.multiple)],
            Some(Points) => vec![plain, amount(Kind::Share, 1e-2)],
            Some(Months(one)) => vec![plain, amount(Kind::Months, one * self.multiple)],
            Some(Cents) => vec![plain, amount(Kind::Plain, 1e-2 * self.multiple)],
            _ => vec![plain],
        };
        if self.months {
            readings.push(amount(Kind::Months, 1.0));
        }
        readings
    }
}

/// The measure of a word or sign in lower case.
pub fn measure_named(name: &str) -> Option<Measure> {
    MEASURES
        .iter()
        .find(|(names, _)| names.contains(&name))
        .map(|(_, measure)| *measure)
}

impl Signs {
    /// Reads the digits at a sign: groups, decimals and fractions.
    pub fn digits(&self, at: usize, currency: bool) -> Option<Digits> {
        let (mut end, mut text) = (self.run(at, |sign| sign.is_ascii_digit()), String::new());
        self.append(at..end, &mut text);
        let (first, mut readable) = (end - at, true);
        let is_group = |at: usize, sign: char| {
            self.at(at) == sign && (1..4).all(|next| self.digit(at + next)) && !self.digit(at + 4)
        };
        let separator = self.at(end);
        let mut groups = 0;
        if matches!(separator, ',' | '\'' | '\u{a0}' | '.') && (1..=3).contains(&first) {
            while is_group(end + 4 * groups, separator) {
                groups += 1;
            }
        }
        // Whether a comma is followed by one or two decimals, as in Europe.
        let comma = |at: usize| {
            let decimals = self.run(at + 1, |sign| sign.is_ascii_digit()) - at;
            (self.at(at) == ',' && matches!(decimals, 2 | 3)).then_some(at + decimals)
        };
        // "1.234" is a decimal number, "1.234.567" and "1.234,56" are not.
        if separator == '.' && groups == 1 && comma(end + 4).is_none() {
            groups = 0;
        }
        for _ in 0..groups {
            self.append(end + 1..end + 4, &mut text);
            end += 4;
        }
        let whole = text.len();
        let point = if self.at(end) == '.' && self.digit(end + 1) {
            Some(self.run(end + 1, |sign| sign.is_ascii_digit()))
        } else {
            let own = separator == '.' && groups > 0;
            let european = separator != ',' || groups == 0;
            let continues = |at: usize| self.at(at) == ',' && self.digit(at + 1);
            comma(end).filter(|after| {
                european && !continues(*after) && (own || currency || self.measure(*after, false).is_some())
            })
        };
        if let Some(after) = point {
            text.push('.');
            self.append(end + 1..after, &mut text);
            end = after;
        }
        let decimals = text.len() - whole;
        // "1.2.3" and powers of ten are shown to people, but are no number that is read.
        while decimals > 0 && self.at(end) == '.' && self.digit(end + 1) {
            end = self.run(end + 1, |sign| sign.is_ascii_digit());
            readable = false;
        }
        if let Some(after) = self.power(end) {
            end = after;
            readable = false;
        }
        // "5,00,000" is not five and nothing.
        readable &= decimals > 0 || text.len() < 2 || text.bytes().any(|byte| byte != b'0');
        if text.len() > LONGEST {
            readable = false;
            text.truncate(LONGEST);
        }
        let only = (groups == 0 && decimals == 0).then_some(first);
        let zeros = text.bytes().rev().take_while(|byte| *byte == b'0').count();
        let mut digits = Digits {
            value: text.parse().ok().filter(|_| readable),
            step: 0.1_f64.powi(i32::try_from(decimals.saturating_sub(1)).unwrap_or(0)),
            zeros: i32::try_from(if decimals > 0 { 0 } else { zeros }).unwrap_or(0),
            only,
            end,
        };
        if decimals == 0
            && let Some((part, after, keeps)) = self.fraction(at, end)
        {
            let value = if keeps { digits.value } else { Some(0.0) };
            let step = 0.01;
            digits = Digits {
                value: value.map(|value| value + part),
                step,
                zeros: 0,
                only: None,
                end: after,
            };
        }
        (digits.end > at).then_some(digits)
    }

    /// The fraction behind or instead of whole digits, where it ends, and whether the digits count: "6¼", "6 1/4",
    /// "1/4%", "2 and a half".
    fn fraction(&self, start: usize, end: usize) -> Option<(f64, usize, bool)> {
        if let Some(part) = fraction(self.at(end)) {
            return Some((part, end + 1, end > start));
        }
        if let Some(after) = self.half(end) {
            return Some((0.5, after, true));
        }
        if let Some((part, after)) = self.quotient(start) {
            return matches!(self.measure(after, false), Some((Share(_), _))).then_some((part, after, false));
        }
        let gap = matches!(self.at(end), ' ' | '-' | '\u{a0}');
        let (part, after) = self.quotient(end + 1).filter(|_| gap)?;
        Some((part, after, true))
    }

    /// Reads the multiple, unit and currency behind digits.
    pub fn ending(&self, digits: &Digits, currency: bool) -> Ending {
        let mut own = Ending {
            currency,
            ..Ending::at(digits.end)
        };
        let mut rank = 0;
        while let Some((measure, end)) = self.measure(own.end, own.currency) {
            let next = match measure {
                Multiple(_) | Millions => 1,
                Currency => 3,
                _ => 2,
            };
            if next <= rank {
                break;
            }
            match measure {
                Multiple(times) => own.multiple = times,
                Millions => {
                    own.multiple = 1e6;
                    own.months = !currency && digits.only.is_some();
                }
                Currency => own.currency = true,
                unit => own.unit = Some(unit),
            }
            (rank, own.end) = (next, end);
        }
        own
    }

    /// The multiple, unit or currency that follows a sign, and its end.
    fn measure(&self, at: usize, currency: bool) -> Option<(Measure, usize)> {
        let first = self.over_emphasis(at);
        let joined = self.at(first);
        if let Some(end) = self.to_one(at) {
            return Some((Times, end));
        }
        let gap = matches!(joined, ' ' | '-' | '\u{a0}');
        let start = if gap { self.over_emphasis(first + 1) } else { first };
        let sign = self.at(start);
        if !sign.is_alphabetic() {
            let own = measure_named(sign.encode_utf8(&mut [0; 4])).filter(|_| joined != '-')?;
            // A product, or the currency of the next number.
            let next = self.at(start + 1);
            let other = own != Share(1e-2) && (next.is_ascii_digit() || own == Times && (gap || next == ' '));
            return (!other).then_some((own, start + 1));
        }
        let word = self.word(start);
        let lower = word.lower();
        if self.digit(word.end) || lower.len() == 1 && gap && (!currency || joined == '-') {
            return None;
        }
        if matches!(self.at(word.end), '²' | '³') && matches!(lower, "m" | "km" | "ft") {
            return Some((Other, word.end + 1));
        }
        if matches!(lower, "per" | "percentage" | "basis") {
            let next = self.word(word.end + 1);
            return Some((measure_named(&format!("{lower} {}", next.lower()))?, next.end));
        }
        measure_named(lower).map(|measure| (measure, word.end))
    }

    /// The end of the ending of a ratio: ":1", " to 1".
    fn to_one(&self, at: usize) -> Option<usize> {
        let one = if self.at(at) == ':' {
            at + 1
        } else {
            let gap = |at: usize| matches!(self.at(at), ' ' | '-');
            let word = self.word(at + 1);
            if !gap(at) || word.lower() != "to" || !gap(word.end) {
                return None;
            }
            word.end + 1
        };
        let zeros = self.at(one + 1) == '.' && self.at(one + 2) == '0';
        let end = if zeros {
            self.run(one + 2, |sign| sign == '0')
        } else {
            one + 1
        };
        let more = matches!(self.at(end), '.' | ',' | ':') && self.digit(end + 1);
        // "5 to 1 year" is a range.
        let unit = matches!(self.at(end), ' ' | '-') && measure_named(self.word(end + 1).lower()).is_some();
        let ends = !more && !unit && self.at(end) != '%' && !self.at(end).is_alphanumeric();
        (self.at(one) == '1' && ends).then_some(end)
    }
}

//! Finds the numbers and dates of running text, as people read them: Markdown, English, digits of any script.
//!
//! A number is `sign currency digits multiple unit currency`, where all but the digits may be missing, or a number in
//! words with the same ending; [`MEASURES`] is the list of multiples and units. Digits that are part of a name (T-12,
//! 10-K, Unit 12B), of an ordinal, of a time of day, of a link's address, and the numbers of lists and headings are
//! left out. It takes linear time: lookahead is bounded.

use chrono::Datelike;

use crate::audit::dated::year_days;
use crate::audit::measures::{Digits, Ending, Measure, measure_named};
use crate::audit::readings::{Number, Reading};
use crate::audit::signs::{Signs, fraction, is_emphasis, is_superscript};
use crate::numerals;

/// Letters and digits joined to a name have at most this many digits: "T12", "2BR".
const NAME_DIGITS: usize = 4;

/// Words before a number that make its last zeros insignificant. The signs are `~` and `≈`.
const APPROXIMATE: &[&str] = &[
    "about",
    "around",
    "roughly",
    "approximately",
    "approx",
    "nearly",
    "almost",
    "some",
    "circa",
];
/// Words before digits and a letter that are a name: "Unit 12B".
const LABELS: &[&str] = &[
    "unit",
    "units",
    "suite",
    "apt",
    "apartment",
    "lot",
    "room",
    "space",
    "building",
    "bldg",
    "floor",
    "section",
    "schedule",
    "exhibit",
    "form",
    "no",
];

/// Most signs between two numbers that share a unit.
const JOINT: usize = 12;

/// A number with what its neighbours can share of it. Positions count signs.
struct Token {
    number: Number,
    digits_at: usize,
    digits: Digits,
    ending: Ending,
}

/// Every number and date of a text, in its order.
#[must_use]
pub fn numbers(text: &str) -> Vec<Number> {
    let mut scan = Scan {
        signs: Signs::of(text),
        found: Vec::new(),
    };
    let mut at = 0;
    while at < scan.signs.len() {
        let mark = if at == 0 || scan.signs.at(at - 1) == '\n' {
            scan.signs.list_mark(at)
        } else {
            None
        };
        at = mark.unwrap_or_else(|| scan.step(at)).max(at + 1);
    }
    scan.share_units();
    scan.found.into_iter().map(|token| token.number).collect()
}

struct Scan {
    signs: Signs,
    found: Vec<Token>,
}

impl Scan {
    /// Reads what starts at a sign and returns where the rest starts.
    fn step(&mut self, at: usize) -> usize {
        let sign = self.signs.at(at);
        let point = sign == '.' && self.signs.digit(at + 1);
        if sign.is_ascii_digit() || point || fraction(sign).is_some() {
            self.number(at)
        } else if sign.is_numeric() {
            // People read "Ⅻ" as a number. One or two raised digits are the mark of a footnote.
            let end = self.signs.run(at, char::is_numeric);
            if end - at > 2 || !is_superscript(sign) {
                self.unread(at, end);
            }
            end
        } else if sign.is_alphabetic() {
            self.word(at)
        } else if sign == ']' && self.signs.at(at + 1) == '(' {
            self.signs.address_end(at + 2)
        } else {
            at + 1
        }
    }

    fn word(&mut self, at: usize) -> usize {
        let word = self.signs.word(at);
        let lower = word.lower();
        if let Some((end, readings)) = self.signs.date(at) {
            self.date(at, end, readings);
            return end;
        }
        if matches!(lower, "http" | "https" | "www") && matches!(self.signs.at(word.end), ':' | '.') {
            return self.signs.address_end(word.end);
        }
        if let Some(digits) = self.signs.words(at) {
            let end = digits.end;
            // "Twenty-first" is no number.
            let next = self.signs.word(end + 1);
            if self.signs.at(end) == '-' && numerals::count(next.lower()).is_some() {
                return next.end;
            }
            self.push(at, digits, self.signs.ending(&digits, false));
            return self.found.last().map_or(end, |token| token.ending.end);
        }
        let mut digits = word.end;
        let joint = self.signs.at(digits);
        if joint == '_' || joint == '-' {
            digits += 1;
        }
        let product = lower == "x" && at > 0 && self.signs.digit(at - 1);
        if !self.signs.digit(digits) || product || measure_named(lower) == Some(Measure::Currency) {
            return word.end;
        }
        let end = self.signs.run(digits, |sign| sign.is_ascii_digit());
        let upper = word.end == at + 1 || self.signs.all(at..word.end, char::is_uppercase);
        let next = self.signs.at(end);
        let more = next == '%' || matches!(next, '.' | ',') && self.signs.digit(end + 1);
        let named = if joint == '-' {
            // "T-12", but not "mid-2026" or "sub-5%".
            upper && end - digits < NAME_DIGITS && !more && (word.end == at + 1 || !next.is_alphanumeric())
        } else {
            end - digits <= NAME_DIGITS
        };
        if named { self.signs.name_end(end) } else { word.end }
    }

    fn number(&mut self, at: usize) -> usize {
        let signs = &self.signs;
        if let Some((end, readings)) = signs.date(at) {
            self.date(at, end, readings);
            return end;
        }
        if let Some(end) = signs.time(at) {
            return end;
        }
        let (_, currency) = self.start(at);
        let Some(digits) = signs.digits(at, currency) else {
            return at + 1;
        };
        let end = digits.end;
        let ending = self.signs.ending(&digits, currency);
        let plain_start = at == 0 || !signs.at(at - 1).is_alphanumeric();
        if let Some(length) = digits.only.filter(|_| !currency && plain_start) {
            let joined = signs.word(end);
            let letters = joined.end - end;
            let suffix = signs.word(signs.over_emphasis(end));
            let is_ordinal = matches!(suffix.lower(), "st" | "nd" | "rd" | "th");
            let alone = |at: usize| signs.at(at).is_alphabetic() && !signs.at(at + 1).is_alphanumeric();
            let label = letters == 1 && LABELS.contains(&signs.word_before(at).lower());
            let product = joined.lower() == "x" && signs.digit(joined.end);
            let unknown = ending.end == end && letters > 0 && length <= NAME_DIGITS && !product;
            if is_ordinal || unknown || label {
                return signs.name_end(if is_ordinal { suffix.end } else { end });
            }
            // "10-K" and "401(k)".
            if signs.at(end) == '-' && signs.at(end + 1).is_uppercase() && alone(end + 1) {
                return end + 2;
            }
            if signs.at(end) == '(' && alone(end + 1) && signs.at(end + 2) == ')' {
                return end + 3;
            }
            // File names: "2025_rents.xlsx", "2025.pdf".
            let behind = signs.at(end + 1);
            if signs.at(end) == '_' && behind.is_alphanumeric()
                || signs.at(end) == '.' && behind.is_lowercase()
            {
                return signs.name_end(end);
            }
        }
        self.push(at, digits, ending);
        self.found.last().map_or(end, |token| token.ending.end)
    }

    /// Where a number starts whose digits are at a sign, with its currency and sign, and whether it has a currency.
    fn start(&self, digits_at: usize) -> (usize, bool) {
        let signs = &self.signs;
        let sign = |start: usize| {
            let before = start.checked_sub(2).map_or(' ', |at| signs.at(at));
            let own = start > 0 && matches!(signs.at(start - 1), '-' | '+');
            if own && !before.is_alphanumeric() && !matches!(before, '%' | ')') {
                start - 1
            } else {
                start
            }
        };
        let start = sign(digits_at);
        let mut before = signs.back_over_gap(start);
        let symbol = before
            .checked_sub(1)
            .map(|at| signs.at(at))
            .filter(|sign| !sign.is_alphabetic());
        if symbol
            .is_some_and(|symbol| measure_named(symbol.encode_utf8(&mut [0; 4])) == Some(Measure::Currency))
        {
            before -= 1;
            // The letters of "US$".
            let letters = signs.word_before(before);
            if letters.end == before && letters.lower().len() <= 2 && signs.at(letters.start).is_uppercase() {
                before = letters.start;
            }
            return (sign(before), true);
        }
        let word = signs.word_before(start);
        if word.lower().len() == 3 && measure_named(word.lower()) == Some(Measure::Currency) {
            return (sign(word.start), true);
        }
        (start, false)
    }

    /// Adds a number. An approximating word before it makes its last zeros insignificant.
    fn push(&mut self, at: usize, digits: Digits, mut ending: Ending) {
        let signs = &self.signs;
        let before = self.found.last().map_or(0, |token| token.ending.end);
        let (mut start, _) = self.start(at);
        if start < before {
            start = at;
        }
        // Brackets are a sign in tables; behind a word they are only brackets.
        let opened = start
            .checked_sub(1)
            .filter(|open| signs.at(*open) == '(' && signs.at(ending.end) == ')');
        if let Some(open) = opened.filter(|open| *open >= before) {
            let gap = signs.back_over_gap(open);
            if !gap
                .checked_sub(1)
                .is_some_and(|at| signs.at(at).is_alphanumeric())
            {
                (start, ending.end) = (open, ending.end + 1);
            }
        }
        let sign = start.checked_sub(1).map_or(' ', |at| signs.at(at));
        let mut own = digits;
        if matches!(sign, '~' | '≈') || APPROXIMATE.contains(&signs.word_before(start).lower()) {
            // At most a tenth of the value is "about" it.
            let tenth = own.value.map_or(f64::MAX, |value| value.abs() * 0.2);
            own.step = (own.step * 10_f64.powi(own.zeros)).min(tenth).max(own.step);
        }
        let bare = ending.is_bare();
        let mut readings = ending.readings(&own);
        let year = digits.only == Some(4) && bare;
        readings.extend(digits.value.filter(|_| year).and_then(year_days));
        let range = signs.byte(start)..signs.byte(ending.end);
        self.found.push(Token {
            number: Number {
                range,
                readings,
                bare,
            },
            digits_at: at,
            digits: own,
            ending,
        });
    }

    fn date(&mut self, start: usize, end: usize, readings: Vec<Reading>) {
        let range = self.signs.byte(start)..self.signs.byte(end);
        let number = Number {
            range,
            readings,
            bare: false,
        };
        self.found.push(Token {
            number,
            digits_at: start,
            digits: Digits::unread(end),
            ending: Ending::at(end),
        });
    }

    fn unread(&mut self, start: usize, end: usize) {
        self.date(start, end, Vec::new());
    }

    /// Gives numbers the unit of the next one: "$1.2–1.4m", "between 12 and 15%", "10, 12 and 15%".
    fn share_units(&mut self) {
        for at in (1..self.found.len()).rev() {
            let (before, after) = self.found.split_at_mut(at);
            let (Some(own), Some(next)) = (before.last_mut(), after.first_mut()) else {
                continue;
            };
            let Some(joint) = joint(&self.signs, own, next) else {
                continue;
            };
            let years = own.number.readings.iter().find_map(|reading| match reading {
                Reading::Days { first, .. } => Some(f64::from(first.year() / 100 * 100)),
                Reading::Amount { .. } => None,
            });
            let Some(to) = next.digits.value else { continue };
            if let Some(century) =
                years.filter(|_| joint.is_sign() && next.number.bare && next.digits.only == Some(2))
            {
                // "2025-26".
                next.number.readings.extend(year_days(century + to));
                continue;
            }
            let Some(value) = own.digits.value else { continue };
            if joint == Joint::Slash && own.number.bare && next.number.bare && value + to == 100.0 {
                // "80/20" shares something.
                for token in [own, next] {
                    token
                        .number
                        .readings
                        .extend(Ending::percent().readings(&token.digits));
                }
            } else if own.ending.is_open()
                && !next.ending.is_open()
                && (joint != Joint::List || !own.ending.currency || next.ending.unit.is_none())
            {
                let shared = Ending {
                    end: own.ending.end,
                    ..next.ending
                };
                if joint == Joint::Range && value < to {
                    own.number.readings.clear();
                }
                own.number.readings.extend(shared.readings(&own.digits));
                own.number.bare &= !joint.is_range() || shared.is_duration();
                own.ending = shared;
            }
        }
    }
}

/// What is between two numbers of which the first can have the unit of the second.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// A dash without spaces, or "between … and": the unit belongs to both.
    Range,
    /// "To" and "or": in "from year 3 to 5%" it does not.
    To,
    List,
    Slash,
}

impl Joint {
    fn is_range(self) -> bool {
        matches!(self, Self::Range | Self::To)
    }

    fn is_sign(self) -> bool {
        matches!(self, Self::Range | Self::Slash)
    }
}

fn joint(signs: &Signs, own: &Token, next: &Token) -> Option<Joint> {
    let gap = own.ending.end..next.digits_at;
    if gap.len() > JOINT {
        return None;
    }
    let mut shown = String::new();
    signs.append(gap, &mut shown);
    let currency = |sign: char| measure_named(sign.encode_utf8(&mut [0; 4])) == Some(Measure::Currency);
    let words: String = shown
        .chars()
        .filter(|sign| !is_emphasis(*sign) && !sign.is_whitespace() && !currency(*sign))
        .collect();
    match words.trim_matches('-') {
        // A dash between spaces separates rather: "Year 3 - 12.5%".
        "" if !words.is_empty() => Some(if shown.contains(char::is_whitespace) {
            Joint::List
        } else {
            Joint::Range
        }),
        "to" | "or" | "through" => Some(Joint::To),
        "and" => {
            let start = signs.back_over_gap(own.digits_at);
            let between = signs.word_before(start).lower() == "between";
            Some(if between { Joint::Range } else { Joint::List })
        }
        "," | ",and" => Some(Joint::List),
        "/" => Some(Joint::Slash),
        _ => None,
    }
}

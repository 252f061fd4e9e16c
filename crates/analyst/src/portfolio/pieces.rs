//! A question about the portfolio in pieces: words, plain numbers, dates, amounts. Words lose their plural, so that
//! "leases" and "lease" are one.
//!
//! Knows how people write dates and amounts, not what any of it means.

use chrono::NaiveDate;
use tables::dates::month_named;

use finance::portfolio::calendar::Month;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    /// Byte offsets in the question.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Written with a capital, and not because a sentence begins.
    pub(crate) capital: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Lower case, without plural.
    Word(String),
    /// Without unit: a count, a year, a day.
    Number(f64),
    Percent(f64),
    /// "1.25x".
    Multiple(f64),
    /// Money, or a number with k or m: a value that the person brings along.
    Amount(f64),
    Date(NaiveDate),
    Month(Month),
    Mark(char),
}

impl Piece {
    pub(crate) fn word(&self) -> &str {
        match &self.kind {
            Kind::Word(word) => word,
            _ => "",
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Number(value) => Some(value),
            _ => None,
        }
    }

    /// A whole number from one on, at most a hundred thousand.
    pub(crate) fn count(&self) -> Option<i32> {
        let value = self.number().or_else(|| spelled(self.word()))?;
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        (value.fract() == 0.0 && (1.0..=1e5).contains(&value)).then_some(value as i32)
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

fn spelled(word: &str) -> Option<f64> {
    const WORDS: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    if let Some(at) = WORDS.iter().position(|own| *own == word) {
        return u32::try_from(at + 1).ok().map(f64::from);
    }
    match word {
        "twenty" => Some(20.0),
        "thirty" => Some(30.0),
        "sixty" => Some(60.0),
        "ninety" => Some(90.0),
        _ => None,
    }
}

/// Where the next mark stands, or the end.
pub(crate) fn clause_end(pieces: &[Piece], at: usize) -> usize {
    let is_mark = |piece: &&Piece| matches!(piece.kind, Kind::Mark(_));
    let rest = pieces.iter().skip(at);
    at + rest.take_while(|piece| !is_mark(piece)).count()
}

/// A word without its plural: the same for vocabulary and question.
pub(crate) fn stem(word: &str) -> String {
    if matches!(
        word,
        "this" | "has" | "was" | "its" | "does" | "plus" | "minus" | "versus" | "yes" | "always"
    ) {
        return word.to_owned();
    }
    // Written short in the plural.
    match word {
        "mez" => return "mezz".to_owned(),
        "mos" => return "month".to_owned(),
        "yrs" => return "year".to_owned(),
        "qtr" | "qtrs" => return "quarter".to_owned(),
        _ => {}
    }
    if let Some(body) = word.strip_suffix("ies")
        && body.len() >= 2
    {
        return format!("{body}y");
    }
    match word.strip_suffix('s') {
        Some(body) if body.len() >= 3 && !body.ends_with('s') => body.to_owned(),
        _ => word.to_owned(),
    }
}

/// The pieces of a text; none for one longer than `most` pieces.
pub(crate) fn pieces(text: &str, most: usize) -> Option<Vec<Piece>> {
    let mut reader = Reader {
        chars: text.char_indices().map(|(at, c)| (at, plain(c))).collect(),
        length: text.len(),
        at: 0,
        out: Vec::new(),
    };
    while reader.at < reader.chars.len() {
        if reader.out.len() > most {
            return None;
        }
        reader.next();
    }
    Some(reader.out)
}

fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{02bc}' | '`' => '\'',
        '\u{00d7}' => 'x',
        _ => c,
    }
}

struct Reader {
    chars: Vec<(usize, char)>,
    length: usize,
    at: usize,
    out: Vec<Piece>,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).map(|(_, c)| *c)
    }

    fn offset(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.length, |(offset, _)| *offset)
    }

    fn push(&mut self, kind: Kind, from: usize, capital: bool) {
        let (start, end) = (self.offset(from), self.offset(self.at));
        self.out.push(Piece {
            kind,
            start,
            end,
            capital,
        });
    }

    fn next(&mut self) {
        let Some(c) = self.peek(0) else { return };
        let from = self.at;
        if c.is_whitespace() {
            self.at += 1;
        } else if c.is_alphabetic() {
            self.word();
        } else if c.is_ascii_digit()
            || (matches!(c, '$' | '.') && self.peek(1).is_some_and(|next| next.is_ascii_digit()))
        {
            self.figure();
        } else if (c == '-' && self.joins()) || (c == '.' && self.abbreviates()) {
            self.at += 1;
        } else {
            self.at += 1;
            self.push(Kind::Mark(c), from, false);
        }
    }

    /// The point of "sq. ft." and its like.
    fn abbreviates(&self) -> bool {
        const SHORT: [&str; 13] = [
            "sq", "ft", "avg", "vs", "apt", "ste", "bldg", "mo", "yr", "approx", "incl", "excl", "occ",
        ];
        let ends = (1..40)
            .find_map(|ahead| self.peek(ahead).filter(|c| !c.is_whitespace()))
            .is_none();
        !ends && self.out.last().is_some_and(|last| SHORT.contains(&last.word()))
    }

    /// A tight hyphen between words is no mark: "month-end", "T-12". Between months or numbers it is a range.
    fn joins(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        let tight = before.is_some_and(|(_, c)| c.is_alphanumeric())
            && self.peek(1).is_some_and(char::is_alphanumeric);
        let last = self.out.last();
        let range = last.is_some_and(|piece| {
            month_named(piece.word()).is_some()
                || (piece.number().is_some() && self.peek(1).is_some_and(|c| c.is_ascii_digit()))
                || matches!(piece.kind, Kind::Date(_) | Kind::Month(_))
                || (piece.word().len() == 2 && piece.word().starts_with('q'))
        });
        tight && !range
    }

    fn word(&mut self) {
        let from = self.at;
        let capital = self.peek(0).is_some_and(char::is_uppercase);
        let mut word = String::new();
        while let Some(c) = self.peek(0) {
            let inner = matches!(c, '\'' | '&') && self.peek(1).is_some_and(char::is_alphabetic);
            if !c.is_alphanumeric() && !inner {
                break;
            }
            word.extend(c.to_lowercase());
            self.at += 1;
        }
        // "p.a.", "i.e.": the points join letters.
        let mut joined = false;
        while (joined || word.chars().count() == 1)
            && self.peek(0) == Some('.')
            && self.peek(1).is_some_and(char::is_alphabetic)
            && !self.peek(2).is_some_and(char::is_alphanumeric)
        {
            word.extend(self.peek(1).into_iter().flat_map(char::to_lowercase));
            self.at += 2;
            joined = true;
        }
        if joined && self.peek(0) == Some('.') {
            self.at += 1;
        }
        // "w/o" is one word.
        let slashed = (self.peek(0), self.peek(1)) == (Some('/'), Some('o'))
            && !self.peek(2).is_some_and(char::is_alphanumeric);
        if word == "w" && slashed {
            self.at += 2;
            "without".clone_into(&mut word);
        }
        for tail in ["'s", "'re", "'ve", "'ll", "'d", "'m"] {
            if let Some(body) = word.strip_suffix(tail) {
                word = body.to_owned();
                break;
            }
        }
        let starts = self
            .out
            .last()
            .is_none_or(|last| matches!(last.kind, Kind::Mark('.' | '?' | '!' | ':' | ';')));
        self.push(Kind::Word(stem(&word)), from, capital && !starts);
    }

    fn digits(&self, ahead: usize) -> usize {
        (0..10)
            .take_while(|n| self.peek(ahead + n).is_some_and(|c| c.is_ascii_digit()))
            .count()
    }

    fn value(&self, ahead: usize, digits: usize) -> u32 {
        let text: String = (0..digits).filter_map(|n| self.peek(ahead + n)).collect();
        text.parse().unwrap_or(u32::MAX)
    }

    /// A date or month in digits, with its length.
    fn date(&self) -> Option<(Kind, usize)> {
        let one = self.digits(0);
        let mark = self.peek(one)?;
        if !matches!(mark, '-' | '/') {
            return None;
        }
        let two = self.digits(one + 1);
        let (a, b) = (self.value(0, one), self.value(one + 1, two));
        let far = one + 1 + two;
        let three = if self.peek(far) == Some(mark) {
            self.digits(far + 1)
        } else {
            0
        };
        let c = self.value(far + 1, three);
        let ends = |at: usize| !self.peek(at).is_some_and(char::is_alphanumeric);
        let year = |value: u32| i32::try_from(value).ok();
        if three > 0 && ends(far + 1 + three) {
            let used = far + 1 + three;
            let (y, m, d) = match (one, three) {
                (4, 1..=2) => (year(a)?, b, c),
                (1..=2, 4) if a > 12 => (year(c)?, b, a),
                (1..=2, 4) => (year(c)?, a, b),
                (1..=2, 2) if mark == '/' => (2000 + year(c)?, a, b),
                _ => return None,
            };
            return NaiveDate::from_ymd_opt(y, m, d).map(|date| (Kind::Date(date), used));
        }
        if three == 0 && ends(far) {
            let month = match (one, two) {
                (4, 1..=2) => Month::new(year(a)?, b),
                (1..=2, 4) => Month::new(year(b)?, a),
                _ => None,
            };
            return month.map(|month| (Kind::Month(month), far));
        }
        None
    }

    fn figure(&mut self) {
        let from = self.at;
        if let Some((kind, used)) = self.date() {
            self.at += used;
            return self.push(kind, from, false);
        }
        let money = self.peek(0) == Some('$');
        if money {
            self.at += 1;
        }
        let mut digits = String::new();
        while let Some(c) = self.peek(0) {
            let grouped = c == ',' && self.digits(1) == 3;
            let point = c == '.' && self.peek(1).is_some_and(|next| next.is_ascii_digit());
            if c.is_ascii_digit() || (point && !digits.contains('.')) {
                digits.push(c);
            } else if !grouped {
                break;
            }
            self.at += 1;
        }
        let value: f64 = digits.parse().unwrap_or(f64::NAN);
        let tail: String = (0..4)
            .map_while(|n| self.peek(n))
            .take_while(|c| c.is_alphabetic())
            .flat_map(char::to_lowercase)
            .collect();
        let kind = match tail.as_str() {
            "" if self.peek(0) == Some('%') => {
                self.at += 1;
                Kind::Percent(value / 100.0)
            }
            "" if money => Kind::Amount(value),
            "" => Kind::Number(value),
            "x" => {
                self.at += 1;
                Kind::Multiple(value)
            }
            "st" | "nd" | "rd" | "th" => {
                self.at += 2;
                Kind::Number(value)
            }
            "k" | "m" | "mm" | "bn" | "b" => {
                self.at += tail.len();
                Kind::Amount(
                    value
                        * match tail.as_str() {
                            "k" => 1e3,
                            "m" | "mm" => 1e6,
                            _ => 1e9,
                        },
                )
            }
            other => {
                self.at += other.chars().count();
                Kind::Word(stem(&format!("{digits}{other}")))
            }
        };
        self.push(kind, from, false);
    }
}

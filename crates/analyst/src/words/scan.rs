//! Text into tokens: words in lower case, bare numbers, marks. The first step of reading.
//!
//! Knows how people write digits (grouping, signs, brackets, currency marks, suffixes), not what a
//! number stands for.

use tables::work::charge;

/// A piece of the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub kind: Kind,
    /// Byte offsets in the question.
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Word(String),
    Number(Number),
    Mark(char),
}

/// A number as written. Later steps add what follows it: scale, unit, period.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    pub value: f64,
    pub shape: Shape,
    pub sign: Sign,
    pub per: Option<Per>,
    /// "a square foot", "a unit": with `per` being `Other`.
    pub base: Option<Base>,
    /// The period after such a base: "$34/sf/yr".
    pub every: Option<Per>,
    /// The word of the period may belong to what follows ("60k monthly debt service").
    pub loose_per: bool,
    /// Carried `k`, `million` or the like.
    pub scaled: bool,
    pub dollars: bool,
    /// A currency other than the dollar.
    pub foreign: bool,
    /// Written in a way that has two readings ("12,4", "5-6").
    pub doubtful: bool,
    /// Digits only, at most four, without point or group: may be a year or a count.
    pub short: bool,
    /// Written in words.
    pub spelled: bool,
    /// "1.000": three digits behind a point, which elsewhere groups thousands.
    pub thirds: bool,
}

/// What kind of quantity a number's surroundings make it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    #[default]
    Plain,
    Money,
    Percent,
    BasisPoints,
    Multiple,
    Years,
    Months,
    Days,
    Units,
    Payments,
    Area,
    /// "year 6": which year, not how many.
    YearLabel,
    MonthLabel,
    PaymentLabel,
    /// A calendar year or part of a date.
    Calendar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    #[default]
    None,
    Plus,
    Minus,
    /// In brackets: negative in a series, a remark elsewhere.
    Brackets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    Year,
    Quarter,
    Month,
    /// Week, day, unit, square foot: nothing that is computed with.
    Other,
}

/// What an amount is for each of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Area,
    Unit,
    Other,
}

impl Token {
    pub fn word(&self) -> &str {
        if let Kind::Word(word) = &self.kind {
            word
        } else {
            ""
        }
    }

    pub fn number(&self) -> Option<&Number> {
        if let Kind::Number(number) = &self.kind {
            Some(number)
        } else {
            None
        }
    }

    pub fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// The tokens of a text. White space separates and is dropped.
pub fn scan(text: &str) -> Vec<Token> {
    charge(1 + text.len());
    let chars: Vec<(usize, char)> = text.char_indices().map(|(at, c)| (at, plain(c))).collect();
    let mut scanner = Scanner {
        chars,
        length: text.len(),
        at: 0,
        barren: 0,
        tokens: Vec::new(),
    };
    while let Some(c) = scanner.peek(0) {
        if c.is_alphabetic() {
            scanner.word();
        } else if c.is_ascii_digit() || (c == '.' && scanner.digit(1)) {
            scanner.number(Sign::None, false, false);
        } else if matches!(c, '-' | '+' | '$' | '€' | '£' | '(') {
            scanner.signed(c);
        } else if c.is_whitespace() {
            scanner.at += 1;
        } else {
            scanner.mark(c);
        }
    }
    scanner.tokens
}

/// Typographic variants as their plain forms.
fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{02bc}' | '`' => '\'',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{00d7}' => 'x',
        '\u{ff05}' => '%',
        '\u{ff04}' => '$',
        _ => c,
    }
}

struct Scanner {
    chars: Vec<(usize, char)>,
    length: usize,
    at: usize,
    /// Signs before this place lead to no number: a row of them is looked through once.
    barren: usize,
    tokens: Vec<Token>,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).map(|(_, c)| *c)
    }

    fn digit(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|c| c.is_ascii_digit())
    }

    fn offset(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.length, |(offset, _)| *offset)
    }

    fn push(&mut self, kind: Kind, from: usize) {
        let (start, end) = (self.offset(from), self.offset(self.at));
        self.tokens.push(Token { kind, start, end });
    }

    fn mark(&mut self, c: char) {
        let from = self.at;
        self.at += 1;
        let kind = if c == '&' {
            Kind::Word("and".to_owned())
        } else {
            Kind::Mark(c)
        };
        self.push(kind, from);
    }

    fn word(&mut self) {
        let from = self.at;
        let mut word = String::new();
        while let Some(c) = self.peek(0) {
            if c.is_alphanumeric() {
                word.extend(c.to_lowercase());
            } else if !(c == '\'' && self.peek(1).is_some_and(char::is_alphabetic)) {
                break;
            } else {
                word.push('\'');
            }
            self.at += 1;
        }
        for tail in ["'s", "'re", "'ll", "'d", "'ve", "'m"] {
            if let Some(stem) = word.strip_suffix(tail) {
                word = stem.to_owned();
                break;
            }
        }
        self.push(Kind::Word(word), from);
    }

    /// A sign, currency mark or bracket, if a number follows; a mark otherwise.
    fn signed(&mut self, c: char) {
        let after_word = self.at > 0
            && self
                .chars
                .get(self.at - 1)
                .is_some_and(|(_, before)| before.is_alphanumeric() || *before == '%');
        if c == '-' && after_word {
            return self.mark(c);
        }
        let mut ahead = 1;
        let mut sign = match c {
            '-' => Sign::Minus,
            '+' => Sign::Plus,
            _ => Sign::None,
        };
        let mut dollars = c == '$';
        let mut foreign = matches!(c, '€' | '£');
        if c == '(' {
            if !self.bracketed_number() {
                return self.mark(c);
            }
            sign = Sign::Brackets;
        }
        while let Some(next) = self.peek(ahead).filter(|_| self.at >= self.barren) {
            match next {
                '$' => dollars = true,
                '€' | '£' => foreign = true,
                '-' if sign == Sign::None && (dollars || foreign) => sign = Sign::Minus,
                ' ' if dollars || foreign || sign == Sign::Brackets => {}
                _ => break,
            }
            ahead += 1;
        }
        if self.digit(ahead) || (self.peek(ahead) == Some('.') && self.digit(ahead + 1)) {
            let from = self.at;
            self.at += ahead;
            self.number_from(from, sign, dollars, foreign);
            return;
        }
        self.barren = self.barren.max(self.at + ahead);
        if c == '-' || c == '+' {
            let dash = self.peek(1).is_some_and(char::is_whitespace);
            self.mark(if c == '-' && dash && !after_word {
                '\u{2014}'
            } else {
                c
            });
        } else {
            self.mark(c);
        }
    }

    /// True when the bracket holds one amount and nothing else.
    fn bracketed_number(&self) -> bool {
        let inner: String = self
            .chars
            .iter()
            .skip(self.at + 1)
            .take(24)
            .map(|(_, c)| *c)
            .take_while(|c| *c != ')')
            .collect();
        let closed = self
            .chars
            .get(self.at + 1 + inner.chars().count())
            .is_some_and(|(_, c)| *c == ')');
        let body = inner.trim().trim_start_matches(['$', '-', ' ']).to_lowercase();
        let digits = body.trim_end_matches(|c: char| matches!(c, 'k' | 'm') || c.is_whitespace());
        closed
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && digits
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'))
    }

    fn number(&mut self, sign: Sign, dollars: bool, foreign: bool) {
        self.number_from(self.at, sign, dollars, foreign);
    }

    fn number_from(&mut self, from: usize, sign: Sign, dollars: bool, foreign: bool) {
        let mut digits = String::new();
        let mut doubtful = false;
        let grouped = self.groups(&mut digits, &mut doubtful);
        let mut point = false;
        if self.peek(0) == Some('.') && self.digit(1) {
            point = true;
            digits.push('.');
            self.at += 1;
            self.digits(&mut digits);
            // 12.400.000 or a version number.
            while self.peek(0) == Some('.') && self.digit(1) {
                doubtful = true;
                self.at += 1;
                self.digits(&mut String::new());
            }
        }
        let power = self.power(&mut digits);
        // No amount of a deal is beyond these bounds, and what is would make others infinite.
        let value = digits
            .parse::<f64>()
            .ok()
            .filter(|value| *value == 0.0 || (1e-9..1e15).contains(value));
        let number = Number {
            value: value.unwrap_or_default(),
            sign,
            dollars,
            foreign,
            doubtful: doubtful || value.is_none(),
            thirds: point && !grouped && digits.rsplit('.').next().is_some_and(|part| part.len() == 3),
            short: !grouped && !point && !power && digits.len() <= 4,
            scaled: power,
            shape: if dollars || foreign {
                Shape::Money
            } else {
                Shape::Plain
            },
            ..Number::default()
        };
        self.push(Kind::Number(number), from);
    }

    /// "2e3", "1.5E+6": a power of ten, where nothing else follows.
    fn power(&mut self, digits: &mut String) -> bool {
        if !matches!(self.peek(0), Some('e' | 'E')) {
            return false;
        }
        let signed = usize::from(matches!(self.peek(1), Some('+' | '-')));
        let run = (0..4).take_while(|ahead| self.digit(1 + signed + ahead)).count();
        let ends = self
            .peek(1 + signed + run)
            .is_none_or(|next| !next.is_alphanumeric());
        if run == 0 || run > 3 || !ends {
            return false;
        }
        for _ in 0..=signed + run {
            digits.extend(self.peek(0));
            self.at += 1;
        }
        true
    }

    fn digits(&mut self, into: &mut String) {
        while let Some(c) = self.peek(0).filter(char::is_ascii_digit) {
            into.push(c);
            self.at += 1;
        }
    }

    /// Digits with grouping commas. A comma that does not group ends the number: a list follows.
    fn groups(&mut self, digits: &mut String, doubtful: &mut bool) -> bool {
        // Directly after "1000," every further comma separates as well.
        let in_list = self.at >= 2
            && self.chars.get(self.at - 1).is_some_and(|(_, c)| *c == ',')
            && self
                .chars
                .get(self.at - 2)
                .is_some_and(|(_, c)| c.is_ascii_digit());
        self.digits(digits);
        let mut grouped = false;
        while self.peek(0) == Some(',') && self.digit(1) {
            let run = (1..8).take_while(|ahead| self.digit(*ahead)).count();
            let lead = grouped || digits.len() <= 3;
            if run == 3 && lead && !in_list {
                grouped = true;
                self.at += 1;
                self.digits(digits);
                continue;
            }
            // A tight comma before one or two digits may be a decimal comma.
            *doubtful = *doubtful || run < 3 || grouped || lead;
            break;
        }
        *doubtful = *doubtful || (in_list && digits.len() < 3);
        grouped
    }
}

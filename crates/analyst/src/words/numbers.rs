//! Numbers as people mean them: spelled-out numbers, fractions, scales, units and periods are drawn
//! into the number they belong to.
//!
//! Knows the words of quantities only; which variable a number stands for is read elsewhere.

use crate::words::asides::drop_asides;
use crate::words::parts::parts;
use crate::words::scan::{Base, Kind, Number, Per, Shape, Sign, Token, scan};
use crate::words::spelling::{fractions, hyphen, ordinal, scale, spelled};

/// The tokens of a question with complete numbers.
pub fn read(text: &str) -> Vec<Token> {
    let tokens = spelled(drop_asides(text, scan(text)));
    let tokens = parts(fractions(tokens));
    let tokens = fixed_words(tokens);
    let mut tokens = units(tokens);
    labels(&mut tokens);
    tokens
}

/// Day counts and set terms whose digits are no quantities become words.
fn fixed_words(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next_number = |ahead: usize| {
            tokens
                .get(at + ahead)
                .and_then(Token::number)
                .map(|number| number.value)
        };
        let slash = tokens.get(at + 1).is_some_and(|next| next.is_mark('/'));
        let dash = hyphen(&tokens, at + 1);
        let own = token.number().map(|number| number.value);
        if let Some(word) = ordinal(token, tokens.get(at + 1)) {
            let end = tokens.get(at + 1).map_or(token.end, |last| last.end);
            out.push(Token {
                kind: Kind::Word(word),
                start: token.start,
                end,
            });
            at += 2;
            continue;
        }
        let fixed = match (token.word(), own) {
            ("actual" | "act", _) if slash => match next_number(2) {
                Some(360.0) => Some(("actual/360", 3)),
                Some(365.0) => Some(("actual/365", 3)),
                _ => None,
            },
            ("actual" | "act", _) if next_number(1) == Some(360.0) => Some(("actual/360", 2)),
            ("actual" | "act", _) if next_number(1) == Some(365.0) => Some(("actual/365", 2)),
            (_, Some(30.0)) if slash && next_number(2) == Some(360.0) => Some(("30/360", 3)),
            ("t", _) if dash && matches!(next_number(2), Some(12.0 | 3.0)) => Some(("t12", 3)),
            ("trailing" | "ttm", _) if next_number(1) == Some(12.0) => Some(("t12", 2)),
            ("trailing", _) if dash && next_number(2) == Some(12.0) => Some(("t12", 3)),
            ("k", _) if dash && next_number(2) == Some(1.0) => Some(("k1", 3)),
            (_, Some(1031.0))
                if token
                    .number()
                    .is_some_and(|number| number.short && !number.dollars)
                    // "1031k" is an amount.
                    && tokens.get(at + 1).is_none_or(|next| {
                        (next.start > token.end || matches!(next.kind, Kind::Mark(':' | '?' | ',' | '.' | ';' | ')')))
                            && !matches!(next.word(), "thousand" | "million" | "k" | "m")
                    }) =>
            {
                Some(("1031", 1))
            }
            _ => None,
        };
        if let Some((word, used)) = fixed {
            let end = tokens.get(at + used - 1).map_or(token.end, |last| last.end);
            out.push(Token {
                kind: Kind::Word(word.to_owned()),
                start: token.start,
                end,
            });
            at += used;
        } else {
            out.push(token.clone());
            at += 1;
        }
    }
    out
}

/// Draws scale, unit and period into each number.
fn units(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let Kind::Number(number) = &token.kind else {
            out.push(token.clone());
            at += 1;
            continue;
        };
        let mut reader = UnitReader {
            tokens: &tokens,
            at: at + 1,
            number: number.clone(),
        };
        reader.scale();
        reader.unit();
        reader.period();
        reader.doubts(token.end);
        let end = tokens.get(reader.at - 1).map_or(token.end, |last| last.end);
        let mut number = reader.number;
        if number.sign == Sign::Brackets && tokens.get(reader.at).is_some_and(|next| next.is_mark(')')) {
            reader.at += 1;
        }
        if number.shape == Shape::Plain && (number.scaled || number.per.is_some()) {
            number.shape = Shape::Money;
        }
        out.push(Token {
            kind: Kind::Number(number),
            start: token.start,
            end,
        });
        at = reader.at;
    }
    out
}

struct UnitReader<'a> {
    tokens: &'a [Token],
    at: usize,
    number: Number,
}

const INSTALMENTS: [&str; 4] = ["payments", "pmts", "installments", "instalments"];

impl UnitReader<'_> {
    fn word(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", Token::word)
    }

    fn mark(&self, ahead: usize, mark: char) -> bool {
        self.tokens
            .get(self.at + ahead)
            .is_some_and(|token| token.is_mark(mark))
    }

    fn tight(&self) -> bool {
        let end = self
            .at
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .map(|token| token.end);
        end == self.tokens.get(self.at).map(|token| token.start)
    }

    fn scale(&mut self) {
        let skip = usize::from(self.mark(0, '-'));
        let word = self.word(skip).to_owned();
        if let Some(factor) = scale(&word).filter(|_| word != "b" || self.tight()) {
            self.number.value *= factor;
            self.number.scaled = true;
            self.number.short = false;
            self.at += 1 + skip;
            if self.mark(0, '.') && matches!(word.as_str(), "mil" | "mln") {
                self.at += 1;
            }
        }
        self.coins();
    }

    /// "50 cents", "50c", "50¢", "5 dollars", "18 bucks".
    fn coins(&mut self) {
        let skip = usize::from(self.mark(0, '-'));
        let plain = matches!(self.number.shape, Shape::Plain | Shape::Money);
        let word = self.word(skip);
        let cents = matches!(word, "cents" | "cent")
            || (self.tight() && (self.mark(0, '¢') || word == "c") && !self.number.scaled);
        if !plain || !(cents || matches!(word, "dollars" | "dollar" | "bucks" | "buck")) {
            return;
        }
        if cents && !self.number.scaled {
            self.number.value /= 100.0;
        }
        self.number.shape = Shape::Money;
        self.number.dollars = true;
        self.number.short = false;
        self.at += 1 + skip;
    }

    fn set(&mut self, shape: Shape, used: usize) {
        if self.number.shape == Shape::Plain {
            self.number.shape = shape;
            self.at += used;
        }
    }

    fn unit(&mut self) {
        if self.mark(0, '%') {
            return self.set(Shape::Percent, 1);
        }
        let skip = usize::from(self.mark(0, '-'));
        let (word, next) = (self.word(skip).to_owned(), self.word(skip + 1).to_owned());
        let plain = !self.number.scaled && !self.number.dollars;
        let small = plain && self.number.value <= 100.0;
        match (word.as_str(), next.as_str()) {
            ("percent" | "pct" | "percentage", _) => self.set(Shape::Percent, 1 + skip),
            ("per", "cent") => self.set(Shape::Percent, 2 + skip),
            ("bps" | "bp" | "bip" | "bips", _) => self.set(Shape::BasisPoints, 1 + skip),
            ("basis", "points" | "point") => self.set(Shape::BasisPoints, 2 + skip),
            ("x" | "times", _) if plain && self.number.value < 1e3 => self.set(Shape::Multiple, 1 + skip),
            ("year" | "years" | "yr" | "yrs" | "y", _) if small && !self.labels_next(skip + 1) => {
                self.set(Shape::Years, 1 + skip);
            }
            ("month" | "months" | "mo" | "mos" | "mth" | "mths", _)
                if plain && self.number.value <= 600.0 && !self.labels_next(skip + 1) =>
            {
                self.set(Shape::Months, 1 + skip);
            }
            ("day" | "days", _) if plain && self.number.value < 4e3 => self.set(Shape::Days, 1 + skip),
            (
                "unit" | "units" | "apartments" | "apartment" | "doors" | "door" | "beds" | "homes" | "flats"
                | "condos" | "townhomes",
                _,
            ) => {
                self.set(Shape::Units, 1 + skip);
            }
            (noun, _) if INSTALMENTS.contains(&noun) => self.set(Shape::Payments, 1 + skip),
            ("equal" | "monthly" | "level" | "month", _) if self.number.value <= 600.0 => {
                self.counted_payments(skip);
            }
            ("sf" | "sqft" | "rsf" | "gsf", _) => self.set(Shape::Area, 1 + skip),
            ("feet" | "ft", _) if !self.number.dollars && self.number.value >= 500.0 => {
                self.set(Shape::Area, 1 + skip);
            }
            ("sqm" | "m2" | "acres" | "acre" | "hectares" | "hectare" | "ha", _) => {
                self.area(&word, 1 + skip);
            }
            ("sq" | "square", "ft" | "feet" | "foot") => self.set(Shape::Area, 2 + skip),
            ("sq" | "square", "m" | "meter" | "meters" | "metre" | "metres") => self.area("sqm", 2 + skip),
            ("week" | "weeks", _) if plain && self.number.value < 600.0 => {
                self.number.value *= 7.0;
                self.set(Shape::Days, 1 + skip);
            }
            _ => {}
        }
    }

    /// "18 equal month-end payments": the words up to the noun.
    fn counted_payments(&mut self, skip: usize) {
        let word = |ahead: usize| self.word(skip + ahead);
        let between = (0..5)
            .take_while(|at| {
                matches!(word(*at), "equal" | "monthly" | "level" | "month" | "end")
                    || self.mark(skip + at, '-')
            })
            .count();
        let monthly = (0..between).any(|at| matches!(word(at), "monthly" | "month"));
        if monthly && INSTALMENTS.contains(&word(between)) {
            self.set(Shape::Payments, skip + between + 1);
        }
    }

    /// An area in another unit, as square feet.
    fn area(&mut self, unit: &str, used: usize) {
        if self.number.shape == Shape::Plain {
            self.number.value *= match unit {
                "acre" | "acres" => 43_560.0,
                "hectare" | "hectares" | "ha" => 107_639.104,
                _ => 10.763_910_4,
            };
            self.set(Shape::Area, used);
        }
    }

    /// "100 year 1": the year belongs to the number after it.
    fn labels_next(&self, ahead: usize) -> bool {
        self.tokens
            .get(self.at + ahead)
            .and_then(Token::number)
            .is_some_and(|next| {
                let marked = self.tokens.get(self.at + ahead + 1).is_some_and(|after| {
                    after.is_mark('%')
                        || matches!(after.word(), "percent" | "pct" | "year" | "month" | "months")
                });
                next.short && next.value <= 60.0 && next.value.fract() == 0.0 && !next.dollars && !marked
            })
    }

    fn period(&mut self) {
        let skip = usize::from(self.mark(0, '/'));
        let (word, next, third) = (
            self.word(skip).to_owned(),
            self.word(skip + 1).to_owned(),
            self.word(skip + 2),
        );
        // "a year from now" is a date, not a period.
        let ahead = matches!(self.word(skip + 3), "now" | "today" | "closing" | "then" | "here");
        let dated = matches!(third, "later" | "ago" | "out" | "hence") || (third == "from" && ahead);
        let unit = |word: &str| match word {
            "month" | "mo" | "mth" => Some(Per::Month),
            "quarter" | "qtr" => Some(Per::Quarter),
            "year" | "yr" | "annum" => Some(Per::Year),
            _ if base(word).is_some() => Some(Per::Other),
            _ => None,
        };
        let noun = if skip == 0 && !matches!(word.as_str(), "psf") {
            &next
        } else {
            &word
        };
        let based = base(noun);
        let (per, used) = match word.as_str() {
            _ if skip == 1 => (unit(&word), 2),
            "a" | "per" | "each" | "every" | "an" if !dated => (unit(&next), 2),
            "monthly" | "pm" => (Some(Per::Month), 1),
            "quarterly" => (Some(Per::Quarter), 1),
            "annually" | "annual" | "yearly" | "pa" => (Some(Per::Year), 1),
            "p" if self.mark(1, '.') && next.is_empty() && third == "a" => (Some(Per::Year), 3),
            "p" if self.mark(1, '.') && next.is_empty() && third == "m" => (Some(Per::Month), 3),
            "psf" => (Some(Per::Other), 1),
            _ => (None, 0),
        };
        let Some(per) = per else { return };
        let adjective = matches!(word.as_str(), "monthly" | "quarterly" | "annual" | "yearly");
        // "5m monthly payment": the noun has its period itself.
        if adjective && matches!(self.word(1), "payment" | "payments" | "debt" | "mortgage") {
            return;
        }
        self.number.per = Some(per);
        self.number.loose_per = adjective && !self.word(1).is_empty();
        // An adjective stays for the noun it may belong to.
        if !adjective {
            self.at += used;
        }
        if per == Per::Other {
            self.number.base = based;
            let square = matches!(noun.as_str(), "square" | "sq");
            if square && matches!(self.word(0), "foot" | "feet" | "ft" | "meter" | "metre" | "m") {
                // Prices are for square feet here; one for each square metre is another unit.
                if self.word(0).starts_with('m') {
                    self.number.base = Some(Base::Other);
                }
                self.at += 1;
            }
            self.every();
        }
    }

    /// "$34/sf/yr", "$34 per square foot per year".
    fn every(&mut self) {
        let skip = usize::from(self.mark(0, '/'));
        let (word, next) = (self.word(skip), self.word(skip + 1));
        let time = |word: &str| match word {
            "month" | "mo" | "monthly" => Some(Per::Month),
            "year" | "yr" | "annum" | "annually" | "yearly" => Some(Per::Year),
            _ => None,
        };
        let (every, used) = match word {
            "a" | "per" | "each" | "every" => (time(next), 2),
            _ if skip == 1 || matches!(word, "annually" | "yearly" | "monthly") => (time(word), 1 + skip),
            _ => (None, 0),
        };
        if every.is_some() {
            self.number.every = every;
            self.at += used;
        }
    }

    /// Ranges, spaced groups and dates: no single quantity.
    fn doubts(&mut self, _end: usize) {
        let next_number = |ahead: usize| self.tokens.get(self.at + ahead).and_then(Token::number);
        let bare = self.number.shape == Shape::Plain || self.number.shape == Shape::Money;
        if bare && self.mark(0, '-') && next_number(1).is_some() && self.tight() {
            self.number.doubtful = true;
        }
        // "12 400 000": a group of three digits after a space.
        let spaced = |next: &Number| next.short && !next.spelled && next.sign == Sign::None && !next.dollars;
        let three = self
            .tokens
            .get(self.at)
            .is_some_and(|next| next.end - next.start == 3);
        if bare && three && !self.number.scaled && next_number(0).is_some_and(spaced) {
            self.number.doubtful = true;
        }
    }
}

/// What a price may be for each of.
fn base(word: &str) -> Option<Base> {
    match word {
        "sf" | "sqft" | "foot" | "square" | "sq" | "rsf" | "gsf" | "ft" | "psf" => Some(Base::Area),
        "sqm" | "m2" | "hectare" => Some(Base::Other),
        "unit" | "door" | "key" | "bed" | "apartment" | "home" | "pad" => Some(Base::Unit),
        "week" | "day" | "acre" => Some(Base::Other),
        _ => None,
    }
}

/// "year 6", "years 2 to 5", "payment 84", "in 2027": which one, not how many.
fn labels(tokens: &mut [Token]) {
    // "0: -10000 1: 3000" numbers the years.
    let next_colon: Vec<bool> = (0..tokens.len())
        .map(|at| {
            tokens.get(at + 1).is_some_and(|token| token.is_mark(':'))
                && tokens.get(at + 2).is_some_and(|token| token.number().is_some())
        })
        .collect();
    // The label of a range's first number waits for "to" and the second number.
    let mut carried: Option<Shape> = None;
    let mut joined = false;
    // "in years 2, 3 and 4": a row of years goes on with the next one.
    let mut row: Option<(Shape, f64)> = None;
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).cloned();
        let before_word = before.as_ref().map_or("", Token::word).to_owned();
        let two_before = at
            .checked_sub(2)
            .and_then(|at| tokens.get(at))
            .map_or("", Token::word)
            .to_owned();
        let dash_before = before
            .as_ref()
            .is_some_and(|token| token.is_mark('-') || token.is_mark('#'));
        // "payment number 13".
        let noun = if dash_before || matches!(before_word.as_str(), "number" | "no") {
            two_before.as_str()
        } else {
            before_word.as_str()
        };
        let Some(Token {
            kind: Kind::Number(number),
            ..
        }) = tokens.get_mut(at)
        else {
            joined = tokens.get(at).is_some_and(|token| {
                matches!(token.word(), "to" | "through" | "thru" | "and") || token.is_mark('-')
            });
            let joins = joined || tokens.get(at).is_some_and(|token| token.is_mark(','));
            row = row.filter(|_| joins);
            if !joined {
                carried = None;
            }
            continue;
        };
        let plain = number.shape == Shape::Plain && number.short && number.value.fract() == 0.0;
        let label = match noun {
            "year" | "years" | "yr" | "yrs" if number.value <= 100.0 => Some(Shape::YearLabel),
            "month" | "months" if number.value <= 600.0 => Some(Shape::MonthLabel),
            "payment" | "payments" if number.value <= 600.0 && !number.doubtful => Some(Shape::PaymentLabel),
            _ => None,
        };
        let listed = next_colon.get(at).copied().unwrap_or(false) && number.value <= 60.0;
        let label = label.or_else(|| listed.then_some(Shape::YearLabel));
        let follows = row
            .filter(|(_, last)| plain && (number.value - last - 1.0).abs() < 1e-9)
            .map(|(shape, _)| shape);
        let label = label.or(follows);
        row = label
            .filter(|_| plain && (noun == "years" || follows.is_some()))
            .map(|shape| (shape, number.value));
        let calendar = (1950.0..=2100.0).contains(&number.value)
            && matches!(
                noun,
                "in" | "calendar"
                    | "fy"
                    | "year"
                    | "since"
                    | "by"
                    | "until"
                    | "through"
                    | "during"
                    | "january"
                    | "february"
                    | "march"
                    | "april"
                    | "may"
                    | "june"
                    | "july"
                    | "august"
                    | "september"
                    | "october"
                    | "november"
                    | "december"
            );
        if !plain || !joined && carried.is_some() {
            carried = None;
        }
        if !plain {
            continue;
        }
        if let Some(shape) = label {
            number.shape = shape;
            number.doubtful = false;
            carried = Some(shape);
            joined = false;
        } else if calendar {
            number.shape = Shape::Calendar;
        } else if let Some(shape) = carried.take() {
            number.shape = shape;
            number.doubtful = false;
        }
    }
}

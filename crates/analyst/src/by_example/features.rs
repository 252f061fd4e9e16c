//! What is looked at in a question: its words and numbers by kind, and around each number what stands there.

use crate::words::among::among;
use crate::words::asides::DATE;
use crate::words::scan::{Base, Kind, Number, Per, Shape, Token};

/// A question as a row of signs: stems of words, classes of numbers.
pub struct Signs {
    /// One for each token; empty for marks that say nothing.
    signs: Vec<String>,
    /// Sentence of each token.
    sentence: Vec<usize>,
    /// The tokens that are amounts or dates.
    pub amounts: Vec<usize>,
    classes: Vec<&'static str>,
}

const REACH: usize = 4;
const BAG: usize = 8;

impl Signs {
    pub fn of(tokens: &[Token]) -> Self {
        let mut at = 0;
        let parts = months_of_a_year(tokens);
        let mut sentence = Vec::with_capacity(tokens.len());
        let mut signs = Vec::with_capacity(tokens.len());
        let mut amounts = Vec::new();
        let mut classes = Vec::new();
        for (place, token) in tokens.iter().enumerate() {
            sentence.push(at);
            signs.push(match &token.kind {
                Kind::Number(_) if parts.contains(&place) => String::new(),
                Kind::Word(word) if word == DATE => {
                    amounts.push(place);
                    classes.push("T");
                    "#T".to_owned()
                }
                Kind::Word(word) if ordinal(word).is_some() => {
                    amounts.push(place);
                    classes.push("R");
                    "#R".to_owned()
                }
                Kind::Word(_) if month(tokens, place) => {
                    amounts.push(place);
                    classes.push("H");
                    "#H".to_owned()
                }
                Kind::Word(word) => stem(word),
                Kind::Number(number) => {
                    let class = class(number);
                    amounts.push(place);
                    classes.push(class);
                    format!("#{class}")
                }
                Kind::Mark(mark) => {
                    if matches!(mark, '.' | '?' | '!' | ';') {
                        at += 1;
                    }
                    match mark {
                        '.' | ',' | '\'' | '"' | '(' | ')' | '-' | '!' => String::new(),
                        mark => mark.to_string(),
                    }
                }
            });
        }
        Self {
            signs,
            sentence,
            amounts,
            classes,
        }
    }

    pub fn class(&self, amount: usize) -> &'static str {
        self.classes.get(amount).copied().unwrap_or("")
    }

    fn sign(&self, at: usize) -> &str {
        self.signs.get(at).map_or("", String::as_str)
    }

    /// The stems of the words.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.placed_words().map(|(_, stem)| stem)
    }

    /// The stems of the words, each with the place of its token.
    pub fn placed_words(&self) -> impl Iterator<Item = (usize, &str)> {
        self.signs
            .iter()
            .map(String::as_str)
            .enumerate()
            .filter(|(_, sign)| !sign.starts_with('#') && sign.chars().any(char::is_alphabetic))
    }

    /// The parts of a year that are spoken of.
    pub fn parts_of_year(&self, tokens: &[Token]) -> Vec<&'static str> {
        const PARTS: &[(&str, &[&str])] = &[
            ("month", &["month", "monthli"]),
            ("quarter", &["quarter", "quarterli"]),
        ];
        let said = |(part, stems): &(&'static str, &[&str])| {
            let told = tokens
                .iter()
                .filter_map(Token::number)
                .any(|number| period(number) == *part);
            (told || self.words().any(|word| stems.contains(&word))).then_some(*part)
        };
        PARTS.iter().filter_map(said).collect()
    }

    /// What tells which figure is asked.
    pub fn of_question(&self) -> Vec<String> {
        let row: Vec<(&str, usize)> = self
            .signs
            .iter()
            .zip(&self.sentence)
            .filter(|(sign, _)| !sign.is_empty())
            .map(|(sign, sentence)| (sign.as_str(), *sentence))
            .collect();
        let asked = self.asking();
        let mut out = Vec::with_capacity(row.len() * 4);
        for (at, (sign, sentence)) in row.iter().enumerate() {
            out.push(format!("u:{sign}"));
            if *sentence == asked && !sign.starts_with('#') {
                out.push(format!("q:{sign}"));
            }
            if let Some((next, _)) = row.get(at + 1) {
                out.push(format!("b:{sign} {next}"));
            }
            if let Some(sort) = sort(sign) {
                out.push(format!("u:@{sort}"));
            }
            if !sign.starts_with('#') && sign.len() > 5 {
                out.push(format!("p:{}", sign.chars().take(4).collect::<String>()));
            }
        }
        if let Some((last, _)) = row.iter().rev().find(|(sign, _)| *sign != "?") {
            out.push(format!("l:{last}"));
        }
        for class in [
            "M", "P", "Y", "O", "N", "X", "U", "A", "F", "E", "L", "T", "C", "Q", "J", "K", "B", "D", "R",
            "H",
        ] {
            let count = self.classes.iter().filter(|own| **own == class).count();
            if count > 0 {
                out.push(format!("n:{class}{}", count.min(4)));
            }
        }
        out.sort();
        out.dedup();
        out
    }

    /// The sentence that asks: one with a question mark or a word that asks, else the last.
    fn asking(&self) -> usize {
        let marked = self.signs.iter().position(|sign| sign == "?");
        let worded = || {
            self.signs
                .iter()
                .position(|sign| matches!(sign.as_str(), "what" | "how" | "which" | "whats"))
        };
        marked
            .or_else(worded)
            .and_then(|at| self.sentence.get(at))
            .or(self.sentence.last())
            .copied()
            .unwrap_or(0)
    }

    /// What tells what an amount is: its kind and size, what stands around it.
    pub fn of_amount(&self, amount: usize, tokens: &[Token]) -> Vec<String> {
        let Some(&at) = self.amounts.get(amount) else {
            return Vec::new();
        };
        let own = self.sentence.get(at).copied();
        let said = |place: usize| -> &str {
            if self.sentence.get(place).copied() == own {
                self.sign(place)
            } else {
                "."
            }
        };
        let left: Vec<&str> = (0..at)
            .rev()
            .map(said)
            .filter(|sign| !sign.is_empty())
            .take(REACH)
            .collect();
        let right: Vec<&str> = (at + 1..self.signs.len())
            .map(said)
            .filter(|sign| !sign.is_empty())
            .take(REACH)
            .collect();
        let of = |side: &[&str], at: usize| side.get(at).copied().unwrap_or("^").to_owned();
        let class = self.class(amount);
        let mut out = vec![
            format!("c:{class}"),
            format!("l1:{}", of(&left, 0)),
            format!("l2:{}", of(&left, 1)),
            format!("l3:{}", of(&left, 2)),
            format!("r1:{}", of(&right, 0)),
            format!("r2:{}", of(&right, 1)),
            format!("r3:{}", of(&right, 2)),
            format!("ll:{} {}", of(&left, 1), of(&left, 0)),
            format!("rr:{} {}", of(&right, 0), of(&right, 1)),
            format!("lr:{} {}", of(&left, 0), of(&right, 0)),
            format!("cl:{class} {}", of(&left, 0)),
            format!("cr:{class} {}", of(&right, 0)),
        ];
        let before = amount.checked_sub(1).map_or("^", |before| self.class(before));
        let after = match amount + 1 < self.classes.len() {
            true => self.class(amount + 1),
            false => "$",
        };
        out.push(format!("pc:{before} {class}"));
        out.push(format!("nc:{class} {after}"));
        let bounds = |from: usize, to: usize| {
            (from..to)
                .map(|place| self.sign(place))
                .filter(|sign| !sign.is_empty() && !sign.starts_with('#'))
        };
        let start = amount
            .checked_sub(1)
            .and_then(|before| self.amounts.get(before))
            .map_or(0, |at| at + 1);
        let end = self.amounts.get(amount + 1).copied().unwrap_or(self.signs.len());
        let mut bag: Vec<String> = bounds(start, at)
            .rev()
            .take(BAG)
            .map(|sign| format!("L:{sign}"))
            .collect();
        bag.extend(bounds(at + 1, end).take(BAG).map(|sign| format!("R:{sign}")));
        bag.sort();
        bag.dedup();
        out.append(&mut bag);
        if let Some(number) = tokens.get(at).and_then(Token::number) {
            self.sizes(amount, number, tokens, &mut out);
        }
        out
    }

    fn sizes(&self, amount: usize, number: &Number, tokens: &[Token], out: &mut Vec<String>) {
        let class = self.class(amount);
        let value = number.value.abs();
        let size = match class {
            "P" => [2.0, 3.5, 5.0, 8.0, 12.0, 25.0, 50.0, 75.0, 100.0]
                .iter()
                .filter(|bound| value >= **bound)
                .count(),
            _ => usize::try_from((value.max(1.0).log10() * 2.0) as i64).unwrap_or(0),
        };
        out.push(format!("z:{class}{size}"));
        if number.sign != crate::words::scan::Sign::None {
            out.push("signed".to_owned());
        }
        out.push(format!("per:{}", period(number)));
        let alike: Vec<f64> = self
            .amounts
            .iter()
            .zip(&self.classes)
            .filter(|(_, other)| **other == class)
            .filter_map(|(at, _)| tokens.get(*at).and_then(Token::number))
            .map(|number| number.value.abs())
            .collect();
        let larger = alike.iter().filter(|other| **other > value).count();
        out.push(format!("rk:{class}{}of{}", larger.min(3), alike.len().min(4)));
        out.push(format!("i:{}", amount.min(3)));
    }
}

/// "4.25%/12", "1/12 of a year": numbers that only say how a year is divided.
fn months_of_a_year(tokens: &[Token]) -> Vec<usize> {
    let value = |at: usize| tokens.get(at).and_then(Token::number).map(|number| number.value);
    let mut out = Vec::new();
    for at in 1..tokens.len() {
        let slash = tokens.get(at).is_some_and(|token| token.is_mark('/'));
        if !slash || !value(at + 1).is_some_and(|months| months == 12.0) {
            continue;
        }
        match tokens.get(at - 1).and_then(Token::number) {
            Some(number) if number.shape == Shape::Percent => out.push(at + 1),
            Some(number) if number.value == 1.0 => out.extend([at - 1, at + 1]),
            _ => {}
        }
    }
    out
}

/// "Fifth", "60th": which one.
pub fn ordinal(word: &str) -> Option<f64> {
    const NAMED: &[&str] = &[
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    let named = NAMED
        .iter()
        .position(|own| *own == word)
        .map(|at| at as f64 + 1.0);
    named.or_else(|| word.strip_prefix("ord").and_then(|digits| digits.parse().ok()))
}

/// A month by its name; "may" and "mar" are other words too.
fn month(tokens: &[Token], at: usize) -> bool {
    const MONTHS: &str = "january february march april june july august september october november december jan feb apr \
        jun jul aug sept sep oct nov dec";
    const BEFORE: &str = "in of since from during early late mid into for on by this last every service started bought \
        pis svc began begun opened placed start starting";
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let own = word(at);
    if among(MONTHS, own) {
        return true;
    }
    let behind = tokens.get(at + 1);
    let ends = behind.is_none_or(|next| next.number().is_some() || next.word().is_empty());
    let before = at
        .checked_sub(1)
        .is_some_and(|before| among(BEFORE, word(before)));
    matches!(own, "may" | "mar") && (ends || before)
}

/// The role of the number before is a feature too.
pub fn after(names: &mut Vec<String>, last: usize) {
    let beside = names.iter().find(|name| name.starts_with("l1:")).cloned();
    names.extend(beside.map(|beside| format!("y:{last} {beside}")));
    names.push(format!("y:{last}"));
}

/// The class of a number by the shape that its surroundings give it.
pub fn class(number: &Number) -> &'static str {
    match (number.shape, number.base) {
        (Shape::Plain | Shape::Money, Some(Base::Area)) => "F",
        (Shape::Plain | Shape::Money, Some(Base::Unit)) => "E",
        (Shape::Money, _) => "M",
        // It may be a year as well.
        (Shape::Plain, _) if number.short && !number.dollars && (1990.0..2100.0).contains(&number.value) => {
            "C"
        }
        (Shape::Plain, _)
            if number.dollars || number.foreign || number.scaled || number.value.abs() >= 1000.0 =>
        {
            "M"
        }
        (Shape::Plain, _) => "N",
        (Shape::Percent, _) => "P",
        (Shape::BasisPoints, _) => "B",
        (Shape::Multiple, _) => "X",
        (Shape::Years, _) => "Y",
        (Shape::Months, _) => "O",
        (Shape::Days, _) => "D",
        (Shape::Units, _) => "U",
        (Shape::Payments, _) => "Q",
        (Shape::Area, _) => "A",
        (Shape::YearLabel, _) => "L",
        (Shape::MonthLabel, _) => "K",
        (Shape::PaymentLabel, _) => "J",
        (Shape::Calendar, _) => "C",
    }
}

/// The period that an amount is told for.
pub fn period(number: &Number) -> &'static str {
    match number.per.filter(|per| *per != Per::Other).or(number.every) {
        Some(Per::Month) => "month",
        Some(Per::Quarter) => "quarter",
        Some(Per::Year) => "year",
        _ => "",
    }
}

/// What a word is one of: buildings that are written off over the same years, words that leave out.
fn sort(stem: &str) -> Option<&'static str> {
    const SORTS: &[(&str, &str)] = &[
        (
            "commercial",
            "offic retail warehous industri shop store hotel motel clinic medic storag plaza mall strip commerci \
             nonresidenti restaur factori plant flex showroom bank garag data lab hospit supermarket groceri",
        ),
        (
            "residential",
            "apart multifamili duplex triplex fourplex sixplex hous townhous townhom residenti resi dwell flat condo \
             dorm student cottag bungalow home quadplex",
        ),
        (
            "leaves_out",
            "without exclud except omit ignor apart disregard neglect aside skip drop",
        ),
        ("instead", "instead rather not non never"),
    ];
    SORTS
        .iter()
        .find(|(_, words)| among(words, stem))
        .map(|(sort, _)| *sort)
}

/// Words that belong together by their beginning.
pub fn stem(word: &str) -> String {
    let short = match word {
        "yr" | "yrs" => "year",
        "mo" | "mos" | "mth" => "month",
        "pmt" | "pmts" | "pymt" => "payment",
        "ds" => "service",
        "mtg" => "mortgage",
        "bal" => "balance",
        "occ" => "occupancy",
        "exp" | "exps" => "expenses",
        "am" | "amort" | "amortization" | "amortisation" | "amortizing" | "amortising" | "amortized" => {
            "amort"
        }
        "&" => "and",
        word => word,
    };
    if short.chars().any(|c| !c.is_ascii_alphabetic()) {
        return short.to_owned();
    }
    rust_stemmers::Stemmer::create(rust_stemmers::Algorithm::English)
        .stem(short)
        .into_owned()
}

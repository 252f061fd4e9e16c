//! Wordings as patterns over tokens: words with alternatives, kinds of numbers, gaps.
//!
//! Knows no figure and no question. `a|b` is either word or mark, `x?` may be missing, `#…` takes a number, `..` skips
//! a few words without numbers, `^` and `$` stand at the ends of a sentence.

use crate::analysis::engines::offline::words::scan::{Number, Per, Shape, Token};

/// A class of wordings and what stands in their place: `{1}` is the first number of the wording.
pub(super) struct Wording {
    pub(super) says: &'static [&'static str],
    pub(super) told: &'static str,
    /// One of these words has to stand in the question.
    pub(super) has: &'static [&'static str],
    /// None of these.
    pub(super) lacks: &'static [&'static str],
}

/// A stretch of the question and what stands in its place.
pub(super) struct Edit {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) told: String,
}

#[derive(Clone, Debug)]
enum Piece {
    Words(Vec<&'static str>),
    Amount(Kind),
    Gap,
    Start,
    End,
}

/// What a number of a pattern may be.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Money,
    Percent,
    Years,
    Months,
    Count,
    YearLabel,
    FirstYear,
    OneMonth,
    TwelveMonths,
    Zero,
    Times,
    Points,
    Payments,
    Units,
    Yearly,
    Monthly,
    BareMoney,
    BareRate,
}

/// A wording.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Vec<(Piece, bool)>);

/// Where a wording stands: the token after it, and its numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) to: usize,
    pub(crate) numbers: Vec<usize>,
}

const GAP: usize = 5;

impl Pattern {
    pub(crate) fn read(text: &'static str) -> Self {
        Self::of(&[text])
    }

    /// A wording in parts, which others have too.
    pub(crate) fn of(parts: &[&'static str]) -> Self {
        Self(
            parts
                .iter()
                .flat_map(|part| part.split(' '))
                .filter_map(piece)
                .collect(),
        )
    }

    /// Whether the wording stands anywhere.
    pub(crate) fn stands(&self, tokens: &[Token]) -> bool {
        self.possible(tokens) && (0..tokens.len()).any(|at| self.at(tokens, at).is_some())
    }

    /// Whether the question has every word that the wording needs: cheaper than trying each place.
    pub(crate) fn possible(&self, tokens: &[Token]) -> bool {
        self.0.iter().all(|(piece, optional)| match piece {
            Piece::Words(words) if !optional => words
                .iter()
                .any(|word| tokens.iter().any(|token| said(token, word))),
            _ => true,
        })
    }

    pub(crate) fn at(&self, tokens: &[Token], at: usize) -> Option<Found> {
        let mut numbers = Vec::new();
        let to = walk(&self.0, tokens, at, at, &mut numbers)?;
        (to > at).then_some(Found { to, numbers })
    }
}

fn piece(text: &'static str) -> Option<(Piece, bool)> {
    let (body, optional) = match text.strip_suffix('?') {
        Some(body) => (body, true),
        None => (text, false),
    };
    let piece = match body {
        "" => return None,
        ".." => Piece::Gap,
        "^" => Piece::Start,
        "$" => Piece::End,
        "#$" => Piece::Amount(Kind::Money),
        "#%" => Piece::Amount(Kind::Percent),
        "#y" => Piece::Amount(Kind::Years),
        "#m" => Piece::Amount(Kind::Months),
        "#n" => Piece::Amount(Kind::Count),
        "#l" => Piece::Amount(Kind::YearLabel),
        "#l1" => Piece::Amount(Kind::FirstYear),
        "#m1" => Piece::Amount(Kind::OneMonth),
        "#m12" => Piece::Amount(Kind::TwelveMonths),
        "#z" => Piece::Amount(Kind::Zero),
        "#x" => Piece::Amount(Kind::Times),
        "#bp" => Piece::Amount(Kind::Points),
        "#p" => Piece::Amount(Kind::Payments),
        "#u" => Piece::Amount(Kind::Units),
        "#r" => Piece::Amount(Kind::BareRate),
        "#$m" => Piece::Amount(Kind::Monthly),
        "#$b" => Piece::Amount(Kind::BareMoney),
        "#$y" => Piece::Amount(Kind::Yearly),
        words => Piece::Words(words.split('|').collect()),
    };
    Some((piece, optional))
}

fn walk(
    pieces: &[(Piece, bool)],
    tokens: &[Token],
    from: usize,
    at: usize,
    numbers: &mut Vec<usize>,
) -> Option<usize> {
    let Some(((piece, optional), rest)) = pieces.split_first() else {
        return Some(at);
    };
    // "interest-only", "year-two": hyphens join the words of a wording.
    let hyphens = tokens
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take_while(|token| token.is_mark('-'))
        .count();
    let here = match piece {
        Piece::Gap | Piece::Start | Piece::End => at,
        _ if at == from => at,
        _ => at + hyphens,
    };
    let before = numbers.len();
    if let Some(ends) = step(piece, tokens, here) {
        if matches!(piece, Piece::Amount(_)) {
            numbers.push(here);
        }
        for end in ends {
            if let Some(to) = walk(rest, tokens, from, end, numbers) {
                return Some(to);
            }
        }
        numbers.truncate(before);
    }
    if *optional {
        return walk(rest, tokens, from, at, numbers);
    }
    None
}

/// Where the piece may end.
fn step(piece: &Piece, tokens: &[Token], at: usize) -> Option<Vec<usize>> {
    let token = tokens.get(at);
    match piece {
        Piece::Words(words) => {
            let token = token?;
            words.iter().any(|word| said(token, word)).then(|| vec![at + 1])
        }
        Piece::Amount(kind) => fits(*kind, token?.number()?).then(|| vec![at + 1]),
        Piece::Gap => Some(
            (0..=GAP)
                .take_while(|ahead| {
                    *ahead == 0
                        || tokens.get(at + ahead - 1).is_some_and(|token| {
                            !token.word().is_empty() || token.is_mark('-') || token.is_mark('\'')
                        })
                })
                .map(|ahead| at + ahead)
                .collect(),
        ),
        Piece::Start => at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_none_or(stops)
            .then(|| vec![at]),
        Piece::End => token
            .is_none_or(|token| stops(token) || token.is_mark(','))
            .then(|| vec![at]),
    }
}

fn said(token: &Token, word: &str) -> bool {
    let mut signs = word.chars();
    match (signs.next(), signs.next()) {
        (Some(mark), None) if !mark.is_alphanumeric() => token.is_mark(mark),
        _ => token.word() == word,
    }
}

fn stops(token: &Token) -> bool {
    ['.', '?', '!', ';', ':'].iter().any(|mark| token.is_mark(*mark))
}

fn fits(kind: Kind, number: &Number) -> bool {
    let plain = matches!(number.shape, Shape::Plain);
    if number.doubtful {
        return false;
    }
    match kind {
        Kind::Money => lump(number),
        Kind::Percent => number.shape == Shape::Percent,
        Kind::Years => number.shape == Shape::Years,
        Kind::Months => number.shape == Shape::Months,
        Kind::Count => {
            // "three annual flows" counts, and is no yearly amount.
            (plain || (number.spelled && number.loose_per))
                && number.value.fract() == 0.0
                && number.value <= 400.0
                && !number.scaled
        }
        Kind::YearLabel => number.shape == Shape::YearLabel,
        Kind::FirstYear => number.shape == Shape::YearLabel && number.value == 1.0,
        Kind::OneMonth => number.shape == Shape::Months && number.value == 1.0,
        Kind::TwelveMonths => number.shape == Shape::Months && number.value == 12.0,
        Kind::Zero => number.value == 0.0 && number.shape != Shape::YearLabel,
        Kind::Times => {
            number.shape == Shape::Multiple || (plain && (1.0..3.0).contains(&number.value) && !number.scaled)
        }
        Kind::Points => number.shape == Shape::BasisPoints,
        Kind::Payments => number.shape == Shape::Payments,
        Kind::Units => number.shape == Shape::Units,
        // "At 6.3": no percent sign, and no other unit either.
        Kind::BareRate => {
            plain
                && (2.0..15.0).contains(&number.value)
                && !number.scaled
                && !number.dollars
                && !number.foreign
                && number.per.is_none()
                && number.base.is_none()
        }
        Kind::Monthly => lump(number) && number.per == Some(Per::Month),
        Kind::BareMoney => lump(number) && number.per.is_none(),
        Kind::Yearly => lump(number) && number.per == Some(Per::Year),
    }
}

/// An amount of money that is paid once.
pub(super) fn lump(number: &Number) -> bool {
    matches!(number.shape, Shape::Money | Shape::Plain)
        && (number.value >= 100.0 || number.scaled || number.dollars || number.foreign)
        && number.base.is_none()
        && !number.doubtful
}

//! Wordings as patterns over tokens: words with alternatives, kinds of numbers, gaps.
//!
//! Knows no figure and no question. `a|b` is either word or mark, `x?` may be missing, `#…` takes a number, `..` skips
//! a few words without numbers, `^` and `$` stand at the ends of a sentence.

use crate::words::scan::{Number, Shape, Token};
use tables::work::charge;

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
    Months,
    Count,
}

/// A wording.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Vec<(Piece, bool)>);

/// Where a wording ends: the token after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) to: usize,
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
        charge(1 + tokens.len());
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
        let to = walk(&self.0, tokens, at, at)?;
        (to > at).then_some(Found { to })
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
        "#m" => Piece::Amount(Kind::Months),
        "#n" => Piece::Amount(Kind::Count),
        words => Piece::Words(words.split('|').collect()),
    };
    Some((piece, optional))
}

fn walk(pieces: &[(Piece, bool)], tokens: &[Token], from: usize, at: usize) -> Option<usize> {
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
    if let Some(ends) = step(piece, tokens, here) {
        for end in ends {
            if let Some(to) = walk(rest, tokens, from, end) {
                return Some(to);
            }
        }
    }
    if *optional {
        return walk(rest, tokens, from, at);
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
    if number.doubtful {
        return false;
    }
    match kind {
        Kind::Money => lump(number),
        Kind::Percent => number.shape == Shape::Percent,
        Kind::Months => number.shape == Shape::Months,
        Kind::Count => {
            // "three annual flows" counts, and is no yearly amount.
            let plain = matches!(number.shape, Shape::Plain);
            (plain || (number.spelled && number.loose_per))
                && number.value.fract() == 0.0
                && number.value <= 400.0
                && !number.scaled
        }
    }
}

/// An amount of money that is paid once.
fn lump(number: &Number) -> bool {
    matches!(number.shape, Shape::Money | Shape::Plain)
        && (number.value >= 100.0 || number.scaled || number.dollars || number.foreign)
        && number.base.is_none()
        && !number.doubtful
}

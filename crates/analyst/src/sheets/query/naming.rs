//! What a word of a question can name of a table, and how well it fits.
//!
//! Knows words and headers; searches nothing.

use crate::sheets::query::likeness::{Likeness, related};
use crate::sheets::words::{Kind as WordKind, Words, stem};
use tables::headers;
use tables::tenancy::State;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// One of these columns; which, the rest of the question says.
    Column(Vec<usize>),
    /// Several columns taken together: recoveries.
    All(Vec<usize>),
    Value {
        column: usize,
        values: Vec<String>,
    },
    Section(Vec<usize>),
    State(State),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) at: usize,
    pub(crate) length: usize,
    pub(crate) piece: Piece,
    /// More than one thing of the table fits equally.
    pub(crate) unsure: bool,
}

pub(crate) struct Candidate {
    pub(crate) at: usize,
    pub(crate) length: usize,
    pub(crate) rank: u8,
    pub(crate) piece: Piece,
    pub(crate) unsure: bool,
}

/// Where these parts stand from a place on, in words that are free; and how well they fit.
pub(crate) fn fits(words: &Words, at: usize, parts: &[String]) -> Option<Likeness> {
    let mut worst = Likeness::Same;
    for (n, part) in parts.iter().enumerate() {
        let word = words.all.get(at + n).filter(|word| !word.used)?;
        if n > 0 && word.begins {
            return None;
        }
        let own = if word.stem == *part || word.text == *part {
            Likeness::Same
        } else if matches!(word.kind, WordKind::Plain) {
            related(&word.stem, part)?
        } else {
            return None;
        };
        worst = worst.min(own);
    }
    Some(worst)
}

/// The words of a header that name it, without units and parentheses.
pub(crate) fn naming(header: &str) -> Vec<String> {
    let plain = header.split(['(', '[']).next().unwrap_or("");
    headers::words(plain)
        .iter()
        .filter(|word| !matches!(word.as_str(), "$" | "#" | "%" | "usd" | "eur" | "no"))
        .map(|word| stem(word))
        .collect()
}

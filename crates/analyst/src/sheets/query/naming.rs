//! What a word of a question can name of a table, and how well it fits.
//!
//! Knows words and headers; searches nothing.

use std::collections::HashMap;
use std::rc::Rc;

use crate::sheets::query::likeness::{Likeness, related, root};
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
        values: Rc<[String]>,
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

/// Names by their words: which of them have a word that is alike.
#[derive(Default)]
pub(crate) struct Index {
    exact: HashMap<String, Vec<usize>>,
    roots: HashMap<String, Vec<usize>>,
}

impl Index {
    /// Of names, each with its words. `forms`: other forms of a word count too.
    pub(crate) fn of<'a>(names: impl Iterator<Item = (usize, &'a [String])>, forms: bool) -> Self {
        let mut index = Self::default();
        for (name, parts) in names {
            for part in parts {
                index.exact.entry(part.clone()).or_default().push(name);
                if forms && part.chars().count() >= 4 {
                    index.roots.entry(root(part)).or_default().push(name);
                }
            }
        }
        index
    }

    /// Those that may have a word like this one, in order.
    pub(crate) fn like(&self, word: &str) -> Vec<usize> {
        let mut found = self.exact.get(word).cloned().unwrap_or_default();
        if !self.roots.is_empty() && word.chars().count() >= 4 {
            found.extend(self.roots.get(&root(word)).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The free words of a question by their places: where a name may begin.
pub(crate) fn beginnings(words: &Words) -> Index {
    let free = words.all.iter().enumerate().filter(|(_, word)| !word.used);
    let forms: Vec<(usize, [String; 2])> = free
        .map(|(at, word)| (at, [word.stem.clone(), word.text.clone()]))
        .collect();
    Index::of(forms.iter().map(|(at, own)| (*at, own.as_slice())), true)
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

//! The different values of a column, so that words find them by hash.
//!
//! Computes nothing.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::sheets::query::likeness::Likeness;
use crate::sheets::query::naming::{Index, fits};
use crate::sheets::words::{Words, stem};
use tables::cells::Cells;
use tables::headers;

/// What the cells of a column say.
pub(crate) struct Values {
    /// The different values that are words, folded and in order.
    pub(crate) all: Vec<String>,
    /// Their words.
    pub(crate) parts: Vec<Vec<String>>,
    /// By their first word, and by any.
    begin: Index,
    hold: Index,
}

impl Values {
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let written: HashSet<&str> = cells
            .filter(|cell| cell.contains(char::is_alphabetic) && cell.chars().count() <= 60)
            .collect();
        let mut all: Vec<String> = written
            .into_iter()
            .map(folded)
            .filter(|cell| !cell.is_empty())
            .collect();
        all.sort_unstable();
        all.dedup();
        let parts: Vec<Vec<String>> = all
            .iter()
            .map(|value| value.split(' ').map(str::to_owned).collect())
            .collect();
        let first = parts.iter().map(|own| own.get(..1).unwrap_or_default());
        let each = parts.iter().map(Vec::as_slice);
        Self {
            begin: Index::of(first.enumerate(), true),
            hold: Index::of(each.enumerate(), false),
            all,
            parts,
        }
    }

    /// The values that stand in a question, each with its place and how well it fits.
    pub(crate) fn named(&self, words: &Words) -> Vec<(usize, usize, Likeness)> {
        let mut found = Vec::new();
        for (at, word) in words.all.iter().enumerate().filter(|(_, word)| !word.used) {
            for form in [&word.stem, &word.text] {
                let begun = self.begin.like(form).into_iter();
                found.extend(begun.filter_map(|value| {
                    let likeness = fits(words, at, self.parts.get(value)?)?;
                    Some((value, at, likeness))
                }));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The values that may have a word like this.
    pub(crate) fn holding(&self, word: &str) -> Vec<usize> {
        self.hold.like(word)
    }
}

/// The columns that have a cell of just these signs, in lower case, of cells with digits.
pub(crate) fn columns_of<'a>(rows: impl Iterator<Item = &'a Cells>) -> HashMap<String, BTreeSet<usize>> {
    let mut columns: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for cells in rows {
        for (column, cell) in cells.iter().enumerate() {
            if cell.contains(|sign: char| sign.is_ascii_digit()) {
                columns
                    .entry(cell.to_ascii_lowercase())
                    .or_default()
                    .insert(column);
            }
        }
    }
    columns
}

/// A cell for comparison: words in lower case, without plural.
pub(crate) fn folded(cell: &str) -> String {
    headers::words(cell)
        .iter()
        .map(|word| stem(word))
        .collect::<Vec<_>>()
        .join(" ")
}

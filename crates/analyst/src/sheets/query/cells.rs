//! The different values of a column, so that words find them by hash.
//!
//! Computes nothing.

use std::collections::{BTreeSet, HashMap};

use crate::sheets::query::likeness::{Likeness, root};
use crate::sheets::query::naming::fits;
use crate::sheets::words::{Words, stem};
use tables::cells::Cells;
use tables::distinct::Distinct;
use tables::headers;

/// What the cells of a column say: the different values that are words, by their words and by the root of the
/// first one.
pub(crate) struct Values(Distinct);

impl Values {
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let words = cells.filter(|cell| cell.contains(char::is_alphabetic) && cell.chars().count() <= 60);
        Self(Distinct::of(words, folded, keys))
    }

    /// A value by its place in the order.
    pub(crate) fn value(&self, at: u32) -> Option<&str> {
        self.0.value(at)
    }

    /// All of them, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.all()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words of a value.
    pub(crate) fn parts(&self, at: u32) -> Option<Vec<String>> {
        Some(self.value(at)?.split(' ').map(str::to_owned).collect())
    }

    /// The values that stand in a question, each with its place and how well it fits.
    pub(crate) fn named(&self, words: &Words) -> Vec<(u32, usize, Likeness)> {
        let mut found = Vec::new();
        for (at, word) in words.all.iter().enumerate().filter(|(_, word)| !word.used) {
            let mut forms = vec![word.stem.clone(), word.text.clone()];
            let long = forms.iter().filter(|form| form.chars().count() >= 4);
            let roots: Vec<String> = long.map(|form| root(form)).collect();
            forms.extend(roots);
            forms.sort_unstable();
            forms.dedup();
            let begun = forms.iter().flat_map(|form| self.0.holding(form));
            found.extend(begun.filter_map(|value| {
                let likeness = fits(words, at, &self.parts(value)?)?;
                Some((value, at, likeness))
            }));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The values that may have a word like this.
    pub(crate) fn holding(&self, word: &str) -> impl Iterator<Item = u32> {
        self.0.holding(word)
    }
}

/// The words of a value, and the root of the first one.
fn keys(value: &str) -> Vec<String> {
    let mut keys: Vec<String> = value.split(' ').map(str::to_owned).collect();
    let first = keys.first().filter(|first| first.chars().count() >= 4);
    let root = first.map(|first| root(first));
    keys.extend(root);
    keys
}

/// Fills in the columns that have a cell of just these numbers, in lower case.
pub(crate) fn columns_of<'a>(
    rows: impl Iterator<Item = &'a Cells>,
    mut numbers: HashMap<String, BTreeSet<usize>>,
) -> HashMap<String, BTreeSet<usize>> {
    let longest = numbers.keys().map(String::len).max().unwrap_or(0);
    for cells in rows {
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.len() <= longest) {
            let columns = if cell.contains(|sign: char| sign.is_ascii_uppercase()) {
                numbers.get_mut(&cell.to_ascii_lowercase())
            } else {
                numbers.get_mut(cell)
            };
            if let Some(columns) = columns {
                columns.insert(column);
            }
        }
    }
    numbers
}

/// A cell for comparison: words in lower case, without plural.
pub(crate) fn folded(cell: &str) -> String {
    headers::words(cell)
        .iter()
        .map(|word| stem(word))
        .collect::<Vec<_>>()
        .join(" ")
}

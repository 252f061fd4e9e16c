//! The different values of a column, so that words find them by hash.
//!
//! Computes nothing.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::sheets::query::likeness::{Likeness, root};
use crate::sheets::query::naming::fits;
use crate::sheets::words::{Words, stem};
use tables::cells::Cells;
use tables::headers;

/// What the cells of a column say. A large table has a name in each row: all values are in one text.
pub(crate) struct Values {
    /// The different values that are words, folded and in order, one behind the other.
    text: String,
    /// Where each of them ends.
    ends: Vec<usize>,
    /// By their first word, and by any.
    begin: Hashes,
    hold: Hashes,
}

impl Values {
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let mut written: Vec<&str> = cells
            .filter(|cell| cell.contains(char::is_alphabetic) && cell.chars().count() <= 60)
            .collect();
        written.sort_unstable();
        written.dedup();
        let mut all: Vec<Box<str>> = written
            .into_iter()
            .map(|cell| folded(cell).into_boxed_str())
            .filter(|cell| !cell.is_empty())
            .collect();
        all.sort_unstable();
        all.dedup();
        let mut own = Self {
            text: String::with_capacity(all.iter().map(|value| value.len()).sum()),
            ends: Vec::with_capacity(all.len()),
            begin: Hashes(Vec::with_capacity(all.len())),
            hold: Hashes(Vec::with_capacity(all.len() * 2)),
        };
        for (at, value) in all.iter().enumerate() {
            own.text.push_str(value);
            own.ends.push(own.text.len());
            for (n, part) in value.split(' ').enumerate() {
                if n == 0 {
                    own.begin.add(part, at);
                    if part.chars().count() >= 4 {
                        own.begin.add(&root(part), at);
                    }
                }
                own.hold.add(part, at);
            }
        }
        own.begin.sort();
        own.hold.sort();
        own
    }

    /// A value by its place in the order.
    pub(crate) fn value(&self, at: usize) -> Option<&str> {
        let begin = match at.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(begin..*self.ends.get(at)?)
    }

    /// All of them, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|at| self.value(at))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The words of a value.
    pub(crate) fn parts(&self, at: usize) -> Option<Vec<String>> {
        Some(self.value(at)?.split(' ').map(str::to_owned).collect())
    }

    /// The values that stand in a question, each with its place and how well it fits.
    pub(crate) fn named(&self, words: &Words) -> Vec<(usize, usize, Likeness)> {
        let mut found = Vec::new();
        for (at, word) in words.all.iter().enumerate().filter(|(_, word)| !word.used) {
            for form in [&word.stem, &word.text] {
                let mut begun = self.begin.of(form);
                if form.chars().count() >= 4 {
                    begun.extend(self.begin.of(&root(form)));
                }
                found.extend(begun.into_iter().filter_map(|value| {
                    let likeness = fits(words, at, &self.parts(value)?)?;
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
        self.hold.of(word)
    }
}

/// Values by the hash of a word. Two words may have the same hash: the caller compares the words.
struct Hashes(Vec<(u32, u32)>);

impl Hashes {
    fn add(&mut self, word: &str, value: usize) {
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        self.0.push((hash(word), value));
    }

    fn sort(&mut self) {
        self.0.sort_unstable();
        self.0.dedup();
        self.0.shrink_to_fit();
    }

    fn of(&self, word: &str) -> Vec<usize> {
        let wanted = hash(word);
        let first = self.0.partition_point(|(own, _)| *own < wanted);
        let same = self.0.iter().skip(first).take_while(|(own, _)| *own == wanted);
        same.map(|(_, value)| *value as usize).collect()
    }
}

fn hash(word: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    // Half of it: the other half would only save comparisons.
    (hasher.finish() >> 32) as u32
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

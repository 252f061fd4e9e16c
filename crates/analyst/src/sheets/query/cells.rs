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
    /// The different values that are words, folded, one behind the other.
    text: String,
    /// Where each of them starts and ends, in the order of the values.
    spans: Vec<(u32, u32)>,
    /// By their words, and by the root of the first one.
    words: Hashes,
}

/// So many cells are folded together, each of their texts once.
const TOGETHER: usize = 8_192;

impl Values {
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let mut cells = cells
            .filter(|cell| cell.contains(char::is_alphabetic) && cell.chars().count() <= 60)
            .peekable();
        let mut text = String::new();
        let mut spans: Vec<(u32, u32)> = Vec::new();
        while cells.peek().is_some() {
            let mut written: Vec<&str> = cells.by_ref().take(TOGETHER).collect();
            written.sort_unstable();
            written.dedup();
            for value in written.into_iter().map(folded).filter(|value| !value.is_empty()) {
                let start = narrow(text.len());
                text.push_str(&value);
                spans.push((start, narrow(text.len())));
            }
        }
        let value = |(start, end): &(u32, u32)| text.get(*start as usize..*end as usize);
        spans.sort_unstable_by(|one, other| value(one).cmp(&value(other)));
        spans.dedup_by(|one, other| value(one) == value(other));
        spans.shrink_to_fit();
        text.shrink_to_fit();
        let mut own = Self {
            text,
            spans,
            words: Hashes::default(),
        };
        let mut words = Hashes::default();
        for (at, value) in (0..).zip(own.all()) {
            for (n, part) in value.split(' ').enumerate() {
                words.add(part, at);
                let root = (n == 0 && part.chars().count() >= 4).then(|| root(part));
                if let Some(root) = root.filter(|root| root != part) {
                    words.add(&root, at);
                }
            }
        }
        words.sort();
        own.words = words;
        own
    }

    /// A value by its place in the order.
    pub(crate) fn value(&self, at: u32) -> Option<&str> {
        let (start, end) = self.spans.get(at as usize)?;
        self.text.get(*start as usize..*end as usize)
    }

    /// All of them, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        (0..narrow(self.spans.len())).filter_map(|at| self.value(at))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
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
            let begun = forms.iter().flat_map(|form| self.words.of(form));
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
        self.words.of(word)
    }
}

/// Values by the hash of a word. Two words may have the same hash: the caller compares the words.
#[derive(Default)]
struct Hashes(Vec<(u32, u32)>);

impl Hashes {
    fn add(&mut self, word: &str, value: u32) {
        self.0.push((hash(word), value));
    }

    fn sort(&mut self) {
        self.0.sort_unstable();
        self.0.dedup();
        self.0.shrink_to_fit();
    }

    fn of(&self, word: &str) -> impl Iterator<Item = u32> {
        let wanted = hash(word);
        let first = self.0.partition_point(|(own, _)| *own < wanted);
        let same = self
            .0
            .iter()
            .skip(first)
            .take_while(move |(own, _)| *own == wanted);
        same.map(|(_, value)| *value)
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn hash(word: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    // Half of it: the other half would only save comparisons.
    (hasher.finish() >> 32) as u32
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

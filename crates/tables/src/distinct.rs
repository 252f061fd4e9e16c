//! The different values of a column, found by their words. A large table has a name in each row, so all values
//! share one text.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Values that differ once they are folded, in order.
pub struct Distinct {
    /// The folded values, one after the other.
    text: String,
    /// Where each value starts and ends in the text, in the order of the values.
    spans: Vec<(u32, u32)>,
    /// Places of values by the hash of a key.
    keys: Vec<(u32, u32)>,
}

/// So many cells are folded together, each of their texts once.
const TOGETHER: usize = 8_192;

impl Distinct {
    /// `fold` gives the form in which cells are compared, empty for none; `keys` gives what a value is found by.
    pub fn of<'a>(
        cells: impl Iterator<Item = &'a str>,
        fold: impl Fn(&str) -> String,
        keys: impl Fn(&str) -> Vec<String>,
    ) -> Self {
        let mut cells = cells.peekable();
        let mut text = String::new();
        let mut spans: Vec<(u32, u32)> = Vec::new();
        while cells.peek().is_some() {
            let mut written: Vec<&str> = cells.by_ref().take(TOGETHER).collect();
            written.sort_unstable();
            written.dedup();
            for value in written.into_iter().map(&fold).filter(|value| !value.is_empty()) {
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
            keys: Vec::new(),
        };
        let mut found = Vec::new();
        for (at, value) in (0..).zip(own.all()) {
            found.extend(keys(value).iter().map(|key| (hash(key), at)));
        }
        found.sort_unstable();
        found.dedup();
        found.shrink_to_fit();
        own.keys = found;
        own
    }

    /// A value by its place in the order.
    pub fn value(&self, at: u32) -> Option<&str> {
        let (start, end) = self.spans.get(at as usize)?;
        self.text.get(*start as usize..*end as usize)
    }

    /// All of them, in order.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        (0..narrow(self.spans.len())).filter_map(|at| self.value(at))
    }

    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Places of the values that may have this key. Two keys may have the same hash: the caller compares.
    pub fn holding(&self, key: &str) -> impl Iterator<Item = u32> {
        let wanted = hash(key);
        let first = self.keys.partition_point(|(own, _)| *own < wanted);
        let rest = self.keys.iter().skip(first);
        rest.take_while(move |(own, _)| *own == wanted)
            .map(|(_, value)| *value)
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn hash(key: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    // Half of it: the other half would only save comparisons.
    (hasher.finish() >> 32) as u32
}

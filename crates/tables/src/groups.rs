//! Follows the sums of a statement: which of the lines above a printed sum it adds up, or whether it stands for lines
//! that are not printed.
//!
//! Independent of labels.

use crate::accounts::Line;
use crate::income::{Item, agree};

/// Entries that no printed sum has taken in yet: lines, and sums of lines.
#[derive(Default)]
pub(crate) struct Groups {
    entries: Vec<Entry>,
    differing: Vec<Differing>,
}

/// A printed sum that the lines of its group do not make.
pub(crate) struct Differing {
    pub(crate) item: Item,
    /// What the lines make, over all months.
    pub(crate) made: f64,
    /// A later sum counts it as a line.
    pub(crate) is_line: bool,
}

struct Entry {
    amounts: Vec<f64>,
    kind: Kind,
    place: Place,
    /// The names of all lines and sums in it, its own last.
    labels: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Line,
    Sum,
    /// A sum that its lines do not make, by its place in [`Groups::differing`].
    Unsure(usize),
}

impl Entry {
    fn add_to(&self, sums: &mut [f64]) {
        for (sum, amount) in sums.iter_mut().zip(&self.amounts) {
            *sum += amount;
        }
    }
}

/// Where a line or a sum stands: lines of a group have the same heading and are all income or all costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) section: Option<usize>,
    /// None if the kind of the line is unknown.
    pub(crate) side: Option<Side>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Income,
    Costs,
    Below,
}

impl Place {
    pub(crate) fn of(section: Option<usize>, line: Line) -> Self {
        let side = match line {
            Line::Expense => Some(Side::Costs),
            Line::Below(_) => Some(Side::Below),
            Line::Unknown | Line::Printed(_) => None,
            _ => Some(Side::Income),
        };
        Self { section, side }
    }

    fn shares_group(self, other: Self) -> bool {
        let same = self.side.zip(other.side).is_none_or(|(one, other)| one == other);
        self.section == other.section && same
    }
}

/// What a printed sum is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Group {
    /// The sum of entries above.
    Sum,
    /// No line of its group is printed: it counts as one.
    Collapsed,
    /// The lines of its group make another sum, over all months.
    Differs(f64),
}

/// A printed sum is compared with so many entries above it. Groups have fewer.
const MOST: usize = 64;

impl Groups {
    pub(crate) fn line(&mut self, label: &str, amounts: &[f64], place: Place) {
        self.entries.push(Entry {
            amounts: amounts.to_vec(),
            kind: Kind::Line,
            place,
            labels: vec![label.to_owned()],
        });
    }

    /// The names of what the last sum takes in.
    pub(crate) fn parts(&self) -> Vec<String> {
        let labels = self.entries.last().and_then(|last| last.labels.split_last());
        labels.map(|(_, parts)| parts.to_vec()).unwrap_or_default()
    }

    /// Compares a printed sum with the entries above it, and takes in those that it adds up.
    pub(crate) fn sum(&mut self, label: &str, amounts: &[f64], place: Place) -> Group {
        let mut labels = Vec::new();
        let added = self.added(amounts, true).or_else(|| self.added(amounts, false));
        let group = if added.is_some() {
            Group::Sum
        } else {
            let own = |entry: &&Entry| entry.kind == Kind::Line && entry.place.shares_group(place);
            let lines: Vec<&Entry> = self.entries.iter().rev().take_while(own).collect();
            if lines.is_empty() {
                Group::Collapsed
            } else {
                Group::Differs(lines.iter().flat_map(|entry| &entry.amounts).sum())
            }
        };
        if let Some((count, with_unsure)) = added {
            for entry in self.entries.split_off(self.entries.len() - count) {
                if let Kind::Unsure(at) = entry.kind
                    && let Some(own) = self.differing.get_mut(at)
                {
                    own.is_line = with_unsure;
                }
                labels.extend(entry.labels);
            }
        }
        labels.push(label.to_owned());
        self.entries.push(Entry {
            amounts: amounts.to_vec(),
            kind: Kind::Sum,
            place,
            labels,
        });
        group
    }

    /// How many of the last entries a sum adds up, with or without those that may be lines.
    fn added(&self, amounts: &[f64], with_unsure: bool) -> Option<(usize, bool)> {
        let mut made = vec![0.0; amounts.len()];
        for (count, entry) in (1..=MOST).zip(self.entries.iter().rev()) {
            if with_unsure || !matches!(entry.kind, Kind::Unsure(_)) {
                entry.add_to(&mut made);
            }
            let equal = made
                .iter()
                .zip(amounts)
                .all(|(made, own)| agree(own.abs(), made.abs(), count));
            if equal {
                return Some((count, with_unsure));
            }
        }
        None
    }

    /// Notes that the lines do not make the last sum. It may be a line of its own.
    pub(crate) fn differs(&mut self, item: Item, made: f64) {
        if let Some(last) = self.entries.last_mut() {
            last.kind = Kind::Unsure(self.differing.len());
        }
        self.differing.push(Differing {
            item,
            made,
            is_line: false,
        });
    }

    /// The printed sums that the lines of their groups do not make.
    pub(crate) fn differing(self) -> Vec<Differing> {
        self.differing
    }
}

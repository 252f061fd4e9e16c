//! Follows the sums of a statement: which of the lines above a printed sum it adds up, or whether it stands for lines
//! that are not printed.
//!
//! Independent of labels.

use crate::accounts::Line;
use crate::income::agree;

/// Entries that no printed sum has taken in yet: lines, and sums of lines.
#[derive(Default)]
pub(crate) struct Groups {
    entries: Vec<Entry>,
}

struct Entry {
    amounts: Vec<f64>,
    is_line: bool,
    place: Place,
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
    /// The lines of its group make another sum.
    Differs(Vec<f64>),
}

/// A printed sum is compared with so many entries above it. Statements have fewer.
const MOST: usize = 400;

impl Groups {
    pub(crate) fn line(&mut self, amounts: &[f64], place: Place) {
        self.entries.push(Entry {
            amounts: amounts.to_vec(),
            is_line: true,
            place,
        });
    }

    /// Compares a printed sum with the entries above it, and takes in those that it adds up.
    pub(crate) fn sum(&mut self, amounts: &[f64], place: Place) -> Group {
        let mut made = vec![0.0; amounts.len()];
        let mut found = None;
        for (count, entry) in (1..=MOST).zip(self.entries.iter().rev()) {
            for (sum, amount) in made.iter_mut().zip(&entry.amounts) {
                *sum += amount;
            }
            let equal = made
                .iter()
                .zip(amounts)
                .all(|(made, own)| agree(own.abs(), made.abs(), count));
            if equal {
                found = Some(count);
                break;
            }
        }
        let group = if found.is_some() {
            Group::Sum
        } else {
            let own = |entry: &&Entry| entry.is_line && entry.place.shares_group(place);
            let lines: Vec<&Entry> = self.entries.iter().rev().take_while(own).collect();
            found = Some(lines.len());
            if lines.is_empty() {
                Group::Collapsed
            } else {
                let mut made = vec![0.0; amounts.len()];
                for entry in &lines {
                    for (sum, amount) in made.iter_mut().zip(&entry.amounts) {
                        *sum += amount;
                    }
                }
                Group::Differs(made)
            }
        };
        let kept = self.entries.len() - found.unwrap_or(0);
        self.entries.truncate(kept);
        self.entries.push(Entry {
            amounts: amounts.to_vec(),
            is_line: false,
            place,
        });
        group
    }
}

//! Compares printed totals with the sums of the rows. Totals are never loaded; they show whether all rows
//! were read.

use std::collections::BTreeMap;

/// Sums by column in the column's smallest unit: of all rows, and of the rows since the last total.
#[derive(Debug, Default)]
pub struct Sums {
    all: BTreeMap<usize, i64>,
    group: BTreeMap<usize, i64>,
}

impl Sums {
    pub fn add(&mut self, column: usize, amount: i64) {
        for sums in [&mut self.all, &mut self.group] {
            *sums.entry(column).or_default() += amount;
        }
    }

    /// The sum of the rows, if a printed total is neither that of the group nor that of all rows.
    pub fn mismatched_sum(&self, column: usize, printed: i64) -> Option<i64> {
        let of = |sums: &BTreeMap<usize, i64>| sums.get(&column).copied().unwrap_or_default();
        let (group, all) = (of(&self.group), of(&self.all));
        if printed == group || printed == all {
            return None;
        }
        // Assume that the total refers to the closer sum.
        let nearer = if (printed - group).abs() < (printed - all).abs() {
            group
        } else {
            all
        };
        Some(nearer)
    }

    pub fn end_group(&mut self) {
        self.group.clear();
    }
}

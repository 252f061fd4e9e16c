//! The account of a file: how many of its rows were read, which were left out and why, and whether its printed totals
//! agree with the rows.

use std::collections::BTreeMap;

use serde::Serialize;

/// What rows are called whose errors are among the findings.
pub const ERRORS: &str = "rows with errors";

/// Every row of a file is counted or left out.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub counted: usize,
    /// Rows by what they are, in the plural.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<&'static str, usize>,
    /// Rows with printed totals that the rows above add up to.
    pub totals_agree: usize,
    pub totals_differ: usize,
}

impl Account {
    pub fn count(&mut self, rows: usize) {
        self.counted += rows;
    }

    pub fn leave_out(&mut self, what: &'static str, rows: usize) {
        if rows > 0 {
            *self.left_out.entry(what).or_default() += rows;
        }
    }

    pub fn total(&mut self, agrees: bool) {
        if agrees {
            self.totals_agree += 1;
        } else {
            self.totals_differ += 1;
        }
    }

    /// "Counted 131 of 137 rows; left out: headings (4), totals (2); printed totals: 2 agree, 1 differs".
    pub fn sentence(&self) -> String {
        let left_out: usize = self.left_out.values().sum();
        let mut sentence = format!("Counted {} of {} rows", self.counted, self.counted + left_out);
        let parts: Vec<String> = self
            .left_out
            .iter()
            .map(|(what, rows)| format!("{what} ({rows})"))
            .collect();
        if !parts.is_empty() {
            sentence.push_str(&format!("; left out: {}", parts.join(", ")));
        }
        if self.totals_agree + self.totals_differ > 0 {
            let s = |count: usize| if count == 1 { "s" } else { "" };
            let (agree, differ) = (self.totals_agree, self.totals_differ);
            let verdict = format!("{agree} agree{}, {differ} differ{}", s(agree), s(differ));
            sentence.push_str(&format!("; printed totals: {verdict}"));
        }
        sentence
    }
}

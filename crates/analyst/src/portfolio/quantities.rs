//! What a question names in numbers: an order, a bound, a quantity. Pure.

use serde::{Deserialize, Serialize};

use crate::portfolio::lexicon::Topic;

/// The order that is asked for, with how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rank {
    pub(crate) most: bool,
    pub(crate) count: Option<usize>,
    /// "best", "worst": which end that is depends on the figure.
    pub(crate) judged: bool,
    /// "second highest": that one alone, counted from one.
    #[serde(default)]
    pub(crate) nth: Option<usize>,
}

/// A quantity as it was named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Quantity {
    Topic(Topic),
    /// By its code.
    Account(String),
}

/// "below 95 %".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bound {
    /// None: said without a direction, as in a test of covenants.
    pub(crate) above: Option<bool>,
    pub(crate) value: f64,
    pub(crate) percent: bool,
    /// "at least": what equals it is among them.
    pub(crate) inclusive: bool,
    /// The quantity it bounds, where one was named.
    pub(crate) of: Option<Quantity>,
}

impl Bound {
    /// Whether a value keeps to it; `scale` brings the bound to the value's unit.
    pub(crate) fn holds(&self, value: f64, bound: f64) -> bool {
        match (self.above, self.inclusive) {
            (Some(true), false) => value > bound,
            (Some(true), true) => value >= bound,
            (Some(false), false) => value < bound,
            (Some(false), true) => value <= bound,
            (None, _) => true,
        }
    }

    /// Its value in the unit of a figure; none where it is given in another one.
    pub(crate) fn value_in(&self, unit: &str) -> Option<f64> {
        let percent = unit == "percent";
        if self.value != 0.0 && self.percent != percent && !(percent && self.value > 1.0) {
            return None;
        }
        // "Above 500k" is no ratio, "1.25" no amount of money.
        if unit == "ratio" && self.value >= 100.0 {
            return None;
        }
        Some(if percent && !self.percent {
            self.value / 100.0
        } else {
            self.value
        })
    }
}

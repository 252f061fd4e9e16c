//! What one clause of a question says of a table.
//!
//! Only what was read; nothing is read or computed here.

use crate::sheets::asked::Pace;
use crate::sheets::query::cues::Wish;
use crate::sheets::query::filters::Filter;

/// What a value is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Measure {
    Column(usize),
    /// Columns added up.
    All(Vec<usize>),
    /// The first less the second.
    Less(usize, usize),
    /// Columns over a column: rent per square foot, balance to value.
    Per(Vec<usize>, usize),
    /// From the first to the second, as a share of the first.
    Growth(usize, usize),
    /// Balance to value, the value of one collateral counted once.
    LoanToValue,
    /// Spaces let of spaces for rent, in a table that has a row for each; by their areas where those count.
    Occupancy {
        vacant: bool,
        area: Option<usize>,
    },
    /// Units let of units there are, as columns of numbers; or what is left of them.
    Let {
        part: usize,
        all: usize,
        vacant: bool,
    },
}

/// How a group is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Column(usize),
    Month(usize),
    Quarter(usize),
    Year(usize),
    /// Each row by itself.
    Rows,
}

/// What one clause says; what it does not say it takes from its neighbours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) filters: Vec<Filter>,
    pub(crate) measures: Vec<Measure>,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) weight: Option<usize>,
    pub(crate) share: bool,
    pub(crate) group: Option<Group>,
    /// "Which category": a column whose values are asked for.
    pub(crate) which: Option<usize>,
    /// "How many square feet": what is counted is a size, which adds up.
    pub(crate) sized: bool,
    pub(crate) rank: Option<usize>,
    /// "Second highest".
    pub(crate) nth: Option<usize>,
    /// Points back: "is that", "they".
    pub(crate) that: bool,
    pub(crate) names: bool,
    pub(crate) counts: Option<usize>,
    pub(crate) pace: Option<Pace>,
    /// Has a question of its own.
    pub(crate) asks: bool,
    /// Only what was understood, for the answer that asks back.
    pub(crate) understood: Vec<String>,
    /// Words that nothing was made of.
    pub(crate) left: Vec<String>,
    pub(crate) unsure: Option<String>,
}

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
    /// What is let of what there is; or what is left of it.
    Let {
        of: Let,
        vacant: bool,
    },
}

/// Where a table says what is let.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Let {
    /// In columns of numbers: units let, and units there are.
    Units { part: usize, all: usize },
    /// By the state of each row; areas count where spaces are let by them.
    Spaces { area: Option<usize> },
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

//! The kinds of time that a phrase about flows can mean.
//!
//! Plain data; knows no words.

use crate::words::scan::Per;

/// One phrase of time, counted in its own unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Moment {
    Now,
    /// At the end of each of these periods.
    At(Vec<usize>),
    /// For so many periods; `over` leaves open whether a total is spread.
    Span {
        count: usize,
        over: bool,
    },
    From(usize),
    /// So many periods after what was said before.
    Later(usize),
    /// Together with the last of the flows before it.
    Last,
    /// So many periods after the last of the flows before it.
    AfterLast(usize),
    /// In the year of the amount before.
    Same,
    Each,
    /// At the beginning of each period.
    Advance,
    /// How long it is held.
    Term(usize),
    /// So many periods without any flow.
    Nothing(usize),
    /// The flows are so many to the year, whatever each of them says.
    Frequency,
    /// Said, and nothing new: year ends are what is meant anyway.
    Plain,
    /// A time that is not worked out.
    Unclear,
}

/// A moment with its unit and the token after it.
pub(crate) type Found = (Moment, Per, usize);

//! One amount of a series with its side and its times, before it has its year.
//!
//! Plain data; knows no words.

/// One amount with its side settled and its times in periods.
pub(super) struct Placed {
    pub(super) value: f64,
    pub(super) out: bool,
    pub(super) sale: bool,
    pub(super) acquire: bool,
    pub(super) recurs: bool,
    pub(super) at: Option<Vec<usize>>,
    pub(super) span: Option<usize>,
    /// "5 x 150k": the span is that of one amount, and of no list.
    pub(super) counted: bool,
    pub(super) over: bool,
    pub(super) from: Option<usize>,
    pub(super) later: Option<usize>,
    pub(super) last: Option<usize>,
    pub(super) same: bool,
    pub(super) now: bool,
    pub(super) gap: usize,
    pub(super) growth: f64,
    pub(super) group: usize,
    pub(super) plus: bool,
    pub(super) then: bool,
    pub(super) back: bool,
    /// Its sign is written.
    pub(super) signed: bool,
    /// That it recurs is said by an adjective alone.
    pub(super) loosely: bool,
    /// Said to be paid each time.
    pub(super) each: bool,
}

//! A place of a limit, as whoever asked for one is told. Knows not how places are counted.

use std::time::Duration;

/// A place, or that there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    pub granted: bool,
    pub most: i64,
    /// Places left after this one.
    pub left: i64,
    /// How long until the place that was taken first is free again.
    pub frees: Duration,
}

//! The result of a rate-limit check as reported to the caller. Does not depend on how permits are counted.

use std::time::Duration;

/// A granted or refused permit, with the state of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    pub granted: bool,
    /// The maximum number of permits.
    pub limit: i64,
    /// Permits left after this request.
    pub left: i64,
    /// Time until the oldest taken permit is free again.
    pub resets_in: Duration,
}

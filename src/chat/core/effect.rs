//! What a call to a platform does, and so whether it may be repeated after its response was lost: a second post
//! would say the same twice. Does not depend on any platform's methods or error codes.

use std::time::Duration;

use crate::chat::core::platform::Failure;

/// What a call does at the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It has no effect, or a second call has the same one: it is simply repeated.
    Repeatable,
    /// Repeatable too, but the message it addresses may have been deleted.
    Edit,
    /// It creates a message: a blind repetition would create a second one.
    Post,
}

/// The wait where a platform asks for one without saying how long.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(10);
/// Longest wait that is believed.
const MAX_WAIT: Duration = Duration::from_secs(3_600);

/// How long to wait after a 429 with this `Retry-After`.
pub fn wait_after(retry_after: Option<Duration>) -> Duration {
    retry_after
        .unwrap_or(DEFAULT_WAIT)
        .clamp(Duration::from_secs(1), MAX_WAIT)
}

/// The response was lost, or the platform failed while it handled the call.
pub fn lost(effect: Effect, why: impl Into<String>) -> Failure {
    match effect {
        Effect::Repeatable | Effect::Edit => Failure::Unavailable(why.into()),
        Effect::Post => Failure::Ambiguous(why.into()),
    }
}

/// There was no response within the call's timeout: the platform may still carry it out.
pub fn late(effect: Effect, why: impl Into<String>) -> Failure {
    match effect {
        Effect::Repeatable | Effect::Edit => Failure::Unavailable(why.into()),
        Effect::Post => Failure::Late(why.into()),
    }
}

//! Slack's error words, and what to do next about each. The one table of them; knows no call.

use std::time::Duration;

use crate::chat::core::platform::Failure;

/// What a call does at Slack, for when its answer is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing, or what a second call does again: it is simply repeated.
    Repeatable,
    /// As that; and what it addresses may be gone.
    Edit,
    /// A new message: a blind second call would say it twice.
    Post,
}

/// Where Slack says to wait but not how long.
pub const WAIT: Duration = Duration::from_secs(10);

/// The answer got lost, or Slack failed in the middle.
pub fn lost(effect: Effect, why: impl Into<String>) -> Failure {
    match effect {
        Effect::Repeatable | Effect::Edit => Failure::Away(why.into()),
        Effect::Post => Failure::Ambiguous(why.into()),
    }
}

/// What `ok: false` with this `error` means.
pub fn refused(effect: Effect, word: &str) -> Failure {
    let said = word.to_owned();
    match word {
        "ratelimited" | "rate_limited" | "message_limit_exceeded" => Failure::Wait(WAIT),

        // May have taken effect all the same.
        "internal_error"
        | "fatal_error"
        | "service_unavailable"
        | "request_timeout"
        | "update_failed"
        | "team_added_to_org"
        | "external_channel_migrating" => lost(effect, said),

        "invalid_auth"
        | "not_authed"
        | "token_revoked"
        | "token_expired"
        | "account_inactive"
        | "user_removed_from_team"
        | "team_access_not_granted" => Failure::Disabled(said),

        "msg_too_long"
        | "msg_blocks_too_long"
        | "invalid_blocks"
        | "invalid_blocks_format"
        | "invalid_attachments"
        | "block_mismatch"
        | "no_text" => Failure::Content(said),

        "message_not_found" if effect == Effect::Edit => Failure::Gone(said),

        // It stands there, with what it said before.
        "cant_update_message"
        | "edit_window_closed"
        | "streaming_state_conflict"
        | "message_not_in_streaming_state"
        | "message_not_owned_by_app"
        | "stopped_by_user"
            if effect == Effect::Edit =>
        {
            Failure::Fixed(said)
        }

        "not_in_channel"
        | "channel_not_found"
        | "channel_is_limited_access"
        | "is_archived"
        | "is_inactive"
        | "posting_to_channel_denied"
        | "restricted_action"
        | "restricted_action_non_threadable_channel"
        | "restricted_action_read_only_channel"
        | "restricted_action_thread_locked"
        | "restricted_action_thread_only_channel"
        | "thread_not_found"
        | "message_not_found"
        | "cannot_reply_to_message"
        | "invalid_thread_ts"
        | "user_not_in_channel" => Failure::Elsewhere(said),

        // Missing scopes, organization policies, disabled people, faults of ours, and all that
        // Slack may add: asking again changes nothing.
        _ => Failure::Refused(said),
    }
}

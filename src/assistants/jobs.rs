//! The kinds, lanes and payloads of chat jobs.

use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::base::ids::InstallationId;

/// Decides how to reply to a turn. `app` registers the handlers of these kinds.
pub const TURN_JOB: &str = "chat.turn";
/// Handles an interaction, such as a button press.
pub const INTERACTION_JOB: &str = "chat.heard";
/// Posts a delivery.
pub const DELIVER_JOB: &str = "chat.deliver";
/// Posts the placeholder of an answer while its run is working.
pub const PLACEHOLDER_JOB: &str = "chat.place";
/// Removes posts that appeared after their delivery had ended.
pub const CLEANUP_JOB: &str = "chat.tidy";

/// The lane of one step in a thread: its jobs run one at a time. Later threads sort later, so that new lanes are
/// added at one end of the index.
pub(super) fn lane(step: &str, at: InstallationId, thread: &str, conversation: &str) -> String {
    format!("{step}/{at}/{thread}/{conversation}")
}

/// Reads an identifier from the payload of a job.
pub fn payload_id<T: std::str::FromStr>(payload: &Value, key: &str) -> Result<T> {
    let text = payload.get(key).and_then(Value::as_str).unwrap_or_default();
    text.parse()
        .map_err(|_| Error::internal(format!("the payload of a job has no {key}")))
}

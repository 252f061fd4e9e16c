//! Jobs of the chat: their kinds, lanes and payloads.

use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::base::ids::InstallationId;

/// Decides a turn. `app` registers the handlers of these kinds.
pub const TURN_JOB: &str = "chat.turn";
/// Does what follows from an interaction.
pub const INTERACTION_JOB: &str = "chat.heard";
/// Posts a delivery.
pub const DELIVER_JOB: &str = "chat.deliver";
/// Posts the placeholder of an answer while its run works.
pub const PLACEHOLDER_JOB: &str = "chat.place";
/// Removes posts that appeared late.
pub const CLEANUP_JOB: &str = "chat.tidy";

/// Everything of one thread happens one after the other. Threads that begin later sort later, so that
/// new lanes are added at one end of the index.
pub(super) fn lane(step: &str, at: InstallationId, conversation: &str, thread: &str) -> String {
    format!("{step}/{at}/{thread}/{conversation}")
}

/// The identifier a chat job carries.
pub fn payload_id<T: std::str::FromStr>(payload: &Value, key: &str) -> Result<T> {
    let text = payload.get(key).and_then(Value::as_str).unwrap_or_default();
    text.parse()
        .map_err(|_| Error::internal(format!("a job's payload lacks {key}")))
}

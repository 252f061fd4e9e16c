//! What people do in a chat beside saying something: presses, stops, deletions, visits.
//!
//! Plain types; knows no platform's wire format, and no rule of who may.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::assistants::model::{Act, Place, Sender, Target};
use crate::base::ids::InstallationId;

/// Something heard, on disk.
#[derive(Clone, Debug)]
pub struct StoredInteraction {
    pub installation: InstallationId,
    pub heard: Interaction,
    /// Since when a post that follows from it is begun, which may stand already.
    pub posting_since: Option<DateTime<Utc>>,
    pub done: bool,
}

/// Something a person did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Interaction {
    Press(Press),
    /// The platform's own Stop, for everything of the person's under way in the thread.
    Stopped {
        target: Target,
        /// Questions before this are meant, as the platform names messages by time. Where it does not
        /// say, only those that were heard before.
        #[serde(default)]
        before: Option<String>,
    },
    /// A message that may have been a question was deleted.
    Deleted {
        /// As the turn was taken in.
        message_key: String,
        place: Place,
    },
    /// The person opened the assistant's own page, or the conversation with it.
    Opened {
        target: Target,
        page: Page,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Page {
    Home,
    Conversation,
}

/// A press of a button. Nothing in it is a right: what the button names may be forged, and who pressed
/// is looked up anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Press {
    pub act: Act,
    pub sender: Sender,
    /// Where the button stands; its message is the one that bears it. The conversation is empty on the
    /// assistant's own page.
    pub place: Place,
    /// Only the presser sees the message, and it cannot be changed.
    #[serde(default)]
    pub ephemeral: bool,
    /// What was chosen with it.
    #[serde(default)]
    pub conversation: Option<String>,
}

/// Under which key it is kept that a message was deleted.
pub fn deletion_key(message_key: &str) -> String {
    format!("deleted/{message_key}")
}

impl Interaction {
    pub(super) fn place(&self) -> &Place {
        match self {
            Self::Press(press) => &press.place,
            Self::Stopped { target, .. } | Self::Opened { target, .. } => &target.place,
            Self::Deleted { place, .. } => place,
        }
    }

    /// Whose, where it belongs to no thread.
    pub(super) fn of_page(&self) -> Option<&Sender> {
        match self {
            Self::Press(press) if press.place.conversation.is_empty() => Some(&press.sender),
            Self::Opened { target, .. } => Some(&target.sender),
            _ => None,
        }
    }
}

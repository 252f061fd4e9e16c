//! What people do in a chat other than writing a message: press a button, stop a run, delete a message, open a page.
//!
//! Plain types. They do not depend on a platform's wire format or on permissions.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::assistants::model::{Act, Place, Sender, Target};
use crate::base::ids::InstallationId;

/// An interaction as stored in the inbox.
#[derive(Clone, Debug)]
pub struct StoredInteraction {
    pub installation: InstallationId,
    pub interaction: Interaction,
    /// When an attempt started to post a reply. The post may exist already.
    pub posting_since: Option<DateTime<Utc>>,
    /// True if it was handled by an earlier attempt.
    pub done: bool,
}

/// Something that a person did in a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Interaction {
    /// A button was pressed.
    Press(Press),
    /// The person used the platform's own Stop control: everything they have running in the thread is stopped.
    Stopped {
        target: Target,
        /// Questions with an earlier message id are stopped; the platform's ids are in order of time. None: only
        /// questions that were received before.
        #[serde(default)]
        before: Option<String>,
    },
    /// A message that may have been a question was deleted.
    Deleted {
        /// The key under which the turn was stored.
        message_key: String,
        place: Place,
    },
    /// The person opened the assistant's home page, or the conversation with it.
    Opened { target: Target, page: Page },
}

/// What a person opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Page {
    Home,
    Conversation,
}

/// A button press. It grants nothing: what the button names may be forged, and the sender's permissions are looked up
/// when it is handled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Press {
    pub act: Act,
    pub sender: Sender,
    /// Where the button is; `place.message` is the message with the button. The conversation is empty on the
    /// assistant's home page.
    pub place: Place,
    /// True if only the sender sees the message with the button. Such a message cannot be changed.
    #[serde(default)]
    pub ephemeral: bool,
    /// The conversation chosen with the button, for [`Act::Share`].
    #[serde(default)]
    pub conversation: Option<String>,
}

/// The key under which the deletion of a message is stored.
pub fn deletion_key(message_key: &str) -> String {
    format!("deleted/{message_key}")
}

impl Interaction {
    /// Where it happened.
    pub(super) fn place(&self) -> &Place {
        match self {
            Self::Press(press) => &press.place,
            Self::Stopped { target, .. } | Self::Opened { target, .. } => &target.place,
            Self::Deleted { place, .. } => place,
        }
    }

    /// The person, if it happened on a page and not in a thread.
    pub(super) fn page_visitor(&self) -> Option<&Sender> {
        match self {
            Self::Press(press) if press.place.conversation.is_empty() => Some(&press.sender),
            Self::Opened { target, .. } => Some(&target.sender),
            _ => None,
        }
    }
}

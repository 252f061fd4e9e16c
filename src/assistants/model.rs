//! Assistants, where they are installed, and the neutral words of a chat: turn, place, say.
//!
//! Knows no platform's wire format: `chat/slack` and `chat/web` translate into these.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::base::ids::{AssistantId, DeliveryId, InboxId, InstallationId, LinkId, MessageId, OrgId, UserId};
use crate::base::secret::Secret;

/// A branded assistant of one organization.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Assistant {
    pub org_id: OrgId,
    pub id: AssistantId,
    pub name: String,
    /// `#rrggbb`.
    pub colour: String,
    pub tone: String,
    pub greeting: String,
    /// The organization's own words on billing, privacy and the like.
    pub about: String,
    pub shared_enabled: bool,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlatformKind {
    Slack,
    Teams,
    Web,
}

crate::text_enum!(PlatformKind { Slack => "slack", Teams => "teams", Web => "web" });

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallationState {
    /// Created, but no bot token yet: only the address check is answered.
    Pending,
    Active,
    /// The platform took the rights away; kept, so that a reinstall finds it.
    Disabled,
}

crate::text_enum!(InstallationState { Pending => "pending", Active => "active", Disabled => "disabled" });

/// An assistant on one platform, with its secrets opened.
#[derive(Clone, Debug)]
pub struct Installation {
    pub org: OrgId,
    pub id: InstallationId,
    pub assistant: AssistantId,
    pub assistant_name: String,
    pub platform: PlatformKind,
    pub state: InstallationState,
    pub disabled_because: Option<String>,
    /// The unguessable part of its addresses.
    pub address: Secret,
    pub app_id: Option<String>,
    pub client_id: Option<String>,
    pub client_secret: Option<Secret>,
    pub signing_secret: Option<Secret>,
    /// Still accepted while a secret is being rotated.
    pub previous_signing_secret: Option<Secret>,
    pub bot_token: Option<Secret>,
    pub team_id: Option<String>,
    pub bot_user_id: Option<String>,
}

/// One thing a person said to an assistant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    pub sender: Sender,
    pub place: Place,
    /// The words, with the assistant's own mention taken out.
    pub text: String,
    #[serde(default)]
    pub files: Vec<FileStub>,
}

impl Turn {
    /// Without NUL, which PostgreSQL's texts cannot hold and nobody means.
    #[must_use]
    pub fn storable(mut self) -> Self {
        let Self {
            sender,
            place,
            text,
            files,
        } = &mut self;
        let strings = [
            &mut sender.team,
            &mut sender.user,
            &mut place.conversation,
            &mut place.thread,
            &mut place.message,
            text,
        ];
        for string in strings
            .into_iter()
            .chain(files.iter_mut().map(|file| &mut file.name))
        {
            if string.contains('\0') {
                *string = string.replace('\0', " ");
            }
        }
        self
    }
}

/// Who spoke, as the platform names them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sender {
    /// The workspace or tenant the person belongs to.
    pub team: String,
    pub user: String,
    /// Set where the platform is ours and the person is signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<UserId>,
}

/// Where it was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub kind: PlaceKind,
    pub conversation: String,
    /// The thread: the first message's id where the message opens one.
    pub thread: String,
    /// The message's own id.
    pub message: String,
    /// The platform says that outsiders are in the conversation.
    #[serde(default)]
    pub outsiders: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// One person and the assistant.
    Direct,
    /// Everything else, group messages too.
    Shared,
}

/// A file that came with a turn, unread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileStub {
    pub name: String,
    #[serde(default)]
    pub bytes: Option<u64>,
}

/// Something to be said, before a platform's own blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Say {
    /// Plain text: notifications and places without blocks.
    pub text: String,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Markdown (CommonMark with tables). Foreign text in it is not yet escaped.
    Markdown(String),
    /// Small print beneath: sources, audience.
    Note(String),
    /// A button that opens an address of ours.
    Link { label: String, url: String },
}

impl Say {
    /// One paragraph.
    pub fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            parts: vec![Part::Markdown(text.clone())],
            text,
        }
    }

    #[must_use]
    pub fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }
}

/// How a delivery is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryKind {
    /// A run's answer: placeholder, then update, in the thread.
    Answer,
    /// A fixed reply that everyone in the place may read, in the thread.
    Reply,
    /// A reason or hint that only the sender sees.
    Private,
    /// A one-time connection link, made when it is sent; only the sender sees it.
    LinkPrompt,
    /// A direct message, also where the turn was elsewhere.
    Direct,
}

crate::text_enum!(DeliveryKind {
    Answer => "answer", Reply => "reply", Private => "private", LinkPrompt => "link_prompt", Direct => "direct",
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    Pending,
    /// A post was begun and its outcome is not known: look before posting again.
    Posting,
    /// The placeholder stands.
    Placed,
    Delivered,
    /// Given up, with a reason an admin can see.
    Failed,
}

crate::text_enum!(DeliveryState {
    Pending => "pending", Posting => "posting", Placed => "placed", Delivered => "delivered", Failed => "failed",
});

/// Whom and where a delivery addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    pub sender: Sender,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: DeliveryId,
    pub installation: InstallationId,
    pub inbox: Option<InboxId>,
    pub kind: DeliveryKind,
    pub target: Target,
    pub say: Option<Say>,
    pub message: Option<MessageId>,
    pub state: DeliveryState,
    pub receipt: Option<String>,
}

/// A platform identity bound to an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Link {
    pub id: LinkId,
    pub user_id: UserId,
    pub created_at: DateTime<Utc>,
}

/// What the connection page shows.
#[derive(Clone, Debug)]
pub struct LinkOffer {
    pub org: OrgId,
    pub installation: InstallationId,
    pub assistant_name: String,
    pub platform: PlatformKind,
    pub platform_team: String,
    pub platform_user: String,
    pub shown_user: String,
    pub shown_team: String,
    pub expires_at: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationState {
    Approved,
    /// Outsiders joined, or the platform cannot say that none did.
    Suspended,
    Revoked,
}

crate::text_enum!(ConversationState { Approved => "approved", Suspended => "suspended", Revoked => "revoked" });

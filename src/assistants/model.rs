//! Assistants, where they are installed, and the neutral words of a chat: turn, place, say.
//!
//! Knows no platform's wire format: `chat/slack` and `chat/web` translate into these.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::assistants::slack::app::SlackApp;
use crate::base::error::{Error, Result};
use crate::base::ids::{
    AnalystId, AssistantId, DeliveryId, InboxId, InstallationId, LinkId, MessageId, OrgId, UserId,
};
use crate::base::secret::Secret;

/// A branded assistant of one organization.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Assistant {
    pub org_id: OrgId,
    pub id: AssistantId,
    pub name: String,
    /// One line on what it is for; empty: the service's own.
    pub description: String,
    /// `#rrggbb`.
    pub colour: String,
    pub tone: String,
    pub greeting: String,
    /// The organization's own words on billing, privacy and the like.
    pub about: String,
    pub prompts: Json<Vec<Prompt>>,
    /// Where the icon's bytes lie, and their type.
    pub icon_key: Option<String>,
    pub icon_type: Option<String>,
    pub shared_enabled: bool,
    pub created_at: DateTime<Utc>,
    /// The custom analyst that it answers with. Absent: the service's own model.
    pub analyst_id: Option<AnalystId>,
}

/// A suggested question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    pub title: String,
    pub message: String,
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

/// An assistant on one platform, with its secrets unsealed.
#[derive(Clone, Debug)]
pub struct Installation {
    pub org: OrgId,
    pub id: InstallationId,
    pub assistant: AssistantId,
    pub assistant_name: String,
    pub platform: Platform,
    pub state: InstallationState,
    /// Why it is disabled: a stable word of the platform.
    pub disabled_because: Option<String>,
    /// The unguessable part of its URLs.
    pub address: Secret,
    /// When rights were last granted. Reports of the platform about earlier rights are out of date.
    pub installed_at: Option<DateTime<Utc>>,
    /// The name under which the platform shows the assistant. Another name in the console asks for a reinstall.
    pub registered_name: Option<String>,
    /// When the platform last made a verified call, to the minute.
    pub last_call_at: Option<DateTime<Utc>>,
    /// When a call was last refused for its signature or time, to the minute.
    pub last_refused_at: Option<DateTime<Utc>>,
}

/// What an installation has that belongs to its platform.
#[derive(Clone, Debug)]
pub enum Platform {
    Slack(SlackApp),
    /// The browser preview.
    Web,
}

impl Installation {
    pub fn kind(&self) -> PlatformKind {
        self.platform.kind()
    }

    /// Where its people belong on the platform, such as a Slack workspace. None before it is installed.
    pub fn home(&self) -> Option<&str> {
        self.platform.home()
    }

    /// Slack's part. For another platform it is empty: nothing of Slack's is filled in.
    pub fn slack(&self) -> &SlackApp {
        static NONE: LazyLock<SlackApp> = LazyLock::new(SlackApp::default);
        match &self.platform {
            Platform::Slack(app) => app,
            Platform::Web => &NONE,
        }
    }
}

impl Platform {
    /// A platform before anything is filled in.
    pub fn new(kind: PlatformKind) -> Result<Self> {
        match kind {
            PlatformKind::Slack => Ok(Self::Slack(SlackApp::default())),
            PlatformKind::Web => Ok(Self::Web),
            PlatformKind::Teams => Err(Error::invalid("platform", "is not available yet")),
        }
    }

    pub const fn kind(&self) -> PlatformKind {
        match self {
            Self::Slack(_) => PlatformKind::Slack,
            Self::Web => PlatformKind::Web,
        }
    }

    pub fn home(&self) -> Option<&str> {
        match self {
            Self::Slack(app) => app.home(),
            Self::Web => None,
        }
    }

    /// The app's id on the platform.
    pub fn app_id(&self) -> Option<&str> {
        match self {
            Self::Slack(app) => app.app_id.as_deref(),
            Self::Web => None,
        }
    }

    /// It can receive events and post.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Slack(app) => app.is_complete(),
            Self::Web => true,
        }
    }

    /// Removes the tokens that no longer work. True if there was one.
    pub fn remove_tokens(&mut self) -> bool {
        match self {
            Self::Slack(app) => {
                app.refresh_token = None;
                app.bot_token.take().is_some()
            }
            Self::Web => false,
        }
    }
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
        let of_files = files.iter_mut().flat_map(|file| {
            let more = [&mut file.declared_type, &mut file.address];
            [&mut file.id, &mut file.name]
                .into_iter()
                .chain(more.into_iter().flatten())
        });
        for string in strings.into_iter().chain(of_files) {
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

/// A file that came with a turn, as the platform announced it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FileStub {
    /// The platform's id; empty where it gave none.
    pub id: String,
    pub name: String,
    /// As declared: believed only where it is too much.
    pub bytes: Option<u64>,
    pub declared_type: Option<String>,
    /// Where its bytes are, for whoever bears the installation's token.
    pub address: Option<String>,
    pub standing: FileStanding,
}

/// Where a file stands at the platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStanding {
    #[default]
    Here,
    /// Its particulars have to be asked for first.
    Ask,
    /// It lies at another service.
    External,
    /// Deleted, or hidden by the platform.
    Gone,
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
    /// Buttons that bring an [`Act`] back. Who may do it is decided when it is pressed.
    Buttons(Vec<Button>),
    /// Was this answer helpful? Brings [`Act::Feedback`] back.
    Feedback(DeliveryId),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    pub label: String,
    pub act: Act,
    #[serde(default)]
    pub style: Style,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    #[default]
    Plain,
    Primary,
    Danger,
}

/// What a person can do with a press. It names things, and grants nothing: a press may be forged by
/// anyone in the place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Lets the assistant answer in a shared conversation, or not.
    Approve {
        conversation: String,
    },
    Decline {
        conversation: String,
    },
    /// Stops the run whose answer this delivery is.
    Stop {
        delivery: DeliveryId,
    },
    /// Delivers again what failed.
    Resend {
        delivery: DeliveryId,
    },
    /// Asks the same question again in a shared conversation, under its rules. Which one, comes with
    /// the press.
    Share {
        delivery: DeliveryId,
    },
    Feedback {
        delivery: DeliveryId,
        helpful: bool,
    },
    /// Asks for a connection link.
    Connect,
    /// Ends the sender's own link.
    Disconnect,
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
    /// Put in the place of an earlier message of ours, which the target's place names.
    Replace,
}

crate::text_enum!(DeliveryKind {
    Answer => "answer", Reply => "reply", Private => "private", LinkPrompt => "link_prompt", Direct => "direct",
    Replace => "replace",
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
    /// Since when a post of it may still be made that no answer came to in time.
    pub doubted_at: Option<DateTime<Utc>>,
}

/// A platform identity bound to an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Link {
    pub id: LinkId,
    pub user_id: UserId,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationState {
    /// Somebody asked there; nobody decided.
    Requested,
    Approved,
    /// Outsiders joined, or the platform cannot say that none did.
    Suspended,
    Revoked,
}

crate::text_enum!(ConversationState { Requested => "requested", Approved => "approved", Suspended => "suspended", Revoked => "revoked" });

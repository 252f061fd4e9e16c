//! The types of the assistants domain: assistants, their installations, turns of a chat, and messages to post.
//!
//! They do not depend on a platform's wire format: `chat/slack` and `chat/web` translate to and from them.

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
    /// One line on what it is for. If empty, the service's own text is used.
    pub description: String,
    /// As `#rrggbb`.
    pub colour: String,
    pub tone: String,
    pub greeting: String,
    /// The organization's own text on billing, privacy and the like.
    pub about: String,
    /// Suggested questions.
    pub prompts: Json<Vec<Prompt>>,
    /// The blob key of the icon.
    pub icon_key: Option<String>,
    /// The media type of the icon.
    pub icon_type: Option<String>,
    /// True if it may answer in approved shared conversations.
    pub shared_enabled: bool,
    pub created_at: DateTime<Utc>,
    /// The custom analyst that it answers with. None: the service's own model.
    pub analyst_id: Option<AnalystId>,
}

/// A suggested question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// What the suggestion shows.
    pub title: String,
    /// What it asks when it is chosen.
    pub message: String,
}

/// A chat platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlatformKind {
    Slack,
    /// Not available yet.
    Teams,
    /// The browser preview.
    Web,
}

crate::text_enum!(PlatformKind { Slack => "slack", Teams => "teams", Web => "web" });

/// Whether an installation works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallationState {
    /// Created but without a bot token. Only the platform's check of the URL is answered.
    Pending,
    Active,
    /// The platform revoked its access. The row is kept for a reinstall.
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
    /// Why it is disabled, as an error code of the platform.
    pub disabled_because: Option<String>,
    /// The unguessable part of its URLs.
    pub address: Secret,
    /// When access was last granted. Reports about access from before are out of date.
    pub installed_at: Option<DateTime<Utc>>,
    /// The name under which the platform shows the assistant. If the console has another name, a reinstall is needed.
    pub registered_name: Option<String>,
    /// When the platform last made a verified call, accurate to the minute.
    pub last_call_at: Option<DateTime<Utc>>,
    /// When a call was last refused because of its signature or timestamp, accurate to the minute.
    pub last_refused_at: Option<DateTime<Utc>>,
}

/// The platform-specific part of an installation.
#[derive(Clone, Debug)]
pub enum Platform {
    Slack(Box<SlackApp>),
    /// The browser preview.
    Web,
}

impl Installation {
    /// Its platform.
    pub fn kind(&self) -> PlatformKind {
        self.platform.kind()
    }

    /// The platform's id of the workspace or organization it is installed in. None before it is installed.
    pub fn home(&self) -> Option<&str> {
        self.platform.home()
    }

    /// The Slack part. Empty for another platform.
    pub fn slack(&self) -> &SlackApp {
        static NONE: LazyLock<SlackApp> = LazyLock::new(SlackApp::default);
        match &self.platform {
            Platform::Slack(app) => app,
            Platform::Web => &NONE,
        }
    }
}

impl Platform {
    /// An empty platform part, to be filled in later.
    pub fn new(kind: PlatformKind) -> Result<Self> {
        match kind {
            PlatformKind::Slack => Ok(Self::Slack(Box::default())),
            PlatformKind::Web => Ok(Self::Web),
            PlatformKind::Teams => Err(Error::invalid("platform", "is not available yet")),
        }
    }

    /// Which platform this is.
    pub const fn kind(&self) -> PlatformKind {
        match self {
            Self::Slack(_) => PlatformKind::Slack,
            Self::Web => PlatformKind::Web,
        }
    }

    /// As [`Installation::home`].
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

    /// True if it has everything that is needed to receive events and to post.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Slack(app) => app.is_complete(),
            Self::Web => true,
        }
    }

    /// Removes tokens that no longer work. True if there was a bot token.
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

/// One message of a person to an assistant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    pub sender: Sender,
    pub place: Place,
    /// The text without the mention of the assistant. Only this may instruct.
    pub text: String,
    /// What came with the text: pasted tables as delimited text, forwarded messages as quotations.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub enclosed: String,
    #[serde(default)]
    pub files: Vec<FileStub>,
}

/// A text with what came with it.
pub fn with_enclosed(text: &str, enclosed: &str) -> String {
    [text, enclosed].join("\n\n").trim().to_owned()
}

impl Turn {
    /// The text with what came with it.
    pub fn question(&self) -> String {
        with_enclosed(&self.text, &self.enclosed)
    }

    /// Replaces NUL characters, which PostgreSQL cannot store in a text.
    #[must_use]
    pub(super) fn without_nul(mut self) -> Self {
        let Self {
            sender,
            place,
            text,
            enclosed,
            files,
        } = &mut self;
        let strings = [
            &mut sender.team,
            &mut sender.user,
            &mut place.conversation,
            &mut place.thread,
            &mut place.message,
            text,
            enclosed,
        ];
        let file_strings = files.iter_mut().flat_map(|file| {
            let optional = [&mut file.declared_type, &mut file.url];
            [&mut file.id, &mut file.name]
                .into_iter()
                .chain(optional.into_iter().flatten())
        });
        for string in strings.into_iter().chain(file_strings) {
            if string.contains('\0') {
                *string = string.replace('\0', " ");
            }
        }
        self
    }
}

/// A person, by the platform's ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sender {
    /// The workspace or tenant of the person.
    pub team: String,
    pub user: String,
    /// The signed-in account, if the platform is the browser preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<UserId>,
}

/// Where a message was written or is to be posted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub kind: PlaceKind,
    pub conversation: String,
    /// The id of the thread, which is the id of its first message.
    pub thread: String,
    /// The id of the message.
    pub message: String,
    /// True if the platform reports people from outside the organization in the conversation.
    #[serde(default)]
    pub outsiders: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// A direct message between one person and the assistant.
    Direct,
    /// Any other conversation, including group messages.
    Shared,
}

/// A file attached to a turn, as described by the platform and not yet downloaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FileStub {
    /// The platform's id. Empty if it gave none.
    pub id: String,
    pub name: String,
    /// The declared size. Used only to refuse a file that is too large before its download.
    pub bytes: Option<u64>,
    pub declared_type: Option<String>,
    /// The download URL. It requires the installation's token.
    #[serde(rename = "address")]
    pub url: Option<String>,
    #[serde(rename = "standing")]
    pub availability: FileAvailability,
}

/// Whether a file can be downloaded from the platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileAvailability {
    /// It can be downloaded.
    #[default]
    #[serde(rename = "here")]
    Available,
    /// Its details have to be fetched from the platform first.
    #[serde(rename = "ask")]
    NeedsLookup,
    /// It is stored at another service.
    External,
    /// Deleted, or hidden by the platform.
    Gone,
    /// It is not a file but a part of the message that cannot be read, such as a picture or a chart.
    Unreadable,
}

/// The content of a message to post, before it is translated into a platform's format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Say {
    /// Plain text for notifications and for clients that cannot show the parts.
    pub text: String,
    pub parts: Vec<Part>,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Markdown (CommonMark with tables). Text from other sources is not escaped yet.
    Markdown(String),
    /// Small print below the text, such as sources and audience.
    Note(String),
    /// A button that opens a URL of this service.
    Link { label: String, url: String },
    /// Buttons that each send an [`Act`]. Permission is checked when a button is pressed.
    Buttons(Vec<Button>),
    /// Asks whether the answer was helpful. Sends [`Act::Feedback`].
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

/// What a button does. It only names things and grants nothing, because anyone in the conversation can forge a
/// button press.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Allows the assistant to answer in a shared conversation.
    Approve { conversation: String },
    /// Forbids it.
    Decline { conversation: String },
    /// Stops the run whose answer this delivery posts.
    Stop { delivery: DeliveryId },
    /// Tries a failed delivery again.
    Resend { delivery: DeliveryId },
    /// Asks the same question again in a shared conversation, under its rules. The conversation is chosen when the
    /// button is pressed.
    Share { delivery: DeliveryId },
    /// Records whether the answer was helpful.
    Feedback { delivery: DeliveryId, helpful: bool },
    /// Asks for a connection link.
    Connect,
    /// Removes the sender's own link.
    Disconnect,
}

impl Say {
    /// A message of one paragraph.
    pub fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            parts: vec![Part::Markdown(text.clone())],
            text,
        }
    }

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }
}

/// How a delivery is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryKind {
    /// The answer of a run, in the thread: a placeholder that is later replaced.
    Answer,
    /// A fixed reply in the thread. Everyone in the conversation may read it.
    Reply,
    /// A reason or hint that only the sender sees.
    Private,
    /// A one-time connection link, created when it is sent. Only the sender sees it.
    LinkPrompt,
    /// A direct message, even if the turn was in another conversation.
    Direct,
    /// Replaces an earlier message of the assistant, which the target's place identifies.
    Replace,
}

crate::text_enum!(DeliveryKind {
    Answer => "answer", Reply => "reply", Private => "private", LinkPrompt => "link_prompt", Direct => "direct",
    Replace => "replace",
});

/// How far a delivery has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    Pending,
    /// A post was started and its outcome is unknown. Look for it before posting again.
    Posting,
    /// The placeholder is posted.
    Placed,
    Delivered,
    /// Given up, with a reason that admins can see.
    Failed,
}

crate::text_enum!(DeliveryState {
    Pending => "pending", Posting => "posting", Placed => "placed", Delivered => "delivered", Failed => "failed",
});

/// The person and the place that a delivery is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    pub sender: Sender,
    pub place: Place,
}

/// A message to post, and how far it has come.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: DeliveryId,
    pub installation: InstallationId,
    /// The turn that it replies to.
    pub inbox: Option<InboxId>,
    pub kind: DeliveryKind,
    pub target: Target,
    /// None for an answer, which is read from its message, and for a link, which is created when it is sent.
    pub say: Option<Say>,
    /// The session message that is answered.
    pub message: Option<MessageId>,
    pub state: DeliveryState,
    /// The platform's id of the post.
    pub receipt: Option<String>,
    /// Set after a post timed out: since then a post of unknown outcome may still appear.
    pub uncertain_since: Option<DateTime<Utc>>,
}

/// A platform identity that is linked to an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Link {
    pub id: LinkId,
    pub user_id: UserId,
    pub created_at: DateTime<Utc>,
}

/// Whether the assistant may answer in a shared conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationState {
    /// Someone asked there, and no admin has decided yet.
    Requested,
    Approved,
    /// People from outside the organization joined, or the platform cannot rule it out.
    Suspended,
    Revoked,
}

crate::text_enum!(ConversationState {
    Requested => "requested", Approved => "approved", Suspended => "suspended", Revoked => "revoked",
});

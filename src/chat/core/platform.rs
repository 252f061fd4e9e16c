//! The interface between the chat core and a chat platform. Slack and the browser preview implement it.
//!
//! Every call names the installation it is for. A platform carries out calls and decides no rule of a chat.

use std::time::Duration;

use futures_core::future::BoxFuture;

use crate::analysis::engine::Remark;
use crate::assistants::model::{
    Assistant, FileStub, Installation, Place, PlatformKind, Prompt, Say, Sender, Target,
};
use crate::base::ids::DeliveryId;
use crate::files::model::Refusal;
use crate::services::Site;

pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Who a sender is, looked up at the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub status: SenderStatus,
    /// As the platform shows the person, for the connection page.
    pub name: String,
    pub team_name: String,
}

/// What a sender is in the workspace where the assistant is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderStatus {
    /// A full, active member. Only members are answered.
    Member,
    Bot,
    Guest,
    Deactivated,
    /// A member of another workspace, or not recognized.
    Outsider,
}

/// Why a call failed, by what to do next; with the platform's own error code for the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Rate limited.
    #[error("the platform asks to wait {}s", .0.as_secs())]
    Wait(Duration),
    /// It certainly did not happen; the same call may succeed later.
    #[error("the platform is unavailable: {0}")]
    Unavailable(String),
    /// It may have happened: check before repeating it.
    #[error("no reply from the platform: {0}")]
    Ambiguous(String),
    /// It may have happened or may still happen: a check right now may come too early.
    #[error("no reply from the platform in time: {0}")]
    Late(String),
    /// Not possible in this conversation; a direct message to the sender may be.
    #[error("not possible in this conversation: {1}")]
    NotHere(Obstacle, String),
    /// The content is too long or malformed for the platform; plain text may pass.
    #[error("the platform rejects the content: {0}")]
    ContentRejected(String),
    /// The message was deleted: a new post is needed.
    #[error("the message is gone: {0}")]
    Gone(String),
    /// The message exists but can no longer be changed.
    #[error("the message can no longer be changed: {0}")]
    NotEditable(String),
    /// The installation was revoked.
    #[error("the installation was revoked: {0}")]
    Disabled(String),
    /// The installation's token has expired and could not be renewed.
    #[error("the installation's token has expired: {0}")]
    TokenExpired(String),
    /// The installation was not granted this permission, by the platform's name for it.
    #[error("a permission is missing: {0}")]
    MissingPermission(String),
    /// The platform's administrators, or a setting of the app, do not allow it.
    #[error("the platform's administrators do not allow it: {0}")]
    Forbidden(String),
    /// The recipient is gone or cannot be seen.
    #[error("the recipient is gone or cannot be seen: {0}")]
    NoRecipient(String),
    /// It will never succeed.
    #[error("the platform rejects the call: {0}")]
    Rejected(String),
}

/// Why something cannot be posted where it belongs, so that the sender gets it in a direct message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The assistant is not, or no longer, in the conversation.
    NotMember,
    Archived,
    /// The conversation's rules.
    Restricted,
    /// The thread or message to reply to was deleted.
    ThreadGone,
    /// The sender, who alone was to see it, is not in the conversation.
    SenderLeft,
    /// The conversation is no longer approved.
    NotApproved,
    /// The platform's administrators do not allow it.
    Forbidden,
    /// It may have been posted already, and we cannot check.
    MaybePosted,
    /// The platform refuses without a reason.
    Rejected,
}

crate::text_enum!(Obstacle {
    NotMember => "not_member", Archived => "archived", Restricted => "restricted", ThreadGone => "thread_gone",
    SenderLeft => "sender_left", NotApproved => "not_approved", Forbidden => "barred", MaybePosted => "unsure",
    Rejected => "refused",
});

impl Failure {
    /// Why nothing is posted in a conversation whose approval ended after its turn was decided.
    pub fn not_approved() -> Self {
        let why = "the conversation is not approved any more";
        Self::NotHere(Obstacle::NotApproved, why.to_owned())
    }

    /// The obstacle in this conversation, if a direct message may still reach the sender.
    pub fn obstacle(&self) -> Option<Obstacle> {
        match self {
            Self::NotHere(obstacle, _) => Some(*obstacle),
            Self::Forbidden(_) => Some(Obstacle::Forbidden),
            Self::Rejected(_) => Some(Obstacle::Rejected),
            Self::Wait(_)
            | Self::Unavailable(_)
            | Self::Ambiguous(_)
            | Self::Late(_)
            | Self::ContentRejected(_)
            | Self::Gone(_)
            | Self::NotEditable(_)
            | Self::Disabled(_)
            | Self::TokenExpired(_)
            | Self::MissingPermission(_)
            | Self::NoRecipient(_) => None,
        }
    }

    /// Whether the call certainly had no effect and may simply be repeated later.
    pub fn had_no_effect(&self) -> bool {
        matches!(self, Self::Wait(_) | Self::Unavailable(_))
    }

    /// Whether the call may have had its effect.
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, Self::Ambiguous(_) | Self::Late(_))
    }
}

/// A text as the platform's messages, in order, and the files that follow them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages {
    /// At least one.
    pub messages: Vec<Say>,
    pub files: Vec<OutgoingFile>,
}

/// A file to be posted in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingFile {
    pub name: String,
    pub bytes: Vec<u8>,
    /// What is posted where the file cannot be.
    pub fallback: Say,
}

/// A file that was fetched from a platform, or why it was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedFile {
    /// What the platform says about it now, which may be more than the event said.
    pub stub: FileStub,
    pub content: Result<Vec<u8>, Refusal>,
}

impl FetchedFile {
    pub const fn refused(stub: FileStub, refusal: Refusal) -> Self {
        Self {
            stub,
            content: Err(refusal),
        }
    }
}

/// The result of looking for a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupResult {
    /// It exists: the platform's id of it.
    Found(String),
    /// It does not exist.
    Absent,
    /// The installation may not read the conversation, or it is too long.
    Unreadable,
}

/// Who can read a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Only people of the workspace.
    Own,
    /// Also people of other workspaces of the organization, now or soon.
    Workspaces,
    /// Also people from outside the organization, now or soon.
    Outside,
}

/// A post of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// The identifier that it carries.
    pub id: DeliveryId,
    /// The platform's id of it. Later ones sort later.
    pub receipt: String,
}

/// What an administrator installs an assistant with at a platform: a manifest or a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
    /// The platform's page that creates the app from it.
    pub create_url: Option<String>,
}

/// One chat platform.
pub trait Platform: Send + Sync {
    fn kind(&self) -> PlatformKind;

    /// What an administrator installs the assistant with; none where nothing has to be installed.
    fn package(&self, _: &Installation, _: &Assistant, _: &Site) -> Option<Package> {
        None
    }

    /// Looks the sender up. Callers treat a failure as "not allowed".
    fn identify<'a>(&'a self, at: &'a Installation, sender: &'a Sender) -> BoxFuture<'a, Result<Identity>>;

    /// Who is, or may soon be, in the conversation.
    fn audience<'a>(&'a self, at: &'a Installation, place: &'a Place) -> BoxFuture<'a, Result<Audience>>;

    /// Whether the assistant itself is in the conversation.
    fn assistant_is_in<'a>(&'a self, _: &'a Installation, _: &'a Place) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(true) })
    }

    /// Whether the sender is in the conversation now.
    fn sender_is_in<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Place,
        _: &'a Sender,
    ) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Shows what the assistant is doing, or with none removes that status. A failure is harmless.
    fn show_status<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        status: Option<&'a str>,
    ) -> BoxFuture<'a, Result<()>>;

    /// Posts in the target's thread. The post carries `id`, so that [`find_post`](Platform::find_post) recognizes
    /// it. Returns the platform's id of the post.
    fn post<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<String>>;

    /// Looks for the post that carries `id`.
    fn find_post<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
    ) -> BoxFuture<'a, Result<LookupResult>>;

    /// Replaces the content of a post. Repeatable.
    fn update<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        receipt: &'a str,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>>;

    /// Deletes a post.
    fn delete<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Target,
        _receipt: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Err(Failure::Rejected("nothing can be deleted here".to_owned())) })
    }

    /// All our posts in the target's thread, oldest first; none where we may not read it.
    fn our_posts<'a>(&'a self, _: &'a Installation, _: &'a Target) -> BoxFuture<'a, Result<Vec<Post>>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Posts in the conversation so that only the sender sees it. Such a post cannot be found again.
    fn post_ephemeral<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>>;

    /// Opens the direct conversation with the target's sender, and returns it as a target.
    fn open_direct<'a>(&'a self, at: &'a Installation, target: &'a Target) -> BoxFuture<'a, Result<Target>>;

    /// Splits a text into messages that each fit. Always the same way.
    fn paginate(&self, say: &Say) -> Pages {
        Pages {
            messages: vec![say.clone()],
            files: Vec::new(),
        }
    }

    /// Whether files can be posted.
    fn supports_files(&self) -> bool {
        false
    }

    /// Uploads a file without showing it to anyone yet. Returns the platform's id of it.
    fn upload_file<'a>(&'a self, _: &'a Installation, _: &'a OutgoingFile) -> BoxFuture<'a, Result<String>> {
        Box::pin(async { Err(Failure::Rejected("no files can be shown here".to_owned())) })
    }

    /// Posts an uploaded file in the target's thread.
    fn share_file<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Target,
        _id: &'a str,
        _name: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Err(Failure::Rejected("no files can be shown here".to_owned())) })
    }

    /// Whether an uploaded file is posted somewhere.
    fn is_file_shared<'a>(&'a self, _: &'a Installation, _id: &'a str) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Downloads a file of a turn: at most `max_bytes`, and one byte more where it is longer.
    fn fetch_file<'a>(
        &'a self,
        _: &'a Installation,
        stub: &'a FileStub,
        _max_bytes: u64,
    ) -> BoxFuture<'a, Result<FetchedFile>> {
        Box::pin(async { Ok(FetchedFile::refused(stub.clone(), Refusal::NoAccess)) })
    }

    /// What was said in the place's thread before its message, oldest first: by people and by this assistant, not
    /// by other apps. At most the last `limit` remarks.
    fn thread_before<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Place,
        _limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Remark>>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Shows the assistant's home page to a person, where the platform has one. A failure is harmless.
    fn show_home<'a>(&'a self, _: &'a Installation, _: &'a Sender, _: &'a Say) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Suggests questions in the conversation with a person. A failure is harmless.
    fn suggest_prompts<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Place,
        _: &'a [Prompt],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// The conversation's name, if it is known.
    fn conversation_name<'a>(&'a self, _: &'a Installation, _: &'a Place) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { None })
    }
}

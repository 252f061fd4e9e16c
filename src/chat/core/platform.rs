//! What the chat core asks of a platform. Slack and the browser preview are the two there are.
//!
//! Every call is addressed by an installation; none decides a rule.

use std::time::Duration;

use futures_core::future::BoxFuture;

use crate::analysis::engine::Remark;
use crate::assistants::model::{FileStub, Installation, Place, PlatformKind, Prompt, Say, Sender, Target};
use crate::base::ids::DeliveryId;
use crate::files::model::Refusal;

pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Who a sender is, looked up at the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub standing: Standing,
    /// As the platform shows the person, for the connection page.
    pub name: String,
    pub team_name: String,
}

/// Whether a sender may speak to an assistant at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A full, active member of the installed workspace.
    Teammate,
    Bot,
    Guest,
    Deactivated,
    /// Of another workspace, or not recognized.
    Stranger,
}

/// Why a call did not do what it should: what to do next, with the platform's own word for the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Asked to slow down.
    #[error("the platform asks to wait {}s", .0.as_secs())]
    Wait(Duration),
    /// It certainly did not happen; the same call may succeed later.
    #[error("the platform is away: {0}")]
    Away(String),
    /// It may have happened: look before doing it again.
    #[error("no reply from the platform: {0}")]
    Ambiguous(String),
    /// As that, and it may still happen: a look right after may not see it yet.
    #[error("no reply from the platform in time: {0}")]
    Late(String),
    /// Not possible in this place; a direct message to the sender may be.
    #[error("not possible in this place: {1}")]
    Elsewhere(Obstacle, String),
    /// What was sent is too long or malformed for the platform; a plain text may pass.
    #[error("the platform does not take this content: {0}")]
    Content(String),
    /// The placeholder is gone: a new post is needed.
    #[error("the message is gone: {0}")]
    Gone(String),
    /// The message stands but can no longer be changed.
    #[error("the message cannot be changed any more: {0}")]
    Fixed(String),
    /// The installation lost its rights.
    #[error("the installation has no rights any more: {0}")]
    Disabled(String),
    /// The installation's token is worn out, and could not be renewed.
    #[error("the installation's token has expired: {0}")]
    Expired(String),
    /// A right that the installation was not granted, by the platform's name for it.
    #[error("a right is missing: {0}")]
    MissingRight(String),
    /// The platform's administrators, or a setting of the app, do not allow it.
    #[error("the platform's administrators do not allow it: {0}")]
    Barred(String),
    /// Whom it is for is not there any more, or cannot be seen.
    #[error("nobody is there to hear it: {0}")]
    Nobody(String),
    /// It will never work.
    #[error("the platform refuses: {0}")]
    Refused(String),
}

/// What keeps something from being said in its place, so that its sender is told directly instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The assistant is not in the conversation, or not any more.
    NotMember,
    Archived,
    /// The conversation's rules.
    Restricted,
    /// The thread or message that would be answered is not there any more.
    ThreadGone,
    /// The sender is not in the conversation, where only the sender was to see it.
    SenderLeft,
    /// The conversation is not approved any more.
    NotApproved,
    /// The platform's administrators do not allow it.
    Barred,
    /// It may stand there already, and nobody can look.
    Unsure,
    /// The platform refuses, and does not say more.
    Refused,
}

crate::text_enum!(Obstacle {
    NotMember => "not_member", Archived => "archived", Restricted => "restricted", ThreadGone => "thread_gone",
    SenderLeft => "sender_left", NotApproved => "not_approved", Barred => "barred", Unsure => "unsure",
    Refused => "refused",
});

impl Failure {
    /// Why nothing is said in a conversation that was closed since its turn was decided.
    pub fn closed() -> Self {
        let why = "the conversation is not approved any more";
        Self::Elsewhere(Obstacle::NotApproved, why.to_owned())
    }

    /// What stands in the way in this place, if a direct message may still reach the sender.
    pub fn obstacle(&self) -> Option<Obstacle> {
        match self {
            Self::Elsewhere(obstacle, _) => Some(*obstacle),
            Self::Barred(_) => Some(Obstacle::Barred),
            Self::Refused(_) => Some(Obstacle::Refused),
            Self::Wait(_)
            | Self::Away(_)
            | Self::Ambiguous(_)
            | Self::Late(_)
            | Self::Content(_)
            | Self::Gone(_)
            | Self::Fixed(_)
            | Self::Disabled(_)
            | Self::Expired(_)
            | Self::MissingRight(_)
            | Self::Nobody(_) => None,
        }
    }
}

/// A saying as a platform's messages, in order, and the files that follow them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages {
    /// At least one.
    pub messages: Vec<Say>,
    pub files: Vec<OutFile>,
}

/// A file to be shown in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutFile {
    pub name: String,
    pub bytes: Vec<u8>,
    /// What is said where it cannot be shown.
    pub instead: Say,
}

/// A file that a platform was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// What the platform says of it now; it may say more than when it announced it.
    pub stub: FileStub,
    pub content: Result<Vec<u8>, Refusal>,
}

impl Fetched {
    pub const fn refused(stub: FileStub, refusal: Refusal) -> Self {
        Self {
            stub,
            content: Err(refusal),
        }
    }
}

/// What a look for a post brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupResult {
    /// It was made: the platform's id of it.
    Found(String),
    /// It was not made.
    Absent,
    /// The installation may not read there.
    Unreadable,
}

/// Who reads a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// People of the workspace alone.
    Own,
    /// People of other workspaces of the organization too, or soon.
    Workspaces,
    /// People from outside the organization too, or soon.
    Outside,
}

/// A post of ours that stands in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// What it bears.
    pub id: DeliveryId,
    /// The platform's id of it. Later ones sort later.
    pub receipt: String,
}

/// One chat platform.
pub trait Platform: Send + Sync {
    fn kind(&self) -> PlatformKind;

    /// Looks the sender up. Callers treat a failure as "not allowed".
    fn identify<'a>(&'a self, at: &'a Installation, sender: &'a Sender) -> BoxFuture<'a, Result<Identity>>;

    /// Who is, or may soon be, in the conversation.
    fn audience<'a>(&'a self, at: &'a Installation, place: &'a Place) -> BoxFuture<'a, Result<Audience>>;

    /// Whether the assistant itself is in the conversation.
    fn is_in<'a>(&'a self, _: &'a Installation, _: &'a Place) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(true) })
    }

    /// Shows that work is under way, or, with nothing, no more. Failing is harmless.
    fn progress<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        doing: Option<&'a str>,
    ) -> BoxFuture<'a, Result<()>>;

    /// Posts in the target's thread, bearing `id` so that [`find`](Platform::find) can recognize it.
    /// Answers the platform's id of the post.
    fn post<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<String>>;

    /// The post that bears `id`, if it was made.
    fn find<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        id: DeliveryId,
    ) -> BoxFuture<'a, Result<LookupResult>>;

    /// Replaces what a post says. Repeatable.
    fn update<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        receipt: &'a str,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>>;

    /// Takes a post away.
    fn remove<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Target,
        _receipt: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Err(Failure::Refused("nothing can be taken away here".to_owned())) })
    }

    /// All posts that bear an identifier, in the order in which they stand; none where nobody may look.
    fn standing<'a>(&'a self, _: &'a Installation, _: &'a Target) -> BoxFuture<'a, Result<Vec<Post>>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Says it so that only the sender sees it, in the place itself. Not recognizable later.
    fn whisper<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>>;

    /// The saying as messages of which each fits, the same ones every time.
    fn pages(&self, say: &Say) -> Pages {
        Pages {
            messages: vec![say.clone()],
            files: Vec::new(),
        }
    }

    /// Whether files can be shown there.
    fn shows_files(&self) -> bool {
        false
    }

    /// Brings a file to the platform, where nobody sees it yet. Answers the platform's id of it.
    fn upload<'a>(&'a self, _: &'a Installation, _: &'a OutFile) -> BoxFuture<'a, Result<String>> {
        Box::pin(async { Err(Failure::Refused("no files can be shown here".to_owned())) })
    }

    /// Shows an uploaded file in the target's thread.
    fn share<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Target,
        _id: &'a str,
        _name: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Err(Failure::Refused("no files can be shown here".to_owned())) })
    }

    /// Whether an uploaded file is shown.
    fn is_shared<'a>(&'a self, _: &'a Installation, _id: &'a str) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// The bytes of a file that came with a turn: at most `most`, and one byte more where there are more.
    fn fetch<'a>(
        &'a self,
        _: &'a Installation,
        stub: &'a FileStub,
        _most: u64,
    ) -> BoxFuture<'a, Result<Fetched>> {
        Box::pin(async { Ok(Fetched::refused(stub.clone(), Refusal::NoAccess)) })
    }

    /// Where a direct message to the target's sender goes: a target whose place is that conversation.
    fn direct<'a>(&'a self, at: &'a Installation, target: &'a Target) -> BoxFuture<'a, Result<Target>>;

    /// Whether the sender is in the conversation now.
    fn has_member<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Place,
        _: &'a Sender,
    ) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// What was said in the place's thread before its message, oldest first: by people, and by this
    /// assistant; of no other machine. At most the last `most`.
    fn said_before<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Place,
        _most: usize,
    ) -> BoxFuture<'a, Result<Vec<Remark>>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Shows the assistant's own page to a person, where the platform has one. Failing is harmless.
    fn show_home<'a>(&'a self, _: &'a Installation, _: &'a Sender, _: &'a Say) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Offers questions in the conversation with a person. Failing is harmless.
    fn suggest<'a>(
        &'a self,
        _: &'a Installation,
        _: &'a Place,
        _: &'a [Prompt],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// What people call the conversation, if that is known. Failing is harmless.
    fn place_name<'a>(&'a self, _: &'a Installation, _: &'a Place) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { None })
    }
}

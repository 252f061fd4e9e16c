//! What the chat core asks of a platform. Slack and the browser preview are the two there are.
//!
//! Every call is addressed by an installation; none decides a rule.

use std::time::Duration;

use futures_core::future::BoxFuture;

use crate::assistants::model::{Installation, Place, PlatformKind, Say, Sender, Target};
use crate::base::ids::DeliveryId;

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
    /// Not possible in this place; a direct message to the sender may be.
    #[error("not possible in this place: {0}")]
    Elsewhere(String),
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
    /// It will never work.
    #[error("the platform refuses: {0}")]
    Refused(String),
}

/// One chat platform.
pub trait Platform: Send + Sync {
    fn kind(&self) -> PlatformKind;

    /// Looks the sender up. Callers treat a failure as "not allowed".
    fn identify<'a>(&'a self, at: &'a Installation, sender: &'a Sender) -> BoxFuture<'a, Result<Identity>>;

    /// True if people from outside the organization are, or may soon be, in the conversation.
    fn has_outsiders<'a>(&'a self, at: &'a Installation, place: &'a Place) -> BoxFuture<'a, Result<bool>>;

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
    ) -> BoxFuture<'a, Result<Option<String>>>;

    /// Replaces what a post says. Repeatable.
    fn update<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        receipt: &'a str,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>>;

    /// Says it so that only the sender sees it, in the place itself. Not recognizable later.
    fn whisper<'a>(
        &'a self,
        at: &'a Installation,
        target: &'a Target,
        say: &'a Say,
    ) -> BoxFuture<'a, Result<()>>;

    /// Where a direct message to the target's sender goes: a target whose place is that conversation.
    fn direct<'a>(&'a self, at: &'a Installation, target: &'a Target) -> BoxFuture<'a, Result<Target>>;
}

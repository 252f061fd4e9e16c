//! The platform's status that the assistant is working, shown while an analysis runs or files are fetched. Only a
//! convenience: a failure here does not affect the answer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use crate::assistants::model::{Installation, Target};
use crate::base::ids::MessageId;
use crate::chat::core::chat::Chat;
use crate::chat::core::platform::Failure;
use crate::sessions::model::{Message, Status};

/// Answers that arrive sooner show no status: it would only flicker.
const SHOW_AFTER: Duration = Duration::from_millis(700);
/// Platforms remove the status after two minutes.
const SHOW_AGAIN_AFTER: Duration = Duration::from_secs(90);
/// How long a status stays before the next step of the analysis is shown.
const SHOW_NEWS_AFTER: Duration = Duration::from_secs(3);
/// How often to check whether the analysis has ended.
const POLL: Duration = Duration::from_secs(1);
/// Longest that a call may take: it must never delay an answer.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Longest wait before a second attempt to remove the status.
const MAX_RETRY_WAIT: Duration = Duration::from_secs(30);

const WORKING: &str = "is working on it…";
const FETCHING: &str = "is fetching your files…";

/// Shows the status in the background until the analysis ends.
pub(super) fn show_while_running(chat: &Chat, at: &Installation, target: Target, message: MessageId) {
    let (chat, at) = (chat.clone(), at.clone());
    tokio::spawn(async move {
        let mut pause = SHOW_AFTER;
        let mut since_shown = SHOW_AGAIN_AFTER;
        let mut shown = WORKING.to_owned();
        loop {
            tokio::time::sleep(pause).await;
            since_shown += pause;
            pause = POLL;
            match chat.services.sessions.message(at.org, message).await {
                Ok(message) if message.status == Status::Processing => {}
                _ => break,
            }
            let words = chat.services.sessions.progress(at.org, message).await;
            let words = words
                .ok()
                .flatten()
                .map_or(WORKING.to_owned(), |doing| format!("is {doing}…"));
            let is_new = words != shown && since_shown >= SHOW_NEWS_AFTER;
            if since_shown >= SHOW_AGAIN_AFTER || is_new {
                since_shown = Duration::ZERO;
                show_status(&chat, &at, &target, Some(&words)).await;
                shown = words;
                // Where it ended meanwhile, its delivery removed the status before it was shown.
                let now = chat.services.sessions.message(at.org, message).await;
                if now.is_ok_and(|message| message.status != Status::Processing) {
                    show_status(&chat, &at, &target, None).await;
                    break;
                }
            }
        }
    });
}

/// Shows that files are being fetched, as long as it is polled, if that takes a while. Sets `shown` where there is a
/// status to remove.
pub(super) async fn show_fetching(
    chat: &Chat,
    at: &Installation,
    target: &Target,
    shown: &mut bool,
) -> Infallible {
    tokio::time::sleep(SHOW_AFTER).await;
    loop {
        *shown = true;
        show_status(chat, at, target, Some(FETCHING)).await;
        tokio::time::sleep(SHOW_AGAIN_AFTER).await;
    }
}

/// Removes the status in the background, where the analysis took long enough to show one.
pub(super) fn remove_after(chat: &Chat, at: &Installation, target: &Target, message: &Message) {
    let ended = message.finished_at.unwrap_or(message.created_at);
    let took = (ended - message.created_at).to_std().unwrap_or_default();
    if took >= SHOW_AFTER / 2 {
        remove(chat, at, target);
    }
}

/// Removes the status in the background, with a second attempt where the platform asks for a short wait.
pub(super) fn remove(chat: &Chat, at: &Installation, target: &Target) {
    let (chat, at, target) = (chat.clone(), at.clone(), target.clone());
    tokio::spawn(async move {
        let wait = show_status(&chat, &at, &target, None).await;
        if let Some(wait) = wait.filter(|wait| *wait <= MAX_RETRY_WAIT) {
            tokio::time::sleep(wait).await;
            show_status(&chat, &at, &target, None).await;
        }
    });
}

/// Shows a status, or removes it. Returns how long the platform asks to wait, if it does.
pub(super) async fn show_status(
    chat: &Chat,
    at: &Installation,
    target: &Target,
    status: Option<&str>,
) -> Option<Duration> {
    let platform = chat.platform(at.kind()).map(Arc::clone).ok()?;
    let showing = platform.show_status(at, target, status);
    let failure = tokio::time::timeout(TIMEOUT, showing).await.ok()?.err()?;
    tracing::debug!(installation = %at.id, error = %failure, "a status could not be shown");
    match failure {
        Failure::Wait(wait) => Some(wait),
        _ => None,
    }
}

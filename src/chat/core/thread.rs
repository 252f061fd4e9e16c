//! What was said before in the thread of a shared conversation, as context for the analysis that answers there.
//!
//! Everyone in the conversation can read it, so an answer to everyone may use it. Direct conversations are not read:
//! what was said in private stays there.

use std::time::Duration;

use crate::analysis::engine::Remark;
use crate::assistants::model::{Installation, PlaceKind, Turn};
use crate::base::text::shortened;
use crate::chat::core::chat::Chat;

/// Most remarks, the most characters of each, and the most of all.
const MAX_REMARKS: usize = 20;
const MAX_REMARK: usize = 1_000;
const MAX_TEXT: usize = 8_000;
/// An answer without the thread is better than a late one.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Nothing where the question starts its thread, or where the platform does not show it.
pub(super) async fn thread_before(chat: &Chat, at: &Installation, turn: &Turn) -> Vec<Remark> {
    let place = &turn.place;
    if place.kind == PlaceKind::Direct || place.thread.is_empty() || place.thread == place.message {
        return Vec::new();
    }
    let Ok(platform) = chat.platform(at.kind()) else {
        return Vec::new();
    };
    match tokio::time::timeout(TIMEOUT, platform.thread_before(at, place, MAX_REMARKS)).await {
        Ok(Ok(remarks)) => bounded(remarks),
        Ok(Err(failure)) => {
            tracing::debug!(installation = %at.id, %failure, "a thread could not be read");
            Vec::new()
        }
        Err(_) => Vec::new(),
    }
}

/// The newest remarks that fit, oldest first.
fn bounded(remarks: Vec<Remark>) -> Vec<Remark> {
    let mut room = MAX_TEXT;
    let mut kept: Vec<Remark> = remarks
        .into_iter()
        .rev()
        .take(MAX_REMARKS)
        .map(|remark| Remark {
            text: shortened(&remark.text.replace('\0', " "), MAX_REMARK),
            ..remark
        })
        .take_while(|remark| {
            let left = room.checked_sub(remark.text.chars().count());
            room = left.unwrap_or(0);
            left.is_some()
        })
        .collect();
    kept.reverse();
    kept
}

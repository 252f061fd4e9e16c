//! What was said before in the thread of a shared conversation, for the run that answers there.
//!
//! Everyone in the conversation can read it, so it may serve an answer to everyone. Of a direct
//! conversation nothing is read: what was said in private stays there.

use std::time::Duration;

use crate::analysis::engine::Remark;
use crate::assistants::model::{Installation, PlaceKind, Turn};
use crate::base::text::shortened;
use crate::chat::core::chat::Chat;

/// Most remarks, the longest part of one, and the most text of all.
const REMARKS: usize = 20;
const REMARK: usize = 1_000;
const ALL: usize = 8_000;
/// An answer without what was said before is better than none for long.
const PATIENCE: Duration = Duration::from_secs(5);

impl Chat {
    /// Nothing where the question opens its thread, or where the platform does not tell.
    pub(super) async fn said_before(&self, at: &Installation, turn: &Turn) -> Vec<Remark> {
        let place = &turn.place;
        if place.kind == PlaceKind::Direct || place.thread.is_empty() || place.thread == place.message {
            return Vec::new();
        }
        let Ok(platform) = self.platform(at.kind()) else {
            return Vec::new();
        };
        match tokio::time::timeout(PATIENCE, platform.said_before(at, place, REMARKS)).await {
            Ok(Ok(remarks)) => bounded(remarks),
            Ok(Err(failure)) => {
                tracing::debug!(installation = %at.id, %failure, "a thread could not be read");
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }
}

/// The newest, as many as there is room for, oldest first.
fn bounded(remarks: Vec<Remark>) -> Vec<Remark> {
    let mut room = ALL;
    let mut kept: Vec<Remark> = remarks
        .into_iter()
        .rev()
        .take(REMARKS)
        .map(|remark| Remark {
            text: shortened(&remark.text.replace('\0', " "), REMARK),
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

//! Stopping running analyses: by a button, by a word, by the platform's own Stop, or because the question was
//! deleted.
//!
//! Only the person who asked, or an administrator, may stop one. Where the analysis ends at the same time, the first
//! commit wins.

use serde_json::json;

use crate::accounts::model::Membership;
use crate::analysis::service::Stop;
use crate::assistants::model::{Installation, Place, PlaceKind};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::ids::{InstallationId, OrgId, UserId};
use crate::db::tx::Tx;
use crate::services::Services;
use crate::sessions::model::Message;

/// The session of a place: one for everyone in a shared conversation, one for each person elsewhere.
pub(super) fn session_origin(at: InstallationId, place: &Place, user: UserId) -> String {
    let thread = format!("{}{}/", conversation(at, place), place.thread);
    match place.kind {
        PlaceKind::Direct => format!("{thread}{user}"),
        PlaceKind::Shared => thread,
    }
}

fn conversation(at: InstallationId, place: &Place) -> String {
    format!("chat/{at}/{}/", place.conversation)
}

/// The sessions that a written "stop" refers to: in a direct conversation all of them, because every message there
/// starts a thread.
pub(super) fn stop_scope(at: InstallationId, place: &Place, user: UserId) -> String {
    match place.kind {
        PlaceKind::Direct => conversation(at, place),
        PlaceKind::Shared => session_origin(at, place, user),
    }
}

/// Only the exact words: a question about a stop-loss is a question.
pub(super) fn wants_to_stop(text: &str) -> bool {
    let words: Vec<String> = crate::base::text::words(text).take(4).collect();
    let text = words.join(" ");
    [
        "stop",
        "cancel",
        "stop it",
        "cancel it",
        "stop that",
        "please stop",
        "stop please",
    ]
    .contains(&text.as_str())
}

/// The running analyses of the sessions `within` that a person may stop: their own, or for an administrator without
/// any, everyone's.
pub(super) async fn stoppable(
    services: &Services,
    at: &Installation,
    member: &Membership,
    within: &str,
) -> Result<Vec<Message>> {
    let running = services.sessions.processing(at.org, within).await?;
    let own: Vec<Message> = running
        .iter()
        .filter(|message| message.user_id == member.user_id)
        .cloned()
        .collect();
    Ok(if own.is_empty() && member.role.is_admin() {
        running
    } else {
        own
    })
}

/// Stops each analysis that still runs, in the caller's transaction. Returns whether one did.
pub(super) async fn stop_all(
    services: &Services,
    tx: &mut Tx,
    actor: Actor,
    org: OrgId,
    messages: &[Message],
    why: Stop,
) -> Result<bool> {
    let mut stopped = false;
    for message in messages {
        if services.analysis.stop_in(tx, org, message, why).await? {
            stopped = true;
            let details = json!({ "because": why.code(), "run": message.run_id });
            audit::add(tx, org, actor, "run.stopped", &message.id.to_string(), details).await?;
        }
    }
    Ok(stopped)
}

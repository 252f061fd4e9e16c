//! Stopping what is under way: by a button, by a word, by the platform's own Stop, or because the
//! question was deleted.
//!
//! Only whoever asked, or an admin, may. Who commits first, the run or the stop, has decided.

use serde_json::json;

use crate::accounts::model::Membership;
use crate::analysis::service::Stop;
use crate::assistants::model::{Installation, Place, PlaceKind};
use crate::audit::store::{self as audit, Actor};
use crate::base::error::Result;
use crate::base::ids::{InstallationId, OrgId, UserId};
use crate::chat::core::chat::Chat;
use crate::db::tx::Tx;
use crate::services::Services;
use crate::sessions::model::Message;

/// The session of a place: everyone's where it is shared, the person's own where it is not.
pub(super) fn origin(at: InstallationId, place: &Place, user: UserId) -> String {
    let thread = format!("{}{}/", conversation(at, place), place.thread);
    match place.kind {
        PlaceKind::Direct => format!("{thread}{user}"),
        PlaceKind::Shared => thread,
    }
}

fn conversation(at: InstallationId, place: &Place) -> String {
    format!("chat/{at}/{}/", place.conversation)
}

/// Where the word is looked for: a direct conversation is searched as a whole, because every message there
/// opens a thread.
pub(super) fn around(at: InstallationId, place: &Place, user: UserId) -> String {
    match place.kind {
        PlaceKind::Direct => conversation(at, place),
        PlaceKind::Shared => origin(at, place, user),
    }
}

/// Exactly the words for it: a question about a stop-loss is a question.
pub(super) fn wants_to_stop(said: &str) -> bool {
    let words: Vec<String> = crate::base::text::words(said).take(4).collect();
    let said = words.join(" ");
    [
        "stop",
        "cancel",
        "stop it",
        "cancel it",
        "stop that",
        "please stop",
        "stop please",
    ]
    .contains(&said.as_str())
}

impl Chat {
    /// What is under way in the sessions `within` that the person may stop: one's own, or, for an admin
    /// where none is, everybody's.
    pub(super) async fn stoppable(
        &self,
        at: &Installation,
        member: &Membership,
        within: &str,
    ) -> Result<Vec<Message>> {
        let running = self.services.sessions.processing(at.org, within).await?;
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
}

/// Stops each that still runs, in the caller's transaction; answers whether one did.
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

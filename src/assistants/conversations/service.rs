//! Shared conversations: asked for, approved, suspended, revoked, with the buildings that are kept for
//! them until there is portfolio data.
//!
//! Knows no platform: a conversation is the id that the platform gives it. Who may decide is the
//! caller's to check.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::assistants::conversations::store::{self, Behind};
use crate::assistants::model::{ConversationState, Installation, Sender};
use crate::assistants::paging::{Page, wrong_cursor};
use crate::assistants::records::Conversation;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{InstallationId, OrgId};
use crate::base::text;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// Most buildings of a set, and the longest id of one.
pub const BUILDINGS: usize = 500;
const BUILDING_ID: usize = 100;

#[derive(Clone)]
pub struct Conversations {
    pub(super) db: Db,
}

impl Conversations {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Notes that somebody asked for an answer where none is allowed; true the first time. An earlier
    /// decision stands. `by` is the platform's id of the person.
    pub async fn request(
        &self,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        title: &str,
        by: &str,
    ) -> Result<bool> {
        let (conversation, title, by) = requested(conversation, title, by)?;
        let requested = self.db.write(move |tx| {
            let (conversation, title, by) = (conversation.clone(), title.clone(), by.clone());
            Box::pin(async move { store::request(tx, org, at, &conversation, &title, &by).await })
        });
        requested.await
    }

    /// Decides on a shared conversation. It keeps its title, who asked, and its buildings.
    pub async fn decide(
        &self,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        state: ConversationState,
    ) -> Result<()> {
        let conversation = text::name("conversation", conversation, 200)?;
        let decided = self.db.write(move |tx| {
            let conversation = conversation.clone();
            Box::pin(async move {
                store::decide(tx, org, at, &conversation, state, actor.user).await?;
                // Told or not, what they waited for is decided.
                store::take_askers(tx, org, at, &conversation).await?;
                let details = json!({ "installation": at, "state": state.as_str() });
                audit::add(tx, org, actor, "conversation.decided", &conversation, details).await
            })
        });
        decided.await
    }

    /// As [`decide`](Self::decide), in the caller's transaction, of a conversation
    /// that waits for a decision: answers who wants to hear of it. Nothing, and nothing is written, where
    /// it was decided before.
    pub async fn decide_open(
        &self,
        tx: &mut Tx,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        state: ConversationState,
    ) -> Result<Option<Vec<Sender>>> {
        if !store::decide_open(tx, org, at, conversation, state, actor.user).await? {
            return Ok(None);
        }
        let details = json!({ "installation": at, "state": state.as_str() });
        audit::add(tx, org, actor, "conversation.decided", conversation, details).await?;
        store::take_askers(tx, org, at, conversation).await.map(Some)
    }

    /// Keeps who wants to hear of a decision, in the caller's transaction. Bounded; each of them once.
    pub async fn add_asker(
        &self,
        tx: &mut Tx,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        who: &Sender,
    ) -> Result<()> {
        store::add_asker(tx, org, at, conversation, who).await
    }

    /// As [`request`](Self::request), in the caller's transaction.
    pub async fn request_in(
        &self,
        tx: &mut Tx,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        title: &str,
        by: &str,
    ) -> Result<bool> {
        let (conversation, title, by) = requested(conversation, title, by)?;
        store::request(tx, org, at, &conversation, &title, &by).await
    }

    /// Suspends an approved conversation, with the reason shown to admins; false where it was not
    /// approved, which stays as it is.
    pub async fn suspend(
        &self,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        reason: &str,
    ) -> Result<bool> {
        let conversation = text::name("conversation", conversation, 200)?;
        let reason = text::name("reason", reason, 200)?;
        let suspended = self.db.write(move |tx| {
            let (conversation, reason) = (conversation.clone(), reason.clone());
            Box::pin(async move {
                let was = store::suspend(tx, org, at, &conversation, &reason, actor.user).await?;
                if was {
                    let details = json!({ "installation": at, "state": "suspended", "reason": reason });
                    audit::add(tx, org, actor, "conversation.decided", &conversation, details).await?;
                }
                Ok(was)
            })
        });
        suspended.await
    }

    /// Sets the buildings of portfolio data for shared answers there, once there is such data: nothing
    /// reads the set yet. Nothing means all of the organization. An empty set is refused: it would be read
    /// as all by some and as none by others.
    pub async fn set_buildings(
        &self,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        buildings: Option<Vec<String>>,
    ) -> Result<()> {
        let conversation = conversation.to_owned();
        let buildings = buildings.map(building_set).transpose()?;
        let set = self.db.write(move |tx| {
            let (conversation, buildings) = (conversation.clone(), buildings.clone());
            Box::pin(async move {
                let known = store::set_buildings(tx, org, at, &conversation, buildings.as_deref()).await?;
                if !known {
                    return Err(Error::NotFound("conversation"));
                }
                let details = json!({ "installation": at, "buildings": buildings });
                audit::add(tx, org, actor, "conversation.buildings", &conversation, details).await
            })
        });
        set.await
    }

    /// The platform reports that at `when`, to the second, outsiders came into a conversation: an approval
    /// from before that is suspended. True if there was one.
    pub async fn outsiders_came(
        &self,
        at: &Installation,
        conversation: &str,
        reason: &str,
        when: DateTime<Utc>,
    ) -> Result<bool> {
        let (org, id) = (at.org, at.id);
        let (conversation, reason) = (conversation.to_owned(), reason.to_owned());
        let suspended = self.db.write(move |tx| {
            let (conversation, reason) = (conversation.clone(), reason.clone());
            Box::pin(async move {
                // An approval of the very second may be older: rather one approval too many to give.
                let before = when + TimeDelta::seconds(1);
                let suspended = store::suspend_before(tx, org, id, &conversation, &reason, before).await? > 0;
                if suspended {
                    let details = json!({ "installation": id, "because": reason });
                    audit::add(
                        tx,
                        org,
                        Actor::SYSTEM,
                        "conversation.suspended",
                        &conversation,
                        details,
                    )
                    .await?;
                }
                Ok(suspended)
            })
        });
        suspended.await
    }

    /// The outsiders are gone. That alone approves nothing: only the reason changes.
    pub async fn outsiders_left(&self, at: &Installation, conversation: &str, reason: &str) -> Result<()> {
        let (org, id) = (at.org, at.id);
        let (conversation, reason) = (conversation.to_owned(), reason.to_owned());
        let noted = self.db.write(move |tx| {
            let (conversation, reason) = (conversation.clone(), reason.clone());
            Box::pin(async move { store::explain(tx, org, id, &conversation, &reason).await })
        });
        noted.await
    }

    pub async fn state(
        &self,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
    ) -> Result<Option<ConversationState>> {
        store::state(self.db.read(), org, at, conversation).await
    }

    /// All that is known of a shared conversation.
    pub async fn find(
        &self,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
    ) -> Result<Option<Conversation>> {
        store::find(self.db.read(), org, at, conversation).await
    }

    /// How many of them are in a state.
    pub async fn count(&self, org: OrgId, at: InstallationId, state: ConversationState) -> Result<usize> {
        let count = store::count(self.db.read(), org, at, state).await?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// The shared conversations of an installation, those that wait for a decision first.
    pub async fn list(
        &self,
        org: OrgId,
        at: InstallationId,
        cursor: Option<&str>,
    ) -> Result<Page<Conversation>> {
        let behind = cursor.map(behind).transpose()?;
        let rows = store::list(self.db.read(), org, at, behind).await?;
        Ok(Page::of(rows, |last| {
            let when = last.decided_at.or(last.requested_at).unwrap_or_default();
            format!("{}~{}~{}", last.state, when.timestamp_micros(), last.conversation)
        }))
    }
}

fn behind(cursor: &str) -> Result<Behind> {
    let mut parts = cursor.splitn(3, '~');
    let mut part = || parts.next().ok_or_else(wrong_cursor);
    let state = part()?.parse().map_err(|_| wrong_cursor())?;
    let micros = part()?.parse().map_err(|_| wrong_cursor())?;
    Ok(Behind {
        state,
        when: DateTime::from_timestamp_micros(micros).ok_or_else(wrong_cursor)?,
        conversation: part()?.to_owned(),
    })
}

/// What is kept of a request: the conversation, its title in one line, who asked.
fn requested(conversation: &str, title: &str, by: &str) -> Result<(String, String, String)> {
    let one_line: String = title
        .chars()
        .map(|sign| if sign.is_control() { ' ' } else { sign })
        .collect();
    Ok((
        text::name("conversation", conversation, 200)?,
        text::shortened(one_line.trim(), 120),
        text::name("user", by, 200)?,
    ))
}

/// Trimmed, without repetitions, in the order given.
fn building_set(given: Vec<String>) -> Result<Vec<String>> {
    let mut set: Vec<String> = Vec::new();
    for id in given {
        let id = text::name("buildings", &id, BUILDING_ID)?;
        if !set.contains(&id) {
            set.push(id);
        }
    }
    match set.len() {
        0 => Err(Error::invalid(
            "buildings",
            "must name at least one building, or be all of them",
        )),
        few if few <= BUILDINGS => Ok(set),
        many => Err(Error::invalid(
            "buildings",
            format!("are {many}; at most {BUILDINGS} can be named"),
        )),
    }
}

//! Shared conversations: requested, approved, suspended or revoked, each with the buildings that its answers may use.
//!
//! Does not depend on a platform: a conversation is the id that the platform gives it. The caller checks who may
//! decide.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::assistants::conversations::store::{self, ListPosition};
use crate::assistants::model::{ConversationState, Installation, Sender};
use crate::assistants::paging::{Page, invalid_cursor};
use crate::assistants::records::Conversation;
use crate::audit::store::{self as audit, Actor};
use crate::base::error::{Error, Result};
use crate::base::ids::{InstallationId, OrgId};
use crate::base::text;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// Maximum number of buildings of a conversation.
pub const MAX_BUILDINGS: usize = 500;
/// Maximum length of a building's id.
const MAX_BUILDING_ID: usize = 100;

/// The shared conversations that assistants may answer in.
#[derive(Clone)]
pub struct Conversations {
    pub(super) db: Db,
}

impl Conversations {
    /// A service on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Records that someone asked in a conversation that is not approved. True the first time. An earlier decision
    /// remains. `by` is the platform's id of the person.
    pub async fn request(
        &self,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        title: &str,
        by: &str,
    ) -> Result<bool> {
        let (conversation, title, by) = checked_request(conversation, title, by)?;
        let requested = self.db.write(move |tx| {
            let (conversation, title, by) = (conversation.clone(), title.clone(), by.clone());
            Box::pin(async move { store::request(tx, org, at, &conversation, &title, &by).await })
        });
        requested.await
    }

    /// Decides on a shared conversation. Its title, its buildings and who asked are kept.
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
                // Clear the list of people to notify: the decision is made, even if no notification is sent.
                store::take_askers(tx, org, at, &conversation).await?;
                let details = json!({ "installation": at, "state": state.as_str() });
                audit::add(tx, org, actor, "conversation.decided", &conversation, details).await
            })
        });
        decided.await
    }

    /// Decides on a conversation that waits for a decision, in the caller's transaction. Returns the people who want to
    /// be notified. None, without a change, if it was already decided.
    pub async fn decide_if_pending(
        &self,
        tx: &mut Tx,
        actor: Actor,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
        state: ConversationState,
    ) -> Result<Option<Vec<Sender>>> {
        if !store::decide_if_pending(tx, org, at, conversation, state, actor.user).await? {
            return Ok(None);
        }
        let details = json!({ "installation": at, "state": state.as_str() });
        audit::add(tx, org, actor, "conversation.decided", conversation, details).await?;
        store::take_askers(tx, org, at, conversation).await.map(Some)
    }

    /// Adds a person to be notified of the decision, in the caller's transaction. Each person is added once, up to a
    /// maximum.
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
        let (conversation, title, by) = checked_request(conversation, title, by)?;
        store::request(tx, org, at, &conversation, &title, &by).await
    }

    /// Suspends an approved conversation; admins see the reason. False, without a change, if it was not approved.
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
                let suspended = store::suspend(tx, org, at, &conversation, &reason, actor.user).await?;
                if suspended {
                    let details = json!({ "installation": at, "state": "suspended", "reason": reason });
                    audit::add(tx, org, actor, "conversation.decided", &conversation, details).await?;
                }
                Ok(suspended)
            })
        });
        suspended.await
    }

    /// Sets the buildings whose data answers in the conversation may use, within what the asker may use. None means
    /// all buildings. An empty set is refused, because it could be read as all or as none.
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
                let found = store::set_buildings(tx, org, at, &conversation, buildings.as_deref()).await?;
                if !found {
                    return Err(Error::NotFound("conversation"));
                }
                let details = json!({ "installation": at, "buildings": buildings });
                audit::add(tx, org, actor, "conversation.buildings", &conversation, details).await
            })
        });
        set.await
    }

    /// Suspends an approval because the platform reports that people from outside the organization joined at `when`,
    /// accurate to the second. An approval given after that remains. True if one was suspended.
    pub async fn outsiders_joined(
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
                // An approval within that second may be older. To be safe, it has to be given again.
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

    /// Changes the reason of a suspension because the outsiders left. This does not approve the conversation again.
    pub async fn outsiders_left(&self, at: &Installation, conversation: &str, reason: &str) -> Result<()> {
        let (org, id) = (at.org, at.id);
        let (conversation, reason) = (conversation.to_owned(), reason.to_owned());
        let changed = self.db.write(move |tx| {
            let (conversation, reason) = (conversation.clone(), reason.clone());
            Box::pin(async move { store::set_reason(tx, org, id, &conversation, &reason).await })
        });
        changed.await
    }

    /// The state of a conversation. None if nobody asked there and no admin decided on it.
    pub async fn state(
        &self,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
    ) -> Result<Option<ConversationState>> {
        store::state(self.db.read(), org, at, conversation).await
    }

    /// The stored record of a conversation.
    pub async fn find(
        &self,
        org: OrgId,
        at: InstallationId,
        conversation: &str,
    ) -> Result<Option<Conversation>> {
        store::find(self.db.read(), org, at, conversation).await
    }

    /// Counts the conversations of an installation in a state.
    pub async fn count(&self, org: OrgId, at: InstallationId, state: ConversationState) -> Result<usize> {
        let count = store::count(self.db.read(), org, at, state).await?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// One page of an installation's shared conversations. Those that wait for a decision come first.
    pub async fn list(
        &self,
        org: OrgId,
        at: InstallationId,
        cursor: Option<&str>,
    ) -> Result<Page<Conversation>> {
        let after = cursor.map(position).transpose()?;
        let rows = store::list(self.db.read(), org, at, after).await?;
        Ok(Page::from_rows(rows, |last| {
            let when = last.decided_at.or(last.requested_at).unwrap_or_default();
            format!("{}~{}~{}", last.state, when.timestamp_micros(), last.conversation)
        }))
    }
}

/// Reads a cursor.
fn position(cursor: &str) -> Result<ListPosition> {
    let mut parts = cursor.splitn(3, '~');
    let mut part = || parts.next().ok_or_else(invalid_cursor);
    let state = part()?.parse().map_err(|_| invalid_cursor())?;
    let micros = part()?.parse().map_err(|_| invalid_cursor())?;
    Ok(ListPosition {
        state,
        when: DateTime::from_timestamp_micros(micros).ok_or_else(invalid_cursor)?,
        conversation: part()?.to_owned(),
    })
}

/// Checks and cleans the conversation, its title and the person of a request.
fn checked_request(conversation: &str, title: &str, by: &str) -> Result<(String, String, String)> {
    let one_line: String = title
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    Ok((
        text::name("conversation", conversation, 200)?,
        text::shortened(one_line.trim(), 120),
        text::name("user", by, 200)?,
    ))
}

/// Trims the ids and removes duplicates. Keeps the order.
fn building_set(given: Vec<String>) -> Result<Vec<String>> {
    let mut set: Vec<String> = Vec::new();
    for id in given {
        let id = text::name("buildings", &id, MAX_BUILDING_ID)?;
        if !set.contains(&id) {
            set.push(id);
        }
    }
    match set.len() {
        0 => Err(Error::invalid(
            "buildings",
            "must name at least one building, or be all of them",
        )),
        count if count <= MAX_BUILDINGS => Ok(set),
        count => Err(Error::invalid(
            "buildings",
            format!("has {count} entries; at most {MAX_BUILDINGS} can be named"),
        )),
    }
}

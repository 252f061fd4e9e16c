//! The tables `conversations` and `conversation_askers`. A conversation without a row is not approved.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use crate::assistants::model::{ConversationState, Sender};
use crate::assistants::paging::FETCH_LIMIT;
use crate::assistants::records::Conversation;
use crate::base::error::Result;
use crate::base::ids::{InstallationId, OrgId, UserId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

const COLUMNS: &str =
    "SELECT installation_id, conversation, state, title, reason, requested_by, requested_at, buildings,
            decided_by, decided_at
     FROM conversations WHERE org_id = ";

pub(super) async fn state(
    db: Exec<'_>,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
) -> Result<Option<ConversationState>> {
    let row: Option<(ConversationState,)> = db
        .query("SELECT state FROM conversations WHERE org_id = $1 AND installation_id = $2 AND conversation = $3")
        .bind(org)
        .bind(at)
        .bind(conversation)
        .optional()
        .await?;
    Ok(row.map(|(state,)| state))
}

pub(super) async fn find(
    db: Exec<'_>,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
) -> Result<Option<Conversation>> {
    Ok(db
        .build(COLUMNS)
        .bind(org)
        .push(" AND installation_id = ")
        .bind(at)
        .push(" AND conversation = ")
        .bind(conversation)
        .done()
        .optional()
        .await?)
}

pub(super) async fn count(
    db: Exec<'_>,
    org: OrgId,
    at: InstallationId,
    state: ConversationState,
) -> Result<i64> {
    Ok(db
        .query(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM conversations
             WHERE org_id = $1 AND installation_id = $2 AND state = $3",
        )
        .bind(org)
        .bind(at)
        .bind(state)
        .scalar()
        .await?)
}

/// A position in the list: after the conversation with this state, time and id.
pub(super) struct ListPosition {
    pub(super) state: ConversationState,
    pub(super) when: DateTime<Utc>,
    pub(super) conversation: String,
}

/// The order of states in the list. What waits for a decision comes first.
const fn rank(state: ConversationState) -> i64 {
    match state {
        ConversationState::Requested => 0,
        ConversationState::Suspended => 1,
        ConversationState::Approved => 2,
        ConversationState::Revoked => 3,
    }
}

const RANK: &str =
    "CASE state WHEN 'requested' THEN 0 WHEN 'suspended' THEN 1 WHEN 'approved' THEN 2 ELSE 3 END";
/// The time of the decision, or else of the request. The latest comes first.
const WHEN: &str = "COALESCE(decided_at, requested_at)";

/// One page of an installation's conversations.
pub(super) async fn list(
    db: Exec<'_>,
    org: OrgId,
    at: InstallationId,
    after: Option<ListPosition>,
) -> Result<Vec<Conversation>> {
    let mut select = db
        .build(COLUMNS)
        .bind(org)
        .push(" AND installation_id = ")
        .bind(at);
    if let Some(after) = after {
        let rank = rank(after.state);
        select = select
            .push(" AND (")
            .push(RANK)
            .push(" > ")
            .bind(rank)
            .push(" OR ")
            .push(RANK)
            .push(" = ")
            .bind(rank)
            .push(" AND (")
            .push(WHEN)
            .push(" < ")
            .bind(after.when)
            .push(" OR ")
            .push(WHEN)
            .push(" = ")
            .bind(after.when)
            .push(" AND conversation > ")
            .bind(after.conversation)
            .push("))");
    }
    Ok(select
        .push(" ORDER BY ")
        .push(RANK)
        .push(", ")
        .push(WHEN)
        .push(" DESC, conversation")
        .limit(FETCH_LIMIT)
        .done()
        .all()
        .await?)
}

/// Adds a requested conversation. True if it is new. For an existing one only the title is updated.
pub(super) async fn request(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    title: &str,
    by: &str,
) -> Result<bool> {
    let now = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO conversations (org_id, installation_id, conversation, state, title, requested_by, requested_at)
             VALUES ($1, $2, $3, 'requested', $4, $5, $6)
             ON CONFLICT (org_id, installation_id, conversation) DO NOTHING",
        )
        .bind(org)
        .bind(at)
        .bind(conversation)
        .bind(title)
        .bind(by)
        .bind(now)
        .execute()
        .await?;
    if added == 0 && !title.is_empty() {
        tx.query(
            "UPDATE conversations SET title = $1
             WHERE org_id = $2 AND installation_id = $3 AND conversation = $4 AND title <> $1",
        )
        .bind(title)
        .bind(org)
        .bind(at)
        .bind(conversation)
        .execute()
        .await?;
    }
    Ok(added == 1)
}

/// Maximum number of people of a conversation who are notified of the decision.
const MAX_ASKERS: i64 = 50;

/// Adds a person to be notified of the decision, if one is still open.
pub(super) async fn add_asker(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    who: &Sender,
) -> Result<()> {
    let now = tx.now().await?;
    tx.query(
        "INSERT INTO conversation_askers
             (org_id, installation_id, conversation, platform_team, platform_user, asked_at)
         SELECT org_id, installation_id, conversation, $1, $2, $3 FROM conversations
         WHERE org_id = $4 AND installation_id = $5 AND conversation = $6 AND state IN ('requested', 'suspended')
           AND (SELECT COUNT(*) FROM conversation_askers
                WHERE org_id = $4 AND installation_id = $5 AND conversation = $6) < $7
         ON CONFLICT DO NOTHING",
    )
    .bind(&who.team)
    .bind(&who.user)
    .bind(now)
    .bind(org)
    .bind(at)
    .bind(conversation)
    .bind(MAX_ASKERS)
    .execute()
    .await?;
    Ok(())
}

/// Removes and returns the people to be notified of the decision, in the order in which they asked.
pub(super) async fn take_askers(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
) -> Result<Vec<Sender>> {
    let rows: Vec<(String, String)> = tx
        .query(
            "SELECT platform_team, platform_user FROM conversation_askers
             WHERE org_id = $1 AND installation_id = $2 AND conversation = $3 ORDER BY asked_at, platform_user",
        )
        .bind(org)
        .bind(at)
        .bind(conversation)
        .all()
        .await?;
    tx.query(
        "DELETE FROM conversation_askers WHERE org_id = $1 AND installation_id = $2 AND conversation = $3",
    )
    .bind(org)
    .bind(at)
    .bind(conversation)
    .execute()
    .await?;
    let asker = |(team, user)| Sender {
        team,
        user,
        account: None,
    };
    Ok(rows.into_iter().map(asker).collect())
}

/// Sets the state. Title, buildings and who asked are kept.
pub(in crate::assistants) async fn decide(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    state: ConversationState,
    by: Option<UserId>,
) -> Result<()> {
    let now = tx.now().await?;
    tx.query(
        "INSERT INTO conversations (org_id, installation_id, conversation, state, decided_by, decided_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (org_id, installation_id, conversation)
         DO UPDATE SET state = excluded.state, reason = NULL, decided_by = excluded.decided_by,
                       decided_at = excluded.decided_at",
    )
    .bind(org)
    .bind(at)
    .bind(conversation)
    .bind(state)
    .bind(by)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Decides on a conversation that waits for a decision. False, without a change, if it does not wait for one.
pub(super) async fn decide_if_pending(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    state: ConversationState,
    by: Option<UserId>,
) -> Result<bool> {
    let now = tx.now().await?;
    let decided = tx
        .query(
            "UPDATE conversations SET state = $1, reason = NULL, decided_by = $2, decided_at = $3
             WHERE org_id = $4 AND installation_id = $5 AND conversation = $6
               AND state IN ('requested', 'suspended')",
        )
        .bind(state)
        .bind(by)
        .bind(now)
        .bind(org)
        .bind(at)
        .bind(conversation)
        .execute()
        .await?;
    Ok(decided == 1)
}

/// Suspends an approved conversation. False if it was not approved.
pub(super) async fn suspend(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    reason: &str,
    by: Option<UserId>,
) -> Result<bool> {
    let now = tx.now().await?;
    let suspended = tx
        .query(
            "UPDATE conversations SET state = 'suspended', reason = $1, decided_by = $2, decided_at = $3
             WHERE org_id = $4 AND installation_id = $5 AND conversation = $6 AND state = 'approved'",
        )
        .bind(reason)
        .bind(by)
        .bind(now)
        .bind(org)
        .bind(at)
        .bind(conversation)
        .execute()
        .await?;
    Ok(suspended == 1)
}

/// Sets the buildings of a conversation. False if there is no such conversation.
pub(super) async fn set_buildings(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    buildings: Option<&[String]>,
) -> Result<bool> {
    let set = tx
        .query(
            "UPDATE conversations SET buildings = $1
             WHERE org_id = $2 AND installation_id = $3 AND conversation = $4",
        )
        .bind(buildings.map(Json))
        .bind(org)
        .bind(at)
        .bind(conversation)
        .execute()
        .await?;
    Ok(set == 1)
}

/// Suspends a conversation after a report of the platform, if it was approved before `before`. Returns the number of
/// rows changed.
pub(super) async fn suspend_before(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    reason: &str,
    before: DateTime<Utc>,
) -> Result<u64> {
    let now = tx.now().await?;
    Ok(tx
        .query(
            "UPDATE conversations SET state = 'suspended', reason = $1, decided_by = NULL, decided_at = $2
             WHERE org_id = $3 AND installation_id = $4 AND conversation = $5 AND state = 'approved'
               AND (decided_at IS NULL OR decided_at < $6)",
        )
        .bind(reason)
        .bind(now)
        .bind(org)
        .bind(at)
        .bind(conversation)
        .bind(before)
        .execute()
        .await?)
}

/// Changes the reason of a suspended conversation.
pub(super) async fn set_reason(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    conversation: &str,
    reason: &str,
) -> Result<()> {
    tx.query(
        "UPDATE conversations SET reason = $1
         WHERE org_id = $2 AND installation_id = $3 AND conversation = $4 AND state = 'suspended'",
    )
    .bind(reason)
    .bind(org)
    .bind(at)
    .bind(conversation)
    .execute()
    .await?;
    Ok(())
}

//! The table `inbox`: turns, deduplicated by event and by message.

use sqlx::types::Json;

use crate::assistants::model::Turn;
use crate::base::error::Result;
use crate::base::ids::{InboxId, InstallationId, MessageId, OrgId};
use crate::db::exec::{Exec, batches};
use crate::db::tx::Tx;

/// A turn to be stored.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    pub(super) org: OrgId,
    pub(super) id: InboxId,
    pub(super) installation: InstallationId,
    pub(super) event_key: String,
    pub(super) message_key: String,
    pub(super) turn: Turn,
}

/// Stores the arrivals and returns which were new. An arrival whose event or message is stored already is skipped.
pub(super) async fn add(tx: &mut Tx, arrivals: &[&Arrival]) -> Result<Vec<InboxId>> {
    let now = tx.now().await?;
    let mut new = Vec::with_capacity(arrivals.len());
    for batch in batches(arrivals) {
        let mut insert = tx.build(
            "INSERT INTO inbox (org_id, id, installation_id, event_key, message_key, turn, received_at) VALUES ",
        );
        for (n, arrival) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(arrival.org)
                .push(", ")
                .bind(arrival.id)
                .push(", ")
                .bind(arrival.installation)
                .push(", ")
                .bind(&arrival.event_key)
                .push(", ")
                .bind(&arrival.message_key)
                .push(", ")
                .bind(Json(&arrival.turn))
                .push(", ")
                .bind(now)
                .push(")");
        }
        let added = insert.push(" ON CONFLICT DO NOTHING").done().execute().await?;
        if usize::try_from(added).is_ok_and(|added| added == batch.len()) {
            new.extend(batch.iter().map(|arrival| arrival.id));
        } else {
            new.extend(stored_ids(tx, batch).await?);
        }
    }
    Ok(new)
}

/// Which of the batch are stored under their own id. A duplicate is stored under an earlier one.
async fn stored_ids(tx: &mut Tx, batch: &[&Arrival]) -> Result<Vec<InboxId>> {
    let mut select = tx.build("SELECT id FROM inbox WHERE ");
    for (n, arrival) in batch.iter().enumerate() {
        let start = if n == 0 { "(org_id = " } else { " OR (org_id = " };
        select = select
            .push(start)
            .bind(arrival.org)
            .push(" AND id = ")
            .bind(arrival.id)
            .push(")");
    }
    let rows: Vec<(InboxId,)> = select.done().all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Installation, message key, turn, and whether it is decided.
pub(super) async fn find(
    db: Exec<'_>,
    org: OrgId,
    id: InboxId,
) -> Result<Option<(InstallationId, String, Turn, bool)>> {
    let row: Option<(InstallationId, String, Json<Turn>, bool)> = db
        .query(
            "SELECT installation_id, message_key, turn, decided_at IS NOT NULL FROM inbox
             WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(at, key, Json(turn), decided)| (at, key, turn, decided)))
}

/// The session message that was created for a turn. None if the turn is not stored or needed no analysis.
pub(super) async fn find_message(
    db: Exec<'_>,
    org: OrgId,
    at: InstallationId,
    message_key: &str,
) -> Result<Option<MessageId>> {
    let row: Option<(Option<MessageId>,)> = db
        .query("SELECT message_id FROM inbox WHERE org_id = $1 AND installation_id = $2 AND message_key = $3")
        .bind(org)
        .bind(at)
        .bind(message_key)
        .optional()
        .await?;
    Ok(row.and_then(|(message,)| message))
}

/// Marks a turn as decided. False if it was decided before.
pub(super) async fn decide(tx: &mut Tx, org: OrgId, id: InboxId, message: Option<MessageId>) -> Result<bool> {
    let now = tx.now().await?;
    let decided = tx
        .query(
            "UPDATE inbox SET decided_at = $1, message_id = $2
             WHERE org_id = $3 AND id = $4 AND decided_at IS NULL",
        )
        .bind(now)
        .bind(message)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(decided == 1)
}

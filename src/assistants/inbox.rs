//! Table of chat events taken in: deduplicated by event and by message, decided once.

use sqlx::types::Json;

use crate::assistants::model::Turn;
use crate::base::error::Result;
use crate::base::ids::{InboxId, InstallationId, MessageId, OrgId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// False when the event, or another event of the same message, was taken in before.
pub(super) async fn add(
    tx: &mut Tx,
    org: OrgId,
    id: InboxId,
    at: InstallationId,
    event_key: &str,
    message_key: &str,
    turn: &Turn,
) -> Result<bool> {
    let now = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO inbox (org_id, id, installation_id, event_key, message_key, turn, received_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
        )
        .bind(org)
        .bind(id)
        .bind(at)
        .bind(event_key)
        .bind(message_key)
        .bind(Json(turn))
        .bind(now)
        .execute()
        .await?;
    Ok(added == 1)
}

/// The turn, and whether it was decided already.
pub(super) async fn find(
    db: Exec<'_>,
    org: OrgId,
    id: InboxId,
) -> Result<Option<(InstallationId, Turn, bool)>> {
    let row: Option<(InstallationId, Json<Turn>, bool)> = db
        .query(
            "SELECT installation_id, turn, decided_at IS NOT NULL FROM inbox WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(at, Json(turn), decided)| (at, turn, decided)))
}

/// Decides a turn, once: false if it was decided before.
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

//! Table of deliveries: what is to be said, and how far it has come.

use sqlx::types::Json;

use crate::assistants::model::{Delivery, DeliveryKind, DeliveryState, Say, Target};
use crate::base::error::Result;
use crate::base::ids::{DeliveryId, InboxId, InstallationId, MessageId, OrgId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

#[derive(sqlx::FromRow)]
struct Row {
    id: DeliveryId,
    installation_id: InstallationId,
    inbox_id: Option<InboxId>,
    kind: DeliveryKind,
    target: Json<Target>,
    say: Option<Json<Say>>,
    message_id: Option<MessageId>,
    state: DeliveryState,
    receipt: Option<String>,
}

/// False when this turn has a delivery of this kind already.
pub(super) async fn add(tx: &mut Tx, org: OrgId, delivery: &Delivery) -> Result<bool> {
    let now = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO deliveries (org_id, id, installation_id, inbox_id, kind, target, say, message_id, state, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
        )
        .bind(org)
        .bind(delivery.id)
        .bind(delivery.installation)
        .bind(delivery.inbox)
        .bind(delivery.kind)
        .bind(Json(&delivery.target))
        .bind(delivery.say.as_ref().map(Json))
        .bind(delivery.message)
        .bind(delivery.state)
        .bind(now)
        .execute()
        .await?;
    Ok(added == 1)
}

pub(super) async fn find(db: Exec<'_>, org: OrgId, id: DeliveryId) -> Result<Option<Delivery>> {
    let row: Option<Row> = db
        .query(
            "SELECT id, installation_id, inbox_id, kind, target, say, message_id, state, receipt
             FROM deliveries WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|row| Delivery {
        id: row.id,
        installation: row.installation_id,
        inbox: row.inbox_id,
        kind: row.kind,
        target: row.target.0,
        say: row.say.map(|Json(say)| say),
        message: row.message_id,
        state: row.state,
        receipt: row.receipt,
    }))
}

/// Moves a delivery on. A delivered or failed one stays so.
pub(super) async fn advance(
    tx: &mut Tx,
    org: OrgId,
    id: DeliveryId,
    state: DeliveryState,
    receipt: Option<&str>,
    failure: Option<&str>,
) -> Result<bool> {
    let now = tx.now().await?;
    let ended = matches!(state, DeliveryState::Delivered | DeliveryState::Failed).then_some(now);
    let moved = tx
        .query(
            "UPDATE deliveries SET state = $1, receipt = COALESCE($2, receipt), failure = $3, finished_at = $4
             WHERE org_id = $5 AND id = $6 AND state NOT IN ('delivered', 'failed')",
        )
        .bind(state)
        .bind(receipt)
        .bind(failure)
        .bind(ended)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(moved == 1)
}

/// How many ended as failed, for the operator's checks.
pub(super) async fn failed(db: Exec<'_>, org: OrgId) -> Result<i64> {
    Ok(db
        .query("SELECT CAST(COUNT(*) AS BIGINT) FROM deliveries WHERE org_id = $1 AND state = 'failed'")
        .bind(org)
        .scalar()
        .await?)
}

//! The table `deliveries`: the messages to post, and how far each has come.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use crate::assistants::model::{Delivery, DeliveryKind, DeliveryState, PlatformKind, Say, Target};
use crate::assistants::paging::FETCH_LIMIT;
use crate::assistants::records::FailedDelivery;
use crate::base::error::Result;
use crate::base::ids::{AssistantId, DeliveryId, InboxId, InstallationId, MessageId, OrgId};
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
    doubted_at: Option<DateTime<Utc>>,
}

/// Adds a delivery. False, without a change, if the turn already has one of this kind.
pub(super) async fn add(tx: &mut Tx, org: OrgId, delivery: &Delivery) -> Result<bool> {
    let now = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO deliveries (org_id, id, installation_id, inbox_id, kind, target, say, message_id, state,
                                     created_at)
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
            "SELECT id, installation_id, inbox_id, kind, target, say, message_id, state, receipt, doubted_at
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
        uncertain_since: row.doubted_at,
    }))
}

/// Records that a post timed out and may still appear.
pub(super) async fn mark_uncertain(tx: &mut Tx, org: OrgId, id: DeliveryId) -> Result<()> {
    let now = tx.now().await?;
    tx.query("UPDATE deliveries SET doubted_at = $1 WHERE org_id = $2 AND id = $3")
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Sets the state. False, without a change, if it is delivered or failed.
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
    let updated = tx
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
    Ok(updated == 1)
}

/// Sets a failed delivery back to pending, or to placed if it has a placeholder. False if it is not failed.
pub(super) async fn revive(tx: &mut Tx, org: OrgId, id: DeliveryId) -> Result<bool> {
    let revived = tx
        .query(
            "UPDATE deliveries
             SET state = CASE WHEN receipt IS NULL THEN 'pending' ELSE 'placed' END, failure = NULL, finished_at = NULL,
                 dismissed_at = NULL
             WHERE org_id = $1 AND id = $2 AND state = 'failed'",
        )
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(revived == 1)
}

/// Removes a failed delivery from the lists. False if it is not on them.
pub(super) async fn dismiss(tx: &mut Tx, org: OrgId, id: DeliveryId) -> Result<bool> {
    let now = tx.now().await?;
    let dismissed = tx
        .query(
            "UPDATE deliveries SET dismissed_at = $1
             WHERE org_id = $2 AND id = $3 AND state = 'failed' AND dismissed_at IS NULL",
        )
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(dismissed == 1)
}

#[derive(sqlx::FromRow)]
struct FailedRow {
    id: DeliveryId,
    installation_id: InstallationId,
    platform: PlatformKind,
    kind: DeliveryKind,
    target: Json<Target>,
    failure: Option<String>,
    created_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
}

/// One page of the failed deliveries on all platforms of an assistant, newest first.
pub(super) async fn list_failed(
    db: Exec<'_>,
    org: OrgId,
    assistant: AssistantId,
    before: Option<DeliveryId>,
) -> Result<Vec<FailedDelivery>> {
    let mut select = db
        .build(
            "SELECT d.id, d.installation_id, i.platform, d.kind, d.target, d.failure, d.created_at, d.finished_at
             FROM deliveries d JOIN installations i ON i.org_id = d.org_id AND i.id = d.installation_id
             WHERE d.state = 'failed' AND d.dismissed_at IS NULL AND d.org_id = ",
        )
        .bind(org)
        .push(" AND i.assistant_id = ")
        .bind(assistant);
    if let Some(before) = before {
        select = select.push(" AND d.id < ").bind(before);
    }
    let rows: Vec<FailedRow> = select
        .push(" ORDER BY d.id DESC")
        .limit(FETCH_LIMIT)
        .done()
        .all()
        .await?;
    let delivery = |row: FailedRow| FailedDelivery {
        id: row.id,
        installation: row.installation_id,
        platform: row.platform,
        kind: row.kind,
        place: row.target.0.place.kind,
        sender: row.target.0.sender,
        failure: row.failure.unwrap_or_default(),
        created_at: row.created_at,
        failed_at: row.finished_at,
    };
    Ok(rows.into_iter().map(delivery).collect())
}

/// Counts failed deliveries that were not dismissed.
pub(super) async fn count_failed(db: Exec<'_>, org: OrgId) -> Result<i64> {
    Ok(db
        .query(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM deliveries
             WHERE org_id = $1 AND state = 'failed' AND dismissed_at IS NULL",
        )
        .bind(org)
        .scalar()
        .await?)
}

/// As [`count_failed`], for one installation, after a time.
pub(super) async fn count_failed_since(
    db: Exec<'_>,
    org: OrgId,
    at: InstallationId,
    since: DateTime<Utc>,
) -> Result<i64> {
    Ok(db
        .query(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM deliveries
             WHERE org_id = $1 AND installation_id = $2 AND state = 'failed' AND dismissed_at IS NULL
               AND finished_at > $3",
        )
        .bind(org)
        .bind(at)
        .bind(since)
        .scalar()
        .await?)
}

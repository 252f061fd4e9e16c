//! The table `feedback`: one row for each person and answer.

use chrono::{DateTime, Utc};

use crate::assistants::model::Sender;
use crate::assistants::paging::FETCH_LIMIT;
use crate::assistants::records::Feedback;
use crate::base::error::Result;
use crate::base::ids::{AssistantId, DeliveryId, FeedbackId, InstallationId, OrgId, UserId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// Replaces earlier feedback of the person on the answer.
#[expect(clippy::too_many_arguments, reason = "the columns of one row")]
pub(super) async fn put(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    delivery: DeliveryId,
    who: &Sender,
    user: Option<UserId>,
    helpful: bool,
    now: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "INSERT INTO feedback (org_id, id, installation_id, delivery_id, platform_team, platform_user, user_id,
                               helpful, given_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (org_id, delivery_id, platform_team, platform_user)
         DO UPDATE SET helpful = excluded.helpful, user_id = excluded.user_id, given_at = excluded.given_at",
    )
    .bind(org)
    .bind(FeedbackId::new())
    .bind(at)
    .bind(delivery)
    .bind(&who.team)
    .bind(&who.user)
    .bind(user)
    .bind(helpful)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// One page of feedback on all platforms of an assistant, newest first.
pub(super) async fn list(
    db: Exec<'_>,
    org: OrgId,
    assistant: AssistantId,
    before: Option<FeedbackId>,
) -> Result<Vec<Feedback>> {
    let mut select = db
        .build(
            "SELECT f.id, f.delivery_id, i.platform, f.platform_team, f.platform_user, f.user_id, f.helpful,
                    f.given_at, d.message_id
             FROM feedback f
             JOIN installations i ON i.org_id = f.org_id AND i.id = f.installation_id
             LEFT JOIN deliveries d ON d.org_id = f.org_id AND d.id = f.delivery_id
             WHERE f.org_id = ",
        )
        .bind(org)
        .push(" AND i.assistant_id = ")
        .bind(assistant);
    if let Some(before) = before {
        select = select.push(" AND f.id < ").bind(before);
    }
    Ok(select
        .push(" ORDER BY f.id DESC")
        .limit(FETCH_LIMIT)
        .done()
        .all()
        .await?)
}

/// Counts helpful and unhelpful feedback.
pub(super) async fn counts(db: Exec<'_>, org: OrgId, assistant: AssistantId) -> Result<(i64, i64)> {
    Ok(db
        .query(
            "SELECT CAST(COALESCE(SUM(CASE WHEN f.helpful THEN 1 ELSE 0 END), 0) AS BIGINT),
                    CAST(COALESCE(SUM(CASE WHEN f.helpful THEN 0 ELSE 1 END), 0) AS BIGINT)
             FROM feedback f JOIN installations i ON i.org_id = f.org_id AND i.id = f.installation_id
             WHERE f.org_id = $1 AND i.assistant_id = $2",
        )
        .bind(org)
        .bind(assistant)
        .one()
        .await?)
}

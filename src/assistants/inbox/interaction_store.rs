//! The tables `heard`, which has the interactions, and `stopped_threads`.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::types::Json;

use crate::assistants::inbox::interaction::{Interaction, StoredInteraction};
use crate::assistants::model::{Target, Turn};
use crate::base::error::Result;
use crate::base::ids::{InstallationId, InteractionId, OrgId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

/// How long a stop of a thread is kept. A question that arrives later than that is not stopped.
const STOP_LIFETIME: TimeDelta = TimeDelta::days(1);

/// False if it is stored already.
pub(super) async fn add(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    id: InteractionId,
    key: &str,
    interaction: &Interaction,
) -> Result<bool> {
    let now = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO heard (org_id, id, installation_id, heard_key, heard, received_at)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        )
        .bind(org)
        .bind(id)
        .bind(at)
        .bind(key)
        .bind(Json(interaction))
        .bind(now)
        .execute()
        .await?;
    Ok(added == 1)
}

/// Installation, interaction, start of a post, whether it is done.
type Row = (InstallationId, Json<Interaction>, Option<DateTime<Utc>>, bool);

pub(super) async fn find(db: Exec<'_>, org: OrgId, id: InteractionId) -> Result<Option<StoredInteraction>> {
    let row: Option<Row> = db
        .query(
            "SELECT installation_id, heard, posting_since, done_at IS NOT NULL
             FROM heard WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(
        |(installation, Json(interaction), posting_since, done)| StoredInteraction {
            installation,
            interaction,
            posting_since,
            done,
        },
    ))
}

/// Whether an interaction is stored under a key.
pub(super) async fn exists(db: Exec<'_>, org: OrgId, at: InstallationId, key: &str) -> Result<bool> {
    let row: Option<(InteractionId,)> = db
        .query("SELECT id FROM heard WHERE org_id = $1 AND installation_id = $2 AND heard_key = $3")
        .bind(org)
        .bind(at)
        .bind(key)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// Stores up to which message a person stopped a thread. The latest message counts.
pub(super) async fn add_stop(
    tx: &mut Tx,
    org: OrgId,
    at: InstallationId,
    target: &Target,
    before: &str,
) -> Result<()> {
    let now = tx.now().await?;
    tx.query(
        "INSERT INTO stopped_threads
             (org_id, installation_id, conversation, thread, platform_user, until_message, stopped_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (org_id, installation_id, conversation, thread, platform_user)
         DO UPDATE SET until_message = excluded.until_message, stopped_at = excluded.stopped_at
         WHERE stopped_threads.until_message < excluded.until_message",
    )
    .bind(org)
    .bind(at)
    .bind(&target.place.conversation)
    .bind(&target.place.thread)
    .bind(&target.sender.user)
    .bind(before)
    .bind(now)
    .execute()
    .await?;
    tx.query("DELETE FROM stopped_threads WHERE org_id = $1 AND installation_id = $2 AND stopped_at < $3")
        .bind(org)
        .bind(at)
        .bind(now - STOP_LIFETIME)
        .execute()
        .await?;
    Ok(())
}

/// The message before which the sender of a turn stopped its thread.
pub(super) async fn stopped_before(
    db: Exec<'_>,
    org: OrgId,
    at: InstallationId,
    turn: &Turn,
) -> Result<Option<String>> {
    let row: Option<(String,)> = db
        .query(
            "SELECT until_message FROM stopped_threads
             WHERE org_id = $1 AND installation_id = $2 AND conversation = $3 AND thread = $4 AND platform_user = $5",
        )
        .bind(org)
        .bind(at)
        .bind(&turn.place.conversation)
        .bind(&turn.place.thread)
        .bind(&turn.sender.user)
        .optional()
        .await?;
    Ok(row.map(|(before,)| before))
}

/// Records that a post was started, or that it failed for certain.
pub(super) async fn set_posting(tx: &mut Tx, org: OrgId, id: InteractionId, posting: bool) -> Result<()> {
    let since = if posting { Some(tx.now().await?) } else { None };
    tx.query("UPDATE heard SET posting_since = $1 WHERE org_id = $2 AND id = $3")
        .bind(since)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Marks it as done. False if it was done already.
pub(super) async fn mark_done(tx: &mut Tx, org: OrgId, id: InteractionId) -> Result<bool> {
    let now = tx.now().await?;
    let done = tx
        .query("UPDATE heard SET done_at = $1 WHERE org_id = $2 AND id = $3 AND done_at IS NULL")
        .bind(now)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(done == 1)
}

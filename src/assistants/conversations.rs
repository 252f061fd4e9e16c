//! Table of decisions on shared conversations: none means not approved.

use crate::assistants::model::ConversationState;
use crate::base::error::Result;
use crate::base::ids::{InstallationId, OrgId, UserId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

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

pub(super) async fn decide(
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
         DO UPDATE SET state = excluded.state, decided_by = excluded.decided_by, decided_at = excluded.decided_at",
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

//! Records which answers were shared to which conversations, at most once each.

use chrono::{DateTime, Utc};

use crate::assistants::conversations::service::Conversations;
use crate::base::error::Result;
use crate::base::ids::{MessageId, OrgId};
use crate::db::tx::Tx;

impl Conversations {
    /// When an answer was shared to a conversation, if it was.
    pub async fn shared_at(
        &self,
        org: OrgId,
        message: MessageId,
        conversation: &str,
    ) -> Result<Option<DateTime<Utc>>> {
        let row: Option<(DateTime<Utc>,)> = self
            .db
            .read()
            .query(
                "SELECT shared_at FROM shared_answers
                 WHERE org_id = $1 AND message_id = $2 AND conversation = $3",
            )
            .bind(org)
            .bind(message)
            .bind(conversation)
            .optional()
            .await?;
        Ok(row.map(|(when,)| when))
    }

    /// Records in the caller's transaction that an answer was shared to a conversation.
    pub async fn record_share(
        &self,
        tx: &mut Tx,
        org: OrgId,
        message: MessageId,
        conversation: &str,
    ) -> Result<()> {
        let now = tx.now().await?;
        tx.query(
            "INSERT INTO shared_answers (org_id, message_id, conversation, shared_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING",
        )
        .bind(org)
        .bind(message)
        .bind(conversation)
        .bind(now)
        .execute()
        .await?;
        Ok(())
    }
}

//! The table `assistants`.

use crate::assistants::model::Assistant;
use crate::base::error::Result;
use crate::base::ids::{AssistantId, OrgId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

pub(super) async fn add(tx: &mut Tx, assistant: &Assistant) -> Result<()> {
    tx.query(
        "INSERT INTO assistants (org_id, id, name, colour, tone, greeting, about, shared_enabled, created_at,
                                 description, prompts)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(assistant.org_id)
    .bind(assistant.id)
    .bind(&assistant.name)
    .bind(&assistant.colour)
    .bind(&assistant.tone)
    .bind(&assistant.greeting)
    .bind(&assistant.about)
    .bind(assistant.shared_enabled)
    .bind(assistant.created_at)
    .bind(&assistant.description)
    .bind(&assistant.prompts)
    .execute()
    .await?;
    Ok(())
}

/// False if there is no such assistant.
pub(super) async fn update(tx: &mut Tx, assistant: &Assistant) -> Result<bool> {
    let updated = tx
        .query(
            "UPDATE assistants SET name = $1, description = $2, colour = $3, tone = $4, greeting = $5, about = $6,
                    prompts = $7
             WHERE org_id = $8 AND id = $9",
        )
        .bind(&assistant.name)
        .bind(&assistant.description)
        .bind(&assistant.colour)
        .bind(&assistant.tone)
        .bind(&assistant.greeting)
        .bind(&assistant.about)
        .bind(&assistant.prompts)
        .bind(assistant.org_id)
        .bind(assistant.id)
        .execute()
        .await?;
    Ok(updated == 1)
}

pub(super) async fn list(db: Exec<'_>, org: OrgId) -> Result<Vec<Assistant>> {
    Ok(db
        .query(
            "SELECT org_id, id, name, description, colour, tone, greeting, about, prompts, icon_key, icon_type,
                    shared_enabled, created_at, analyst_id
             FROM assistants WHERE org_id = $1 ORDER BY name, id",
        )
        .bind(org)
        .all()
        .await?)
}

pub(super) async fn find(db: Exec<'_>, org: OrgId, id: AssistantId) -> Result<Option<Assistant>> {
    Ok(db
        .query(
            "SELECT org_id, id, name, description, colour, tone, greeting, about, prompts, icon_key, icon_type,
                    shared_enabled, created_at, analyst_id
             FROM assistants WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?)
}

/// False if there is no such assistant.
pub(super) async fn set_icon(
    tx: &mut Tx,
    org: OrgId,
    id: AssistantId,
    key: Option<&str>,
    kind: Option<&str>,
) -> Result<bool> {
    let set = tx
        .query("UPDATE assistants SET icon_key = $1, icon_type = $2 WHERE org_id = $3 AND id = $4")
        .bind(key)
        .bind(kind)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(set == 1)
}

/// The organization of an assistant. For the operator, who names an assistant only by its id.
pub(super) async fn org_of(db: Exec<'_>, id: AssistantId) -> Result<Option<OrgId>> {
    let row: Option<(OrgId,)> = db
        .query("SELECT org_id FROM assistants WHERE id = $1")
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(org,)| org))
}

pub(super) async fn set_shared(tx: &mut Tx, org: OrgId, id: AssistantId, on: bool) -> Result<()> {
    tx.query("UPDATE assistants SET shared_enabled = $1 WHERE org_id = $2 AND id = $3")
        .bind(on)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

//! Tables of custom analysts and their notes.

use chrono::{DateTime, Utc};

use crate::analysts::model::Analyst;
use crate::base::error::Result;
use crate::base::ids::{AnalystId, NoteId, OrgId, UserId};
use crate::db::exec::Exec;
use crate::db::tx::Tx;

pub(super) async fn add(tx: &mut Tx, org: OrgId, analyst: &Analyst) -> Result<()> {
    tx.query(
        "INSERT INTO analysts (org_id, id, model_id, owner_id, name, base, tone, emoji, description,
                               created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(org)
    .bind(analyst.id)
    .bind(analyst.model_id)
    .bind(analyst.owner_id)
    .bind(&analyst.name)
    .bind(analyst.base)
    .bind(analyst.tone)
    .bind(&analyst.emoji)
    .bind(&analyst.description)
    .bind(analyst.created_at)
    .bind(analyst.updated_at)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn change(tx: &mut Tx, org: OrgId, analyst: &Analyst) -> Result<()> {
    tx.query(
        "UPDATE analysts SET name = $1, base = $2, tone = $3, emoji = $4, description = $5, updated_at = $6
         WHERE org_id = $7 AND id = $8",
    )
    .bind(&analyst.name)
    .bind(analyst.base)
    .bind(analyst.tone)
    .bind(&analyst.emoji)
    .bind(&analyst.description)
    .bind(analyst.updated_at)
    .bind(org)
    .bind(analyst.id)
    .execute()
    .await?;
    Ok(())
}

/// Marks an analyst as deleted. Returns false if the person has no such analyst.
pub(super) async fn remove(
    tx: &mut Tx,
    org: OrgId,
    owner: UserId,
    id: AnalystId,
    at: DateTime<Utc>,
) -> Result<bool> {
    let removed = tx
        .query(
            "UPDATE analysts SET deleted_at = $1
             WHERE org_id = $2 AND owner_id = $3 AND id = $4 AND deleted_at IS NULL",
        )
        .bind(at)
        .bind(org)
        .bind(owner)
        .bind(id)
        .execute()
        .await?;
    Ok(removed == 1)
}

/// An analyst of this person, found by its id or its model id.
pub(super) async fn owned(
    db: Exec<'_>,
    org: OrgId,
    owner: UserId,
    id: uuid::Uuid,
) -> Result<Option<Analyst>> {
    Ok(db
        .query(
            "SELECT id, model_id, owner_id, name, base, tone, emoji, description, created_at, updated_at
             FROM analysts
             WHERE org_id = $1 AND owner_id = $2 AND (id = $3 OR model_id = $3) AND deleted_at IS NULL",
        )
        .bind(org)
        .bind(owner)
        .bind(id)
        .optional()
        .await?)
}

/// Any analyst of the organization, and whether it is deleted.
pub(super) async fn of_org(db: Exec<'_>, org: OrgId, id: AnalystId) -> Result<Option<(Analyst, bool)>> {
    #[derive(sqlx::FromRow)]
    struct Row {
        #[sqlx(flatten)]
        analyst: Analyst,
        deleted_at: Option<DateTime<Utc>>,
    }
    let row: Option<Row> = db
        .query(
            "SELECT id, model_id, owner_id, name, base, tone, emoji, description, created_at, updated_at, deleted_at
             FROM analysts WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|row| (row.analyst, row.deleted_at.is_some())))
}

/// Analysts of a person, newest first, starting after `before`.
pub(super) async fn list(
    db: Exec<'_>,
    org: OrgId,
    owner: UserId,
    before: Option<AnalystId>,
    limit: i64,
) -> Result<Vec<Analyst>> {
    Ok(db
        .query(
            "SELECT id, model_id, owner_id, name, base, tone, emoji, description, created_at, updated_at
             FROM analysts
             WHERE org_id = $1 AND owner_id = $2 AND deleted_at IS NULL AND ($3 IS NULL OR id < $3)
             ORDER BY id DESC LIMIT $4",
        )
        .bind(org)
        .bind(owner)
        .bind(before)
        .bind(limit)
        .all()
        .await?)
}

pub(super) async fn add_note(
    tx: &mut Tx,
    org: OrgId,
    analyst: AnalystId,
    note: NoteId,
    at: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "INSERT INTO analyst_notes (org_id, analyst_id, note_id, added_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
    )
    .bind(org)
    .bind(analyst)
    .bind(note)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

/// The notes of some analysts, grouped by analyst, oldest first.
pub(super) async fn notes(
    db: Exec<'_>,
    org: OrgId,
    analysts: &[AnalystId],
) -> Result<Vec<(AnalystId, NoteId)>> {
    Ok(db
        .build("SELECT analyst_id, note_id FROM analyst_notes WHERE org_id = ")
        .bind(org)
        .push(" AND analyst_id IN ")
        .list(analysts.iter().copied())
        .push(" ORDER BY analyst_id, note_id")
        .done()
        .all()
        .await?)
}

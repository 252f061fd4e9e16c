//! The table `notes`. Lists and searches filter by scope in their statements.

use crate::base::error::Result;
use crate::base::ids::{NoteId, OrgId};
use crate::context::index;
use crate::context::model::{Note, NoteKind, Scope};
use crate::db::exec::Exec;
use crate::db::pool::Db;
use crate::db::tx::Tx;

pub(super) async fn add(tx: &mut Tx, org: OrgId, note: &Note) -> Result<()> {
    tx.query(
        "INSERT INTO notes (org_id, id, kind, owner_id, model, folder, title, body, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(org)
    .bind(note.id)
    .bind(note.kind)
    .bind(note.owner_id)
    .bind(note.model)
    .bind(&note.folder)
    .bind(&note.title)
    .bind(&note.body)
    .bind(note.created_at)
    .bind(note.updated_at)
    .execute()
    .await?;
    index::put(tx, org, note).await
}

pub(super) async fn change(tx: &mut Tx, org: OrgId, note: &Note) -> Result<()> {
    tx.query(
        "UPDATE notes SET folder = $1, title = $2, body = $3, updated_at = $4, updated_by = $5
         WHERE org_id = $6 AND id = $7",
    )
    .bind(&note.folder)
    .bind(&note.title)
    .bind(&note.body)
    .bind(note.updated_at)
    .bind(note.updated_by)
    .bind(org)
    .bind(note.id)
    .execute()
    .await?;
    index::put(tx, org, note).await
}

pub(super) async fn remove(tx: &mut Tx, org: OrgId, id: NoteId) -> Result<()> {
    index::remove(tx, org, id).await?;
    tx.query("DELETE FROM notes WHERE org_id = $1 AND id = $2")
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Reads a note and, on PostgreSQL, locks it until the transaction ends.
pub(super) async fn locked(tx: &mut Tx, org: OrgId, id: NoteId) -> Result<Option<Note>> {
    let lock = if tx.exec().is_sqlite() { "" } else { " FOR UPDATE" };
    Ok(tx
        .build(
            "SELECT id, kind, owner_id, model, folder, title, body, created_at, updated_at, updated_by
             FROM notes WHERE org_id = ",
        )
        .bind(org)
        .push(" AND id = ")
        .bind(id)
        .push(lock)
        .done()
        .optional()
        .await?)
}

pub(super) async fn find(db: Exec<'_>, org: OrgId, id: NoteId) -> Result<Option<Note>> {
    Ok(db
        .query(
            "SELECT id, kind, owner_id, model, folder, title, body, created_at, updated_at, updated_by
             FROM notes WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?)
}

/// The notes among `ids` that are visible in the scope, unordered.
pub(super) async fn visible(db: &Db, scope: Scope, ids: &[NoteId]) -> Result<Vec<Note>> {
    Ok(db
        .build(
            "SELECT id, kind, owner_id, model, folder, title, body, created_at, updated_at, updated_by
             FROM notes WHERE org_id = ",
        )
        .bind(scope.org)
        .push(" AND id IN ")
        .list(index::padded(ids))
        .push(" AND ((kind = 'user_memory' AND owner_id = ")
        .bind(scope.person)
        .push(") OR (kind = 'organisation_memory' AND ")
        .bind(scope.organization)
        .push(")) AND (model IS NULL OR ")
        .bind(scope.model)
        .push(" IS NULL OR model = ")
        .bind(scope.model)
        .push(")")
        .done()
        .all()
        .await?)
}

/// What to list.
#[derive(Clone, Debug)]
pub(super) struct Filter<'a> {
    pub scope: Scope,
    pub folder: Option<&'a str>,
    pub before: Option<NoteId>,
    pub limit: i64,
}

/// Notes, newest first. Reads the first rows of each kind from its index and merges them.
pub(super) async fn list(db: &Db, filter: &Filter<'_>) -> Result<Vec<Note>> {
    let Filter {
        scope,
        folder,
        before,
        limit,
    } = *filter;
    let kinds = [
        scope.person.map(|person| (NoteKind::Personal, Some(person))),
        scope.organization.then_some((NoteKind::Organization, None)),
    ];
    let mut select = db.build("SELECT * FROM (");
    let mut first = true;
    for (kind, owner) in kinds.into_iter().flatten() {
        select = select
            .push(if first { "" } else { " UNION ALL " })
            .push(
                "SELECT * FROM (SELECT id, kind, owner_id, model, folder, title, body, created_at, updated_at,
                                       updated_by
                                FROM notes WHERE org_id = ",
            )
            .bind(scope.org)
            // Literal, so that the partial index of the kind is used.
            .push(match kind {
                NoteKind::Personal => " AND kind = 'user_memory' AND owner_id = ",
                NoteKind::Organization => " AND kind = 'organisation_memory'",
            });
        if let Some(owner) = owner {
            select = select.bind(owner);
        }
        if let Some(before) = before {
            select = select.push(" AND id < ").bind(before);
        }
        if let Some(folder) = folder {
            select = select.push(" AND folder = ").bind(folder);
        }
        if let Some(model) = scope.model {
            select = select
                .push(" AND (model IS NULL OR model = ")
                .bind(model)
                .push(")");
        }
        select = select.push(" ORDER BY id DESC").limit(limit).push(match kind {
            NoteKind::Personal => ") AS personal",
            NoteKind::Organization => ") AS organization",
        });
        first = false;
    }
    if first {
        return Ok(Vec::new());
    }
    let done = select.push(") AS notes ORDER BY id DESC").limit(limit).done();
    Ok(done.all().await?)
}

/// Folders, ordered by kind and name, each with its number of notes visible in the scope.
pub(super) async fn folders(
    db: &Db,
    scope: Scope,
    after: Option<(NoteKind, &str)>,
    limit: i64,
) -> Result<Vec<(NoteKind, String, i64)>> {
    let (kind, name) = after.unzip();
    Ok(db
        .query(
            "SELECT kind, folder, CAST(COUNT(*) AS BIGINT) FROM notes
             WHERE org_id = $1 AND folder IS NOT NULL
               AND ((kind = 'user_memory' AND owner_id = $2) OR (kind = 'organisation_memory' AND $3))
               AND ($4 IS NULL OR model IS NULL OR model = $4)
               AND ($5 IS NULL OR kind > $5 OR (kind = $5 AND folder > $6))
             GROUP BY kind, folder ORDER BY kind, folder LIMIT $7",
        )
        .bind(scope.org)
        .bind(scope.person)
        .bind(scope.organization)
        .bind(scope.model)
        .bind(kind)
        .bind(name)
        .bind(limit)
        .all()
        .await?)
}

/// The notes of one folder that are visible in the scope, newest first.
pub(super) async fn in_folder(
    db: &Db,
    scope: Scope,
    kind: NoteKind,
    name: &str,
    limit: i64,
) -> Result<Vec<NoteId>> {
    let rows: Vec<(NoteId,)> = db
        .query(
            "SELECT id FROM notes
             WHERE org_id = $1 AND kind = $2 AND folder = $3 AND (kind <> 'user_memory' OR owner_id = $4)
               AND ($5 IS NULL OR model IS NULL OR model = $5)
             ORDER BY id DESC LIMIT $6",
        )
        .bind(scope.org)
        .bind(kind)
        .bind(name)
        .bind(scope.person)
        .bind(scope.model)
        .bind(limit)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

//! The table `notes` and its full-text index, which differs by database.

use crate::base::error::Result;
use crate::base::ids::{NoteId, OrgId};
use crate::context::model::{Note, Scope};
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// Candidates of a search, before they are ranked alike for both databases.
pub(super) const CANDIDATES: i64 = 200;

pub(super) async fn add(tx: &mut Tx, org: OrgId, note: &Note) -> Result<()> {
    tx.query(
        "INSERT INTO notes (org_id, id, kind, owner_id, title, body, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
    )
    .bind(org)
    .bind(note.id)
    .bind(note.kind)
    .bind(note.owner_id)
    .bind(&note.title)
    .bind(&note.body)
    .bind(note.updated_at)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn find(db: &Db, org: OrgId, id: NoteId) -> Result<Option<Note>> {
    Ok(db
        .query("SELECT id, kind, owner_id, title, body, updated_at FROM notes WHERE org_id = $1 AND id = $2")
        .bind(org)
        .bind(id)
        .optional()
        .await?)
}

/// Notes in scope that contain any of the words. Words are letters and digits only.
pub(super) async fn matching(db: &Db, scope: Scope, words: &[String]) -> Result<Vec<Note>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    if db.is_sqlite() {
        matching_fts5(db, scope, words).await
    } else {
        matching_tsvector(db, scope, words).await
    }
}

/// The scope words stand in the index, so that foreign notes never become candidates; the join
/// checks them once more against the table.
async fn matching_fts5(db: &Db, scope: Scope, words: &[String]) -> Result<Vec<Note>> {
    let org = hex::encode_upper(scope.org.uuid().as_bytes());
    let mut scopes = format!("\"o{org}\"");
    if let Some(person) = scope.person {
        scopes.push_str(&format!(
            " OR \"p{org}{}\"",
            hex::encode_upper(person.uuid().as_bytes())
        ));
    }
    let any: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let expression = format!("scope : ({scopes}) AND {{title body}} : ({})", any.join(" OR "));
    Ok(db
        .query(
            "SELECT n.id, n.kind, n.owner_id, n.title, n.body, n.updated_at
             FROM note_search s JOIN notes n ON n.rowid = s.rowid
             WHERE note_search MATCH $1 AND n.org_id = $2
               AND (n.kind = 'organisation_memory' OR (n.kind = 'user_memory' AND n.owner_id = $3))
             ORDER BY s.rank LIMIT $4",
        )
        .bind(expression)
        .bind(scope.org)
        .bind(scope.person)
        .bind(CANDIDATES)
        .all()
        .await?)
}

async fn matching_tsvector(db: &Db, scope: Scope, words: &[String]) -> Result<Vec<Note>> {
    Ok(db
        .query(
            "SELECT n.id, n.kind, n.owner_id, n.title, n.body, n.updated_at FROM notes n
             WHERE n.org_id = $1 AND n.search @@ to_tsquery('english', $2)
               AND (n.kind = 'organisation_memory' OR (n.kind = 'user_memory' AND n.owner_id = $3))
             ORDER BY ts_rank(n.search, to_tsquery('english', $2)) DESC, n.id LIMIT $4",
        )
        .bind(scope.org)
        .bind(words.join(" | "))
        .bind(scope.person)
        .bind(CANDIDATES)
        .all()
        .await?)
}

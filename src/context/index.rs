//! The search index of notes: their terms, with the words of their scope. SQLite keeps them in a full-text
//! table, PostgreSQL in a text vector; both answer which notes of a scope say which words.

use crate::base::error::Result;
use crate::base::ids::{NoteId, OrgId};
use crate::base::model::Model;
use crate::context::model::{Note, NoteKind, Scope};
use crate::context::rank::{Candidate, Hit};
use crate::context::terms::{self, Terms, VERSION};
use crate::db::args::Sql;
use crate::db::exec::Exec;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// Indexes a note, in the transaction that writes it.
pub(super) async fn put(tx: &mut Tx, org: OrgId, note: &Note) -> Result<()> {
    let terms = Terms::of(&note.title, &note.body);
    let whose = whose(org, note.kind, note.owner_id.uuid());
    let searched = format!("{whose} {whose}_{} {}", partition(note.model), terms.distinct());
    // A note may have no term at all, and PostgreSQL takes no empty one.
    let searched = searched.trim_end();
    let sqlite = tx.exec().is_sqlite();
    let upsert = tx
        .query(Sql::each(
            "INSERT INTO note_terms (org_id, note_id, version, length, terms) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (org_id, note_id) DO UPDATE
             SET version = excluded.version, length = excluded.length, terms = excluded.terms
             RETURNING number",
            "INSERT INTO note_terms (org_id, note_id, version, length, terms, search)
             VALUES ($1, $2, $3, $4, $5, array_to_tsvector(string_to_array($6, ' ')))
             ON CONFLICT (org_id, note_id) DO UPDATE
             SET version = excluded.version, length = excluded.length, terms = excluded.terms,
                 search = excluded.search
             RETURNING CAST(0 AS BIGINT)",
        ))
        .bind(org)
        .bind(note.id)
        .bind(VERSION)
        .bind(terms.length)
        .bind(terms.written());
    if !sqlite {
        let _: i64 = upsert.bind(searched).scalar().await?;
        return Ok(());
    }
    let number: i64 = upsert.scalar().await?;
    tx.query("DELETE FROM note_search WHERE rowid = $1")
        .bind(number)
        .execute()
        .await?;
    tx.query("INSERT INTO note_search (rowid, terms) VALUES ($1, $2)")
        .bind(number)
        .bind(searched)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn remove(tx: &mut Tx, org: OrgId, note: NoteId) -> Result<()> {
    if tx.exec().is_sqlite() {
        tx.query(
            "DELETE FROM note_search
             WHERE rowid = (SELECT number FROM note_terms WHERE org_id = $1 AND note_id = $2)",
        )
        .bind(org)
        .bind(note)
        .execute()
        .await?;
    }
    tx.query("DELETE FROM note_terms WHERE org_id = $1 AND note_id = $2")
        .bind(org)
        .bind(note)
        .execute()
        .await?;
    Ok(())
}

/// The notes of a scope that say any of the words, at most 62 words: which they say, in no order.
pub(super) async fn hits(db: &Db, scope: Scope, words: &[String]) -> Result<Vec<Hit>> {
    let scopes = scopes(scope);
    if words.is_empty() || scopes.is_empty() {
        return Ok(Vec::new());
    }
    let (any, branch) = if db.is_sqlite() {
        let any: Vec<String> = scopes.iter().map(|word| format!("\"{word}\"")).collect();
        (
            any.join(" OR "),
            // CROSS: else SQLite may go through all notes of the organization and ask the index for each.
            " AS bit FROM note_search s CROSS JOIN note_terms t ON t.number = s.rowid WHERE note_search MATCH ",
        )
    } else {
        let any: Vec<String> = scopes.iter().map(|word| format!("'{word}'")).collect();
        (any.join(" | "), " AS bit FROM note_terms t WHERE t.search @@ ")
    };
    let mut select = db.build("SELECT note_id, CAST(SUM(bit) AS BIGINT) AS words FROM (");
    for (place, word) in words.iter().enumerate() {
        let expression = if db.is_sqlite() {
            format!("({any}) AND \"{word}\"")
        } else {
            format!("({any}) & '{word}'")
        };
        select = select
            .push(if place == 0 { "" } else { " UNION ALL " })
            .push("SELECT t.note_id, ")
            .bind(1_i64 << place)
            .push(branch)
            .bind(expression)
            // Bound as text; a plain cast looks up no dictionary.
            .push(if db.is_sqlite() { "" } else { "::tsquery" })
            .push(" AND t.org_id = ")
            .bind(scope.org);
    }
    Ok(select.push(") AS said GROUP BY note_id").done().all().await?)
}

/// What is needed to rank these notes.
pub(super) async fn candidates(
    db: &Db,
    org: OrgId,
    notes: &[NoteId],
    words: &[String],
) -> Result<Vec<Candidate>> {
    let rows: Vec<(NoteId, i64, String)> = db
        .build("SELECT note_id, length, terms FROM note_terms WHERE org_id = ")
        .bind(org)
        .push(" AND note_id IN ")
        .list(padded(notes))
        .done()
        .all()
        .await?;
    let candidate = |(id, length, written): (NoteId, i64, String)| Candidate {
        id,
        length,
        counts: terms::counts(&written, words),
    };
    Ok(rows.into_iter().map(candidate).collect())
}

/// Notes of any organization that are not indexed as this version does: for bringing the index up to date.
pub(super) async fn outdated(db: Exec<'_>, most: i64) -> Result<Vec<(OrgId, NoteId)>> {
    Ok(db
        .query(
            "SELECT n.org_id, n.id FROM notes n
             LEFT JOIN note_terms t ON t.org_id = n.org_id AND t.note_id = n.id
             WHERE t.version IS NULL OR t.version <> $1 LIMIT $2",
        )
        .bind(VERSION)
        .bind(most)
        .all()
        .await?)
}

/// Lists of few lengths, so that few statements are prepared. What stands twice is found once.
pub(super) fn padded(ids: &[NoteId]) -> impl Iterator<Item = NoteId> + '_ {
    let length = [1, 4, 16, 64, 200]
        .into_iter()
        .find(|length| *length >= ids.len())
        .unwrap_or(ids.len());
    ids.iter()
        .copied()
        .chain(ids.last().copied().into_iter().cycle())
        .take(if ids.is_empty() { 0 } else { length })
}

/// The word of an organization's notes or of a person's. No term contains an underscore.
fn whose(org: OrgId, kind: NoteKind, owner: uuid::Uuid) -> String {
    let org = org.uuid().simple();
    match kind {
        NoteKind::Organization => format!("_o{org}"),
        NoteKind::Personal => format!("_p{org}{}", owner.simple()),
    }
}

fn partition(model: Option<Model>) -> &'static str {
    model.map_or("any", Model::as_str)
}

/// The words of which a note in scope bears one.
fn scopes(scope: Scope) -> Vec<String> {
    let person = scope
        .person
        .map(|person| whose(scope.org, NoteKind::Personal, person.uuid()));
    let organization = scope
        .organization
        .then(|| whose(scope.org, NoteKind::Organization, uuid::Uuid::nil()));
    let with_partition = |whose: String| match scope.model {
        None => vec![whose],
        Some(model) => [None, Some(model)]
            .map(|model| format!("{whose}_{}", partition(model)))
            .to_vec(),
    };
    person
        .into_iter()
        .chain(organization)
        .flat_map(with_partition)
        .collect()
}

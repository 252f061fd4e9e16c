//! The search index of notes: their terms and the words of their scope. SQLite stores them in a full-text table,
//! PostgreSQL in a text vector. Both are queried for the notes of a scope that contain given words.

use std::collections::HashMap;

use crate::base::error::Result;
use crate::base::ids::{NoteId, OrgId};
use crate::base::model::Model;
use crate::context::model::{Note, NoteKind, Scope};
use crate::context::rank::{Candidate, Hit};
use crate::context::terms::{self, Terms, VERSION};
use crate::db::exec::Exec;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// Indexes a note in the transaction that writes it.
pub(super) async fn put(tx: &mut Tx, org: OrgId, note: &Note) -> Result<()> {
    let terms = Terms::of(&note.title, &note.body);
    let owner = owner_word(org, note.kind, note.owner_id.uuid());
    let searched = format!("{owner} {owner}_{} {}", partition(note.model), terms.distinct());
    // A note may have no terms, and PostgreSQL does not accept an empty one.
    let searched = searched.trim_end();
    if tx.exec().is_sqlite() {
        put_sqlite(tx, org, note.id, &terms, searched).await
    } else {
        put_postgres(tx, org, note.id, &terms, searched).await
    }
}

async fn put_sqlite(tx: &mut Tx, org: OrgId, note: NoteId, terms: &Terms, searched: &str) -> Result<()> {
    let number: i64 = tx
        .query(
            "INSERT INTO note_terms (org_id, note_id, version, length) VALUES ($1, $2, $3, $4)
             ON CONFLICT (org_id, note_id) DO UPDATE SET version = excluded.version, length = excluded.length
             RETURNING number",
        )
        .bind(org)
        .bind(note)
        .bind(VERSION)
        .bind(terms.length)
        .scalar()
        .await?;
    tx.query(
        "INSERT INTO note_counts (number, org_id, note_id, terms) VALUES ($1, $2, $3, $4)
         ON CONFLICT (number) DO UPDATE SET terms = excluded.terms",
    )
    .bind(number)
    .bind(org)
    .bind(note)
    .bind(terms.encode())
    .execute()
    .await?;
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

async fn put_postgres(tx: &mut Tx, org: OrgId, note: NoteId, terms: &Terms, searched: &str) -> Result<()> {
    tx.query(
        "INSERT INTO note_terms (org_id, note_id, version, length, search)
         VALUES ($1, $2, $3, $4, array_to_tsvector(string_to_array($5, ' ')))
         ON CONFLICT (org_id, note_id) DO UPDATE
         SET version = excluded.version, length = excluded.length, search = excluded.search",
    )
    .bind(org)
    .bind(note)
    .bind(VERSION)
    .bind(terms.length)
    .bind(searched)
    .execute()
    .await?;
    tx.query(
        "INSERT INTO note_counts (org_id, note_id, terms) VALUES ($1, $2, $3)
         ON CONFLICT (org_id, note_id) DO UPDATE SET terms = excluded.terms",
    )
    .bind(org)
    .bind(note)
    .bind(terms.encode())
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

/// The notes of a scope that contain any of at most 62 words, and which words they contain; unordered.
pub(super) async fn hits(db: &Db, scope: Scope, words: &[String]) -> Result<Vec<Hit>> {
    let scopes = scope_words(scope);
    if words.is_empty() || scopes.is_empty() {
        return Ok(Vec::new());
    }
    if db.is_sqlite() {
        sqlite_hits(db, scope.org, &scopes, words).await
    } else {
        postgres_hits(db, scope.org, &scopes, words).await
    }
}

async fn sqlite_hits(db: &Db, org: OrgId, scopes: &[String], words: &[String]) -> Result<Vec<Hit>> {
    let any: Vec<String> = scopes.iter().map(|word| format!("\"{word}\"")).collect();
    let any = any.join(" OR ");
    // Groups the matches by note first, so that the row of each note is looked up once.
    let mut select = db.build(
        "SELECT t.note_id, t.number, t.length, matched.words FROM (SELECT number, SUM(bit) AS words FROM (",
    );
    for (place, word) in words.iter().enumerate() {
        select = select
            .push(if place == 0 { "" } else { " UNION ALL " })
            .push("SELECT rowid AS number, ")
            .bind(1_i64 << place)
            .push(" AS bit FROM note_search WHERE note_search MATCH ")
            .bind(format!("({any}) AND \"{word}\""));
    }
    let select = select
        .push(
            ") AS bits GROUP BY number) AS matched
             CROSS JOIN note_terms t ON t.number = matched.number WHERE t.org_id = ",
        )
        .bind(org);
    Ok(select.done().all().await?)
}

async fn postgres_hits(db: &Db, org: OrgId, scopes: &[String], words: &[String]) -> Result<Vec<Hit>> {
    let any: Vec<String> = scopes.iter().map(|word| format!("'{word}'")).collect();
    let any = any.join(" | ");
    let mut select = db.build(
        "SELECT note_id, CAST(0 AS BIGINT) AS number, length, CAST(SUM(bit) AS BIGINT) AS words FROM (",
    );
    for (place, word) in words.iter().enumerate() {
        select = select
            .push(if place == 0 { "" } else { " UNION ALL " })
            .push("SELECT t.note_id, t.length, ")
            .bind(1_i64 << place)
            .push(" AS bit FROM note_terms t WHERE t.search @@ ")
            .bind(format!("({any}) & '{word}'"))
            // Bound as text and cast, which does not apply a text search dictionary.
            .push("::tsquery AND t.org_id = ")
            .bind(org);
    }
    let select = select.push(") AS bits GROUP BY note_id, length");
    Ok(select.done().all().await?)
}

/// Reads what is needed to rank these notes.
pub(super) async fn candidates(
    db: &Db,
    org: OrgId,
    hits: &[Hit],
    words: &[String],
) -> Result<Vec<Candidate>> {
    let select = db
        .build("SELECT note_id, terms FROM note_counts WHERE org_id = ")
        .bind(org);
    let select = if db.is_sqlite() {
        let numbers: Vec<i64> = hits.iter().map(|hit| hit.number).collect();
        select.push(" AND number IN ").list(padded(&numbers))
    } else {
        let notes: Vec<NoteId> = hits.iter().map(|hit| hit.note_id).collect();
        select.push(" AND note_id IN ").list(padded(&notes))
    };
    let rows: Vec<(NoteId, String)> = select.done().all().await?;
    let lengths: HashMap<NoteId, i64> = hits.iter().map(|hit| (hit.note_id, hit.length)).collect();
    let candidates = rows.into_iter().filter_map(|(id, encoded)| {
        Some(Candidate {
            id,
            length: *lengths.get(&id)?,
            counts: terms::counts(&encoded, words),
        })
    });
    Ok(candidates.collect())
}

/// Notes of all organizations whose index entry is missing or was written by another version of the index.
pub(super) async fn outdated(db: Exec<'_>, limit: i64) -> Result<Vec<(OrgId, NoteId)>> {
    Ok(db
        .query(
            "SELECT n.org_id, n.id FROM notes n
             LEFT JOIN note_terms t ON t.org_id = n.org_id AND t.note_id = n.id
             WHERE t.version IS NULL OR t.version <> $1 LIMIT $2",
        )
        .bind(VERSION)
        .bind(limit)
        .all()
        .await?)
}

/// Pads a list to one of a few lengths by repeating its last element, so that few statements are prepared. For `IN`
/// lists, where repetition makes no difference.
pub(super) fn padded<T: Copy>(ids: &[T]) -> impl Iterator<Item = T> + '_ {
    let length = [1, 4, 16, 64, 200]
        .into_iter()
        .find(|length| *length >= ids.len())
        .unwrap_or(ids.len());
    ids.iter()
        .copied()
        .chain(ids.last().copied().into_iter().cycle())
        .take(if ids.is_empty() { 0 } else { length })
}

/// The index word for notes of an organization or of a person. It cannot collide with terms, which contain no
/// underscore.
fn owner_word(org: OrgId, kind: NoteKind, owner: uuid::Uuid) -> String {
    let org = org.uuid().simple();
    match kind {
        NoteKind::Organization => format!("_o{org}"),
        NoteKind::Personal => format!("_p{org}{}", owner.simple()),
    }
}

fn partition(model: Option<Model>) -> &'static str {
    model.map_or("any", Model::as_str)
}

/// The index words for a scope. A note is in the scope if it has one of them.
fn scope_words(scope: Scope) -> Vec<String> {
    let person = scope
        .person
        .map(|person| owner_word(scope.org, NoteKind::Personal, person.uuid()));
    let organization = scope
        .organization
        .then(|| owner_word(scope.org, NoteKind::Organization, uuid::Uuid::nil()));
    let with_partition = |owner: String| match scope.model {
        None => vec![owner],
        Some(model) => [None, Some(model)]
            .map(|model| format!("{owner}_{}", partition(model)))
            .to_vec(),
    };
    person
        .into_iter()
        .chain(organization)
        .flat_map(with_partition)
        .collect()
}

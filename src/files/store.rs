//! Tables of files, and of the turns and notes they belong to.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use crate::base::error::Result;
use crate::base::ids::{FileId, MessageId, NoteId, OrgId, SessionId, UserId};
use crate::blobs::store::BlobKey;
use crate::db::exec::Exec;
use crate::db::tx::Tx;
use crate::files::model::{Audience, File, Kind, OF_NOTES, Part, Refusal, Verdict};

#[derive(sqlx::FromRow)]
struct Row {
    id: FileId,
    origin: String,
    position: i64,
    user_id: UserId,
    audience: Audience,
    name: String,
    declared_type: Option<String>,
    kind: Option<Kind>,
    macros: bool,
    bytes: Option<i64>,
    sha256: Option<Vec<u8>>,
    blob_key: Option<String>,
    verdict: Verdict,
    reason: Option<Json<Refusal>>,
}

impl Row {
    fn read(self) -> Result<File> {
        Ok(File {
            id: self.id,
            origin: self.origin,
            position: self.position,
            owner: self.user_id,
            audience: self.audience,
            name: self.name,
            declared_type: self.declared_type,
            kind: self.kind,
            macros: self.macros,
            bytes: self.bytes,
            sha256: self.sha256,
            blob: self.blob_key.as_deref().map(BlobKey::stored).transpose()?,
            verdict: self.verdict,
            refusal: self.reason.map(|Json(reason)| reason),
        })
    }
}

/// Adds a file. Returns false if its origin already has a file at this position.
pub(super) async fn add(tx: &mut Tx, org: OrgId, file: &File) -> Result<bool> {
    let now = tx.now().await?;
    let added = tx
        .query(
            "INSERT INTO files (org_id, id, origin, position, user_id, audience, name, declared_type, kind, macros,
                                bytes, sha256, blob_key, verdict, reason, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
             ON CONFLICT DO NOTHING",
        )
        .bind(org)
        .bind(file.id)
        .bind(&file.origin)
        .bind(file.position)
        .bind(file.owner)
        .bind(file.audience)
        .bind(&file.name)
        .bind(&file.declared_type)
        .bind(file.kind)
        .bind(file.macros)
        .bind(file.bytes)
        .bind(&file.sha256)
        .bind(file.blob.as_ref().map(BlobKey::as_str))
        .bind(file.verdict)
        .bind(file.refusal.as_ref().map(Json))
        .bind(now)
        .execute()
        .await?;
    Ok(added == 1)
}

pub(super) async fn attach(
    tx: &mut Tx,
    org: OrgId,
    message: MessageId,
    part: Part,
    position: i64,
    file: FileId,
) -> Result<()> {
    tx.query(
        "INSERT INTO message_files (org_id, message_id, part, position, file_id) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(org)
    .bind(message)
    .bind(part)
    .bind(position)
    .bind(file)
    .execute()
    .await?;
    Ok(())
}

/// Appends a file to the files of a note.
pub(super) async fn attach_to_note(tx: &mut Tx, org: OrgId, note: NoteId, file: FileId) -> Result<()> {
    tx.query(
        "INSERT INTO note_files (org_id, note_id, position, file_id)
         SELECT $1, $2, COALESCE(MAX(position), -1) + 1, $3 FROM note_files WHERE org_id = $1 AND note_id = $2",
    )
    .bind(org)
    .bind(note)
    .bind(file)
    .execute()
    .await?;
    Ok(())
}

/// The notes that a file is attached to.
pub(super) async fn notes_with(db: Exec<'_>, org: OrgId, file: FileId) -> Result<Vec<(NoteId,)>> {
    Ok(db
        .query("SELECT note_id FROM note_files WHERE org_id = $1 AND file_id = $2 ORDER BY note_id")
        .bind(org)
        .bind(file)
        .all()
        .await?)
}

pub(super) async fn of_origin(db: Exec<'_>, org: OrgId, origin: &str) -> Result<Vec<File>> {
    let rows: Vec<Row> = db
        .query(
            "SELECT id, origin, position, user_id, audience, name, declared_type, kind, macros, bytes, sha256,
                    blob_key, verdict, reason
             FROM files WHERE org_id = $1 AND origin = $2 ORDER BY position",
        )
        .bind(org)
        .bind(origin)
        .all()
        .await?;
    rows.into_iter().map(Row::read).collect()
}

pub(super) async fn detach_from_note(tx: &mut Tx, org: OrgId, note: NoteId, file: FileId) -> Result<bool> {
    let detached = tx
        .query("DELETE FROM note_files WHERE org_id = $1 AND note_id = $2 AND file_id = $3")
        .bind(org)
        .bind(note)
        .bind(file)
        .execute()
        .await?;
    Ok(detached == 1)
}

/// Files of a note in order, at most `limit`, skipping the first `from`.
pub(super) async fn of_note(
    db: Exec<'_>,
    org: OrgId,
    note: NoteId,
    from: i64,
    limit: i64,
) -> Result<Vec<File>> {
    let rows: Vec<Row> = db
        .query(
            "SELECT f.id, f.origin, f.position, f.user_id, f.audience, f.name, f.declared_type, f.kind, f.macros,
                    f.bytes, f.sha256, f.blob_key, f.verdict, f.reason
             FROM note_files n JOIN files f ON f.org_id = n.org_id AND f.id = n.file_id
             WHERE n.org_id = $1 AND n.note_id = $2 ORDER BY n.position LIMIT $3 OFFSET $4",
        )
        .bind(org)
        .bind(note)
        .bind(limit)
        .bind(from)
        .all()
        .await?;
    rows.into_iter().map(Row::read).collect()
}

pub(super) async fn count_of_note(db: Exec<'_>, org: OrgId, note: NoteId) -> Result<i64> {
    db.query("SELECT COUNT(*) FROM note_files WHERE org_id = $1 AND note_id = $2")
        .bind(org)
        .bind(note)
        .scalar()
        .await
        .map_err(Into::into)
}

pub(super) async fn find(db: Exec<'_>, org: OrgId, id: FileId) -> Result<Option<File>> {
    let row: Option<Row> = db
        .query(
            "SELECT id, origin, position, user_id, audience, name, declared_type, kind, macros, bytes, sha256,
                    blob_key, verdict, reason
             FROM files WHERE org_id = $1 AND id = $2",
        )
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    row.map(Row::read).transpose()
}

pub(super) async fn is_of_session(db: Exec<'_>, org: OrgId, session: SessionId, id: FileId) -> Result<bool> {
    let count: i64 = db
        .query(
            "SELECT COUNT(*) FROM message_files f JOIN messages m ON m.org_id = f.org_id AND m.id = f.message_id
             WHERE f.org_id = $1 AND f.file_id = $2 AND m.session_id = $3",
        )
        .bind(org)
        .bind(id)
        .bind(session)
        .scalar()
        .await?;
    Ok(count > 0)
}

pub(super) async fn is_of_note(db: Exec<'_>, org: OrgId, note: NoteId, id: FileId) -> Result<bool> {
    let count: i64 = db
        .query("SELECT COUNT(*) FROM note_files WHERE org_id = $1 AND note_id = $2 AND file_id = $3")
        .bind(org)
        .bind(note)
        .bind(id)
        .scalar()
        .await?;
    Ok(count > 0)
}

/// A file with the turn and part it belongs to.
#[derive(sqlx::FromRow)]
struct InTurn {
    message_id: MessageId,
    part: Part,
    #[sqlx(flatten)]
    file: Row,
}

/// The files of some turns, grouped by turn, those of the question before those of the answer, each in order.
pub(super) async fn of_turns(
    db: Exec<'_>,
    org: OrgId,
    turns: &[MessageId],
) -> Result<Vec<(MessageId, Part, File)>> {
    let rows: Vec<InTurn> = db
        .build(
            "SELECT m.message_id, m.part, f.id, f.origin, f.position, f.user_id, f.audience, f.name, f.declared_type,
                    f.kind, f.macros, f.bytes, f.sha256, f.blob_key, f.verdict, f.reason
             FROM message_files m JOIN files f ON f.org_id = m.org_id AND f.id = m.file_id WHERE m.org_id = ",
        )
        .bind(org)
        .push(" AND m.message_id IN ")
        .list(turns.iter().copied())
        .push(" ORDER BY m.message_id, m.part DESC, m.position")
        .done()
        .all()
        .await?;
    let read = |row: InTurn| Ok((row.message_id, row.part, row.file.read()?));
    rows.into_iter().map(read).collect()
}

/// Marks a file as loose: nothing may refer to it any more. The sweep checks this and removes it.
pub(super) async fn loosen(tx: &mut Tx, org: OrgId, id: FileId, at: DateTime<Utc>) -> Result<()> {
    tx.query("UPDATE files SET loose_since = $1 WHERE org_id = $2 AND id = $3")
        .bind(at)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Like [`loosen`], for all files of a note.
pub(super) async fn loosen_all(tx: &mut Tx, org: OrgId, note: NoteId, at: DateTime<Utc>) -> Result<()> {
    tx.query(
        "UPDATE files SET loose_since = $1
         WHERE org_id = $2 AND id IN (SELECT file_id FROM note_files WHERE org_id = $2 AND note_id = $3)",
    )
    .bind(at)
    .bind(org)
    .bind(note)
    .execute()
    .await?;
    Ok(())
}

/// Removes files of all organizations that have been loose since before `until` and that nothing refers to, and
/// unmarks the others. A reference from a turn keeps a file that was sent with a question, but not a note's file,
/// which a turn shows only while a note has it. Returns how many were removed.
pub(super) async fn remove_loose(tx: &mut Tx, until: DateTime<Utc>) -> Result<u64> {
    let of_notes = format!("{OF_NOTES}%");
    tx.query(
        "UPDATE files SET loose_since = NULL WHERE loose_since < $1
         AND (EXISTS (SELECT 1 FROM note_files n WHERE n.org_id = files.org_id AND n.file_id = files.id)
              OR (origin NOT LIKE $2 AND EXISTS
                  (SELECT 1 FROM message_files m WHERE m.org_id = files.org_id AND m.file_id = files.id)))",
    )
    .bind(until)
    .bind(of_notes)
    .execute()
    .await?;
    tx.query(
        "DELETE FROM message_files
         WHERE (org_id, file_id) IN (SELECT org_id, id FROM files WHERE loose_since < $1)",
    )
    .bind(until)
    .execute()
    .await?;
    Ok(tx
        .query("DELETE FROM files WHERE loose_since < $1")
        .bind(until)
        .execute()
        .await?)
}

/// The subset of the blob keys that belong to a file.
pub(super) async fn with_blobs(db: Exec<'_>, org: OrgId, keys: &[BlobKey]) -> Result<Vec<(String,)>> {
    Ok(db
        .build("SELECT blob_key FROM files WHERE org_id = ")
        .bind(org)
        .push(" AND blob_key IN ")
        .list(keys.iter().map(|key| key.as_str().to_owned()))
        .done()
        .all()
        .await?)
}

/// Files sent with earlier questions of a session, with the times of their questions, newest first.
pub(super) async fn of_earlier_turns(
    db: Exec<'_>,
    org: OrgId,
    session: SessionId,
    message: MessageId,
    shared: bool,
    limit: i64,
) -> Result<Vec<(FileId, DateTime<Utc>)>> {
    // A file that was attached to several turns counts once, with the last of them.
    Ok(db
        .query(
            "SELECT f.id, MAX(m.created_at) FROM messages m
             JOIN message_files a ON a.org_id = m.org_id AND a.message_id = m.id
             JOIN files f ON f.org_id = a.org_id AND f.id = a.file_id
             WHERE m.org_id = $1 AND m.session_id = $2 AND m.id < $3 AND a.part = $4 AND f.blob_key IS NOT NULL
               AND (NOT $5 OR f.audience = $6)
             GROUP BY f.id ORDER BY MAX(m.created_at) DESC, f.id DESC LIMIT $7",
        )
        .bind(org)
        .bind(session)
        .bind(message)
        .bind(Part::Question)
        .bind(shared)
        .bind(Audience::Shared)
        .bind(limit)
        .all()
        .await?)
}

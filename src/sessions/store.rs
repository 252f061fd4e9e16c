//! Tables of sessions, participants, messages and responses.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;

use crate::base::error::Result;
use crate::base::ids::{JobId, KeyId, MessageId, OrgId, SessionId, UserId};
use crate::db::exec::{Exec, batches};
use crate::db::tx::Tx;
use crate::sessions::model::{Message, Session, Status, StoredResponse, digest};

/// Adds sessions, except where the origin already has one, and returns how many were added.
pub(super) async fn add(tx: &mut Tx, sessions: &[(OrgId, Option<&str>, &Session)]) -> Result<usize> {
    let mut added = 0;
    for batch in batches(sessions) {
        let mut insert =
            tx.build("INSERT INTO sessions (org_id, id, audience, owner_id, origin, created_at) VALUES ");
        for (n, (org, origin, session)) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(session.id)
                .push(", ")
                .bind(session.audience)
                .push(", ")
                .bind(session.owner_id)
                .push(", ")
                .bind(*origin)
                .push(", ")
                .bind(session.created_at)
                .push(")");
        }
        added += insert.push(" ON CONFLICT DO NOTHING").done().execute().await?;
    }
    Ok(usize::try_from(added).unwrap_or(usize::MAX))
}

/// The existing sessions of these origins, each with its origin.
pub(super) async fn of_origins(
    tx: &mut Tx,
    origins: &[(OrgId, &str)],
) -> Result<Vec<(OrgId, String, Session)>> {
    let mut found = Vec::new();
    for batch in batches(origins) {
        let mut select = tx.build("WITH asked (org_id, origin) AS (VALUES ");
        for (n, (org, origin)) in batch.iter().enumerate() {
            select = select
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(*origin)
                .push(")");
        }
        // CROSS JOIN makes SQLite keep this join order and look each session up by key.
        let rows: Vec<Found<String>> = select
            .push(
                ") SELECT a.org_id, a.origin AS asked, s.id, s.audience, s.owner_id, s.created_at
                 FROM asked a CROSS JOIN sessions s WHERE s.org_id = a.org_id AND s.origin = a.origin",
            )
            .done()
            .all()
            .await?;
        found.extend(rows.into_iter().map(Found::read));
    }
    Ok(found)
}

/// The sessions in which the given person takes part, each with the person.
pub(super) async fn all_taken_part_in(
    tx: &mut Tx,
    sessions: &[(OrgId, SessionId, UserId)],
) -> Result<Vec<(OrgId, UserId, Session)>> {
    let mut found = Vec::new();
    for batch in batches(sessions) {
        let mut select = tx.build("WITH asked (org_id, id, user_id) AS (VALUES ");
        for (n, (org, id, user)) in batch.iter().enumerate() {
            select = select
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(*id)
                .push(", ")
                .bind(*user)
                .push(")");
        }
        let rows: Vec<Found<UserId>> = select
            .push(
                ") SELECT a.org_id, a.user_id AS asked, s.id, s.audience, s.owner_id, s.created_at
                 FROM asked a CROSS JOIN sessions s WHERE s.org_id = a.org_id AND s.id = a.id
                   AND (s.owner_id = a.user_id OR EXISTS (SELECT 1 FROM session_participants p
                        WHERE p.org_id = s.org_id AND p.session_id = s.id AND p.user_id = a.user_id))",
            )
            .done()
            .all()
            .await?;
        found.extend(rows.into_iter().map(Found::read));
    }
    Ok(found)
}

/// A session with the value it was looked up by.
#[derive(sqlx::FromRow)]
struct Found<T> {
    org_id: OrgId,
    asked: T,
    #[sqlx(flatten)]
    session: Session,
}

impl<T> Found<T> {
    fn read(self) -> (OrgId, T, Session) {
        (self.org_id, self.asked, self.session)
    }
}

/// A session that the person takes part in: their private one, or a shared one that has a turn of theirs.
pub(super) async fn joined(db: Exec<'_>, org: OrgId, id: SessionId, user: UserId) -> Result<Option<Session>> {
    Ok(db
        .query(
            "SELECT s.id, s.audience, s.owner_id, s.created_at FROM sessions s
             WHERE s.org_id = $1 AND s.id = $2
               AND (s.owner_id = $3 OR EXISTS (SELECT 1 FROM session_participants p
                    WHERE p.org_id = s.org_id AND p.session_id = s.id AND p.user_id = $3))",
        )
        .bind(org)
        .bind(id)
        .bind(user)
        .optional()
        .await?)
}

/// The participants of a shared session, at most `limit`.
pub(super) async fn participants(
    db: Exec<'_>,
    org: OrgId,
    session: SessionId,
    limit: i64,
) -> Result<Vec<(UserId,)>> {
    Ok(db
        .query(
            "SELECT user_id FROM session_participants WHERE org_id = $1 AND session_id = $2
             ORDER BY user_id LIMIT $3",
        )
        .bind(org)
        .bind(session)
        .bind(limit)
        .all()
        .await?)
}

/// Adds participants to shared sessions.
pub(super) async fn join(tx: &mut Tx, joining: &[(OrgId, SessionId, UserId)]) -> Result<()> {
    for batch in batches(joining) {
        let mut insert = tx.build("INSERT INTO session_participants (org_id, session_id, user_id) VALUES ");
        for (n, (org, session, user)) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(*session)
                .push(", ")
                .bind(*user)
                .push(")");
        }
        insert.push(" ON CONFLICT DO NOTHING").done().execute().await?;
    }
    Ok(())
}

/// Adds turns, each with the project key it was requested with.
pub(super) async fn add_messages(tx: &mut Tx, messages: &[(OrgId, Message, Option<KeyId>)]) -> Result<()> {
    for batch in batches(messages) {
        let mut insert = tx.build(
            "INSERT INTO messages (org_id, id, session_id, run_id, user_id, question, tone, fast,
                                   organisation_safe, status, created_at, key_id, question_digest) VALUES ",
        );
        for (n, (org, message, key)) in batch.iter().enumerate() {
            insert = insert
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(message.id)
                .push(", ")
                .bind(message.session_id)
                .push(", ")
                .bind(message.run_id)
                .push(", ")
                .bind(message.user_id)
                .push(", ")
                .bind(&message.question)
                .push(", ")
                .bind(&message.tone)
                .push(", ")
                .bind(message.fast)
                .push(", ")
                .bind(message.organisation_safe)
                .push(", ")
                .bind(message.status)
                .push(", ")
                .bind(message.created_at)
                .push(", ")
                .bind(*key)
                .push(", ")
                .bind(digest(&message.question))
                .push(")");
        }
        insert.done().execute().await?;
    }
    Ok(())
}

/// The existing turns among `ids`, without duplicates, unordered.
pub(super) async fn messages_of(db: Exec<'_>, org: OrgId, ids: &[MessageId]) -> Result<Vec<Message>> {
    // Padded to a power of two by repeating the last id, so that few statement texts are prepared.
    let last = ids.last().copied();
    let padded = ids.iter().copied().chain(last.into_iter().cycle());
    Ok(db
        .build(
            "SELECT id, session_id, run_id, user_id, question, tone, fast, organisation_safe, status,
                    failure, created_at, finished_at
             FROM messages WHERE org_id = ",
        )
        .bind(org)
        .push(" AND id IN ")
        .list(padded.take(ids.len().next_power_of_two()))
        .done()
        .all()
        .await?)
}

/// The questions of the turns among `ids` that are in shared sessions.
pub(super) async fn shared_questions(
    db: Exec<'_>,
    org: OrgId,
    ids: &[MessageId],
) -> Result<Vec<(MessageId, String)>> {
    let mut select = db
        .build(
            "SELECT m.id, m.question FROM messages m
             JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id
             WHERE s.audience = 'shared' AND m.org_id = ",
        )
        .bind(org)
        .push(" AND m.id IN (");
    for (n, id) in ids.iter().enumerate() {
        select = select.push(if n == 0 { "" } else { ", " }).bind(*id);
    }
    Ok(select.push(")").done().all().await?)
}

pub(super) async fn message_of_run(db: Exec<'_>, org: OrgId, run: JobId) -> Result<Option<Message>> {
    Ok(db
        .query(
            "SELECT id, session_id, run_id, user_id, question, tone, fast, organisation_safe, status,
                    failure, created_at, finished_at
             FROM messages WHERE org_id = $1 AND run_id = $2",
        )
        .bind(org)
        .bind(run)
        .optional()
        .await?)
}

/// Ends a turn that is processing. Returns false if it has already ended.
pub(super) async fn end(
    tx: &mut Tx,
    org: OrgId,
    id: MessageId,
    status: Status,
    failure: Option<&str>,
    at: DateTime<Utc>,
) -> Result<bool> {
    let ended = tx
        .query(
            "UPDATE messages SET status = $1, failure = $2, finished_at = $3
             WHERE org_id = $4 AND id = $5 AND status = 'processing'",
        )
        .bind(status)
        .bind(failure)
        .bind(at)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(ended == 1)
}

pub(super) async fn add_response(
    tx: &mut Tx,
    org: OrgId,
    id: MessageId,
    response: &StoredResponse,
    at: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "INSERT INTO responses (org_id, message_id, answer, frame, model, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(org)
    .bind(id)
    .bind(Json(&response.answer))
    .bind(response.frame.as_ref().map(Json))
    .bind(&response.model)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn response(db: Exec<'_>, org: OrgId, id: MessageId) -> Result<Option<StoredResponse>> {
    let row: Option<(Json<Value>, Option<Json<Value>>, String)> = db
        .query("SELECT answer, frame, model FROM responses WHERE org_id = $1 AND message_id = $2")
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(Json(answer), frame, model)| StoredResponse {
        answer,
        frame: frame.map(|Json(frame)| frame),
        model,
    }))
}

/// The frame of the newest completed turn before this one. If this turn is organisation-safe, only frames of
/// organisation-safe turns are used.
pub(super) async fn last_frame(db: Exec<'_>, org: OrgId, before: &Message) -> Result<Option<Value>> {
    let row: Option<(Option<Json<Value>>,)> = db
        .query(
            "SELECT r.frame FROM messages m JOIN responses r ON r.org_id = m.org_id AND r.message_id = m.id
             WHERE m.org_id = $1 AND m.session_id = $2 AND (m.created_at, m.id) < ($3, $4) AND m.status = 'completed'
               AND r.frame IS NOT NULL AND (m.organisation_safe OR NOT $5)
             ORDER BY m.created_at DESC, m.id DESC LIMIT 1",
        )
        .bind(org)
        .bind(before.session_id)
        .bind(before.created_at)
        .bind(before.id)
        .bind(before.organisation_safe)
        .optional()
        .await?;
    Ok(row.and_then(|(frame,)| frame.map(|Json(frame)| frame)))
}

/// Sets what a run in progress is doing.
pub(super) async fn set_progress(tx: &mut Tx, org: OrgId, id: MessageId, words: &str) -> Result<()> {
    tx.query("UPDATE messages SET progress = $1 WHERE org_id = $2 AND id = $3 AND status = 'processing'")
        .bind(words)
        .bind(org)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// What a run in progress is doing.
pub(super) async fn progress(db: Exec<'_>, org: OrgId, id: MessageId) -> Result<Option<String>> {
    let row: Option<(Option<String>,)> = db
        .query("SELECT progress FROM messages WHERE org_id = $1 AND id = $2 AND status = 'processing'")
        .bind(org)
        .bind(id)
        .optional()
        .await?;
    Ok(row.and_then(|(progress,)| progress))
}

/// The last completed turns of a session before one of its turns, newest first: question and stored answer. Only those
/// that a run of that turn may see.
pub(super) async fn earlier_turns(
    db: Exec<'_>,
    org: OrgId,
    before: &Message,
    limit: i64,
) -> Result<Vec<(String, Value)>> {
    let rows: Vec<(String, Json<Value>)> = db
        .query(
            "SELECT m.question, r.answer FROM messages m
             JOIN responses r ON r.org_id = m.org_id AND r.message_id = m.id
             WHERE m.org_id = $1 AND m.session_id = $2 AND (m.created_at, m.id) < ($3, $4) AND m.status = 'completed'
               AND (m.organisation_safe OR NOT $5)
             ORDER BY m.created_at DESC, m.id DESC LIMIT $6",
        )
        .bind(org)
        .bind(before.session_id)
        .bind(before.created_at)
        .bind(before.id)
        .bind(before.organisation_safe)
        .bind(limit)
        .all()
        .await?;
    Ok(rows
        .into_iter()
        .map(|(question, Json(answer))| (question, answer))
        .collect())
}

/// Turns in progress in sessions whose origin starts with `origin`, oldest first.
pub(super) async fn processing(db: Exec<'_>, org: OrgId, origin: &str, limit: i64) -> Result<Vec<Message>> {
    let length = i64::try_from(origin.chars().count()).unwrap_or(i64::MAX);
    Ok(db
        .query(
            "SELECT m.id, m.session_id, m.run_id, m.user_id, m.question, m.tone, m.fast, m.organisation_safe,
                    m.status, m.failure, m.created_at, m.finished_at
             FROM messages m JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id
             WHERE m.org_id = $1 AND m.status = 'processing' AND m.status <> 'completed'
               AND SUBSTR(s.origin, 1, CAST($2 AS INTEGER)) = $3
             ORDER BY m.created_at, m.id LIMIT $4",
        )
        .bind(org)
        .bind(length)
        .bind(origin)
        .bind(limit)
        .all()
        .await?)
}

/// The turns of a session, oldest first, at most `limit`.
pub(super) async fn messages(
    db: Exec<'_>,
    org: OrgId,
    session: SessionId,
    limit: i64,
) -> Result<Vec<Message>> {
    Ok(db
        .query(
            "SELECT id, session_id, run_id, user_id, question, tone, fast, organisation_safe, status,
                    failure, created_at, finished_at
             FROM messages WHERE org_id = $1 AND session_id = $2 ORDER BY created_at, id LIMIT $3",
        )
        .bind(org)
        .bind(session)
        .bind(limit)
        .all()
        .await?)
}

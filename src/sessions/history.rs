//! Reads turns page by page: those of a person newest first, those of a session in order. Every statement has an index
//! that yields its rows in order, so that the cost of a page does not depend on the number of turns.

use serde_json::Value;
use sqlx::types::Json;

use crate::base::error::Result;
use crate::base::ids::{OrgId, SessionId, UserId};
use crate::db::exec::{Builder, Exec, Query};
use crate::db::pool::Db;
use crate::sessions::model::{Filter, Message, Place, Status, Turn};

/// A person's turns, newest first, starting after `after`.
///
/// When filtering by question or session, the other conditions are written so that they cannot use an index. Otherwise
/// a planner may scan all turns of the person in order, hoping to find the few matching ones soon.
pub(super) async fn of_person(
    db: Exec<'_>,
    org: OrgId,
    user: UserId,
    filter: &Filter,
    after: Option<Place>,
    limit: i64,
) -> Result<Vec<Message>> {
    let is_sqlite = db.is_sqlite();
    let by_session = filter.session.is_some() && filter.question.is_none();
    let mut select = db
        .build(
            "SELECT m.id, m.session_id, m.run_id, m.user_id, m.question, m.tone, m.fast, m.organisation_safe,
                    m.status, m.failure, m.created_at, m.finished_at
             FROM messages m WHERE m.org_id = ",
        )
        .bind(org)
        .push(match (by_session, is_sqlite) {
            (false, _) => " AND m.user_id = ",
            (true, true) => " AND +m.user_id = ",
            (true, false) => " AND m.user_id IS NOT DISTINCT FROM ",
        })
        .bind(user);
    if let Some(digest) = &filter.question {
        select = select.push(" AND m.question_digest = ").bind(digest.as_slice());
    }
    if let Some(session) = filter.session {
        select = select
            .push(match (by_session, is_sqlite) {
                (true, _) => " AND m.session_id = ",
                (false, true) => " AND +m.session_id = ",
                (false, false) => " AND m.session_id IS NOT DISTINCT FROM ",
            })
            .bind(session);
    }
    // Literals, because otherwise the partial index on turns that are not completed would not be used.
    select = match filter.status {
        None => select,
        Some(Status::Completed) => select.push(" AND m.status = 'completed'"),
        Some(Status::Processing) => select.push(" AND m.status = 'processing' AND m.status <> 'completed'"),
        Some(Status::Failed) => select.push(" AND m.status = 'failed' AND m.status <> 'completed'"),
    };
    if let Some(from) = filter.from {
        select = select.push(" AND m.created_at >= ").bind(from);
    }
    if let Some(until) = filter.until {
        select = select.push(" AND m.created_at < ").bind(until);
    }
    if let Some(Place(at, id)) = after {
        select = select
            .push(" AND (m.created_at, m.id) < (")
            .bind(at)
            .push(", ")
            .bind(id)
            .push(")");
    }
    let select = select.push(" ORDER BY m.created_at DESC, m.id DESC").limit(limit);
    Ok(select.done().all().await?)
}

/// Most bytes of the questions and answers of one page, unless its first turn alone has more.
const PAGE_BYTES: i64 = 1 << 20;

#[derive(sqlx::FromRow)]
struct TurnRow {
    #[sqlx(flatten)]
    message: Message,
    answer: Option<Json<Value>>,
}

impl From<TurnRow> for Turn {
    fn from(row: TurnRow) -> Self {
        Self {
            message: row.message,
            answer: row.answer.map(|Json(answer)| answer),
        }
    }
}

/// Turns of a session in order, starting after `after`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfSession {
    pub(super) org: OrgId,
    pub(super) session: SessionId,
    /// Only turns that have ended.
    pub(super) ended: bool,
    pub(super) after: Option<Place>,
}

impl OfSession {
    /// The turns, `limit` at most, and whether there are more.
    pub(super) async fn page(self, db: &Db, limit: usize) -> Result<(Vec<Turn>, bool)> {
        let rows = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
        let sizes: Vec<(i64,)> = self
            .statement(
                db.read().build(
                    "SELECT CAST(octet_length(m.question) + COALESCE(octet_length(CAST(r.answer AS TEXT)), 0) AS BIGINT)
                     FROM messages m LEFT JOIN responses r ON r.org_id = m.org_id AND r.message_id = m.id",
                ),
                rows,
            )
            .all()
            .await?;
        let mut total = 0_i64;
        let fits = |(bytes,): &&(i64,)| {
            total = total.saturating_add(*bytes);
            total <= PAGE_BYTES
        };
        let count = sizes.iter().take(limit).take_while(fits).count();
        let count = count.max(1).min(sizes.len());
        let rows: Vec<TurnRow> = self
            .statement(
                db.read().build(
                    "SELECT m.id, m.session_id, m.run_id, m.user_id, m.question, m.tone, m.fast, m.organisation_safe,
                            m.status, m.failure, m.created_at, m.finished_at, r.answer
                     FROM messages m LEFT JOIN responses r ON r.org_id = m.org_id AND r.message_id = m.id",
                ),
                i64::try_from(count).unwrap_or(i64::MAX),
            )
            .all()
            .await?;
        Ok((rows.into_iter().map(Turn::from).collect(), sizes.len() > count))
    }

    /// Completes a statement about messages `m`.
    fn statement(self, select: Builder<'_>, limit: i64) -> Query<'_> {
        let mut select = select
            .push(" WHERE m.org_id = ")
            .bind(self.org)
            .push(" AND m.session_id = ")
            .bind(self.session);
        if self.ended {
            select = select.push(" AND m.status IN ('completed', 'failed')");
        }
        if let Some(Place(at, id)) = self.after {
            select = select
                .push(" AND (m.created_at, m.id) > (")
                .bind(at)
                .push(", ")
                .bind(id)
                .push(")");
        }
        select.push(" ORDER BY m.created_at, m.id").limit(limit).done()
    }
}

/// The newest turn of a session.
pub(super) async fn newest(db: Exec<'_>, org: OrgId, session: SessionId) -> Result<Option<Message>> {
    Ok(db
        .query(
            "SELECT id, session_id, run_id, user_id, question, tone, fast, organisation_safe, status,
                    failure, created_at, finished_at
             FROM messages WHERE org_id = $1 AND session_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1",
        )
        .bind(org)
        .bind(session)
        .optional()
        .await?)
}

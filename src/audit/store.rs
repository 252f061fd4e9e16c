//! The audit log: who did what. Each action writes one line in its own transaction; lines are never changed.
//!
//! The digest of a line covers the line and the previous digest, so that `verify` finds the first line that was
//! altered or removed.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::types::Json;

use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::base::principal::{Face, Principal};
use crate::db::args::Sql;
use crate::db::pool::Db;
use crate::db::tx::Tx;

/// Who acted: a person, the operator at the command line, or the system.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    pub user: Option<UserId>,
    pub face: Face,
}

impl Actor {
    pub const OPERATOR: Self = Self {
        user: None,
        face: Face::Cli,
    };
    pub const SYSTEM: Self = Self {
        user: None,
        face: Face::System,
    };
}

impl From<&Principal> for Actor {
    fn from(principal: &Principal) -> Self {
        Self {
            user: Some(principal.user),
            face: principal.face,
        }
    }
}

/// One line of the log.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Line {
    pub seq: i64,
    pub at: DateTime<Utc>,
    pub actor: Option<UserId>,
    pub face: String,
    pub action: String,
    pub subject: String,
    pub details: Json<Value>,
    pub digest: Vec<u8>,
}

/// Reads the head row and locks it, so that the lines of an organization are numbered without gaps.
const HEAD: Sql = Sql::each(
    "SELECT seq, digest FROM audit_heads WHERE org_id = $1",
    "SELECT seq, digest FROM audit_heads WHERE org_id = $1 FOR UPDATE",
);

/// Adds a line. `action` is a fixed name such as `link.created`; `details` is an object without secrets.
pub async fn add(
    tx: &mut Tx,
    org: OrgId,
    actor: Actor,
    action: &str,
    subject: &str,
    details: Value,
) -> Result<()> {
    let at = tx.now().await?;
    tx.query(
        "INSERT INTO audit_heads (org_id, seq, digest) VALUES ($1, 0, $2) ON CONFLICT (org_id) DO NOTHING",
    )
    .bind(org)
    .bind(Vec::<u8>::new())
    .execute()
    .await?;
    let (last, before): (i64, Vec<u8>) = tx.query(HEAD).bind(org).one().await?;
    let mut line = Line {
        seq: last + 1,
        at,
        actor: actor.user,
        face: actor.face.as_str().to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        details: Json(details),
        digest: Vec::new(),
    };
    line.digest = digest(org, &before, &line);
    tx.query(
        "INSERT INTO audit_log (org_id, seq, at, actor, face, action, subject, details, digest)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(org)
    .bind(line.seq)
    .bind(line.at)
    .bind(line.actor)
    .bind(&line.face)
    .bind(&line.action)
    .bind(&line.subject)
    .bind(&line.details)
    .bind(&line.digest)
    .execute()
    .await?;
    tx.query("UPDATE audit_heads SET seq = $1, digest = $2 WHERE org_id = $3")
        .bind(line.seq)
        .bind(&line.digest)
        .bind(org)
        .execute()
        .await?;
    Ok(())
}

/// The newest lines, newest first.
pub async fn list(db: &Db, org: OrgId, max: i64) -> Result<Vec<Line>> {
    list_before(db, org, i64::MAX, max).await
}

/// The newest lines with a number below `before`, newest first.
pub async fn list_before(db: &Db, org: OrgId, before: i64, max: i64) -> Result<Vec<Line>> {
    Ok(db
        .query(
            "SELECT seq, at, actor, face, action, subject, details, digest
             FROM audit_log WHERE org_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3",
        )
        .bind(org)
        .bind(before)
        .bind(max)
        .all()
        .await?)
}

/// The result of verifying a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The number of valid lines, counted from the first.
    pub lines: i64,
    /// Digest of the last valid line. If an operator keeps it outside the database, a later verification can show
    /// whether the whole log was replaced.
    pub head: Vec<u8>,
    pub fault: Option<Fault>,
}

/// The first line that does not match the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub seq: i64,
    pub kind: FaultKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The line, or one before it, was changed.
    Altered,
    /// There is no line with this number.
    Missing,
    /// There is a line after the head of the log.
    Added,
}

crate::text_enum!(FaultKind { Altered => "altered", Missing => "missing", Added => "added" });

/// Reads a log from the beginning and checks each line against the chain of digests.
pub async fn verify(db: &Db, org: OrgId) -> Result<Verdict> {
    // Read the head first: lines added meanwhile come after it and are not checked.
    let head: Option<(i64, Vec<u8>)> = db
        .query("SELECT seq, digest FROM audit_heads WHERE org_id = $1")
        .bind(org)
        .optional()
        .await?;
    let (newest, newest_digest) = head.unwrap_or_default();
    let (mut last, mut before) = (0_i64, Vec::new());
    let fault = |seq, kind| Some(Fault { seq, kind });
    let fault = 'chain: loop {
        let lines: Vec<Line> = db
            .query(
                "SELECT seq, at, actor, face, action, subject, details, digest
                 FROM audit_log WHERE org_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT 500",
            )
            .bind(org)
            .bind(last)
            .bind(newest)
            .all()
            .await?;
        if lines.is_empty() {
            break match last {
                seen if seen < newest => fault(seen + 1, FaultKind::Missing),
                _ if before != newest_digest => fault(last, FaultKind::Altered),
                _ => None,
            };
        }
        for line in lines {
            if line.seq != last + 1 {
                break 'chain fault(last + 1, FaultKind::Missing);
            }
            if line.digest != digest(org, &before, &line) {
                break 'chain fault(line.seq, FaultKind::Altered);
            }
            (last, before) = (line.seq, line.digest);
        }
    };
    let fault = match fault {
        None => unknown_line(db, org).await?,
        found => found,
    };
    // The first line records the creation of the organization, so a valid log is never empty.
    let fault = fault.or((last == 0).then_some(Fault {
        seq: 1,
        kind: FaultKind::Missing,
    }));
    Ok(Verdict {
        lines: last,
        head: before,
        fault,
    })
}

/// True if a line of the log has this digest. The head of an earlier verification must always be found.
pub async fn contains_digest(db: &Db, org: OrgId, digest: &[u8]) -> Result<bool> {
    let lines: i64 = db
        .query("SELECT COUNT(*) FROM audit_log WHERE org_id = $1 AND digest = $2")
        .bind(org)
        .bind(digest.to_vec())
        .scalar()
        .await?;
    Ok(lines > 0)
}

/// Finds a line after the current head. Both are written in one transaction, so one statement sees them consistent.
async fn unknown_line(db: &Db, org: OrgId) -> Result<Option<Fault>> {
    let seq: Option<i64> = db
        .query(
            "SELECT MIN(l.seq) FROM audit_log l WHERE l.org_id = $1
               AND l.seq > COALESCE((SELECT h.seq FROM audit_heads h WHERE h.org_id = $1), 0)",
        )
        .bind(org)
        .scalar()
        .await?;
    Ok(seq.map(|seq| Fault {
        seq,
        kind: FaultKind::Added,
    }))
}

/// The digest of a line. Each field is preceded by its length, so that different lines never hash the same bytes.
fn digest(org: OrgId, before: &[u8], line: &Line) -> Vec<u8> {
    let mut hash = Sha256::new();
    let actor = line.actor.map(|user| user.to_string()).unwrap_or_default();
    let details = canonical(&line.details);
    let org = org.uuid();
    let fields = [
        before,
        org.as_bytes(),
        &line.seq.to_be_bytes(),
        &line.at.timestamp_micros().to_be_bytes(),
        actor.as_bytes(),
        line.face.as_bytes(),
        line.action.as_bytes(),
        line.subject.as_bytes(),
        details.as_bytes(),
    ];
    for field in fields {
        hash.update((field.len() as u64).to_be_bytes());
        hash.update(field);
    }
    hash.finalize().to_vec()
}

/// JSON with sorted keys, because PostgreSQL does not keep their order.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut keys: Vec<_> = fields.iter().collect();
            keys.sort_unstable_by_key(|(key, _)| *key);
            let inner: Vec<_> = keys
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", inner.join(","))
        }
        Value::Array(items) => {
            let inner: Vec<_> = items.iter().map(canonical).collect();
            format!("[{}]", inner.join(","))
        }
        other => other.to_string(),
    }
}

//! Who did what: one line per act, written in the act's own transaction, never changed.
//!
//! Each line's digest covers the line and the digest before it, so that `verify` names the first
//! line that was altered or removed.

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

/// Who acted: a person, or the operator at the command line.
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

/// The head row is locked first, so that lines of one organization are numbered one after the other.
const HEAD: Sql = Sql::each(
    "SELECT seq, digest FROM audit_heads WHERE org_id = $1",
    "SELECT seq, digest FROM audit_heads WHERE org_id = $1 FOR UPDATE",
);

/// Adds a line. `action` is a fixed word such as `link.created`; `details` an object without secrets.
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

/// The newest lines first.
pub async fn list(db: &Db, org: OrgId, most: i64) -> Result<Vec<Line>> {
    Ok(db
        .query(
            "SELECT seq, at, actor, face, action, subject, details, digest
             FROM audit_log WHERE org_id = $1 ORDER BY seq DESC LIMIT $2",
        )
        .bind(org)
        .bind(most)
        .all()
        .await?)
}

/// The number of the first line that does not fit the ones before it; none when the log is whole.
pub async fn verify(db: &Db, org: OrgId) -> Result<Option<i64>> {
    let (mut last, mut before) = (0_i64, Vec::new());
    loop {
        let lines: Vec<Line> = db
            .query(
                "SELECT seq, at, actor, face, action, subject, details, digest
                 FROM audit_log WHERE org_id = $1 AND seq > $2 ORDER BY seq LIMIT 500",
            )
            .bind(org)
            .bind(last)
            .all()
            .await?;
        if lines.is_empty() {
            break;
        }
        for line in lines {
            if line.seq != last + 1 || line.digest != digest(org, &before, &line) {
                return Ok(Some(last + 1));
            }
            (last, before) = (line.seq, line.digest);
        }
    }
    let head: Option<(i64,)> = db
        .query("SELECT seq FROM audit_heads WHERE org_id = $1")
        .bind(org)
        .optional()
        .await?;
    Ok(head.filter(|(seq,)| *seq != last).map(|_| last + 1))
}

/// Every field with its length before it, so that no two lines have the same bytes.
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

/// JSON with sorted keys: PostgreSQL does not keep the order in which they were written.
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

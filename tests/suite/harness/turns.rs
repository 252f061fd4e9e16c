//! Stores thousands of turns of one person without running them: bulk inserts that tests and benches fill a database
//! with. Turns with an even number belong to one large session, the others to sessions of five.

use corbel::analysis::answer::Answer;
use corbel::base::error::{Error, Result};
use corbel::base::ids::{MessageId, OrgId, SessionId, UserId};
use corbel::db::args::Sql;
use corbel::db::pool::Db;
use uuid::Uuid;

/// The identifier of turn `n`.
pub fn message(n: u64) -> MessageId {
    MessageId::from_uuid(Uuid::from_u64_pair(0x0180_0000 << 32, n))
}

/// The session of the turns with even numbers.
pub fn large() -> SessionId {
    SessionId::from_uuid(Uuid::nil())
}

/// The numbers of a range as rows `n`.
const SESSIONS: Sql = Sql::each(
    "WITH RECURSIVE s(n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM s WHERE n + 1 < $2)
     INSERT INTO sessions (org_id, id, audience, owner_id, created_at)
     SELECT $3, unhex(printf('%032x', n)), 'private', $4, $5 FROM s WHERE n % 10 = 0",
    "INSERT INTO sessions (org_id, id, audience, owner_id, created_at)
     SELECT $3, lpad(to_hex(n), 32, '0')::uuid, 'private', $4, $5
     FROM generate_series($1::bigint, $2::bigint - 1) n WHERE n % 10 = 0",
);
const MESSAGES: Sql = Sql::each(
    "WITH RECURSIVE s(n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM s WHERE n + 1 < $2)
     INSERT INTO messages (org_id, id, session_id, run_id, user_id, question, tone, fast, organisation_safe,
                           status, created_at, finished_at, question_digest)
     SELECT $3, unhex(printf('01800000%024x', n)),
            unhex(printf('%032x', CASE WHEN n % 2 = 0 THEN 0 ELSE n - n % 10 END)),
            unhex(printf('01900000%024x', n)), $4, 'What is the DSCR of number ' || n || '?', 'professional', 0, 0,
            'completed', strftime('%Y-%m-%dT%H:%M:%S', 1700000000 + n, 'unixepoch') || '.000000+00:00',
            strftime('%Y-%m-%dT%H:%M:%S', 1700000001 + n, 'unixepoch') || '.000000+00:00', randomblob(32) FROM s",
    "INSERT INTO messages (org_id, id, session_id, run_id, user_id, question, tone, fast, organisation_safe,
                           status, created_at, finished_at, question_digest)
     SELECT $3, ('01800000' || lpad(to_hex(n), 24, '0'))::uuid,
            lpad(to_hex(CASE WHEN n % 2 = 0 THEN 0 ELSE n - n % 10 END), 32, '0')::uuid,
            ('01900000' || lpad(to_hex(n), 24, '0'))::uuid, $4, 'What is the DSCR of number ' || n || '?',
            'professional', FALSE, FALSE, 'completed', to_timestamp(1700000000 + n), to_timestamp(1700000001 + n),
            sha256(n::text::bytea)
     FROM generate_series($1::bigint, $2::bigint - 1) n",
);
const RESPONSES: Sql = Sql::each(
    "WITH RECURSIVE s(n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM s WHERE n + 1 < $2)
     INSERT INTO responses (org_id, message_id, answer, model, created_at)
     SELECT $3, unhex(printf('01800000%024x', n)), $4, 'svc-local', $5 FROM s",
    "INSERT INTO responses (org_id, message_id, answer, model, created_at)
     SELECT $3, ('01800000' || lpad(to_hex(n), 24, '0'))::uuid, $4::jsonb, 'svc-local', $5
     FROM generate_series($1::bigint, $2::bigint - 1) n",
);

/// Stores the turns from number `from` up to but excluding `until`, as if they had been asked and answered.
pub async fn store(db: &Db, org: OrgId, user: UserId, from: i64, until: i64) -> Result<()> {
    let mut at = from;
    while at < until {
        let (start, end) = (at, until.min(at + 20_000));
        let stored = db.write(move |tx| {
            Box::pin(async move {
                let now = tx.now().await?;
                tx.query(SESSIONS)
                    .bind(start)
                    .bind(end)
                    .bind(org)
                    .bind(user)
                    .bind(now)
                    .execute()
                    .await?;
                tx.query(MESSAGES)
                    .bind(start)
                    .bind(end)
                    .bind(org)
                    .bind(user)
                    .execute()
                    .await?;
                let answer = serde_json::to_value(Answer::default()).map_err(Error::internal)?;
                let answer = sqlx::types::Json(answer);
                tx.query(RESPONSES)
                    .bind(start)
                    .bind(end)
                    .bind(org)
                    .bind(answer)
                    .bind(now)
                    .execute()
                    .await?;
                Ok(())
            })
        });
        stored.await?;
        at = end;
    }
    Ok(())
}

//! What reading back and admitting cost does not grow with what is stored. `CORBEL_TEST_MESSAGES=1000000`
//! measures with so many turns; the suite takes fewer, so that it can only tell a scan from an index.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use corbel::analysis::answer::Answer;
use corbel::base::ids::{OrgId, SessionId, UserId};
use corbel::base::principal::Principal;
use corbel::db::args::Sql;
use corbel::db::pool::Db;
use corbel::services::Services;
use corbel::sessions::model::{Filter, Status, digest};

use crate::harness::app::on_each;
use crate::queue::ask;

const FEW: i64 = 1000;
/// Of the suite: a scan of so many costs more than twenty times a scan of the few.
const MANY: i64 = 30_000;
/// Numbers in a range as rows `n`.
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
     SELECT $3, unhex(printf('01800000%024x', n)), unhex(printf('%032x', CASE WHEN n % 2 = 0 THEN 0 ELSE n - n % 10 END)),
            unhex(printf('01900000%024x', n)), $4, 'What is the DSCR of number ' || n || '?', 'professional', 0, 0,
            'completed', strftime('%Y-%m-%dT%H:%M:%S', 1700000000 + n, 'unixepoch') || '.000000+00:00',
            strftime('%Y-%m-%dT%H:%M:%S', 1700000001 + n, 'unixepoch') || '.000000+00:00', randomblob(32) FROM s",
    "INSERT INTO messages (org_id, id, session_id, run_id, user_id, question, tone, fast, organisation_safe,
                           status, created_at, finished_at, question_digest)
     SELECT $3, ('01800000' || lpad(to_hex(n), 24, '0'))::uuid,
            lpad(to_hex(CASE WHEN n % 2 = 0 THEN 0 ELSE n - n % 10 END), 32, '0')::uuid,
            ('01900000' || lpad(to_hex(n), 24, '0'))::uuid, $4, 'What is the DSCR of number ' || n || '?', 'professional',
            FALSE, FALSE, 'completed', to_timestamp(1700000000 + n), to_timestamp(1700000001 + n), sha256(n::text::bytea)
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

/// Turns from number `from` to before `until`, as if they had been asked and answered.
async fn store(db: &Db, org: OrgId, user: UserId, from: i64, until: i64) {
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
                let answer = serde_json::to_value(Answer::default()).expect("JSON");
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
        stored.await.expect("stored");
        at = end;
    }
}

/// The middle one of many times.
async fn median<T>(mut act: impl AsyncFnMut() -> T) -> Duration {
    let mut times = Vec::new();
    for _ in 0..60 {
        let start = Instant::now();
        act().await;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}

async fn costs(services: &Services, who: &Principal, stored: i64) -> Vec<(&'static str, Duration)> {
    let sessions = &services.sessions;
    let list = async |filter: Filter, rows: usize| {
        let found = sessions
            .own_messages(who, &filter, None, 26)
            .await
            .expect("turns");
        assert_eq!(found.len(), rows, "{filter:?}");
        found
    };
    let large = SessionId::from_uuid(uuid::Uuid::nil());
    let one = list(Filter::default(), 26).await.swap_remove(3);
    let middle: DateTime<Utc> = DateTime::from_timestamp(1_700_000_000 + stored / 2, 0).expect("a time");
    let session = sessions.taken_part_in(who, large).await.expect("a session");
    let mut costs = vec![
        (
            "newest turns",
            median(async || list(Filter::default(), 26).await).await,
        ),
        (
            "turns of a session",
            median(async || {
                list(
                    Filter {
                        session: Some(large),
                        ..Filter::default()
                    },
                    26,
                )
                .await
            })
            .await,
        ),
        (
            "turns before a time",
            median(async || {
                list(
                    Filter {
                        until: Some(middle),
                        ..Filter::default()
                    },
                    26,
                )
                .await
            })
            .await,
        ),
        (
            "failed turns",
            median(async || {
                list(
                    Filter {
                        status: Some(Status::Failed),
                        ..Filter::default()
                    },
                    0,
                )
                .await
            })
            .await,
        ),
        (
            "a question's turns",
            median(async || {
                list(
                    Filter {
                        question: Some(digest("none")),
                        ..Filter::default()
                    },
                    0,
                )
                .await
            })
            .await,
        ),
        (
            "one turn",
            median(async || sessions.own_message(who, one.id).await.expect("a turn")).await,
        ),
        (
            "a session",
            median(async || sessions.taken_part_in(who, large).await.expect("a session")).await,
        ),
        (
            "newest of a session",
            median(async || sessions.newest(who.org, large).await.expect("a turn")).await,
        ),
        (
            "a transcript's page",
            median(async || {
                sessions
                    .transcript(who.org, &session, false, None, 26)
                    .await
                    .expect("turns")
            })
            .await,
        ),
        ("its middle", {
            let place = one.place();
            let place = corbel::sessions::model::Place(middle, place.1);
            median(async || {
                sessions
                    .transcript(who.org, &session, true, Some(place), 26)
                    .await
                    .expect("turns")
            })
            .await
        }),
        (
            "a response",
            median(async || sessions.response(who.org, one.id).await.expect("a response")).await,
        ),
    ];
    costs.push((
        "admission",
        median(async || {
            services
                .analysis
                .admit(who, ask("1"), None)
                .await
                .expect("admitted")
        })
        .await,
    ));
    costs
}

#[tokio::test]
async fn what_is_read_costs_the_same_among_many_turns() {
    let many = std::env::var("CORBEL_TEST_MESSAGES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(MANY);
    on_each("what_is_read_costs_the_same_among_many_turns", async |place| {
        let config = place.config(&[]);
        let app = corbel::app::build::build(
            &config,
            corbel::base::clock::Clock::system(),
            "http://127.0.0.1".into(),
        )
        .await
        .expect("the parts, and nobody who works");
        let services = &app.services;
        let org = services
            .accounts
            .create_org(
                corbel::audit::store::Actor::OPERATOR,
                "Marlow Ridge",
                corbel::accounts::model::Plan::Pro,
                None,
            )
            .await
            .expect("an organization");
        let new = corbel::accounts::service::NewPerson {
            email: "mara@marlow.example".into(),
            name: "Mara".into(),
            role: corbel::base::principal::Role::Member,
            password: None,
        };
        let user = services
            .accounts
            .create_member(corbel::audit::store::Actor::OPERATOR, org.id, new)
            .await
            .expect("a member");
        let who = Principal {
            org: org.id,
            user,
            role: corbel::base::principal::Role::Member,
            face: corbel::base::principal::Face::System,
        };
        store(&services.db, org.id, user, 0, FEW).await;
        let few = costs(services, &who, FEW).await;
        store(&services.db, org.id, user, FEW, many).await;
        let grown = costs(services, &who, many).await;
        let kind = if place.is_sqlite() { "SQLite" } else { "PostgreSQL" };
        for ((what, before), (_, after)) in few.iter().zip(&grown) {
            let times = after.as_secs_f64() / before.as_secs_f64();
            println!(
                "{kind:<10} {what:<20} {FEW} turns {before:>9.1?}   {many} turns {after:>9.1?}   {times:.2}"
            );
            // Loose: the machine does other things too. A scan is far beyond it.
            let bound = *before * 4 + Duration::from_millis(2);
            assert!(
                after <= &bound,
                "{what}: {before:?} among {FEW}, {after:?} among {many}"
            );
        }
        services.db.close().await;
    })
    .await;
}

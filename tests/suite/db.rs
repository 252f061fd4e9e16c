//! The database facade: writes in one group commit are isolated, and both databases agree.

use std::time::{Duration, Instant};

use corbel::base::error::Error;
use corbel::base::ids::{JobId, OrgId};
use corbel::db::args::Sql;
use corbel::db::error::is_timeout;
use corbel::db::pool::Db;

use crate::harness::app::{Running, on_each};

async fn insert(db: &Db, name: String, fate: &'static str) -> Result<(), Error> {
    let work = db.write(move |tx| {
        let name = name.clone();
        Box::pin(async move {
            let at = tx.now().await?;
            tx.query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, 'pro', $3)")
                .bind(OrgId::new())
                .bind(&name)
                .bind(at)
                .execute()
                .await?;
            match fate {
                "fail" => Err(Error::Conflict("told to fail")),
                "panic" => panic!("told to panic"),
                _ => Ok(()),
            }
        })
    });
    work.await
}

async fn count(running: &Running) -> i64 {
    let db = &running.services().db;
    db.query("SELECT CAST(COUNT(*) AS BIGINT) FROM organizations")
        .scalar()
        .await
        .expect("count")
}

#[tokio::test]
async fn a_failing_write_does_not_affect_its_group() {
    on_each("group", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let mut all = tokio::task::JoinSet::new();
        for number in 0..300 {
            let db = running.services().db.clone();
            let fate = if number % 50 == 7 { "fail" } else { "fine" };
            all.spawn(async move { (fate, insert(&db, format!("org-{number}"), fate).await) });
        }
        while let Some(outcome) = all.join_next().await {
            let (fate, outcome) = outcome.expect("no panic");
            assert_eq!(outcome.is_ok(), fate == "fine", "{outcome:?}");
        }
        assert_eq!(count(&running).await, 294);
        // The same name again is a conflict, not an internal error.
        let twice = insert(&running.services().db, "org-1".to_owned(), "fine").await;
        assert!(matches!(twice, Err(Error::Conflict(_))), "{twice:?}");
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_panicking_write_on_sqlite_does_not_stop_the_writer() {
    on_each("panic", |place| async move {
        if !place.is_sqlite() {
            return;
        }
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let db = running.services().db.clone();
        assert!(insert(&db, "bad".to_owned(), "panic").await.is_err());
        insert(&db, "good".to_owned(), "fine")
            .await
            .expect("the writer goes on");
        assert_eq!(count(&running).await, 1);
        running.stop().await;
    })
    .await;
}

/// What both databases support: `true` where the probe returns the number 1 as BIGINT.
#[rustfmt::skip]
const PROBES: &[(&str, &str, [bool; 2])] = &[
    ("cast one", "SELECT CAST(1 AS BIGINT)", [true, true]),
    ("count filter", "SELECT COUNT(*) FILTER (WHERE x > 0) FROM (SELECT 1 AS x) AS t", [true, true]),
    ("cast SUM", "SELECT CAST(SUM(x) AS BIGINT) FROM (SELECT CAST(1 AS BIGINT) AS x) AS t", [true, true]),
    ("row values", "SELECT CAST(1 AS BIGINT) WHERE (1, 2) < (1, 3)", [true, true]),
    ("recursive CTE",
     "WITH RECURSIVE c(x) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT x FROM c WHERE x < 1) SELECT x FROM c",
     [true, true]),
    ("GREATEST", "SELECT GREATEST(CAST(1 AS BIGINT), 0)", [false, true]),
    ("double colon cast", "SELECT 1::BIGINT", [false, true]),
];

#[tokio::test]
async fn sql_that_both_databases_support() {
    on_each("probes", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let db = &running.services().db;
        let column = usize::from(!db.is_sqlite());
        for (name, sql, expected) in PROBES {
            let answer: Result<i64, _> = db.query(*sql).scalar().await;
            assert_eq!(matches!(answer, Ok(1)), expected[column], "{name}: {answer:?}");
        }
        let differs: i64 = db
            .query(Sql::each("SELECT 1", "SELECT CAST(1 AS BIGINT)"))
            .scalar()
            .await
            .expect("each");
        assert_eq!(differs, 1);
        assert_eq!(db.pending_migrations().await.expect("migrations"), 0);
        running.stop().await;
        // Opening it again has nothing to do, and the data is still there.
        let again = place.start(&[("CORBEL_WORKERS", "0")]).await;
        assert_eq!(
            again
                .services()
                .db
                .pending_migrations()
                .await
                .expect("migrations"),
            0
        );
        again.stop().await;
    })
    .await;
}

#[tokio::test]
async fn time_in_a_transaction_follows_the_test_clock() {
    on_each("now", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let services = running.services();
        services.clock.advance(std::time::Duration::from_secs(3600));
        let now = services
            .db
            .write(|tx| Box::pin(async move { Ok(tx.now().await?) }))
            .await
            .expect("now");
        let apart = (services.clock.now() - now).abs();
        assert!(apart < chrono::TimeDelta::seconds(5), "{apart}");
        assert_eq!(now.timestamp_subsec_nanos() % 1000, 0, "whole microseconds");
        let _ = JobId::new();
        running.stop().await;
    })
    .await;
}

/// A statement that would run for minutes without reading a table.
const ENDLESS: &str = "WITH RECURSIVE c(x) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT x + 1 FROM c \
                       WHERE x < 1000000000) SELECT CAST(COUNT(*) AS BIGINT) FROM c";

#[tokio::test]
async fn a_statement_that_takes_too_long_is_cancelled_and_the_connection_is_reused() {
    on_each("overtime", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let db = &running.services().db;
        let limit = Duration::from_millis(300);
        // More often than there are connections: each is returned to the pool in working order.
        for _ in 0..6 {
            let since = Instant::now();
            let ended = db.snapshot(limit, |look| {
                Box::pin(async move { Ok(look.exec().query(ENDLESS).scalar::<i64>().await?) })
            });
            let error = ended.await.expect_err("it cannot have ended by itself");
            assert!(is_timeout(&error), "{error:?}");
            assert!(since.elapsed() < Duration::from_secs(3), "{:?}", since.elapsed());
        }
        let panicked = db.snapshot::<(), _>(limit, |_| Box::pin(async { panic!("told to panic") })).await;
        assert!(panicked.is_err());
        // The timeout does not outlive its statement: a longer statement completes.
        let slow = Sql::each(
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000000) SELECT COUNT(*) FROM c",
            "SELECT CAST(COUNT(*) AS BIGINT) FROM (SELECT pg_sleep(0.5)) AS slept",
        );
        for _ in 0..6 {
            let _: i64 = db.query(slow).scalar().await.expect("it runs to its end");
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_snapshot_is_consistent() {
    on_each("snapshot", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let db = running.services().db.clone();
        let writer = db.clone();
        let counts = db.snapshot(Duration::from_secs(5), |look| {
            Box::pin(async move {
                let count = "SELECT CAST(COUNT(*) AS BIGINT) FROM organizations";
                let before: i64 = look.exec().query(count).scalar().await?;
                insert(&writer, "meanwhile".to_owned(), "fine").await?;
                let after: i64 = look.exec().query(count).scalar().await?;
                Ok((before, after))
            })
        });
        assert_eq!(counts.await.expect("a look"), (0, 0));
        assert_eq!(count(&running).await, 1);
        running.stop().await;
    })
    .await;
}

//! Regression tests for faults that the crash drills found, each in its smallest form.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use corbel::base::ids::JobId;
use corbel::db::args::Sql;
use corbel::db::pool::Db;
use corbel::queue::handlers::Handlers;
use corbel::queue::job::{Done, NewJob, Pool, Slots};
use corbel::queue::worker::Worker;
use tokio::sync::watch;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, DM, Fault};

const RUNNING: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM jobs WHERE state = 'running'";
/// More than the connections of a pool.
const MANY: usize = 40;
/// SQLite has a single writer, so no pause is needed there.
const PAUSE: Sql = Sql::each("SELECT 1", "SELECT pg_sleep(0.012)");

#[tokio::test]
async fn writes_continue_when_the_caller_has_gone() {
    on_each("gone askers", |place| async move {
        let running = place.start(&[]).await;
        let db = running.services().db.clone();
        for n in 0..MANY {
            // Dropped in the middle or just after it; a write that has begun completes either way.
            let asking = slow_write(&db, format!("Gone {n}"));
            let _ = tokio::time::timeout(Duration::from_millis(8), asking).await;
        }
        let last = tokio::time::timeout(Duration::from_secs(10), slow_write(&db, "Stayed".to_owned()));
        last.await
            .expect("the pool has connections left")
            .expect("written");
        running
            .until("every write is stored", async || {
                names(&db).await == MANY as i64 + 1
            })
            .await;
        running.stop().await;
    })
    .await;
}

async fn slow_write(db: &Db, name: String) -> corbel::base::error::Result<()> {
    let writing = db.write(move |tx| {
        let name = name.clone();
        Box::pin(async move {
            let now = tx.now().await?;
            tx.query(PAUSE).execute().await?;
            tx.query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, 'pro', $3)")
                .bind(JobId::new())
                .bind(&name)
                .bind(now)
                .execute()
                .await?;
            tx.query(PAUSE).execute().await?;
            Ok(())
        })
    });
    writing.await
}

async fn names(db: &Db) -> i64 {
    let counted = db
        .query("SELECT CAST(COUNT(*) AS BIGINT) FROM organizations")
        .scalar();
    counted.await.expect("a count")
}

/// An attempt that finds the placeholder of an earlier one does not write it again: a newer attempt may already have
/// updated it to the answer.
#[tokio::test]
async fn a_placeholder_of_an_earlier_attempt_is_not_written_again() {
    on_each("found again", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.slack.fail_next("chat.postMessage", Fault::LostReply, 1);
        let said = stage
            .slack
            .says(DM, ALICE, "NOI 1.285m, annual debt service 968k. DSCR?");
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(said.thread()).len(), 1);
        assert_eq!(stage.said(said.thread()).len(), 1);
        assert_eq!(
            stage.slack.calls("chat.update").len(),
            1,
            "the answer, and nothing before it"
        );
        stage.running.stop().await;
    })
    .await;
}

/// Jobs that run next to a crashing job lose their leases at each crash too. A job that still had a lease during the
/// suspect's third run would fail with it.
#[tokio::test]
async fn no_other_job_has_a_lease_while_a_suspect_runs() {
    on_each("suspects", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Suspects").await.id;
        let services = running.services().clone();
        for n in 0..8 {
            let queue = services.queue.clone();
            let job = NewJob {
                pool: Pool::Run,
                kind: "test".into(),
                lane: format!("lane/{n}"),
                payload: serde_json::json!({}),
                patience: corbel::queue::job::Patience::Usual,
                asker: None,
            };
            let added = services.db.write(move |tx| {
                let (queue, job) = (queue.clone(), job.clone());
                Box::pin(async move {
                    let id = JobId::new();
                    queue.add(tx, org, id, &job).await?;
                    let crashes = if n % 2 == 0 { 2_i64 } else { 0 };
                    tx.query("UPDATE jobs SET crashes = $1 WHERE id = $2")
                        .bind(crashes)
                        .bind(id)
                        .execute()
                        .await?;
                    Ok(())
                })
            });
            added.await.expect("added");
        }
        let beside = Arc::new(Mutex::new(Vec::new()));
        let (db, seen) = (services.db.clone(), Arc::clone(&beside));
        let handlers = Handlers::default().with(
            "test",
            move |claim| {
                let (db, seen) = (db.clone(), Arc::clone(&seen));
                async move {
                    let mut left = 15;
                    let suspected = claim.crashes > 0;
                    while suspected && left > 0 {
                        // Enough time to release the jobs that were claimed in the same batch.
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        let count: i64 = db.query(RUNNING).scalar().await?;
                        left -= 1;
                        if count == 1 || left == 0 {
                            seen.lock().expect("counts").push(count);
                            left = 0;
                        }
                    }
                    Ok(Done::Nothing)
                }
            },
            |_, _| async { panic!("nothing is to be given up") },
        );
        let worker = Worker::new(services.db.clone(), services.queue.clone(), handlers);
        let (stop, stopping) = watch::channel(false);
        let working = tokio::spawn(async move { worker.run(Slots::for_runs(8), stopping).await });
        running.settle().await;
        stop.send(true).expect("working");
        working.await.expect("no panic");
        assert_eq!(
            *beside.lock().expect("counts"),
            [1, 1, 1, 1],
            "each suspect ran alone"
        );
        running.stop().await;
    })
    .await;
}

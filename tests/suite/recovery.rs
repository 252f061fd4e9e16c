//! What the crash drills found: each fault once, small enough to be seen.

use std::time::Duration;

use corbel::base::ids::JobId;
use corbel::db::args::Sql;
use corbel::db::pool::Db;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, DM, Fault};

/// Connections of a pool, and more.
const MANY: usize = 40;
/// SQLite's writes are its writer's own affair anyway.
const PAUSE: Sql = Sql::each("SELECT 1", "SELECT pg_sleep(0.012)");

#[tokio::test]
async fn writes_go_on_when_whoever_asked_has_gone() {
    on_each("gone askers", |place| async move {
        let running = place.start(&[]).await;
        let db = running.services().db.clone();
        for n in 0..MANY {
            // Dropped in the middle, or just after it; what was begun goes on either way.
            let asking = slow_write(&db, format!("Gone {n}"));
            let _ = tokio::time::timeout(Duration::from_millis(8), asking).await;
        }
        let last = tokio::time::timeout(Duration::from_secs(10), slow_write(&db, "Stayed".to_owned()));
        last.await
            .expect("the pool has connections left")
            .expect("written");
        running
            .until("every write is there", async || {
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

/// An attempt that finds the placeholder of an earlier one leaves it as it is: a newer attempt may
/// have put the answer there meanwhile.
#[tokio::test]
async fn a_placeholder_that_is_found_again_is_not_written_again() {
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

//! Files that are long on their way: whoever asked sees that they are, and is not kept waiting for ever.

use std::time::{Duration, Instant};

use super::slack_files::{QUESTION, pdf};
use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, DM, Door};

#[tokio::test]
async fn a_slow_file_is_seen_to_be_on_its_way() {
    on_each("slow file", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let slow = pdf("slow.pdf").behind(Door::Slow(Duration::from_secs(3)));
        let said = stage.slack.shares_kept(DM, ALICE, "", vec![slow]);
        let since = Instant::now();
        stage.post(&said.message()).await;
        stage
            .running
            .until("there is a sign of it", async || {
                !stage.slack.statuses().is_empty()
            })
            .await;
        assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
        assert!(stage.said(said.thread()).is_empty(), "while it is fetched");
        stage.running.settle().await;
        let last = stage.slack.statuses().pop().expect("a status");
        assert_eq!(last.status, "", "the sign is taken away");
        assert_eq!(stage.said(said.thread()).len(), 1);
        stage.running.stop().await;
    })
    .await;
}

/// Three files, none of which comes: one limit for all of them.
#[tokio::test]
async fn files_that_never_come_hold_a_question_up_for_a_bounded_time() {
    on_each("files that never come", |place| async move {
        // The limit has nothing to do with the database, and the test takes as long as it is.
        if !place.is_sqlite() {
            return;
        }
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let never = Door::Slow(Duration::from_secs(600));
        let files = ["a.pdf", "b.pdf", "c.pdf"].map(|name| pdf(name).behind(never.clone()));
        let said = stage.slack.shares_kept(DM, ALICE, QUESTION, files.into());
        let since = Instant::now();
        stage.post(&said.message()).await;
        while stage.slack.final_answers(said.thread()).is_empty() {
            assert!(since.elapsed() < Duration::from_secs(60), "no answer in a minute");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(since.elapsed() > Duration::from_secs(40), "{:?}", since.elapsed());
        let answer = stage.said(said.thread()).remove(0);
        assert!(answer.contains("1.33"), "{answer}");
        assert_eq!(answer.matches("it did not arrive").count(), 3, "{answer}");
        stage.running.stop().await;
    })
    .await;
}

//! Slow file downloads: the asker sees that they are in progress, and the wait is bounded.

use std::time::{Duration, Instant};

use super::slack_files::{QUESTION, pdf};
use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, DM, Download};

#[tokio::test]
async fn a_slow_download_is_shown_as_in_progress() {
    on_each("slow file", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let slow = pdf("slow.pdf").served_as(Download::Slow(Duration::from_secs(3)));
        let said = stage.slack.shares_files(DM, ALICE, "", vec![slow]);
        let since = Instant::now();
        stage.post(&said.message()).await;
        stage
            .running
            .until("the status is shown", async || !stage.slack.statuses().is_empty())
            .await;
        assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
        assert!(stage.said(said.thread()).is_empty(), "during the download");
        stage.running.settle().await;
        let last = stage.slack.statuses().pop().expect("a status");
        assert_eq!(last.status, "", "the status is cleared");
        assert_eq!(stage.said(said.thread()).len(), 1);
        stage.running.stop().await;
    })
    .await;
}

/// Three files, none of which arrives: one time limit applies to all of them.
#[tokio::test]
async fn files_that_never_arrive_delay_a_question_for_a_bounded_time() {
    on_each("files that never come", |place| async move {
        // The limit does not depend on the database, and the test takes as long as the limit.
        if !place.is_sqlite() {
            return;
        }
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let never = Download::Slow(Duration::from_secs(600));
        let files = ["a.pdf", "b.pdf", "c.pdf"].map(|name| pdf(name).served_as(never.clone()));
        let said = stage.slack.shares_files(DM, ALICE, QUESTION, files.into());
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

//! A deletion or a stop may arrive before its question: Slack's events come in any order.

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::requests::session_stopped;
use crate::harness::slack::{ALICE, BOB, DM};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";

async fn charged(stage: &Stage) -> i64 {
    let ledger = stage.running.services().usage.ledger(stage.org.id).await;
    let ledger = ledger.expect("ledger");
    assert!(ledger.consistent, "{:?}", ledger.faults);
    ledger.entries.iter().map(|entry| entry.charged.0).sum()
}

#[tokio::test]
async fn a_question_deleted_before_it_arrives_is_not_answered() {
    on_each("deleted before", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let said = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&said.deleted()).await, 200);
        stage.running.settle().await;
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        assert!(stage.said(said.thread()).is_empty());
        assert_eq!(charged(&stage).await, 0);
        // The deletion applies to that question alone.
        let next = stage.slack.replies(DM, ALICE, said.thread(), QUESTION);
        stage.post(&next.message()).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(next.thread()).len(), 1);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_question_stopped_before_it_arrives_is_not_answered() {
    on_each("stopped before", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let said = stage.slack.says(DM, ALICE, QUESTION);
        // Another user's Stop does not affect Alice's question.
        for user in [BOB, ALICE] {
            let stop = session_stopped(DM, said.thread(), user);
            assert_eq!(stage.post(&stop).await, 200);
        }
        stage.running.settle().await;
        assert_eq!(stage.post(&said.message()).await, 200);
        stage.running.settle().await;
        let responses = stage.said(said.thread());
        assert_eq!(responses, ["Stopped. Nothing was charged."]);
        assert_eq!(charged(&stage).await, 0);
        // A later question is answered.
        let mut next = stage.slack.replies(DM, ALICE, said.thread(), QUESTION);
        next.ts = "1795000021.000100".to_owned();
        stage.post(&next.message()).await;
        stage.running.settle().await;
        let responses = stage.said(said.thread());
        assert!(
            responses.len() == 2 && responses[1].contains("1.33"),
            "{responses:?}"
        );

        let other = stage.slack.says(DM, ALICE, QUESTION);
        stage.post(&session_stopped(DM, other.thread(), BOB)).await;
        stage.running.settle().await;
        stage.post(&other.message()).await;
        stage.running.settle().await;
        assert_eq!(stage.slack.final_answers(other.thread()).len(), 1);
        stage.running.stop().await;
    })
    .await;
}

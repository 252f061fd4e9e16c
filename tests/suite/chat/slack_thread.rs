//! Earlier messages of a thread are sent with the question, but only where they may be read.

use std::sync::Arc;

use corbel::analysis::engine::{Remark, Speaker};

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::engine::Scripted;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, ROBOT};

#[tokio::test]
async fn a_mention_in_a_thread_includes_its_earlier_messages() {
    on_each("thread", |place| async move {
        let engine = Arc::new(Scripted::default());
        let stage = Stage::set_with(&place, engine.clone()).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let root = stage
            .slack
            .says(CHANNEL, BOB, "They ask 12.4m &amp; NOI is 731,600");
        stage
            .slack
            .replies(CHANNEL, ROBOT, root.thread(), "Reminder: 9.9m");
        stage.slack.replies(CHANNEL, ALICE, root.thread(), "hm, 12m then");
        let asked = stage.slack.replies(
            CHANNEL,
            ALICE,
            root.thread(),
            "<@U0BOT> what is the cap rate on that?",
        );
        stage.slack.replies(CHANNEL, BOB, root.thread(), "said later");
        stage.post(&asked.mention()).await;
        stage.running.settle().await;
        let brief = engine.briefs().pop().expect("a brief");
        let by = |name: Option<&str>, text: &str| Remark {
            by: Speaker::Person(name.map(str::to_owned)),
            text: text.to_owned(),
        };
        assert_eq!(
            brief.thread,
            [
                by(None, "They ask 12.4m & NOI is 731,600"),
                by(Some("Alice Archer"), "hm, 12m then"),
            ]
        );

        // Its own answer is included the next time, and only that.
        let again = stage
            .slack
            .replies(CHANNEL, ALICE, root.thread(), "<@U0BOT> and now?");
        stage.post(&again.mention()).await;
        stage.running.settle().await;
        let brief = engine.briefs().pop().expect("a brief");
        let own: Vec<&Remark> = brief
            .thread
            .iter()
            .filter(|one| one.by == Speaker::Assistant)
            .collect();
        assert_eq!(own.len(), 1, "{:?}", brief.thread);
        assert_eq!(own[0].text, "done");

        // A question that opens a thread has no earlier messages, and neither has a direct message.
        let opening = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> hello?");
        stage.post(&opening.mention()).await;
        stage.running.settle().await;
        let first = stage.slack.says(DM, ALICE, "in private, 7%");
        stage.post(&first.message()).await;
        stage.running.settle().await;
        let direct = stage.slack.replies(DM, ALICE, first.thread(), "and now?");
        stage.post(&direct.message()).await;
        stage.running.settle().await;
        let briefs = engine.briefs();
        assert!(briefs[2..].iter().all(|brief| brief.thread.is_empty()));

        // Without the scope to read, the question is answered alone.
        stage.slack.drop_scope("channels:history");
        let alone = stage
            .slack
            .replies(CHANNEL, ALICE, root.thread(), "<@U0BOT> and without?");
        stage.post(&alone.mention()).await;
        stage.running.settle().await;
        let briefs = engine.briefs();
        assert!(briefs.last().expect("a brief").thread.is_empty());
        let answers = stage.slack.final_answers(root.thread());
        assert_eq!(answers.len(), 3);
        stage.running.stop().await;
    })
    .await;
}

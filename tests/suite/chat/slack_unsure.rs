//! Replies and whispers whose arrival nobody can look up.

use std::time::Duration;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, CHANNEL, Fault, Message};

/// A fixed reply is no placeholder that may stand there twice: where nobody can look whether it
/// arrived, it goes out directly.
#[tokio::test]
async fn a_reply_that_may_have_arrived_is_not_said_again_in_public() {
    on_each("unreadable", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage.slack.drop_scope("channels:history");
        for (fault, in_public) in [(Fault::Cut, 1), (Fault::Before, 0)] {
            stage.running.services().clock.advance(Duration::from_secs(10));
            let before = stage.slack.direct_messages_to(ALICE).len();
            stage.slack.fail_next("chat.postMessage", fault, 1);
            let said = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> who provides you?");
            stage.post(&said.mention()).await;
            stage.running.settle().await;
            assert_eq!(stage.said(said.thread()).len(), in_public, "{fault:?}");
            let direct = stage.slack.direct_messages_to(ALICE).split_off(before);
            assert_eq!(direct.len(), 1, "{fault:?}");
            let shown = direct[0].shown();
            assert!(shown.contains("cannot see whether"), "{shown}");
        }
        stage.running.stop().await;
    })
    .await;
}

/// More calls than are made for one question.
const EVERY: usize = 12;

#[tokio::test]
async fn a_whisper_that_may_have_arrived_is_not_whispered_again() {
    on_each("unsure whisper", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        for (fault, whispers) in [(Fault::Cut, 1), (Fault::Before, 0)] {
            stage.running.services().clock.advance(Duration::from_secs(10));
            let whispered = stage.slack.ephemerals_for(ALICE).len();
            let told = stage.slack.direct_messages_to(ALICE).len();
            stage.slack.fail_next("chat.postEphemeral", fault, EVERY);
            let said = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> What is the DSCR?");
            stage.post(&said.mention()).await;
            stage.running.settle().await;
            assert_eq!(
                stage.slack.ephemerals_for(ALICE).len() - whispered,
                whispers,
                "{fault:?}"
            );
            let direct = stage.slack.direct_messages_to(ALICE).split_off(told);
            let direct: Vec<String> = direct.iter().map(Message::shown).collect();
            assert_eq!(direct.len(), 1, "{fault:?}: {direct:?}");
            assert!(direct[0].contains("not approved"), "{direct:?}");
            stage.slack.behave();
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_last_way_is_tried_again_where_slack_asks_to_wait() {
    on_each("whisper later", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let refused = Fault::Word("restricted_action");
        stage.slack.fail_next("chat.postMessage", refused, EVERY);
        let nobody = Fault::Word("user_disabled");
        stage.slack.fail_next("conversations.open", nobody, EVERY);
        stage.slack.fail_next("chat.postEphemeral", Fault::Limited(1), 1);
        let said = stage.slack.says(
            CHANNEL,
            ALICE,
            "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?",
        );
        stage.post(&said.mention()).await;
        stage.running.settle().await;
        let whispered = stage.slack.ephemerals_for(ALICE);
        assert_eq!(whispered.len(), 1);
        assert!(whispered[0].shown().contains("1.33"));
        stage.running.stop().await;
    })
    .await;
}

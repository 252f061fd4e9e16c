//! Replies and ephemeral messages whose arrival cannot be checked.

use std::time::Duration;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, CHANNEL, Fault, Message};

/// Unlike a placeholder, a fixed reply must not appear twice: where its arrival cannot be checked, it is sent as a
/// direct message.
#[tokio::test]
async fn a_reply_that_may_have_arrived_is_not_repeated_in_public() {
    on_each("unreadable", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage.slack.drop_scope("channels:history");
        for (fault, in_public) in [(Fault::Cut, 1), (Fault::ServerError, 0)] {
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

/// More calls than are needed for one question.
const EVERY: usize = 12;

#[tokio::test]
async fn an_ephemeral_message_that_may_have_arrived_is_not_repeated() {
    on_each("unsure whisper", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        for (fault, whispers) in [(Fault::Cut, 1), (Fault::ServerError, 0)] {
            stage.running.services().clock.advance(Duration::from_secs(10));
            let whispered = stage.slack.ephemerals_for(ALICE).len();
            let notices = stage.slack.direct_messages_to(ALICE).len();
            stage.slack.fail_next("chat.postEphemeral", fault, EVERY);
            let said = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> What is the DSCR?");
            stage.post(&said.mention()).await;
            stage.running.settle().await;
            assert_eq!(
                stage.slack.ephemerals_for(ALICE).len() - whispered,
                whispers,
                "{fault:?}"
            );
            let direct = stage.slack.direct_messages_to(ALICE).split_off(notices);
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
async fn the_last_resort_is_retried_after_a_rate_limit() {
    on_each("whisper later", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        let refused = Fault::Error("restricted_action");
        stage.slack.fail_next("chat.postMessage", refused, EVERY);
        let nobody = Fault::Error("user_disabled");
        stage.slack.fail_next("conversations.open", nobody, EVERY);
        stage
            .slack
            .fail_next("chat.postEphemeral", Fault::RateLimited(1), 1);
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

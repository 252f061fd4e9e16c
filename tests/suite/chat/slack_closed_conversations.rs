//! Conversations that are closed while an answer is in progress: the answer goes to the asker instead.

use std::sync::Arc;
use std::time::Duration;

use corbel::assistants::model::ConversationState;
use corbel::audit::store::Actor;
use tokio::sync::Notify;

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::engine::{Act, Scripted};
use crate::harness::slack::{ALICE, CHANNEL, Fault, Message};

const NEUTRAL: &str = "This conversation is not approved any more; the answer was sent to whoever asked.";

impl Stage {
    async fn decide(&self, state: ConversationState) {
        let conversations = &self.running.services().conversations;
        conversations
            .decide(Actor::OPERATOR, self.org.id, self.at.slack.id, CHANNEL, state)
            .await
            .expect("decided");
    }

    async fn share(&self, on: bool) {
        let assistants = &self.running.services().assistants;
        assistants
            .set_shared(Actor::OPERATOR, self.org.id, self.at.assistant, on)
            .await
            .expect("set");
    }

    /// Mentions the assistant in the channel and returns the thread.
    async fn mention(&self, text: &str) -> String {
        let said = self.slack.says(CHANNEL, ALICE, text);
        assert_eq!(self.post(&said.mention()).await, 200);
        said.thread().to_owned()
    }

    async fn posted(&self, times: usize) {
        let posted = async || self.slack.calls("chat.postMessage").len() >= times;
        self.running
            .until("the expected number of posts is attempted", posted)
            .await;
    }

    fn direct_messages(&self) -> Vec<String> {
        let notices = self.slack.direct_messages_to(ALICE);
        notices.iter().map(Message::shown).collect()
    }
}

#[tokio::test]
async fn an_answer_is_not_posted_to_a_conversation_closed_during_the_run() {
    on_each("closed meanwhile", |place| async move {
        let gate = Arc::new(Notify::new());
        let act = Act::When(Arc::clone(&gate), "It is 1.33x.");
        let engine = Scripted::new(vec![act; 4]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let mut notices = 0;
        for how in ["suspended", "revoked", "off", "open"] {
            stage.approve(CHANNEL).await;
            stage.share(true).await;
            stage.running.services().clock.advance(Duration::from_secs(10));
            let thread = stage.mention("<@U0BOT> What is the DSCR?").await;
            stage
                .running
                .until("the placeholder is posted", async || {
                    !stage.said(&thread).is_empty()
                })
                .await;
            match how {
                "suspended" => stage.decide(ConversationState::Suspended).await,
                "revoked" => stage.decide(ConversationState::Revoked).await,
                "off" => stage.share(false).await,
                _ => {}
            }
            gate.notify_one();
            stage.running.settle().await;
            let direct = stage.direct_messages().split_off(notices);
            notices += direct.len();
            if how == "open" {
                assert!(stage.said(&thread)[0].contains("1.33x"));
                assert!(direct.is_empty(), "{direct:?}");
                continue;
            }
            assert_eq!(stage.said(&thread), [NEUTRAL], "{how}");
            assert_eq!(direct.len(), 1, "{how}");
            assert!(
                direct[0].contains("1.33x") && direct[0].contains("not approved for it any more"),
                "{how}: {direct:?}"
            );
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_resent_answer_is_not_posted_to_a_closed_conversation() {
    on_each("closed before a resend", |place| async move {
        let engine = Scripted::new([Act::Answer("It is 1.33x.")]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage
            .slack
            .fail_next("chat.update", Fault::MissingScope("chat:write"), 1);
        let thread = stage.mention("<@U0BOT> What is the DSCR?").await;
        stage.running.settle().await;
        assert_eq!(stage.slack.answers(&thread).len(), 1, "the placeholder");
        stage.decide(ConversationState::Revoked).await;
        let deliveries = &stage.running.services().deliveries;
        let failed = deliveries
            .failed(stage.org.id, stage.at.assistant, None)
            .await
            .expect("failed ones");
        assert_eq!(failed.items.len(), 1);
        let again = deliveries
            .resend(Actor::OPERATOR, stage.org.id, failed.items[0].id)
            .await;
        assert!(again.expect("sent again"));
        stage.running.settle().await;
        assert_eq!(stage.said(&thread), [NEUTRAL]);
        let direct = stage.direct_messages();
        let answers = direct.iter().filter(|one| one.contains("1.33x")).count();
        assert_eq!(answers, 1, "{direct:?}");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn replies_and_later_parts_are_not_posted_to_a_closed_conversation() {
    on_each("closed before replies", |place| async move {
        let filling = "lorem ipsum dolor sit amet ".repeat(4);
        let long: String = (0..200)
            .map(|number| format!("p{number}q {filling}\n\n"))
            .collect();
        let engine = Scripted::new([Act::Answer(long.leak())]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage
            .slack
            .fail_next("chat.postMessage", Fault::RateLimited(1), 1);
        let thread = stage.mention("<@U0BOT> who provides you?").await;
        stage.posted(1).await;
        stage.decide(ConversationState::Revoked).await;
        stage.running.settle().await;
        assert_eq!(stage.said(&thread), Vec::<String>::new());
        let direct = stage.direct_messages();
        assert_eq!(direct.len(), 1, "{direct:?}");
        assert!(direct[0].contains("not approved for it any more"), "{direct:?}");

        // The conversation is closed after the placeholder and one part were posted.
        stage.approve(CHANNEL).await;
        stage.running.services().clock.advance(Duration::from_secs(10));
        let before = stage.slack.calls("chat.postMessage").len();
        let fine = Fault::Slow(Duration::ZERO);
        stage.slack.fail_next("chat.postMessage", fine, 2);
        stage
            .slack
            .fail_next("chat.postMessage", Fault::RateLimited(1), 1);
        let thread = stage.mention("<@U0BOT> Tell me all").await;
        stage.posted(before + 3).await;
        stage.decide(ConversationState::Suspended).await;
        stage.running.settle().await;
        let here = stage.said(&thread).join(" ");
        assert_eq!(stage.said(&thread).len(), 2);
        let direct = stage.direct_messages().split_off(1).join(" ");
        for number in 0..200 {
            let word = format!("p{number}q ");
            assert!(here.contains(&word) != direct.contains(&word), "{word}");
        }
        assert!(direct.contains("p199q "), "the end was sent directly");
        stage.running.stop().await;
    })
    .await;
}

//! Posts that Slack accepts only after the caller's timeout, and placeholders that cannot be updated to the answer:
//! in the end exactly one message remains, without a stale button.

use std::time::{Duration, Instant};

use corbel::base::secret::Secret;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, CHANNEL, DM, Fault, Message};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const MENTION: &str = "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?";
const WORKING: &str = "Working on it";

/// Longer than the timeout of a call, and shorter than the wait before a post is repeated.
const SOON: Duration = Duration::from_secs(13);
/// The same, where the clock is advanced in between.
const LATER: Duration = Duration::from_secs(16);

async fn wait_until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let since = Instant::now();
    while !holds().await {
        assert!(since.elapsed() < Duration::from_secs(40), "timed out: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

impl Stage {
    async fn idle(&self) -> bool {
        let services = self.running.services();
        services.queue.open(&services.db).await.expect("jobs") == 0
    }

    /// Lets the checks for late posts run, which are minutes apart.
    async fn cleaned_up(&self) {
        for _ in 0..8 {
            self.running.services().clock.advance(Duration::from_secs(100));
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        self.running.settle().await;
    }

    async fn advance(&self, seconds: u64) {
        self.running
            .services()
            .clock
            .advance(Duration::from_secs(seconds));
    }
}

fn shown(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::shown).collect()
}

#[tokio::test]
async fn a_placeholder_that_slack_accepts_late_is_used() {
    on_each("late placeholder", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage.slack.fail_next("chat.postMessage", Fault::Late(SOON), 1);
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&said.mention()).await;
        wait_until("it is answered", async || {
            !stage.slack.final_answers(said.thread()).is_empty()
        })
        .await;
        stage.cleaned_up().await;
        let there = stage.said(said.thread());
        assert_eq!(there.len(), 1, "{there:?}");
        assert!(there[0].contains("1.33"), "{there:?}");
        assert_eq!(stage.slack.calls("chat.postMessage").len(), 1, "posted once");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_placeholder_that_appears_after_the_answer_is_deleted() {
    on_each("later placeholder", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage.slack.fail_next("chat.postMessage", Fault::Late(LATER), 1);
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&said.mention()).await;
        tokio::time::sleep(Duration::from_secs(11)).await;
        stage.advance(15).await;
        wait_until("both are posted", async || stage.said(said.thread()).len() == 2).await;
        wait_until("it is answered", async || {
            !stage.slack.final_answers(said.thread()).is_empty()
        })
        .await;
        stage.cleaned_up().await;
        let there = stage.said(said.thread());
        assert_eq!(there.len(), 1, "{there:?}");
        assert!(there[0].contains("1.33"), "{there:?}");
        assert!(stage.idle().await, "no check is repeated forever");
        stage.running.stop().await;
    })
    .await;
}

/// Both messages have the same link, and it works once.
#[tokio::test]
async fn a_link_that_slack_accepts_late_still_works() {
    on_each("late link", |place| async move {
        let stage = Stage::set(&place).await;
        stage.slack.fail_next("chat.postMessage", Fault::Late(LATER), 1);
        let said = stage.slack.says(DM, ALICE, QUESTION);
        stage.post(&said.message()).await;
        tokio::time::sleep(Duration::from_secs(11)).await;
        stage.advance(15).await;
        let prompts = || stage.slack.direct_messages_to(ALICE);
        wait_until("both are posted", async || prompts().len() == 2).await;
        let links: Vec<_> = prompts().iter().map(Message::link).collect();
        assert!(links[0].is_some() && links[0] == links[1], "{links:?}");
        let link = links[1].clone().expect("a link");
        let token = Secret::new(link.rsplit('/').next().expect("a token"));
        let links = &stage.running.services().links;
        let accepted = links.accept_offer(&stage.org.mara.principal(), &token).await;
        accepted.expect("it works");
        let again = links.accept_offer(&stage.org.noel.principal(), &token).await;
        assert!(again.is_err(), "once");
        stage.cleaned_up().await;
        let left = prompts();
        let with_link = left.iter().filter(|one| one.link().is_some()).count();
        assert_eq!(with_link, 1, "{:?}", shown(&left));
        stage.running.stop().await;
    })
    .await;
}

/// However the update is refused, the answer arrives once, and no message says that it is still to come.
#[tokio::test]
async fn a_placeholder_that_cannot_be_updated_is_replaced_by_the_answer() {
    on_each("refused update", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        for fault in [
            Fault::Error("cant_update_message"),
            Fault::Error("edit_window_closed"),
            Fault::Error("is_archived"),
            Fault::Error("a_word_of_tomorrow"),
            Fault::Bare,
        ] {
            for channel in [CHANNEL, DM] {
                stage.advance(10).await;
                let before = stage.slack.direct_messages_to(ALICE).len();
                stage.slack.fail_next("chat.update", fault, 1);
                let said = stage
                    .slack
                    .says(channel, ALICE, if channel == DM { QUESTION } else { MENTION });
                let event = if channel == DM {
                    said.message()
                } else {
                    said.mention()
                };
                stage.post(&event).await;
                stage.running.settle().await;
                let mut replies = stage.slack.direct_messages_to(ALICE).split_off(before);
                if channel != DM {
                    replies.extend(stage.slack.answers(said.thread()));
                }
                let replies = shown(&replies);
                assert_eq!(replies.len(), 1, "{fault:?} in {channel}: {replies:?}");
                assert!(replies[0].contains("1.33"), "{fault:?} in {channel}: {replies:?}");
            }
        }
        stage.running.stop().await;
    })
    .await;
}

/// Where it cannot be deleted either, its button replies that the run has ended.
#[tokio::test]
async fn a_leftover_placeholder_does_no_harm() {
    on_each("stuck placeholder", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        for (fault, stays) in [
            (Fault::Error("cant_delete_message"), true),
            (Fault::ServerError, false),
        ] {
            stage.advance(10).await;
            stage
                .slack
                .fail_next("chat.update", Fault::Error("cant_update_message"), 1);
            stage.slack.fail_next("chat.delete", fault, 1);
            let said = stage.slack.says(DM, ALICE, QUESTION);
            stage.post(&said.message()).await;
            wait_until("it is answered", async || {
                stage.said(said.thread()).iter().any(|said| said.contains("1.33"))
            })
            .await;
            stage.cleaned_up().await;
            let there = stage.slack.answers(said.thread());
            let working: Vec<&Message> = there.iter().filter(|one| one.text.contains(WORKING)).collect();
            assert_eq!(
                working.len(),
                usize::from(stays),
                "{fault:?}: {:?}",
                shown(&there)
            );
            assert_eq!(there.len(), 1 + working.len(), "{fault:?}: {:?}", shown(&there));
            if let Some(stuck) = working.first().filter(|stuck| !stuck.buttons().is_empty()) {
                stage.press(stuck, ALICE, "Stop").await;
                stage.running.settle().await;
                let said = stage.said(said.thread());
                assert!(
                    said.iter().any(|said| said.contains("had ended already")),
                    "{said:?}"
                );
                assert!(said.iter().any(|said| said.contains("1.33")), "{said:?}");
            }
        }
        stage.running.stop().await;
    })
    .await;
}

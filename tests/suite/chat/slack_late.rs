//! Posts that Slack takes only after nobody waits for its answer any more, and placeholders that cannot become
//! the answer: whatever happens, one message is read in the end, and no button stands for what has ended.

use std::time::{Duration, Instant};

use corbel::base::secret::Secret;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::slack::{ALICE, CHANNEL, DM, Fault, Message};

const QUESTION: &str = "NOI 1.285m, annual debt service 968k. DSCR?";
const MENTION: &str = "<@U0BOT> NOI 1.285m, annual debt service 968k. DSCR?";
const WORKING: &str = "Working on it";

/// Longer than a call waits, and shorter than it is waited until a post is made again.
const SOON: Duration = Duration::from_secs(13);
/// As that, where the clock is moved on meanwhile.
const LATER: Duration = Duration::from_secs(16);

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let since = Instant::now();
    while !holds().await {
        assert!(
            since.elapsed() < Duration::from_secs(40),
            "waited in vain: {what}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

impl Stage {
    async fn idle(&self) -> bool {
        let services = self.running.services();
        services.queue.open(&services.db).await.expect("jobs") == 0
    }

    /// Lets the looks after a late post happen, which are minutes apart.
    async fn tidied(&self) {
        for _ in 0..8 {
            self.running.services().clock.advance(Duration::from_secs(100));
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        self.running.settle().await;
    }

    async fn passes(&self, seconds: u64) {
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
async fn a_placeholder_that_slack_takes_late_is_the_one() {
    on_each("late placeholder", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage.slack.fail_next("chat.postMessage", Fault::Late(SOON), 1);
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&said.mention()).await;
        until("it is answered", async || {
            !stage.slack.final_answers(said.thread()).is_empty()
        })
        .await;
        stage.tidied().await;
        let there = stage.said(said.thread());
        assert_eq!(there.len(), 1, "{there:?}");
        assert!(there[0].contains("1.33"), "{there:?}");
        assert_eq!(stage.slack.calls("chat.postMessage").len(), 1, "made once");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_placeholder_that_appears_after_the_answer_is_taken_away() {
    on_each("later placeholder", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        stage.slack.fail_next("chat.postMessage", Fault::Late(LATER), 1);
        let said = stage.slack.says(CHANNEL, ALICE, MENTION);
        stage.post(&said.mention()).await;
        tokio::time::sleep(Duration::from_secs(11)).await;
        stage.passes(15).await;
        until("both stand", async || stage.said(said.thread()).len() == 2).await;
        until("it is answered", async || {
            !stage.slack.final_answers(said.thread()).is_empty()
        })
        .await;
        stage.tidied().await;
        let there = stage.said(said.thread());
        assert_eq!(there.len(), 1, "{there:?}");
        assert!(there[0].contains("1.33"), "{there:?}");
        assert!(stage.idle().await, "nothing is looked for for ever");
        stage.running.stop().await;
    })
    .await;
}

/// Whichever of two messages somebody presses: the link is the same, and works once.
#[tokio::test]
async fn a_link_that_slack_takes_late_is_no_dead_one() {
    on_each("late link", |place| async move {
        let stage = Stage::set(&place).await;
        stage.slack.fail_next("chat.postMessage", Fault::Late(LATER), 1);
        let said = stage.slack.says(DM, ALICE, QUESTION);
        stage.post(&said.message()).await;
        tokio::time::sleep(Duration::from_secs(11)).await;
        stage.passes(15).await;
        let prompts = || stage.slack.direct_messages_to(ALICE);
        until("both stand", async || prompts().len() == 2).await;
        let links: Vec<_> = prompts().iter().map(Message::link).collect();
        assert!(links[0].is_some() && links[0] == links[1], "{links:?}");
        let link = links[1].clone().expect("a link");
        let token = Secret::new(link.rsplit('/').next().expect("a token"));
        let assistants = &stage.running.services().assistants;
        let accepted = assistants.accept_offer(&stage.org.mara.principal(), &token).await;
        accepted.expect("it works");
        let again = assistants.accept_offer(&stage.org.noel.principal(), &token).await;
        assert!(again.is_err(), "once");
        stage.tidied().await;
        let left = prompts();
        let with_link = left.iter().filter(|one| one.link().is_some()).count();
        assert_eq!(with_link, 1, "{:?}", shown(&left));
        stage.running.stop().await;
    })
    .await;
}

/// However the update is refused: the answer arrives once, and nothing says that it is still to come.
#[tokio::test]
async fn a_placeholder_that_cannot_be_changed_gives_way_to_the_answer() {
    on_each("refused update", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.approve(CHANNEL).await;
        for fault in [
            Fault::Word("cant_update_message"),
            Fault::Word("edit_window_closed"),
            Fault::Word("is_archived"),
            Fault::Word("a_word_of_tomorrow"),
            Fault::Bare,
        ] {
            for channel in [CHANNEL, DM] {
                stage.passes(10).await;
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
                let mut heard = stage.slack.direct_messages_to(ALICE).split_off(before);
                if channel != DM {
                    heard.extend(stage.slack.answers(said.thread()));
                }
                let heard = shown(&heard);
                assert_eq!(heard.len(), 1, "{fault:?} in {channel}: {heard:?}");
                assert!(heard[0].contains("1.33"), "{fault:?} in {channel}: {heard:?}");
            }
        }
        stage.running.stop().await;
    })
    .await;
}

/// Where it cannot be taken away either, its button says that all has ended.
#[tokio::test]
async fn a_placeholder_that_stays_does_no_harm() {
    on_each("stuck placeholder", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        for (fault, stays) in [(Fault::Word("cant_delete_message"), true), (Fault::Before, false)] {
            stage.passes(10).await;
            stage
                .slack
                .fail_next("chat.update", Fault::Word("cant_update_message"), 1);
            stage.slack.fail_next("chat.delete", fault, 1);
            let said = stage.slack.says(DM, ALICE, QUESTION);
            stage.post(&said.message()).await;
            until("it is answered", async || {
                stage.said(said.thread()).iter().any(|said| said.contains("1.33"))
            })
            .await;
            stage.tidied().await;
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

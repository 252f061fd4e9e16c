//! Stopping a run: with its button, with a word, with Slack's own Stop, or by deleting the question; and what is
//! charged when the run ends at the same moment.

use std::sync::Arc;
use std::time::Duration;

use corbel::sessions::model::Status;
use tokio::sync::Notify;

use super::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::engine::{Act, Scripted};
use crate::harness::slack::requests::session_stopped;
use crate::harness::slack::{ALICE, BOB, CHANNEL, DM, Fault, Message};

/// Asks in the direct conversation and waits for the placeholder. Returns it and its thread.
async fn ask_directly(stage: &Stage) -> (Message, String) {
    let said = stage.slack.says(DM, ALICE, "What is the DSCR?");
    assert_eq!(stage.post(&said.message()).await, 200);
    let thread = said.thread().to_owned();
    stage
        .running
        .until("the placeholder is posted", async || {
            !stage.slack.answers(&thread).is_empty()
        })
        .await;
    (stage.slack.answers(&thread)[0].clone(), thread)
}

async fn total_charged(stage: &Stage) -> i64 {
    let ledger = stage.running.services().usage.ledger(stage.org.id).await;
    let ledger = ledger.expect("ledger");
    assert!(ledger.consistent, "{:?}", ledger.faults);
    ledger.entries.iter().map(|entry| entry.charged.0).sum()
}

#[tokio::test]
async fn the_button_stops_a_run_and_nothing_is_charged() {
    on_each("stop button", |place| async move {
        let engine = Scripted::new([Act::Hang]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.link(BOB, stage.org.noel.user).await;
        let (placeholder, thread) = ask_directly(&stage).await;
        assert_eq!(placeholder.buttons(), ["Stop"]);
        stage
            .running
            .until("Slack shows the run in progress", async || {
                stage
                    .slack
                    .statuses()
                    .iter()
                    .any(|one| one.status == "processing")
            })
            .await;

        // Another user presses the button: the run continues, and they get the reason.
        assert_eq!(stage.press(&placeholder, BOB, "Stop").await, 200);
        stage
            .running
            .until("Bob gets the reason", async || {
                stage
                    .said(&thread)
                    .iter()
                    .any(|said| said.contains("Only whoever asked"))
            })
            .await;
        assert_eq!(stage.press(&placeholder, ALICE, "Stop").await, 200);
        stage.running.settle().await;
        let first = &stage.slack.answers(&thread)[0];
        assert_eq!(first.shown(), "Stopped. Nothing was charged.");
        assert!(first.buttons().is_empty(), "the button is gone");
        assert_eq!(total_charged(&stage).await, 0);

        // Pressed again: the run has already ended.
        assert_eq!(stage.press(&placeholder, ALICE, "Stop").await, 200);
        stage.running.settle().await;
        let said = stage.said(&thread);
        assert!(
            said.last().is_some_and(|said| said.contains("had ended already")),
            "{said:?}"
        );
        stage
            .running
            .until("the status is cleared", async || {
                stage
                    .slack
                    .statuses()
                    .last()
                    .is_some_and(|one| one.status.is_empty())
            })
            .await;
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_word_and_slacks_own_stop_work_too() {
    on_each("stop by word", |place| async move {
        let engine = Scripted::new([Act::Hang, Act::Hang, Act::Hang]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let (_, thread) = ask_directly(&stage).await;
        let word = stage.slack.replies(DM, ALICE, &thread, "Stop!");
        stage.post(&word.message()).await;
        stage.running.settle().await;
        assert_eq!(stage.said(&thread), ["Stopped. Nothing was charged."]);

        let (_, thread) = ask_directly(&stage).await;
        stage.post(&session_stopped(DM, &thread, ALICE)).await;
        stage.running.settle().await;
        assert_eq!(stage.said(&thread), ["Stopped. Nothing was charged."]);
        stage
            .running
            .until("the session is reset", async || {
                let calls = stage.slack.calls("agents.sessions.setStatus");
                calls.iter().any(|call| call.arg("status") == Some("active"))
            })
            .await;

        // Where Slack has no agent sessions, the thread shows a status.
        stage.slack.without_agent_view();
        let (_, thread) = ask_directly(&stage).await;
        stage
            .running
            .until("the thread shows the run in progress", async || {
                let statuses = stage.slack.statuses();
                statuses
                    .iter()
                    .any(|one| one.thread == thread && one.status.contains("working"))
            })
            .await;
        let word = stage.slack.replies(DM, ALICE, &thread, "stop");
        stage.post(&word.message()).await;
        stage.running.settle().await;

        let word = stage.slack.says(DM, ALICE, "cancel");
        stage.post(&word.message()).await;
        stage.running.settle().await;
        assert!(stage.said(word.thread())[0].contains("nothing of yours under way"));
        assert_eq!(total_charged(&stage).await, 0);
        stage.running.stop().await;
    })
    .await;
}

/// Slack shows a Stop in each thread, which applies to that thread. The word applies to the whole conversation.
#[tokio::test]
async fn slacks_own_stop_ends_its_thread_alone() {
    on_each("stop of a thread", |place| async move {
        let engine = Scripted::new([Act::Hang, Act::Hang, Act::Hang]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.promote(stage.org.mara.user).await;
        let (_, first) = ask_directly(&stage).await;
        let (_, second) = ask_directly(&stage).await;
        let (_, third) = ask_directly(&stage).await;
        stage.post(&session_stopped(DM, &first, ALICE)).await;
        let stopped = "Stopped. Nothing was charged.";
        let ends = async |thread: &str| {
            stage
                .running
                .until("it is stopped", async || stage.said(thread) == [stopped])
                .await;
        };
        ends(&first).await;
        for thread in [&second, &third] {
            assert_eq!(stage.said(thread), ["Working on it …\nStop"]);
        }
        let sessions = &stage.running.services().sessions;
        let within = format!("chat/{}/{DM}/", stage.at.slack.id);
        let under_way = sessions.processing(stage.org.id, &within);
        assert_eq!(under_way.await.expect("turns").len(), 2);
        let word = stage.slack.replies(DM, ALICE, &second, "stop");
        stage.post(&word.message()).await;
        stage.running.settle().await;
        for thread in [&second, &third] {
            assert_eq!(stage.said(thread)[0], stopped);
        }
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_later_question() {
    on_each("stop overtakes", |place| async move {
        let engine = Scripted::new([Act::Hang, Act::Answer("42")]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.link(BOB, stage.org.noel.user).await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> DSCR?");
        stage.post(&said.mention()).await;
        stage
            .running
            .until("the placeholder is posted", async || {
                !stage.slack.answers(said.thread()).is_empty()
            })
            .await;
        let placeholder = stage.slack.answers(said.thread())[0].clone();
        // Bob is not cached, and his look-up is slow.
        stage
            .slack
            .fail_next("users.info", Fault::Slow(Duration::from_secs(6)), 1);
        let later = stage
            .slack
            .replies(CHANNEL, BOB, said.thread(), "<@U0BOT> and the LTV?");
        stage.post(&later.mention()).await;
        stage
            .running
            .until("Bob is being looked up", async || {
                stage.slack.calls("users.info").len() == 2
            })
            .await;
        let since = std::time::Instant::now();
        assert_eq!(stage.press(&placeholder, ALICE, "Stop").await, 200);
        stage
            .running
            .until("it is stopped", async || {
                stage.said(said.thread())[0] == "Stopped. Nothing was charged."
            })
            .await;
        assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
        stage.running.settle().await;
        assert!(stage.said(said.thread())[1].contains("42"));
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_deleted_question_is_cancelled_and_an_answered_one_is_not() {
    on_each("deleted question", |place| async move {
        let engine = Scripted::new([Act::Hang, Act::Answer("42")]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let said = stage.slack.says(DM, ALICE, "What is the DSCR?");
        stage.post(&said.message()).await;
        stage
            .running
            .until("the placeholder is posted", async || {
                !stage.slack.answers(said.thread()).is_empty()
            })
            .await;
        stage.post(&said.deleted()).await;
        stage.running.settle().await;
        let shown = stage.said(said.thread());
        assert!(shown[0].contains("question was deleted"), "{shown:?}");
        assert_eq!(total_charged(&stage).await, 0);

        let answered = stage.slack.says(DM, ALICE, "And the LTV?");
        stage.post(&answered.message()).await;
        stage.running.settle().await;
        stage.post(&answered.deleted()).await;
        stage.running.settle().await;
        assert!(stage.said(answered.thread())[0].contains("42"));
        assert_eq!(total_charged(&stage).await, 1_000);
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn in_a_shared_conversation_only_the_asker_and_admins_stop() {
    on_each("stop in shared", |place| async move {
        let engine = Scripted::new([Act::Hang, Act::Hang]);
        let stage = Stage::set_with(&place, Arc::new(engine)).await;
        stage.link(ALICE, stage.org.mara.user).await;
        stage.link(BOB, stage.org.noel.user).await;
        stage.approve(CHANNEL).await;
        let said = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> DSCR?");
        stage.post(&said.mention()).await;
        stage
            .running
            .until("the placeholder is posted", async || {
                !stage.slack.answers(said.thread()).is_empty()
            })
            .await;
        let placeholder = stage.slack.answers(said.thread())[0].clone();
        stage.press(&placeholder, BOB, "Stop").await;
        let word = stage.slack.replies(CHANNEL, BOB, said.thread(), "<@U0BOT> stop");
        stage.post(&word.mention()).await;
        stage
            .running
            .until("Bob gets two replies", async || {
                stage.slack.ephemerals_for(BOB).len() == 2
            })
            .await;
        assert_eq!(stage.said(said.thread()), ["Working on it …\nStop"]);
        stage.promote(stage.org.noel.user).await;
        stage.press(&placeholder, BOB, "Stop").await;
        stage.running.settle().await;
        assert_eq!(stage.said(said.thread()), ["Stopped. Nothing was charged."]);
        stage.running.stop().await;
    })
    .await;
}

/// The first commit decides: stopped and released, or answered and charged, never both.
#[tokio::test]
async fn a_stop_and_an_end_at_the_same_moment_are_consistent() {
    on_each("stop race", |place| async move {
        let stage = Stage::set_with(&place, Arc::new(Scripted::default())).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let (mut stopped, mut answered) = (0, 0);
        for round in 0..40 {
            let said = stage.slack.says(DM, ALICE, &format!("Question {round}?"));
            stage.post(&said.message()).await;
            let sessions = stage.running.services().sessions.clone();
            let prefix = format!("chat/{}/{DM}/{}/", stage.at.slack.id, said.thread());
            let mut running = Vec::new();
            for _ in 0..2_000 {
                running = sessions
                    .processing(stage.org.id, &prefix)
                    .await
                    .expect("turns under way");
                if !running.is_empty() || !stage.slack.answers(said.thread()).is_empty() {
                    break;
                }
            }
            // Sometimes before the end of the run, sometimes after it.
            tokio::time::sleep(Duration::from_millis(round % 10 * 3)).await;
            let (services, org) = (stage.running.services().clone(), stage.org.id);
            let stops = running.clone();
            let won = services
                .db
                .write({
                    let services = services.clone();
                    move |tx| {
                        let (services, stops) = (services.clone(), stops.clone());
                        Box::pin(async move {
                            let mut won = false;
                            for message in &stops {
                                let why = corbel::analysis::service::Stop::Asked;
                                won |= services.analysis.stop_in(tx, org, message, why).await?;
                            }
                            Ok(won)
                        })
                    }
                })
                .await
                .expect("stop");
            stage.running.settle().await;
            for message in running {
                let ended = sessions.message(org, message.id).await.expect("message");
                let expected = if won { Status::Failed } else { Status::Completed };
                assert_eq!(ended.status, expected, "round {round}");
            }
            let shown = stage.said(said.thread());
            assert_eq!(shown.len(), 1, "round {round}: {shown:?}");
            if won {
                stopped += 1;
                assert_eq!(shown, ["Stopped. Nothing was charged."], "round {round}");
            } else {
                answered += 1;
                assert!(shown[0].contains("done"), "round {round}: {shown:?}");
            }
            assert_eq!(total_charged(&stage).await, answered * 1_000, "round {round}");
        }
        eprintln!("of 40 rounds {stopped} were stopped in time and {answered} were answered");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_status_is_cleared_whatever_the_outcome() {
    on_each("sign of work", |place| async move {
        let gate = Arc::new(Notify::new());
        let act = Act::When(Arc::clone(&gate), "It is 1.33x.");
        let stage = Stage::set_with(&place, Arc::new(Scripted::new(vec![act; 2]))).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let faults = [
            // The answer cannot be posted.
            ("chat.update", Fault::MissingScope("chat:write")),
            // Slack limits the rate of the call.
            ("agents.sessions.setStatus", Fault::RateLimited(1)),
        ];
        for (method, fault) in faults {
            ask_directly(&stage).await;
            let last_is = |empty: bool| {
                let last = stage.slack.statuses().pop();
                last.is_some_and(|one| one.status.is_empty() == empty)
            };
            let shown = async || last_is(false);
            stage.running.until("the status is shown", shown).await;
            stage.slack.fail_next(method, fault, 1);
            gate.notify_one();
            stage.running.settle().await;
            let gone = async || last_is(true);
            stage.running.until("the status is cleared", gone).await;
        }
        stage.running.stop().await;
    })
    .await;
}

//! Many people ask at once while Slack misbehaves: each question is answered exactly once, in order, within Slack's
//! rate limits.
//!
//! `CORBEL_TEST_EVENTS` sets the number of questions: 120 by default; the target is 1,000. They come from 50
//! conversations, some redelivered, some as two events for one message, some late.

use std::sync::Arc;
use std::time::{Duration, Instant};

use corbel::analysis::engines::offline::OfflineAnalyst;
use corbel::app::config::Config;
use serde_json::Value;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{Place, http, on_each};
use crate::harness::slack::requests::signed;
use crate::harness::slack::{ALICE, BOB, FakeSlack, Message, Rates, SECRET, Said};

const CONVERSATIONS: usize = 50;
/// Questions per thread.
const THREAD: usize = 4;
/// The time limit for each question beyond what a conversation may post at once.
const SLOWEST: Duration = Duration::from_secs(2);

/// One question of a thread, with a number that only its answer contains.
struct Asked {
    said: Said,
    answer: String,
    acknowledged: Instant,
}

async fn chaotic_stage(place: &Arc<Place>) -> Stage {
    let slack = FakeSlack::start().await;
    let api = slack.api_base();
    let config: Config = place.config(&[("CORBEL_SLACK_API_URL", &api), ("CORBEL_WORKERS", "8")]);
    let running = place
        .start_with(config, Arc::new(OfflineAnalyst::default()))
        .await;
    let org = running.organization("Acme").await;
    let at = running.slack_assistant(&org).await;
    Stage {
        running,
        slack,
        org,
        at,
    }
}

/// A deterministic random number generator.
struct Dice(u64);

impl Dice {
    fn of_hundred(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % 100
    }
}

/// Sends an event as Slack does: with retry headers, until it is accepted.
async fn send(client: &reqwest::Client, stage: &Stage, event: &Value, again: bool) {
    for attempt in 0..20 {
        let body = event.to_string();
        let mut headers = signed(SECRET, stage.now(), body.as_bytes());
        if again || attempt > 0 {
            headers.insert("x-slack-retry-num", "1".parse().expect("plain"));
            headers.insert("x-slack-retry-reason", "http_timeout".parse().expect("plain"));
        }
        let sent = client
            .post(&stage.at.events)
            .headers(headers)
            .body(body)
            .send()
            .await;
        match sent.expect("a reply").status().as_u16() {
            200 => return,
            503 => tokio::time::sleep(Duration::from_millis(200)).await,
            other => panic!("status {other}"),
        }
    }
    panic!("never accepted");
}

/// Sends all events of one conversation and returns the questions to be answered.
async fn converse(stage: &Stage, n: usize, first: usize, count: usize) -> Vec<Asked> {
    let (client, mut dice) = (http(), Dice(n as u64 + 1));
    let (channel, user) = (channel(n), if n.is_multiple_of(2) { ALICE } else { BOB });
    let (mut asked, mut late) = (Vec::new(), Vec::new());
    let mut root: Option<String> = None;
    for number in 0..count {
        let noi = 600_000 + 1_000 * (first + number);
        let text = format!(
            "<@U0BOT> What is a building with ${} of NOI worth at a 5% cap?",
            with_commas(noi)
        );
        let said = match root.as_ref().filter(|_| number % THREAD != 0) {
            None => stage.slack.says(&channel, user, &text),
            Some(root) => stage.slack.replies(&channel, user, root, &text),
        };
        root = Some(said.thread().to_owned());
        // The same message as two events, in either order; each may be redelivered, now or later.
        let mut events = vec![said.mention()];
        if dice.of_hundred() < 40 {
            events.push(said.message());
        }
        if dice.of_hundred() < 50 {
            events.reverse();
        }
        for event in &events {
            send(&client, stage, event, false).await;
            match dice.of_hundred() {
                0..20 => send(&client, stage, event, true).await,
                20..40 => late.push(event.clone()),
                _ => {}
            }
        }
        asked.push(Asked {
            said,
            answer: with_commas(noi * 20),
            acknowledged: Instant::now(),
        });
    }
    for event in late.iter().rev() {
        send(&client, stage, event, true).await;
    }
    asked
}

fn channel(n: usize) -> String {
    format!("C9ROOM{n:02}")
}

/// With thousands separators.
fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut with_commas = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            with_commas.push(',');
        }
        with_commas.push(digit);
    }
    with_commas
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_question_is_answered_once_in_order_and_within_rate_limits() {
    let events: usize = match std::env::var("CORBEL_TEST_EVENTS") {
        Ok(number) => number.parse().expect("CORBEL_TEST_EVENTS is a number"),
        Err(_) => 120,
    };
    on_each("chaos", |place| async move {
        let stage = Arc::new(chaotic_stage(&place).await);
        stage.link(ALICE, stage.org.mara.user).await;
        stage.link(BOB, stage.org.noel.user).await;
        for n in 0..CONVERSATIONS {
            stage.slack.open_channel(&channel(n));
            stage.approve(&channel(n)).await;
        }
        let faults = Rates {
            limited: 50,
            before: 20,
            lost_reply: 25,
            cut: 25,
        };
        stage.slack.misbehave(20, faults);
        let begun = Instant::now();
        let mut talks = tokio::task::JoinSet::new();
        for n in 0..CONVERSATIONS {
            let (first, end) = (events * n / CONVERSATIONS, events * (n + 1) / CONVERSATIONS);
            let stage = Arc::clone(&stage);
            talks.spawn(async move { converse(&stage, n, first, end - first).await });
        }
        let asked: Vec<Asked> = talks.join_all().await.into_iter().flatten().collect();
        assert_eq!(asked.len(), events);
        let taken = begun.elapsed();

        let services = stage.running.services();
        let most = Duration::from_secs(30) + SLOWEST * u32::try_from(events / CONVERSATIONS).expect("few");
        while services.queue.open(&services.db).await.expect("jobs") > 0 {
            assert!(begun.elapsed() < most, "not done in {most:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let done = begun.elapsed();

        let mut longest = Duration::ZERO;
        let mut threads: Vec<&str> = asked.iter().map(|one| one.said.thread()).collect();
        threads.sort_unstable();
        threads.dedup();
        for thread in threads {
            let answers = stage.slack.answers(thread);
            let questions: Vec<&Asked> = asked.iter().filter(|one| one.said.thread() == thread).collect();
            let shown: Vec<String> = answers.iter().map(Message::shown).collect();
            assert_eq!(answers.len(), questions.len(), "{thread}: {shown:#?}");
            for (answer, question) in answers.iter().zip(&questions) {
                let text = answer.shown();
                assert!(text.contains(&question.answer), "{thread}: {} in {text}", question.answer);
                let said = stage.slack.call_rates(|rates| rates.updated_at(&answer.ts)).expect("last words");
                longest = longest.max(said.saturating_duration_since(question.acknowledged));
            }
        }
        for who in [ALICE, BOB] {
            assert!(stage.slack.ephemerals_for(who).is_empty(), "no user was refused");
            assert!(stage.slack.direct_messages_to(who).is_empty(), "no answer was redirected");
        }
        let ledger = services.usage.ledger(stage.org.id).await.expect("ledger");
        let charged: i64 = ledger.entries.iter().map(|entry| entry.charged.0).sum();
        assert!(ledger.consistent, "{:?}", ledger.faults);
        assert_eq!(charged, 1_000 * i64::try_from(events).expect("few"), "each charged once");

        let (second, ten) = stage.slack.call_rates(|rates| {
            let within = |seconds| rates.most_posts_within(Duration::from_secs(seconds));
            (within(1), within(10))
        });
        let early = stage.slack.call_rates(|rates| rates.early.clone());
        let limited = stage.slack.call_rates(|rates| rates.limited_count);
        let calls = stage.slack.all_calls();
        eprintln!(
            "chaos: {events} questions of {CONVERSATIONS} conversations, accepted in {taken:.1?}, all answered once \
             and in order after {done:.1?}; longest wait {longest:.1?}; {calls} calls, {limited} of them rate \
             limited, {} made too early; most posts of a channel in 1 s {second}, in 10 s {ten}",
            early.len()
        );
        assert!(early.is_empty(), "called too early: {early:?}");
        // One post each second and a burst of three, plus some tolerance for latency.
        assert!(second <= 4 && ten <= 14, "{second} posts in a second, {ten} in ten");
        if events >= 100 {
            assert!(limited > 0, "no fault occurred, so the test shows nothing");
        }
        let Ok(stage) = Arc::try_unwrap(stage) else {
            panic!("an asker has not finished")
        };
        stage.running.stop().await;
    })
    .await;
}

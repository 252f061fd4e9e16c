//! Slack's Web API client under faults: what each fault means for the next step.

use std::time::{Duration, Instant};

use corbel::assistants::model::{Installation, Say};
use corbel::assistants::slack::app::SlackApp;
use corbel::base::clock::Clock;
use corbel::base::ids::DeliveryId;
use corbel::base::secret::Secret;
use corbel::chat::core::platform::{Failure, LookupResult, Obstacle, Platform};
use corbel::chat::slack::client::SlackPlatform;
use corbel::net::client::Outbound;
use corbel::net::guard::Guard;

use crate::chat::slack_client::bench;
use crate::harness::slack::{ANNEX, ARCHIVE, CHANNEL, DM, Fault, LOBBY, PRIVATE, Rates};

#[tokio::test]
async fn conversations_where_it_cannot_post() {
    let bench = bench().await;
    let elsewhere = |obstacle, word: &str| Failure::NotHere(obstacle, word.to_owned());
    for (channel, obstacle, word) in [
        (ARCHIVE, Obstacle::Archived, "is_archived"),
        (LOBBY, Obstacle::NotMember, "not_in_channel"),
        (ANNEX, Obstacle::NotMember, "channel_not_found"),
    ] {
        assert_eq!(
            bench.post(&bench.asked(channel)).await,
            Err(elsewhere(obstacle, word)),
            "{channel}"
        );
    }
    let asked = bench.asked(CHANNEL);
    let ts = bench.post(&asked).await.expect("a post");
    bench.fake.remove_bot(CHANNEL);
    assert_eq!(
        bench.post(&asked).await,
        Err(elsewhere(Obstacle::NotMember, "not_in_channel"))
    );
    bench.fake.archive_channel(PRIVATE);
    assert_eq!(
        bench.post(&bench.asked(PRIVATE)).await,
        Err(elsewhere(Obstacle::Archived, "is_archived"))
    );
    let outcome = bench
        .slack
        .update(&bench.at, &asked, &ts, &Say::plain("6 %"))
        .await;
    assert_eq!(outcome, Err(elsewhere(Obstacle::NotMember, "not_in_channel")));
    let mut asked = bench.asked(DM);
    asked.place.thread = "1.000001".to_owned();
    assert_eq!(
        bench.post(&asked).await,
        Err(elsewhere(Obstacle::ThreadGone, "thread_not_found"))
    );
}

#[tokio::test]
async fn a_lost_reply_is_ambiguous_for_a_post_and_retryable_for_an_update() {
    let bench = bench().await;
    for fault in [
        Fault::LostReply,
        Fault::Cut,
        Fault::Error("internal_error"),
        Fault::ServerError,
    ] {
        let (asked, id) = (bench.asked(CHANNEL), DeliveryId::new());
        // The post rate limit is not under test here.
        bench.clock.advance(Duration::from_secs(5));
        bench.fake.fail_next("chat.postMessage", fault, 1);
        let outcome = bench
            .slack
            .post(&bench.at, &asked, id, &Say::plain("Working on it"))
            .await;
        assert!(
            matches!(outcome, Err(Failure::Ambiguous(_))),
            "{fault:?}: {outcome:?}"
        );
        let found = bench
            .slack
            .find_post(&bench.at, &asked, id)
            .await
            .expect("a look");
        assert_eq!(
            found != LookupResult::Absent,
            matches!(fault, Fault::LostReply | Fault::Cut),
            "{fault:?}"
        );
    }
    let asked = bench.asked(CHANNEL);
    let ts = bench.post(&asked).await.expect("a post");
    bench.fake.fail_next("chat.update", Fault::LostReply, 1);
    let outcome = bench
        .slack
        .update(&bench.at, &asked, &ts, &Say::plain("6 %"))
        .await;
    assert!(matches!(outcome, Err(Failure::Unavailable(_))), "{outcome:?}");
    bench.fake.fail_next("chat.postEphemeral", Fault::Cut, 1);
    let outcome = bench
        .slack
        .post_ephemeral(&bench.at, &asked, &Say::plain("psst"))
        .await;
    assert!(matches!(outcome, Err(Failure::Ambiguous(_))), "{outcome:?}");
    // Connection refused: certainly nothing happened.
    let outbound = Outbound::new(Guard { allow_loopback: true }).expect("a client");
    let nowhere = SlackPlatform::new(outbound, Clock::system(), "http://127.0.0.1:9/api/".to_owned());
    let outcome = nowhere
        .post(&bench.at, &asked, DeliveryId::new(), &Say::plain("x"))
        .await;
    assert!(matches!(outcome, Err(Failure::Unavailable(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_status_update_gives_up_soon() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    bench.fake.fail_next(
        "assistant.threads.setStatus",
        Fault::Slow(Duration::from_secs(20)),
        1,
    );
    let begun = Instant::now();
    assert!(matches!(
        bench.slack.show_status(&bench.at, &asked, Some("thinks")).await,
        Err(Failure::Unavailable(_))
    ));
    assert!(begun.elapsed() < Duration::from_secs(6));
}

#[tokio::test]
async fn it_makes_no_call_before_retry_after_has_passed() {
    let bench = bench().await;
    let (asked, elsewhere) = (bench.asked(CHANNEL), bench.asked(DM));
    bench
        .fake
        .fail_next("chat.postMessage", Fault::RateLimited(30), 1);
    for _ in 0..2 {
        let Err(Failure::Wait(rest)) = bench.post(&asked).await else {
            panic!("it has to wait")
        };
        assert!(
            rest <= Duration::from_secs(32) && rest > Duration::from_secs(25),
            "a little more than Slack asked for: {rest:?}"
        );
    }
    assert_eq!(bench.fake.calls("chat.postMessage").len(), 1);
    // Other conversations and installations are not affected.
    bench.post(&elsewhere).await.expect("a post");
    let second = bench.fake.installation();
    bench
        .slack
        .post(&second, &asked, DeliveryId::new(), &Say::plain("x"))
        .await
        .expect("a post");
    bench.clock.advance(Duration::from_secs(31));
    bench.post(&asked).await.expect("a post");
    bench
        .fake
        .fail_next("chat.postMessage", Fault::Error("rate_limited"), 1);
    assert!(matches!(bench.post(&asked).await, Err(Failure::Wait(_))));
}

#[tokio::test]
async fn content_that_slack_rejects_is_posted_as_text_once() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    bench
        .fake
        .fail_next("chat.postMessage", Fault::Error("invalid_blocks"), 1);
    let ts = bench.post(&asked).await.expect("a post");
    let posted = bench.fake.answers(&asked.place.thread).remove(0);
    assert_eq!(
        (posted.ts.as_str(), posted.text.as_str(), posted.blocks.len()),
        (ts.as_str(), "Working on it", 0)
    );
    bench
        .slack
        .update(&bench.at, &asked, &ts, &Say::plain("**6 %**"))
        .await
        .expect("an update");
    bench
        .fake
        .fail_next("chat.update", Fault::Error("msg_blocks_too_long"), 1);
    bench
        .slack
        .update(&bench.at, &asked, &ts, &Say::plain("6 %"))
        .await
        .expect("an update");
    assert_eq!(
        bench.fake.answers(&asked.place.thread)[0].blocks.len(),
        0,
        "the earlier blocks are gone"
    );
    bench
        .fake
        .fail_next("chat.update", Fault::Error("msg_too_long"), 2);
    let outcome = bench
        .slack
        .update(&bench.at, &asked, &ts, &Say::plain("6 %"))
        .await;
    assert_eq!(outcome, Err(Failure::ContentRejected("msg_too_long".to_owned())));
}

#[tokio::test]
async fn revoked_tokens_disable_and_missing_scopes_are_named() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    bench.fake.drop_scope("chat:write");
    assert_eq!(
        bench.post(&asked).await,
        Err(Failure::MissingPermission("chat:write".to_owned()))
    );
    bench.fake.revoke();
    assert_eq!(
        bench.post(&asked).await,
        Err(Failure::Disabled("token_revoked".to_owned()))
    );
    for token in [None, Some(Secret::new("xoxb-wrong"))] {
        let at = Installation {
            platform: corbel::assistants::model::Platform::Slack(Box::new(SlackApp {
                bot_token: token,
                ..bench.at.slack().clone()
            })),
            ..bench.at.clone()
        };
        let outcome = bench
            .slack
            .post(&at, &asked, DeliveryId::new(), &Say::plain("x"))
            .await;
        assert!(matches!(outcome, Err(Failure::Disabled(_))), "{outcome:?}");
    }
}

#[tokio::test]
async fn random_faults_never_post_twice_when_it_looks_first() {
    let bench = bench().await;
    bench.fake.misbehave(
        7,
        Rates {
            limited: 50,
            before: 150,
            lost_reply: 150,
            cut: 150,
        },
    );
    for _ in 0..30 {
        let (asked, id, say) = (
            bench.asked(CHANNEL),
            DeliveryId::new(),
            Say::plain("Working on it"),
        );
        let mut unsure = false;
        loop {
            let known = if unsure {
                bench.slack.find_post(&bench.at, &asked, id).await
            } else {
                Ok(LookupResult::Absent)
            };
            let outcome = match known {
                Ok(LookupResult::Absent | LookupResult::Unreadable) => {
                    bench.slack.post(&bench.at, &asked, id, &say).await
                }
                Ok(LookupResult::Found(ts)) => Ok(ts),
                Err(failure) => Err(failure),
            };
            match outcome {
                Ok(_) => break,
                Err(Failure::Ambiguous(_)) => unsure = true,
                Err(Failure::Wait(wait)) => bench.clock.advance(wait + Duration::from_millis(1)),
                Err(Failure::Unavailable(_)) => {}
                Err(failure) => panic!("{failure}"),
            }
        }
        assert_eq!(bench.fake.answers(&asked.place.thread).len(), 1);
    }
    bench.fake.behave();
    bench.clock.advance(Duration::from_secs(30));
    bench.post(&bench.asked(CHANNEL)).await.expect("a post");
    assert_eq!(bench.fake.messages(CHANNEL).len(), 62);
}

//! Slack's Web API client against the fake: what each call does, and what each fault means.

use std::time::{Duration, Instant};

use corbel::assistants::model::{Installation, Part, Place, PlaceKind, Say, Sender, Target};
use corbel::base::clock::Clock;
use corbel::base::ids::DeliveryId;
use corbel::base::secret::Secret;
use corbel::chat::core::platform::{Failure, Platform, Standing};
use corbel::chat::slack::client::SlackPlatform;
use corbel::chat::slack::failure::{Effect, refused};
use corbel::net::client::Outbound;
use corbel::net::guard::Guard;

use crate::harness::slack::{
    ALICE, ANNEX, ARCHIVE, BOB, BOT, CHANNEL, DM, EXTERNAL, FakeSlack, Fault, GONE, GUEST, LOBBY, ORG_WIDE, PENDING, PRIVATE,
    ROBOT, Rates, STRANGER, Said, TEAM, TEAM_NAME, ULTRA,
};

struct Bench {
    fake: FakeSlack,
    slack: SlackPlatform,
    clock: Clock,
    at: Installation,
}

async fn bench() -> Bench {
    let (fake, clock) = (FakeSlack::start().await, Clock::system());
    let outbound = Outbound::new(Guard { allow_loopback: true }).expect("a client");
    let slack = SlackPlatform::new(outbound, clock.clone(), fake.api_base());
    Bench { at: fake.installation(), fake, slack, clock }
}

fn person(user: &str, team: &str) -> Sender {
    Sender { team: team.to_owned(), user: user.to_owned(), account: None }
}

fn place(channel: &str) -> Place {
    let kind = if channel.starts_with('D') { PlaceKind::Direct } else { PlaceKind::Shared };
    Place { kind, conversation: channel.to_owned(), thread: String::new(), message: String::new(), outsiders: false }
}

fn target(said: &Said) -> Target {
    let place = Place { thread: said.thread().to_owned(), message: said.ts.clone(), ..place(&said.channel) };
    Target { sender: person(&said.user, &said.team), place }
}

impl Bench {
    async fn standing(&self, user: &str, team: &str) -> Result<Standing, Failure> {
        self.slack.identify(&self.at, &person(user, team)).await.map(|identity| identity.standing)
    }

    fn asked(&self, channel: &str) -> Target {
        target(&self.fake.says(channel, ALICE, "<@U0BOT> hi"))
    }

    async fn post(&self, target: &Target) -> Result<String, Failure> {
        self.slack.post(&self.at, target, DeliveryId::new(), &Say::plain("Working on it")).await
    }
}

#[tokio::test]
async fn only_full_active_members_of_the_workspace_are_teammates() {
    let bench = bench().await;
    for (user, team, standing) in [
        (ALICE, TEAM, Standing::Teammate),
        (GUEST, TEAM, Standing::Guest),
        (ULTRA, TEAM, Standing::Guest),
        (ROBOT, TEAM, Standing::Bot),
        (BOT, TEAM, Standing::Bot),
        (GONE, TEAM, Standing::Deactivated),
        (STRANGER, "T0EXT", Standing::Stranger),
        (STRANGER, TEAM, Standing::Stranger),
        (ALICE, "T0EXT", Standing::Stranger),
        (ALICE, "", Standing::Stranger),
        ("U0NOBODY", TEAM, Standing::Stranger),
    ] {
        assert_eq!(bench.standing(user, team).await, Ok(standing), "{user} of {team:?}");
    }
    let alice = bench.slack.identify(&bench.at, &person(ALICE, TEAM)).await.expect("an identity");
    assert_eq!((alice.name.as_str(), alice.team_name.as_str()), ("Alice Archer", TEAM_NAME));
}

#[tokio::test]
async fn a_person_is_believed_for_ten_minutes_and_a_failure_never() {
    let bench = bench().await;
    bench.fake.fail_next("users.info", Fault::Word("ekm_access_denied"), 1);
    assert_eq!(bench.standing(ALICE, TEAM).await, Err(Failure::Refused("ekm_access_denied".to_owned())));
    assert_eq!(bench.standing(ALICE, TEAM).await, Ok(Standing::Teammate));
    bench.fake.change_user(ALICE, |user| user.deleted = true);
    assert_eq!(bench.standing(ALICE, TEAM).await, Ok(Standing::Teammate));
    bench.clock.advance(Duration::from_secs(601));
    assert_eq!(bench.standing(ALICE, TEAM).await, Ok(Standing::Deactivated));
    assert_eq!(bench.fake.calls("users.info").len(), 3);
    assert_eq!(bench.fake.calls("auth.test").len(), 2);
    // A name that cannot be had is no reason to refuse.
    bench.clock.advance(Duration::from_secs(601));
    bench.fake.fail_next("auth.test", Fault::Before, 1);
    let bob = bench.slack.identify(&bench.at, &person(BOB, TEAM)).await.expect("an identity");
    assert_eq!((bob.standing, bob.team_name.as_str()), (Standing::Teammate, TEAM));
}

#[tokio::test]
async fn outsiders_are_seen_and_doubt_is_a_failure() {
    let bench = bench().await;
    for (channel, outsiders) in [
        (CHANNEL, Ok(false)),
        (PRIVATE, Ok(false)),
        (DM, Ok(false)),
        (EXTERNAL, Ok(true)),
        (PENDING, Ok(true)),
        (ORG_WIDE, Ok(true)),
        (ANNEX, Err(Failure::Elsewhere("channel_not_found".to_owned()))),
    ] {
        assert_eq!(bench.slack.has_outsiders(&bench.at, &place(channel)).await, outsiders, "{channel}");
    }
    // The event itself said so.
    let said = Place { outsiders: true, ..place(CHANNEL) };
    assert_eq!(bench.slack.has_outsiders(&bench.at, &said).await, Ok(true));
    bench.fake.share_channel(CHANNEL);
    assert_eq!(bench.slack.has_outsiders(&bench.at, &place(CHANNEL)).await, Ok(false));
    bench.clock.advance(Duration::from_secs(61));
    bench.fake.fail_next("conversations.info", Fault::Before, 3);
    assert!(matches!(bench.slack.has_outsiders(&bench.at, &place(CHANNEL)).await, Err(Failure::Away(_))));
    // Reads are repeated: two that fail are not noticed.
    bench.fake.fail_next("conversations.info", Fault::Cut, 2);
    assert_eq!(bench.slack.has_outsiders(&bench.at, &place(CHANNEL)).await, Ok(true));
}

#[tokio::test]
async fn a_post_is_found_again_and_replaced() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    let (id, other) = (DeliveryId::new(), DeliveryId::new());
    bench.slack.progress(&bench.at, &asked, Some("is reading")).await.expect("a status");
    let ts = bench.slack.post(&bench.at, &asked, id, &Say::plain("Working on it")).await.expect("a post");
    // More in the thread than one page holds.
    for _ in 0..250 {
        bench.fake.replies(CHANNEL, BOB, &asked.place.thread, "noise");
    }
    let late = bench.slack.post(&bench.at, &asked, other, &Say::plain("Late")).await.expect("a post");
    assert_eq!(bench.slack.find(&bench.at, &asked, id).await, Ok(Some(ts.clone())));
    assert_eq!(bench.slack.find(&bench.at, &asked, other).await, Ok(Some(late)));
    assert_eq!(bench.slack.find(&bench.at, &asked, DeliveryId::new()).await, Ok(None));
    let answer = Say::plain("6 %").with(Part::Note("Powered by Corbel".to_owned()));
    for _ in 0..2 {
        bench.slack.update(&bench.at, &asked, &ts, &answer).await.expect("an update");
    }
    let answers = bench.fake.final_answers(&asked.place.thread);
    assert_eq!((answers.len(), answers[0].shown().as_str()), (1, "6 %\nPowered by Corbel"));
    assert_eq!(answers[0].delivery(), Some(id.to_string().as_str()));
    assert_eq!(bench.fake.statuses()[0].status, "is reading");
    let call = &bench.fake.calls("chat.postMessage")[0];
    assert_eq!((call.arg("unfurl_links"), call.arg("unfurl_media")), (Some("false"), Some("false")));

    bench.fake.delete(&ts);
    assert!(matches!(bench.slack.update(&bench.at, &asked, &ts, &answer).await, Err(Failure::Gone(_))));
    bench.fake.drop_scope("channels:history");
    assert_eq!(bench.slack.find(&bench.at, &asked, other).await, Ok(None));
}

#[tokio::test]
async fn private_words_stay_private_and_reach_the_sender() {
    let bench = bench().await;
    let prompt = Say::plain("Please connect").with(Part::Link {
        label: "Connect".to_owned(),
        url: "https://corbel.example/connect/abc".to_owned(),
    });
    let asked = bench.asked(CHANNEL);
    bench.slack.whisper(&bench.at, &asked, &prompt).await.expect("a whisper");
    let heard = bench.fake.ephemerals_for(ALICE);
    assert_eq!(heard[0].link().as_deref(), Some("https://corbel.example/connect/abc"));
    assert_eq!((heard[0].thread.as_deref(), heard.len()), (None, 1), "not hidden in a thread that is not there yet");
    let reply = target(&bench.fake.replies(CHANNEL, ALICE, &asked.place.thread, "<@U0BOT> again"));
    bench.slack.whisper(&bench.at, &reply, &prompt).await.expect("a whisper");
    assert_eq!(bench.fake.ephemerals_for(ALICE)[1].thread.as_deref(), Some(asked.place.thread.as_str()));
    // Slack shows no ephemeral message in an assistant's own conversation.
    let direct = bench.asked(DM);
    bench.slack.whisper(&bench.at, &direct, &prompt).await.expect("a post");
    assert_eq!((bench.fake.ephemerals_for(ALICE).len(), bench.fake.answers(&direct.place.thread).len()), (2, 1));

    let said = target(&bench.fake.says(CHANNEL, BOB, "<@U0BOT> hi"));
    let opened = bench.slack.direct(&bench.at, &said).await.expect("a conversation");
    assert_eq!((opened.place.kind, opened.place.thread.as_str()), (PlaceKind::Direct, ""));
    let id = DeliveryId::new();
    let ts = bench.slack.post(&bench.at, &opened, id, &prompt).await.expect("a post");
    assert_eq!(bench.fake.direct_messages_to(BOB)[0].ts, ts);
    assert_eq!(bench.slack.find(&bench.at, &opened, id).await, Ok(Some(ts)));
    let gone = Target { sender: person(GONE, TEAM), ..said };
    assert_eq!(bench.slack.direct(&bench.at, &gone).await, Err(Failure::Refused("user_disabled".to_owned())));
}

#[tokio::test]
async fn places_where_it_cannot_speak() {
    let bench = bench().await;
    for (channel, word) in [(ARCHIVE, "is_archived"), (LOBBY, "not_in_channel"), (ANNEX, "channel_not_found")] {
        assert_eq!(bench.post(&bench.asked(channel)).await, Err(Failure::Elsewhere(word.to_owned())), "{channel}");
    }
    let mut asked = bench.asked(CHANNEL);
    asked.place.thread = "1.000001".to_owned();
    assert_eq!(bench.post(&asked).await, Err(Failure::Elsewhere("thread_not_found".to_owned())));
}

#[tokio::test]
async fn a_lost_reply_is_ambiguous_for_a_post_and_repeatable_for_an_update() {
    let bench = bench().await;
    for fault in [Fault::LostReply, Fault::Cut, Fault::Word("internal_error"), Fault::Before] {
        let (asked, id) = (bench.asked(CHANNEL), DeliveryId::new());
        bench.fake.fail_next("chat.postMessage", fault, 1);
        let outcome = bench.slack.post(&bench.at, &asked, id, &Say::plain("Working on it")).await;
        assert!(matches!(outcome, Err(Failure::Ambiguous(_))), "{fault:?}: {outcome:?}");
        let found = bench.slack.find(&bench.at, &asked, id).await.expect("a look");
        assert_eq!(found.is_some(), matches!(fault, Fault::LostReply | Fault::Cut), "{fault:?}");
    }
    let asked = bench.asked(CHANNEL);
    let ts = bench.post(&asked).await.expect("a post");
    bench.fake.fail_next("chat.update", Fault::LostReply, 1);
    let outcome = bench.slack.update(&bench.at, &asked, &ts, &Say::plain("6 %")).await;
    assert!(matches!(outcome, Err(Failure::Away(_))), "{outcome:?}");
    bench.fake.fail_next("chat.postEphemeral", Fault::Cut, 1);
    let outcome = bench.slack.whisper(&bench.at, &asked, &Say::plain("psst")).await;
    assert!(matches!(outcome, Err(Failure::Ambiguous(_))), "{outcome:?}");
    // Nobody listens: certainly nothing happened.
    let outbound = Outbound::new(Guard { allow_loopback: true }).expect("a client");
    let nowhere = SlackPlatform::new(outbound, Clock::system(), "http://127.0.0.1:9/api/".to_owned());
    let outcome = nowhere.post(&bench.at, &asked, DeliveryId::new(), &Say::plain("x")).await;
    assert!(matches!(outcome, Err(Failure::Away(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_status_gives_up_soon() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    bench.fake.fail_next("assistant.threads.setStatus", Fault::Slow(Duration::from_secs(20)), 1);
    let begun = Instant::now();
    assert!(matches!(bench.slack.progress(&bench.at, &asked, Some("thinks")).await, Err(Failure::Away(_))));
    assert!(begun.elapsed() < Duration::from_secs(6));
}

#[tokio::test]
async fn after_being_asked_to_wait_it_does_not_call() {
    let bench = bench().await;
    let (asked, elsewhere) = (bench.asked(CHANNEL), bench.asked(DM));
    bench.fake.fail_next("chat.postMessage", Fault::Limited(30), 1);
    assert_eq!(bench.post(&asked).await, Err(Failure::Wait(Duration::from_secs(30))));
    let Err(Failure::Wait(rest)) = bench.post(&asked).await else { panic!("it has to wait") };
    assert!(rest <= Duration::from_secs(30) && rest > Duration::from_secs(20));
    assert_eq!(bench.fake.calls("chat.postMessage").len(), 1);
    // Other conversations and installations are free.
    bench.post(&elsewhere).await.expect("a post");
    let second = bench.fake.installation();
    bench.slack.post(&second, &asked, DeliveryId::new(), &Say::plain("x")).await.expect("a post");
    bench.clock.advance(Duration::from_secs(31));
    bench.post(&asked).await.expect("a post");
    bench.fake.fail_next("chat.postMessage", Fault::Word("rate_limited"), 1);
    assert!(matches!(bench.post(&asked).await, Err(Failure::Wait(_))));
}

#[tokio::test]
async fn what_slack_does_not_take_is_said_as_text_once() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    bench.fake.fail_next("chat.postMessage", Fault::Word("invalid_blocks"), 1);
    let ts = bench.post(&asked).await.expect("a post");
    let posted = bench.fake.answers(&asked.place.thread).remove(0);
    assert_eq!((posted.ts.as_str(), posted.text.as_str(), posted.blocks.len()), (ts.as_str(), "Working on it", 0));
    bench.slack.update(&bench.at, &asked, &ts, &Say::plain("**6 %**")).await.expect("an update");
    bench.fake.fail_next("chat.update", Fault::Word("msg_blocks_too_long"), 1);
    bench.slack.update(&bench.at, &asked, &ts, &Say::plain("6 %")).await.expect("an update");
    assert_eq!(bench.fake.answers(&asked.place.thread)[0].blocks.len(), 0, "the blocks of before are gone");
    bench.fake.fail_next("chat.update", Fault::Word("msg_too_long"), 2);
    let outcome = bench.slack.update(&bench.at, &asked, &ts, &Say::plain("6 %")).await;
    assert_eq!(outcome, Err(Failure::Content("msg_too_long".to_owned())));
}

#[tokio::test]
async fn lost_rights_disable_and_missing_ones_are_named() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    bench.fake.drop_scope("chat:write");
    assert_eq!(bench.post(&asked).await, Err(Failure::Refused("missing_scope: chat:write".to_owned())));
    bench.fake.revoke();
    assert_eq!(bench.post(&asked).await, Err(Failure::Disabled("token_revoked".to_owned())));
    for token in [None, Some(Secret::new("xoxb-wrong"))] {
        let at = Installation { bot_token: token, ..bench.at.clone() };
        let outcome = bench.slack.post(&at, &asked, DeliveryId::new(), &Say::plain("x")).await;
        assert!(matches!(outcome, Err(Failure::Disabled(_))), "{outcome:?}");
    }
}

#[test]
fn every_row_of_the_error_table() {
    let kind = |effect, word: &str| match refused(effect, word) {
        Failure::Wait(_) => "wait",
        Failure::Away(_) => "away",
        Failure::Ambiguous(_) => "ambiguous",
        Failure::Elsewhere(_) => "elsewhere",
        Failure::Content(_) => "content",
        Failure::Gone(_) => "gone",
        Failure::Disabled(_) => "disabled",
        Failure::Refused(_) => "refused",
    };
    for (words, post, edit, read) in [
        ("ratelimited rate_limited", "wait", "wait", "wait"),
        ("internal_error fatal_error service_unavailable request_timeout", "ambiguous", "away", "away"),
        ("invalid_auth token_revoked account_inactive not_authed token_expired", "disabled", "disabled", "disabled"),
        ("not_in_channel channel_not_found is_archived restricted_action", "elsewhere", "elsewhere", "elsewhere"),
        ("restricted_action_thread_locked thread_not_found user_not_in_channel", "elsewhere", "elsewhere", "elsewhere"),
        ("message_not_found", "elsewhere", "gone", "elsewhere"),
        ("msg_too_long msg_blocks_too_long invalid_blocks invalid_blocks_format", "content", "content", "content"),
        ("missing_scope ekm_access_denied accesslimited app_access_restricted", "refused", "refused", "refused"),
        ("messages_tab_disabled user_disabled slack_connect_file_link_sharing_blocked x", "refused", "refused", "refused"),
    ] {
        for word in words.split(' ') {
            let kinds = [Effect::Post, Effect::Edit, Effect::Repeatable].map(|effect| kind(effect, word));
            assert_eq!(kinds, [post, edit, read], "{word}");
        }
    }
}

#[tokio::test]
async fn with_looking_first_faults_at_random_never_post_twice() {
    let bench = bench().await;
    bench.fake.misbehave(7, Rates { limited: 50, before: 150, lost_reply: 150, cut: 150 });
    for _ in 0..30 {
        let (asked, id, say) = (bench.asked(CHANNEL), DeliveryId::new(), Say::plain("Working on it"));
        let mut unsure = false;
        loop {
            let known = if unsure { bench.slack.find(&bench.at, &asked, id).await } else { Ok(None) };
            let outcome = match known {
                Ok(None) => bench.slack.post(&bench.at, &asked, id, &say).await,
                Ok(Some(ts)) => Ok(ts),
                Err(failure) => Err(failure),
            };
            match outcome {
                Ok(_) => break,
                Err(Failure::Ambiguous(_)) => unsure = true,
                Err(Failure::Wait(wait)) => bench.clock.advance(wait + Duration::from_millis(1)),
                Err(Failure::Away(_)) => {}
                Err(failure) => panic!("{failure}"),
            }
        }
        assert_eq!(bench.fake.answers(&asked.place.thread).len(), 1);
    }
}

//! Slack's Web API client against the fake: what each call does. Its handling of faults is in `slack_faults.rs`.

use std::time::Duration;

use corbel::assistants::model::{Installation, Part, Place, PlaceKind, Say, Sender, Target};
use corbel::base::clock::Clock;
use corbel::base::ids::DeliveryId;
use corbel::chat::core::platform::{Audience, Failure, LookupResult, Obstacle, Platform, SenderStatus};
use corbel::chat::slack::client::SlackPlatform;
use corbel::net::client::Outbound;
use corbel::net::guard::Guard;

use crate::harness::slack::{
    ALICE, ANNEX, BOB, BOT, CHANNEL, DM, EXTERNAL, FakeSlack, Fault, GONE, GUEST, ORG_WIDE, PENDING, PRIVATE,
    ROBOT, STRANGER, Said, TEAM, TEAM_NAME, ULTRA,
};

/// The client, the fake that it calls, and the clock of both.
pub struct Bench {
    pub fake: FakeSlack,
    pub slack: SlackPlatform,
    pub clock: Clock,
    pub at: Installation,
}

pub async fn bench() -> Bench {
    let (fake, clock) = (FakeSlack::start().await, Clock::system());
    let outbound = Outbound::new(Guard { allow_loopback: true }).expect("a client");
    let slack = SlackPlatform::new(outbound, clock.clone(), fake.api_base());
    Bench {
        at: fake.installation(),
        fake,
        slack,
        clock,
    }
}

fn person(user: &str, team: &str) -> Sender {
    Sender {
        team: team.to_owned(),
        user: user.to_owned(),
        account: None,
    }
}

fn place(channel: &str) -> Place {
    let kind = if channel.starts_with('D') {
        PlaceKind::Direct
    } else {
        PlaceKind::Shared
    };
    Place {
        kind,
        conversation: channel.to_owned(),
        thread: String::new(),
        message: String::new(),
        outsiders: false,
    }
}

fn target(said: &Said) -> Target {
    let place = Place {
        thread: said.thread().to_owned(),
        message: said.ts.clone(),
        ..place(&said.channel)
    };
    Target {
        sender: person(&said.user, &said.team),
        place,
    }
}

impl Bench {
    async fn status(&self, user: &str, team: &str) -> Result<SenderStatus, Failure> {
        self.slack
            .identify(&self.at, &person(user, team))
            .await
            .map(|identity| identity.status)
    }

    /// Somebody mentions the bot in a channel.
    pub fn asked(&self, channel: &str) -> Target {
        target(&self.fake.says(channel, ALICE, "<@U0BOT> hi"))
    }

    pub async fn post(&self, target: &Target) -> Result<String, Failure> {
        self.slack
            .post(&self.at, target, DeliveryId::new(), &Say::plain("Working on it"))
            .await
    }
}

#[tokio::test]
async fn only_full_active_members_of_the_workspace_are_teammates() {
    let bench = bench().await;
    for (user, team, status) in [
        (ALICE, TEAM, SenderStatus::Member),
        (GUEST, TEAM, SenderStatus::Guest),
        (ULTRA, TEAM, SenderStatus::Guest),
        (ROBOT, TEAM, SenderStatus::Bot),
        (BOT, TEAM, SenderStatus::Bot),
        (GONE, TEAM, SenderStatus::Deactivated),
        (STRANGER, "T0EXT", SenderStatus::Outsider),
        (STRANGER, TEAM, SenderStatus::Outsider),
        (ALICE, "T0EXT", SenderStatus::Outsider),
        (ALICE, "", SenderStatus::Outsider),
        ("U0NOBODY", TEAM, SenderStatus::Outsider),
    ] {
        assert_eq!(bench.status(user, team).await, Ok(status), "{user} of {team:?}");
    }
    let alice = bench
        .slack
        .identify(&bench.at, &person(ALICE, TEAM))
        .await
        .expect("an identity");
    assert_eq!(
        (alice.name.as_str(), alice.team_name.as_str()),
        ("Alice Archer", TEAM_NAME)
    );
}

#[tokio::test]
async fn a_user_is_cached_for_ten_minutes_and_a_failure_is_not_cached() {
    let bench = bench().await;
    bench
        .fake
        .fail_next("users.info", Fault::Error("ekm_access_denied"), 1);
    assert_eq!(
        bench.status(ALICE, TEAM).await,
        Err(Failure::Forbidden("ekm_access_denied".to_owned()))
    );
    assert_eq!(bench.status(ALICE, TEAM).await, Ok(SenderStatus::Member));
    bench.fake.change_user(ALICE, |user| user.deleted = true);
    assert_eq!(bench.status(ALICE, TEAM).await, Ok(SenderStatus::Member));
    bench.clock.advance(Duration::from_secs(601));
    assert_eq!(bench.status(ALICE, TEAM).await, Ok(SenderStatus::Deactivated));
    assert_eq!(bench.fake.calls("users.info").len(), 3);
    assert_eq!(bench.fake.calls("auth.test").len(), 2);
    // A name that cannot be fetched is no reason to refuse.
    bench.clock.advance(Duration::from_secs(601));
    bench.fake.fail_next("auth.test", Fault::ServerError, 1);
    let bob = bench
        .slack
        .identify(&bench.at, &person(BOB, TEAM))
        .await
        .expect("an identity");
    assert_eq!((bob.status, bob.team_name.as_str()), (SenderStatus::Member, TEAM));
}

#[tokio::test]
async fn outsiders_are_detected_and_doubt_is_a_failure() {
    let bench = bench().await;
    for (channel, audience) in [
        (CHANNEL, Ok(Audience::Own)),
        (PRIVATE, Ok(Audience::Own)),
        (DM, Ok(Audience::Own)),
        (EXTERNAL, Ok(Audience::Outside)),
        (PENDING, Ok(Audience::Outside)),
        (ORG_WIDE, Ok(Audience::Workspaces)),
        (
            ANNEX,
            Err(Failure::NotHere(
                Obstacle::NotMember,
                "channel_not_found".to_owned(),
            )),
        ),
    ] {
        assert_eq!(
            bench.slack.audience(&bench.at, &place(channel)).await,
            audience,
            "{channel}"
        );
    }
    // The event itself reported outsiders.
    let said = Place {
        outsiders: true,
        ..place(CHANNEL)
    };
    assert_eq!(
        bench.slack.audience(&bench.at, &said).await,
        Ok(Audience::Outside)
    );
    bench.fake.share_channel(CHANNEL);
    assert_eq!(
        bench.slack.audience(&bench.at, &place(CHANNEL)).await,
        Ok(Audience::Own)
    );
    bench.clock.advance(Duration::from_secs(61));
    bench.fake.fail_next("conversations.info", Fault::ServerError, 3);
    assert!(matches!(
        bench.slack.audience(&bench.at, &place(CHANNEL)).await,
        Err(Failure::Unavailable(_))
    ));
    // Reads are retried: two failures go unnoticed.
    bench.fake.fail_next("conversations.info", Fault::Cut, 2);
    assert_eq!(
        bench.slack.audience(&bench.at, &place(CHANNEL)).await,
        Ok(Audience::Outside)
    );
}

#[tokio::test]
async fn a_post_is_found_and_replaced() {
    let bench = bench().await;
    let asked = bench.asked(CHANNEL);
    let (id, other) = (DeliveryId::new(), DeliveryId::new());
    bench
        .slack
        .show_status(&bench.at, &asked, Some("is reading"))
        .await
        .expect("a status");
    let ts = bench
        .slack
        .post(&bench.at, &asked, id, &Say::plain("Working on it"))
        .await
        .expect("a post");
    // More messages in the thread than one page contains.
    for _ in 0..250 {
        bench.fake.replies(CHANNEL, BOB, &asked.place.thread, "noise");
    }
    let late = bench
        .slack
        .post(&bench.at, &asked, other, &Say::plain("Late"))
        .await
        .expect("a post");
    assert_eq!(
        bench.slack.find_post(&bench.at, &asked, id).await,
        Ok(LookupResult::Found(ts.clone()))
    );
    assert_eq!(
        bench.slack.find_post(&bench.at, &asked, other).await,
        Ok(LookupResult::Found(late))
    );
    assert_eq!(
        bench.slack.find_post(&bench.at, &asked, DeliveryId::new()).await,
        Ok(LookupResult::Absent)
    );
    let answer = Say::plain("6 %").with(Part::Note("Powered by Corbel".to_owned()));
    for _ in 0..2 {
        bench
            .slack
            .update(&bench.at, &asked, &ts, &answer)
            .await
            .expect("an update");
    }
    let answers = bench.fake.final_answers(&asked.place.thread);
    assert_eq!(
        (answers.len(), answers[0].shown().as_str()),
        (1, "6 %\nPowered by Corbel")
    );
    assert_eq!(answers[0].delivery(), Some(id.to_string().as_str()));
    assert_eq!(bench.fake.statuses()[0].status, "is reading");
    let call = &bench.fake.calls("chat.postMessage")[0];
    assert_eq!(
        (call.arg("unfurl_links"), call.arg("unfurl_media")),
        (Some("false"), Some("false"))
    );

    bench.fake.delete(&ts);
    assert!(matches!(
        bench.slack.update(&bench.at, &asked, &ts, &answer).await,
        Err(Failure::Gone(_))
    ));
    bench.fake.drop_scope("channels:history");
    assert_eq!(
        bench.slack.find_post(&bench.at, &asked, other).await,
        Ok(LookupResult::Unreadable)
    );
}

#[tokio::test]
async fn private_messages_stay_private_and_reach_the_sender() {
    let bench = bench().await;
    let prompt = Say::plain("Please connect").with(Part::Link {
        label: "Connect".to_owned(),
        url: "https://corbel.example/connect/abc".to_owned(),
    });
    let asked = bench.asked(CHANNEL);
    bench
        .slack
        .post_ephemeral(&bench.at, &asked, &prompt)
        .await
        .expect("a whisper");
    let responses = bench.fake.ephemerals_for(ALICE);
    assert_eq!(
        (responses[0].channel.as_str(), responses[0].text.as_str()),
        (CHANNEL, "Please connect")
    );
    assert_eq!(responses[0].shown(), "Please connect\nConnect");
    assert_eq!(
        responses[0].link().as_deref(),
        Some("https://corbel.example/connect/abc")
    );
    assert_eq!(
        (responses[0].thread.as_deref(), responses.len()),
        (None, 1),
        "not in a thread that does not exist yet"
    );
    let reply = target(
        &bench
            .fake
            .replies(CHANNEL, ALICE, &asked.place.thread, "<@U0BOT> again"),
    );
    bench
        .slack
        .post_ephemeral(&bench.at, &reply, &prompt)
        .await
        .expect("a whisper");
    assert_eq!(
        bench.fake.ephemerals_for(ALICE)[1].thread.as_deref(),
        Some(asked.place.thread.as_str())
    );
    // Slack shows no ephemeral message in an assistant's own conversation.
    let direct = bench.asked(DM);
    bench
        .slack
        .post_ephemeral(&bench.at, &direct, &prompt)
        .await
        .expect("a post");
    assert_eq!(
        (
            bench.fake.ephemerals_for(ALICE).len(),
            bench.fake.answers(&direct.place.thread).len()
        ),
        (2, 1)
    );

    let said = target(&bench.fake.says(CHANNEL, BOB, "<@U0BOT> hi"));
    let opened = bench
        .slack
        .open_direct(&bench.at, &said)
        .await
        .expect("a conversation");
    assert_eq!(
        (opened.place.kind, opened.place.thread.as_str()),
        (PlaceKind::Direct, "")
    );
    let id = DeliveryId::new();
    let ts = bench
        .slack
        .post(&bench.at, &opened, id, &prompt)
        .await
        .expect("a post");
    let responses = bench.fake.direct_messages_to(BOB).remove(0);
    assert_eq!(
        (&responses.ts, responses.link().as_deref()),
        (&ts, Some("https://corbel.example/connect/abc"))
    );
    assert_eq!(
        bench.slack.find_post(&bench.at, &opened, id).await,
        Ok(LookupResult::Found(ts))
    );
    let gone = Target {
        sender: person(GONE, TEAM),
        ..said
    };
    assert_eq!(
        bench.slack.open_direct(&bench.at, &gone).await,
        Err(Failure::NoRecipient("user_disabled".to_owned()))
    );
}

//! Recorded Slack payloads from the folder in `CORBEL_TEST_SHARED`, parsed and sent to the app. The expected effect is
//! part of each fixture's name.

use corbel::assistants::inbox::interaction::{Interaction, Page};
use corbel::assistants::model::Platform;
use corbel::assistants::model::{InstallationState, PlaceKind, Turn};
use corbel::assistants::slack::app::SlackApp;
use corbel::chat::slack::events::{Incoming, read};
use corbel::chat::slack::interactivity::{self, Received};
use corbel::chat::slack::lifecycle::Happening;
use serde_json::Value;

use crate::chat::slack_flow::Stage;
use crate::chat::slack_wire::shared;
use crate::harness::app::on_each;
use crate::harness::slack::requests::{deliver_form, form};
use crate::harness::slack::{ALICE, FakeSlack, SECRET, TEAM};

const FIXTURES: &str = "data/slack/fixtures.json";
/// The message that the fixtures stop or delete.
const QUESTION: &str = "1795000001.000100";

/// Checks the turn of a question by Alice.
fn check_turn(name: &str, turn: &Turn, event_key: &str, message_key: &str) {
    let place = &turn.place;
    let sender = (turn.sender.user.as_str(), turn.sender.team.as_str());
    assert_eq!(sender, (ALICE, TEAM), "{name}");
    assert_eq!(place.outsiders, name.contains("ext_shared"), "{name}");
    assert!(!turn.text.contains("U0BOT"), "{name}");
    assert_eq!(event_key, "Ev0000001");
    assert_eq!(
        message_key,
        format!("{}/{}/{TEAM}", place.message, place.conversation)
    );
    let direct = place.kind == PlaceKind::Direct;
    assert_eq!(direct, name.starts_with("message_im"), "{name}");
    assert_eq!(place.thread != place.message, name.contains("thread"), "{name}");
    assert_eq!(turn.files.len(), usize::from(name.contains("file")), "{name}");
}

fn check_interaction(name: &str, interaction: &Interaction) {
    match (name, interaction) {
        ("message_deleted__cancel", Interaction::Deleted { message_key, place }) => {
            assert_eq!(message_key, &format!("{QUESTION}/D0DM/{TEAM}"));
            assert_eq!(
                (place.message.as_str(), place.conversation.as_str()),
                (QUESTION, "D0DM")
            );
        }
        ("app_home_opened_messages", Interaction::Opened { target, page }) => {
            assert_eq!((target.sender.user.as_str(), *page), (ALICE, Page::Conversation));
        }
        ("agent_session_stopped", Interaction::Stopped { target, before }) => {
            assert!(
                before.as_deref().is_some_and(|before| before > QUESTION),
                "{before:?}"
            );
            assert_eq!(target.sender.user, ALICE);
            assert_eq!(
                (target.place.thread.as_str(), target.place.conversation.as_str()),
                (QUESTION, "D0DM")
            );
        }
        _ => panic!("{name}: {interaction:?}"),
    }
}

/// Why a fixture's event is ignored.
fn ignored(name: &str) -> &'static str {
    match name {
        "app_rate_limited" => "app_rate_limited",
        "app_mention_edited__drop" => "an edited message",
        "message_im_own_bot__drop" | "message_im_bot_message__drop" => "written by a bot",
        "message_changed_unfurl_only__drop" => "message_changed",
        "app_context_changed"
        | "member_joined_channel_bot"
        | "user_change_deactivated"
        | "unknown_event__ack" => "an ignored event",
        _ => panic!("{name} is to be acted on"),
    }
}

#[tokio::test]
async fn every_fixture_has_its_expected_action() {
    let Some(file) = shared(FIXTURES) else {
        return;
    };
    let at = FakeSlack::start().await.installation();
    let mut organization = at.clone();
    organization.platform = Platform::Slack(Box::new(SlackApp {
        team_id: None,
        is_enterprise: true,
        enterprise_id: Some("E0ORG".to_owned()),
        ..at.slack().clone()
    }));
    let events = file["events"].as_object().expect("events");
    assert_eq!(events.len(), 24);
    for (name, event) in events {
        let wide = name == "org_install_mention";
        let at = if wide { &organization } else { &at };
        let incoming = read(event.to_string().as_bytes(), at).expect(name);
        match (name.as_str(), incoming) {
            ("url_verification", Incoming::UrlVerification { challenge }) => assert_eq!(challenge, "c0ffee"),
            // The chat core refuses people of other workspaces and replies to them.
            ("app_mention_ext_shared_stranger__deny", Incoming::Turn { turn, .. }) => {
                assert_eq!((turn.sender.team.as_str(), turn.place.outsiders), ("T0EXT", true));
            }
            ("org_install_mention", Incoming::Turn { turn, .. }) => {
                assert_eq!(
                    (turn.sender.user.as_str(), turn.sender.team.as_str()),
                    (ALICE, TEAM)
                );
            }
            (
                "app_mention_top"
                | "app_mention_in_thread"
                | "app_mention_ext_shared_home_user"
                | "message_im_top"
                | "message_im_thread_reply"
                | "message_im_file_share"
                | "message_im_file_connect_stub",
                Incoming::Turn {
                    turn,
                    message_key,
                    event_key,
                },
            ) => check_turn(name, &turn, &event_key, &message_key),
            ("tokens_revoked" | "app_uninstalled", Incoming::Lifecycle(report)) => {
                let Happening::RightsLost(why) = report.what else {
                    panic!("{name}: {report:?}")
                };
                assert_eq!((why, report.when.timestamp()), (name.as_str(), 1_795_000_000));
            }
            (_, Incoming::Interaction { interaction, .. }) => check_interaction(name, &interaction),
            (_, Incoming::Ignored(why)) => assert_eq!(why, ignored(name), "{name}"),
            (_, other) => panic!("{name}: {other:?}"),
        }
    }
}

/// Votes on unknown answers, dialogs and commands are acknowledged and have no other effect.
#[tokio::test]
async fn unknown_interactions_and_commands_are_only_acknowledged() {
    let Some(file) = shared(FIXTURES) else {
        return;
    };
    let at = FakeSlack::start().await.installation();
    let payloads = file["interactivity"].as_object().expect("payloads");
    assert_eq!(payloads.len(), 2);
    for (name, payload) in payloads {
        let read = interactivity::read(form(payload).as_bytes(), &at);
        let why = match name.as_str() {
            "interactivity_block_actions" => "a button without an act",
            "interactivity_view_submission" => "an ignored interaction",
            _ => panic!("{name} is new"),
        };
        assert_eq!(read, Ok(Received::Ignored(why)), "{name}");
    }
    let command = file["slash_form"].as_str().expect("a form");
    on_each("acknowledged only", |place| async move {
        let stage = Stage::set(&place).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let address = |end: &str| stage.at.events.replace("/events", end);
        let mut bodies: Vec<(String, String)> = payloads
            .values()
            .map(|payload: &Value| (address("/interactivity"), form(payload)))
            .collect();
        bodies.push((address("/commands"), command.to_owned()));
        for (address, body) in bodies {
            let taken = deliver_form(&address, SECRET, stage.now(), body.clone()).await;
            assert_eq!((taken.status, taken.body.as_str()), (200, ""), "{address}");
            let refused = deliver_form(&address, "wrong", stage.now(), body).await;
            assert_eq!(refused.status, 401, "{address}");
        }
        stage.running.settle().await;
        assert_eq!(stage.slack.all_calls(), 0, "nothing is posted");
        stage.running.stop().await;
    })
    .await;
}

/// The effect on the app of fixtures that report revoked rights.
#[tokio::test]
async fn fixtures_of_revoked_rights_disable_the_installation() {
    let Some(file) = shared(FIXTURES) else {
        return;
    };
    for name in ["tokens_revoked", "app_uninstalled"] {
        let recorded = &file["events"][name];
        on_each(name, |place| async move {
            let stage = Stage::set(&place).await;
            let mut event = recorded.clone();
            // The report has to be younger than the installation, which is from now.
            event["event_time"] = (stage.now() + 60).into();
            assert_eq!(stage.post(&event).await, 200, "{name}");
            let installations = &stage.running.services().installations;
            let found = installations.by_id(stage.org.id, stage.at.slack.id).await;
            let at = found.expect("installation");
            assert_eq!(at.state, InstallationState::Disabled, "{name}");
            assert_eq!(at.disabled_because.as_deref(), Some(name));
            assert!(at.slack().bot_token.is_none(), "{name}: the token is wiped");
            stage.running.stop().await;
        })
        .await;
    }
}

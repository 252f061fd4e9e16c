//! Slack's wire format, in and out: signatures, events, blocks and manifests, checked against vectors, fixtures and
//! schemas of the folder in `CORBEL_TEST_SHARED`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use corbel::assistants::model::{Assistant, Installation, Part, PlaceKind, Platform, Say};
use corbel::assistants::slack::app::SlackApp;
use corbel::base::clock::Clock;
use corbel::base::ids::{AssistantId, OrgId};
use corbel::base::secret::Secret;
use corbel::chat::slack::blocks::{message, text_only};
use corbel::chat::slack::events::{Incoming, Malformed, challenge, read};
use corbel::chat::slack::manifest::{SlackAddresses, create_link, manifest};
use corbel::chat::slack::signature::{Rejected, check};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::harness::external;
use crate::harness::slack::{ALICE, CHANNEL, DM, FakeSlack, STRANGER, message_limits, requests};

/// A file of the shared folder, or nothing, with a notice, where there is none.
pub fn shared(path: &str) -> Option<Value> {
    let root = external::named("CORBEL_TEST_SHARED", &format!("{path} is not checked"))?;
    let text = std::fs::read_to_string(PathBuf::from(root).join(path)).expect(path);
    Some(serde_json::from_str(&text).expect(path))
}

#[test]
fn every_signature_vector_has_the_result_of_slack_s_own_library() {
    let Some(file) = shared("data/slack/signature-vectors.json") else {
        return;
    };
    let vectors = file["vectors"].as_array().expect("vectors");
    assert_eq!(vectors.len(), 18);
    for vector in vectors {
        let text = |key: &str| vector[key].as_str().expect("text");
        let mut headers = HeaderMap::new();
        for (name, key) in [
            ("x-slack-request-timestamp", "timestamp"),
            ("x-slack-signature", "signature"),
        ] {
            headers.insert(
                HeaderName::from_static(name),
                HeaderValue::from_str(text(key)).expect("plain"),
            );
        }
        let secret = Secret::new(text("secret"));
        let passed = check(
            &headers,
            text("body").as_bytes(),
            [&secret],
            vector["now"].as_i64().expect("now"),
        );
        assert_eq!(passed.is_ok(), vector["expect"], "{}", text("name"));
        if text("name").ends_with("301s") {
            assert_eq!(passed, Err(Rejected::Timestamp));
        }
    }
}

fn turn(event: &Value, at: &Installation) -> Incoming {
    read(event.to_string().as_bytes(), at).expect("JSON of Slack's")
}

/// The installation with changes of Slack's part.
fn with_slack(at: &Installation, change: impl FnOnce(&mut SlackApp)) -> Installation {
    let mut app = at.slack().clone();
    change(&mut app);
    Installation {
        platform: Platform::Slack(Box::new(app)),
        ..at.clone()
    }
}

#[tokio::test]
async fn a_mention_and_its_message_event_are_one_message() {
    let fake = FakeSlack::start().await;
    let at = fake.installation();
    let said = fake.says(CHANNEL, ALICE, "<@U0BOT> NOI &amp; <https://x.example|cap rate>?");
    let (
        Incoming::Turn {
            event_key: one,
            message_key: first,
            turn: mention,
        },
        Incoming::Turn {
            event_key: two,
            message_key: second,
            turn: message,
        },
    ) = (turn(&said.mention(), &at), turn(&said.message(), &at))
    else {
        panic!("both are turns")
    };
    assert_eq!((first, mention), (second, message.clone()));
    assert_ne!(one, two);
    assert_eq!(
        (message.text.as_str(), message.place.kind),
        ("NOI & cap rate?", PlaceKind::Shared)
    );

    let chatter = fake.says(CHANNEL, ALICE, "just between us");
    assert_eq!(
        turn(&chatter.message(), &at),
        Incoming::Ignored("not addressed to the assistant")
    );
    let direct = fake.shares(DM, ALICE, "", &[("rent roll.xlsx", 20_480)]);
    let Incoming::Turn { turn: direct, .. } = turn(&direct.message(), &at) else {
        panic!("a turn")
    };
    assert_eq!(
        (direct.place.kind, direct.files[0].bytes),
        (PlaceKind::Direct, Some(20_480))
    );
    assert!(matches!(turn(&said.deleted(), &at), Incoming::Interaction { .. }));
    for again in [said.edited(), said.changed(), said.by_bot()] {
        assert!(matches!(turn(&again, &at), Incoming::Ignored(_)), "{again}");
    }
    let stranger = fake.says(CHANNEL, STRANGER, "<@U0BOT> hi");
    let Incoming::Turn { turn: stranger, .. } = turn(&stranger.mention(), &at) else {
        panic!("a turn")
    };
    assert_eq!(stranger.sender.team, "T0EXT");
}

#[tokio::test]
async fn events_of_other_apps_and_workspaces_have_no_effect() {
    let fake = FakeSlack::start().await;
    let at = fake.installation();
    let good = fake.says(CHANNEL, ALICE, "<@U0BOT> hi").mention();
    let with = |path: &str, value: Value| {
        let mut event = good.clone();
        *event.pointer_mut(path).expect(path) = value;
        turn(&event, &at)
    };
    assert_eq!(with("/api_app_id", json!("A0OTHER")), Incoming::WrongApp);
    assert_eq!(with("/api_app_id", Value::Null), Incoming::WrongApp);
    assert_eq!(
        with("/authorizations/0/team_id", json!("T0EXT")),
        Incoming::WrongTeam
    );
    // Written in another workspace's channel, delivered for ours.
    assert!(matches!(with("/team_id", json!("T0EXT")), Incoming::Turn { .. }));
    let mut bare = good.clone();
    bare["authorizations"] = json!([]);
    bare["context_team_id"] = json!("T0EXT");
    assert_eq!(turn(&bare, &at), Incoming::WrongTeam);
    let pending = with_slack(&at, |app| {
        app.team_id = None;
    });
    assert_eq!(turn(&good, &pending), Incoming::WrongTeam);
    // An organization-wide installation is found only where Slack reports one.
    let organization = with_slack(&at, |app| {
        app.team_id = None;
        app.is_enterprise = true;
        app.enterprise_id = Some("E0ORG".to_owned());
    });
    let mut wide = good.clone();
    wide["authorizations"][0]["enterprise_id"] = json!("E0ORG");
    assert_eq!(turn(&wide, &organization), Incoming::WrongTeam);
    wide["authorizations"][0]["is_enterprise_install"] = json!(true);
    assert!(matches!(turn(&wide, &organization), Incoming::Turn { .. }));
    wide["authorizations"][0]["team_id"] = Value::Null;
    assert!(matches!(turn(&wide, &organization), Incoming::Turn { .. }));
    // What was granted to one workspace of an organization is not granted to the organization, and vice versa.
    assert_eq!(
        turn(
            &wide,
            &with_slack(&organization, |app| {
                app.enterprise_id = Some("E0ELSE".to_owned());
            })
        ),
        Incoming::WrongTeam
    );
    let named_like_it = with_slack(&at, |app| {
        app.team_id = Some("E0ORG".to_owned());
    });
    assert_eq!(turn(&wide, &named_like_it), Incoming::WrongTeam);
}

#[tokio::test]
async fn fields_of_unexpected_types_are_treated_as_absent() {
    let at = FakeSlack::start().await.installation();
    for odd in [
        json!(null),
        json!(7),
        json!(-7),
        json!(0.5),
        json!(true),
        json!([{}, 1]),
        json!({ "a": [1] }),
    ] {
        for key in [
            "subtype",
            "bot_id",
            "thread_ts",
            "files",
            "hidden",
            "user_team",
            "channel_type",
        ] {
            let mut event =
                json!({ "type": "message", "user": ALICE, "text": "hi", "ts": "1.2", "channel": DM });
            event[key] = odd.clone();
            if key == "files" && odd.is_array() {
                continue;
            }
            let ignored = key == "hidden" && odd == json!(true);
            let incoming = turn(&requests::callback(event), &at);
            assert_eq!(
                matches!(incoming, Incoming::Turn { .. }),
                !ignored,
                "{key} = {odd}: {incoming:?}"
            );
        }
    }
    for broken in ["", "{", "[]", "7", "payload=%7B%7D", "\u{feff}{}"] {
        assert_eq!(read(broken.as_bytes(), &at), Err(Malformed), "{broken}");
    }
    assert_eq!(
        challenge(br#"{"type":"url_verification","challenge":"x"}"#),
        Some("x".to_owned())
    );
    assert_eq!(challenge(br#"{"type":"event_callback","challenge":"x"}"#), None);
}

#[test]
fn a_message_becomes_blocks() {
    let say = Say::plain("The cap rate is **6 %** <!channel> & more.")
        .with(Part::Note("Shared with everyone here".to_owned()))
        .with(Part::Link {
            label: "Connect".to_owned(),
            url: "https://corbel.example/connect/abc".to_owned(),
        });
    let message = message(&say);
    assert_eq!(
        message.text,
        "The cap rate is **6 %** &lt;!channel&gt; &amp; more."
    );
    assert_eq!(
        Value::Array(message.blocks),
        json!([
            { "type": "markdown", "text": "The cap rate is **6 %** &lt;!channel&gt; &amp; more." },
            {
                "type": "context",
                "elements": [{ "type": "mrkdwn", "text": "Shared with everyone here", "verbatim": true }],
            },
            { "type": "actions", "elements": [{
                "type": "button", "text": { "type": "plain_text", "text": "Connect", "emoji": false },
                "url": "https://corbel.example/connect/abc", "action_id": "open_link",
            }] },
        ])
    );
    let plain = text_only(&say);
    assert!(
        plain
            .text
            .ends_with("\nConnect: https://corbel.example/connect/abc")
            && plain.blocks.is_empty()
    );
}

#[test]
fn long_answers_are_cut_at_a_paragraph_with_a_notice() {
    let long = "A paragraph of some words.\n\n".repeat(900);
    let blocks = message(&Say::plain(long)).blocks;
    let text = blocks[0]["text"].as_str().expect("markdown");
    assert!(text.ends_with("words.") && text.len() > 5_000 && text.len() <= 11_000);
    assert!(blocks[1].to_string().contains("cut here"));
    // A code block that is cut is closed.
    let code = format!("Look:\n\n```text\n{}```\n", "1 + 1 = 2\n".repeat(2_000));
    let blocks = message(&Say::plain(code)).blocks;
    assert!(
        blocks[0]["text"]
            .as_str()
            .expect("markdown")
            .ends_with("1 + 1 = 2\n```")
    );
    // Many headings would exceed Slack's number of blocks.
    let headed = "# Title\n\ntext\n\n---\n\n".repeat(30);
    let blocks = message(&Say::plain(headed)).blocks;
    let text = blocks[0]["text"].as_str().expect("markdown");
    assert!(text.starts_with("**Title**") && !text.contains("---") && !text.contains('#'));
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let piece = prop_oneof![
        "\\PC{0,40}",
        any::<String>(),
        Just("<!channel> <@U0BOT> <https://x|y> & &lt;".to_owned()),
        Just("```\ncode\n".to_owned()),
        Just("# head\n\n---\n\n".to_owned()),
        Just("| a | b |\n|---|---|\n| 1 | 2 |\n".to_owned()),
        Just("word ".to_owned()),
        Just("\n\n".to_owned()),
    ];
    let text = (proptest::collection::vec(piece, 0..12), 1..400_usize).prop_map(|(pieces, times)| {
        pieces
            .concat()
            .repeat(times)
            .chars()
            .take(30_000)
            .collect::<String>()
    });
    let part = prop_oneof![
        text.clone().prop_map(Part::Markdown),
        text.clone().prop_map(Part::Note),
        (
            text,
            prop_oneof![Just("https://corbel.example/x".to_owned()), any::<String>()]
        )
            .prop_map(|(label, url)| Part::Link { label, url }),
    ];
    proptest::collection::vec(part, 0..70)
}

/// Every text in which Slack would interpret control sequences.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| *key != "url")
            .for_each(|(_, value)| texts(value, found)),
        Value::Array(list) => list.iter().for_each(|value| texts(value, found)),
        Value::String(text) => found.push(text.clone()),
        _ => {}
    }
}

pub fn assistant(name: &str, colour: &str, greeting: &str) -> Assistant {
    Assistant {
        org_id: OrgId::new(),
        id: AssistantId::new(),
        name: name.to_owned(),
        colour: colour.to_owned(),
        tone: String::new(),
        greeting: greeting.to_owned(),
        about: String::new(),
        description: String::new(),
        prompts: Default::default(),
        icon_key: None,
        icon_type: None,
        shared_enabled: false,
        created_at: Clock::system().now(),
        analyst_id: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_message_is_within_limits_and_escaped(text in any::<String>(), parts in parts()) {
        let say = Say { text, parts };
        for message in [message(&say), text_only(&say)] {
            prop_assert_eq!(message_limits::check(&message.text, &message.blocks), Ok(()));
            prop_assert!((1..=4_000).contains(&message.text.chars().count()));
            prop_assert!(!message.text.contains(['<', '>']));
            for block in &message.blocks {
                let mut found = Vec::new();
                texts(block, &mut found);
                // In Markdown, lines may begin as quotes; neither character remains anywhere else.
                let quotes: &[char] = if block["type"] == "markdown" { &[' ', '>'] } else { &[] };
                let mut lines = found.iter().flat_map(|text| text.lines());
                prop_assert!(lines.all(|line| !line.trim_start_matches(quotes).contains(['<', '>'])));
            }
        }
    }

    #[test]
    fn any_body_is_parsed_or_refused(body in any::<Vec<u8>>(), text in any::<String>()) {
        let at = installation();
        let _ = read(&body, &at);
        let mut event = requests::callback(json!({ "type": "message", "user": ALICE, "ts": "1.2", "channel": DM }));
        event["event"]["text"] = json!(text);
        let is_turn = matches!(turn(&event, &at), Incoming::Turn { .. });
        prop_assert!(is_turn);
    }

    #[test]
    fn every_manifest_matches_slack_s_schema(
        name in any::<String>(),
        colour in "(#[0-9a-fA-F]{0,7}|\\PC{0,8})",
        greeting in any::<String>(),
    ) {
        let addresses = SlackAddresses::of("https://corbel.example/", "tOkEn");
        let made = manifest(&assistant(&name, &colour, &greeting), &addresses, "Corbel");
        let information = &made["display_information"];
        let length = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
        prop_assert!((1..=35).contains(&length(&information["name"])));
        prop_assert!((1..=140).contains(&length(&information["description"])));
        prop_assert!((1..=300).contains(&length(&made["features"]["agent_view"]["agent_description"])));
        if let Some(kept) = information["background_color"].as_str() {
            prop_assert!(kept.starts_with('#') && matches!(kept.len(), 4 | 7));
        }
        if let Some(schema) = schema() {
            let errors: Vec<String> = schema.iter_errors(&made).map(|error| error.to_string()).collect();
            prop_assert!(errors.is_empty(), "{errors:?}");
        }
    }
}

fn installation() -> Installation {
    FakeSlack::installation_of("T0HOME")
}

pub fn schema() -> Option<&'static jsonschema::Validator> {
    static SCHEMA: std::sync::OnceLock<Option<jsonschema::Validator>> = std::sync::OnceLock::new();
    let compiled =
        || Some(jsonschema::validator_for(&shared("data/slack/manifest-schema.json")?).expect("a schema"));
    SCHEMA.get_or_init(compiled).as_ref()
}

#[test]
fn the_manifest_contains_names_and_urls_and_produces_a_link() {
    let addresses = SlackAddresses::of("https://corbel.example", "tOkEn");
    assert_eq!(
        addresses.commands,
        "https://corbel.example/chat/slack/tOkEn/commands"
    );
    let made = manifest(
        &assistant("Deal Desk", "#1F2A44", "Ask me about deals."),
        &addresses,
        "Corbel",
    );
    let expected = BTreeMap::from([
        ("/display_information/name", "Deal Desk"),
        ("/display_information/background_color", "#1F2A44"),
        ("/features/bot_user/display_name", "Deal Desk"),
        ("/features/agent_view/agent_description", "Ask me about deals."),
        (
            "/settings/event_subscriptions/request_url",
            "https://corbel.example/chat/slack/tOkEn/events",
        ),
        (
            "/settings/interactivity/request_url",
            "https://corbel.example/chat/slack/tOkEn/interactivity",
        ),
        (
            "/oauth_config/redirect_urls/0",
            "https://corbel.example/chat/slack/tOkEn/oauth/callback",
        ),
    ]);
    assert!(!made.to_string().contains("{{"), "every placeholder is filled");
    for (path, text) in expected {
        assert_eq!(made.pointer(path).and_then(Value::as_str), Some(text), "{path}");
    }
    let link = create_link(&made);
    let url = url::Url::parse(&link).expect("an address");
    let json = url
        .query_pairs()
        .find(|(key, _)| key == "manifest_json")
        .expect("the manifest")
        .1
        .into_owned();
    assert_eq!(serde_json::from_str::<Value>(&json).expect("JSON"), made);
    assert!(link.len() < 6_000, "{} is long for a URL", link.len());
}

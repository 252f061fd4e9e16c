//! Requests of Slack: event callbacks, button presses, and signatures.

use axum::http::{HeaderMap, HeaderValue};
use corbel::assistants::inbox::interaction::{Interaction, Press};
use corbel::assistants::model::{
    Act, Installation, InstallationState, Place, PlaceKind, Platform, Sender, Target, Turn,
};
use corbel::assistants::slack::app::SlackApp;
use corbel::base::ids::{AssistantId, InstallationId, OrgId};
use corbel::base::secret::Secret;
use corbel::chat::slack::events::{self, Incoming};
use corbel::chat::slack::interactivity::{self, Received};
use corbel::chat::slack::lifecycle::Happening;
use corbel::chat::slack::signature;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

/// The current and an earlier signing secret.
const SECRETS: [&str; 2] = ["8f742231b10e8888abcd99yyyzzz85a5", "earlier"];
const NOW: i64 = 1_531_420_618;
/// Longest id of a platform, in bytes; ids are parts of database keys.
const ID: usize = 255;
/// Longest key, which has up to five ids.
const KEY: usize = 6 * ID;

/// Installed in a workspace, and in a whole organization.
fn installations() -> [Installation; 2] {
    [false, true].map(|is_enterprise| Installation {
        org: OrgId::new(),
        id: InstallationId::new(),
        assistant: AssistantId::new(),
        assistant_name: "Corbel".to_owned(),
        platform: Platform::Slack(Box::new(SlackApp {
            app_id: Some("A0APP".to_owned()),
            bot_user_id: Some("U0BOT".to_owned()),
            team_id: Some("T0HOME".to_owned()),
            is_enterprise,
            enterprise_id: Some("E0ORG".to_owned()),
            ..SlackApp::default()
        })),
        state: InstallationState::Active,
        disabled_because: None,
        address: Secret::new("address"),
        installed_at: None,
        registered_name: None,
        last_call_at: None,
        last_refused_at: None,
    })
}

pub fn events(input: &[u8]) {
    for at in installations() {
        let read = events::read(input, &at);
        let verifies = matches!(read, Ok(Incoming::UrlVerification { .. }));
        assert_eq!(events::challenge(input).is_some(), verifies);
        let Ok(incoming) = read else { continue };
        match &incoming {
            Incoming::Turn {
                event_key,
                message_key,
                turn,
            } => {
                assert_key(event_key);
                assert_key(message_key);
                assert_turn(turn, input);
            }
            Incoming::Interaction { key, interaction } => {
                assert_key(key);
                assert_interaction(interaction);
            }
            Incoming::Lifecycle(report) => match &report.what {
                Happening::Shared { channel } | Happening::Unshared { channel, .. } => assert_id(channel),
                Happening::Access { teams, .. } => teams.iter().for_each(|team| assert_id(team)),
                Happening::RightsLost(_) => {}
            },
            Incoming::UrlVerification { .. }
            | Incoming::Ignored(_)
            | Incoming::WrongApp
            | Incoming::WrongTeam => {}
        }
        if let Some(written) = written_otherwise(input) {
            assert_eq!(
                events::read(written.as_bytes(), &at).as_ref(),
                Ok(&incoming),
                "{written}"
            );
        }
    }
}

/// An input is the JSON of a payload, or a form if it starts with a name and `=`.
pub fn interactions(input: &[u8]) {
    let form = |json: &[u8]| {
        let encoded = url::form_urlencoded::byte_serialize(json).collect::<String>();
        format!("payload={encoded}").into_bytes()
    };
    let is_form = input.first().is_some_and(u8::is_ascii_alphabetic);
    let body = if is_form { input.to_vec() } else { form(input) };
    for at in installations() {
        let Ok(received) = interactivity::read(&body, &at) else {
            continue;
        };
        if let Received::Press { key, press } = &received {
            assert!(key.starts_with("press/"), "{key:?}");
            assert_key(key);
            assert_press(press);
        }
        if let Some(written) = Some(input).filter(|_| !is_form).and_then(written_otherwise) {
            let again = interactivity::read(&form(written.as_bytes()), &at);
            assert_eq!(again.as_ref(), Ok(&received), "{written}");
        }
    }
}

/// An input is a timestamp, a signature and a body, each but the last on a line of its own.
pub fn signatures(input: &[u8]) {
    let mut parts = input.splitn(3, |byte| *byte == b'\n');
    let [Some(time), Some(signature), Some(body)] = [parts.next(), parts.next(), parts.next()] else {
        return;
    };
    let in_time = std::str::from_utf8(time)
        .ok()
        .filter(|time| time.bytes().all(|digit| digit.is_ascii_digit()))
        .and_then(|time| time.parse::<i64>().ok())
        .is_some_and(|time| time.abs_diff(NOW) <= 300);
    let right = SECRETS.map(|secret| signed(secret, time, body));
    let check = |signature: &[u8], body: &[u8]| {
        let mut headers = HeaderMap::new();
        headers.insert("x-slack-request-timestamp", HeaderValue::from_bytes(time).ok()?);
        headers.insert("x-slack-signature", HeaderValue::from_bytes(signature).ok()?);
        let secrets = ["", SECRETS[0], SECRETS[1]].map(Secret::new);
        Some(signature::check(&headers, body, &secrets, NOW).is_ok())
    };
    // Only these signatures pass, and only in time.
    if let Some(passed) = check(signature, body) {
        let is_right = right.iter().any(|right| signature == right.as_bytes());
        assert_eq!(passed, in_time && is_right);
    }
    let longer = [body, b" "].concat();
    for right in right {
        let Some(passed) = check(right.as_bytes(), body) else {
            return;
        };
        assert_eq!(passed, in_time);
        assert_eq!(check(right.as_bytes(), &longer), Some(false));
        let upper = right.to_ascii_uppercase().replacen('V', "v", 1);
        assert_eq!(check(upper.as_bytes(), body), Some(false));
    }
}

fn signed(secret: &str, time: &[u8], body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    for part in [b"v0:".as_slice(), time, b":", body] {
        mac.update(part);
    }
    format!("v0={}", hex::encode(mac.finalize().into_bytes()))
}

/// The same JSON with other blanks, escapes and order, and with a key that nobody reads.
fn written_otherwise(json: &[u8]) -> Option<String> {
    let mut json: Value = serde_json::from_slice(json).ok()?;
    json.as_object_mut()?
        .insert("unknown to all".to_owned(), json!([null]));
    serde_json::to_string_pretty(&json).ok()
}

fn assert_id(id: &str) {
    assert!(id.len() <= ID && !id.contains('\0'), "{id:?}");
}

fn assert_key(key: &str) {
    assert!((1..=KEY).contains(&key.len()) && !key.contains('\0'), "{key:?}");
}

fn assert_place(place: &Place) {
    [&place.conversation, &place.thread, &place.message]
        .into_iter()
        .for_each(|id| assert_id(id));
    if place.kind == PlaceKind::Direct {
        assert!(
            place.conversation.is_empty() || place.conversation.starts_with('D'),
            "{place:?}"
        );
    }
}

fn assert_sender(sender: &Sender) {
    assert!(!sender.user.is_empty() && sender.account.is_none(), "{sender:?}");
    assert_id(&sender.user);
    assert_id(&sender.team);
}

fn assert_turn(turn: &Turn, input: &[u8]) {
    assert_sender(&turn.sender);
    assert_place(&turn.place);
    assert!(
        !turn.place.conversation.is_empty() && !turn.place.message.is_empty(),
        "{turn:?}"
    );
    assert!(
        turn.text.trim() == turn.text && turn.text.len() <= 4 * input.len(),
        "{turn:?}"
    );
    assert!(
        turn.enclosed.trim() == turn.enclosed && turn.enclosed.len() <= 4 * input.len(),
        "{turn:?}"
    );
    for file in &turn.files {
        let lengths = [&file.id, &file.name].map(|text| text.chars().count());
        assert!(
            lengths.iter().all(|length| *length <= ID) && lengths[1] > 0,
            "{file:?}"
        );
        assert!(
            file.declared_type.iter().all(|kind| kind.chars().count() <= ID),
            "{file:?}"
        );
        assert!(file.url.iter().all(|url| url.len() <= 3_000), "{file:?}");
    }
}

fn assert_target(target: &Target) {
    assert_sender(&target.sender);
    assert_place(&target.place);
}

fn assert_press(press: &Press) {
    assert_sender(&press.sender);
    assert_place(&press.place);
    press.conversation.iter().for_each(|id| assert_id(id));
    if let Act::Approve { conversation } | Act::Decline { conversation } = &press.act {
        assert_id(conversation);
    }
}

fn assert_interaction(interaction: &Interaction) {
    match interaction {
        Interaction::Press(press) => assert_press(press),
        Interaction::Stopped { target, before } => {
            assert_target(target);
            before.iter().for_each(|before| assert_id(before));
        }
        Interaction::Deleted { message_key, place } => {
            assert_key(message_key);
            assert_place(place);
        }
        Interaction::Opened { target, .. } => assert_target(target),
    }
}

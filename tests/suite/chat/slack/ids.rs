//! Ids become parts of database keys: an event or a button press with an id that no key can have is malformed.

use corbel::chat::slack::{events, interactivity};
use serde_json::{Value, json};

use crate::harness::slack::{ALICE, CHANNEL, FakeSlack, requests};

/// The longest id, one that is too long, and one that PostgreSQL cannot store.
fn ids() -> [(String, bool); 3] {
    [
        ("D".repeat(255), true),
        ("D".repeat(256), false),
        ("D\0".to_owned(), false),
    ]
}

fn with(body: &Value, path: &str, id: &str) -> Value {
    let mut body = body.clone();
    *body.pointer_mut(path).expect(path) = json!(id);
    body
}

#[test]
fn every_id_of_an_event_is_checked() {
    let at = FakeSlack::installation_of("T0HOME");
    let message = json!({
        "type": "message", "user": ALICE, "text": "hi", "channel": CHANNEL, "ts": "1.2", "event_ts": "1.2",
        "thread_ts": "1.1", "user_team": "T1", "source_team": "T1", "team": "T1",
    });
    let deleted = json!({
        "type": "message", "subtype": "message_deleted", "channel": CHANNEL, "deleted_ts": "1.2",
        "previous_message": { "thread_ts": "1.1" },
    });
    let shared = json!({ "type": "channel_shared", "channel": CHANNEL });
    let granted = json!({ "type": "team_access_granted", "team_ids": ["T1", "T2"] });
    let revoked = json!({ "type": "team_access_revoked", "team_ids": ["T1", "T2"] });
    for (event, keys) in [
        (
            message,
            "user channel ts event_ts thread_ts user_team source_team team",
        ),
        (deleted, "channel deleted_ts previous_message/thread_ts"),
        (shared, "channel"),
        (granted, "team_ids/0 team_ids/1"),
        (revoked, "team_ids/0 team_ids/1"),
    ] {
        let event = requests::callback(event);
        for key in keys.split(' ') {
            for (id, possible) in ids() {
                let event = with(&event, &format!("/event/{key}"), &id);
                let read = events::read(event.to_string().as_bytes(), &at);
                assert_eq!(read.is_ok(), possible, "{key} of {} bytes: {read:?}", id.len());
            }
        }
    }
}

#[test]
fn every_id_of_a_button_press_is_checked() {
    let at = FakeSlack::installation_of("T0HOME");
    let payload = |act: &Value| {
        json!({
            "type": "block_actions", "api_app_id": "A0APP", "team": { "id": "T0HOME" },
            "user": { "id": ALICE, "team_id": "T1" }, "channel": { "id": CHANNEL },
            "container": { "message_ts": "1.2", "channel_id": CHANNEL, "thread_ts": "1.1" },
            "actions": [{
                "action_id": "act/0", "action_ts": "1.3", "selected_conversation": "C1", "value": act.to_string(),
            }],
        })
    };
    let read = |payload: &Value| interactivity::read(requests::form(payload).as_bytes(), &at);
    for (id, possible) in ids() {
        for act in ["approve", "decline"] {
            let found = read(&payload(&json!({ "act": act, "conversation": id })));
            assert_eq!(found.is_ok(), possible, "{act} of {} bytes: {found:?}", id.len());
        }
        for key in [
            "user/id",
            "user/team_id",
            "channel/id",
            "container/message_ts",
            "container/channel_id",
            "container/thread_ts",
            "actions/0/action_ts",
            "actions/0/selected_conversation",
        ] {
            let payload = with(&payload(&json!({ "act": "connect" })), &format!("/{key}"), &id);
            let found = read(&payload);
            assert_eq!(found.is_ok(), possible, "{key} of {} bytes: {found:?}", id.len());
        }
    }
}

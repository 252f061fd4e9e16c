//! Sends what Slack sends to Slack's own receiver (a Bolt app) and to our endpoints: both accept and refuse the same
//! requests. Signed by Slack's Python SDK where it is installed, and otherwise by the tests' own code.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::oracle::{Program, judged, node, node_modules, python, said, script};
use crate::harness::slack::requests::{
    Answer, callback, form, home_opened, send, session_stopped, signed, url_verification,
};
use crate::harness::slack::{ALICE, APP, CHANNEL, DM, SECRET, TEAM};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// A request as Slack sends it.
struct Sent {
    /// The name that Bolt's listeners give it, or none if no listener gets it.
    event_type: Option<&'static str>,
    /// The end of our endpoint's path.
    to: &'static str,
    kind: &'static str,
    body: String,
}

fn event(event_type: &'static str, event: &Value) -> Sent {
    Sent {
        event_type: Some(event_type),
        to: "/events",
        kind: JSON,
        body: event.to_string(),
    }
}

fn interaction(kind: &'static str, more: Value) -> Sent {
    let mut payload = json!({
        "type": kind, "api_app_id": APP, "token": "legacy-ignored", "team": { "id": TEAM, "domain": "acme" },
        "user": { "id": ALICE, "username": "alice", "name": "alice", "team_id": TEAM }, "enterprise": null,
        "is_enterprise_install": false, "trigger_id": "1.2.abc",
    });
    let fields = payload.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    Sent {
        event_type: Some(kind),
        to: "/interactivity",
        kind: FORM,
        body: form(&payload),
    }
}

fn encoded(pairs: &[(&str, &str)]) -> String {
    let mut encoder = url::form_urlencoded::Serializer::new(String::new());
    encoder.extend_pairs(pairs).finish()
}

/// One of everything that Slack sends to an app.
fn requests(stage: &Stage, question: &Value) -> Vec<Sent> {
    let view = json!({ "id": "V0", "type": "modal", "callback_id": "any", "state": { "values": {} } });
    let in_message = json!({
        "container": { "type": "message", "message_ts": "1795000000.000107", "channel_id": DM },
        "channel": { "id": DM, "name": "directmessage" }, "response_url": "https://hooks.slack.com/actions/x",
        "message": { "type": "message", "ts": "1795000000.000107", "text": "x" },
        "actions": [{ "type": "button", "action_id": "any", "block_id": "b", "value": "v", "action_ts": "1.1" }],
    });
    let mention = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> cap rate?").mention();
    let edited = stage.slack.says(CHANNEL, ALICE, "Hello").changed();
    let joined = callback(json!({
        "type": "member_joined_channel", "user": "U0BOT", "channel": CHANNEL, "channel_type": "C", "team": TEAM,
        "event_ts": "1795000020.000300",
    }));
    let command = [
        ("command", "/corbel"),
        ("text", "cap rate?"),
        ("team_id", TEAM),
        ("team_domain", "acme"),
        ("channel_id", CHANNEL),
        ("channel_name", "deals"),
        ("user_id", ALICE),
        ("user_name", "alice"),
        ("api_app_id", APP),
        ("is_enterprise_install", "false"),
        ("response_url", "https://hooks.slack.com/commands/x"),
        ("trigger_id", "1.2.abc"),
    ];
    vec![
        Sent {
            event_type: None,
            to: "/events",
            kind: JSON,
            body: url_verification("c0ffee").to_string(),
        },
        event("message", question),
        event("app_mention", &mention),
        event("message", &edited),
        event("app_home_opened", &home_opened(DM, ALICE, "home")),
        event(
            "agent_session_stopped",
            &session_stopped(DM, "1795000000.000107", ALICE),
        ),
        event("member_joined_channel", &joined),
        event(
            "reaction_of_tomorrow",
            &callback(json!({ "type": "reaction_of_tomorrow" })),
        ),
        interaction("block_actions", in_message.clone()),
        interaction("view_submission", json!({ "view": view })),
        interaction("view_closed", json!({ "view": view, "is_cleared": false })),
        interaction("shortcut", json!({ "callback_id": "any", "action_ts": "1.2" })),
        Sent {
            event_type: Some("shortcut"),
            ..interaction("message_action", {
                let mut more = in_message;
                more["callback_id"] = json!("any");
                more.as_object_mut().expect("an object").remove("actions");
                more
            })
        },
        interaction(
            "block_suggestion",
            json!({ "action_id": "any", "block_id": "b", "value": "x" }),
        ),
        Sent {
            event_type: Some("command"),
            to: "/commands",
            kind: FORM,
            body: encoded(&command),
        },
    ]
}

/// Signs with Slack's own SDK where it is installed.
async fn sign(python: Option<&str>, at_s: i64, body: &str) -> HeaderMap {
    let mut headers = signed(SECRET, at_s, body.as_bytes());
    if let Some(python) = python {
        let mut signer = std::process::Command::new(python);
        signer.arg(script("sign.py")).arg(SECRET).arg(at_s.to_string());
        let output = judged(signer, body.as_bytes().to_vec()).await;
        assert!(output.status.success(), "{}", said(&output));
        let signature = String::from_utf8(output.stdout).expect("text");
        put(&mut headers, "x-slack-signature", signature.trim());
    }
    headers
}

fn put(headers: &mut HeaderMap, name: &'static str, value: &str) {
    let value = HeaderValue::from_str(value).expect("plain");
    headers.insert(HeaderName::from_static(name), value);
}

/// Sends a request to both and returns Bolt's response and ours.
async fn both(bolt: &str, ours: &str, headers: &HeaderMap, body: &str) -> (Answer, Answer) {
    let bytes = body.as_bytes().to_vec();
    let theirs = send(bolt, headers.clone(), bytes.clone()).await;
    (theirs, send(ours, headers.clone(), bytes).await)
}

#[tokio::test]
async fn bolt_and_our_endpoints_accept_and_refuse_the_same_requests() {
    let Some(modules) = node_modules() else { return };
    let python = python();
    on_each("beside Bolt", |place| {
        let (modules, python) = (modules.clone(), python.clone());
        async move {
            let stage = Stage::set(&place).await;
            stage.link(ALICE, stage.org.mara.user).await;
            let base = stage.at.events.trim_end_matches("/events").to_owned();
            let mut starting = node(&modules, "receiver.mjs");
            starting.arg(SECRET);
            let receiver = Program::start(&mut starting);
            let bolt = receiver.line();
            assert!(bolt.starts_with("http://127.0.0.1:"), "{bolt}");

            let asked = stage
                .slack
                .says(DM, ALICE, "NOI 1.285m, annual debt service 968k. DSCR?");
            let mut expected = Vec::new();
            for sent in requests(&stage, &asked.message()) {
                let ours = format!("{base}{}", sent.to);
                let what = format!("{:?} {}", sent.event_type, sent.body);
                let mut headers = sign(python.as_deref(), stage.now(), &sent.body).await;
                put(&mut headers, "content-type", sent.kind);
                let (theirs, answer) = both(&bolt, &ours, &headers, &sent.body).await;
                assert_eq!((theirs.status, answer.status), (200, 200), "{what}");
                expected.extend(sent.event_type);
                if sent.event_type.is_none() {
                    let challenge =
                        |answer: &Answer| serde_json::from_str::<Value>(&answer.body).expect("JSON");
                    assert_eq!(challenge(&theirs), challenge(&answer), "{what}");
                }
                refuse(&bolt, &ours, &headers, &sent.body, stage.now()).await;
            }
            // Slack's certificate check is not signed, and other fields in it are ignored.
            let smuggled = encoded(&[("ssl_check", "1"), ("token", "legacy"), ("command", "/corbel")]);
            for to in ["/events", "/interactivity", "/commands"] {
                let mut headers = HeaderMap::new();
                put(&mut headers, "content-type", FORM);
                let (theirs, answer) = both(&bolt, &format!("{base}{to}"), &headers, &smuggled).await;
                assert_eq!((theirs.status, answer.status), (200, 200), "{to}");
                assert_eq!((theirs.body.as_str(), answer.body.as_str()), ("", ""), "{to}");
            }
            // Signed, but not a request that Slack would send.
            for (to, kind, body) in [("/events", JSON, "{"), ("/interactivity", FORM, "payload=%7B")] {
                let mut headers = sign(python.as_deref(), stage.now(), body).await;
                put(&mut headers, "content-type", kind);
                let (theirs, answer) = both(&bolt, &format!("{base}{to}"), &headers, body).await;
                assert!(
                    theirs.status >= 400 && answer.status == 400,
                    "{theirs:?} {answer:?}"
                );
            }
            let output = oracle_output(receiver).await;
            let received = output.lines().last().expect("the received events");
            let received: Vec<String> = serde_json::from_str(received).expect("a list");
            assert_eq!(received, expected, "no listener received a refused request");
            // Our app got the question once.
            stage.running.settle().await;
            assert_eq!(stage.slack.final_answers(asked.thread()).len(), 1);
            stage.running.stop().await;
        }
    })
    .await;
}

/// Sends the same request altered, late, or signed in another way.
async fn refuse(bolt: &str, ours: &str, headers: &HeaderMap, body: &str, now: i64) {
    let changed = |change: &dyn Fn(&mut HeaderMap)| {
        let mut headers = headers.clone();
        change(&mut headers);
        headers
    };
    let resigned = |secret: &str, at_s: i64| {
        let mut again = signed(secret, at_s, body.as_bytes());
        again.insert("content-type", headers["content-type"].clone());
        again
    };
    let altered = format!("{body} ");
    for (why, headers, body) in [
        ("altered", headers.clone(), altered.as_str()),
        ("another secret", resigned("not-the-secret", now), body),
        ("six minutes old", resigned(SECRET, now - 360), body),
        (
            "no signature",
            changed(&|headers| drop(headers.remove("x-slack-signature"))),
            body,
        ),
        (
            "no time",
            changed(&|headers| drop(headers.remove("x-slack-request-timestamp"))),
            body,
        ),
        (
            "no number",
            changed(&|headers| put(headers, "x-slack-request-timestamp", "soon")),
            body,
        ),
        (
            "another version",
            changed(&|headers| put(headers, "x-slack-signature", "v1=00")),
            body,
        ),
    ] {
        let (theirs, answer) = both(bolt, ours, &headers, body).await;
        assert_eq!((theirs.status, answer.status), (401, 401), "{why}: {body}");
    }
}

/// The output of the oracle once it has ended.
async fn oracle_output(program: Program) -> String {
    let ending = tokio::task::spawn_blocking(move || program.end());
    let output = ending.await.expect("an end");
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).expect("text")
}

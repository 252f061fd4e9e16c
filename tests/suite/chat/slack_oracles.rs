//! Slack's own code as the oracle: its Python SDK and TypeScript types check our blocks, its signer signs requests to
//! our endpoints, and its verifier checks what our tests sign.

use std::process::Command;

use axum::http::{HeaderMap, HeaderValue};
use corbel::assistants::model::{Act, Button, Part, Say, Style};
use corbel::base::ids::DeliveryId;
use corbel::chat::slack::blocks::message;
use corbel::chat::slack::split::pages;
use serde_json::{Value, json};

use crate::chat::slack_flow::Stage;
use crate::harness::app::on_each;
use crate::harness::oracle::{compile, node, node_modules, python, run, said, script};
use crate::harness::slack::requests::{send, signed};
use crate::harness::slack::{ALICE, DM, SECRET};

/// Everything that the app can post, in its simplest and its most complex form.
fn sayings() -> Vec<Say> {
    let table = |rows: usize| {
        let line = |n: usize| format!("| Unit {n} | {},000 | {n}.5% |\n", n + 1);
        let rows: String = (0..rows).map(line).collect();
        format!("Rents:\n\n| Unit | Rent | Share |\n|---|---:|---:|\n{rows}\nThat is all.")
    };
    let buttons = |count: usize| {
        let button = |n: usize| Button {
            label: format!("Approve it for good {n} {}", "…".repeat(n * 30)),
            act: Act::Approve {
                conversation: "C0CHAN".to_owned(),
            },
            style: [Style::Plain, Style::Primary, Style::Danger][n % 3],
        };
        Part::Buttons((0..count).map(button).collect())
    };
    let link = |label: &str, url: &str| Part::Link {
        label: label.to_owned(),
        url: url.to_owned(),
    };
    let hostile =
        "<!channel> <@U0BOT> [x](javascript:alert(1)) ![i](https://x.example/i.png) <https://x|y> \u{202e}& ";
    let whole = Say::plain("The cap rate is **6 %**.")
        .with(Part::Note("Sources: “House view” (2026-01-02)".to_owned()))
        .with(link("Connect your account", "https://corbel.example/connect/abc"))
        .with(buttons(3))
        .with(Part::Feedback(DeliveryId::new()));
    vec![
        Say::plain("6 %"),
        whole,
        Say::plain(table(3)),
        Say::plain(table(99)),
        Say::plain(table(400)),
        Say::plain("| a | b |\n|---|---|\n| | |\n"),
        Say::plain(format!("{}\n\n{}", table(5), table(6))),
        Say::plain("A paragraph of some words.\n\n".repeat(1_500)),
        Say::plain(format!("```\n{}```", "1 + 1 = 2\n".repeat(3_000))),
        Say::plain("# Title\n\ntext\n\n---\n\n".repeat(40)),
        Say::plain(hostile.repeat(40)),
        Say::plain("\0 \u{feff} \n"),
        Say {
            text: String::new(),
            parts: vec![
                link("", "not an address"),
                link(&"x".repeat(200), "https://corbel.example/x"),
            ],
        },
        Say {
            text: "many".to_owned(),
            parts: (0..80)
                .map(|n| Part::Note(format!("note {n} {hostile}")))
                .collect(),
        },
        Say::plain("choose")
            .with(buttons(25))
            .with(buttons(1))
            .with(Part::Buttons(Vec::new())),
    ]
}

fn all_blocks() -> Vec<Vec<Value>> {
    sayings()
        .iter()
        .flat_map(|say| pages(say).messages.into_iter().chain([say.clone()]))
        .map(|say| message(&say).blocks)
        .collect()
}

#[test]
fn slack_s_python_models_accept_our_blocks() {
    let Some(python) = python() else { return };
    let judge = |blocks: &[Vec<Value>]| {
        let input = json!({ "messages": blocks }).to_string();
        run(Command::new(&python).arg(script("blocks.py")), input.as_bytes())
    };
    let judged = judge(&all_blocks());
    assert!(judged.status.success(), "{}", said(&judged));
    eprintln!("accepted by Slack's Python models: {}", said(&judged).trim());
    // The oracle can fail too.
    let long = json!({ "type": "header", "text": { "type": "plain_text", "text": "x".repeat(151) } });
    assert!(
        !judge(&[vec![long]]).status.success(),
        "a header that is too long was accepted"
    );
}

#[test]
fn slack_s_typescript_types_accept_our_blocks() {
    let Some(modules) = node_modules() else { return };
    let judge = |blocks: &[Vec<Value>]| {
        let mut text = "import type { KnownBlock } from '@slack/types';\n".to_owned();
        for (n, blocks) in blocks.iter().enumerate() {
            text.push_str(&format!(
                "export const m{n}: KnownBlock[] = {};\n",
                Value::from(blocks.clone())
            ));
        }
        compile(&modules, &text)
    };
    let judged = judge(&all_blocks());
    assert!(judged.status.success(), "{}", said(&judged));
    let wrong = json!({ "type": "section", "text": { "type": "markdown", "text": "x" } });
    assert!(
        !judge(&[vec![wrong]]).status.success(),
        "the compiler accepts anything"
    );
}

/// Here Slack's own code signs the requests, instead of the tests.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_signed_by_slack_s_sdk_are_accepted_and_answered() {
    let Some(python) = python() else { return };
    let sign = move |at_s: i64, body: &str| {
        let mut signer = Command::new(&python);
        signer.arg(script("sign.py")).arg(SECRET).arg(at_s.to_string());
        let output = run(&mut signer, body.as_bytes());
        assert!(output.status.success(), "{}", said(&output));
        let mut headers = HeaderMap::new();
        let value = |text: &str| HeaderValue::from_str(text.trim()).expect("plain");
        headers.insert(
            "x-slack-signature",
            value(&String::from_utf8_lossy(&output.stdout)),
        );
        headers.insert("x-slack-request-timestamp", value(&at_s.to_string()));
        headers
    };
    on_each("signed by Slack's SDK", |place| {
        let sign = sign.clone();
        async move {
            let stage = Stage::set(&place).await;
            stage.link(ALICE, stage.org.mara.user).await;
            let asked = stage.slack.says(DM, ALICE, "NOI 1.285m, annual debt service 968k. DSCR?");
            let body = asked.message().to_string();
            let mut headers = sign(stage.now(), &body);
            headers.insert("content-type", HeaderValue::from_static("application/json"));
            let altered = body.replace("968k", "967k").into_bytes();
            assert_eq!(send(&stage.at.events, headers.clone(), altered).await.status, 401);
            assert_eq!(send(&stage.at.events, headers, body.into_bytes()).await.status, 200);
            stage.running.settle().await;
            assert_eq!(stage.slack.final_answers(asked.thread()).len(), 1);

            let answer = &stage.slack.final_answers(asked.thread())[0];
            let press = json!({
                "type": "block_actions", "api_app_id": "A0APP", "user": { "id": ALICE, "team_id": "T0HOME" },
                "team": { "id": "T0HOME" }, "enterprise": null, "is_enterprise_install": false,
                "container": { "type": "message", "message_ts": answer.ts, "channel_id": DM },
                "channel": { "id": DM }, "trigger_id": "1.2.abc", "response_url": "https://hooks.slack.com/actions/x",
                "actions": [],
            });
            let form = format!(
                "payload={}",
                url::form_urlencoded::byte_serialize(press.to_string().as_bytes()).collect::<String>()
            );
            let address = stage.at.events.replace("/events", "/interactivity");
            let mut headers = sign(stage.now(), &form);
            headers.insert(
                "content-type",
                HeaderValue::from_static("application/x-www-form-urlencoded"),
            );
            let taken = send(&address, headers, form.into_bytes()).await;
            assert_eq!(taken.status, 200, "{}", taken.body);
            stage.running.stop().await;
        }
    })
    .await;
}

#[test]
fn bolt_accepts_requests_signed_by_the_tests() {
    let Some(modules) = node_modules() else { return };
    let body = r#"{"type":"event_callback","text":"Größe, 5 %"}"#;
    let now = corbel::base::clock::Clock::system().now().timestamp();
    let headers = signed(SECRET, now, body.as_bytes());
    let signature = headers["x-slack-signature"].to_str().expect("plain").to_owned();
    let judge = |secret: &str| {
        let mut bolt = node(&modules, "verify.mjs");
        bolt.args([secret, &now.to_string(), &signature]);
        run(&mut bolt, body.as_bytes())
    };
    let judged = judge(SECRET);
    assert!(judged.status.success(), "{}", said(&judged));
    assert!(!judge("another-secret").status.success(), "Bolt accepts anything");
}

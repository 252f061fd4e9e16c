//! Slack's own SDKs for Node and Python call the fake Slack as our client does and accept its answers and errors as
//! Slack's. So the fake that our client is tested against behaves like Slack.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::oracle::{compile, judged, node, node_modules, python, said, script};
use crate::harness::slack::oauth::{CLIENT_ID, CLIENT_SECRET};
use crate::harness::slack::{ALICE, BOT, CHANNEL, DM, FakeSlack, Fault, Status, TOKEN};

const REDIRECT: &str = "https://corbel.example/chat/slack/oauth";

/// A type in its JSON form: the SDK's types use enumerations for words, and omit that a field may be null.
const WIRE: &str = "type Wire<T> = T extends string ? `${T}` : T extends (infer U)[] ? Wire<U>[]
  : T extends object ? { [K in keyof T]: Wire<T[K]> | null } : T;";

/// A workspace in which a question was asked, and everything that an SDK client has to know of it.
async fn workspace() -> (FakeSlack, String, Value) {
    let slack = FakeSlack::start().await;
    let asked = slack.says(CHANNEL, ALICE, "<@U0BOT> cap rate?");
    let consent = format!(
        "{}?client_id={CLIENT_ID}&scope=chat:write,users:read&state=0123456789012345678901234&redirect_uri={REDIRECT}",
        slack.authorize_url()
    );
    let back = url::Url::parse(&slack.consent(&consent)).expect("an address");
    let code = back.query_pairs().find(|(name, _)| name == "code");
    let given = json!({
        "token": TOKEN, "configToken": "xoxe.xoxp-config", "channel": CHANNEL, "dm": DM, "user": ALICE,
        "botUser": BOT, "thread": asked.ts, "clientId": CLIENT_ID, "clientSecret": CLIENT_SECRET,
        "redirectUri": REDIRECT, "code": code.expect("a code").1,
        "manifest": { "display_information": { "name": "Corbel" } },
    });
    // Errors that the scripts provoke in addition: the SDK has to recognize each of them.
    slack.fail_next("team.info", Fault::MissingScope("team:read"), 1);
    slack.fail_next("team.info", Fault::ServerError, 1);
    slack.fail_next("emoji.list", Fault::RateLimited(7), 1);
    for _ in 0..2 {
        // The first post, and the one to an unknown channel.
        let fine = Fault::Slow(Duration::ZERO);
        slack.fail_next("chat.postMessage", fine, 1);
    }
    slack.fail_next("chat.postMessage", Fault::RateLimited(1), 1);
    (slack, asked.ts, given)
}

/// Checks that the SDK's calls had the same effects as our client's.
fn assert_effects(slack: &FakeSlack, thread: &str) {
    let said = slack.answers(thread);
    let texts: Vec<&str> = said.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(
        texts,
        ["6 %", "", "after a wait"],
        "the answer, the file, the last post"
    );
    assert_eq!((said[0].updates, said[0].blocks.len()), (1, 1));
    assert!(said[0].delivery().is_some_and(|id| id.starts_with("d-")));
    let uploaded = slack.uploaded();
    assert_eq!(uploaded.len(), 1);
    assert_eq!(uploaded[0].bytes, b"Unit,Rent\r\n1,2400\r\n");
    assert_eq!(uploaded[0].thread.as_deref(), Some(thread));
    assert_eq!(slack.ephemerals_for(ALICE)[0].text, "only for you");
    assert_eq!(slack.home_of(ALICE).expect("a page").shown(), "*6 %*");
    let prompts = slack.prompts();
    assert_eq!((prompts[0].0.as_str(), prompts.len()), (DM, 1));
    let status = |status: &str| Status {
        channel: CHANNEL.to_owned(),
        thread: thread.to_owned(),
        status: status.to_owned(),
    };
    assert_eq!(slack.statuses(), [status("is thinking…"), status("processing")]);
    assert_eq!(slack.apps().len(), 2, "one was created from the manifest");
    assert!(
        slack.call_rates(|rates| rates.early.is_empty()),
        "the client waited"
    );
}

/// The name of the type of a method's response.
fn type_of(method: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    let name: String = method.split('.').map(capital).collect();
    format!("{name}Response")
}

#[tokio::test]
async fn slack_s_node_sdk_accepts_the_fake() {
    let Some(modules) = node_modules() else { return };
    let (slack, thread, given) = workspace().await;
    let mut client = node(&modules, "web_client.mjs");
    client.arg(slack.api_base());
    let output = judged(client, given.to_string().into_bytes()).await;
    assert!(output.status.success(), "{}", said(&output));
    assert_effects(&slack, &thread);

    // Each response body matches the SDK's types down to the last nested field.
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).expect("a list");
    assert!(answers.len() >= 20, "{} answers", answers.len());
    let typed = |answers: &[Value]| {
        let mut text = format!("import type * as slack from '@slack/web-api';\n{WIRE}\n");
        for (number, one) in answers.iter().enumerate() {
            let name = type_of(one["method"].as_str().expect("a method"));
            let answer = one["text"].as_str().expect("JSON");
            text.push_str(&format!(
                "export const a{number}: Wire<slack.{name}> = {answer};\n"
            ));
        }
        text
    };
    let text = typed(&answers);
    let wrong = typed(&[json!({ "method": "users.info", "text": r#"{"ok":true,"user":{"id":1}}"# })]);
    let looking =
        tokio::task::spawn_blocking(move || (compile(&modules, &text), compile(&modules, &wrong), text));
    let (known, doubted, text) = looking.await.expect("looked at");
    assert!(known.status.success(), "{}{text}", said(&known));
    assert!(!doubted.status.success(), "the compiler accepts anything");
}

#[tokio::test]
async fn slack_s_python_sdk_accepts_the_fake() {
    let Some(python) = python() else { return };
    let (slack, thread, given) = workspace().await;
    let mut client = Command::new(python);
    client.arg(script("web_client.py")).arg(slack.api_base());
    let output = judged(client, given.to_string().into_bytes()).await;
    assert!(output.status.success(), "{}", said(&output));
    assert_effects(&slack, &thread);
}

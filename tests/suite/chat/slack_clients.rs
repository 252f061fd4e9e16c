//! Slack's own clients, in Node and in Python, call the fake Slack as ours does: what they take for an answer
//! of Slack's, and for a refusal, has Slack's shape. So what our client is tested against is no invention.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::oracle::{compile, judged, node, node_modules, python, said, script};
use crate::harness::slack::access::{CLIENT_ID, CLIENT_SECRET};
use crate::harness::slack::{ALICE, BOT, CHANNEL, DM, FakeSlack, Fault, Status, TOKEN};

const REDIRECT: &str = "https://corbel.example/chat/slack/oauth";

/// A type as JSON has it: the client's types name words by enumerations, and leave out that a field may be null.
const WIRE: &str = "type Wire<T> = T extends string ? `${T}` : T extends (infer U)[] ? Wire<U>[]
  : T extends object ? { [K in keyof T]: Wire<T[K]> | null } : T;";

/// A workspace in which something was asked, and all that a client has to know of it.
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
    // What the scripts ask for beyond the answers: refusals that the clients must know as such.
    slack.fail_next("team.info", Fault::Right("team:read"), 1);
    slack.fail_next("team.info", Fault::Before, 1);
    slack.fail_next("emoji.list", Fault::Limited(7), 1);
    for _ in 0..2 {
        // The first post, and the one to nowhere.
        let fine = Fault::Slow(Duration::ZERO);
        slack.fail_next("chat.postMessage", fine, 1);
    }
    slack.fail_next("chat.postMessage", Fault::Limited(1), 1);
    (slack, asked.ts, given)
}

/// What a client has done is done as if ours had.
fn assert_done(slack: &FakeSlack, thread: &str) {
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
    assert_eq!(slack.apps().len(), 2, "one was made from the manifest");
    assert!(slack.pace(|pace| pace.early.is_empty()), "the client waited");
}

/// The name of the type of a method's answer.
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
async fn slack_s_node_client_takes_the_fake_for_slack() {
    let Some(modules) = node_modules() else { return };
    let (slack, thread, given) = workspace().await;
    let mut client = node(&modules, "web_client.mjs");
    client.arg(slack.api_base());
    let output = judged(client, given.to_string().into_bytes()).await;
    assert!(output.status.success(), "{}", said(&output));
    assert_done(&slack, &thread);

    // Each answer as it came over the wire is one that the client's types know, to the last nested field.
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
    assert!(!doubted.status.success(), "the compiler takes anything");
}

#[tokio::test]
async fn slack_s_python_client_takes_the_fake_for_slack() {
    let Some(python) = python() else { return };
    let (slack, thread, given) = workspace().await;
    let mut client = Command::new(python);
    client.arg(script("web_client.py")).arg(slack.api_base());
    let output = judged(client, given.to_string().into_bytes()).await;
    assert!(output.status.success(), "{}", said(&output));
    assert_done(&slack, &thread);
}

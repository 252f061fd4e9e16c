//! Language models in Slack, in the preview, at the command line, and over a killed process.

use std::time::Duration;

use serde_json::{Value, json};

use super::{borrowed, settings_of, stage_with};
use crate::harness::app::on_each;
use crate::harness::browser::Browser;
use crate::harness::command::Dir;
use crate::harness::model_server::{ModelServer, Reply};
use crate::harness::process::Process;
use crate::harness::slack::{ALICE, CHANNEL, DM};

const QUESTION: &str = "We pay $9.4m for NOI of $612k. What is the going-in cap rate?";

/// Calls once, then answers.
fn call_and_answer(model: &ModelServer) {
    model.respond(|body, number| {
        let results = body["messages"].as_array().map_or(0, |all| {
            all.iter()
                .rev()
                .take_while(|one| one["role"] != "user")
                .filter(|one| one["role"] == "tool")
                .count()
        });
        if results == 0 {
            let known = json!({ "goal": "going_in_cap_rate", "known": { "noi": "$612k", "price": "$9.4m" } });
            Reply::calls([(&*format!("call_{number}"), "calculate", known)])
        } else {
            Reply::text("The going-in cap rate is **6.51 %**.")
        }
    });
}

#[tokio::test]
async fn a_conversation_in_slack_and_in_the_preview() {
    on_each("a model in chat", async |place| {
        let model = ModelServer::start().await;
        call_and_answer(&model);
        let stage = stage_with(&place, &model).await;
        stage.link(ALICE, stage.org.mara.user).await;
        let first = stage.slack.says(DM, ALICE, QUESTION);
        assert_eq!(stage.post(&first.message()).await, 200);
        stage.running.settle().await;
        let answers = stage.slack.final_answers(first.thread());
        assert_eq!(answers.len(), 1);
        assert!(answers[0].shown().contains("6.51 %"), "{}", answers[0].shown());

        // The second turn of the thread reads the first one; a shared conversation does not read it.
        let second = stage.slack.replies(
            DM,
            ALICE,
            first.thread(),
            "NOI $612k and price $9.4m again, please.",
        );
        stage.post(&second.message()).await;
        stage.running.settle().await;
        assert!(
            prompt(&model).contains("We pay $9.4m"),
            "the first turn is missing"
        );
        stage.approve(CHANNEL).await;
        let mention = format!("<@U0BOT> {QUESTION}");
        let shared = stage.slack.says(CHANNEL, ALICE, &mention);
        stage.post(&shared.mention()).await;
        stage.running.settle().await;
        assert!(
            stage.slack.final_answers(shared.thread())[0]
                .shown()
                .contains("6.51 %")
        );
        assert!(
            !prompt(&model).contains("again, please"),
            "a private turn was sent"
        );
        assert_eq!(model.violations(), Vec::<String>::new());

        let mut browser = Browser::of(&stage.running, &stage.org.mara).await;
        let mut form = browser.get("/preview").await.form("class=\"composer\"");
        form.push(("text".to_owned(), QUESTION.to_owned()));
        let posted = browser.post("/preview", &form).await;
        assert_eq!(posted.status, 200, "{}", posted.text);
        stage.running.settle().await;
        let page = browser.get("/preview").await.text;
        assert!(page.contains("6.51 %"), "{page}");
        stage.running.stop().await;
    })
    .await;
}

/// The last request to the model.
fn prompt(model: &ModelServer) -> String {
    model.requests().last().expect("a request").body.to_string()
}

#[tokio::test]
async fn a_waiting_person_sees_what_the_run_does() {
    on_each("progress", async |place| {
        let model = ModelServer::start().await;
        model.push(Reply::calls([(
            "a",
            "calculate",
            json!({ "goal": "going_in_cap_rate", "known": { "noi": "$612k", "price": "$9.4m" } }),
        )]));
        model.respond(|_, _| Reply::silence());
        let stage = stage_with(&place, &model).await;
        let mut browser = Browser::of(&stage.running, &stage.org.mara).await;
        let mut form = browser.get("/preview").await.form("class=\"composer\"");
        form.push(("text".to_owned(), QUESTION.to_owned()));
        browser.post("/preview", &form).await;
        let mut page = String::new();
        for _ in 0..100 {
            page = browser.get("/preview").await.text;
            if page.contains("Computing cap rate") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(page.contains("Computing cap rate"), "{page}");
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_run_of_a_killed_process_is_done_again_and_charged_once() {
    on_each("a killed process", async |place| {
        let model = ModelServer::start().await;
        model.respond(|_, _| Reply::silence());
        let mut settings = settings_of(&model, "openai");
        settings.push(("CORBEL_LEASE_SECONDS", "1".to_owned()));
        let settings = borrowed(&settings);
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        let key = app
            .key(&org.mara, corbel::keys::model::Environment::Production)
            .await;
        app.stop().await;
        let first = Process::start(&place, &settings);
        let api = crate::harness::api::Api::new(&first.url, Some(&key)).await;
        let admitted = api
            .post("/users/run-models", &json!({ "question": QUESTION }))
            .await
            .expect(202);
        model.until_open(1).await;
        drop(first);
        call_and_answer(&model);
        let second = Process::start(&place, &settings);
        let api = crate::harness::api::Api::new(&second.url, Some(&key)).await;
        let id = admitted["messageId"].as_str().expect("an id");
        let mut answer = Value::Null;
        for _ in 0..200 {
            let found = api
                .get(&format!("/users/me/chat-messages/{id}"))
                .await
                .expect(200);
            answer = found;
            if answer["status"] != "processing" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(answer.to_string().contains("completed"), "{answer}");
        drop(second);
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let ledger = app.services().usage.ledger(org.id).await.expect("the ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        let settled = ledger
            .entries
            .iter()
            .filter(|entry| entry.kind.as_str() == "settle")
            .count();
        assert_eq!(settled, 1, "settled once");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn commands_ask_check_and_evaluate_a_model() {
    let model = ModelServer::start().await;
    call_and_answer(&model);
    let dir = Dir::new();
    let mut settings = settings_of(&model, "openai");
    settings.push(("CORBEL_ALLOW_LOOPBACK", "true".to_owned()));
    let run = async |arguments: &[&str], more: &[(&str, &str)]| -> (bool, Value) {
        let mut command = dir.command(&["--json"]);
        command
            .args(arguments)
            .envs(settings.iter().map(|(name, value)| (*name, value.as_str())));
        command.envs(more.iter().copied());
        let output = tokio::task::spawn_blocking(move || command.output())
            .await
            .expect("a thread")
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (
            output.status.success(),
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}")),
        )
    };
    let (fine, asked) = run(&["ask", "--fast", "--tone", "friendly", QUESTION], &[]).await;
    assert!(fine && asked["model"] == "svc-fast", "{asked:#}");
    assert_eq!(asked["figures"][0]["name"], "going_in_cap_rate");
    assert!(prompt(&model).contains("friendly"));
    let (_, local) = run(&["ask", "--model", "svc-local", QUESTION], &[]).await;
    assert_eq!(local["model"], "svc-local");

    let (fine, checked) = run(&["doctor"], &[]).await;
    assert!(fine, "{checked:#}");
    let text = checked.to_string();
    assert!(
        text.contains("language model svc-pro (scripted-large)") && text.contains("svc-fast"),
        "{text}"
    );
    for (name, value, says) in [
        ("CORBEL_MODEL_KEY", "wrong", "CORBEL_MODEL_KEY"),
        ("CORBEL_MODEL_URL", "http://127.0.0.1:9/v1", "Nothing answers"),
        ("CORBEL_ALLOW_LOOPBACK", "false", "CORBEL_ALLOW_LOOPBACK=true"),
    ] {
        let (fine, checked) = run(&["doctor"], &[(name, value)]).await;
        assert!(!fine && checked.to_string().contains(says), "{name}: {checked:#}");
    }

    let file = dir.0.join("cases.json");
    let case = json!({ "cases": [{
        "id": "M1", "category": "returns", "question": QUESTION,
        "expected": { "metric": "going_in_cap_rate", "value": 0.065_106_4, "tolerance": 0.000_01 },
    }] });
    std::fs::write(&file, case.to_string()).expect("a file");
    let path = file.display().to_string();
    let (fine, evaluated) = run(&["eval", &path, "--model", "svc-pro", "--times", "2"], &[]).await;
    assert!(fine && evaluated["right"] == 1, "{evaluated:#}");
    // Twice 1,000 and two calls of 100 and 20 tokens at 3 and 15.
    assert_eq!(
        evaluated["costMicroUsd"],
        2 * (1_000 + 2 * (300 + 300)),
        "{evaluated:#}"
    );
    assert_eq!(evaluated["cases"][0]["model"], "svc-pro");
}

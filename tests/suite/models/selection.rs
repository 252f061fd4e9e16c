//! Which model answers, and what it gets of the session, the analyst and the audience.

use corbel::keys::model::Environment;
use serde_json::{Value, json};

use super::Modelled;
use crate::harness::app::on_each;
use crate::harness::model_server::Reply;

#[tokio::test]
async fn the_request_chooses_the_model() {
    on_each("choice of the model", async |place| {
        let run = Modelled::start(&place, "openai").await;
        run.model.respond(|_, _| Reply::text("Done.").usage(1_000, 10));
        for (body, name, answers) in [
            (json!({}), Some("scripted-large"), "svc-pro"),
            (json!({ "fastMode": true }), Some("scripted-small"), "svc-fast"),
            (
                json!({ "user": { "modelType": "svc-fast" } }),
                Some("scripted-small"),
                "svc-fast",
            ),
            (json!({ "user": { "modelType": "svc-local" } }), None, "svc-local"),
            (
                json!({ "user": { "modelType": "svc-pro" }, "fastMode": true }),
                Some("scripted-large"),
                "svc-pro",
            ),
        ] {
            let before = run.model.calls();
            let mut body: Value = body;
            body["question"] = json!("What is the DSCR with NOI of 1,200,000 and debt service of 900,000?");
            let answer = run.ask_with(body.clone()).await;
            assert_eq!(answer["model"], answers, "{body}");
            let asked = run
                .model
                .requests()
                .get(before)
                .map(|request| request.body["model"].clone());
            assert_eq!(asked, name.map(|name| json!(name)), "{body}");
        }
        // Sandbox keys are answered by the offline analyst.
        let before = run.model.calls();
        let key = run.app.key(&run.org.noel, Environment::Sandbox).await;
        let sandbox = run.app.api(&key).await;
        let question =
            json!({ "question": "DSCR with NOI of 1,200,000 and debt service of 900,000?", "wait": true });
        let answer = sandbox.post("/users/run-models", &question).await.expect(200);
        assert_eq!(
            (&answer["model"], run.model.calls()),
            (&json!("svc-local"), before)
        );
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn earlier_turns_tone_and_analyst_are_in_the_prompt() {
    on_each("prompt of a run", async |place| {
        let run = Modelled::start(&place, "openai").await;
        run.model.respond(|_, number| Reply::text(format!("Answer number {number}.")));
        let made = json!({
            "name": "Reader", "base": "svc-pro", "tone": "funny", "description": "Always name the break options first.",
        });
        let analyst = run.api.post("/users/custom-analysts", &made).await.expect(201);
        let body = json!({ "question": "A first question", "customAnalyst": { "id": analyst["id"] } });
        let first = run.ask_with(body).await;
        let prompt = run.last_prompt();
        assert!(prompt.contains("break options first") && prompt.contains("funny"), "{prompt}");
        let body = json!({ "question": "A second one", "sessionId": first["sessionId"] });
        run.ask_with(body).await;
        let requests = run.model.requests();
        let messages = requests.last().expect("a request").body["messages"].clone();
        let role = |one: &Value| one["role"].as_str().expect("a role").to_owned();
        let roles: Vec<String> = messages.as_array().expect("messages").iter().map(role).collect();
        assert_eq!(roles, ["system", "user"], "{messages:#}");
        // Other people may have asked earlier questions: they are fenced, too.
        let text = messages[1]["content"].as_str().expect("a text");
        let (earlier, now) = text.split_once("\n</data>\n").expect("a fence");
        assert!(earlier.starts_with("<data>\n"), "{text}");
        for said in ["A first question", "Answer number 1."] {
            assert!(earlier.contains(said), "{text}");
        }
        assert_eq!(now, "A second one", "{text}");

        // An organisation-safe run gets nothing of private turns and personal notes.
        let text = "The canary sings.";
        let note = json!({ "memoryType": "user_memory", "noteTitle": "Private plan", "noteContext": text });
        run.api.post("/users/add-to-memory", &note).await.expect(201);
        let body = json!({
            "question": "What does the private plan say?", "sessionId": first["sessionId"],
            "contextPolicy": "organisation-safe",
        });
        run.ask_with(body).await;
        let prompt = run.last_prompt();
        for private in ["A first question", "Answer number", "canary"] {
            assert!(!prompt.contains(private), "{private}: {prompt}");
        }
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn trials_get_a_model_as_long_as_their_money_lasts() {
    on_each("models for trials", async |place| {
        let settings = [
            ("CORBEL_MODEL_TRIAL_USD", "0.05"),
            ("CORBEL_MODEL_RUN_USD", "0.04"),
        ];
        let run = Modelled::start_with(&place, "openai", &settings).await;
        run.model.respond(|_, _| Reply::text("Done.").usage(10_000, 0));
        let key = run.app.key(&run.org.noel, Environment::Sandbox).await;
        let sandbox = run.app.api(&key).await;
        let question =
            json!({ "question": "DSCR with NOI of 1,200,000 and debt service of 900,000?", "wait": true });
        // 30,000 micro-dollars each: after the first, 20,000 of 50,000 are left, which is not enough for the second.
        let mut answered = Vec::new();
        for _ in 0..3 {
            let answer = sandbox.post("/users/run-models", &question).await.expect(200);
            answered.push(answer["model"].as_str().expect("a model").to_owned());
            let ledger = run
                .app
                .services()
                .usage
                .ledger(run.org.id)
                .await
                .expect("the ledger");
            assert!(ledger.consistent, "{:?}", ledger.faults);
            assert!(
                ledger.entries.iter().all(|entry| entry.charged.0 == 0),
                "a trial was charged"
            );
        }
        assert_eq!(answered[0], "svc-pro");
        assert_eq!(answered[2], "svc-local", "{answered:?}");
        run.app.stop().await;
    })
    .await;
}

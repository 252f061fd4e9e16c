//! Which notes of Context a run sees, by its model, and what a custom analyst passes to the engine.

use std::sync::Arc;

use corbel::base::ids::MessageId;
use serde_json::{Value, json};

use crate::api::runs::{api, run};
use crate::harness::app::on_each;
use crate::harness::engine::Scripted;
use crate::queue::ask;

const QUESTION: &str = "What does the harbour note say?";

#[tokio::test]
async fn runs_see_the_notes_of_the_model_that_is_asked_for() {
    on_each("partition of runs", async |place| {
        let engine = Scripted::default().named("svc-local");
        let app = place
            .start_with(place.config(&[]), Arc::new(engine.clone()))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let (mut notes, mut files) = (Vec::new(), Vec::new());
        for model in [Value::Null, json!("svc-local"), json!("svc-pro")] {
            let title = format!("harbour {}", model.as_str().unwrap_or("every"));
            let body = json!({
                "memoryType": "user_memory", "modelType": model, "noteTitle": title, "noteContext": "The harbour.",
                "files": [{ "filename": "rents.csv", "contentBase64": "dW5pdHMscmVudAoxLDIK" }],
            });
            let note = mara.post("/users/add-to-memory", &body).await.expect(201);
            let id = note["memoryId"].as_str().expect("an id").to_owned();
            let partition = if model.is_null() { json!("svc-pro") } else { model };
            let listed = mara
                .post(&format!("/users/memory/{id}/files"), &json!({ "modelType": partition }))
                .await
                .expect(200);
            files.push(listed["files"][0]["attachmentId"].clone());
            notes.push(json!(id));
        }
        let seen = |expected: [&str; 2]| {
            let briefs = engine.briefs();
            let mut titles: Vec<&str> = briefs
                .last()
                .expect("a brief")
                .notes
                .iter()
                .map(|note| note.title.trim_start_matches("harbour "))
                .collect();
            titles.sort_unstable();
            assert_eq!(titles, expected);
        };
        // Without a selection svc-pro is asked for, also if another model answers. The same is true in a chat, where
        // runs select nothing.
        run(&mara, json!({ "question": QUESTION, "wait": true })).await.expect(200);
        seen(["every", "svc-pro"]);
        let services = app.services();
        let principal = org.mara.principal();
        let admitted = services.analysis.admit(&principal, ask(QUESTION), None);
        let message: MessageId = admitted.await.expect("admitted").message;
        app.settle().await;
        services.sessions.message(org.id, message).await.expect("ended");
        seen(["every", "svc-pro"]);
        let body = json!({ "question": QUESTION, "wait": true, "user": { "modelType": "svc-local" } });
        run(&mara, body).await.expect(200);
        seen(["every", "svc-local"]);

        // Notes named by their id follow the same rule, however they are named.
        for (at, model, status) in [
            (0, Value::Null, 202),
            (1, Value::Null, 404),
            (2, Value::Null, 202),
            (0, json!("svc-local"), 202),
            (1, json!("svc-local"), 202),
            (2, json!("svc-local"), 404),
        ] {
            for (field, id) in [
                ("taggedMemoryIds", &notes[at]),
                ("userMemoryAttachmentsIds", &files[at]),
                ("uploadedAttachments", &files[at]),
            ] {
                let mut body = json!({ "question": QUESTION, "user": { "modelType": model } });
                body[field] = json!([id]);
                assert_eq!(run(&mara, body).await.status, status, "{field} {at} {model}");
            }
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_engine_gets_the_purpose_of_the_analyst() {
    on_each("instructions", async |place| {
        let engine = Scripted::default();
        let app = place
            .start_with(place.config(&[]), Arc::new(engine.clone()))
            .await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let words = "Always name the break options first.";
        let mut body =
            json!({ "name": "Reader", "base": "svc-local", "tone": "friendly", "description": words });
        let made = mara.post("/users/custom-analysts", &body).await.expect(201);
        let select = json!({ "question": "Which?", "wait": true, "customAnalyst": { "id": made["id"] } });
        run(&mara, select.clone()).await.expect(200);
        run(&mara, json!({ "question": "Which?", "wait": true }))
            .await
            .expect(200);
        body["description"] = json!("  ");
        mara.put(
            &format!("/users/custom-analysts/{}", made["id"].as_str().expect("an id")),
            &body,
        )
        .await
        .expect(200);
        run(&mara, select).await.expect(200);
        let purposes: Vec<_> = engine
            .briefs()
            .into_iter()
            .map(|brief| brief.instructions)
            .collect();
        assert_eq!(purposes, [Some(words.to_owned()), None, None]);
        app.stop().await;
    })
    .await;
}

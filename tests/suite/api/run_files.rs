//! Files of an answer: attached ones with their verdicts, generated ones, and their links.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corbel::analysis::engine::GeneratedFile;
use corbel::base::ids::FileId;
use corbel::files::model::Audience;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::api::runs::{api, run};
use crate::harness::app::{Running, http, on_each};
use crate::harness::engine::{Act, Scripted};

const MADE: &[u8] = b"PK\x03\x04 an invented workbook";

fn workbook() -> GeneratedFile {
    GeneratedFile {
        filename: "Rents \u{2013} July.xlsx".to_owned(),
        content_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet".to_owned(),
        bytes: MADE.to_vec(),
    }
}

async fn download(url: &Value) -> (u16, Vec<u8>) {
    let answer = http()
        .get(url.as_str().expect("a link"))
        .send()
        .await
        .expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.bytes().await.expect("bytes").to_vec())
}

async fn audience(app: &Running, org: corbel::base::ids::OrgId, id: &Value) -> Audience {
    let id: FileId = id.as_str().expect("an id").parse().expect("an id");
    let row: (Audience,) = app
        .services()
        .db
        .query("SELECT audience FROM files WHERE org_id = $1 AND id = $2")
        .bind(org)
        .bind(id)
        .one()
        .await
        .expect("the file");
    row.0
}

#[tokio::test]
async fn an_answer_has_its_files_with_verdicts_and_links() {
    on_each("files of answers", async |place| {
        let engine = Scripted::new([
            Act::Make("Here it is.", vec![workbook()]),
            Act::Answer("Nothing else."),
            Act::Make("Here it is again.", vec![workbook()]),
        ]);
        let app = place.start_with(place.config(&[]), Arc::new(engine)).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (api(&app, &org.mara).await, api(&app, &org.noel).await);
        let mut session = Value::Null;
        for safe in [false, true] {
            let mut body = json!({
                "question": "The rents as a workbook, please.", "sessionId": session,
                "files": [
                    { "filename": "rents.csv", "contentBase64": "dW5pdCxyZW50CjEsMgo=", "contentType": "text/csv" },
                    { "filename": "tool.exe", "contentBase64": "TVqQAA==" },
                ],
            });
            if safe {
                body["contextPolicy"] = json!("organisation-safe");
            }
            let admitted = run(&mara, body).await.expect(202);
            session = admitted["sessionId"].clone();
            app.settle().await;
            let by_message = json!({ "messageId": admitted["messageId"] });
            let read = mara
                .post("/users/me/chat-sessions/message-responses", &by_message)
                .await
                .expect(200);
            let response = &read["responses"][0];
            assert_eq!(response["success"], true);
            let files = response["files"].as_array().expect("files");
            let listed: Vec<_> = files
                .iter()
                .map(|file| {
                    let is_own = file["messageId"] == admitted["messageId"];
                    (file["part"].as_str(), file["filename"].as_str(), is_own)
                })
                .collect();
            assert_eq!(
                listed,
                [
                    (Some("question"), Some("rents.csv"), true),
                    (Some("question"), Some("tool.exe"), true),
                    (Some("answer"), Some("Rents \u{2013} July.xlsx"), true),
                ]
            );
            assert_eq!(files[1]["verdict"], "unreadable");
            assert!(files[1]["reason"].as_str().is_some_and(|why| !why.is_empty()));
            let [made] = response["attachments"].as_array().expect("attachments").as_slice() else {
                panic!("one file was generated: {response}");
            };
            assert_eq!((&made["id"], &made["bytes"]), (&files[2]["id"], &json!(MADE.len())));
            assert_eq!(made["expiresInSeconds"], 300);
            assert_eq!(download(&made["downloadUrl"]).await, (200, MADE.to_vec()));
            assert_eq!(download(&files[0]["downloadUrl"]).await.0, 200);
            // A file of a run for a shared channel is shared with its participants; that of a private run belongs to
            // its owner.
            let expected = if safe { Audience::Shared } else { Audience::Private };
            for file in files {
                assert_eq!(audience(&app, org.id, &file["id"]).await, expected);
            }
            // A later question may name a generated file.
            let again = json!({ "question": "And?", "sessionId": session, "uploadedAttachments": [made["id"]] });
            run(&mara, again.clone()).await.expect(202);
            run(&noel, json!({ "question": "And?", "uploadedAttachments": [made["id"]] }))
                .await
                .refused(404, "not_found");
            noel.post("/users/me/chat-sessions/message-responses", &by_message)
                .await
                .refused(404, "not_found");
            app.settle().await;
        }
        // The whole session: each turn with its own files.
        let whole = json!({ "sessionId": session });
        let read = mara
            .post("/users/me/chat-sessions/message-responses", &whole)
            .await
            .expect(200);
        let counts: Vec<usize> = read["responses"]
            .as_array()
            .expect("responses")
            .iter()
            .map(|response| response["files"].as_array().expect("files").len())
            .collect();
        assert_eq!(counts, [3, 1, 3, 1]);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_awaited_response_has_files_too_and_links_are_not_stored() {
    on_each("files of a waited answer", async |place| {
        let engine = Scripted::new([Act::Make("Here it is.", vec![workbook()])]);
        let app = place.start_with(place.config(&[]), Arc::new(engine)).await;
        let org = app.organization("Marlow Ridge").await;
        let mara = api(&app, &org.mara).await;
        let done = run(&mara, json!({ "question": "A workbook, please.", "wait": true }))
            .await
            .expect(200);
        assert_eq!(
            download(&done["attachments"][0]["downloadUrl"]).await,
            (200, MADE.to_vec())
        );
        assert_eq!(done["files"][0]["part"], "answer");
        let stored: (sqlx::types::Json<Value>,) = app
            .services()
            .db
            .query("SELECT answer FROM responses")
            .one()
            .await
            .expect("a response");
        assert!(!stored.0.to_string().contains("/files/"), "{}", stored.0.0);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn runs_with_large_files_take_turns_by_person_and_small_ones_do_not_wait() {
    on_each("turns of large files", async |place| {
        let gate = Arc::new(Notify::new());
        let engine = Scripted::new([Act::When(Arc::clone(&gate), "The first."), Act::Answer("Small.")]);
        let config = place.config(&[("CORBEL_WORKERS", "32")]);
        let app = place.start_with(config, Arc::new(engine.clone())).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (api(&app, &org.mara).await, api(&app, &org.noel).await);
        let asked = |question: &str, rows: usize| {
            let table = format!("unit,rent\n{}", "101,1200\n".repeat(rows));
            let file = json!({ "filename": "rents.csv", "contentBase64": STANDARD.encode(table) });
            json!({ "question": question, "files": [file] })
        };
        let begun = || {
            let briefs = engine.briefs();
            briefs.into_iter().map(|brief| brief.question).collect::<Vec<_>>()
        };
        let until_begun = async |count: usize| {
            for _ in 0..500 {
                if begun().len() >= count {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            panic!("{:?} began, not {count}", begun());
        };
        run(&mara, asked("Mara's first?", 40_000)).await.expect(202);
        until_begun(1).await;
        for _ in 0..3 {
            run(&mara, asked("Mara's next?", 40_000)).await.expect(202);
        }
        run(&mara, asked("Mara's small?", 10)).await.expect(202);
        until_begun(2).await;
        run(&noel, asked("Noel's?", 40_000)).await.expect(202);
        // Time for the others to begin, if they did not wait.
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(begun(), ["Mara's first?", "Mara's small?"]);
        gate.notify_one();
        app.settle().await;
        let next = "Mara's next?";
        assert_eq!(
            begun(),
            ["Mara's first?", "Mara's small?", "Noel's?", next, next, next]
        );
        app.stop().await;
    })
    .await;
}

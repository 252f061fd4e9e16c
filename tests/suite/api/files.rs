//! Files of runs: stored with a verdict, referenced again, and downloaded through links that last five minutes.

use std::time::Duration;

use corbel::keys::model::Environment;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::harness::app::{http, on_each};

const PDF: &[u8] = b"%PDF-1.7\nan invented lease";

async fn get(url: &str) -> reqwest::Response {
    http().get(url).send().await.expect("an answer")
}

async fn refused(url: &str) -> Value {
    let answer = get(url).await;
    assert_eq!(answer.status(), 404, "{url}");
    let mut body: Value = answer.json().await.expect("JSON");
    body.as_object_mut().expect("an object").remove("requestId");
    body
}

#[tokio::test]
async fn files_are_accepted_in_both_formats_and_links_last_five_minutes() {
    on_each("files_come_along_either_way", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (
            app.key(&org.mara, Environment::Production).await,
            app.key(&org.noel, Environment::Production).await,
        );
        let (api, other) = (app.api(&mara).await, app.api(&noel).await);
        let form = Form::new()
            .text(
                "question",
                "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?",
            )
            .part(
                "files",
                Part::bytes(PDF)
                    .file_name("Zürich \"lease\".pdf")
                    .mime_str("application/pdf")
                    .expect("a type"),
            )
            .part(
                "files",
                Part::bytes(b"MZ\x90\0".as_slice()).file_name("../tool.exe"),
            );
        let admitted = http()
            .post(format!("{}/users/run-models", app.url))
            .bearer_auth(&mara)
            .multipart(form)
            .send()
            .await
            .expect("an answer");
        assert_eq!(admitted.status(), 202);
        let admitted: Value = admitted.json().await.expect("JSON");
        app.settle().await;
        let asked = json!({ "messageId": admitted["messageId"] });
        let found = api.post("/users/me/chat-sessions/attachments", &asked).await;
        assert_eq!(found.status, 200);
        let files = found.body["files"].as_array().expect("files").clone();
        let listed: Vec<_> = files
            .iter()
            .map(|file| (&file["filename"], &file["kind"], &file["verdict"], &file["bytes"]))
            .collect();
        assert_eq!(
            listed,
            [
                (
                    &json!("Zürich \"lease\".pdf"),
                    &json!("pdf"),
                    &json!("not_yet_readable"),
                    &json!(PDF.len())
                ),
                (&json!("tool.exe"), &Value::Null, &json!("unreadable"), &json!(4)),
            ]
        );
        assert_eq!(files[0]["expiresInSeconds"], 300);

        // Referenced by a later request; only the id is used.
        let again = json!({
            "question": "And with NOI of 1,300,000?", "sessionId": admitted["sessionId"],
            "filesBase64": [{ "name": "rents.csv", "dataBase64": "dW5pdCxyZW50CjEsMgo=" }],
            "uploadedAttachments": [{ "id": files[0]["id"], "filename": "other" }],
        });
        let later = api.post("/users/run-models", &again).await;
        assert_eq!(later.status, 202);
        app.settle().await;
        let asked = json!({ "sessionId": admitted["sessionId"] });
        let all = api.post("/users/me/chat-sessions/attachments", &asked).await;
        let names: Vec<_> = all.body["files"]
            .as_array()
            .expect("files")
            .iter()
            .map(|file| file["filename"].as_str().expect("a name"))
            .collect();
        assert_eq!(
            names,
            [
                "Zürich \"lease\".pdf",
                "tool.exe",
                "rents.csv",
                "Zürich \"lease\".pdf"
            ]
        );

        // A colleague cannot find out about it in any way.
        for body in [&asked, &json!({ "messageId": admitted["messageId"] })] {
            other
                .post("/users/me/chat-sessions/attachments", body)
                .await
                .refused(404, "not_found");
        }
        let stolen = json!({ "question": "x", "uploadedAttachments": [files[0]["id"]] });
        other
            .post("/users/run-models", &stolen)
            .await
            .refused(404, "not_found");
        api.post("/users/me/chat-sessions/attachments", &json!({}))
            .await
            .refused(400, "invalid_request");

        // The link alone is sufficient; with one character changed it is invalid.
        let url = files[0]["downloadUrl"].as_str().expect("a link").to_owned();
        let response = get(&url).await;
        assert_eq!(response.status(), 200);
        let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
        assert_eq!(
            header("content-disposition"),
            "attachment; filename=\"Z_rich _lease_.pdf\"; filename*=UTF-8''Z%C3%BCrich%20%22lease%22.pdf"
        );
        assert_eq!(header("content-type"), "application/octet-stream");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("content-security-policy"), "default-src 'none'; sandbox");
        assert_eq!(header("cache-control"), "private, no-store");
        assert_eq!(response.bytes().await.expect("bytes"), PDF);
        let changed = |at: usize| {
            let mut text: Vec<char> = url.chars().collect();
            text[at] = if text[at] == 'A' { 'B' } else { 'A' };
            text.into_iter().collect::<String>()
        };
        let start = url.find("/files/").expect("a token") + 8;
        let unknown = refused(&format!("{}/files/AAAA", app.url)).await;
        for at in [start, start + 30, url.len() - 20] {
            assert_eq!(refused(&changed(at)).await, unknown);
        }

        // Valid for exactly 300 seconds.
        app.services().clock.advance(Duration::from_secs(299));
        assert_eq!(get(&url).await.status(), 200);
        app.services().clock.advance(Duration::from_secs(2));
        assert_eq!(refused(&url).await, unknown);

        // A user who has left the organization has no access.
        let fresh = api.post("/users/me/chat-sessions/attachments", &asked).await;
        let url = fresh.body["files"][0]["downloadUrl"]
            .as_str()
            .expect("a link")
            .to_owned();
        assert_eq!(get(&url).await.status(), 200);
        app.services()
            .accounts
            .deactivate(corbel::audit::store::Actor::OPERATOR, org.id, org.mara.user)
            .await
            .expect("deactivated");
        assert_eq!(refused(&url).await, unknown);
        app.stop().await;
    })
    .await;
}

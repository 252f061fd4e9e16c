//! Files of notes over HTTP: stored with the note, listed with links in pages, and removed.

use corbel::keys::model::Environment;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::harness::api::Api;
use crate::harness::app::{Org, Person, Running, on_each};

const ADD: &str = "/users/add-to-memory";
const UPDATE: &str = "/users/update-memory";
const ABSENT: &str = "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11";

async fn with_org(name: &str, check: impl AsyncFn(&Running, &Org)) {
    on_each(name, async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        check(&app, &org).await;
        app.stop().await;
    })
    .await;
}

async fn api(app: &Running, person: &Person) -> Api {
    app.api(&app.key(person, Environment::Production).await).await
}

/// "units,rent\n" and a number, in base64.
fn file(name: &str) -> Value {
    json!({ "filename": name, "contentType": "text/csv", "contentBase64": "dW5pdHMscmVudAoxLDIK" })
}

fn path(note: &str) -> String {
    format!("/users/memory/{note}/files")
}

fn names(listed: &Value) -> Vec<&str> {
    let files = listed["files"].as_array().expect("files").iter();
    files
        .map(|file| file["filename"].as_str().expect("a name"))
        .collect()
}

#[tokio::test]
async fn files_are_stored_with_a_note_and_listed_with_links() {
    with_org("note_files", async |app, org| {
        let (mara, noel) = (api(app, &org.mara).await, api(app, &org.noel).await);
        let form = Form::new()
            .text("memoryType", "organisation_memory")
            .text("noteTitle", "Rent roll")
            .text("noteContext", "Rents of the harbour")
            .part(
                "files",
                Part::bytes(b"units,rent\n1,2\n".to_vec()).file_name("one.csv"),
            )
            .part(
                "files",
                Part::bytes(b"units,rent\n1,2\n".to_vec()).file_name("../two.csv"),
            );
        let made = mara
            .call(Method::POST, ADD)
            .with(|request| request.multipart(form))
            .send()
            .await
            .expect(201);
        assert_eq!((&made["partial"], &made["warnings"]), (&json!(false), &json!([])));
        let note = made["memoryId"].as_str().expect("an id").to_owned();
        let mut change = json!({ "memoryId": note, "files": [file("three.csv")] });
        mara.post(UPDATE, &change).await.expect(200);
        let listed = noel.post(&path(&note), &json!({})).await.expect(200);
        assert_eq!(
            names(&listed),
            ["one.csv", "two.csv", "three.csv"],
            "a colleague may read them"
        );
        assert_eq!(
            (
                &listed["total"],
                &listed["page"],
                &listed["pageSize"],
                &listed["hasMore"],
                &listed["partial"]
            ),
            (&json!(3), &json!(1), &json!(25), &json!(false), &json!(false))
        );
        assert_eq!(listed["files"][0]["expiresInSeconds"], 300);
        let link = listed["files"][0]["downloadUrl"]
            .as_str()
            .expect("a link")
            .to_owned();
        assert!(!link.contains("note/"), "no origin and no key");
        let files = &app.services().files;
        let token = link.rsplit('/').next().expect("a token");
        let grant = files.links.open(token).expect("ours");
        assert_eq!(
            (grant.org, grant.user),
            (org.id, org.noel.user),
            "created for the caller"
        );
        let id = note.parse().expect("an id");
        assert!(files.in_note(org.id, id, grant.file).await.is_ok());

        // Page sizes are clamped; a page after the end is empty.
        for (body, page, size, seen, more) in [
            (json!({ "pageSize": 2 }), 1, 2, 2, true),
            (json!({ "pageSize": 2, "page": 2 }), 2, 2, 1, false),
            (json!({ "pageSize": 2, "page": 9 }), 9, 2, 0, false),
            (json!({ "pageSize": 0, "page": 0 }), 1, 1, 1, true),
            (json!({ "pageSize": 26 }), 1, 25, 3, false),
            (json!({ "pageSize": -1, "page": -7 }), 1, 1, 1, true),
            (json!({ "page": i64::MAX }), i64::MAX, 25, 0, false),
            (json!({ "page": u64::MAX }), i64::MAX, 25, 0, false),
            (json!({ "pageSize": "2", "page": 2.0 }), 2, 2, 1, false),
            (json!({ "pageSize": 1e30 }), 1, 25, 3, false),
        ] {
            let listed = mara.post(&path(&note), &body).await.expect(200);
            assert_eq!(
                (
                    &listed["page"],
                    &listed["pageSize"],
                    names(&listed).len(),
                    &listed["hasMore"]
                ),
                (&json!(page), &json!(size), seen, &json!(more)),
                "{body}"
            );
        }
        for none in ["%ff", "%20", "x"] {
            mara.post(&path(none), &json!({})).await.refused(404, "not_found");
        }
        // Removal is all or nothing.
        let first = listed["files"][0]["attachmentId"].clone();
        change = json!({ "memoryId": note, "noteTitle": "Lost", "removeAttachmentIds": [first, ABSENT] });
        mara.post(UPDATE, &change).await.refused(404, "not_found");
        assert_eq!(mara.post(&path(&note), &json!({})).await.expect(200)["total"], 3);
        change = json!({ "memoryId": note, "removeAttachmentIds": [first] });
        let changed = mara.post(UPDATE, &change).await.expect(200);
        assert_eq!(changed["noteTitle"], "Rent roll");
        let listed = mara.post(&path(&note), &json!({})).await.expect(200);
        assert_eq!(names(&listed), ["two.csv", "three.csv"]);
        assert!(
            files.in_note(org.id, id, grant.file).await.is_err(),
            "the link is no longer valid"
        );
    })
    .await;
}

#[tokio::test]
async fn files_of_a_note_follow_the_rules_of_the_note() {
    with_org("note_files_rules", async |app, org| {
        let (mara, noel) = (api(app, &org.mara).await, api(app, &org.noel).await);
        let personal = json!({
            "noteTitle": "Mine", "noteContext": "x", "modelType": "svc-pro", "filesBase64": [file("mine.csv")],
        });
        let note = mara.post(ADD, &personal).await.expect(201)["memoryId"].clone();
        let note = note.as_str().expect("an id");
        for (api, path) in [(&noel, path(note)), (&mara, path(ABSENT)), (&mara, path("no-id"))] {
            api.post(&path, &json!({})).await.refused(404, "not_found");
        }
        mara.post(&path(note), &json!({ "modelType": "svc-fast" })).await.refused(404, "not_found");
        let listed = mara.post(&path(note), &json!({ "modelType": "svc-pro" })).await.expect(200);
        assert_eq!(names(&listed), ["mine.csv"]);
        let add = json!({ "memoryId": note, "files": [file("theirs.csv")] });
        noel.post(UPDATE, &add).await.refused(404, "not_found");
        // A request that cannot be parsed changes nothing.
        for (wrong, status, code) in [
            (json!({ "filename": "a.csv", "contentBase64": "?" }), 400, "invalid_base64"),
            (json!({ "filename": "a.csv" }), 400, "invalid_request"),
        ] {
            let change = json!({ "memoryId": note, "noteTitle": "Lost", "files": [file("b.csv"), wrong] });
            mara.post(UPDATE, &change).await.refused(status, code);
        }
        assert_eq!(names(&mara.post(&path(note), &json!({})).await.expect(200)), ["mine.csv"]);
        let kept = mara.post("/users/get-user-memory", &json!({ "memoryId": note })).await.expect(200);
        assert_eq!(kept["memories"][0]["noteTitle"], "Mine");
    })
    .await;
}

#[tokio::test]
async fn an_analyst_s_files_are_stored_with_its_note() {
    with_org("analyst_files", async |app, org| {
        let mara = api(app, &org.mara).await;
        let form = Form::new()
            .text("name", "Reader")
            .text("base", "svc-local")
            .text("tone", "friendly")
            .text(
                "organisationMemory",
                r#"{"noteTitle":"Terms","noteContext":"Six months"}"#,
            )
            .part(
                "organisationMemoryFiles",
                Part::bytes(b"a,b\n1,2\n".to_vec()).file_name("terms.csv"),
            );
        let made = mara
            .call(Method::POST, "/users/custom-analysts")
            .with(|request| request.multipart(form))
            .send()
            .await
            .expect(201);
        assert_eq!(made["partial"], false);
        let note = made["organisationMemory"]["noteIds"][0]
            .as_str()
            .expect("an id")
            .to_owned();
        assert_eq!(
            names(&mara.post(&path(&note), &json!({})).await.expect(200)),
            ["terms.csv"]
        );

        let mut change = json!({
            "name": "Reader", "base": "svc-local", "tone": "friendly",
            "organisationMemory": { "noteId": note, "files": [file("more.csv")] },
        });
        let analyst = format!("/users/custom-analysts/{}", made["id"].as_str().expect("an id"));
        mara.put(&analyst, &change).await.expect(200);
        assert_eq!(
            names(&mara.post(&path(&note), &json!({})).await.expect(200)),
            ["terms.csv", "more.csv"]
        );
        // Files without a note that could contain them.
        change["organisationMemory"] = json!({ "files": [file("lost.csv")] });
        let partly = mara.put(&analyst, &change).await.expect(200);
        assert_eq!(partly["partial"], true);
        assert_eq!(partly["warnings"][0]["code"], "organisation_memory_incomplete");
    })
    .await;
}

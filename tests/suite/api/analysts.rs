//! Custom analysts over HTTP: created, changed and deleted by their owner; their notes exist independently.

use corbel::base::principal::Role;
use corbel::keys::model::Environment;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::api::Api;
use crate::harness::app::{Org, Person, Running, on_each};

const ANALYSTS: &str = "/users/custom-analysts";

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
    app.api(&app.key(person, Environment::Development).await).await
}

fn fields(memory: Value) -> Value {
    json!({ "name": "Abstractor", "base": "svc-local", "tone": "funny", "emoji": "📄", "organisationMemory": memory })
}

fn path(analyst: &Value) -> String {
    format!("{ANALYSTS}/{}", analyst["id"].as_str().expect("an id"))
}

async fn notes(api: &Api) -> Vec<(String, String)> {
    let list = api.post("/users/get-user-memory", &json!({})).await.expect(200);
    let text = |note: &Value, field: &str| note[field].as_str().expect("a text").to_owned();
    list["memories"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|note| (text(note, "noteTitle"), text(note, "noteContext")))
        .collect()
}

#[tokio::test]
async fn an_analyst_can_be_managed_and_its_notes_survive_deletion() {
    with_org("an_analyst_lives", async |app, org| {
        let (mara, noel) = (api(app, &org.mara).await, api(app, &org.noel).await);
        let memory = json!({ "noteTitle": "Terms", "noteContext": "Six months' notice." });
        let made = mara.post(ANALYSTS, &fields(memory)).await.expect(201);
        assert_eq!(
            (
                &made["name"],
                &made["base"],
                &made["tone"],
                &made["emoji"],
                &made["partial"]
            ),
            (
                &json!("Abstractor"),
                &json!("svc-local"),
                &json!("funny"),
                &json!("📄"),
                &json!(false)
            )
        );
        assert_ne!(made["id"], made["modelId"]);
        assert_eq!(
            made["organisationMemory"]["noteIds"]
                .as_array()
                .expect("notes")
                .len(),
            1
        );
        let note = ("Terms".to_owned(), "Six months' notice.".to_owned());
        assert_eq!(
            notes(&noel).await,
            std::slice::from_ref(&note),
            "an Organization note"
        );

        let listed = mara.get(ANALYSTS).await.expect(200);
        assert_eq!(listed["analysts"].as_array().expect("a list").len(), 1);
        assert_eq!(listed["analysts"][0]["modelId"], made["modelId"]);
        assert_eq!(noel.get(ANALYSTS).await.expect(200)["analysts"], json!([]));

        // Omitted fields are kept; an empty emoji is removed.
        let plain = json!({ "name": "Reader", "base": "svc-pro", "tone": "friendly" });
        let changed = mara.put(&path(&made), &plain).await.expect(200);
        assert_eq!(
            (
                &changed["name"],
                &changed["base"],
                &changed["emoji"],
                &changed["organisationMemory"]
            ),
            (
                &json!("Reader"),
                &json!("svc-pro"),
                &json!("📄"),
                &made["organisationMemory"]
            )
        );
        let mut more = plain.clone();
        more["emoji"] = json!("");
        more["description"] = json!("Reads leases.");
        let changed = mara.put(&path(&made), &more).await.expect(200);
        assert_eq!(
            (&changed["emoji"], &changed["description"]),
            (&json!(null), &json!("Reads leases."))
        );

        let by_model = format!("{ANALYSTS}/{}", made["modelId"].as_str().expect("an id"));
        for (api, path) in [
            (&noel, path(&made)),
            (&mara, by_model),
            (&mara, format!("{ANALYSTS}/0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11")),
            (&mara, format!("{ANALYSTS}/no-id")),
        ] {
            api.put(&path, &plain).await.refused(404, "not_found");
            api.delete(&path).await.refused(404, "not_found");
        }
        mara.delete(&path(&made)).await.expect(204);
        mara.delete(&path(&made)).await.refused(404, "not_found");
        mara.put(&path(&made), &plain).await.refused(404, "not_found");
        assert_eq!(mara.get(ANALYSTS).await.expect(200)["analysts"], json!([]));
        assert_eq!(notes(&mara).await, [note]);
    })
    .await;
}

#[tokio::test]
async fn analyst_memory_follows_the_rules_of_notes() {
    with_org("organisation_memory", async |app, org| {
        let (mara, noel) = (api(app, &org.mara).await, api(app, &org.noel).await);
        let admin = api(app, &app.member(org, "Ada", Role::Admin).await).await;
        // An incomplete note is not stored: the analyst is created, and the response has a warning.
        for half in [
            json!({ "noteTitle": "Terms" }),
            json!({ "noteContext": "Text" }),
            json!({ "noteTitle": "Terms", "noteContext": " " }),
        ] {
            let made = mara.post(ANALYSTS, &fields(half)).await.expect(201);
            assert_eq!(made["partial"], true);
            assert_eq!(made["warnings"][0]["code"], "organisation_memory_incomplete");
            assert_eq!(made["organisationMemory"]["noteIds"], json!([]));
        }
        assert!(notes(&mara).await.is_empty());
        let made = mara.post(ANALYSTS, &fields(json!(null))).await.expect(201);
        assert_eq!((&made["partial"], &made["warnings"]), (&json!(false), &json!([])));

        let terms = json!({ "noteTitle": "Terms", "noteContext": "Old" });
        let with_note = mara.put(&path(&made), &fields(terms)).await.expect(200);
        let note = with_note["organisationMemory"]["noteIds"][0].clone();
        let change = json!({ "noteId": note, "noteContext": "New" });
        let changed = mara.put(&path(&made), &fields(change.clone())).await.expect(200);
        assert_eq!(changed["organisationMemory"]["noteIds"], json!([note]));
        assert_eq!(notes(&mara).await, [("Terms".to_owned(), "New".to_owned())]);

        // Another user's note, a personal one, an absent one: 404, and the analyst is unchanged.
        let own = noel.post(ANALYSTS, &fields(json!(null))).await.expect(201);
        let personal = noel
            .post("/users/add-to-memory", &json!({ "noteTitle": "Mine", "noteContext": "x" }))
            .await
            .expect(201);
        for id in [&note, &personal["memoryId"], &json!("0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11")] {
            let mut wrong = fields(json!({ "noteId": id, "noteContext": "Taken over" }));
            wrong["name"] = json!("Renamed");
            noel.put(&path(&own), &wrong).await.refused(404, "not_found");
            noel.post(ANALYSTS, &wrong).await.refused(404, "not_found");
        }
        let listed = noel.get(ANALYSTS).await.expect(200);
        assert_eq!(listed["analysts"].as_array().expect("a list").len(), 1);
        assert_eq!(listed["analysts"][0]["name"], "Abstractor");
        // An administrator may change the note, and so may use it in an analyst.
        let theirs = admin.post(ANALYSTS, &fields(change)).await.expect(201);
        assert_eq!(theirs["organisationMemory"]["noteIds"], json!([note]));

        for wrong in [
            json!({ "base": "svc-pro", "tone": "funny" }),
            json!({ "name": "x", "tone": "funny" }),
            json!({ "name": "x", "base": "svc-pro" }),
            json!({ "name": "x", "base": "gpt", "tone": "funny" }),
            json!({ "name": "x", "base": "svc-pro", "tone": "rude" }),
            json!({ "name": "", "base": "svc-pro", "tone": "funny" }),
            json!({ "name": "x", "base": "svc-pro", "tone": "funny", "organisationMemory": "text" }),
            json!({ "name": "x", "base": "svc-pro", "tone": "funny", "organisationMemory": { "noteTitle": "a\nb" } }),
        ] {
            mara.post(ANALYSTS, &wrong).await.refused(400, "invalid_request");
            mara.put(&path(&made), &wrong).await.refused(400, "invalid_request");
        }
    })
    .await;
}

#[tokio::test]
async fn invalid_fields_are_named_by_their_path() {
    with_org("analysts_misfits", async |app, org| {
        let mara = api(app, &org.mara).await;
        let long = json!({ "noteTitle": "x".repeat(201), "noteContext": "Six months." });
        let error = mara
            .post(ANALYSTS, &fields(long))
            .await
            .refused(400, "invalid_request");
        assert_eq!(error["errors"][0]["field"], "organisationMemory.noteTitle");
        // No input is dropped silently.
        let mut lost = fields(json!({ "noteTitle": "Terms", "noteContext": "Six months." }));
        lost["files"] = json!([{ "filename": "a.csv", "contentBase64": "YQox" }]);
        let error = mara.post(ANALYSTS, &lost).await.refused(400, "invalid_request");
        assert_eq!(error["errors"][0]["field"], "files");
        assert_eq!(notes(&mara).await, []);
        for (body, field) in [
            (json!({ "base": "svc-local", "tone": "funny" }), "name"),
            (json!({ "name": "A", "tone": "funny" }), "base"),
        ] {
            let error = mara.post(ANALYSTS, &body).await.refused(400, "invalid_request");
            assert_eq!(
                (&error["errors"][0]["field"], &error["errors"][0]["code"]),
                (&json!(field), &json!("missing"))
            );
        }
        for (body, field) in [
            (
                json!({ "question": "x", "taggedMemoryIds": [3] }),
                "taggedMemoryIds[0]",
            ),
            (json!({ "question": "x", "user": "x" }), "user"),
            (
                json!({ "question": "x", "uploadedAttachments": [{ "name": "x" }] }),
                "uploadedAttachments[0]",
            ),
        ] {
            let error = mara
                .post("/users/run-models", &body)
                .await
                .refused(400, "invalid_request");
            let detail = error["errors"][0]["detail"].as_str().expect("a sentence");
            assert_eq!(error["errors"][0]["field"], field, "{error}");
            assert!(!detail.contains("enum") && !detail.contains("struct"), "{detail}");
        }
        for (body, said) in [
            (
                "{\"a\": ",
                "is not JSON: it ends before it is whole, in line 1, column 7",
            ),
            (
                "{\n  \"a\": tru }",
                "is not JSON: a word without quotes is none of true, false and null, in line 2, column 8",
            ),
            (
                "{\"a\": 1,}",
                "is not JSON: a comma is missing or too many, in line 1, column 8",
            ),
        ] {
            let sent = mara
                .call(Method::POST, ANALYSTS)
                .with(|request| request.header("Content-Type", "application/json").body(body));
            let error = sent.send().await.refused(400, "invalid_request");
            assert_eq!(error["errors"][0]["detail"], said);
        }
    })
    .await;
}

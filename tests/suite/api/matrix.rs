//! Isolation: every operation of the document × {owner, colleague, other organization, revoked key, no key}.
//!
//! Each row says how an operation is called and whether the call names something of the owner. A stranger who names
//! it must get the same response as for a random id: same status, same headers, same body. An operation without a row
//! fails, and so does a row without an operation.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::audit::store::Actor;
use corbel::base::ids::JobId;
use corbel::base::principal::Role;
use corbel::keys::model::Environment;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::api::{Answer, Api, described};
use crate::harness::app::{Person, Running, on_each};

use self::rows::{ANALYSTS, ATTACHMENTS, CANARY, ROWS, RUN, Row, analyst, note, question};

mod rows;

/// The owner's ids by placeholder. Unknown placeholders become random ids.
type Ids = BTreeMap<&'static str, String>;

/// The callers whose responses are compared.
struct Callers {
    owner: Api,
    colleague: Api,
    other: Api,
    revoked: Api,
    nobody: Api,
}

async fn person(app: &Running, org: &crate::harness::app::Org, email: &str) -> Person {
    let new = NewPerson {
        email: email.to_owned(),
        name: "Otto Other".to_owned(),
        role: Role::Owner,
        password: None,
    };
    let user = app
        .services()
        .accounts
        .create_member(Actor::OPERATOR, org.id, new)
        .await
        .expect("a member");
    Person {
        org: org.id,
        user,
        email: email.to_owned(),
        role: Role::Owner,
    }
}

impl Callers {
    async fn of(app: &Running) -> (Self, Value) {
        let org = app.organization("Marlow Ridge").await;
        let elsewhere = app.organization("Tern Harbour").await;
        let live = Environment::Production;
        let owner = app.key(&org.mara, live).await;
        // An owner of another organization, and an ordinary colleague: neither role gives access to personal data.
        let boss = person(app, &elsewhere, "otto@tern.example").await;
        let revoked = app.key(&org.mara, live).await;
        let hints = json!({
            "userId": org.mara.user,
            "organizationId": org.id,
            "ownerId": org.mara.user,
            "orgId": org.id,
        });
        let id = corbel::keys::model::Token::parse(&revoked).expect("a key").id;
        let keys = &app.services().keys;
        keys.revoke(Actor::OPERATOR, org.id, None, id)
            .await
            .expect("revoked");
        assert_eq!(
            app.services()
                .accounts
                .org(&org.id.to_string())
                .await
                .expect("org")
                .plan,
            Plan::Pro
        );
        let callers = Self {
            owner: app.api(&owner).await,
            colleague: app.api(&app.key(&org.noel, live).await).await,
            other: app.api(&app.key(&boss, live).await).await,
            revoked: app.api(&revoked).await,
            nobody: app.api_unknown().await,
        };
        (callers, hints)
    }
}

/// Everything a row may name, created by the owner.
async fn create_data(app: &Running, owner: &Api) -> Ids {
    let mut ids = Ids::new();
    let mut body = question();
    body["filesBase64"] = json!([{ "filename": "rent.csv", "contentBase64": STANDARD.encode(CANARY) }]);
    let admitted = owner.post(RUN, &body).await.expect(202);
    for (word, field) in [("message", "messageId"), ("session", "sessionId")] {
        ids.insert(word, admitted[field].as_str().expect("an id").to_owned());
    }
    app.settle().await;
    let whose = json!({ "messageId": ids["message"] });
    let files = owner.post(ATTACHMENTS, &whose).await.expect(200);
    ids.insert(
        "file",
        files["files"][0]["id"].as_str().expect("an id").to_owned(),
    );
    let mut body = note();
    body["files"] = json!([{ "filename": "fees.csv", "contentBase64": STANDARD.encode(CANARY) }]);
    let note = owner.post("/users/add-to-memory", &body).await.expect(201);
    ids.insert("note", note["memoryId"].as_str().expect("an id").to_owned());
    let files = format!("/users/memory/{}/files", ids["note"]);
    let files = owner.post(&files, &json!({})).await.expect(200);
    let attachment = files["files"][0]["attachmentId"].as_str().expect("an id");
    ids.insert("attachment", attachment.to_owned());
    let analyst = owner.post(ANALYSTS, &analyst()).await.expect(201);
    for (word, field) in [("analyst", "id"), ("model", "modelId")] {
        ids.insert(word, analyst[field].as_str().expect("an id").to_owned());
    }
    ids
}

fn fill(text: &str, ids: &Ids) -> String {
    let mut text = text.to_owned();
    for (word, id) in ids {
        text = text.replace(&format!("{{{word}}}"), id);
    }
    text
}

async fn call(api: &Api, row: &Row, ids: &Ids, more: &Value) -> Answer {
    let method = Method::from_bytes(row.method.as_bytes()).expect("a method");
    let mut call = api.call(method, &fill(row.call, ids));
    let body = (row.body)();
    if !body.is_null() {
        let mut body: Value = serde_json::from_str(&fill(&body.to_string(), ids)).expect("JSON");
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        call = call.json(&body);
    }
    call.send().await
}

/// A response without the parts that differ between any two requests.
fn comparable(answer: &Answer) -> (u16, BTreeMap<String, String>, Value) {
    let volatile = ["x-request-id", "date", "ratelimit", "content-length"];
    let headers = answer
        .headers
        .iter()
        .filter(|(name, _)| !volatile.contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), format!("{value:?}")))
        .collect();
    let mut body = answer.body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.remove("requestId");
    }
    (answer.status, headers, body)
}

fn random(ids: &Ids) -> Ids {
    ids.keys().map(|word| (*word, JobId::new().to_string())).collect()
}

#[tokio::test]
async fn no_caller_reaches_data_of_another() {
    on_each("matrix", async |place| {
        let app = place.start(&[]).await;
        let (callers, hints) = Callers::of(&app).await;
        let ids = create_data(&app, &callers.owner).await;
        let random = random(&ids);
        let none = json!({});
        for row in ROWS {
            let name = format!("{} {}", row.method, row.call);
            // Whatever id an unauthenticated caller names, the response says only that.
            for who in [&ids, &random] {
                let revoked = call(&callers.revoked, row, who, &none).await;
                revoked.refused(401, "api_key_invalid");
                call(&callers.nobody, row, who, &none)
                    .await
                    .refused(401, "api_key_missing");
            }
            for (caller, api) in [
                ("colleague", &callers.colleague),
                ("other organization", &callers.other),
            ] {
                let seen = call(api, row, &ids, &none).await;
                if row.names.is_some() {
                    let absent = call(api, row, &random, &none).await;
                    assert_eq!(comparable(&seen), comparable(&absent), "{name}, {caller}");
                    assert_eq!(seen.status, row.stranger, "{name}, {caller}: {seen}");
                    if row.stranger == 404 {
                        seen.clone().refused(404, "not_found");
                    }
                    let content = String::from_utf8_lossy(&seen.bytes);
                    assert!(!content.contains(CANARY), "{name}, {caller}: {content}");
                    let hinted = call(api, row, &ids, &hints).await;
                    assert_eq!(
                        comparable(&hinted),
                        comparable(&absent),
                        "{name}, {caller}, with the owner's ids"
                    );
                } else if !(row.body)().to_string().contains(CANARY) {
                    // A read returns only the caller's own data, whatever owner the request names.
                    assert!(
                        !String::from_utf8_lossy(&seen.bytes).contains(CANARY),
                        "{name}, {caller}: {seen}"
                    );
                    let hinted = call(api, row, &ids, &hints).await;
                    assert_eq!(hinted.status, seen.status, "{name}, {caller}");
                    let text = String::from_utf8_lossy(&hinted.bytes).into_owned();
                    assert!(
                        !text.contains(CANARY),
                        "{name}, {caller}, with the owner's ids: {text}"
                    );
                    let user = hints["userId"].as_str().expect("an id");
                    assert!(
                        !text.contains(user),
                        "{name}, {caller}, with the owner's ids: {text}"
                    );
                } else {
                    // A write goes to the caller's own data, whatever owner the request names.
                    let hinted = call(api, row, &ids, &hints).await;
                    assert_eq!(hinted.status, row.owner, "{name}, {caller}: {hinted}");
                }
            }
        }
        app.settle().await;
        // The other callers changed nothing of the owner's, and the owner can still read it all.
        for row in ROWS {
            let answer = call(&callers.owner, row, &ids, &hints).await;
            assert_eq!(answer.status, row.owner, "{} {}: {answer}", row.method, row.call);
        }
        app.settle().await;
        app.stop().await;
    })
    .await;
}

#[test]
fn every_operation_has_a_row_and_every_row_an_operation() {
    let described: BTreeSet<(String, String)> = described().into_iter().collect();
    let rows: BTreeSet<(String, String)> = ROWS
        .iter()
        .map(|row| (row.method.to_owned(), row.path.to_owned()))
        .collect();
    let missing: Vec<_> = described.difference(&rows).collect();
    assert!(missing.is_empty(), "operations without a row: {missing:?}");
    let unknown: Vec<_> = rows.difference(&described).collect();
    assert!(unknown.is_empty(), "rows without an operation: {unknown:?}");
    // An operation with an id in its path has a row that names something.
    for (method, path) in described.iter().filter(|(_, path)| path.contains('{')) {
        let names = |row: &&Row| row.method == method && row.path == path && row.names.is_some();
        assert!(
            ROWS.iter().any(|row| names(&row)),
            "{method} {path} names nothing in its rows"
        );
    }
}

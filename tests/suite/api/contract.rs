//! The served document, problem details, and the client that checks responses against the document.

use corbel::keys::model::Environment;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::harness::api::{Answer, Api, Contract};
use crate::harness::app::{http, on_each};

/// Runs a check with a client that has a key, one without, and the service's URL.
async fn with_key(check: impl AsyncFn(Api, Api, &str)) {
    on_each("contract", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let key = app.key(&org.mara, Environment::Production).await;
        check(app.api(&key).await, app.api_unknown().await, &app.url).await;
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn every_problem_has_its_request_id_and_links_to_its_documentation() {
    with_key(async |api, unknown, url| {
        let id = "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11";
        let refused = [
            unknown.get("/users/sdk/me").await,
            api.get("/users/sdk/me?api_key=x").await,
            api.get(&format!("/users/me/chat-messages/{id}")).await,
            api.get("/users/me/chat-messages/no-id").await,
            api.post("/users/run-models", &json!({})).await,
            api.post("/users/run-models", &json!({ "question": "x", "tone": "rude" }))
                .await,
            api.post("/users/run-models", &json!([])).await,
            api.put("/users/sdk/me", &json!({})).await,
            api.delete("/users/sdk/me").await,
        ];
        for answer in refused {
            let code = answer.body["code"].as_str().expect("a code").to_owned();
            assert_eq!(answer.body["type"], format!("{url}/docs/errors#{code}"));
            assert_eq!(answer.body["status"], answer.status);
            assert_eq!(answer.body["requestId"].as_str(), answer.header("x-request-id"));
        }
        unknown.get("/users/sdk/me").await.refused(401, "api_key_missing");
        // Not part of the API, but API callers may request it.
        let nowhere = http()
            .get(format!("{url}/users/nowhere"))
            .send()
            .await
            .expect("an answer");
        let id = nowhere.headers()["x-request-id"]
            .to_str()
            .expect("text")
            .to_owned();
        let body: Value = nowhere.json().await.expect("JSON");
        assert_eq!(
            (&body["code"], &body["requestId"]),
            (&json!("not_found"), &json!(id))
        );
    })
    .await;
}

#[tokio::test]
async fn callers_cannot_choose_the_request_id() {
    with_key(async |api, _, _| {
        let call = api
            .call(Method::GET, "/users/sdk/me")
            .header("x-request-id", "forged");
        assert_ne!(call.send().await.header("x-request-id"), Some("forged"));
    })
    .await;
}

/// A checker that never fails would accept everything.
#[test]
fn the_checker_reports_violations() {
    let contract = Contract::of(json!({
        "paths": { "/things/{id}": { "get": { "responses": {
            "200": {
                "headers": { "X-Request-Id": { "required": true, "schema": { "type": "string", "format": "uuid" } } },
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } },
            },
            "204": {},
        } } } },
        "components": { "schemas": { "Thing": {
            "type": "object", "required": ["id"], "properties": { "id": { "type": "string", "format": "uuid" } },
        } } },
    }));
    let id = "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11";
    let answer = |status, kind: &'static str, request: &str, body: Value| {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert("x-request-id", HeaderValue::from_str(request).expect("text"));
        let bytes = body.to_string().into_bytes();
        Answer {
            status,
            headers,
            body,
            bytes,
        }
    };
    let good = answer(
        200,
        "application/json; charset=utf-8",
        id,
        json!({ "id": id, "more": 1 }),
    );
    assert_eq!(contract.check("GET", "/things/1", &good), Ok(()));
    let wrong = [
        ("GET", "/thing/1", good.clone()),
        ("PUT", "/things/1", good),
        (
            "GET",
            "/things/1",
            answer(404, "application/json", id, json!({ "id": id })),
        ),
        (
            "GET",
            "/things/1",
            answer(200, "text/plain", id, json!({ "id": id })),
        ),
        ("GET", "/things/1", answer(200, "application/json", id, json!({}))),
        (
            "GET",
            "/things/1",
            answer(200, "application/json", id, json!({ "id": "x" })),
        ),
        (
            "GET",
            "/things/1",
            answer(200, "application/json", "x", json!({ "id": id })),
        ),
        ("GET", "/things/1", answer(204, "application/json", id, json!({}))),
    ];
    for (method, path, answer) in wrong {
        assert!(
            contract.check(method, path, &answer).is_err(),
            "{method} {path} {answer}"
        );
    }
}

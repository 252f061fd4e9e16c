//! Metrics, logs and traces, and what they must never contain.

use std::collections::BTreeSet;
use std::net::TcpListener as StdListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corbel::audit::store::Actor;
use corbel::context::model::NoteKind;
use corbel::keys::model::Environment;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};

use crate::harness::api::Api;
use crate::harness::app::{http, on_each};
use crate::harness::command::{Dir, Server};
use crate::harness::log;

const QUESTION: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";
const CANARY: &str = "canary-3Wd-observed";

/// An organization with a production key, in a data directory of its own.
fn prepare(dir: &Dir) -> String {
    let org = dir.json(&["admin", "org", "create", "--name", "Marlow Ridge"]);
    let org = org["orgId"].as_str().expect("an id");
    let email = "ana@marlow.example";
    let user = ["--email", email, "--name", "Ana Example"];
    dir.json(&[&["admin", "user", "create", "--org", org][..], &user].concat());
    let key = ["--owner", email, "--environment", "production", "--name", "tests"];
    let key = dir.json(&[&["admin", "key", "create", "--org", org][..], &key].concat());
    key["secret"].as_str().expect("a key").to_owned()
}

async fn ask(api: &Api, question: &str) {
    let admitted = api
        .post("/users/run-models", &json!({ "question": question }))
        .await
        .expect(202);
    let message = admitted["messageId"].as_str().expect("an id");
    let path = format!("/users/me/chat-messages/{message}");
    let since = Instant::now();
    while api.get(&path).await.expect(200)["status"] == "processing" {
        assert!(since.elapsed() < Duration::from_secs(15), "the run does not end");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The value of one series, by its name and some of its labels.
fn series<'t>(text: &'t str, name: &str, labels: &[&str]) -> Option<&'t str> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let line = lines.find(|line| {
        let own = line.split(['{', ' ']).next() == Some(name);
        own && labels.iter().all(|label| line.contains(label))
    })?;
    line.rsplit(' ').next()
}

/// Checks the rules of Prometheus' text format 0.0.4 that a scraper requires.
fn well_formed(text: &str) {
    let mut typed = BTreeSet::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').expect("name and type");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert!(typed.insert(name.to_owned()), "two types of {name}");
        } else if !line.starts_with('#') {
            let (series, value) = line.rsplit_once(' ').expect("a value");
            assert!(value.parse::<f64>().is_ok(), "{line}");
            let name = series.split('{').next().unwrap_or_default();
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|end| name.strip_suffix(end));
            let known = typed.contains(name) || family.is_some_and(|family| typed.contains(family));
            assert!(known, "{line} has no type");
        }
    }
}

#[tokio::test]
async fn metrics_count_events_and_contain_no_identities() {
    let dir = Dir::new();
    let key = prepare(&dir);
    let server = Server::start(&dir, &["--json", "serve"]);
    let api = Api::new(&server.url, Some(&key)).await;
    let me = api.get("/users/sdk/me").await.expect(200);
    api.get("/users/me/chat-messages/no-id")
        .await
        .refused(404, "not_found");
    Api::new(&server.url, None)
        .await
        .get("/users/sdk/me")
        .await
        .refused(401, "api_key_missing");
    ask(&api, QUESTION).await;
    let odd = reqwest::Method::from_bytes(b"BREW").expect("a method");
    let _ = http()
        .request(odd, format!("{}/users/sdk/me", server.url))
        .send()
        .await
        .expect("an answer");

    let answer = http()
        .get(format!("{}/metrics", server.url))
        .send()
        .await
        .expect("metrics");
    assert_eq!(answer.status(), 200);
    assert_eq!(
        answer.headers()["content-type"],
        "text/plain; version=0.0.4; charset=utf-8"
    );
    let text = answer.text().await.expect("text");
    well_formed(&text);
    let requests = "corbel_http_request_duration_seconds_count";
    for (labels, least) in [
        (["route=\"/users/sdk/me\"", "method=\"GET\"", "status=\"200\""], 1),
        (["route=\"/users/sdk/me\"", "method=\"GET\"", "status=\"401\""], 1),
        (
            ["route=\"/users/sdk/me\"", "method=\"other\"", "status=\"405\""],
            1,
        ),
        (
            ["route=\"/users/run-models\"", "method=\"POST\"", "status=\"202\""],
            1,
        ),
        (
            [
                "route=\"/users/me/chat-messages/{messageId}\"",
                "method=\"GET\"",
                "status=\"404\"",
            ],
            1,
        ),
    ] {
        let count = series(&text, requests, &labels).unwrap_or_else(|| panic!("{labels:?} in {text}"));
        assert!(
            count.parse::<i64>().expect("a number") >= least,
            "{labels:?}: {count}"
        );
    }
    assert_eq!(
        series(&text, "corbel_runs_ended_total", &["status=\"completed\""]),
        Some("1"),
        "{text}"
    );
    for (name, labels) in [
        ("corbel_runs", &["state=\"queued\""][..]),
        ("corbel_runs", &["state=\"running\""]),
        ("corbel_deliveries", &["state=\"queued\""]),
        ("corbel_queue_jobs", &["pool=\"run\"", "state=\"queued\""]),
        ("corbel_queue_oldest_due_seconds", &["pool=\"chat\""]),
        ("corbel_database_connections", &["state=\"in_use\""]),
        ("corbel_database_writes_waiting", &[]),
        ("corbel_database_write_group_count", &[]),
        ("process_resident_memory_bytes", &[]),
    ] {
        assert!(
            series(&text, name, labels).is_some(),
            "{name} {labels:?} in {text}"
        );
    }
    for secret in [
        &me["organizationId"],
        &me["userId"],
        &me["keyId"],
        &me["name"],
        &me["organizationName"],
    ] {
        let secret = secret.as_str().expect("text");
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(!text.contains(&key));
}

#[tokio::test]
async fn a_rate_limited_request_is_counted_by_its_code() {
    let dir = Dir::new();
    let org = dir.json(&["admin", "org", "create", "--name", "Marlow Ridge"]);
    let org = org["orgId"].as_str().expect("an id");
    let user = ["--email", "ana@marlow.example", "--name", "Ana Example"];
    dir.json(&[&["admin", "user", "create", "--org", org][..], &user].concat());
    let new = [
        "--owner",
        "ana@marlow.example",
        "--environment",
        "sandbox",
        "--name",
        "tests",
    ];
    let key = dir.json(&[&["admin", "key", "create", "--org", org][..], &new].concat());
    let server = Server::start(&dir, &["--json", "serve"]);
    let api = Api::new(&server.url, key["secret"].as_str()).await;
    let mut refused = 0;
    for _ in 0..12 {
        refused += i32::from(api.get("/users/sdk/me").await.status == 429);
    }
    let text = http()
        .get(format!("{}/metrics", server.url))
        .send()
        .await
        .expect("metrics");
    let text = text.text().await.expect("text");
    let labels = ["route=\"/users/sdk/me\"", "code=\"rate_limited\""];
    let counted = series(&text, "corbel_limits_refused_total", &labels).expect("a series");
    assert_eq!(counted, refused.to_string());
    assert!(refused >= 2);
}

/// On the main listener only this machine may scrape. A request that any proxy forwarded comes from somewhere else.
#[tokio::test]
async fn metrics_on_the_main_listener_are_for_this_machine() {
    let dir = Dir::new();
    prepare(&dir);
    let server = Server::start_with(
        &dir,
        &["--json", "serve"],
        &[("CORBEL_TRUSTED_PROXIES", "127.0.0.2/32")],
    );
    let url = format!("{}/metrics", server.url);
    let scrape = async |from: &str, headers: &[(&str, &str)]| {
        let client = reqwest::Client::builder().local_address(from.parse::<std::net::IpAddr>().ok());
        let mut request = client.build().expect("a client").get(&url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.expect("an answer").status().as_u16()
    };
    assert_eq!(scrape("127.0.0.1", &[]).await, 200);
    for forwarded in [
        ("x-forwarded-for", "203.0.113.7"),
        ("x-forwarded-for", "127.0.0.1"),
        ("forwarded", "for=203.0.113.7"),
        ("x-real-ip", "203.0.113.7"),
        // A proxy that does not name the client itself forwards what the client says.
        ("x-forwarded-for", "127.0.0.2"),
        ("x-forwarded-for", "::1"),
        ("x-forwarded-host", "corbel.example"),
        ("via", "1.1 proxy.example"),
    ] {
        assert_eq!(scrape("127.0.0.1", &[forwarded]).await, 403, "{forwarded:?}");
        assert_eq!(scrape("127.0.0.2", &[forwarded]).await, 403, "{forwarded:?}");
    }
}

#[tokio::test]
async fn metrics_can_have_a_separate_listener() {
    let dir = Dir::new();
    prepare(&dir);
    let free = StdListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address");
    let server = Server::start_with(
        &dir,
        &["--json", "serve"],
        &[("CORBEL_METRICS_LISTEN", &free.to_string())],
    );
    let beside = http()
        .get(format!("{}/metrics", server.url))
        .send()
        .await
        .expect("an answer");
    assert_eq!(beside.status(), 404);
    let apart = http()
        .get(format!("http://{free}/metrics"))
        .send()
        .await
        .expect("metrics");
    assert_eq!(apart.status(), 200);
    let other = http()
        .get(format!("http://{free}/users/sdk/me"))
        .send()
        .await
        .expect("an answer");
    assert_eq!(other.status(), 404);
}

#[tokio::test]
async fn log_lines_of_a_request_have_its_id_and_no_secret() {
    log::capture();
    on_each("log_lines", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let key = app.key(&org.mara, Environment::Production).await;
        let api = app.api(&key).await;
        let note = format!("The committee knows {CANARY}-note.");
        app.services()
            .context
            .create(
                Actor::OPERATOR,
                org.id,
                org.mara.user,
                NoteKind::Personal,
                "Committee",
                &note,
            )
            .await
            .expect("a note");
        let question = format!("{QUESTION} What does the committee know of {CANARY}-question?");
        api.post("/users/run-models", &json!({ "question": question }))
            .await
            .expect(202);
        app.settle().await;
        let file = STANDARD.encode(format!("Tenant,Rent\n{CANARY}-file,1200\n"));
        let files = json!([{ "filename": "rent.csv", "contentBase64": file }]);
        let run = json!({ "question": QUESTION, "filesBase64": files });
        let run = api.post("/users/run-models", &run).await.expect(202);
        app.settle().await;
        let whose = json!({ "messageId": run["messageId"] });
        let files = api
            .post("/users/me/chat-sessions/attachments", &whose)
            .await
            .expect(200);
        let link = files["files"][0]["downloadUrl"]
            .as_str()
            .expect("a link")
            .to_owned();
        let response = http().get(&link).send().await.expect("a file");
        assert_eq!(response.status(), 200);
        assert!(response.text().await.expect("text").contains(CANARY));
        let token = link.rsplit('/').next().expect("a token").to_owned();
        let unknown = app.api_unknown().await;
        let wrong = format!("corbel_live_{CANARY}-key");
        for call in [
            unknown
                .call(reqwest::Method::GET, "/users/sdk/me")
                .header("authorization", &format!("Bearer {wrong}")),
            unknown.call(
                reqwest::Method::GET,
                &format!("/users/sdk/me?token={CANARY}-query"),
            ),
            api.call(
                reqwest::Method::GET,
                &format!("/users/me/chat-messages/{CANARY}-path"),
            ),
            api.call(reqwest::Method::POST, "/users/run-models")
                .with(|request| {
                    request
                        .body(format!("{{ \"question\": {CANARY}-broken"))
                        .header("content-type", "application/json")
                }),
        ] {
            assert!(call.send().await.status >= 400);
        }
        let seen = api.get("/users/sdk/me").await;
        let id = seen.header("x-request-id").expect("an id").to_owned();
        let all = log::all();
        // The check can fail: the log is not empty, and has the id and the route.
        let line = all
            .lines()
            .find(|line| line.contains(&id))
            .expect("a line of the request");
        assert!(line.contains("/users/sdk/me"), "{line}");
        assert!(!all.contains(CANARY), "a canary is in the log");
        let secret = key.rsplit('_').next().expect("a secret");
        assert!(!all.contains(secret), "the key is in the log");
        assert!(!all.contains(&token), "a link is in the log");
        assert!(!all.contains(&file), "a file is in the log");
        app.stop().await;
    })
    .await;
}

#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Vec<Bytes>>>);

impl Collected {
    fn spans(&self) -> Vec<Span> {
        let all = self.0.lock().expect("spans");
        let decoded = all
            .iter()
            .map(|body| ExportTraceServiceRequest::decode(body.clone()).expect("OTLP"));
        decoded
            .flat_map(|request| request.resource_spans)
            .flat_map(|resource| resource.scope_spans)
            .flat_map(|scope| scope.spans)
            .collect()
    }
}

fn attribute(span: &Span, name: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == name)?;
    Some(format!("{:?}", found.value))
}

#[tokio::test]
async fn traces_are_sent_to_the_collector_without_contents() {
    let collected = Collected::default();
    let collector = Router::new()
        .route(
            "/v1/traces",
            post(async |State(collected): State<Collected>, body: Bytes| {
                collected.0.lock().expect("spans").push(body);
            }),
        )
        .with_state(collected.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, collector).await });

    let dir = Dir::new();
    let key = prepare(&dir);
    let endpoint = format!("http://{address}");
    let server = Server::start_with(&dir, &["--json", "serve"], &[("CORBEL_OTLP_ENDPOINT", &endpoint)]);
    let api = Api::new(&server.url, Some(&key)).await;
    ask(&api, &format!("{QUESTION} {CANARY}")).await;
    // The caller's trace continues here, but the caller does not decide about sampling.
    let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
    let seen = api
        .call(reqwest::Method::GET, "/users/sdk/me")
        .header("traceparent", &format!("00-{trace}-{parent}-00"))
        .send()
        .await;
    let id = seen.header("x-request-id").expect("an id").to_owned();
    let me: Value = seen.expect(200);
    // Without such a header, a new trace is started.
    let other = api
        .call(reqwest::Method::GET, "/users/sdk/me")
        .header("traceparent", "00-zz-zz-01")
        .send()
        .await;
    let other = other.header("x-request-id").expect("an id").to_owned();
    let since = Instant::now();
    let (request, untied) = loop {
        let spans = collected.spans();
        let of = |id: &str| {
            let of = |span: &&Span| attribute(span, "request_id").is_some_and(|own| own.contains(id));
            spans.iter().find(of).cloned()
        };
        if let (Some(found), Some(other)) = (of(&id), of(&other)) {
            break (found, other);
        }
        assert!(
            since.elapsed() < Duration::from_secs(30),
            "no span of the request: {spans:?}"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_eq!(request.name, "request");
    assert_eq!(
        (
            hex::encode(&request.trace_id),
            hex::encode(&request.parent_span_id)
        ),
        (trace.to_owned(), parent.to_owned())
    );
    assert!(untied.parent_span_id.is_empty() && hex::encode(&untied.trace_id) != trace);
    for (name, part) in [("route", "/users/sdk/me"), ("method", "GET"), ("status", "200")] {
        let value = attribute(&request, name).unwrap_or_default();
        assert!(value.contains(part), "{name}: {value}");
    }
    assert!(request.end_time_unix_nano > request.start_time_unix_nano);
    let spans = collected.spans();
    let job = spans
        .iter()
        .find(|span| attribute(span, "kind").is_some_and(|kind| kind.contains("analysis.run")));
    assert!(job.is_some(), "no span of the run: {spans:?}");
    let bytes = collected.0.lock().expect("spans").concat();
    let text = String::from_utf8_lossy(&bytes);
    let name = me["organizationName"].as_str().expect("a name");
    let secret = key.rsplit('_').next().expect("a secret");
    for hidden in [CANARY, "DSCR", secret, name] {
        assert!(!text.contains(hidden), "{hidden} is in a span");
    }
}

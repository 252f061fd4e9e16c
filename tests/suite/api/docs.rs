//! The OpenAPI document as a whole: its golden file, its examples, and the page that shows it.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::api::Contract;
use crate::harness::app::{http, on_each};
use crate::harness::external;

const GOLDEN: &str = "tests/golden/openapi.json";
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    corbel::api::routes::router("https://corbel.example").1
}

/// A change of the contract appears in the diff.
#[test]
fn the_document_matches_the_golden_file() {
    let written = format!("{}\n", serde_json::to_string_pretty(&document()).expect("JSON"));
    if std::env::var("UPDATE_GOLDEN").is_ok() {
        fs::write(GOLDEN, &written).expect("the golden file");
    }
    let golden = fs::read_to_string(GOLDEN).expect("the golden file");
    let differs = golden
        .lines()
        .zip(written.lines())
        .position(|(old, new)| old != new);
    assert!(
        golden == written,
        "the document differs from {GOLDEN} (line {:?}); if this is intended, run with UPDATE_GOLDEN=1",
        differs.map(|line| line + 1)
    );
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in METHODS {
            if !item[method].is_null() {
                all.push((format!("{method} {path}"), &item[method]));
            }
        }
    }
    all
}

#[test]
fn every_request_and_response_has_an_example_that_matches_its_schema() {
    let document = document();
    let contract = Contract::of(document.clone());
    for (name, operation) in operations(&document) {
        let request = operation["requestBody"]["content"].as_object();
        let answers = operation["responses"].as_object().expect("responses");
        let medias = request
            .into_iter()
            .flatten()
            .map(|(kind, media)| (format!("{name} request {kind}"), kind, media));
        let answered = answers.iter().flat_map(|(status, answer)| {
            let name = &name;
            let content = answer["content"].as_object().into_iter().flatten();
            content.map(move |(kind, media)| (format!("{name} {status} {kind}"), kind, media))
        });
        for (place, kind, media) in medias.chain(answered) {
            if !kind.ends_with("json") {
                continue;
            }
            let mut examples = vec![];
            examples.extend(media.get("example"));
            examples.extend(
                media["examples"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(_, example)| &example["value"]),
            );
            let none_declared = place.contains("404") && media["examples"] == json!({});
            assert!(!examples.is_empty() || none_declared, "{place} has no example");
            for example in examples {
                let fits = contract.fits(&place, &media["schema"], example);
                assert_eq!(fits, Ok(()), "{place}: {example}");
            }
        }
    }
}

#[test]
fn every_operation_has_a_description_and_its_errors() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], "https://corbel.example");
    let tags: Vec<&str> = document["tags"]
        .as_array()
        .expect("tags")
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    let mut ids = std::collections::BTreeSet::new();
    for (name, operation) in operations(&document) {
        assert!(
            operation["summary"].as_str().is_some_and(|text| !text.is_empty()),
            "{name}: no summary"
        );
        let tag = operation["tags"][0].as_str().expect("a tag");
        assert!(tags.contains(&tag), "{name}: {tag} is not a tag of the document");
        let id = operation["operationId"].as_str().expect("an operation id");
        assert!(
            ids.insert(id.to_owned()),
            "{name}: another operation also has the id {id}"
        );
        for status in ["400", "401", "429", "500", "503"] {
            assert!(
                !operation["responses"][status].is_null(),
                "{name}: {status} is not declared"
            );
        }
        assert!(
            !operation["responses"]["429"]["headers"]["Retry-After"].is_null(),
            "{name}"
        );
        if name.contains('{') {
            assert!(
                !operation["responses"]["404"].is_null(),
                "{name}: 404 is not declared"
            );
        }
    }
    // Only our own URLs occur: viewers of the document fetch nothing from other hosts.
    let text = document.to_string();
    for (at, _) in text.match_indices("https://") {
        let address = &text[at..(at + 60).min(text.len())];
        let fine = ["https://corbel.example", "https://example.com"];
        assert!(fine.iter().any(|own| address.starts_with(own)), "{address}");
    }
}

/// Numbers in requests are clamped, not refused; an integer format in the schema would contradict that.
#[test]
fn numbers_in_requests_have_no_maximum() {
    let document = document();
    let mut numbers = 0;
    for (name, operation) in operations(&document) {
        let own = [&operation["parameters"], &operation["requestBody"]];
        let mut left: Vec<&Value> = own.into_iter().filter(|part| !part.is_null()).collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(part) = left.pop() {
            if let Some(pointer) = part["$ref"].as_str().and_then(|of| of.strip_prefix('#'))
                && seen.insert(pointer)
            {
                left.push(document.pointer(pointer).expect("what is named"));
            }
            let kind = &part["type"];
            let kinds = kind.as_array().map_or(std::slice::from_ref(kind), Vec::as_slice);
            if kinds.contains(&json!("integer")) {
                numbers += 1;
                assert_eq!(
                    (&part["format"], &part["maximum"]),
                    (&Value::Null, &Value::Null),
                    "{name}"
                );
            }
            left.extend(part.as_object().into_iter().flatten().map(|(_, inner)| inner));
            left.extend(part.as_array().into_iter().flatten());
        }
    }
    assert!(numbers >= 5, "{numbers} numbers were found");
}

#[tokio::test]
async fn the_viewer_loads_nothing_from_other_hosts() {
    on_each("viewer", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let page = http()
            .get(format!("{}/docs", app.url))
            .send()
            .await
            .expect("a page");
        assert_eq!(page.status(), 200);
        let policy = page.headers()["content-security-policy"]
            .to_str()
            .expect("text")
            .to_owned();
        assert!(
            policy.contains("script-src 'self';") && !policy.contains("unsafe"),
            "{policy}"
        );
        let page = page.text().await.expect("text");
        assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
        for link in page
            .split(['"', ' ', '>'])
            .filter(|link| link.starts_with("/docs/viewer/") || link.starts_with("/static/"))
        {
            let file = http()
                .get(format!("{}{link}", app.url))
                .send()
                .await
                .expect("a file");
            assert_eq!(file.status(), 200, "{link}");
        }
        let absent = http()
            .get(format!("{}/docs/viewer/index.html", app.url))
            .send()
            .await
            .expect("an answer");
        assert_eq!(absent.status(), 404);
        app.stop().await;
    })
    .await;
}

/// In a real browser under the real policy: every route is shown, and the policy blocks nothing.
#[tokio::test]
async fn a_browser_shows_every_route() {
    let Some(chromium) = external::named("CORBEL_TEST_CHROMIUM", "the routes are not tested in a browser")
    else {
        return;
    };
    on_each("browser", async |place| {
        if !place.is_sqlite() {
            return;
        }
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let url = format!("{}/docs", app.url);
        let profile = std::env::temp_dir().join(format!("corbel-browser-{}", std::process::id()));
        let user_data = format!("--user-data-dir={}", profile.display());
        let browser = chromium.clone();
        let shown = tokio::task::spawn_blocking(move || {
            Command::new(browser)
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--enable-logging=stderr",
                    "--v=0",
                ])
                .args([&user_data, "--virtual-time-budget=20000", "--dump-dom", &url])
                .output()
                .expect("the browser runs")
        });
        let shown = shown.await.expect("no panic");
        let _ = std::fs::remove_dir_all(&profile);
        let page = String::from_utf8_lossy(&shown.stdout).into_owned();
        let log = String::from_utf8_lossy(&shown.stderr).into_owned();
        let document = document();
        for (name, operation) in operations(&document) {
            let summary = operation["summary"].as_str().expect("a summary");
            assert!(
                page.contains(summary.trim_end_matches('.')),
                "{name} is not shown: {page}"
            );
        }
        assert!(!log.contains("Content Security Policy"), "{log}");
        app.stop().await;
    })
    .await;
}

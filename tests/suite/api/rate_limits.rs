//! Rate limits of keys: exact, over all nodes, for every authenticated request.

use std::time::Duration;

use corbel::keys::model::Environment;
use reqwest::{Client, Response};
use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::app::{Running, http, on_each};

/// The documented limits.
const USUAL: [(&str, &str); 3] = [
    ("CORBEL_RATE_SANDBOX", ""),
    ("CORBEL_RATE_DEVELOPMENT", ""),
    ("CORBEL_RATE_PRODUCTION", ""),
];

async fn ask(url: &str, key: &str) -> Response {
    ask_with(&http(), url, key).await
}

async fn ask_with(client: &Client, url: &str, key: &str) -> Response {
    let sent = client
        .get(format!("{url}/users/sdk/me"))
        .header("X-Api-Key", key)
        .send();
    sent.await.expect("an answer")
}

fn header(answer: &Response, name: &str) -> String {
    let value = answer.headers().get(name).unwrap_or_else(|| panic!("no {name}"));
    value.to_str().expect("text").to_owned()
}

/// Parses `"sandbox";r=4;t=60`: the remaining requests, and the seconds until the first counted one expires.
fn left(answer: &Response, environment: &str) -> (u64, u64) {
    let text = header(answer, "RateLimit");
    let rest = text.strip_prefix(&format!("\"{environment}\";r=")).expect(&text);
    let (left, ends) = rest.split_once(";t=").expect("a time");
    (left.parse().expect("a number"), ends.parse().expect("seconds"))
}

/// How many of this many simultaneous requests are admitted over all these servers.
async fn at_once(urls: &[&str], key: &str, count: usize) -> usize {
    let client = http();
    let mut all = JoinSet::new();
    for url in urls.iter().cycle().take(count) {
        let (client, url, key) = (client.clone(), (*url).to_owned(), key.to_owned());
        all.spawn(async move { ask_with(&client, &url, &key).await.status().as_u16() });
    }
    let statuses = all.join_all().await;
    assert!(
        statuses.iter().all(|status| [200, 429].contains(status)),
        "{statuses:?}"
    );
    statuses.iter().filter(|status| **status == 200).count()
}

#[tokio::test]
async fn each_environment_has_its_rate_limit() {
    on_each("each_environment_has_its_rate_limit", async |place| {
        let app = place.start(&USUAL).await;
        let org = app.organization("Rate House").await;
        for (environment, most) in [
            (Environment::Sandbox, 5),
            (Environment::Development, 60),
            (Environment::Production, 120),
        ] {
            let key = app.key(&org.mara, environment).await;
            let first = ask(&app.url, &key).await;
            let policy = format!("\"{environment}\";q={most};w=60");
            assert_eq!(header(&first, "RateLimit-Policy"), policy);
            assert_eq!(left(&first, environment.as_str()), (most - 1, 60));
            let others = usize::try_from(most).expect("a small number") + 7;
            let let_in = at_once(&[&app.url], &key, others).await;
            assert_eq!(let_in + 1, others - 7);
            let refused = ask(&app.url, &key).await;
            assert_eq!(refused.status(), 429);
            assert_eq!(header(&refused, "RateLimit-Policy"), policy);
            let (none, ends) = left(&refused, environment.as_str());
            let wait: u64 = header(&refused, "Retry-After").parse().expect("seconds");
            assert_eq!((none, ends), (0, wait));
            assert!((1..=60).contains(&wait), "{wait}");
            let problem: serde_json::Value = refused.json().await.expect("a problem");
            assert_eq!(problem["code"], "rate_limited");
            // Refused requests do not extend the wait: the announced time is sufficient.
            app.services().clock.advance(Duration::from_secs(wait));
            let accepted = ask(&app.url, &key).await;
            assert_eq!(accepted.status(), 200);
            assert_eq!(left(&accepted, environment.as_str()).0, most - 1);
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn every_authenticated_request_counts() {
    on_each("whatever_is_asked_counts", async |place| {
        let app = place.start(&[("CORBEL_RATE_SANDBOX", "3")]).await;
        let org = app.organization("Count House").await;
        let key = app.key(&org.mara, Environment::Sandbox).await;
        let stranger = ask(&app.url, "corbel_sandbox_x_y").await;
        assert_eq!(stranger.status(), 401);
        assert!(!stranger.headers().contains_key("RateLimit"));
        let wrong = http()
            .post(format!("{}/users/run-models", app.url))
            .bearer_auth(&key)
            .json(&json!({ "question": 7 }))
            .send();
        let wrong = wrong.await.expect("an answer");
        assert_eq!((wrong.status().as_u16(), left(&wrong, "sandbox").0), (400, 2));
        let absent = http()
            .get(format!("{}/users/me/chat-messages/nothing", app.url))
            .bearer_auth(&key)
            .send();
        let absent = absent.await.expect("an answer");
        assert_eq!((absent.status().as_u16(), left(&absent, "sandbox").0), (404, 1));
        assert_eq!(left(&ask(&app.url, &key).await, "sandbox").0, 0);
        assert_eq!(ask(&app.url, &key).await.status(), 429);
        // Another key of the same user has its own limit.
        let other = app.key(&org.mara, Environment::Sandbox).await;
        assert_eq!(ask(&app.url, &other).await.status(), 200);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn several_nodes_share_one_rate_limit() {
    on_each("several_nodes_share_one_rate_limit", async |place| {
        // An SQLite database has one server.
        let count = if place.is_sqlite() { 1 } else { 3 };
        let mut nodes: Vec<Running> = Vec::new();
        for _ in 0..count {
            nodes.push(place.start(&USUAL).await);
        }
        let urls: Vec<&str> = nodes.iter().map(|node| node.url.as_str()).collect();
        let org = nodes[0].organization("Shared House").await;
        let (first, second) = (
            nodes[0].key(&org.mara, Environment::Production).await,
            nodes[0].key(&org.noel, Environment::Development).await,
        );
        let (of_first, of_second) = tokio::join!(at_once(&urls, &first, 200), at_once(&urls, &second, 100));
        assert_eq!((of_first, of_second), (120, 60));
        for node in nodes {
            node.stop().await;
        }
    })
    .await;
}

/// Advances the clock of all nodes.
fn advance(nodes: &[Running], seconds: u64) {
    for node in nodes {
        node.services().clock.advance(Duration::from_secs(seconds));
    }
}

#[tokio::test]
async fn no_sliding_minute_exceeds_the_limit() {
    on_each("no_minute_has_more", async |place| {
        let count = if place.is_sqlite() { 1 } else { 3 };
        let mut nodes: Vec<Running> = Vec::new();
        for _ in 0..count {
            nodes.push(place.start(&USUAL).await);
        }
        let org = nodes[0].organization("Sliding House").await;
        let key = nodes[0].key(&org.mara, Environment::Sandbox).await;
        let urls: Vec<String> = nodes.iter().map(|node| node.url.clone()).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        // One request first, then four as late in its minute as possible.
        assert_eq!(ask(urls[0], &key).await.status(), 200);
        advance(&nodes, 55);
        assert_eq!(at_once(&urls, &key, 9).await, 4);
        let refused = ask(urls[0], &key).await;
        let wait: u64 = header(&refused, "Retry-After").parse().expect("seconds");
        assert!((1..=5).contains(&wait), "{wait}");
        // Only the first request expires: the other four are within the last minute.
        advance(&nodes, wait);
        assert_eq!(at_once(&urls, &key, 9).await, 1);
        let refused = ask(urls[0], &key).await;
        let wait: u64 = header(&refused, "Retry-After").parse().expect("seconds");
        assert!((50..=55).contains(&wait), "{wait}");
        advance(&nodes, wait);
        assert_eq!(at_once(&urls, &key, 9).await, 4);
        for node in nodes {
            node.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn counts_survive_a_restart() {
    on_each("counted_outlives", async |place| {
        let app = place.start(&USUAL).await;
        let org = app.organization("Lasting House").await;
        let key = app.key(&org.mara, Environment::Sandbox).await;
        assert_eq!(at_once(&[&app.url], &key, 4).await, 4);
        app.stop().await;
        let app = place.start(&USUAL).await;
        assert_eq!(at_once(&[&app.url], &key, 4).await, 1);
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_unavailable_database_does_not_lift_the_limit() {
    on_each("a_database_that_is_away", async |place| {
        let app = place.start(&USUAL).await;
        let org = app.organization("Away House").await;
        let key = app.key(&org.mara, Environment::Production).await;
        assert_eq!(ask(&app.url, &key).await.status(), 200);
        app.services().db.close().await;
        let away = ask(&app.url, &key).await;
        assert_eq!(away.status(), 503);
        assert!(away.headers().contains_key("Retry-After"));
    })
    .await;
}

//! Several processes on one PostgreSQL database, each with its own folders, and one bucket: a change through one is
//! valid on all. SQLite is left out, because it has one server.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corbel::keys::model::{Environment, Token};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::blobs::{Bucket, in_bucket};
use crate::harness::app::{Org, Place, http, on_each};
use crate::harness::process::{Process, command};

const NODES: usize = 3;
/// As an operator would generate it: 32 bytes in base64.
const MASTER_KEY: [u8; 32] = [11; 32];
const DSCR: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";

/// Settings shared by all processes, except for their folders.
struct Cluster {
    settings: Vec<(String, String)>,
    dir: tempfile::TempDir,
    nodes: Vec<Process>,
}

impl Cluster {
    async fn of(place: &Place) -> (Self, Bucket) {
        let bucket = Bucket::default();
        let url = bucket.start().await;
        let given = in_bucket(&url)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        let mut settings: Vec<(String, String)> = given.collect();
        settings.push(("CORBEL_MASTER_KEY".to_owned(), STANDARD.encode(MASTER_KEY)));
        settings.push(("CORBEL_LEASE_SECONDS".to_owned(), "1".to_owned()));
        // The documented limits.
        for environment in ["SANDBOX", "DEVELOPMENT", "PRODUCTION"] {
            settings.push((format!("CORBEL_RATE_{environment}"), String::new()));
        }
        let dir = tempfile::tempdir().expect("a folder");
        let mut cluster = Self {
            settings,
            dir,
            nodes: Vec::new(),
        };
        for n in 0..NODES {
            let node = cluster.with(n, |more| Process::start(place, more));
            cluster.nodes.push(node);
        }
        (cluster, bucket)
    }

    /// Runs `act` with the settings of one process.
    fn with<T>(&self, node: usize, act: impl FnOnce(&[(&str, &str)]) -> T) -> T {
        let dir = self.dir.path().join(node.to_string()).display().to_string();
        let mut more: Vec<(&str, &str)> = self
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        more.push(("CORBEL_DATA_DIR", &dir));
        act(&more)
    }

    async fn call(
        &self,
        node: usize,
        method: Method,
        path: &str,
        key: &str,
        body: &Value,
    ) -> (StatusCode, Value) {
        let mut request = http()
            .request(method, format!("{}{path}", self.nodes[node].url))
            .bearer_auth(key);
        if !body.is_null() {
            request = request.json(body);
        }
        let answer = request.send().await.expect("an answer");
        let status = answer.status();
        (status, answer.json().await.unwrap_or_default())
    }

    async fn post(&self, node: usize, path: &str, key: &str, body: Value, status: u16) -> Value {
        let (found, answer) = self.call(node, Method::POST, path, key, &body).await;
        assert_eq!(found.as_u16(), status, "{path} at {node}: {answer}");
        answer
    }

    /// Polls a message on one process after the other until it has ended.
    async fn wait_for_end(&self, key: &str, message: &Value, nodes: &[usize]) -> Value {
        let path = format!("/users/me/chat-messages/{}", message.as_str().expect("an id"));
        let since = Instant::now();
        for node in nodes.iter().cycle() {
            let (status, read) = self.call(*node, Method::GET, &path, key, &Value::Null).await;
            assert_eq!(status, StatusCode::OK, "{read}");
            if read["status"] != "processing" {
                return read;
            }
            assert!(since.elapsed() < Duration::from_secs(45), "{read}");
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
        Value::Null
    }

    /// Sends this many simultaneous requests, spread over all processes. Returns how many were admitted.
    async fn at_once(&self, key: &str, count: usize) -> usize {
        let client = http();
        let mut all = JoinSet::new();
        for n in 0..count {
            let url = format!("{}/users/sdk/me", self.nodes[n % NODES].url);
            let (client, key) = (client.clone(), key.to_owned());
            all.spawn(async move {
                client
                    .get(url)
                    .bearer_auth(key)
                    .send()
                    .await
                    .expect("an answer")
                    .status()
            });
        }
        let statuses = all.join_all().await;
        assert!(
            statuses
                .iter()
                .all(|status| [200, 429].contains(&status.as_u16())),
            "{statuses:?}"
        );
        statuses
            .iter()
            .filter(|status| **status == StatusCode::OK)
            .count()
    }
}

#[tokio::test]
async fn a_change_through_one_process_is_valid_on_all() {
    on_each("three processes", async |place| {
        if place.is_sqlite() {
            return;
        }
        // Creates the tables, the people and their keys.
        let master_key = STANDARD.encode(MASTER_KEY);
        let app = place.start(&[("CORBEL_MASTER_KEY", &master_key)]).await;
        let org = app.organization("Three House").await;
        let mut keys = Vec::new();
        for environment in [
            Environment::Production,
            Environment::Production,
            Environment::Production,
            Environment::Development,
            Environment::Sandbox,
        ] {
            keys.push(app.key(&org.mara, environment).await);
        }
        app.stop().await;
        let (mut cluster, _bucket) = Cluster::of(&place).await;

        everything_is_everywhere(&cluster, &keys[0]).await;
        for (key, count, most) in [(&keys[1], 200, 120), (&keys[3], 100, 60), (&keys[4], 30, 5)] {
            assert_eq!(
                cluster.at_once(key, count).await,
                most,
                "counted once, over all processes"
            );
        }
        a_revoked_key_is_refused_everywhere(&place, &cluster, &org, &keys[0]).await;
        runs_of_a_killed_process_are_completed(&mut cluster, &keys[2]).await;
    })
    .await;
}

/// Performs each step on a different process than the one before.
async fn everything_is_everywhere(cluster: &Cluster, key: &str) {
    let note = json!({
        "memoryType": "organisation_memory", "noteTitle": "Harbour", "noteContext": "The harbour fee is 12.",
        "files": [{ "filename": "fees.csv", "contentBase64": STANDARD.encode("fee\n12\n") }],
    });
    let note = cluster.post(0, "/users/add-to-memory", key, note, 201).await;
    let found = cluster
        .post(
            1,
            "/users/memory/search",
            key,
            json!({ "query": "harbour fee" }),
            200,
        )
        .await;
    assert!(
        found
            .to_string()
            .contains(note["memoryId"].as_str().expect("an id")),
        "{found}"
    );
    let files = format!(
        "/users/memory/{}/files",
        note["memoryId"].as_str().expect("an id")
    );
    let listed = cluster.post(2, &files, key, json!({}), 200).await;
    let link = listed["files"][0]["downloadUrl"].as_str().expect("a link");
    let path = link.trim_start_matches(&cluster.nodes[2].url);
    for node in &cluster.nodes {
        let response = http()
            .get(format!("{}{path}", node.url))
            .send()
            .await
            .expect("an answer");
        assert_eq!(
            (response.status(), response.text().await.expect("text").as_str()),
            (StatusCode::OK, "fee\n12\n")
        );
    }

    let analyst = json!({ "name": "Reader", "base": "svc-local", "tone": "friendly" });
    let analyst = cluster.post(1, "/users/custom-analysts", key, analyst, 201).await;
    let question = json!({
        "question": DSCR, "customAnalyst": { "id": analyst["id"] },
        "files": [{ "filename": "rents.csv", "contentBase64": STANDARD.encode("unit,rent\n1,2\n") }],
    });
    let admitted = cluster.post(2, "/users/run-models", key, question, 202).await;
    let message = cluster.wait_for_end(key, &admitted["messageId"], &[0, 1]).await;
    assert_eq!(message["status"], "completed", "{message}");
    let both = json!({ "sessionId": admitted["sessionId"], "messageId": admitted["messageId"] });
    let read = cluster
        .post(1, "/users/me/chat-sessions/message-responses", key, both, 200)
        .await;
    assert!(
        read["responses"][0]["quickReply"].to_string().contains("1.33"),
        "{read}"
    );
    let follow = json!({
        "question": "And with debt service of 1,000,000?",
        "sessionId": admitted["sessionId"],
        "wait": true,
    });
    let followed = cluster.post(0, "/users/run-models", key, follow, 200).await;
    let followed = cluster.wait_for_end(key, &followed["messageId"], &[2]).await;
    assert_eq!(followed["status"], "completed", "{followed}");
    let session = format!(
        "/users/me/chat-sessions/{}/messages",
        admitted["sessionId"].as_str().expect("an id")
    );
    let (_, transcript) = cluster.call(2, Method::GET, &session, key, &Value::Null).await;
    assert!(transcript.to_string().contains(DSCR), "{transcript}");
    let gone = format!(
        "/users/custom-analysts/{}",
        analyst["id"].as_str().expect("an id")
    );
    let statuses = [
        cluster
            .call(0, Method::DELETE, &gone, key, &Value::Null)
            .await
            .0
            .as_u16(),
        cluster
            .call(1, Method::DELETE, &gone, key, &Value::Null)
            .await
            .0
            .as_u16(),
    ];
    assert_eq!(statuses, [204, 404]);
}

/// Revoked by a separate command: no process is notified.
async fn a_revoked_key_is_refused_everywhere(place: &Place, cluster: &Cluster, org: &Org, key: &str) {
    for node in 0..NODES {
        let (status, _) = cluster
            .call(node, Method::GET, "/users/sdk/me", key, &Value::Null)
            .await;
        assert_eq!(status, StatusCode::OK);
    }
    let id = Token::parse(key).expect("a key").id.to_string();
    let revoked = cluster.with(NODES, |more| {
        command(place, more)
            .args([
                "admin",
                "key",
                "revoke",
                "--org",
                &org.id.to_string(),
                "--key",
                &id,
            ])
            .output()
            .expect("it runs")
    });
    let since = Instant::now();
    assert!(
        revoked.status.success(),
        "{}",
        String::from_utf8_lossy(&revoked.stderr)
    );
    for node in 0..NODES {
        loop {
            let (status, _) = cluster
                .call(node, Method::GET, "/users/sdk/me", key, &Value::Null)
                .await;
            if status == StatusCode::UNAUTHORIZED {
                break;
            }
            assert!(
                since.elapsed() < Duration::from_secs(5),
                "still accepted by {node}"
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
    println!("revoked everywhere after {:.1} s", since.elapsed().as_secs_f64());
}

/// Runs admitted by a killed process are completed by the others.
async fn runs_of_a_killed_process_are_completed(cluster: &mut Cluster, key: &str) {
    let mut admitted = Vec::new();
    for n in 0..12 {
        let question = json!({ "question": format!("DSCR with NOI of {n} m and debt service of 1 m?") });
        admitted.push(cluster.post(0, "/users/run-models", key, question, 202).await);
    }
    drop(cluster.nodes.remove(0));
    for one in &admitted {
        let message = cluster.wait_for_end(key, &one["messageId"], &[0, 1]).await;
        assert_eq!(message["status"], "completed", "{message}");
    }
}

//! What was admitted over HTTP ends, also where the process is killed between 202 and the end.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use corbel::keys::model::Environment;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::app::{Place, http, on_each};

/// The true binary on a test's own place; killed when dropped, as `kill -9` does.
struct Process {
    child: Child,
    url: String,
}

impl Process {
    fn start(place: &Place) -> Self {
        let settings = place.settings(&[("CORBEL_LEASE_SECONDS", "1"), ("CORBEL_WORKERS", "1")]);
        let mut child = Command::new(env!("CARGO_BIN_EXE_corbel"))
            .args(["--json", "serve"])
            .env_remove("CORBEL_DATABASE_URL")
            .envs(settings)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout"))
            .read_line(&mut line)
            .expect("a line");
        let said: Value = serde_json::from_str(&line).expect(&line);
        let url = said["publicUrl"]
            .as_str()
            .or(said["url"].as_str())
            .expect("an address");
        let url = url.to_owned();
        Self { child, url }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn every_admitted_run_ends_though_the_process_is_killed() {
    on_each(
        "every_admitted_run_ends_though_the_process_is_killed",
        async |place| {
            let app = place.start(&[]).await;
            let org = app.organization("Marlow Ridge").await;
            let key = app.key(&org.mara, Environment::Production).await;
            app.stop().await;

            let process = Process::start(&place);
            let mut asking = JoinSet::new();
            for n in 0..40 {
                let (url, key) = (process.url.clone(), key.clone());
                asking.spawn(async move {
                    let body =
                        json!({ "question": format!("DSCR with NOI of {n} m and debt service of 1 m?") });
                    let sent = http()
                        .post(format!("{url}/users/run-models"))
                        .bearer_auth(key)
                        .json(&body)
                        .send()
                        .await;
                    let answer = sent.ok().filter(|answer| answer.status() == 202)?;
                    answer.json::<Value>().await.ok()
                });
            }
            let mut admitted = Vec::new();
            while let Some(one) = asking.join_next().await {
                admitted.extend(one.expect("no panic"));
                if admitted.len() == 15 {
                    break;
                }
            }
            assert_eq!(admitted.len(), 15, "enough were admitted before the end");
            drop(process);
            while let Some(one) = asking.join_next().await {
                admitted.extend(one.expect("no panic"));
            }

            let process = Process::start(&place);
            let since = Instant::now();
            for one in &admitted {
                let id = one["messageId"].as_str().expect("an id");
                loop {
                    let path = format!("{}/users/me/chat-messages/{id}", process.url);
                    let read = http()
                        .get(path)
                        .bearer_auth(&key)
                        .send()
                        .await
                        .expect("an answer");
                    assert_eq!(read.status(), 200, "a 202 that is not there");
                    let read: Value = read.json().await.expect("JSON");
                    if read["status"] == "completed" {
                        break;
                    }
                    assert_eq!(read["status"], "processing", "{read}");
                    assert!(since.elapsed() < Duration::from_secs(30), "{id} has not ended");
                    tokio::time::sleep(Duration::from_millis(25)).await;
                }
            }
            drop(process);
            let app = place.start(&[]).await;
            let (_, faults) = app.services().usage.check(org.id).await.expect("the books");
            assert_eq!(faults, Vec::<String>::new());
            app.stop().await;
        },
    )
    .await;
}

//! Runs admitted over HTTP complete, however often and whenever the process is killed.
//! `cargo bench --bench crash_loop` does the same for longer.

use std::time::{Duration, Instant};

use corbel::base::secret::random_bytes;
use corbel::keys::model::Environment;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::app::{http, on_each};
use crate::harness::process::Process;

/// Runs that were in progress when the process was killed are resumed soon.
const SETTINGS: [(&str, &str); 2] = [("CORBEL_LEASE_SECONDS", "1"), ("CORBEL_WORKERS", "1")];

/// How often the process is killed while runs are being admitted, queued and run.
const KILLS: usize = 10;
/// The number of simultaneous requests after every start.
const ASKED: usize = 20;

/// A random time within half a second.
fn random_delay() -> Duration {
    let [byte] = random_bytes::<1>().expect("chance");
    Duration::from_millis(2 * u64::from(byte))
}

/// The turn of an admitted run; none if there was no response.
async fn ask(client: reqwest::Client, url: String, key: String, n: usize) -> Option<String> {
    let body = json!({ "question": format!("DSCR with NOI of {n} m and debt service of 1 m?") });
    let sent = client
        .post(format!("{url}/users/run-models"))
        .bearer_auth(key)
        .json(&body)
        .send()
        .await
        .ok()?;
    assert_eq!(sent.status(), 202);
    let admitted: Value = sent.json().await.ok()?;
    Some(admitted["messageId"].as_str().expect("an id").to_owned())
}

/// The state of a turn once it has ended.
async fn wait_for_end(client: &reqwest::Client, url: &str, key: &str, id: &str, since: Instant) -> Value {
    loop {
        let path = format!("{url}/users/me/chat-messages/{id}");
        let read = client.get(path).bearer_auth(key).send().await;
        let read = read.expect("an answer");
        assert_eq!(read.status(), 200, "a run with status 202 is missing");
        let read: Value = read.json().await.expect("JSON");
        if read["status"] != "processing" {
            return read;
        }
        assert!(since.elapsed() < Duration::from_secs(30), "{id} has not ended");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

#[tokio::test]
async fn every_admitted_run_ends_despite_repeated_kills() {
    on_each(
        "every_admitted_run_ends_though_the_process_is_killed",
        async |place| {
            let app = place.start(&[]).await;
            let org = app.organization("Marlow Ridge").await;
            let key = app.key(&org.mara, Environment::Production).await;
            app.stop().await;

            let mut admitted = Vec::new();
            let mut asked = 0;
            for _ in 0..KILLS {
                let process = Process::start(&place, &SETTINGS);
                let mut asking = JoinSet::new();
                for _ in 0..ASKED {
                    asked += 1;
                    asking.spawn(ask(http(), process.url.clone(), key.clone(), asked));
                }
                tokio::time::sleep(random_delay()).await;
                drop(process);
                while let Some(one) = asking.join_next().await {
                    admitted.extend(one.expect("no answer but 202"));
                }
            }
            assert!(
                admitted.len() > KILLS,
                "only {} of {asked} were admitted",
                admitted.len()
            );

            let process = Process::start(&place, &SETTINGS);
            let since = Instant::now();
            for id in &admitted {
                let read = wait_for_end(&http(), &process.url, &key, id, since).await;
                // A run that was in progress at three kills is not retried.
                assert!(
                    read["status"] == "completed" || read["failure"] == "run_poisoned",
                    "{read}"
                );
            }
            drop(process);

            let app = place.start(&[]).await;
            // Runs that were admitted without a response end as well.
            app.settle().await;
            let db = &app.services().db;
            let processing: i64 = db
                .query("SELECT CAST(COUNT(*) AS BIGINT) FROM messages WHERE status = 'processing'")
                .scalar()
                .await
                .expect("a count");
            assert_eq!(processing, 0);
            let (_, faults) = app.services().usage.check(org.id).await.expect("the books");
            assert_eq!(faults, Vec::<String>::new());
            app.stop().await;
        },
    )
    .await;
}

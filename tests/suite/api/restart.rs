//! What was admitted over HTTP ends, however often and whenever the process is killed. `cargo bench --bench crash_loop`
//! does the same at length.

use std::time::{Duration, Instant};

use corbel::base::secret::random_bytes;
use corbel::keys::model::Environment;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::app::{http, on_each};
use crate::harness::process::Process;

/// What was under way at a death is taken up soon.
const SETTINGS: [(&str, &str); 2] = [("CORBEL_LEASE_SECONDS", "1"), ("CORBEL_WORKERS", "1")];

/// Deaths of the process, each while runs are asked for, wait and are under way.
const KILLS: usize = 10;
/// Asked for at once after every start.
const ASKED: usize = 20;

/// A moment of the next half second.
fn moment() -> Duration {
    let [byte] = random_bytes::<1>().expect("chance");
    Duration::from_millis(2 * u64::from(byte))
}

/// The turn of a run that was admitted; none if there was no answer to tell.
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

/// The state of a turn, once it has ended.
async fn ended(client: &reqwest::Client, url: &str, key: &str, id: &str, since: Instant) -> Value {
    loop {
        let path = format!("{url}/users/me/chat-messages/{id}");
        let read = client.get(path).bearer_auth(key).send().await;
        let read = read.expect("an answer");
        assert_eq!(read.status(), 200, "a 202 that is not there");
        let read: Value = read.json().await.expect("JSON");
        if read["status"] != "processing" {
            return read;
        }
        assert!(since.elapsed() < Duration::from_secs(30), "{id} has not ended");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

#[tokio::test]
async fn every_admitted_run_ends_though_the_process_is_killed_again_and_again() {
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
                tokio::time::sleep(moment()).await;
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
                let read = ended(&http(), &process.url, &key, id, since).await;
                // Whoever was under way at three deaths is not tried again.
                assert!(
                    read["status"] == "completed" || read["failure"] == "run_poisoned",
                    "{read}"
                );
            }
            drop(process);

            let app = place.start(&[]).await;
            // What was admitted and never acknowledged ends as well.
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

//! Durable jobs: order within a lane, fairness, poisoned jobs, age limit, drain.

mod alarm;
mod doors;
mod readings;
mod shares;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use corbel::analysis::engine::Tone;
use corbel::analysis::request::RunRequest;
use corbel::base::ids::{JobId, OrgId};
use corbel::queue::handlers::Handlers;
use corbel::queue::job::{Done, NewJob, Patience, Pool, Slots, Timing};
use corbel::queue::service::Queue;
use corbel::queue::worker::Worker;
use corbel::sessions::model::Status;
use corbel::sessions::model::Which;
use serde_json::json;
use tokio::sync::watch;

use crate::harness::app::{Running, on_each};
use crate::harness::engine::{Act, Scripted};

pub fn ask(question: &str) -> RunRequest {
    RunRequest {
        question: question.to_owned(),
        session: Which::New,
        organisation_safe: false,
        tone: Tone::default(),
        fast: false,
        ..RunRequest::default()
    }
}

async fn add(running: &Running, org: OrgId, lane: &str, payload: serde_json::Value) {
    let services = running.services().clone();
    let queue = services.queue.clone();
    let job = NewJob {
        pool: Pool::Run,
        kind: "test".into(),
        lane: lane.to_owned(),
        payload,
        patience: Patience::Usual,
        asker: None,
    };
    let added = services.db.write(move |tx| {
        let (queue, job) = (queue.clone(), job.clone());
        Box::pin(async move { queue.add(tx, org, JobId::new(), &job).await })
    });
    added.await.expect("added");
}

/// Runs all queued jobs with a handler that records them.
async fn work(running: &Running, slots: usize, seen: &Arc<Mutex<Vec<String>>>) {
    let services = running.services();
    let seen = Arc::clone(seen);
    let busy = Arc::new(Mutex::new(Vec::<String>::new()));
    let handlers = Handlers::default().with(
        "test",
        move |claim| {
            let (seen, busy) = (Arc::clone(&seen), Arc::clone(&busy));
            async move {
                let lane = claim.lane.clone();
                {
                    let mut busy = busy.lock().expect("busy");
                    assert!(!busy.contains(&lane), "two jobs of {lane} at the same time");
                    busy.push(lane.clone());
                }
                tokio::time::sleep(Duration::from_millis(3)).await;
                let name = claim.payload["name"].as_str().unwrap_or_default().to_owned();
                seen.lock().expect("seen").push(name);
                busy.lock().expect("busy").retain(|own| *own != lane);
                Ok(Done::Nothing)
            }
        },
        |_, _| async { Ok(()) },
    );
    let worker = Worker::new(services.db.clone(), services.queue.clone(), handlers);
    let (stop, stopping) = watch::channel(false);
    let working = tokio::spawn(async move { worker.run(Slots::for_runs(slots), stopping).await });
    running.settle().await;
    stop.send(true).expect("working");
    working.await.expect("no panic");
}

#[tokio::test]
async fn a_lane_runs_its_jobs_one_at_a_time_in_order() {
    on_each("lanes", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Lanes").await.id;
        for number in 0..30 {
            let lane = format!("lane-{}", number % 3);
            add(
                &running,
                org,
                &lane,
                json!({ "name": format!("{lane}/{number:02}") }),
            )
            .await;
        }
        let seen = Arc::default();
        work(&running, 8, &seen).await;
        let seen = seen.lock().expect("seen").clone();
        assert_eq!(seen.len(), 30);
        for lane in 0..3 {
            let of: Vec<_> = seen
                .iter()
                .filter(|name| name.starts_with(&format!("lane-{lane}/")))
                .collect();
            assert!(of.is_sorted(), "{of:?}");
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_long_queue_of_one_organization_does_not_delay_another() {
    on_each("fairness", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let (big, small) = (
            running.organization("Big").await.id,
            running.organization("Small").await.id,
        );
        for number in 0..60 {
            add(&running, big, &format!("big-{number}"), json!({ "name": "big" })).await;
        }
        add(&running, small, "small", json!({ "name": "small" })).await;
        let seen = Arc::default();
        work(&running, 2, &seen).await;
        let position = seen
            .lock()
            .expect("seen")
            .iter()
            .position(|name| name == "small")
            .expect("it ran");
        assert!(position < 4, "the other organization's job was number {position}");
        running.stop().await;
    })
    .await;
}

#[test]
fn a_run_that_crashes_its_process_three_times_fails() {
    let runtime = tokio::runtime::Runtime::new().expect("runtime");
    runtime.block_on(on_each("poison", |place| async move {
        let short = [("CORBEL_LEASE_SECONDS", "1")];
        let admitted = Arc::new(Mutex::new(None));
        let org = Arc::new(Mutex::new(None));
        for crash in 0..3 {
            let (place, admitted, org) = (Arc::clone(&place), Arc::clone(&admitted), Arc::clone(&org));
            // A runtime that is dropped abruptly is like a process that died.
            let dying = std::thread::spawn(move || {
                let runtime = tokio::runtime::Runtime::new().expect("runtime");
                runtime.block_on(async {
                    let engine = Arc::new(Scripted::new([Act::Hang, Act::Hang]));
                    let running = place.start_with(place.config(&short), engine.clone()).await;
                    if crash == 0 {
                        let own = running.organization("Poison").await;
                        let principal = own.mara.principal();
                        let run = running
                            .services()
                            .analysis
                            .admit(&principal, ask("poison"), None)
                            .await
                            .expect("admitted");
                        *admitted.lock().expect("admitted") = Some(run);
                        *org.lock().expect("org") = Some(own.id);
                    }
                    running
                        .until("the run is under way", async || !engine.briefs().is_empty())
                        .await;
                    std::mem::forget(running);
                });
                runtime.shutdown_background();
            });
            dying.join().expect("died as planned");
            tokio::time::sleep(Duration::from_millis(1100)).await;
        }
        let engine = Arc::new(Scripted::default());
        let running = place.start_with(place.config(&short), engine.clone()).await;
        running.settle().await;
        let org = org.lock().expect("org").expect("set");
        let run = admitted.lock().expect("admitted").expect("set");
        let message = running
            .services()
            .sessions
            .message(org, run.message)
            .await
            .expect("message");
        assert_eq!(
            (message.status, message.failure.as_deref()),
            (Status::Failed, Some("run_poisoned"))
        );
        assert!(engine.briefs().is_empty(), "it was not tried a fourth time");
        let ledger = running.services().usage.ledger(org).await.expect("ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        assert_eq!(
            ledger.entries.iter().map(|entry| entry.charged.0).sum::<i64>(),
            0,
            "nothing charged"
        );
        running.stop().await;
    }));
}

#[tokio::test]
async fn no_job_stays_in_progress_beyond_the_age_limit() {
    on_each("age", |place| async move {
        let idle = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = idle.organization("Old").await;
        let run = idle
            .services()
            .analysis
            .admit(&org.mara.principal(), ask("old"), None)
            .await
            .expect("admitted");
        idle.stop().await;
        let engine = Arc::new(Scripted::default());
        let running = place
            .start_later(place.config(&[]), engine.clone(), Duration::from_secs(31 * 60))
            .await;
        running.settle().await;
        let message = running
            .services()
            .sessions
            .message(org.id, run.message)
            .await
            .expect("message");
        assert_eq!(
            (message.status, message.failure.as_deref()),
            (Status::Failed, Some("run_expired"))
        );
        assert!(engine.briefs().is_empty(), "it was not tried");
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn errors_and_panics_are_retried_up_to_the_limit() {
    on_each("errors", |place| async move {
        let engine = Arc::new(Scripted::new([
            Act::Fail,
            Act::Panic,
            Act::Answer("third time lucky"),
        ]));
        let running = place.start_with(place.config(&[]), engine).await;
        let org = running.organization("Errors").await;
        let principal = org.mara.principal();
        let analysis = &running.services().analysis;
        let run = analysis
            .admit(&principal, ask("retry"), None)
            .await
            .expect("admitted");
        let message = analysis
            .wait(org.id, run.message, Duration::from_secs(9))
            .await
            .expect("wait")
            .expect("ended");
        assert_eq!(message.status, Status::Completed);
        let answer = analysis
            .answer_of(org.id, run.message)
            .await
            .expect("answer")
            .expect("stored");
        assert_eq!(answer.quick_reply, "third time lucky");
        let ledger = running.services().usage.ledger(org.id).await.expect("ledger");
        assert_eq!(
            ledger.entries.iter().map(|entry| entry.charged.0).sum::<i64>(),
            1_000,
            "per run, not per attempt"
        );
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_stopping_process_releases_its_jobs_at_once() {
    on_each("drain", |place| async move {
        let mut config = place.config(&[]);
        config.timing.drain = Duration::from_millis(200);
        let engine = Arc::new(Scripted::new([Act::Hang]));
        let stopping = place.start_with(config, engine.clone()).await;
        let org = stopping.organization("Drain").await;
        let run = stopping
            .services()
            .analysis
            .admit(&org.mara.principal(), ask("drain"), None)
            .await
            .expect("admitted");
        stopping
            .until("under way", async || !engine.briefs().is_empty())
            .await;
        stopping.stop().await;
        let next = place
            .start_with(place.config(&[]), Arc::new(Scripted::default()))
            .await;
        let since = std::time::Instant::now();
        let wait = next
            .services()
            .analysis
            .wait(org.id, run.message, Duration::from_secs(9));
        let message = wait.await.expect("wait").expect("ended");
        assert_eq!(message.status, Status::Completed);
        assert!(
            since.elapsed() < Duration::from_secs(5),
            "it waited for the lease to run out"
        );
        next.stop().await;
    })
    .await;
}

/// Runs a job with these outcomes. Returns of each execution: attempt, tries, and time.
async fn attempts(running: &Running, poll: Duration, outcomes: Vec<Done>) -> Vec<(i64, i64, Instant)> {
    let services = running.services();
    let expected = outcomes.len();
    let seen: Arc<Mutex<Vec<(i64, i64, Instant)>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let handlers = Handlers::default().with(
        "test",
        move |claim| {
            let (noted, outcomes) = (Arc::clone(&noted), outcomes.clone());
            async move {
                let mut noted = noted.lock().expect("seen");
                noted.push((claim.attempt, claim.tries, Instant::now()));
                Ok(outcomes[noted.len() - 1])
            }
        },
        |_, _| async { panic!("nothing is given up") },
    );
    let queue = Queue::new(Timing {
        poll,
        ..Timing::default()
    });
    let worker = Worker::new(services.db.clone(), queue, handlers);
    let (stop, stopping) = watch::channel(false);
    let working = tokio::spawn(async move { worker.run(Slots::for_runs(2), stopping).await });
    running
        .until("every attempt", async || {
            seen.lock().expect("seen").len() == expected
        })
        .await;
    stop.send(true).expect("working");
    working.await.expect("no panic");
    seen.lock().expect("seen").clone()
}

#[tokio::test]
async fn a_delayed_job_runs_on_time_regardless_of_the_next_poll() {
    on_each("alarm", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Alarm").await.id;
        add(&running, org, "one", json!({})).await;
        let wait = Duration::from_millis(300);
        let outcomes = vec![Done::Later(wait), Done::Again(wait), Done::Nothing];
        let seen = attempts(&running, Duration::from_secs(60), outcomes).await;
        for (earlier, later) in seen.iter().zip(seen.iter().skip(1)) {
            let waited = later.2 - earlier.2;
            assert!(waited >= wait && waited < Duration::from_secs(5), "{waited:?}");
        }
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_delay_does_not_count_as_a_try() {
    on_each("tries", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Tries").await.id;
        add(&running, org, "one", json!({})).await;
        let soon = Duration::from_millis(1);
        let (later, again) = (Done::Later(soon), Done::Again(soon));
        let outcomes = vec![later, later, later, again, later, again, Done::Nothing];
        let seen = attempts(&running, Duration::from_secs(60), outcomes).await;
        let counted: Vec<(i64, i64)> = seen
            .iter()
            .map(|(attempt, tries, _)| (*attempt, *tries))
            .collect();
        assert_eq!(counted, [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3)]);
        running.stop().await;
    })
    .await;
}

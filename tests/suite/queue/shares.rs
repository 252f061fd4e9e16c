//! Shares of run slots. No organization, person or key holds more than its share. All slots but the reserve are used,
//! and every asker is served.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use corbel::base::ids::{JobId, KeyId, OrgId, UserId};
use corbel::queue::handlers::Handlers;
use corbel::queue::job::{Asker, Done, NewJob, Patience, Pool, Slots};
use corbel::queue::worker::Worker;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;
use tokio::sync::watch;

use crate::harness::app::{Running, on_each};

/// Who a job is for: organization, person, key. Small numbers that stand for identifiers.
type For = (usize, Option<(usize, Option<usize>)>);

/// Most slots of an organization and of a person, by the slots of the process.
fn most(slots: usize) -> (usize, usize) {
    match slots {
        1 => (1, 1),
        2 | 3 => (2, 1),
        4 | 5 => (3, 2),
        6 => (4, 2),
        7 => (5, 3),
        8 | 9 => (6, 3),
        _ => panic!("add {slots} to the table"),
    }
}

fn count(running: &[For], matches: impl Fn(&For) -> bool) -> usize {
    running.iter().filter(|one| matches(one)).count()
}

fn check_shares(slots: usize, running: &[For]) {
    let (of_org, of_person) = most(slots);
    assert!(running.len() <= slots, "{running:?}");
    for one in running {
        let own = count(running, |other| other.0 == one.0);
        assert!(
            own <= of_org,
            "an organization holds {own} of {slots}: {running:?}"
        );
        let Some((person, key)) = one.1 else { continue };
        let own = count(running, |other| {
            other.0 == one.0 && other.1.is_some_and(|by| by.0 == person)
        });
        assert!(own <= of_person, "a person holds {own} of {slots}: {running:?}");
        if key.is_some() {
            let own = count(running, |other| other == one);
            let of_key = (of_person - 1).max(1);
            assert!(own <= of_key, "a key holds {own} of {slots}: {running:?}");
        }
    }
}

/// True if this job has to start now: below each share, and the last slot of each level only for somebody without any.
fn may_start(slots: usize, running: &[For], one: &For) -> bool {
    let (of_org, of_person) = most(slots);
    let level = |held: usize, most: usize, above: usize, most_above: usize, spare: usize| {
        above < most_above && held < most && (held == 0 || above + spare < most_above)
    };
    let org = count(running, |other| other.0 == one.0);
    let mut may = level(org, of_org, running.len(), slots, usize::from(slots > 2));
    if let Some((person, key)) = one.1 {
        let own = count(running, |other| {
            other.0 == one.0 && other.1.is_some_and(|by| by.0 == person)
        });
        may &= level(own, of_person, org, of_org, 1);
        if key.is_some() {
            may &= level(count(running, |other| other == one), of_person, own, of_person, 1);
        }
    }
    may
}

/// Organizations, people and keys with real identifiers, and jobs that run until they are released.
struct Work {
    orgs: Vec<OrgId>,
    people: Vec<UserId>,
    keys: Vec<KeyId>,
    running: Arc<Mutex<Vec<For>>>,
    started: Arc<Mutex<Vec<For>>>,
    /// How many jobs may end.
    released: watch::Sender<usize>,
}

impl Work {
    async fn new(app: &Running, name: &str) -> Self {
        let mut orgs = Vec::new();
        for n in 0..3 {
            orgs.push(app.organization(&format!("{name} {n}")).await.id);
        }
        Self {
            orgs,
            people: (0..4).map(|_| UserId::new()).collect(),
            keys: (0..8).map(|_| KeyId::new()).collect(),
            running: Arc::default(),
            started: Arc::default(),
            released: watch::channel(0).0,
        }
    }

    async fn add(&self, app: &Running, jobs: &[For]) {
        let job = |n: usize, (org, by): &For| {
            let asker = by.map(|(person, key)| Asker {
                person: self.people[person],
                // A key has one owner.
                key: key.map(|key| self.keys[person * 2 + key]),
            });
            let job = NewJob {
                pool: Pool::Run,
                kind: "test".into(),
                lane: format!("lane-{}", JobId::new()),
                payload: json!({ "number": n, "for": (org, by) }),
                patience: Patience::Usual,
                asker,
            };
            (self.orgs[*org], JobId::new(), job)
        };
        let jobs: Vec<_> = jobs.iter().enumerate().map(|(n, one)| job(n, one)).collect();
        let (jobs, queue) = (Arc::new(jobs), app.services().queue.clone());
        let added = app.services().db.write(move |tx| {
            let (jobs, queue) = (Arc::clone(&jobs), queue.clone());
            Box::pin(async move { queue.add_all(tx, &jobs).await })
        });
        added.await.expect("added");
    }

    /// Works on what is queued; `released` jobs end, in the order in which they started.
    fn worker(
        &self,
        app: &Running,
        slots: usize,
        processes: usize,
    ) -> (watch::Sender<bool>, tokio::task::JoinHandle<()>) {
        let (running, started) = (Arc::clone(&self.running), Arc::clone(&self.started));
        let released = self.released.subscribe();
        let handlers = Handlers::default().with(
            "test",
            move |claim| {
                let (running, started) = (Arc::clone(&running), Arc::clone(&started));
                let mut released = released.clone();
                let own: For = serde_json::from_value(claim.payload["for"].clone()).expect("whom it is for");
                async move {
                    let number = {
                        let mut running = running.lock().expect("running");
                        running.push(own);
                        if processes == 1 {
                            check_shares(slots, &running);
                        }
                        let mut started = started.lock().expect("started");
                        started.push(own);
                        started.len()
                    };
                    released
                        .wait_for(|count| *count >= number)
                        .await
                        .expect("the test");
                    let mut running = running.lock().expect("running");
                    let place = running.iter().position(|one| *one == own).expect("running");
                    running.remove(place);
                    Ok(Done::Nothing)
                }
            },
            |_, why| async move { panic!("a job was given up: {why:?}") },
        );
        let worker = Worker::new(app.services().db.clone(), app.services().queue.clone(), handlers);
        let (stop, stopping) = watch::channel(false);
        let slots = Slots::for_runs(slots);
        (
            stop,
            tokio::spawn(async move { worker.run(slots, stopping).await }),
        )
    }

    /// Waits until `ended` jobs have ended and every waiting job that has to start has started.
    async fn until_full(&self, app: &Running, slots: usize, jobs: &[For], ended: usize) {
        let is_full = async || {
            let running = self.running.lock().expect("running");
            let started = self.started.lock().expect("started");
            let mut waiting = jobs.to_vec();
            for one in started.iter() {
                let place = waiting.iter().position(|other| other == one).expect("added");
                waiting.swap_remove(place);
            }
            started.len() - running.len() == ended
                && !waiting.iter().any(|one| may_start(slots, &running, one))
        };
        app.until("free slots are used up to the reserve", is_full).await;
    }
}

fn cases() -> impl Strategy<Value = Vec<For>> {
    let key = prop_oneof![Just(None), (0..2_usize).prop_map(Some)];
    let by = prop_oneof![1 => Just(None), 12 => (0..4_usize, key).prop_map(Some)];
    // Some have one busy organization and one busy person.
    (1..=3_usize, 1..=4_usize).prop_flat_map(move |(orgs, people)| {
        let by = by.clone();
        let one =
            (0..orgs, by).prop_map(move |(org, by)| (org, by.map(|(person, key)| (person % people, key))));
        prop::collection::vec(one, 1..24)
    })
}

#[tokio::test]
async fn no_share_is_exceeded_and_free_slots_are_used_up_to_the_reserve() {
    on_each("shares", |place| async move {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let mut runner = TestRunner::deterministic();
        for (case, slots) in (1..=9).chain([4, 8]).enumerate() {
            let jobs = cases().new_tree(&mut runner).expect("a case").current();
            let work = Work::new(&app, &format!("Shares {case}")).await;
            work.add(&app, &jobs).await;
            let (stop, working) = work.worker(&app, slots, 1);
            for ended in 0..jobs.len() {
                work.until_full(&app, slots, &jobs, ended).await;
                work.released.send_replace(ended + 1);
            }
            // Nobody starves.
            app.settle().await;
            assert_eq!(work.started.lock().expect("started").len(), jobs.len());
            stop.send(true).expect("working");
            working.await.expect("no panic");
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn newcomers_of_every_level_start_at_once() {
    on_each("newcomers", |place| async move {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        for slots in [2, 4, 8] {
            let work = Work::new(&app, &format!("Newcomers {slots}")).await;
            // Forty of a person's key; then the person's other key, a colleague, another organization.
            let forty = vec![(0, Some((0, Some(0)))); 40];
            work.add(&app, &forty).await;
            let (stop, working) = work.worker(&app, slots, 1);
            work.until_full(&app, slots, &forty, 0).await;
            let newcomers: &[For] = match slots {
                2 => &[(0, Some((1, None)))],
                _ => &[
                    (0, Some((0, None))),
                    (0, Some((1, Some(0)))),
                    (1, Some((2, None))),
                ],
            };
            for newcomer in newcomers {
                work.add(&app, &[*newcomer]).await;
                app.until("the newcomer starts", async || {
                    work.started.lock().expect("started").contains(newcomer)
                })
                .await;
            }
            work.released.send_replace(usize::MAX);
            app.settle().await;
            stop.send(true).expect("working");
            working.await.expect("no panic");
        }
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn with_one_slot_everybody_gets_a_turn() {
    on_each("one slot", |place| async move {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let work = Work::new(&app, "One slot").await;
        let first: Vec<For> = (0..40).map(|n| (0, Some((0, Some(n % 2))))).collect();
        work.add(&app, &first).await;
        let (stop, working) = work.worker(&app, 1, 1);
        work.until_full(&app, 1, &first, 0).await;
        work.add(&app, &[(0, Some((1, None))), (1, Some((2, None)))])
            .await;
        work.released.send_replace(usize::MAX);
        app.settle().await;
        let started = work.started.lock().expect("started").clone();
        let next: BTreeSet<usize> = started[1..4]
            .iter()
            .map(|one| one.1.expect("a person").0)
            .collect();
        assert!(next.is_superset(&BTreeSet::from([1, 2])), "{started:?}");
        stop.send(true).expect("working");
        working.await.expect("no panic");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn two_processes_keep_a_reserve_each() {
    on_each("two processes", |place| async move {
        // SQLite has one process.
        if place.is_sqlite() {
            return;
        }
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let work = Work::new(&app, "Two").await;
        let own: Vec<For> = (0..40).map(|n| (0, Some((n % 4, None)))).collect();
        work.add(&app, &own).await;
        let workers = [work.worker(&app, 4, 2), work.worker(&app, 4, 2)];
        app.until("each holds its share", async || {
            work.running.lock().expect("running").len() == 6
        })
        .await;
        work.add(&app, &[(1, Some((0, None))), (2, Some((0, None)))])
            .await;
        app.until("both newcomers start", async || {
            work.running.lock().expect("running").len() == 8
        })
        .await;
        work.released.send_replace(usize::MAX);
        app.settle().await;
        for (stop, working) in workers {
            stop.send(true).expect("working");
            working.await.expect("no panic");
        }
        app.stop().await;
    })
    .await;
}

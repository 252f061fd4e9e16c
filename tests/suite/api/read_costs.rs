//! The cost of reads and of admission does not grow with the stored data. `CORBEL_TEST_MESSAGES=1000000` measures with
//! that many turns; the default is smaller, just enough to distinguish a scan from an index.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use corbel::base::principal::Principal;
use corbel::services::Services;
use corbel::sessions::model::{Filter, Status, digest};

use crate::harness::app::on_each;
use crate::harness::turns::{large, message, store};
use crate::queue::ask;

const FEW: i64 = 1000;
/// The default: scanning this many rows costs more than twenty times as much as scanning the few.
const MANY: i64 = 30_000;

/// The median of many timings.
async fn median<T>(mut act: impl AsyncFnMut() -> T) -> Duration {
    let mut times = Vec::new();
    for _ in 0..60 {
        let start = Instant::now();
        act().await;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}

async fn costs(services: &Services, who: &Principal, stored: i64) -> Vec<(&'static str, Duration)> {
    let sessions = &services.sessions;
    let list = async |filter: Filter, rows: usize| {
        let found = sessions
            .own_messages(who, &filter, None, 26)
            .await
            .expect("turns");
        assert_eq!(found.len(), rows, "{filter:?}");
        found
    };
    let large = large();
    let one = list(Filter::default(), 26).await.swap_remove(3);
    let middle: DateTime<Utc> = DateTime::from_timestamp(1_700_000_000 + stored / 2, 0).expect("a time");
    let session = sessions.joined(who, large).await.expect("a session");
    let mut costs = vec![
        (
            "newest turns",
            median(async || list(Filter::default(), 26).await).await,
        ),
        (
            "turns of a session",
            median(async || {
                list(
                    Filter {
                        session: Some(large),
                        ..Filter::default()
                    },
                    26,
                )
                .await
            })
            .await,
        ),
        (
            "turns before a time",
            median(async || {
                list(
                    Filter {
                        until: Some(middle),
                        ..Filter::default()
                    },
                    26,
                )
                .await
            })
            .await,
        ),
        (
            "failed turns",
            median(async || {
                list(
                    Filter {
                        status: Some(Status::Failed),
                        ..Filter::default()
                    },
                    0,
                )
                .await
            })
            .await,
        ),
        (
            "a question's turns",
            median(async || {
                list(
                    Filter {
                        question: Some(digest("none")),
                        ..Filter::default()
                    },
                    0,
                )
                .await
            })
            .await,
        ),
        (
            "one turn",
            median(async || sessions.own_message(who, one.id).await.expect("a turn")).await,
        ),
        (
            "an old turn",
            median(async || sessions.own_message(who, message(7)).await.expect("a turn")).await,
        ),
        (
            "a session",
            median(async || sessions.joined(who, large).await.expect("a session")).await,
        ),
        (
            "newest of a session",
            median(async || sessions.newest(who.org, large).await.expect("a turn")).await,
        ),
        (
            "a transcript's page",
            median(async || {
                sessions
                    .transcript(who.org, &session, false, None, 26)
                    .await
                    .expect("turns")
            })
            .await,
        ),
        ("its middle", {
            let place = one.place();
            let place = corbel::sessions::model::Place(middle, place.1);
            median(async || {
                sessions
                    .transcript(who.org, &session, true, Some(place), 26)
                    .await
                    .expect("turns")
            })
            .await
        }),
        (
            "a response",
            median(async || sessions.response(who.org, one.id).await.expect("a response")).await,
        ),
    ];
    costs.push((
        "admission",
        median(async || {
            services
                .analysis
                .admit(who, ask("1"), None)
                .await
                .expect("admitted")
        })
        .await,
    ));
    costs
}

#[tokio::test]
async fn reads_cost_the_same_among_many_turns() {
    let many = std::env::var("CORBEL_TEST_MESSAGES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(MANY);
    on_each("reads_cost_the_same_among_many_turns", async |place| {
        let config = place.config(&[]);
        let app = corbel::app::build::build(
            &config,
            corbel::base::clock::Clock::system(),
            "http://127.0.0.1".into(),
        )
        .await
        .expect("the parts, and nobody who works");
        let services = &app.services;
        let org = services
            .accounts
            .create_org(
                corbel::audit::store::Actor::OPERATOR,
                "Marlow Ridge",
                corbel::accounts::model::Plan::Pro,
                None,
            )
            .await
            .expect("an organization");
        let new = corbel::accounts::service::NewPerson {
            email: "mara@marlow.example".into(),
            name: "Mara".into(),
            role: corbel::base::principal::Role::Member,
            password: None,
        };
        let user = services
            .accounts
            .create_member(corbel::audit::store::Actor::OPERATOR, org.id, new)
            .await
            .expect("a member");
        let who = Principal {
            org: org.id,
            user,
            role: corbel::base::principal::Role::Member,
            face: corbel::base::principal::Face::System,
        };
        store(&services.db, org.id, user, 0, FEW).await.expect("stored");
        let few = costs(services, &who, FEW).await;
        store(&services.db, org.id, user, FEW, many)
            .await
            .expect("stored");
        let grown = costs(services, &who, many).await;
        let kind = if place.is_sqlite() { "SQLite" } else { "PostgreSQL" };
        for ((what, before), (_, after)) in few.iter().zip(&grown) {
            let times = after.as_secs_f64() / before.as_secs_f64();
            println!(
                "{kind:<10} {what:<20} {FEW} turns {before:>9.1?}   {many} turns {after:>9.1?}   {times:.2}"
            );
            // A loose bound, because the machine has other load. A scan is far beyond it.
            let bound = *before * 4 + Duration::from_millis(2);
            assert!(
                after <= &bound,
                "{what}: {before:?} among {FEW}, {after:?} among {many}"
            );
        }
        services.db.close().await;
    })
    .await;
}

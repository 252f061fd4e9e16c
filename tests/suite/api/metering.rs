//! What API runs cost: sandbox keys have a quota of runs, other keys spend the organization's credit.

use std::time::Duration;

use chrono::{Datelike as _, Months, NaiveTime};
use corbel::accounts::model::Plan;
use corbel::analysis::service::Stop;
use corbel::audit::store::Actor;
use corbel::base::error::Error;
use corbel::base::ids::MessageId;
use corbel::base::money::MicroUsd;
use corbel::base::principal::Face;
use corbel::keys::model::Environment;
use reqwest::Response;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::app::{Org, Running, http, on_each};

async fn run(url: &str, key: &str) -> Response {
    let question =
        json!({ "question": "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?" });
    let sent = http()
        .post(format!("{url}/users/run-models"))
        .bearer_auth(key)
        .json(&question)
        .send();
    sent.await.expect("an answer")
}

async fn code(answer: Response) -> (u16, String) {
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.expect("JSON");
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

/// Checks the ledger's sums and returns the remaining included and funded credit.
async fn balances(app: &Running, org: &Org) -> (i64, i64) {
    let ledger = app.services().usage.ledger(org.id).await.expect("ledger");
    assert!(ledger.consistent, "{:?}", ledger.faults);
    let balances = ledger.balances.expect("balances");
    (balances.included.0, balances.funded.0)
}

#[tokio::test]
async fn a_sandbox_key_has_a_quota_and_spends_nothing() {
    on_each("a_sandbox_key_has_runs", async |place| {
        let app = place.start(&[("CORBEL_SANDBOX_RUNS", "3")]).await;
        let org = app.organization("Sandbox House").await;
        let key = app.key(&org.mara, Environment::Sandbox).await;
        let mut all = JoinSet::new();
        for _ in 0..12 {
            let (url, key) = (app.url.clone(), key.clone());
            all.spawn(async move { run(&url, &key).await.status().as_u16() });
        }
        let statuses = all.join_all().await;
        assert_eq!(
            statuses.iter().filter(|status| **status == 202).count(),
            3,
            "{statuses:?}"
        );
        let refused = run(&app.url, &key).await;
        let wait: i64 = refused.headers()["Retry-After"]
            .to_str()
            .expect("text")
            .parse()
            .expect("seconds");
        assert!(refused.headers().contains_key("RateLimit"));
        let now = app.services().clock.now();
        let first = now.date_naive().with_day(1).expect("a first day");
        let next = (first + Months::new(1)).and_time(NaiveTime::MIN).and_utc();
        assert!(((next - now).num_seconds() - wait).abs() <= 5, "{wait}");
        assert_eq!(code(refused).await, (429, "quota_exhausted".to_owned()));
        app.settle().await;
        assert_eq!(balances(&app, &org).await, (50_000_000, 0));
        // Another sandbox key has its own quota.
        let other = app.key(&org.mara, Environment::Sandbox).await;
        assert_eq!(run(&app.url, &other).await.status(), 202);
        app.settle().await;
        // The announced wait is correct.
        app.services()
            .clock
            .advance(Duration::from_secs(wait.unsigned_abs()));
        assert_eq!(run(&app.url, &key).await.status(), 202);
        app.settle().await;
        let days = app
            .services()
            .usage
            .days(&org.mara.principal(), first)
            .await
            .expect("days");
        assert!(
            days.iter()
                .all(|day| day.face == Face::Api && day.charged == MicroUsd::ZERO)
        );
        assert_eq!(days.iter().map(|day| day.completed).sum::<i64>(), 5);
        assert_eq!(balances(&app, &org).await, (50_000_000, 0));
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_failed_run_is_returned_to_the_quota() {
    on_each("a_failed_run_is_returned_to_the_quota", async |place| {
        let more = [("CORBEL_SANDBOX_RUNS", "1"), ("CORBEL_WORKERS", "0")];
        let app = place.start(&more).await;
        let org = app.organization("Failing House").await;
        let key = app.key(&org.mara, Environment::Sandbox).await;
        let admitted: Value = run(&app.url, &key).await.json().await.expect("JSON");
        assert_eq!(run(&app.url, &key).await.status(), 429);
        let id: MessageId = admitted["messageId"]
            .as_str()
            .expect("an id")
            .parse()
            .expect("an id");
        let services = app.services().clone();
        let message = services.sessions.message(org.id, id).await.expect("the message");
        let (analysis, org_id) = (services.analysis.clone(), org.id);
        let stopped = services.db.write(move |tx| {
            let (analysis, message) = (analysis.clone(), message.clone());
            Box::pin(async move { analysis.stop_in(tx, org_id, &message, Stop::Asked).await })
        });
        assert!(stopped.await.expect("stopped"));
        assert_eq!(run(&app.url, &key).await.status(), 202);
        assert_eq!(balances(&app, &org).await, (50_000_000, 0));
        let key = services
            .keys
            .list(org.id, None, corbel::keys::model::Which::Live, None)
            .await
            .expect("keys")
            .keys[0]
            .id;
        let used = services
            .usage
            .trial_runs(&org.mara.principal())
            .await
            .expect("runs");
        assert_eq!(used.get(&key), Some(&1));
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn other_keys_spend_included_then_funded_credit() {
    on_each("other_keys_spend", async |place| {
        let app = place.start(&[]).await;
        let accounts = &app.services().accounts;
        let org = app.organization("Spending House").await;
        let small = accounts
            .create_org(Actor::OPERATOR, "Small Credit", Plan::Pro, Some(MicroUsd(2_000)))
            .await;
        let small = small.expect("organization").id;
        // Mara works for both organizations; her key belongs to the one where it was created.
        let new = corbel::accounts::service::NewPerson {
            email: org.mara.email.clone(),
            name: "Mara".to_owned(),
            role: corbel::base::principal::Role::Member,
            password: None,
        };
        accounts
            .create_member(Actor::OPERATOR, small, new)
            .await
            .expect("member");
        let mut mara = org.mara.clone();
        mara.org = small;
        let key = app.key(&mara, Environment::Production).await;
        for _ in 0..2 {
            assert_eq!(run(&app.url, &key).await.status(), 202);
        }
        assert_eq!(
            code(run(&app.url, &key).await).await,
            (402, "usage_exhausted".to_owned())
        );
        let usage = &app.services().usage;
        usage
            .add_credit(Actor::OPERATOR, small, MicroUsd(1_000))
            .await
            .expect("credit");
        assert_eq!(run(&app.url, &key).await.status(), 202);
        assert_eq!(code(run(&app.url, &key).await).await.0, 402);
        app.settle().await;
        let ledger = usage.ledger(small).await.expect("ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        let kept = ledger.balances.expect("balances");
        assert_eq!((kept.included, kept.funded), (MicroUsd::ZERO, MicroUsd::ZERO));
        let first = app.services().clock.now().date_naive();
        let days = usage.days(&mara.principal(), first).await.expect("days");
        assert_eq!(days.len(), 1, "{days:?}");
        assert_eq!((days[0].completed, days[0].charged), (3, MicroUsd(3_000)));
        assert!(days[0].key.is_some());
        // A run through another interface is counted apart from those of the key.
        let refused = app
            .services()
            .analysis
            .admit(&mara.principal(), crate::queue::ask("hello"), None)
            .await;
        assert!(matches!(refused, Err(Error::Exhausted)));
        app.stop().await;
    })
    .await;
}

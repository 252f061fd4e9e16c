//! The ledger of usage: never below zero, one charge per run, included credit first, month by month.

use std::time::Duration;

use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::audit::store::Actor;
use corbel::base::error::Error;
use corbel::base::money::MicroUsd;
use corbel::base::principal::{Face, Principal, Role};
use proptest::prelude::*;

use crate::harness::app::{Running, on_each};
use crate::queue::ask;

async fn someone_of(running: &Running, name: &str, included: i64) -> Principal {
    let accounts = &running.services().accounts;
    let org = accounts
        .create_org(Actor::OPERATOR, name, Plan::Pro, Some(MicroUsd(included)))
        .await
        .expect("org")
        .id;
    let email = format!("one@{}.example", name.to_lowercase());
    let new = NewPerson {
        email,
        name: "One".to_owned(),
        role: Role::Member,
        password: None,
    };
    let user = accounts
        .create_member(Actor::OPERATOR, org, new)
        .await
        .expect("member");
    Principal {
        org,
        user,
        role: Role::Member,
        face: Face::System,
    }
}

#[tokio::test]
async fn two_hundred_concurrent_runs_against_credit_for_seven() {
    on_each("overdraw", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let one = someone_of(&running, "Seven", 4_000).await;
        let usage = &running.services().usage;
        usage
            .add_credit(Actor::OPERATOR, one.org, MicroUsd(3_000))
            .await
            .expect("credit");
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..200 {
            let analysis = running.services().analysis.clone();
            all.spawn(async move { analysis.admit(&one, ask("what is a cap rate?"), None).await });
        }
        let mut admitted = 0;
        while let Some(outcome) = all.join_next().await {
            match outcome.expect("no panic") {
                Ok(_) => admitted += 1,
                Err(Error::Exhausted) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        assert_eq!(admitted, 7);
        let ledger = usage.ledger(one.org).await.expect("ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        let balances = ledger.balances.expect("balances");
        assert_eq!(
            (balances.included, balances.funded),
            (MicroUsd::ZERO, MicroUsd::ZERO)
        );
        assert_eq!(usage.percent_left(&one).await.expect("percent"), Some(0));
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_new_month_expires_the_remaining_credit_and_grants_new() {
    on_each("month", |place| async move {
        let running = place.start(&[]).await;
        let one = someone_of(&running, "Month", 5_000).await;
        let services = running.services();
        services
            .analysis
            .admit(&one, ask("hello"), None)
            .await
            .expect("admitted");
        running.settle().await;
        services.clock.advance(Duration::from_secs(32 * 24 * 60 * 60));
        services
            .analysis
            .admit(&one, ask("hello"), None)
            .await
            .expect("admitted");
        running.settle().await;
        let ledger = services.usage.ledger(one.org).await.expect("ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        assert_eq!(ledger.balances.expect("balances").included, MicroUsd(4_000));
        let kinds: Vec<_> = ledger.entries.iter().map(|entry| entry.kind.as_str()).collect();
        assert_eq!(
            kinds,
            [
                "grant", "reserve", "settle", "expire", "grant", "reserve", "settle"
            ]
        );
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_run_that_fails_in_the_next_month_returns_no_credit_to_it() {
    on_each("outlived", |place| async move {
        let idle = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let one = someone_of(&idle, "Outlived", 5_000).await;
        let services = idle.services();
        services
            .analysis
            .admit(&one, ask("hello"), None)
            .await
            .expect("admitted");
        services.clock.advance(Duration::from_secs(32 * 24 * 60 * 60));
        services
            .usage
            .add_credit(Actor::OPERATOR, one.org, MicroUsd(1))
            .await
            .expect("the month turns");
        idle.stop().await;
        let month = Duration::from_secs(32 * 24 * 60 * 60);
        let engine = std::sync::Arc::new(crate::harness::engine::Scripted::default());
        let running = place.start_later(place.config(&[]), engine, month).await;
        running.settle().await;
        let ledger = running.services().usage.ledger(one.org).await.expect("ledger");
        assert!(ledger.consistent, "{:?}", ledger.faults);
        assert_eq!(ledger.balances.expect("balances").included, MicroUsd(5_000));
        assert!(
            ledger
                .entries
                .iter()
                .any(|entry| entry.kind.as_str() == "release")
        );
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn the_ledger_is_append_only() {
    on_each("ledger append-only", |place| async move {
        let running = place.start(&[]).await;
        let one = someone_of(&running, "Fixed", 5_000).await;
        running
            .services()
            .analysis
            .admit(&one, ask("hello"), None)
            .await
            .expect("admitted");
        running.settle().await;
        for statement in ["UPDATE usage_entries SET amount = 0", "DELETE FROM usage_entries"] {
            let tried = running.services().db.write(move |tx| {
                Box::pin(async move {
                    tx.query(statement).execute().await?;
                    Ok(())
                })
            });
            assert!(tried.await.is_err(), "{statement} succeeded");
        }
        running.stop().await;
    })
    .await;
}

proptest! {
    #[test]
    fn money_round_trips_through_text(micros in 0..1_000_000_000_000_000_i64) {
        let amount = MicroUsd(micros);
        prop_assert_eq!(amount.to_string().parse::<MicroUsd>(), Ok(amount));
    }

    #[test]
    fn money_never_panics(text in "\\PC*") {
        let _ = text.parse::<MicroUsd>();
    }
}

//! The permit of which there is one in a process goes around by person and organization.

use std::sync::{Arc, Mutex};

use corbel::base::fair_permits::FairPermits;

/// Nobody holds a permit or waits for one: it is free again at once.
async fn is_free(permits: &FairPermits<&'static str>) {
    permits.take(["anybody"]).await.expect("a permit");
}

#[tokio::test]
async fn those_with_many_requests_delay_others_by_one() {
    let permits = FairPermits::<&'static str>::default();
    let first = permits.take(["ann", "acme"]).await.expect("a permit");
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut waiting = Vec::new();
    for (person, org, count) in [
        ("ann", "acme", 3),
        ("bob", "acme", 2),
        ("cyd", "bell", 2),
        ("dee", "core", 1),
    ] {
        for _ in 0..count {
            let (permits, order) = (permits.clone(), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let _permit = permits.take([person, org]).await.expect("a permit");
                order.lock().expect("the order").push(person);
                tokio::task::yield_now().await;
            }));
            // The test's only other thread of work runs until it waits.
            tokio::task::yield_now().await;
        }
    }
    drop(first);
    for one in waiting {
        one.await.expect("a permit");
    }
    let order = order.lock().expect("the order").clone();
    // Another organization waits for one of acme at most, and Bob for one of Ann at most.
    assert_eq!(order, ["cyd", "dee", "bob", "cyd", "ann", "bob", "ann", "ann"]);
    is_free(&permits).await;
}

#[tokio::test]
async fn those_who_stop_waiting_hold_nothing() {
    let permits = FairPermits::<&'static str>::default();
    let first = permits.take(["ann", "acme"]).await.expect("a permit");
    let also = first.clone();
    let given_up = tokio::spawn({
        let permits = permits.clone();
        async move { permits.take(["bob", "acme"]).await.map(drop) }
    });
    tokio::task::yield_now().await;
    given_up.abort();
    assert!(given_up.await.expect_err("aborted").is_cancelled());
    drop(first);
    let next = permits.take(["bob", "acme"]);
    tokio::pin!(next);
    assert!(
        futures_util::poll!(&mut next).is_pending(),
        "a clone still holds the permit"
    );
    drop(also);
    next.await.expect("a permit");
    is_free(&permits).await;
}

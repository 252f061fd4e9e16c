//! Random groups of runs, compared with a model that admits one run after the other.

use corbel::audit::store::Actor;
use corbel::base::error::Error;
use corbel::base::ids::KeyId;
use corbel::base::principal::{Face, Principal};
use corbel::keys::model::{Environment, KeyUse, NewKey};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::admission::{at_once, check_ledger, funded, row_counts};
use crate::harness::app::{Person, Running, on_each};
use crate::queue::ask;

/// How a run is paid for: by credit, by a sandbox key, or by a paid key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum With {
    Nothing,
    Sandbox(usize),
    Paying,
}

/// The credit of each organization, and what its people ask with.
fn organizations() -> impl Strategy<Value = Vec<(i64, i64)>> {
    prop::collection::vec((0..9_000_i64, 0..4_000_i64), 1..4)
}

fn asking() -> impl Strategy<Value = Vec<(prop::sample::Index, With)>> {
    let with = prop_oneof![
        4 => Just(With::Nothing),
        3 => Just(With::Paying),
        2 => (0..2_usize).prop_map(With::Sandbox),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), with), 1..90)
}

async fn key_of(app: &Running, person: &Person, environment: Environment) -> KeyUse {
    let new = NewKey {
        org: person.org,
        owner: person.user,
        name: "tests".to_owned(),
        environment,
        expires_at: None,
    };
    let made = app.services().keys.create(Actor::OPERATOR, new).await;
    let id: KeyId = made.expect("a key").0;
    KeyUse { id, environment }
}

/// For any group: the runs that credit and trial runs cover are admitted, in the order of the requests, and no others.
#[tokio::test]
async fn a_group_has_the_same_results_as_single_admissions() {
    on_each("group admission", async |place| {
        const PRICE: i64 = 1_000;
        const TRIALS: i64 = 3;
        let app = place
            .start(&[("CORBEL_WORKERS", "0"), ("CORBEL_SANDBOX_RUNS", "3")])
            .await;
        let mut runner = TestRunner::deterministic();
        for case in 0..12 {
            let credit = organizations().new_tree(&mut runner).expect("credit").current();
            let asked = asking().new_tree(&mut runner).expect("asked").current();
            let mut people = Vec::new();
            for (n, (included, more)) in credit.iter().enumerate() {
                let one = funded(&app, &format!("Case {case}.{n}"), *included, *more).await;
                let mut sandbox = Vec::new();
                for _ in 0..2 {
                    sandbox.push(key_of(&app, &one, Environment::Sandbox).await);
                }
                let paying = key_of(&app, &one, Environment::Production).await;
                people.push((one, sandbox, paying));
            }
            // What each organization and key has left before each request.
            let mut left: Vec<(i64, i64, [i64; 2])> = credit
                .iter()
                .map(|(included, more)| (*included, *more, [TRIALS; 2]))
                .collect();
            let (mut requests, mut expected) = (Vec::new(), Vec::new());
            for (index, with) in asked.iter().copied() {
                let n = index.index(people.len());
                let (one, sandbox, paying) = &people[n];
                let (included, more, trials) = &mut left[n];
                let mut request = ask("good");
                expected.push(match with {
                    With::Sandbox(key) => {
                        request.key = Some(sandbox[key]);
                        trials[key] -= 1;
                        if trials[key] >= 0 {
                            "admitted"
                        } else {
                            "quota_exhausted"
                        }
                    }
                    With::Nothing | With::Paying => {
                        request.key = (with == With::Paying).then_some(*paying);
                        if *included + *more >= PRICE {
                            let of_included = PRICE.min(*included);
                            *included -= of_included;
                            *more -= PRICE - of_included;
                            "admitted"
                        } else {
                            "usage_exhausted"
                        }
                    }
                });
                let principal = Principal {
                    face: Face::Api,
                    ..one.principal()
                };
                requests.push((principal, request));
            }
            let outcomes = at_once(&app, requests).await;
            let results: Vec<&str> = outcomes
                .iter()
                .map(|one| one.as_ref().map_or_else(Error::code, |_| "admitted"))
                .collect();
            assert_eq!(results, expected, "case {case}: {credit:?} {asked:?}");
            for (n, (one, ..)) in people.iter().enumerate() {
                let own = asked
                    .iter()
                    .zip(&results)
                    .filter(|((index, _), _)| index.index(people.len()) == n);
                let admitted = own.clone().filter(|(_, results)| **results == "admitted").count();
                let count = i64::try_from(admitted).expect("a count");
                assert_eq!(
                    row_counts(&app, one.org).await,
                    (count, count, count, count),
                    "case {case}"
                );
                if own.count() > 0 || credit[n].1 > 0 {
                    assert_eq!(
                        check_ledger(&app, one.org).await,
                        (left[n].0, left[n].1),
                        "case {case}"
                    );
                }
            }
        }
        app.stop().await;
    })
    .await;
}

//! Group admission: runs admitted at the same moment are written in one transaction, and each gets the same result as
//! if it had been admitted alone.

use std::sync::Arc;

use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::analysis::request::{Admitted, RunRequest};
use corbel::audit::store::Actor;
use corbel::base::error::{Error, Result};
use corbel::base::ids::{FileId, OrgId, SessionId};
use corbel::base::money::MicroUsd;
use corbel::base::principal::{Principal, Role};
use corbel::files::model::{Audience as FileAudience, File, Verdict};
use corbel::keys::model::Environment;
use corbel::sessions::model::{Audience, Which};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::app::{Org, Person, Running, http, on_each};
use crate::harness::engine::Scripted;
use crate::queue::ask;

mod sequential_model;

/// Submits all runs at the same moment, in this order. Returns each result.
async fn at_once(running: &Running, asked: Vec<(Principal, RunRequest)>) -> Vec<Result<Admitted>> {
    let analysis = &running.services().analysis;
    // All in one task. Without this, the runtime would reorder them when the task's budget is used up.
    tokio::task::unconstrained(join_all(asked.into_iter().map(
        |(principal, request)| async move { analysis.admit(&principal, request, None).await },
    )))
    .await
}

/// An organization with this much credit of either kind, and one member.
async fn funded(running: &Running, name: &str, included: i64, more: i64) -> Person {
    let services = running.services();
    let own = Some(MicroUsd(included));
    let org = services
        .accounts
        .create_org(Actor::OPERATOR, name, Plan::Pro, own)
        .await
        .expect("organization")
        .id;
    if more > 0 {
        services
            .usage
            .add_credit(Actor::OPERATOR, org, MicroUsd(more))
            .await
            .expect("credit");
    }
    let new = NewPerson {
        email: format!("one@{org}.example"),
        name: "One".to_owned(),
        role: Role::Member,
        password: None,
    };
    let email = new.email.clone();
    let user = services
        .accounts
        .create_member(Actor::OPERATOR, org, new)
        .await
        .expect("member");
    Person {
        user,
        email,
        role: Role::Member,
        org,
    }
}

/// The numbers of sessions, messages, jobs and reserved runs of an organization. Checks that they match the runs.
async fn row_counts(running: &Running, org: OrgId) -> (i64, i64, i64, i64) {
    running
        .services()
        .db
        .query(
            "SELECT CAST((SELECT COUNT(*) FROM sessions WHERE org_id = $1) AS BIGINT),
                    CAST((SELECT COUNT(*) FROM messages WHERE org_id = $1) AS BIGINT),
                    CAST((SELECT COUNT(*) FROM jobs WHERE org_id = $1) AS BIGINT),
                    CAST((SELECT COUNT(DISTINCT run_id) FROM usage_entries
                          WHERE org_id = $1 AND kind = 'reserve') AS BIGINT)",
        )
        .bind(org)
        .one()
        .await
        .expect("counts")
}

async fn check_ledger(running: &Running, org: OrgId) -> (i64, i64) {
    let ledger = running.services().usage.ledger(org).await.expect("ledger");
    assert!(ledger.consistent, "{:?}", ledger.faults);
    let balances = ledger.balances.expect("balances");
    (balances.included.0, balances.funded.0)
}

#[tokio::test]
async fn over_http_each_organization_gets_the_runs_it_can_pay_for() {
    on_each("each_organization_gets_what_it_has", async |place| {
        let more = [("CORBEL_WORKERS", "0"), ("CORBEL_SANDBOX_RUNS", "4")];
        let app = place.start(&more).await;
        // Credit for seven runs, of both kinds; ample credit; and four trial runs.
        let (short, rich) = (
            funded(&app, "Short Purse", 4_000, 3_500).await,
            funded(&app, "Rich Purse", 1_000_000, 0).await,
        );
        let mut keys = Vec::new();
        for (person, environment, most) in [
            (&short, Environment::Production, 7),
            (&rich, Environment::Development, 40),
            (&rich, Environment::Sandbox, 4),
        ] {
            keys.push((app.key(person, environment).await, most));
        }
        let mut all = tokio::task::JoinSet::new();
        for n in 0..120 {
            let (url, key) = (app.url.clone(), keys[n % 3].0.clone());
            all.spawn(async move {
                let sent = http()
                    .post(format!("{url}/users/run-models"))
                    .header("X-Api-Key", key)
                    .json(&json!({ "question": "What is a cap rate?" }))
                    .send();
                let answer = sent.await.expect("an answer");
                let status = answer.status().as_u16();
                let body: Value = answer.json().await.expect("JSON");
                (
                    n % 3,
                    status,
                    body["code"].as_str().unwrap_or_default().to_owned(),
                )
            });
        }
        let answers = all.join_all().await;
        for (which, (_, most)) in keys.iter().enumerate() {
            let own = || answers.iter().filter(move |(of, ..)| *of == which);
            let admitted = own().filter(|(_, status, _)| *status == 202).count();
            assert_eq!(admitted, *most, "of key {which}: {answers:?}");
            let refused = if which == 0 {
                (402, "usage_exhausted")
            } else {
                (429, "quota_exhausted")
            };
            let refusals = own()
                .filter(|(_, status, code)| (*status, code.as_str()) == refused)
                .count();
            assert_eq!(admitted + refusals, 40, "of key {which}: {answers:?}");
        }
        assert_eq!(row_counts(&app, short.org).await, (7, 7, 7, 7));
        assert_eq!(row_counts(&app, rich.org).await, (44, 44, 44, 44));
        assert_eq!(check_ledger(&app, short.org).await, (0, 500));
        assert_eq!(check_ledger(&app, rich.org).await, (960_000, 0));
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn each_run_of_a_group_gets_its_own_refusal() {
    on_each("each_run_of_a_group_gets_its_own_refusal", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let (org, other) = (
            app.organization("Marlow Ridge").await,
            app.organization("Tern Quay").await,
        );
        let (mara, noel, stranger) = (org.mara.principal(), org.noel.principal(), other.mara.principal());
        let own = app
            .services()
            .analysis
            .admit(&mara, ask("mine"), None)
            .await
            .expect("admitted")
            .session;
        let gone = app.member(&org, "Odile", Role::Member).await.principal();
        let accounts = &app.services().accounts;
        accounts
            .deactivate(Actor::OPERATOR, org.id, gone.user)
            .await
            .expect("deactivated");
        let in_session = |session| RunRequest {
            session: Which::Existing(session),
            ..ask("and then?")
        };
        let outcomes = at_once(
            &app,
            vec![
                (mara, ask("good")),
                (noel, in_session(own)),
                (mara, in_session(own)),
                (stranger, in_session(own)),
                (gone, ask("gone")),
                (
                    Principal {
                        org: other.id,
                        ..mara
                    },
                    ask("no member there"),
                ),
                (mara, in_session(SessionId::new())),
                (mara, ask("   ")),
                (stranger, ask("good")),
            ],
        )
        .await;
        let results: Vec<String> = outcomes
            .iter()
            .map(|one| match one {
                Ok(admitted) if admitted.session == own => "continued".to_owned(),
                Ok(_) => "begun".to_owned(),
                Err(error) => error.to_string(),
            })
            .collect();
        assert_eq!(
            results,
            [
                "begun",
                "session not found",
                "continued",
                "session not found",
                "not signed in",
                "member not found",
                "session not found",
                "question: must not be empty",
                "begun",
            ]
        );
        assert_eq!(row_counts(&app, org.id).await, (2, 3, 3, 3));
        assert_eq!(row_counts(&app, other.id).await, (1, 1, 1, 1));
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_cached_key_does_not_admit_a_former_member() {
    on_each("a_key_that_is_still_believed", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        let (left, stays) = (
            app.key(&org.noel, Environment::Production).await,
            app.key(&org.mara, Environment::Production).await,
        );
        let question = json!({ "question": "What is a cap rate?" });
        app.api(&left)
            .await
            .get("/users/me/chat-messages")
            .await
            .expect(200);
        let accounts = &app.services().accounts;
        accounts
            .deactivate(Actor::OPERATOR, org.id, org.noel.user)
            .await
            .expect("deactivated");
        let (left, stays) = (app.api(&left).await, app.api(&stays).await);
        let all = (0..8).map(|n| {
            let api = if n % 2 == 0 { &left } else { &stays };
            api.post("/users/run-models", &question)
        });
        for (n, answer) in join_all(all).await.into_iter().enumerate() {
            answer.expect(if n % 2 == 0 { 401 } else { 202 });
        }
        assert_eq!(row_counts(&app, org.id).await, (4, 4, 4, 4));
        app.stop().await;
    })
    .await;
}

/// A file named in a request that is deleted before the run is written.
fn deleted_file(owner: &Person) -> File {
    File {
        id: FileId::new(),
        origin: "request/lost".to_owned(),
        position: 0,
        owner: owner.user,
        audience: FileAudience::Private,
        name: "lost.csv".to_owned(),
        declared_type: None,
        kind: None,
        macros: false,
        bytes: None,
        sha256: None,
        blob: None,
        verdict: Verdict::NotYetReadable,
        refusal: None,
    }
}

#[tokio::test]
async fn a_run_that_cannot_be_written_does_not_affect_the_group() {
    on_each("one_that_cannot_be_written", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        let asked = (0..20).map(|n| {
            let mut request = ask("good");
            if n % 9 == 4 {
                request.files.earlier.push(deleted_file(&org.mara));
            }
            (org.mara.principal(), request)
        });
        let outcomes = at_once(&app, asked.collect()).await;
        for (n, outcome) in outcomes.iter().enumerate() {
            assert_eq!(outcome.is_ok(), n % 9 != 4, "number {n}: {outcome:?}");
        }
        assert_eq!(row_counts(&app, org.id).await, (18, 18, 18, 18));
        check_ledger(&app, org.id).await;
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn turns_of_one_session_keep_their_order() {
    on_each("turns_of_one_session_keep_their_order", async |place| {
        let idle = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = idle.organization("Marlow Ridge").await;
        let mara = org.mara.principal();
        let first = idle
            .services()
            .analysis
            .admit(&mara, ask("0"), None)
            .await
            .expect("admitted");
        // More than one group.
        let asked = (1..100).map(|n| {
            let request = RunRequest {
                session: Which::Existing(first.session),
                ..ask(&n.to_string())
            };
            (mara, request)
        });
        for outcome in at_once(&idle, asked.collect()).await {
            assert_eq!(outcome.expect("admitted").session, first.session);
        }
        idle.stop().await;
        let engine = Scripted::default();
        let running = place
            .start_with(place.config(&[]), Arc::new(engine.clone()))
            .await;
        running.settle().await;
        let answered: Vec<String> = engine.briefs().into_iter().map(|brief| brief.question).collect();
        let in_order: Vec<String> = (0..100).map(|n: i32| n.to_string()).collect();
        assert_eq!(answered, in_order);
        check_ledger(&running, org.id).await;
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_session_of_one_origin_is_created_once() {
    on_each("a_session_of_one_origin_is_created_once", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        let (mara, noel) = (org.mara.principal(), org.noel.principal());
        let of = |origin: &str, audience| RunRequest {
            session: Which::Origin {
                origin: origin.to_owned(),
                audience,
            },
            ..ask("good")
        };
        let (private, shared) = (of("own", Audience::Private), of("all", Audience::Shared));
        for round in 0..2 {
            let asked = vec![
                (mara, private.clone()),
                (mara, shared.clone()),
                (noel, private.clone()),
                (noel, shared.clone()),
                (mara, private.clone()),
                (mara, of("all", Audience::Private)),
            ];
            let sessions: Vec<Option<SessionId>> = at_once(&app, asked)
                .await
                .into_iter()
                .map(|outcome| match outcome {
                    Ok(admitted) => Some(admitted.session),
                    Err(Error::NotFound("session")) => None,
                    Err(other) => panic!("{other:?}"),
                })
                .collect();
            assert!(
                sessions[0].is_some() && sessions[0] == sessions[4],
                "{sessions:?}"
            );
            assert!(
                sessions[1].is_some() && sessions[1] == sessions[3],
                "{sessions:?}"
            );
            assert_eq!((sessions[2], sessions[5]), (None, None), "round {round}");
        }
        assert_eq!(row_counts(&app, org.id).await, (2, 8, 8, 8));
        let joined: i64 = app
            .services()
            .db
            .query("SELECT CAST(COUNT(*) AS BIGINT) FROM session_participants WHERE org_id = $1")
            .bind(org.id)
            .scalar()
            .await
            .expect("a count");
        assert_eq!(joined, 2, "both participate in the shared session");
        app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_disconnected_caller_changes_nothing() {
    on_each("a_disconnected_caller_changes_nothing", async |place| {
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org: Org = app.organization("Marlow Ridge").await;
        let analysis = app.services().analysis.clone();
        let mara = org.mara.principal();
        let asking: Vec<_> = (0..30)
            .map(|_| {
                let analysis = analysis.clone();
                tokio::spawn(async move { analysis.admit(&mara, ask("good"), None).await })
            })
            .collect();
        tokio::task::yield_now().await;
        for (n, one) in asking.iter().enumerate() {
            if n % 2 == 0 {
                one.abort();
            }
        }
        let mut answered = 0;
        for one in asking {
            match one.await {
                Ok(outcome) => {
                    outcome.expect("admitted");
                    answered += 1;
                }
                Err(error) => assert!(error.is_cancelled(), "{error}"),
            }
        }
        // Runs of disconnected callers are stored completely or not at all.
        let (sessions, messages, jobs, reserved) = row_counts(&app, org.id).await;
        assert!((answered..=30).contains(&messages), "{messages}");
        assert_eq!((sessions, jobs, reserved), (messages, messages, messages));
        check_ledger(&app, org.id).await;
        app.stop().await;
    })
    .await;
}

//! What people and organizations may spend on models. The ledger is right with any counts of a provider.

use std::time::{Duration, Instant};

use corbel::accounts::model::Plan;
use corbel::audit::store::{self as audit, Actor};
use corbel::base::ids::OrgId;
use corbel::base::money::MicroUsd;
use corbel::base::principal::Role;
use corbel::keys::model::Environment;
use corbel::usage::model_limits::ModelLimits;
use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{Modelled, borrowed, settings_of};
use crate::harness::api::Api;
use crate::harness::app::{Org, Running, on_each};
use crate::harness::browser::Browser;
use crate::harness::model_server::{ModelServer, Reply};
use crate::harness::process::Process;

const QUESTION: &str = "DSCR with NOI of 1,200,000 and debt service of 900,000?";

/// Asks and gives the answer.
async fn ask(api: &Api) -> Value {
    let question = json!({ "question": QUESTION, "wait": true });
    api.post("/users/run-models", &question).await.expect(200)
}

async fn audited(app: &Running, org: OrgId, action: &str) -> usize {
    let lines = audit::list(&app.services().db, org, 100)
        .await
        .expect("the audit log");
    lines.iter().filter(|line| line.action == action).count()
}

async fn settled(app: &Running, org: OrgId) -> Vec<i64> {
    let ledger = app.services().usage.ledger(org).await.expect("the ledger");
    assert!(ledger.consistent, "{:?}", ledger.faults);
    let ends = ledger
        .entries
        .iter()
        .filter(|entry| entry.kind.as_str() == "settle");
    ends.map(|entry| entry.charged.0).collect()
}

#[tokio::test]
async fn a_budget_that_is_spent_leaves_the_built_in_analyst() {
    on_each("budgets", async |place| {
        // 30,000 micro-dollars for each answer; the budget of a person and a day is 62,000.
        let settings = [
            ("CORBEL_MODEL_RUN_USD", "0.04"),
            ("CORBEL_MODEL_PERSON_USD", "0.062/1"),
        ];
        let run = Modelled::start_with(&place, "openai", &settings).await;
        run.model.respond(|_, _| Reply::text("Done.").usage(10_000, 0));
        let (app, org) = (&run.app, run.org.id);
        let first = ask(&run.api).await;
        assert_eq!(
            (&first["model"], audited(app, org, "model.budget_near").await),
            (&json!("svc-pro"), 0)
        );
        let second = ask(&run.api).await;
        assert_eq!(
            (&second["model"], audited(app, org, "model.budget_near").await),
            (&json!("svc-pro"), 1)
        );
        let third = ask(&run.api).await;
        assert_eq!(third["model"], "svc-local", "{third:#}");
        let warnings = third["warnings"].to_string();
        assert!(
            warnings.contains("Your budget for the language model is used up for this day"),
            "{warnings}"
        );
        assert_eq!(third["figures"][0]["name"], "dscr", "{third:#}");

        // The budget of the organization, as its administrator sets it: 93,000 for a day, of which 60,000 are spent.
        let admin = app.member(&run.org, "Ada", Role::Admin).await;
        let mut browser = Browser::of(app, &admin).await;
        let mut form = browser
            .get("/console/models")
            .await
            .form("action=\"/console/models\"");
        form.iter_mut()
            .filter(|(name, _)| name == "orgDay")
            .for_each(|field| field.1 = "0.093".to_owned());
        let page = browser.post("/console/models", &form).await;
        assert!(page.text.contains("The limits are saved."), "{}", page.text);
        let key = app.key(&run.org.noel, Environment::Production).await;
        let noel = app.api(&key).await;
        assert_eq!(ask(&noel).await["model"], "svc-pro");
        let last = ask(&noel).await;
        assert_eq!(last["model"], "svc-local", "{last:#}");
        assert!(
            last["warnings"]
                .to_string()
                .contains("This organization's budget"),
            "{last:#}"
        );

        // What the administrator sees, and others do not.
        let page = browser.get("/console/models").await.text;
        for shown in [
            "Mara of",
            "0.06<",
            "HTTP API",
            "svc-pro",
            "0.09",
            "has spent 0.06 of 0.062 USD today",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(browser.get("/console").await.text.contains("nearly spent"));
        let mut member = Browser::of(app, &run.org.noel).await;
        assert_ne!(member.get("/console/models").await.status, StatusCode::OK);
        assert!(!member.get("/console").await.text.contains("nearly spent"));
        assert_eq!(audited(app, org, "model.limits_set").await, 1);
        assert_eq!(
            settled(app, org).await.iter().sum::<i64>(),
            3 * 30_000 + 5 * 1_000
        );
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn limits_of_a_day_are_not_above_those_of_the_month() {
    on_each("form of limits", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let admin = run.app.member(&run.org, "Ada", Role::Admin).await;
        let mut browser = Browser::of(&run.app, &admin).await;
        for (field, value) in [("personDay", "9"), ("run", "-1"), ("orgMonth", "much")] {
            let mut form = browser
                .get("/console/models")
                .await
                .form("action=\"/console/models\"");
            for (name, text) in &mut form {
                match name.as_str() {
                    "personMonth" if field == "personDay" => "5".clone_into(text),
                    name if name == field => value.clone_into(text),
                    _ => {}
                }
            }
            let page = browser.post("/console/models", &form).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{field}: {}", page.text);
            assert!(
                page.text.contains(&format!("value=\"{value}\"")),
                "{field}: {}",
                page.text
            );
        }
        assert_eq!(audited(&run.app, run.org.id, "model.limits_set").await, 0);
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn three_hundred_runs_at_once_spend_the_credit_of_ten() {
    on_each("parallel spending", async |place| {
        let settings = [("CORBEL_MODEL_RUN_USD", "0.04")];
        let run = Modelled::start_with(&place, "openai", &settings).await;
        run.model.respond(|_, _| {
            Reply::text("Done.")
                .usage(13_000, 0)
                .delay(Duration::from_millis(300))
        });
        let accounts = &run.app.services().accounts;
        let credit = 400_000;
        let org = accounts
            .create_org(Actor::OPERATOR, "Small Credit", Plan::Pro, Some(MicroUsd(credit)))
            .await
            .expect("organization")
            .id;
        let own = Org {
            id: org,
            mara: run.org.mara,
            noel: run.org.noel,
        };
        let mara = run.app.member(&own, "Mina", Role::Member).await;
        let api = run
            .app
            .api(&run.app.key(&mara, Environment::Production).await)
            .await;
        let body = json!({ "question": QUESTION });
        let replies = join_all((0..300).map(|_| api.post("/users/run-models", &body))).await;
        let admitted: Vec<Value> = replies
            .into_iter()
            .filter(|reply| reply.status == StatusCode::ACCEPTED)
            .map(|reply| reply.expect(202))
            .collect();
        assert!(
            (10..=20).contains(&admitted.len()),
            "{} were admitted",
            admitted.len()
        );
        for one in &admitted {
            let id = one["messageId"].as_str().expect("an id").parse().expect("an id");
            let wait = run
                .app
                .services()
                .analysis
                .wait(org, id, Duration::from_secs(60))
                .await;
            wait.expect("the turn").expect("an end");
        }
        let charged: i64 = settled(&run.app, org).await.iter().sum();
        assert!(charged <= credit, "{charged} of {credit}");
        let balances = run.app.services().usage.check(org).await.expect("a check");
        assert_eq!(balances.1, Vec::<String>::new());
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_run_costs_at_most_what_was_reserved_with_any_counts() {
    on_each("counts of providers", async |place| {
        for wire in super::WIRES {
            let settings = [
                ("CORBEL_MODEL_RUN_USD", "0.05"),
                ("CORBEL_MODEL_ORG_USD", "10/10"),
            ];
            let run = Modelled::start_with(&place, wire, &settings).await;
            for (reply, least, most) in [
                (
                    Reply::text("Done.").usage(u64::MAX / 4, u64::MAX / 4),
                    50_000,
                    50_000,
                ),
                (Reply::text("Done.").usage(9_000_000_000_000, 1), 50_000, 50_000),
                (Reply::text("Done.").usage(0, 0), 5_000, 50_000),
                (Reply::text("Done.").without_usage(), 5_000, 50_000),
            ] {
                run.model.push(reply);
                let answer = run.ask(QUESTION).await;
                assert_eq!(answer["model"], "svc-pro", "{answer:#}");
                let charged = run.charged(&answer).await;
                assert!((least..=most).contains(&charged), "{wire}: {charged}");
            }
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn nobody_pays_twice_if_the_process_is_killed_after_the_answer() {
    on_each("a process killed after the answer", async |place| {
        let model = ModelServer::start().await;
        model.respond(|_, _| Reply::text("Done.").usage(10_000, 0));
        let mut settings = settings_of(&model, "openai");
        settings.push(("CORBEL_LEASE_SECONDS", "1".to_owned()));
        settings.push(("CORBEL_MODEL_ORG_USD", "1/1".to_owned()));
        settings.push(("CORBEL_MODEL_RUN_USD", "0.05".to_owned()));
        let settings = borrowed(&settings);
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        let key = app.key(&org.mara, Environment::Production).await;
        app.stop().await;
        let mut asked = Vec::new();
        // A run that crashes three times is given up.
        for pause in [0, 10] {
            let calls = model.calls();
            let process = Process::start(&place, &settings);
            let api = Api::new(&process.url, Some(&key)).await;
            let admitted = api
                .post("/users/run-models", &json!({ "question": QUESTION }))
                .await
                .expect(202);
            asked.push(admitted["messageId"].as_str().expect("an id").to_owned());
            let begun = Instant::now();
            while model.calls() == calls || model.open_calls() > 0 {
                assert!(
                    begun.elapsed() < Duration::from_secs(30),
                    "the model is not asked"
                );
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            tokio::time::sleep(Duration::from_millis(pause)).await;
            drop(process);
        }
        let process = Process::start(&place, &settings);
        let api = Api::new(&process.url, Some(&key)).await;
        for id in &asked {
            let path = format!("/users/me/chat-messages/{id}");
            let mut answer = Value::Null;
            for _ in 0..300 {
                answer = api.get(&path).await.expect(200);
                if answer["status"] != "processing" {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            assert!(answer.to_string().contains("completed"), "{answer}");
        }
        drop(process);
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        assert_eq!(settled(&app, org.id).await, vec![31_000; asked.len()]);
        let principal = org.mara.principal();
        let budgets = app
            .services()
            .usage
            .model_budgets(&principal)
            .await
            .expect("budgets");
        assert_eq!(
            budgets[0].spent.0,
            30_000 * i64::try_from(asked.len()).expect("few")
        );
        // Nothing stays held: the whole rest of the budget can be reserved.
        let held: i64 = sum_held(&app).await;
        assert_eq!(held, 0);
        app.stop().await;
    })
    .await;
}

async fn sum_held(app: &Running) -> i64 {
    let db = &app.services().db;
    db.read()
        .query("SELECT CAST(COALESCE(SUM(held), 0) AS BIGINT) FROM model_spend")
        .scalar()
        .await
        .expect("a sum")
}

#[tokio::test]
async fn what_a_failed_run_spent_counts_although_nobody_is_charged() {
    on_each("spending of failed runs", async |place| {
        let run = Modelled::start_with(&place, "openai", &[("CORBEL_MODEL_CALL_SECONDS", "1")]).await;
        let call = json!({ "goal": "noi", "known": {} });
        run.model
            .push(Reply::calls([("a", "calculate", call)]).usage(10_000, 0));
        run.model.respond(|_, _| Reply::status(503));
        let answer = run.ask("Hello there, how do you do?").await;
        assert_eq!(answer["failure"], "model_unavailable", "{answer:#}");
        assert_eq!(run.charged(&answer).await, 0);
        let principal = run.org.mara.principal();
        let budgets = run
            .app
            .services()
            .usage
            .model_budgets(&principal)
            .await
            .expect("budgets");
        assert_eq!((budgets[0].spent.0, sum_held(&run.app).await), (30_000, 0));
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn parallel_runs_stay_below_a_budget_together() {
    on_each("parallel runs and a budget", async |place| {
        let settings = [
            ("CORBEL_MODEL_RUN_USD", "0.041"),
            ("CORBEL_MODEL_PERSON_USD", "0.2/1"),
        ];
        let run = Modelled::start_with(&place, "openai", &settings).await;
        run.model.respond(|_, _| {
            Reply::text("Done.")
                .usage(13_000, 0)
                .delay(Duration::from_millis(300))
        });
        let replies = join_all((0..40).map(|_| run.admitted(json!({ "question": QUESTION })))).await;
        let mut by_model = 0;
        for message in replies {
            by_model += usize::from(run.ended(message).await["model"] == "svc-pro");
        }
        assert!(
            (5..=6).contains(&by_model),
            "{by_model} were answered by the model"
        );
        let principal = run.org.mara.principal();
        let budgets = run
            .app
            .services()
            .usage
            .model_budgets(&principal)
            .await
            .expect("budgets");
        assert!(budgets[0].spent.0 <= 200_000, "{:?}", budgets[0].spent);
        assert_eq!(sum_held(&run.app).await, 0);
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn only_administrators_set_limits() {
    on_each("rights on limits", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let usage = &run.app.services().usage;
        let set = usage
            .set_model_limits(&run.org.mara.principal(), ModelLimits::default())
            .await;
        assert!(set.is_err(), "a member set limits");
        run.app.stop().await;
    })
    .await;
}

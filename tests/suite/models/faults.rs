//! Every fault at the model: what the run becomes, how often it is tried, and what it costs.

use std::time::{Duration, Instant};

use corbel::keys::model::Environment;
use serde_json::{Value, json};

use super::{Modelled, WIRES, borrowed, settings_of};
use crate::harness::api::Api;
use crate::harness::app::{Place, on_each};
use crate::harness::log;
use crate::harness::model_server::{ModelServer, Quirk, Reply};
use crate::harness::process::Process;

/// A question that the offline analyst answers exactly, and one that it does not.
const EXACT: &str = "What is the DSCR with NOI of 1,200,000 and debt service of 900,000?";
const VAGUE: &str = "Hello there, how do you do?";

#[tokio::test]
async fn faults_that_pass_are_tried_again() {
    on_each("passing faults of a model", async |place| {
        for wire in WIRES {
            let run = Modelled::start_with(&place, wire, &[("CORBEL_MODEL_CALL_SECONDS", "1")]).await;
            for fault in [
                Reply::status(429).retry_after(1),
                Reply::status(500),
                Reply::status(503),
                Reply::status(529),
                Reply::status(429).code("rate_limit_exceeded"),
                Reply::text("half of it").cut(),
                Reply::text("half of it, and then nothing").stall(),
                Reply::silence(),
                Reply::hang_up(),
                Reply::garbage(),
            ] {
                let what = format!("{wire}: {fault:?}");
                let before = run.model.calls();
                run.model.push(fault);
                run.model.push(Reply::text("Very well, thank you."));
                let answer = run.ask(VAGUE).await;
                assert_eq!(answer["model"], "svc-pro", "{what}: {answer:#}");
                assert_eq!(answer["result"], "Very well, thank you.", "{what}");
                assert_eq!(run.model.calls() - before, 2, "{what}");
            }
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn lasting_faults_are_answered_offline_or_fail() {
    on_each("lasting faults of a model", async |place| {
        for wire in WIRES {
            let run = Modelled::start_with(&place, wire, &[("CORBEL_MODEL_CALL_SECONDS", "1")]).await;
            for (fault, tries) in [
                (Reply::status(500), 3),
                (Reply::hang_up(), 3),
                (Reply::garbage(), 3),
                (Reply::silence(), 3),
                (Reply::status(400), 1),
                (Reply::status(401), 1),
                (Reply::status(403), 1),
                (Reply::status(404), 1),
                (Reply::redirect(302), 1),
                // It asks for more time than the run has.
                (Reply::status(429).retry_after(3_600), 1),
                (Reply::status(429).retry_after(u64::MAX), 1),
            ] {
                let what = format!("{wire}: {fault:?}");
                let own = fault.clone();
                run.model.respond(move |_, _| own.clone());
                let before = run.model.calls();
                let exact = run.ask(EXACT).await;
                assert_eq!(run.model.calls() - before, tries, "{what}");
                assert_eq!(
                    (&exact["status"], &exact["model"]),
                    (&json!("completed"), &json!("svc-local")),
                    "{what}"
                );
                assert_eq!(exact["figures"][0]["name"], "dscr", "{what}: {exact:#}");
                assert!(
                    exact["warnings"].to_string().contains("could not be reached"),
                    "{what}: {exact:#}"
                );
                assert_eq!(run.charged(&exact).await, 1_000, "{what}");
                let vague = run.ask(VAGUE).await;
                assert_eq!(vague["status"], "failed", "{what}: {vague:#}");
                assert_eq!(vague["failure"], "model_unavailable", "{what}");
                assert_eq!(run.charged(&vague).await, 0, "{what}");
            }
            assert!(run.model.followed().is_empty(), "a redirect was followed");
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn answers_that_are_refused_or_cut_off_say_so() {
    on_each("refused and cut answers", async |place| {
        for wire in WIRES {
            let run = Modelled::start(&place, wire).await;
            run.model.push(Reply::refusal("I cannot help with that."));
            let refused = run.ask(EXACT).await;
            assert_eq!(
                (&refused["status"], &refused["success"]),
                (&json!("completed"), &json!(false)),
                "{wire}: {refused:#}"
            );
            assert!(
                refused["quickReply"]
                    .as_str()
                    .expect("a text")
                    .contains("declined"),
                "{wire}: {refused:#}"
            );
            let finish = if wire == "openai" { "length" } else { "max_tokens" };
            run.model
                .push(Reply::text("The answer is long and").finish(finish));
            let cut = run.ask(VAGUE).await;
            assert!(cut["warnings"].to_string().contains("cut off"), "{wire}: {cut:#}");
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn odd_streams_are_read() {
    on_each("odd streams", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let known = json!({ "goal": "going_in_cap_rate", "known": { "noi": "$612k", "price": "$9.4m" } });
        let call = || Reply::calls([("a", "calculate", known.clone())]);
        for (quirk, reply) in [
            ("no index", call().quirk(Quirk::NoIndex)),
            ("null index", call().quirk(Quirk::NullIndex)),
            ("huge index", call().quirk(Quirk::HugeIndex)),
            ("object arguments", call().quirk(Quirk::ObjectArguments)),
            ("arguments in pieces", call().quirk(Quirk::ArgumentsIn(9))),
            ("bytes in pieces", call().quirk(Quirk::BytesIn(2))),
            ("no end mark", call().quirk(Quirk::NoDone)),
            ("keep-alives", call().quirk(Quirk::KeepAlives)),
            ("line ends", call().quirk(Quirk::CrLf)),
        ] {
            run.model.push(reply);
            run.model
                .push(Reply::text("The going-in cap rate is 6,51 % – or 6.51 %."));
            let answer = run.ask("NOI $612k, price $9.4m: going-in cap rate?").await;
            assert_eq!(answer["model"], "svc-pro", "{quirk}: {answer:#}");
            assert_eq!(
                answer["figures"][0]["name"], "going_in_cap_rate",
                "{quirk}: {answer:#}"
            );
        }
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_slow_answer_is_read_to_its_end() {
    on_each("slow answers", async |place| {
        let run = Modelled::start_with(&place, "openai", &[("CORBEL_MODEL_CALL_SECONDS", "1")]).await;
        let text = "A word after the other, and none of them late. ".repeat(4);
        run.model
            .push(Reply::text(text.clone()).slow(Duration::from_millis(300)));
        let begun = Instant::now();
        let answer = run.ask(VAGUE).await;
        assert_eq!(answer["result"], text.trim(), "{answer:#}");
        assert!(begun.elapsed() > Duration::from_secs(1), "it was not slow");
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn tokens_without_counts_are_estimated() {
    on_each("no counts", async |place| {
        for wire in WIRES {
            let run = Modelled::start(&place, wire).await;
            run.model
                .push(Reply::text("Very well, thank you.").without_usage());
            let answer = run.ask(VAGUE).await;
            let charged = run.charged(&answer).await;
            let size = run.last_prompt().len();
            // Between a third and a fifth of the bytes are tokens, at 3 micro-dollars each.
            let estimate = i64::try_from(size).expect("small");
            assert!(
                (estimate / 5 * 3..=estimate).contains(&(charged - 1_000)),
                "{wire}: {charged} for {size} bytes"
            );
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_endless_answer_costs_little_memory() {
    on_each("endless answers", async |place| {
        let served = Served::start(&place, &[]).await;
        let before = served.process.resident();
        served.model.respond(|_, _| Reply::huge(200 << 20));
        let question = json!({ "question": EXACT, "wait": true });
        let answer = served.api.post("/users/run-models", &question).await.expect(200);
        assert_eq!(answer["model"], "svc-local", "{answer:#}");
        let grown = served.process.resident().saturating_sub(before);
        assert!(grown < 100 << 20, "{} MB", grown >> 20);
        assert!(served.model.bytes_sent() < 200 << 20, "all of it was read");
    })
    .await;
}

/// The real binary with a scripted model: a process of its own, whose memory no other test uses.
struct Served {
    process: Process,
    model: ModelServer,
    api: Api,
    /// Of another member.
    noel: Api,
}

impl Served {
    async fn start(place: &Place, more: &[(&str, &str)]) -> Self {
        let model = ModelServer::start().await;
        let own = settings_of(&model, "openai");
        let mut settings = borrowed(&own);
        settings.extend_from_slice(more);
        let app = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = app.organization("Marlow Ridge").await;
        let mara = app.key(&org.mara, Environment::Production).await;
        let noel = app.key(&org.noel, Environment::Production).await;
        app.stop().await;
        let process = Process::start(place, &settings);
        let api = Api::new(&process.url, Some(&mara)).await;
        let noel = Api::new(&process.url, Some(&noel)).await;
        Self {
            process,
            model,
            api,
            noel,
        }
    }
}

#[tokio::test]
async fn a_stopped_run_ends_its_call_at_once() {
    on_each("stopping in a call", async |place| {
        for wire in WIRES {
            let run = Modelled::start(&place, wire).await;
            run.model.respond(|_, _| Reply::silence());
            let message = run.admitted(json!({ "question": VAGUE })).await;
            run.model.until_open(1).await;
            let begun = Instant::now();
            let services = run.app.services();
            let found = services
                .sessions
                .message(run.org.id, message)
                .await
                .expect("the turn");
            let (analysis, org, turn) = (services.analysis.clone(), run.org.id, found.clone());
            let stopped = services.db.write(move |tx| {
                let (analysis, turn) = (analysis.clone(), turn.clone());
                Box::pin(async move {
                    analysis
                        .stop_in(tx, org, &turn, corbel::analysis::service::Stop::Asked)
                        .await
                })
            });
            assert!(stopped.await.expect("stopped"));
            run.app
                .until("the call ends", async || run.model.open_calls() == 0)
                .await;
            assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
            let ended = run.ended(message).await;
            assert_eq!(ended["failure"], "run_stopped");
            assert_eq!(run.charged(&ended).await, 0);
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn two_hundred_runs_wait_at_once_and_hold_no_slot() {
    on_each("waiting runs", async |place| {
        let served = Served::start(&place, &[("CORBEL_MODEL_RUN_USD", "0.05")]).await;
        served.model.respond(|_, _| Reply::silence());
        let before = served.process.resident();
        for _ in 0..100 {
            for api in [&served.api, &served.noel] {
                let admitted = api.post("/users/run-models", &json!({ "question": VAGUE })).await;
                assert_eq!(admitted.status, 202);
            }
        }
        let begun = Instant::now();
        while served.model.most_open() < 200 {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{} wait",
                served.model.most_open()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let grown = served.process.resident().saturating_sub(before);
        assert!(grown < 200 << 20, "{} MB for 200 waiting runs", grown >> 20);
        // The offline analyst still answers at once.
        let begun = Instant::now();
        let question = json!({ "question": EXACT, "user": { "modelType": "svc-local" }, "wait": true });
        let answer = served.api.post("/users/run-models", &question).await.expect(200);
        assert_eq!(answer["model"], "svc-local");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    })
    .await;
}

#[tokio::test]
async fn no_prompt_tool_or_key_text_is_logged() {
    log::capture();
    on_each("logs of a model run", async |place| {
        let run = Modelled::start(&place, "openai").await;
        let known =
            json!({ "goal": "going_in_cap_rate", "known": { "noi": "$612k", "canaryArgument": "$9.4m" } });
        run.model.push(Reply::calls([("a", "calculate", known)]));
        run.model.push(Reply::text("canaryReply").cut());
        run.model
            .push(Reply::status(500).saying("canaryError about canaryQuestion"));
        run.model.push(Reply::status(400).saying("canaryError"));
        let answer: Value = run.ask("canaryQuestion: NOI $612k, price $9.4m?").await;
        assert_eq!(answer["status"], "failed", "{answer:#}");
        let logged = log::all();
        assert!(
            logged.contains("the language model is away"),
            "nothing was logged"
        );
        for canary in [
            "canaryArgument",
            "canaryReply",
            "canaryError",
            "canaryQuestion",
            run.model.key(),
        ] {
            assert!(!logged.contains(canary), "{canary} was logged");
        }
        run.app.stop().await;
    })
    .await;
}

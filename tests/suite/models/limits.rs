//! Hard limits of a run: steps, repeated calls, time, tokens, cost.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Modelled, WIRES};
use crate::harness::app::on_each;
use crate::harness::model_server::Reply;

const QUESTION: &str = "NOI $612k, price $9.4m: going-in cap rate?";

/// Another call each time: the same one is not run twice.
fn call(number: usize) -> Reply {
    let goals = [
        "going_in_cap_rate",
        "debt_yield",
        "dscr",
        "cash_on_cash",
        "ltv",
        "grm",
    ];
    let goal = goals[(number - 1) % goals.len()];
    let known = json!({ "goal": goal, "known": { "noi": "$612k", "price": "$9.4m" } });
    Reply::calls([(&*format!("call_{number}"), "calculate", known)])
}

/// Whether a request lets the model call something.
fn allows_calls(body: &Value) -> bool {
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let closed = body["tool_choice"] == "none" || body["tool_choice"]["type"] == "none";
    has_tools && !closed
}

#[tokio::test]
async fn the_last_step_goes_without_calls() {
    on_each("steps", async |place| {
        for wire in WIRES {
            let run = Modelled::start_with(&place, wire, &[("CORBEL_MODEL_STEPS", "4")]).await;
            run.model.respond(|body, number| {
                if allows_calls(body) {
                    call(number)
                } else {
                    Reply::text("The going-in cap rate is 6.51 %.")
                }
            });
            let answer = run.ask(QUESTION).await;
            run.check_requests();
            assert_eq!(run.model.calls(), 4, "{wire}");
            assert_eq!(
                answer["figures"][0]["name"], "going_in_cap_rate",
                "{wire}: {answer:#}"
            );
            assert!(answer["warnings"].to_string().contains("steps"), "{answer:#}");
            run.app.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_same_failing_call_is_not_run_twice() {
    on_each("repeated calls", async |place| {
        let run = Modelled::start(&place, "openai").await;
        run.model.respond(|body, number| {
            if allows_calls(body) {
                let known = json!({ "goal": "no_such_goal", "known": {} });
                Reply::calls([(&*format!("call_{number}"), "calculate", known)])
            } else {
                Reply::text("I could not find that out.")
            }
        });
        let answer = run.ask(QUESTION).await;
        assert_eq!(answer["status"], "completed", "{answer:#}");
        assert!(run.model.calls() <= 5, "{} calls", run.model.calls());
        assert_eq!(
            answer["reasoning"]
                .as_str()
                .expect("steps")
                .matches("no_such_goal")
                .count(),
            2,
            "{answer:#}"
        );
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_run_never_costs_more_than_it_may() {
    on_each("cost of a run", async |place| {
        let cap = [("CORBEL_MODEL_RUN_USD", "0.15")];
        let run = Modelled::start_with(&place, "openai", &cap).await;
        run.model.respond(|body, number| {
            if allows_calls(body) {
                call(number).usage(12_000, 300)
            } else {
                Reply::text("The going-in cap rate is 6.51 %.").usage(12_000, 100)
            }
        });
        let answer = run.ask(QUESTION).await;
        assert_eq!(answer["status"], "completed", "{answer:#}");
        assert!(answer["warnings"].to_string().contains("cost"), "{answer:#}");
        assert!(run.model.calls() < 6, "{}", run.model.calls());
        let charged = run.charged(&answer).await;
        assert!(charged <= 150_000, "{charged}");
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_run_ends_in_its_time() {
    on_each("time of a run", async |place| {
        let settings = [
            ("CORBEL_MODEL_RUN_SECONDS", "4"),
            ("CORBEL_MODEL_CALL_SECONDS", "3"),
        ];
        let run = Modelled::start_with(&place, "openai", &settings).await;
        run.model.respond(|body, number| {
            if allows_calls(body) {
                call(number).delay(Duration::from_millis(1_200))
            } else {
                Reply::text("The going-in cap rate is 6.51 %.")
            }
        });
        let begun = Instant::now();
        let answer = run.ask(QUESTION).await;
        assert!(begun.elapsed() < Duration::from_secs(7), "{:?}", begun.elapsed());
        assert_eq!(answer["figures"][0]["name"], "going_in_cap_rate", "{answer:#}");
        assert!(answer["warnings"].to_string().contains("time"), "{answer:#}");
        run.app.stop().await;
    })
    .await;
}

#[tokio::test]
async fn long_texts_are_trimmed_to_the_context() {
    on_each("context", async |place| {
        let settings = [("CORBEL_MODEL_CONTEXT", "16000")];
        let run = Modelled::start_with(&place, "openai", &settings).await;
        for number in 0..6 {
            let text = format!(
                "The harbour note number {number}. {}",
                "Words of it. ".repeat(900)
            );
            let note = json!({ "memoryType": "user_memory", "noteTitle": "Harbour", "noteContext": text });
            run.api.post("/users/add-to-memory", &note).await.expect(201);
        }
        run.model.respond(|_, _| Reply::text("Nothing."));
        let answer = run.ask("What do the harbour notes say at the end of all?").await;
        assert_eq!(answer["status"], "completed", "{answer:#}");
        let prompt = run.last_prompt();
        assert!(prompt.len() < 16_000 * 4, "{} bytes", prompt.len());
        assert!(prompt.contains("at the end of all?"), "the question must stay");
        run.app.stop().await;
    })
    .await;
}

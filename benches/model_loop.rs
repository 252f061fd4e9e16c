//! What the loop of a language model costs: one call to the model with one call of a tool, and the answer, with a
//! prompt of some 8,000 tokens. Paired in one run with the bare client, which sends the same prompts and reads the same
//! replies.
//!
//! CPU time of the thread that asks; the server of canned replies has a thread of its own. `--waiting N` also says what
//! N waiting runs add to the memory of this process.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program that measures"
)]

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use axum::routing::post;
use corbel::analysis::engine::{Brief, EarlierTurn};
use corbel::analysis::engines::model::agent::Agent;
use corbel::analysis::engines::model::client::ModelClient;
use corbel::analysis::engines::model::message::{Mode, Prompt, Turn};
use corbel::analysis::engines::model::settings::{Limits, ModelSettings, Price};
use corbel::analysis::tools::kit::Tools;
use corbel::analysis::tools::typed::run::TypedCalls;
use corbel::base::model::Model;
use corbel::base::money::MicroUsd;
use corbel::base::safe_markdown::hosts::LinkHosts;
use corbel::base::secret::Secret;
use corbel::net::guard::Guard;
use corbel::net::model_transport::ModelTransport;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use tokio::time::Instant;

const ROUNDS: u32 = 300;
const QUESTION: &str = "We pay $9.4m for NOI of $612k. What is the going-in cap rate?";

fn main() {
    let url = serve();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let waiting = std::env::args().skip_while(|one| one != "--waiting").nth(1);
    runtime.block_on(async {
        let settings = settings(url);
        let guard = Guard { allow_loopback: true };
        let transport = ModelTransport::new(guard, settings.limits.silence).unwrap();
        let client = ModelClient::new(&settings, Model::Pro, transport).unwrap();
        let brief = brief();
        let (mut bare, mut whole, mut tool) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        for round in 0..ROUNDS + 20 {
            let (one, two, three) = (
                bare_calls(&client, &brief).await,
                run(&client, &brief).await,
                call(&brief).await,
            );
            // The first rounds warm up.
            if round >= 20 {
                bare += one;
                whole += two;
                tool += three;
            }
        }
        let each = |sum: Duration| sum.as_secs_f64() * 1e3 / f64::from(ROUNDS);
        let (bare, whole, tool) = (each(bare), each(whole), each(tool));
        println!("bare client, two calls: {bare:.3} ms; loop: {whole:.3} ms; the tool alone: {tool:.3} ms");
        println!("the loop costs {:.3} ms beyond both", whole - bare - tool);
        if let Some(count) = waiting.and_then(|count| count.parse().ok()) {
            wait(&client, &brief, count).await;
        }
    });
}

/// Memory of runs that wait for the first reply.
async fn wait(client: &ModelClient, brief: &Brief, count: u32) {
    let silent = Brief {
        question: format!("{QUESTION} (silence)"),
        ..brief.clone()
    };
    let before = resident();
    let runs = (0..count).map(|_| run(client, &silent));
    let all = futures_util::future::join_all(runs);
    let _ = tokio::time::timeout(Duration::from_secs(5), all).await;
    println!(
        "{count} waiting runs: {} kB each",
        (peak() - before) / u64::from(count)
    );
}

/// The two prompts of a run, through the client alone.
async fn bare_calls(client: &ModelClient, brief: &Brief) -> Duration {
    let tools = Tools::default();
    // Making the schemas is no part of the client's work.
    let calls = TypedCalls::new(brief, &tools, &[]).await.unwrap();
    let mut turns: Vec<Turn> = brief
        .turns
        .iter()
        .map(|turn| Turn::Person(turn.answer.clone()))
        .collect();
    turns.push(Turn::Person(brief.question.clone()));
    let begun = cpu();
    for _ in 0..2 {
        let prompt = Prompt {
            system: "You answer questions.",
            turns: &turns,
            tools: calls.specs(),
            must_answer: false,
            most_output: 1_000,
        };
        let reply = client.ask(&prompt, Mode::Streamed).await.expect("a reply");
        if let Some(said) = reply.said {
            let results = reply
                .calls
                .into_iter()
                .map(|call| call.answered("{}".to_owned(), false));
            turns.push(Turn::Model(said));
            turns.push(Turn::Results(results.collect()));
        }
    }
    cpu() - begun
}

async fn run(client: &ModelClient, brief: &Brief) -> Duration {
    let tools = Tools::default();
    let begun = cpu();
    let mut calls = TypedCalls::new(brief, &tools, &[]).await.unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let mut agent = Agent::new(client, Limits::default(), (brief, &tools.progress), &calls, until).unwrap();
    let said = agent.run(&mut calls).await.unwrap().expect("an answer");
    assert!(said.text.contains("6.51"), "{}", said.text);
    cpu() - begun
}

/// The tool's own work.
async fn call(brief: &Brief) -> Duration {
    let tools = Tools::default();
    let mut calls = TypedCalls::new(brief, &tools, &[]).await.unwrap();
    let begun = cpu();
    let known = json!({"goal": "going_in_cap_rate", "known": {"noi": "$612k", "price": "$9.4m"}});
    let made = calls.run("calculate", &known).await.unwrap();
    assert!(!made.failed);
    cpu() - begun
}

fn brief() -> Brief {
    // About 2,000 tokens of earlier turns next to the schemas.
    let turn = EarlierTurn {
        question: "What is the policy of renewals?".to_owned(),
        answer: "Renewals are offered ninety days before the end of a lease. ".repeat(30),
    };
    Brief {
        question: QUESTION.to_owned(),
        turns: vec![turn; 4],
        ..Brief::default()
    }
}

fn settings(url: String) -> ModelSettings {
    ModelSettings {
        provider: "openai".to_owned(),
        url: Some(url),
        key: Secret::new("key"),
        name: "canned".to_owned(),
        fast_name: None,
        price: Price::default(),
        fast_price: Price::default(),
        run_cap: MicroUsd::usd(1),
        trial_cap: MicroUsd::ZERO,
        links: LinkHosts::default(),
        limits: Limits::default(),
    }
}

/// Canned replies on a thread of their own: a call first, the answer after its result.
fn serve() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let router = Router::new()
                .route("/v1/chat/completions", post(answer))
                .with_state(());
            axum::serve(listener, router).await.unwrap();
        });
    });
    url
}

async fn answer(State(()): State<()>, body: String) -> Response {
    if body.contains("(silence)") {
        std::future::pending::<()>().await;
    }
    let arguments =
        json!({"goal": "going_in_cap_rate", "known": {"noi": "$612k", "price": "$9.4m"}}).to_string();
    let call = json!({"index": 0, "id": "call_1", "type": "function",
                      "function": {"name": "calculate", "arguments": arguments}});
    let (delta, finish): (Value, &str) = if body.contains("\"role\":\"tool\"") {
        (json!({"content": "The going-in cap rate is 6.51 %."}), "stop")
    } else {
        (json!({"tool_calls": [call]}), "tool_calls")
    };
    let chunk = |delta: Value, finish: Value| {
        json!({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "canned",
               "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 8000, "completion_tokens": 40}});
    let events = [chunk(delta, Value::Null), chunk(json!({}), json!(finish)), usage];
    let mut text: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    text.push_str("data: [DONE]\n\n");
    Response::builder()
        .header(CONTENT_TYPE, "text/event-stream")
        .body(Body::from(text))
        .unwrap()
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

fn resident() -> u64 {
    status("VmRSS:")
}

fn peak() -> u64 {
    status("VmHWM:")
}

/// A number of kilobytes of this process.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

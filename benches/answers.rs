//! The time until the offline analyst's answer is available: POST /users/run-models with `wait` at `corbel
//! serve` (admitted, run, settled and on disk), over the demo's portfolio. The questions come from the tests:
//! calculations, and questions about properties.
//!
//! Run with `cargo bench --bench answers`. Runs on SQLite and, if CORBEL_BENCH_POSTGRES_URL is set, on a
//! temporary database of that PostgreSQL server. Asks one question at a time; CORBEL_BENCH_REQUESTS sets how
//! many of each kind.

#[expect(dead_code, reason = "the benches that compare contenders use more of it")]
mod support;

/// A server and the requests to it.
mod load {
    #[expect(dead_code, reason = "other benches look at its processes")]
    pub mod database;
    #[expect(dead_code, reason = "other benches ask as an organization of their own")]
    pub mod place;
    pub mod requests;
    #[expect(dead_code, reason = "other benches look at a single reply")]
    pub mod send;
    #[expect(dead_code, reason = "nothing is pinned here")]
    pub mod server;
}

use std::time::Duration;

use corbel::app::demo::seed;
use corbel::audit::store::Actor;
use corbel::keys::model::{Environment, NewKey};
use serde_json::Value;

use crate::load::database::TempDatabase;
use crate::load::place::Place;
use crate::load::requests::Requests;
use crate::load::send::send_all;
use crate::load::server::Server;
use crate::support::{Outcome, Scratch, env_var, machine, ms, number, quantile, say};

/// The kinds of questions, and the limit for their median in milliseconds.
const KINDS: [(&str, &str, f64); 2] = [
    (
        "calculations",
        include_str!("../crates/analyst/tests/suite/phrasings.json"),
        30.0,
    ),
    (
        "portfolio questions",
        include_str!("../tests/suite/portfolio/questions.json"),
        80.0,
    ),
];

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let scratch = Scratch::new("answers")?;
        say(machine())?;
        let place = Place {
            data: scratch.path().join("sqlite"),
            database: None,
        };
        measure(&place).await?;
        let Some(server) = env_var("CORBEL_BENCH_POSTGRES_URL") else {
            return say("PostgreSQL is left out: CORBEL_BENCH_POSTGRES_URL is not set");
        };
        let own = TempDatabase::create(&server).await?;
        let place = Place {
            data: scratch.path().join("postgres"),
            database: Some(own.url()?),
        };
        let measured = measure(&place).await;
        own.remove().await?;
        measured
    })
}

async fn measure(place: &Place) -> Outcome {
    let count = number("CORBEL_BENCH_REQUESTS", 1_000)?;
    let app = place.open().await?;
    let services = &app.services;
    let seeded = seed::seed(&app).await?;
    let owner = services
        .accounts
        .member_by_email(seeded.org, seed::MEMBER.email)
        .await?
        .user_id;
    let new = NewKey {
        org: seeded.org,
        owner,
        name: "Bench".to_owned(),
        environment: Environment::Production,
        expires_at: None,
    };
    let (_, key) = services.keys.create(Actor::SYSTEM, new).await?;
    services.db.close().await;
    let server = Server::start(&mut place.serve(2, false))?;
    for (kind, questions, most) in KINDS {
        let questions = questions_of(questions)?;
        let some = |count: usize| {
            let mut requests = Requests::with_room(count, 600);
            for question in questions.iter().cycle().take(count) {
                let body = serde_json::json!({ "question": question, "wait": true }).to_string();
                let head = format!(
                    "POST /users/run-models HTTP/1.1\r\nHost: {}\r\nX-Api-Key: {}\r\nContent-Type: application/json\r\n\
                     Content-Length: {}\r\n\r\n",
                    server.listen,
                    key.expose(),
                    body.len()
                );
                requests.add(&head, body.as_bytes());
            }
            requests
        };
        let limit = Duration::from_secs(600);
        send_all(&server.listen, some(50), 200, 1, limit).await?;
        let (_, mut times) = send_all(&server.listen, some(count), 200, 1, limit).await?;
        times.sort_unstable();
        let at = |q| ms(quantile(&times, q));
        let verdict = if at(0.5) < most { "holds" } else { "DOES NOT HOLD" };
        say(format!(
            "{}: {} {kind} ({} different): p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, slowest {:.2} ms; \
             a median under {most} ms wanted: {verdict}",
            place.kind(),
            times.len(),
            questions.len(),
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        ))?;
    }
    Ok(())
}

/// The questions that need no file.
fn questions_of(text: &str) -> Outcome<Vec<String>> {
    let read: Value = serde_json::from_str(text)?;
    let cases = read.get("cases").unwrap_or(&read).as_array().ok_or("no cases")?;
    let alone = cases.iter().filter(|case| case.get("attachments").is_none());
    let questions: Vec<String> = alone
        .filter_map(|case| case.get("question")?.as_str().map(str::to_owned))
        .collect();
    if questions.is_empty() {
        return Err("no questions".into());
    }
    Ok(questions)
}

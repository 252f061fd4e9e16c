//! What admitting a run costs: `Analysis::admit` (membership, session, message, reservation, ledger
//! and job in one transaction) beside the limit of the same writer: one INSERT of 300 bytes.
//!
//! `cargo bench --bench admission`. One interleaved run on SQLite, synchronous FULL.
//! CORBEL_BENCH_ROUNDS, CORBEL_BENCH_REQUESTS and CORBEL_BENCH_CONNECTIONS (tasks) change its size.

mod support;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::analysis::engine::Tone;
use corbel::analysis::request::RunRequest;
use corbel::app::build::build;
use corbel::app::config::Config;
use corbel::audit::store::Actor;
use corbel::base::clock::Clock;
use corbel::base::principal::{Face, Principal, Role};
use corbel::db::pool::Db;
use corbel::services::Services;
use corbel::sessions::model::Audience;
use corbel::sessions::service::Which;

use crate::support::{Contender, Outcome, Round, Scratch, cpu_of, flush_probe, machine, number, say};

const QUESTION: &str = "What is the monthly payment on a loan of USD 2.4 million at 6.1 % over 30 years?";

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> Outcome {
    let rounds = number("CORBEL_BENCH_ROUNDS", 5)?;
    let requests = number("CORBEL_BENCH_REQUESTS", 10_000)?;
    let tasks = number("CORBEL_BENCH_CONNECTIONS", 64)?;
    let scratch = Scratch::new("admission")?;
    say(machine())?;
    say(format!(
        "{rounds} rounds of {requests} on {tasks} tasks; server and load are one process, not pinned"
    ))?;
    say(format!("before  {}", flush_probe(scratch.path())?))?;

    let values = BTreeMap::from([("CORBEL_DATA_DIR".to_owned(), scratch.path().display().to_string())]);
    let config = Config::from_values(values, Vec::new())?;
    let app = build(&config, Clock::system(), "http://127.0.0.1".to_owned()).await?;
    let services = Arc::new(app.services);
    let asker = asker(&services).await?;
    let bare = Db::open(
        &format!("sqlite://{}", scratch.path().join("bare.db").display()),
        Clock::system(),
    )
    .await?;
    make_table(&bare).await?;

    let mut admissions = Contender::new("analysis.admit");
    let mut inserts = Contender::new("one INSERT of 300 bytes");
    // The first round of each warms up and is not kept.
    for round in 0..=rounds {
        let services = Arc::clone(&services);
        let admitted = measured(requests, tasks, move |task| {
            admit(Arc::clone(&services), asker, task)
        })
        .await?;
        let bare = bare.clone();
        let inserted = measured(requests, tasks, move |task| insert(bare.clone(), task)).await?;
        if round > 0 {
            admissions.rounds.push(admitted);
            inserts.rounds.push(inserted);
        }
    }
    check_rows(&services, requests * (rounds + 1)).await?;
    services.db.close().await;
    bare.close().await;
    say(format!("after   {}", flush_probe(scratch.path())?))?;
    say(machine())?;
    say("")?;
    say(Contender::head())?;
    say(admissions.line())?;
    say(inserts.line())?;
    let times = admissions.cpu_us() / inserts.cpu_us();
    say(format!("\nCPU of an admission / a bare INSERT: {times:.2}"))
}

/// Does `count` units of work on so many tasks at once.
async fn measured<W, F>(count: usize, tasks: usize, work: W) -> Outcome<Round>
where
    W: Fn(usize) -> F + Clone + Send + 'static,
    F: Future<Output = Outcome> + Send,
{
    let (before, start) = (cpu_of(std::process::id())?, Instant::now());
    let begun = Arc::new(AtomicUsize::new(0));
    let mut running = Vec::with_capacity(tasks);
    for task in 0..tasks {
        let (work, begun) = (work.clone(), Arc::clone(&begun));
        running.push(tokio::spawn(async move {
            let mut times = Vec::new();
            while begun.fetch_add(1, Ordering::Relaxed) < count {
                let start = Instant::now();
                work(task).await?;
                times.push(start.elapsed());
            }
            Outcome::Ok(times)
        }));
    }
    let mut times = Vec::with_capacity(count);
    for task in running {
        times.extend(task.await??);
    }
    let (cpu, wall) = (
        cpu_of(std::process::id())?.saturating_sub(before),
        start.elapsed(),
    );
    Ok(Round { cpu, wall, times })
}

/// A turn of a private conversation; each task has one of its own.
async fn admit(services: Arc<Services>, asker: Principal, task: usize) -> Outcome {
    let request = RunRequest {
        question: QUESTION.to_owned(),
        session: Which::Origin {
            origin: format!("bench/{task}"),
            audience: Audience::Private,
        },
        organisation_safe: false,
        tone: Tone::default(),
        fast: false,
        ..RunRequest::default()
    };
    services.analysis.admit(&asker, request, None).await?;
    Ok(())
}

async fn insert(db: Db, task: usize) -> Outcome {
    let inserted = db.write(move |tx| {
        Box::pin(async move {
            let payload = "0123456789".repeat(30);
            tx.query(
                "INSERT INTO bench_runs (tenant, state, payload, created_at) VALUES ($1, 'queued', $2, $3)",
            )
            .bind(i64::try_from(task).unwrap_or_default())
            .bind(payload)
            .bind(1_i64)
            .execute()
            .await?;
            Ok(())
        })
    });
    inserted.await?;
    Ok(())
}

async fn make_table(db: &Db) -> Outcome {
    let made = db.write(|tx| {
        Box::pin(async move {
            tx.query(
                "CREATE TABLE bench_runs (id INTEGER PRIMARY KEY, tenant BIGINT NOT NULL, state TEXT NOT NULL,
                                          payload TEXT NOT NULL, created_at BIGINT NOT NULL)",
            )
            .execute()
            .await?;
            tx.query("CREATE INDEX bench_runs_open ON bench_runs (state, tenant, id)")
                .execute()
                .await?;
            Ok(())
        })
    });
    made.await?;
    Ok(())
}

/// A member of an organization with credit for every run of the bench.
async fn asker(services: &Services) -> Outcome<Principal> {
    let org = services
        .accounts
        .create_org(Actor::OPERATOR, "Bench", Plan::Enterprise, None)
        .await?;
    services
        .usage
        .add_credit(Actor::OPERATOR, org.id, "1000000".parse()?)
        .await?;
    let person = NewPerson {
        email: "bench@example.com".into(),
        name: "Bench".into(),
        role: Role::Member,
        password: None,
    };
    let user = services
        .accounts
        .create_member(Actor::OPERATOR, org.id, person)
        .await?;
    Ok(Principal {
        org: org.id,
        user,
        role: Role::Member,
        face: Face::System,
    })
}

/// Every admission left its message, its reservation and its job.
async fn check_rows(services: &Services, expected: usize) -> Outcome {
    let rows: (i64, i64, i64) = services
        .db
        .query(
            "SELECT (SELECT COUNT(*) FROM messages), (SELECT COUNT(*) FROM jobs),
                    (SELECT COUNT(DISTINCT run_id) FROM usage_entries WHERE kind = 'reserve')",
        )
        .one()
        .await?;
    let expected = i64::try_from(expected)?;
    if rows == (expected, expected, expected) {
        Ok(())
    } else {
        Err(format!("messages, jobs and reservations are {rows:?}, not {expected} each").into())
    }
}

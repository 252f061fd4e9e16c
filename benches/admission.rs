//! The cost of admitting a run (membership, session, message, reservation, ledger and job in one
//! transaction). Measures POST /users/run-models at `corbel serve` until its 202, and `Analysis::admit` in
//! this process, against the limit of the same writer: one INSERT of 300 bytes.
//!
//! Run with `cargo bench --bench admission`. Runs interleaved rounds on SQLite (synchronous FULL) and, if
//! CORBEL_BENCH_POSTGRES_URL is set, on a temporary database of that PostgreSQL server. CORBEL_BENCH_ROUNDS,
//! CORBEL_BENCH_REQUESTS and CORBEL_BENCH_CONNECTIONS (tasks and connections) set the size.

mod support;

/// Requests, and the connections that send them.
mod load {
    #[expect(dead_code, reason = "other benches look at its processes")]
    pub mod database;
    pub mod place;
    pub mod requests;
    #[expect(dead_code, reason = "other benches look at a single reply")]
    pub mod send;
    #[expect(dead_code, reason = "nothing is pinned here")]
    pub mod server;
}

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use corbel::analysis::engine::Tone;
use corbel::analysis::request::RunRequest;
use corbel::base::clock::Clock;
use corbel::base::principal::{Face, Principal, Role};
use corbel::db::args::Sql;
use corbel::db::pool::Db;
use corbel::services::Services;
use corbel::sessions::model::Audience;
use corbel::sessions::model::Which;

use crate::load::database::TempDatabase;
use crate::load::place::{Place, Tenant};
use crate::load::requests::Requests;
use crate::load::send::send_all;
use crate::load::server::Server;
use crate::support::{
    Contender, Outcome, Round, Scratch, cpu_of, env_var, flush_probe, machine, number, say,
};

const QUESTION: &str = "What is the monthly payment on a loan of USD 2.4 million at 6.1 % over 30 years?";
/// Project keys used over HTTP, all of one person: the maximum per person.
const KEYS: usize = 50;
/// Minimum rate of admissions over HTTP on SQLite, as a fraction of the rate of bare inserts.
const LEAST: f64 = 0.25;

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let scratch = Scratch::new("admission")?;
        say(machine())?;
        let place = Place {
            data: scratch.path().join("sqlite"),
            database: None,
        };
        measure(&scratch, &place).await?;
        let Some(server) = env_var("CORBEL_BENCH_POSTGRES_URL") else {
            return say("PostgreSQL is left out: CORBEL_BENCH_POSTGRES_URL is not set");
        };
        let own = TempDatabase::create(&server).await?;
        let place = Place {
            data: scratch.path().join("postgres"),
            database: Some(own.url()?),
        };
        let measured = measure(&scratch, &place).await;
        own.remove().await?;
        measured
    })
}

async fn measure(scratch: &Scratch, place: &Place) -> Outcome {
    let rounds = number("CORBEL_BENCH_ROUNDS", 5)?;
    let requests = number("CORBEL_BENCH_REQUESTS", 10_000)?;
    let clients = number("CORBEL_BENCH_CONNECTIONS", 64)?;
    let kind = place.kind();
    say(format!(
        "\n{kind}: {rounds} rounds of {requests} by {clients} clients; the server is a process of its own beside the \
         load, all else one with it; nothing is pinned"
    ))?;
    say(format!("before  {}", flush_probe(scratch.path())?))?;

    let app = place.open().await?;
    let services = Arc::new(app.services);
    let tenant = Tenant::create(&services, KEYS).await?;
    let asker = Principal {
        org: tenant.org,
        user: tenant.user,
        role: Role::Member,
        face: Face::System,
    };
    let server = Server::start(&mut place.serve(0, false))?;
    let bare = match &place.database {
        Some(url) => url.clone(),
        None => format!("sqlite://{}", scratch.path().join("bare.db").display()),
    };
    let bare = Db::open(&bare, Clock::system()).await?;
    make_table(&bare).await?;

    let mut over_http = Contender::new("POST /users/run-models, 202");
    let mut admissions = Contender::new("analysis.admit");
    let mut inserts = Contender::new("one INSERT of 300 bytes");
    // The first round of each warms up and is discarded.
    for round in 0..=rounds {
        let posted = post(&server, &tenant, requests, clients).await?;
        let services = Arc::clone(&services);
        let admitted = measured(requests, clients, move |task| {
            admit(Arc::clone(&services), asker, task)
        })
        .await?;
        let bare = bare.clone();
        let inserted = measured(requests, clients, move |task| insert(bare.clone(), task)).await?;
        if round > 0 {
            over_http.rounds.push(posted);
            admissions.rounds.push(admitted);
            inserts.rounds.push(inserted);
        }
    }
    check_rows(&services, 2 * requests * (rounds + 1)).await?;
    services.db.close().await;
    bare.close().await;
    say(format!("after   {}", flush_probe(scratch.path())?))?;
    say(machine())?;
    say("")?;
    say(Contender::head())?;
    for one in [&over_http, &admissions, &inserts] {
        say(one.line())?;
    }
    let share = over_http.per_second() / inserts.per_second();
    let verdict = match (&place.database, share >= LEAST) {
        (Some(_), _) => String::new(),
        (None, true) => format!(", at least {LEAST} wanted: holds"),
        (None, false) => format!(", at least {LEAST} wanted: DOES NOT HOLD"),
    };
    let (server, alone, bare) = (over_http.cpu_us(), admissions.cpu_us(), inserts.cpu_us());
    say(format!(
        "CPU of an admission / a bare INSERT: {:.2} in process, {:.2} at the server",
        alone / bare,
        server / bare
    ))?;
    say(format!(
        "{kind}: admissions a second over HTTP / bare INSERTs a second: {share:.2}{verdict}"
    ))
}

/// Admissions over HTTP, each in a new session. CPU time is that of the server.
async fn post(server: &Server, tenant: &Tenant, count: usize, clients: usize) -> Outcome<Round> {
    let mut requests = Requests::with_room(count, 500);
    let body = serde_json::json!({ "question": QUESTION }).to_string();
    for key in tenant.keys.iter().cycle().take(count) {
        let head = format!(
            "POST /users/run-models HTTP/1.1\r\nHost: {}\r\nX-Api-Key: {key}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            server.listen,
            body.len()
        );
        requests.add(&head, body.as_bytes());
    }
    let before = server.cpu()?;
    let (wall, times) = send_all(&server.listen, requests, 202, clients, Duration::from_secs(120)).await?;
    let cpu = server.cpu()?.saturating_sub(before);
    Ok(Round { cpu, wall, times })
}

/// Does `count` units of work in `tasks` concurrent tasks.
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

/// Admits a turn of a private conversation. Each task has its own conversation.
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
            tx.query(Sql::each(
                "CREATE TABLE bench_runs (id INTEGER PRIMARY KEY, tenant BIGINT NOT NULL, state TEXT NOT NULL,
                                          payload TEXT NOT NULL, created_at BIGINT NOT NULL)",
                "CREATE TABLE bench_runs (id BIGSERIAL PRIMARY KEY, tenant BIGINT NOT NULL, state TEXT NOT NULL,
                                          payload TEXT NOT NULL, created_at BIGINT NOT NULL)",
            ))
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

/// Checks that every admission stored its message, reservation and job.
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

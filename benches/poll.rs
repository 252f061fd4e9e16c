//! The cost of one poll: GET /users/me/chat-messages/{id} at `corbel serve` (key recognized, rate counted,
//! message read, response with headers) on SQLite and on PostgreSQL, compared with FastAPI on asyncpg. One
//! interleaved run.
//!
//! Run with `cargo bench --bench poll`. CORBEL_BENCH_POSTGRES_URL names a server for a temporary database;
//! without it, only SQLite runs. CORBEL_BENCH_PYTHON names a Python with fastapi, asyncpg, uvicorn, uvloop
//! and httptools; without it, there is no comparison. The peer is measured twice: reading the message by its
//! key only, which our limits refer to, and also looking up the project key. It never counts rates.
//! CORBEL_BENCH_ROUNDS, CORBEL_BENCH_REQUESTS, CORBEL_BENCH_CONNECTIONS and CORBEL_BENCH_MESSAGES set the
//! size.

mod support;

/// Polls and the connections that send them.
mod load {
    pub mod database;
    pub mod place;
    pub mod requests;
    pub mod send;
    #[expect(dead_code, reason = "other benches look at the process")]
    pub mod server;
    pub mod threads;
}

/// Reading turns.
#[path = "../tests/suite/harness"]
mod harness {
    #[expect(dead_code, reason = "other benches read sessions too")]
    pub mod turns;
}

use std::time::Duration;

use corbel::base::ids::MessageId;
use serde_json::Value;

use crate::harness::turns::{message, store};
use crate::load::database::TempDatabase;
use crate::load::place::{Place, Tenant};
use crate::load::requests::Requests;
use crate::load::send::{send_all, send_one};
use crate::load::server::{Server, command, pin_self, places};
use crate::load::threads::Threads;
use crate::support::{
    Contender, Outcome, Round, Scratch, cpu_of, env_var, flush_probe, machine, number, say,
};

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/poll_fastapi.py");
/// Polls sent before the first round, so that caches and pages are warm.
const WARM_UP: usize = 3_000;
/// Minimum CPU time of the bare peer, as a multiple of ours.
const ON_SQLITE: f64 = 5.0;
const ON_POSTGRES: f64 = 3.0;

fn main() -> Outcome {
    // Pin before the runtime starts threads, which inherit the core.
    let pinned = pin_self();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(measure(pinned))
}

async fn measure(pinned: bool) -> Outcome {
    let rounds = number("CORBEL_BENCH_ROUNDS", 5)?;
    let requests = number("CORBEL_BENCH_REQUESTS", 20_000)?;
    let connections = number("CORBEL_BENCH_CONNECTIONS", 32)?;
    let messages = number("CORBEL_BENCH_MESSAGES", 100_000)? as u64;
    let scratch = Scratch::new("poll")?;
    let own = match env_var("CORBEL_BENCH_POSTGRES_URL") {
        Some(server) => Some(TempDatabase::create(&server).await?),
        None => None,
    };
    say(machine())?;
    say(places(pinned))?;
    say(format!(
        "{rounds} rounds of {requests} polls among {messages} messages on {connections} connections, a key for each"
    ))?;
    say(format!("before  {}", flush_probe(scratch.path())?))?;
    let run = Run {
        own: own.as_ref(),
        rounds,
        requests,
        connections,
        messages,
    };
    let measured = run.all(&scratch, pinned).await;
    if let Some(own) = own {
        own.remove().await?;
    }
    let contestants = measured?;
    say(format!("after   {}", flush_probe(scratch.path())?))?;
    say(machine())?;
    report(&contestants)
}

struct Run<'a> {
    own: Option<&'a TempDatabase>,
    rounds: usize,
    requests: usize,
    connections: usize,
    messages: u64,
}

/// A server under measurement, and how to call it.
struct Contestant {
    /// Contestants on the same server share its address.
    listen: String,
    pid: u32,
    path: &'static str,
    keys: Vec<String>,
    on_postgres: bool,
    measured: Contender,
    /// CPU time of PostgreSQL's processes.
    behind: Duration,
}

impl Run<'_> {
    async fn all(&self, scratch: &Scratch, pinned: bool) -> Outcome<Vec<Contestant>> {
        // Stopped when this function returns.
        let mut servers = Vec::new();
        let mut all = Vec::new();
        let sqlite = Place {
            data: scratch.path().join("sqlite"),
            database: None,
        };
        let mut places = vec![sqlite];
        match self.own {
            Some(own) => places.push(Place {
                data: scratch.path().join("postgres"),
                database: Some(own.url()?),
            }),
            None => say("PostgreSQL and the peer are left out: CORBEL_BENCH_POSTGRES_URL is not set")?,
        }
        let mut keys = Vec::new();
        for place in &places {
            keys = self.fill(place).await?;
            if let Some(own) = self.own.filter(|_| place.database.is_some()) {
                own.vacuum().await?;
            }
            let server = Server::start(&mut place.serve(0, pinned))?;
            let name = format!("Corbel on {}", place.kind());
            let path = "/users/me/chat-messages/";
            all.push(Contestant::new(
                &server,
                name,
                path,
                &keys,
                place.database.is_some(),
            ));
            servers.push(server);
        }
        match (self.own, env_var("CORBEL_BENCH_PYTHON")) {
            (Some(own), Some(python)) => {
                let server = Server::start(
                    command(&python, pinned)
                        .arg(PEER)
                        .env("CORBEL_BENCH_DATABASE", own.url()?),
                )?;
                let version = server.version.clone().unwrap_or_default();
                for (what, path) in [
                    ("message", "/m/"),
                    ("key and message", "/users/me/chat-messages/"),
                ] {
                    let name = format!("FastAPI {version}: {what}");
                    all.push(Contestant::new(&server, name, path, &keys, true));
                }
                servers.push(server);
            }
            (Some(_), None) => say("FastAPI is left out: CORBEL_BENCH_PYTHON is not set")?,
            (None, _) => {}
        }
        for one in &all {
            one.check(message(self.messages / 2)).await?;
            self.round(one, WARM_UP, 0).await?;
        }
        for round in 1..=self.rounds {
            for one in &mut all {
                let before = self.behind(one).await;
                one.measured
                    .rounds
                    .push(self.round(one, self.requests, round).await?);
                let after = self.behind(one).await;
                if let Some((before, after)) = before.zip(after) {
                    one.behind += after.since(&before);
                }
            }
        }
        Ok(all)
    }

    /// Fills a database and returns the keys.
    async fn fill(&self, place: &Place) -> Outcome<Vec<String>> {
        let app = place.open().await?;
        let tenant = Tenant::create(&app.services, self.connections.min(50)).await?;
        let until = i64::try_from(self.messages)?;
        store(&app.services.db, tenant.org, tenant.user, 0, until).await?;
        app.services.db.close().await;
        Ok(tenant.keys)
    }

    async fn round(&self, one: &Contestant, count: usize, round: usize) -> Outcome<Round> {
        let mut requests = Requests::with_room(count, 300);
        let mut place = round as u64;
        for n in 0..count {
            // The step has no common factor with the number of messages, so it visits all of them, and
            // consecutive ones are far apart.
            place = (place + 48_611) % self.messages;
            requests.add(&one.request(message(place), n), &[]);
        }
        let before = cpu_of(one.pid)?;
        let most = Duration::from_secs(120);
        let (wall, times) = send_all(&one.listen, requests, 200, self.connections, most).await?;
        let cpu = cpu_of(one.pid)?.saturating_sub(before);
        Ok(Round { cpu, wall, times })
    }

    /// CPU time so far of PostgreSQL's processes, if it can be measured.
    async fn behind(&self, one: &Contestant) -> Option<Threads> {
        let own = self.own.filter(|_| one.on_postgres)?;
        Threads::of(&own.processes().await.ok()?).ok()
    }
}

impl Contestant {
    fn new(server: &Server, name: String, path: &'static str, keys: &[String], on_postgres: bool) -> Self {
        Self {
            listen: server.listen.clone(),
            pid: server.pid(),
            path,
            keys: keys.to_vec(),
            on_postgres,
            measured: Contender::new(name),
            behind: Duration::ZERO,
        }
    }

    fn request(&self, id: MessageId, n: usize) -> String {
        let key = self.keys.get(n % self.keys.len()).map_or("", String::as_str);
        let (path, listen) = (self.path, &self.listen);
        format!("GET {path}{id} HTTP/1.1\r\nHost: {listen}\r\nAccept: */*\r\nX-Api-Key: {key}\r\n\r\n")
    }

    /// Checks that the server returns the requested message.
    async fn check(&self, id: MessageId) -> Outcome {
        let reply = send_one(&self.listen, self.request(id, 0).as_bytes()).await?;
        let text = String::from_utf8(reply)?;
        let (_, body) = text.split_once("\r\n\r\n").ok_or("a reply without a body")?;
        let body: Value = serde_json::from_str(body).map_err(|_| text.clone())?;
        let returned = body.get("messageId").and_then(Value::as_str);
        if returned == Some(id.to_string().as_str()) {
            Ok(())
        } else {
            Err(format!("{}: not the message asked for: {text}", self.measured.name).into())
        }
    }

    fn behind_us(&self) -> f64 {
        let polls: usize = self.measured.rounds.iter().map(|round| round.times.len()).sum();
        self.behind.as_secs_f64() * 1e6 / polls.max(1) as f64
    }
}

fn report(all: &[Contestant]) -> Outcome {
    say("")?;
    say(Contender::head())?;
    for one in all {
        say(one.measured.line())?;
    }
    for one in all.iter().filter(|one| one.behind_us() > 0.0) {
        say(format!(
            "PostgreSQL's own processes behind {}: {:.1} µs of CPU a poll",
            one.measured.name,
            one.behind_us()
        ))?;
    }
    say("every reply was 200")?;
    let (ours, peers): (Vec<&Contestant>, Vec<&Contestant>) = all
        .iter()
        .partition(|one| one.measured.name.starts_with("Corbel"));
    for our in ours {
        let wanted = if our.on_postgres { ON_POSTGRES } else { ON_SQLITE };
        for (n, peer) in peers.iter().enumerate() {
            let times = peer.measured.cpu_us() / our.measured.cpu_us();
            let verdict = match (n, times >= wanted) {
                (0, true) => format!(", at least {wanted} wanted: holds"),
                (0, false) => format!(", at least {wanted} wanted: DOES NOT HOLD"),
                _ => String::new(),
            };
            let (our, peer) = (&our.measured.name, &peer.measured.name);
            say(format!("CPU of {peer} / {our}: {times:.2}{verdict}"))?;
        }
    }
    Ok(())
}

//! The cost of one Slack event: `corbel serve` with its durable insert (SQLite, synchronous FULL), compared
//! with the HTTPReceiver of @slack/bolt, which only acknowledges. One interleaved run.
//!
//! Run with `cargo bench --bench intake`. CORBEL_BENCH_BOLT names a folder with node_modules/@slack/bolt;
//! without it, or without `node`, only Corbel runs. CORBEL_BENCH_OTHER names another `corbel` to compare, for
//! instance from an earlier commit. CORBEL_BENCH_ROUNDS, CORBEL_BENCH_REQUESTS and CORBEL_BENCH_CONNECTIONS
//! set the size.

mod support;

/// Signed events and the connections that send them.
mod load {
    pub mod events;
    pub mod requests;
    #[expect(dead_code, reason = "other benches look at a single reply")]
    pub mod send;
    #[expect(dead_code, reason = "other benches look at the process")]
    pub mod server;
}

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, SqliteConnection};

use crate::load::events::{APP, BODY, BOT, Events, SECRET, TEAM};
use crate::load::send::send_all;
use crate::load::server::{self, CORBEL, command, pin_self, places};
use crate::support::{Contender, Outcome, Round, Scratch, env_var, flush_probe, machine, number, say};

const BOLT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/bolt_http.mjs");
/// Events sent before the first round, so that caches, JIT and pages are warm.
const WARM_UP: usize = 3_000;

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
    let scratch = Scratch::new("intake")?;
    say(machine())?;
    say(places(pinned))?;
    say(format!(
        "{rounds} rounds of {requests} distinct signed {BODY}-byte events on {connections} connections"
    ))?;
    say(format!("before  {}", flush_probe(scratch.path())?))?;

    let mut servers = vec![Server::corbel(
        CORBEL,
        &scratch.path().join("corbel"),
        "Corbel",
        pinned,
    )?];
    if let Some(other) = env_var("CORBEL_BENCH_OTHER") {
        servers.push(Server::corbel(
            &other,
            &scratch.path().join("other"),
            "other Corbel",
            pinned,
        )?);
    }
    match Server::bolt(pinned)? {
        Ok(bolt) => servers.push(bolt),
        Err(why) => say(format!("@slack/bolt is left out: {why}"))?,
    }
    let mut events = Events::default();
    for server in &mut servers {
        server.round(&mut events, WARM_UP, connections).await?;
    }
    for _ in 0..rounds {
        for server in &mut servers {
            let round = server.round(&mut events, requests, connections).await?;
            server.measured.rounds.push(round);
        }
    }
    say(format!("after   {}", flush_probe(scratch.path())?))?;
    say(machine())?;
    say("")?;
    say(Contender::head())?;
    for server in &servers {
        say(server.measured.line())?;
    }
    let mut rest = servers.iter();
    let corbel = rest.next().map_or(f64::NAN, |corbel| corbel.measured.cpu_us());
    for server in rest {
        say(format!(
            "CPU of {} / Corbel: {:.2}",
            server.measured.name,
            server.measured.cpu_us() / corbel
        ))?;
    }
    say("every reply was 200; after every round inbox and jobs held one row for each event")
}

/// A server under measurement.
struct Server {
    running: server::Server,
    path: String,
    /// The data folder of a Corbel server.
    data: Option<PathBuf>,
    sent: usize,
    measured: Contender,
}

impl Server {
    /// Starts `corbel serve` without workers, with one assistant that was set up through the command line.
    fn corbel(binary: &str, data: &Path, name: &str, pinned: bool) -> Outcome<Self> {
        let corbel = |pinned| {
            let mut command = command(binary, pinned);
            command.arg("--json").arg("--data-dir").arg(data);
            command
                .env("CORBEL_LISTEN", "127.0.0.1:0")
                .env("CORBEL_WORKERS", "0");
            command
        };
        answer(corbel(false).args(["admin", "org", "create", "--name", "Bench"]))?;
        let made = answer(
            corbel(false)
                .args(["admin", "assistant", "create", "--org", "Bench"])
                .args([
                    "--name",
                    "Bench",
                    "--platform",
                    "slack",
                    "--client-id",
                    "1.2",
                    "--client-secret",
                    "client-secret",
                    "--signing-secret",
                    SECRET,
                    "--app-id",
                    APP,
                    "--team-id",
                    TEAM,
                    "--bot-user-id",
                    BOT,
                    "--bot-token",
                    "xoxb-bench",
                ]),
        )?;
        let address = made
            .pointer("/addresses/events")
            .and_then(Value::as_str)
            .ok_or("no events address")?;
        let path = address
            .splitn(4, '/')
            .nth(3)
            .ok_or("the events address has no path")?;
        let name = format!("{name}, durable insert");
        let mut server = Self::start(corbel(pinned).arg("serve"), format!("/{path}"), name)?;
        server.data = Some(data.to_owned());
        Ok(server)
    }

    /// Starts Bolt's receiver, or returns why it is not available.
    fn bolt(pinned: bool) -> Outcome<Result<Self, String>> {
        let Some(folder) = env_var("CORBEL_BENCH_BOLT") else {
            return Ok(Err("CORBEL_BENCH_BOLT is not set".to_owned()));
        };
        if !Path::new(&folder).join("node_modules/@slack/bolt").exists() {
            return Ok(Err(format!("{folder} has no node_modules/@slack/bolt")));
        }
        let mut node = command("node", pinned);
        node.arg(BOLT)
            .env("CORBEL_BENCH_BOLT", folder)
            .env("SIGNING_SECRET", SECRET)
            .env("NODE_ENV", "production");
        if Command::new("node").arg("--version").output().is_err() {
            return Ok(Err("node is not on PATH".to_owned()));
        }
        let name = "@slack/bolt HTTPReceiver, ack only".to_owned();
        Self::start(&mut node, "/slack/events".to_owned(), name).map(Ok)
    }

    fn start(command: &mut Command, path: String, name: String) -> Outcome<Self> {
        let running = server::Server::start(command).map_err(|error| format!("{name}: {error}"))?;
        let name = match &running.version {
            Some(version) => name.replacen(" HTTP", &format!(" {version} HTTP"), 1),
            None => name,
        };
        Ok(Self {
            running,
            path,
            data: None,
            sent: 0,
            measured: Contender::new(name),
        })
    }

    async fn round(&mut self, events: &mut Events, requests: usize, connections: usize) -> Outcome<Round> {
        let signed = events.sign(requests, &self.path, &self.running.listen)?;
        let before = self.running.cpu()?;
        let most = Duration::from_secs(120);
        let (wall, times) = send_all(&self.running.listen, signed, 200, connections, most).await?;
        let cpu = self.running.cpu()?.saturating_sub(before);
        self.sent += requests;
        if let Some(data) = &self.data {
            check_rows(data, self.sent).await?;
        }
        Ok(Round { cpu, wall, times })
    }
}

/// Checks that there is exactly one inbox row and one job for every event.
async fn check_rows(data: &Path, expected: usize) -> Outcome {
    let options = SqliteConnectOptions::new()
        .filename(data.join("corbel.db"))
        .read_only(true);
    let mut db = SqliteConnection::connect_with(&options).await?;
    let rows: (i64, i64) = sqlx::query_as(
        "SELECT (SELECT COUNT(*) FROM inbox), (SELECT COUNT(*) FROM jobs WHERE kind = 'chat.turn')",
    )
    .fetch_one(&mut db)
    .await?;
    db.close().await?;
    let expected = i64::try_from(expected)?;
    if rows == (expected, expected) {
        Ok(())
    } else {
        Err(format!("inbox and jobs hold {rows:?} rows; {expected} events were answered with 200").into())
    }
}

/// The JSON object printed by one of our commands.
fn answer(command: &mut Command) -> Outcome<Value> {
    let done = command.output()?;
    if done.status.success() {
        Ok(serde_json::from_slice(&done.stdout)?)
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned().into())
    }
}

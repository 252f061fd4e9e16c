//! The cost of requests among 1,000 and among 1,000,000 stored messages. Two servers get the same requests in
//! turns, so that both see the same state of the machine. Measures the CPU time of the server and, on
//! PostgreSQL, of its processes.
//!
//! Run with `cargo bench --bench growth`. CORBEL_BENCH_ON is `sqlite`, `postgres`, or both separated by a
//! comma (default). CORBEL_BENCH_POSTGRES_URL names a server for temporary databases. CORBEL_BENCH_FEW and
//! CORBEL_BENCH_MESSAGES are the two sizes, CORBEL_BENCH_WARM is the number of messages read before
//! measuring. CORBEL_BENCH_ROUNDS and CORBEL_BENCH_REQUESTS (of each kind per round) set the length.
//! Admissions add messages, so there are only an eighth as many.

#[expect(dead_code, reason = "the benches that compare contenders use more of it")]
mod support;

/// Requests and the connections that send them.
mod load {
    pub mod database;
    pub mod place;
    pub mod requests;
    #[expect(dead_code, reason = "other benches look at a single reply")]
    pub mod send;
    #[expect(dead_code, reason = "other benches look at more of it")]
    pub mod server;
    pub mod threads;
}

/// Reading turns.
#[path = "../tests/suite/harness"]
mod harness {
    pub mod turns;
}

use std::time::Duration;

use chrono::DateTime;

use crate::harness::turns::{large, message, store};
use crate::load::database::TempDatabase;
use crate::load::place::{Place, Tenant};
use crate::load::requests::Requests;
use crate::load::send::send_all;
use crate::load::server::{Server, pin_self, places};
use crate::load::threads::Threads;
use crate::support::{Outcome, Scratch, env_var, flush_probe, machine, ms, number, quantile, say};

/// Maximum cost of a request among many messages, relative to its cost among few.
const MOST: f64 = 1.2;
const CONNECTIONS: usize = 8;

fn main() -> Outcome {
    // Pin before the runtime starts threads, which inherit the core.
    let pinned = pin_self();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(measure(pinned))
}

async fn measure(pinned: bool) -> Outcome {
    let (few, many) = (
        number("CORBEL_BENCH_FEW", 1_000)? as u64,
        number("CORBEL_BENCH_MESSAGES", 1_000_000)? as u64,
    );
    say(machine())?;
    say(places(pinned))?;
    let on = env_var("CORBEL_BENCH_ON").unwrap_or_else(|| "sqlite,postgres".to_owned());
    for kind in on.split(',') {
        let scratch = Scratch::new(&format!("growth-{kind}"))?;
        let mut own = Vec::new();
        if kind == "postgres" {
            let Some(server) = env_var("CORBEL_BENCH_POSTGRES_URL") else {
                say("PostgreSQL is left out: CORBEL_BENCH_POSTGRES_URL is not set")?;
                continue;
            };
            own = vec![
                TempDatabase::create(&server).await?,
                TempDatabase::create(&server).await?,
            ];
        }
        let mut sides = Vec::new();
        let mut databases = own.iter();
        let mut filled = Ok(());
        for messages in [few, many] {
            match Side::fill(&scratch, databases.next(), messages, pinned).await {
                Ok(side) => sides.push(side),
                Err(error) => filled = Err(error),
            }
        }
        let measured = match filled {
            Ok(()) => compare(&scratch, &mut sides).await,
            Err(error) => Err(error),
        };
        drop(sides);
        for database in own {
            database.remove().await?;
        }
        measured?;
    }
    say(machine())
}

/// One server with its messages.
struct Side<'a> {
    server: Server,
    database: Option<&'a TempDatabase>,
    kind: &'static str,
    key: String,
    messages: u64,
    costs: Vec<Cost>,
}

#[derive(Clone, Default)]
struct Cost {
    cpu: Duration,
    /// The part of it used by the database's processes.
    database: Duration,
    times: Vec<Duration>,
}

impl Cost {
    fn cpu_us(&self) -> f64 {
        self.each_us(self.cpu)
    }

    fn each_us(&self, cpu: Duration) -> f64 {
        cpu.as_secs_f64() * 1e6 / self.times.len().max(1) as f64
    }

    fn p50(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        ms(quantile(&times, 0.5))
    }
}

/// A kind of request.
#[derive(Clone, Copy)]
enum Kind {
    Poll,
    Newest,
    OfSession,
    BeforeATime,
    Failed,
    ByQuestion,
    Session,
    Transcript,
    Response,
    Responses,
    Admission,
}

const KINDS: [(Kind, &str); 11] = [
    (Kind::Poll, "poll of any message"),
    (Kind::Newest, "list: newest"),
    (Kind::OfSession, "list: of a session of half of them"),
    (Kind::BeforeATime, "list: before a time"),
    (Kind::Failed, "list: failed, none"),
    (Kind::ByQuestion, "list: by question, none"),
    (Kind::Session, "session"),
    (Kind::Transcript, "its transcript's first page"),
    (Kind::Response, "message-responses of a message"),
    (Kind::Responses, "message-responses of a session"),
    (Kind::Admission, "admission"),
];

impl Kind {
    const fn is_admission(self) -> bool {
        matches!(self, Self::Admission)
    }

    const fn status(self) -> u16 {
        if self.is_admission() { 202 } else { 200 }
    }

    /// Method, path and body of request `n`.
    fn request(self, n: u64, messages: u64) -> (&'static str, String, String) {
        let any = message(n * 48_611 % messages);
        let turns = "/users/me/chat-messages";
        let sessions = "/users/me/chat-sessions";
        let large = large();
        let get = |address: String| ("GET", address, String::new());
        match self {
            Self::Poll => get(format!("{turns}/{any}")),
            Self::Newest => get(turns.to_owned()),
            Self::OfSession => get(format!("{turns}?sessionId={large}")),
            Self::BeforeATime => {
                let at = i64::try_from(messages / 2).unwrap_or_default() + 1_700_000_000;
                let at = DateTime::from_timestamp(at, 0).unwrap_or_default();
                get(format!(
                    "{turns}?createdBefore={}",
                    at.format("%Y-%m-%dT%H:%M:%SZ")
                ))
            }
            Self::Failed => get(format!("{turns}?status=failed")),
            Self::ByQuestion => get(format!("{turns}?questionDigest={n:064x}")),
            Self::Session => get(format!("{sessions}/{large}")),
            Self::Transcript => get(format!("{sessions}/{large}/messages")),
            Self::Response => {
                let body = format!("{{\"messageId\":\"{any}\"}}");
                ("POST", format!("{sessions}/message-responses"), body)
            }
            Self::Responses => {
                let body = format!("{{\"sessionId\":\"{large}\"}}");
                ("POST", format!("{sessions}/message-responses"), body)
            }
            Self::Admission => {
                let body = format!("{{\"question\":\"DSCR with NOI of {n} and debt service of 1000?\"}}");
                ("POST", "/users/run-models".to_owned(), body)
            }
        }
    }
}

impl<'a> Side<'a> {
    async fn fill(
        scratch: &Scratch,
        database: Option<&'a TempDatabase>,
        messages: u64,
        pinned: bool,
    ) -> Outcome<Self> {
        let place = Place {
            data: scratch.path().join(messages.to_string()),
            database: database.map(TempDatabase::url).transpose()?,
        };
        let began = std::time::Instant::now();
        let app = place.open().await?;
        let tenant = Tenant::create(&app.services, 1).await?;
        store(
            &app.services.db,
            tenant.org,
            tenant.user,
            0,
            i64::try_from(messages)?,
        )
        .await?;
        app.services.db.close().await;
        if let Some(database) = database {
            database.vacuum().await?;
        }
        let (kind, took) = (place.kind(), began.elapsed().as_secs_f64());
        say(format!("{kind}: {messages} messages stored in {took:.0} s"))?;
        Ok(Self {
            server: Server::start(&mut place.serve(0, pinned))?,
            database,
            kind,
            key: tenant.keys.concat(),
            messages,
            costs: vec![Cost::default(); KINDS.len()],
        })
    }

    async fn database_processes(&self) -> Outcome<Vec<u32>> {
        match self.database {
            Some(database) => database.processes().await,
            None => Ok(Vec::new()),
        }
    }

    async fn ask(&self, kind: Kind, count: usize, from: usize) -> Outcome<Cost> {
        let (listen, key) = (&self.server.listen, &self.key);
        let mut requests = Requests::with_room(count, 400);
        for n in from..from + count {
            let (method, address, body) = kind.request(n as u64, self.messages);
            let head = format!(
                "{method} {address} HTTP/1.1\r\nHost: {listen}\r\nX-Api-Key: {key}\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            requests.add(&head, body.as_bytes());
        }
        let (own, processes) = ([self.server.pid()], self.database_processes().await?);
        let before = (Threads::of(&own)?, Threads::of(&processes)?);
        let most = Duration::from_secs(60);
        let (_, times) = send_all(listen, requests, kind.status(), CONNECTIONS, most).await?;
        let database = Threads::of(&processes)?.since(&before.1);
        let cpu = Threads::of(&own)?.since(&before.0) + database;
        Ok(Cost { cpu, database, times })
    }
}

async fn compare(scratch: &Scratch, sides: &mut [Side<'_>]) -> Outcome {
    // The first access to a page costs a process a page fault, so both sides read theirs first.
    let warm = number("CORBEL_BENCH_WARM", 60_000)?;
    for side in sides.iter() {
        for kind in [Kind::Poll, Kind::Response] {
            side.ask(kind, warm, 0).await?;
        }
    }
    let rounds = number("CORBEL_BENCH_ROUNDS", 6)?;
    let requests = number("CORBEL_BENCH_REQUESTS", 1_600)?;
    say(format!("before  {}", flush_probe(scratch.path())?))?;
    // The first round warms up and is discarded.
    for round in 0..=rounds {
        for (at, (kind, _)) in KINDS.into_iter().enumerate() {
            let count = if kind.is_admission() {
                requests / 8
            } else {
                requests
            };
            for side in sides.iter_mut() {
                let asked = side.ask(kind, count, round * requests).await?;
                let kept = side.costs.get_mut(at).filter(|_| round > 0);
                if let Some(cost) = kept {
                    cost.cpu += asked.cpu;
                    cost.database += asked.database;
                    cost.times.extend(asked.times);
                }
            }
        }
    }
    say(format!("after   {}", flush_probe(scratch.path())?))?;
    let [few, many] = sides else {
        return Err("there are not two servers".into());
    };
    say(format!(
        "\n{:<38} {:>10} {:>10} {:>7} {:>12} {:>10} {:>10} {:>10}",
        few.kind, "CPU µs few", "many", "times", "database few", "many", "p50 ms few", "many"
    ))?;
    let mut beyond = 0;
    for ((_, what), (few, many)) in KINDS.iter().zip(few.costs.iter().zip(&many.costs)) {
        let times = many.cpu_us() / few.cpu_us();
        beyond += usize::from(times > MOST);
        say(format!(
            "{what:<38} {:>10.1} {:>10.1} {times:>7.2} {:>12.1} {:>10.1} {:>10.2} {:>10.2}",
            few.cpu_us(),
            many.cpu_us(),
            few.each_us(few.database),
            many.each_us(many.database),
            few.p50(),
            many.p50()
        ))?;
    }
    let (few, many, kind) = (few.messages, many.messages, few.kind);
    say(format!(
        "{kind}: {beyond} of {} kinds cost more than {MOST} times as much among {many} messages as among {few}\n",
        KINDS.len()
    ))
}

//! A drill: thousands of clients that do not read, do not send or do nothing, while health checks and signed Slack
//! events must be answered. Exits with status 1 if they are not.
//!
//! `cargo bench --bench slow_clients`. Environment:
//! - `CORBEL_BENCH_KINDS`: any of `idle`, `head`, `body`, `read` and `pipelined`, separated by commas; all by default.
//! - `CORBEL_BENCH_FROM`: where the slow clients are, any of `other` (another address than the checks), `same` and
//!   `trusted` (the same, and a trusted proxy, as the default settings have it for this machine); all by default.
//! - `CORBEL_BENCH_CLIENTS`: 4100, opened within a second. `CORBEL_BENCH_SECONDS`: 15 for each kind.
//! - `CORBEL_BENCH_REOPEN`: after how many milliseconds a client that was cut connects again; 0: never.
//! - `CORBEL_BENCH_BINARY`: another program to test.
//!
//! The clients are a process of their own with the lowest priority. `/healthz` is asked every 50 ms and an event is
//! sent every 500 ms, each on a new connection. 90 of 100 health checks must be answered within 100 ms, all health
//! checks and events within 3 s.

#[expect(dead_code, reason = "the measuring benches use more of it")]
mod support;

/// The real program and its set-up.
mod drill {
    #[expect(dead_code, reason = "the crash drills use more of it")]
    pub mod cluster;
    #[expect(dead_code, reason = "the crash drills use more of it")]
    pub mod stage;
}

/// The fake Slack workspace of the tests.
#[path = "../tests/suite/harness"]
mod harness {
    #[expect(
        dead_code,
        unused_imports,
        clippy::expect_used,
        clippy::disallowed_methods,
        clippy::indexing_slicing,
        reason = "the tests use more of it than the drill, read their environment, and fail on what they do not expect"
    )]
    pub mod slack;
}

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use corbel::base::clock::Clock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep, timeout};

use crate::drill::cluster::{Node, Setting};
use crate::drill::stage::Stage;
use crate::harness::slack::requests::signed;
use crate::harness::slack::{ALICE, CHANNEL, FakeSlack, SECRET};
use crate::support::{Outcome, Scratch, cpu_of, env_var, machine, ms, number, quantile, say};

/// How long a check is waited for before it counts as not answered.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_P90: Duration = Duration::from_millis(100);
const MOST: Duration = Duration::from_secs(3);
const CHECK: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
const KINDS: &str = "idle,head,body,read,pipelined";

fn main() -> Outcome<ExitCode> {
    let args: Vec<String> = std::env::args().collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match args.iter().position(|arg| arg == "--attack") {
        Some(at) => {
            let attack = Attack::read(args.get(at + 1..).unwrap_or_default())?;
            runtime.block_on(attack.run())?;
            Ok(ExitCode::SUCCESS)
        }
        None => runtime.block_on(drills()),
    }
}

async fn drills() -> Outcome<ExitCode> {
    let kinds = env_var("CORBEL_BENCH_KINDS").unwrap_or_else(|| KINDS.to_owned());
    let from = env_var("CORBEL_BENCH_FROM").unwrap_or_else(|| "other,same,trusted".to_owned());
    say(machine())?;
    say(format!(
        "{:<20} {:>6} {:>8} {:>8} {:>8} {:>5} {:>9} {:>5} {:>7} {:>7}  clients",
        "clients (from)",
        "checks",
        "p50 ms",
        "p90 ms",
        "most ms",
        "lost",
        "events ms",
        "lost",
        "CPU s",
        "RSS MB"
    ))?;
    let mut violations = Vec::new();
    for from in from.split(',') {
        for kind in kinds.split(',') {
            violations.extend(drill(kind, from).await?);
        }
    }
    say(machine())?;
    violations.iter().try_for_each(|violation| say(violation))?;
    Ok(if violations.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// One kind of clients against a new server.
async fn drill(kind: &str, from: &str) -> Outcome<Vec<String>> {
    let scratch = Scratch::new(&format!("slow-clients-{kind}-{from}"))?;
    let slack = FakeSlack::start().await;
    let (clients, checks) = match from {
        "other" => (2, 3),
        "same" | "trusted" => (1, 1),
        other => return Err(format!("CORBEL_BENCH_FROM: {other:?}").into()),
    };
    let mut setting = Setting::new(scratch.path())
        .with("CORBEL_SLACK_API_URL", slack.api_base())
        .with("CORBEL_ALLOW_LOOPBACK", "true");
    if from != "trusted" {
        setting = setting.with("CORBEL_TRUSTED_PROXIES", "127.0.0.9");
    }
    let stage = Stage::set(&setting)?;
    let mut node = Node::new(&setting, "server")?;
    node.start()?;
    node.listening().await?;
    let at: SocketAddr = node.listen.parse()?;
    let pid = node.pid().ok_or("the server ended")?;
    let cpu = cpu_of(pid)?;
    let attack = Attack {
        kind: kind.to_owned(),
        at,
        from: Ipv4Addr::new(127, 0, 0, clients),
        clients: number("CORBEL_BENCH_CLIENTS", 4100)?,
        reopen: Duration::from_millis(number("CORBEL_BENCH_REOPEN", 0)? as u64),
        path: stage.path.clone(),
    };
    let attacking = attack.spawn()?;
    let from_address = Ipv4Addr::new(127, 0, 0, checks);
    let (mut checks, mut events) = (JoinSet::new(), JoinSet::new());
    let mut ticks = interval(Duration::from_millis(50));
    let mut memory = 0;
    let seconds = number("CORBEL_BENCH_SECONDS", 15)?;
    for tick in 0..seconds * 20 {
        ticks.tick().await;
        checks.spawn(timed(from_address, at, CHECK.to_owned()));
        if tick % 10 == 0 {
            events.spawn(timed(from_address, at, event(&slack, &stage.path)?));
            memory = memory.max(node.resident().unwrap_or_default());
        }
    }
    let (checks, lost_checks) = settled(checks.join_all().await);
    let (events, lost_events) = settled(events.join_all().await);
    let held = end(attacking)?;
    let cpu = cpu_of(pid)?.saturating_sub(cpu);
    let (p50, p90, most) = (
        quantile(&checks, 0.5),
        quantile(&checks, 0.9),
        quantile(&checks, 1.0),
    );
    let slowest = quantile(&events, 1.0);
    let name = format!("{kind} ({from})");
    say(format!(
        "{name:<20} {:>6} {:>8.1} {:>8.1} {:>8.0} {lost_checks:>5} {:>9.0} {lost_events:>5} {:>7.1} {:>7.0}  {held}",
        checks.len() + lost_checks,
        ms(p50),
        ms(p90),
        ms(most),
        ms(slowest),
        cpu.as_secs_f64(),
        memory as f64 / 1024.0,
    ))?;
    node.terminate().await?;
    let rules = [
        (
            p90 > MOST_P90,
            "the 90th percentile of the health checks is over 100 ms",
        ),
        (
            most > MOST || lost_checks > 0,
            "a health check took over 3 s or was not answered",
        ),
        (
            slowest > MOST || lost_events > 0,
            "an event was not acknowledged within 3 s",
        ),
    ];
    let broken = rules.into_iter().filter(|(is_broken, _)| *is_broken);
    Ok(broken.map(|(_, rule)| format!("{name}: {rule}")).collect())
}

/// The times of those that succeeded, sorted, and the number of the others.
fn settled(times: Vec<Outcome<Duration>>) -> (Vec<Duration>, usize) {
    let all = times.len();
    let mut times: Vec<Duration> = times.into_iter().flatten().collect();
    times.sort_unstable();
    let lost = all - times.len();
    (times, lost)
}

fn event(slack: &FakeSlack, path: &str) -> Outcome<String> {
    let body = slack.says(CHANNEL, ALICE, "<@U0BOT> NOI 1.285m, debt service 968k. DSCR?");
    let body = body.mention().to_string();
    let mut text = format!("POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n");
    for (name, value) in &signed(SECRET, Clock::system().now().timestamp(), body.as_bytes()) {
        write!(text, "{name}: {}\r\n", value.to_str()?)?;
    }
    write!(text, "content-length: {}\r\n\r\n{body}", body.len())?;
    Ok(text)
}

/// Sends a request on a new connection, and returns the time until its response is complete.
async fn timed(from: Ipv4Addr, to: SocketAddr, request: String) -> Outcome<Duration> {
    let since = Instant::now();
    let answer = timeout(PATIENCE, async {
        let mut stream = connect(from, to).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Outcome::Ok(answer)
    });
    let answer = answer.await??;
    if answer.starts_with(b"HTTP/1.1 200") {
        Ok(since.elapsed())
    } else {
        Err("refused".into())
    }
}

async fn connect(from: Ipv4Addr, to: SocketAddr) -> Outcome<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    Ok(socket.connect(to).await?)
}

/// Slow clients.
struct Attack {
    kind: String,
    at: SocketAddr,
    from: Ipv4Addr,
    clients: usize,
    reopen: Duration,
    path: String,
}

impl Attack {
    /// Starts a process for the clients.
    fn spawn(&self) -> Outcome<Child> {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(std::env::current_exe()?);
        command.args([
            "--attack",
            &self.kind,
            &self.at.to_string(),
            &self.from.to_string(),
        ]);
        command.args([
            &self.clients.to_string(),
            &self.reopen.as_millis().to_string(),
            &self.path,
        ]);
        Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?)
    }

    fn read(args: &[String]) -> Outcome<Self> {
        let [kind, at, from, clients, reopen, path, ..] = args else {
            return Err("--attack is for the drill itself".into());
        };
        Ok(Self {
            kind: kind.clone(),
            at: at.parse()?,
            from: from.parse()?,
            clients: clients.parse()?,
            reopen: Duration::from_millis(reopen.parse()?),
            path: path.clone(),
        })
    }

    /// Opens all clients within a second, and prints once a second how many are open.
    async fn run(self) -> Outcome {
        let (attack, open, opened) = (
            Arc::new(self),
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
        );
        let since = Instant::now();
        for n in 0..attack.clients {
            let (attack, open, opened) = (Arc::clone(&attack), Arc::clone(&open), Arc::clone(&opened));
            let begin = since + Duration::from_secs(1) * u32::try_from(n)? / u32::try_from(attack.clients)?;
            tokio::spawn(async move {
                tokio::time::sleep_until(begin.into()).await;
                loop {
                    if let Ok(stream) = connect(attack.from, attack.at).await {
                        opened.fetch_add(1, Ordering::Relaxed);
                        open.fetch_add(1, Ordering::Relaxed);
                        let _ = attack.hold(stream).await;
                        open.fetch_sub(1, Ordering::Relaxed);
                    }
                    if attack.reopen.is_zero() {
                        return;
                    }
                    sleep(attack.reopen).await;
                }
            });
        }
        let mut ticks = interval(Duration::from_secs(1));
        loop {
            ticks.tick().await;
            say(format!(
                "{} {}",
                open.load(Ordering::Relaxed),
                opened.load(Ordering::Relaxed)
            ))?;
        }
    }

    /// Does what its kind does until the server closes the connection.
    async fn hold(&self, mut stream: TcpStream) -> Outcome {
        let host = "host: x\r\n";
        let trickle = match self.kind.as_str() {
            "idle" => None,
            "head" => Some(format!("GET /healthz HTTP/1.1\r\n{host}x-a: ")),
            "body" => Some(format!(
                "POST {} HTTP/1.1\r\n{host}content-length: 100000\r\n\r\n",
                self.path
            )),
            "read" => {
                let request = format!("GET /openapi.json HTTP/1.1\r\n{host}\r\n").repeat(20);
                stream.write_all(request.as_bytes()).await?;
                loop {
                    sleep(Duration::from_secs(2)).await;
                    if stream.read(&mut [0]).await? == 0 {
                        return Ok(());
                    }
                }
            }
            "pipelined" => {
                let requests = format!("GET /healthz HTTP/1.1\r\n{host}\r\n").repeat(200);
                loop {
                    stream.write_all(requests.as_bytes()).await?;
                }
            }
            other => return Err(format!("CORBEL_BENCH_KINDS: {other:?}").into()),
        };
        if let Some(start) = &trickle {
            stream.write_all(start.as_bytes()).await?;
        }
        let (mut reading, mut writing) = stream.split();
        let mut some = [0; 512];
        loop {
            tokio::select! {
                read = reading.read(&mut some) => if read? == 0 {
                    return Ok(());
                },
                () = sleep(Duration::from_secs(2)), if trickle.is_some() => writing.write_all(b"x").await?,
            }
        }
    }
}

/// Ends the clients. Returns how many were open at most, at the end, and opened.
fn end(mut attacking: Child) -> Outcome<String> {
    attacking.kill()?;
    let output = attacking.wait_with_output()?.stdout;
    let lines: Vec<(usize, usize)> = String::from_utf8(output)?
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(open, opened)| Some((open.parse().ok()?, opened.parse().ok()?)))
        .collect();
    let most = lines.iter().map(|(open, _)| *open).max().unwrap_or_default();
    let (open, opened) = lines.last().copied().unwrap_or_default();
    Ok(format!("{opened} opened, at most {most} open, {open} at the end"))
}

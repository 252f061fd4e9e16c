//! Power cuts: checks that an event acknowledged with 200 survives when the machine loses power. Exits with
//! status 1 if an acknowledged event is missing afterwards.
//!
//! Run with `cargo bench --bench power_cut`. `CORBEL_BENCH_POWER_SHIM` is a preloaded library that copies a
//! file of `PL_DIR` to `PL_SHADOW` at every successful fsync and fdatasync: the shadow is what a disk
//! contains after a power cut. (SIGKILL alone does not show this, because the page cache survives it.)
//! `CORBEL_BENCH_CUTS`: 5. `CORBEL_BENCH_EVENTS`: events acknowledged before each cut, 2000.
//! `CORBEL_BENCH_CONNECTIONS`: 16. `CORBEL_BENCH_SEED`: 1. `CORBEL_BENCH_BINARY`: another program.

#[expect(dead_code, reason = "the measuring benches use more of it")]
mod support;

/// Cluster, stage and verdict.
mod drill {
    pub mod chance;
    #[expect(dead_code, reason = "the crash drills use more of it")]
    pub mod cluster;
    #[expect(dead_code, reason = "the crash drills use more of it")]
    pub mod load;
    pub mod stage;
    #[expect(dead_code, reason = "the crash drills use more of it")]
    pub mod verdict;
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
        reason = "the tests use more of it than the drills, read their environment, and fail on what they do not expect"
    )]
    pub mod slack;
}

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use corbel::base::clock::Clock;
use corbel::base::ids::InboxId;
use corbel::db::pool::Db;
use serde_json::Value;
use sqlx::types::Json;
use tokio::task::JoinSet;

use crate::drill::chance::Chance;
use crate::drill::cluster::{Node, Setting, keep};
use crate::drill::load::Sent;
use crate::drill::stage::Stage;
use crate::drill::verdict::{judge, key_of, open, open_jobs};
use crate::harness::slack::requests::signed;
use crate::harness::slack::{ALICE, DM, FakeSlack, SECRET};
use crate::support::{Outcome, Scratch, env_var, machine, number, say};

/// Maximum size of the database for a valid drill, because the shim copies complete files.
const LARGEST: u64 = 5 << 20;
/// Maximum wait after the first cut until its events are answered.
const DRAIN: Duration = Duration::from_secs(180);

fn main() -> Outcome<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(cuts())
}

async fn cuts() -> Outcome<ExitCode> {
    let Some(shim) = env_var("CORBEL_BENCH_POWER_SHIM") else {
        say("CORBEL_BENCH_POWER_SHIM is not set: nothing was tested")?;
        return Ok(ExitCode::SUCCESS);
    };
    say(machine())?;
    let mut chance = Chance::new(number("CORBEL_BENCH_SEED", 1)? as u64);
    let mut fine = true;
    for cut in 0..number("CORBEL_BENCH_CUTS", 5)? {
        let scratch = Scratch::new(&format!("power-cut-{cut}"))?;
        let violations = one(scratch.path(), &shim, cut, &mut chance).await?;
        if !violations.is_empty() {
            fine = false;
            violations
                .iter()
                .take(20)
                .try_for_each(|violation| say(format!("    VIOLATION {violation}")))?;
            say(format!("  data is kept in {}", keep(scratch.path())?.display()))?;
        }
    }
    say(if fine {
        "every acknowledged event survived"
    } else {
        "ACKNOWLEDGED EVENTS WERE LOST"
    })?;
    Ok(if fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn one(dir: &Path, shim: &str, cut: usize, chance: &mut Chance) -> Outcome<Vec<String>> {
    let dir = dir.canonicalize()?;
    let slack = FakeSlack::start().await;
    let setting = |dir: &Path| {
        Setting::new(dir)
            .with("CORBEL_SLACK_API_URL", slack.api_base())
            .with("CORBEL_ALLOW_LOOPBACK", "true")
    };
    let live = setting(&dir);
    let stage = Stage::set(&live)?;
    let after = setting(&dir.join("shadow"));
    std::fs::create_dir_all(after.data_dir())?;
    for entry in std::fs::read_dir(live.data_dir())? {
        let entry = entry?;
        std::fs::copy(entry.path(), after.data_dir().join(entry.file_name()))?;
    }
    // Without workers the database stays small, and accepted events stay in the inbox to be counted.
    let cut_off = live
        .clone()
        .with("CORBEL_WORKERS", "0")
        .with("LD_PRELOAD", shim)
        .with("PL_DIR", live.data_dir().display().to_string())
        .with("PL_SHADOW", after.data_dir().display().to_string());
    let mut node = Node::new(&cut_off, "server")?;
    node.start()?;
    node.listening().await?;
    let since = Instant::now();
    let wanted = number("CORBEL_BENCH_EVENTS", 2_000)?;
    let sent = acknowledged(&slack, &stage, &mut node, wanted, chance).await?;
    let took = since.elapsed();
    let mut violations = Vec::new();
    let size = std::fs::metadata(live.data_dir().join("corbel.db"))?.len();
    if size > LARGEST {
        violations.push(format!(
            "the database has {size} bytes: more than the drill supports"
        ));
    }
    let db = open(&after).await?;
    let rows = survived(&db, &sent, &mut violations).await?;
    db.close().await;
    let whole = after.run(&["doctor"])?;
    if whole.pointer("/ok").and_then(Value::as_bool) != Some(true) {
        violations.push(format!("corbel doctor: {whole}"));
    }
    say(format!(
        "cut {cut}: {} acknowledged in {:.1} s, database {:.1} MB; after the cut {rows} in the inbox, {} faults",
        sent.len(),
        took.as_secs_f64(),
        size as f64 / f64::from(1 << 20),
        violations.len(),
    ))?;
    if cut == 0 {
        violations.extend(answered(&after, &stage, &slack, &sent).await?);
    }
    Ok(violations)
}

/// Sends events until `count` are acknowledged, and kills the server while others are in flight.
async fn acknowledged(
    slack: &FakeSlack,
    stage: &Stage,
    node: &mut Node,
    wanted: usize,
    chance: &mut Chance,
) -> Outcome<Vec<Sent>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "drills speak to the program from outside"
    )]
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(20))
        .build()?;
    let url = format!("http://{}{}", node.listen, stage.path);
    let (all, count) = (
        Arc::new(Mutex::new(Vec::with_capacity(wanted))),
        Arc::new(AtomicUsize::new(0)),
    );
    let wanted = wanted + usize::try_from(chance.within(0, 50))?;
    let mut senders = JoinSet::new();
    for _ in 0..number("CORBEL_BENCH_CONNECTIONS", 16)? {
        let (client, url, slack, all, count) = (
            client.clone(),
            url.clone(),
            slack.clone(),
            Arc::clone(&all),
            Arc::clone(&count),
        );
        senders.spawn(async move {
            loop {
                let said = slack.says(DM, ALICE, "NOI 1.285m, annual debt service 968k. DSCR?");
                let body = said.message().to_string();
                let headers = signed(SECRET, Clock::system().now().timestamp(), body.as_bytes());
                let reply = client.post(&url).headers(headers).body(body).send().await;
                if !reply.is_ok_and(|reply| reply.status().as_u16() == 200) {
                    return;
                }
                let (key, thread) = (format!("{DM}/{}", said.ts), said.ts);
                let now = Some(Instant::now());
                let one = Sent {
                    key,
                    thread,
                    opens: true,
                    acknowledged: now,
                    answered: None,
                };
                all.lock().unwrap_or_else(PoisonError::into_inner).push(one);
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    while count.load(Ordering::SeqCst) < wanted {
        if senders.is_empty() || senders.try_join_next().is_some() {
            return Err("the server refused an event before the cut".into());
        }
        tokio::time::sleep(Duration::from_micros(300)).await;
    }
    node.kill()?;
    while senders.join_next().await.is_some() {}
    Ok(std::mem::take(
        &mut *all.lock().unwrap_or_else(PoisonError::into_inner),
    ))
}

/// Checks that every acknowledged event is in the inbox with its job, and returns the number of events.
async fn survived(db: &Db, sent: &[Sent], violations: &mut Vec<String>) -> Outcome<usize> {
    let whole: String = db.query("PRAGMA integrity_check").scalar().await?;
    if whole != "ok" {
        violations.push(format!("integrity_check: {whole}"));
    }
    let inbox: Vec<(InboxId, Json<Value>)> = db.query("SELECT id, turn FROM inbox").all().await?;
    let jobs: Vec<(Json<Value>,)> = db
        .query("SELECT payload FROM jobs WHERE state = 'queued'")
        .all()
        .await?;
    let of = |payload: &Value| payload.get("inbox").and_then(Value::as_str).map(str::to_owned);
    let with_job: HashSet<String> = jobs.iter().filter_map(|(Json(payload),)| of(payload)).collect();
    let kept: HashSet<String> = inbox
        .iter()
        .filter(|(id, _)| with_job.contains(&id.to_string()))
        .map(|(_, Json(turn))| key_of(turn))
        .collect();
    let lost: Vec<&Sent> = sent.iter().filter(|one| !kept.contains(&one.key)).collect();
    if let Some(first) = lost.first() {
        violations.push(format!(
            "{} acknowledged events are lost, the first is {}",
            lost.len(),
            first.key
        ));
    }
    Ok(inbox.len())
}

/// Checks that a server on the state after the cut answers everything, once.
async fn answered(after: &Setting, stage: &Stage, slack: &FakeSlack, sent: &[Sent]) -> Outcome<Vec<String>> {
    let mut node = Node::new(after, "server")?;
    let since = Instant::now();
    node.start()?;
    node.listening().await?;
    let db = open(after).await?;
    while open_jobs(&db).await? > 0 && since.elapsed() < DRAIN {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    db.close().await;
    node.terminate().await?;
    // Events that were accepted but not acknowledged are answered too; they are not checked here.
    let verdict = judge(after, stage, slack, sent, &[]).await?;
    say(format!(
        "  a server on the shadow answered {} of {} in {:.1} s; {} runs, {} leftover placeholders",
        verdict.answered,
        verdict.acknowledged,
        since.elapsed().as_secs_f64(),
        verdict.runs,
        verdict.leftovers,
    ))?;
    // An event in flight at the cut may be in the inbox although the client did not get its 200.
    Ok(verdict
        .violations
        .into_iter()
        .filter(|violation| !violation.starts_with("thread "))
        .collect())
}

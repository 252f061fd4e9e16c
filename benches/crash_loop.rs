//! Crash drills: the real program, driven and killed from outside. Exits with status 1 if an acknowledged
//! event is not answered exactly once, or a run is not charged exactly once.
//!
//! `cargo bench --bench crash_loop`. Environment:
//! - `CORBEL_BENCH_DRILLS`: any of `kill`, `freeze`, `roll`, `idle`, `lost`, `full`, `restart` and `worst`,
//!   separated by commas; the first four by default.
//! - `CORBEL_BENCH_POSTGRES_URL`: a server for a temporary database; without it, SQLite is used.
//! - `CORBEL_BENCH_PROCESSES`: 3 on PostgreSQL; always one on SQLite.
//! - `CORBEL_BENCH_KILLS`: 50. `CORBEL_BENCH_SEED`: 1. `CORBEL_BENCH_RATE`: events per second, 30.
//! - `CORBEL_BENCH_LEASE`: seconds, 1.
//! - `CORBEL_BENCH_FAULTS`: per thousand calls to Slack, the number that lose their reply, and the same numbers
//!   that are cut off, refused and rate-limited; 5.
//! - `CORBEL_BENCH_BINARY`: another program to test.
//!
//! `kill`: SIGKILL of a random process at a random time, while people write in a chat and clients use HTTP
//! (`CORBEL_BENCH_RUNS` per second, 20). Every run acknowledged with 202 must end too. `freeze`: SIGSTOP beyond
//! the lease, then SIGCONT; stale attempts must change nothing. `roll`: SIGTERM of one process after the other.
//! `idle`: the memory of a server with the demo's data that is not used for `CORBEL_BENCH_IDLE` seconds, 60. It
//! must be under 40 MB. `lost`: SIGKILL of one of several processes, whose work the others must end within 45 s; with
//! the default lease if `CORBEL_BENCH_LEASE=30`. `full` and `restart`: see `drill/outages.rs`. `worst`: see
//! `drill/worst.rs`.

#[expect(dead_code, reason = "the measuring benches use more of it")]
mod support;

/// Cluster, load and verdict.
mod drill {
    pub mod asking;
    pub mod chance;
    pub mod cluster;
    pub mod load;
    pub mod outages;
    pub mod scene;
    pub mod stage;
    pub mod verdict;
    pub mod worst;
}

/// Temporary databases.
mod load {
    #[expect(dead_code, reason = "the benches that compare contenders use more of it")]
    pub mod database;
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

use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use corbel::db::pool::Db;

use crate::drill::chance::Chance;
use crate::drill::cluster::Setting;
use crate::drill::load::Load;
use crate::drill::scene::{DRAIN, Scene};
use crate::drill::stage::{MEMBER, Stage};
use crate::drill::verdict::{Facts, open, open_jobs};
use crate::support::{Outcome, env_var, machine, ms, number, quantile, say};

/// Maximum memory of an idle server in megabytes.
const MOST_MEMORY: f64 = 40.0;

fn main() -> Outcome<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(drills())
}

async fn drills() -> Outcome<ExitCode> {
    say(machine())?;
    let drills = env_var("CORBEL_BENCH_DRILLS").unwrap_or_else(|| "kill,freeze,roll,idle".to_owned());
    let mut fine = true;
    for drill in drills.split(',') {
        let mut scene = Scene::set(drill).await?;
        let outcome = match drill {
            "kill" => scene.kill().await,
            "freeze" => scene.freeze().await,
            "roll" => scene.roll().await,
            "idle" => scene.idle().await,
            "lost" => scene.lost().await,
            "full" => scene.full().await,
            "restart" => scene.restart().await,
            "worst" => scene.worst().await,
            other => Err(format!("CORBEL_BENCH_DRILLS: no drill {other:?}").into()),
        };
        let violations = match outcome {
            Ok(violations) => violations,
            Err(error) => vec![format!("the drill failed: {error}")],
        };
        fine &= violations.is_empty();
        scene.clear(&violations).await?;
    }
    Ok(if fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Scene {
    async fn kill(&mut self) -> Outcome<Vec<String>> {
        let kills = number("CORBEL_BENCH_KILLS", 50)?;
        self.start_all().await?;
        let traffic = self.send()?;
        let over_http = traffic.over_http.clone();
        let asking = tokio::task::spawn_blocking({
            let (setting, stage, chance, load) = (
                self.setting.clone(),
                self.stage.clone(),
                self.chance.branch(),
                self.load.clone(),
            );
            move || run_commands(&setting, &stage, chance, &load)
        });
        let mut restarts = Vec::new();
        let mut running = true;
        while self.kills.len() < kills {
            // Sometimes kill a process while it is still starting.
            let wait = if running {
                self.chance.within(20, 400)
            } else {
                self.chance.within(0, 60)
            };
            tokio::time::sleep(Duration::from_millis(wait)).await;
            self.any()?.1.kill()?;
            self.kills.push(Instant::now());
            if self.chance.one_in(3) {
                tokio::time::sleep(Duration::from_millis(self.chance.within(0, 150))).await;
            }
            running = !self.chance.one_in(5) || self.kills.len() == kills;
            for node in &mut self.nodes {
                if node.pid().is_none() {
                    node.start()?;
                }
                if running {
                    restarts.push(node.listening().await?);
                }
            }
        }
        let drained = self.end(traffic).await?;
        let (asked, mut violations) = asking.await??;
        violations.extend(over_http.judge().await?);
        restarts.sort_unstable();
        say(format!(
            "  {} kills; listening again after p50 {:.0} ms, p99 {:.0} ms; everything ended {:.1} s after the last; \
             {asked} runs by `corbel ask`",
            self.kills.len(),
            ms(quantile(&restarts, 0.5)),
            ms(quantile(&restarts, 0.99)),
            drained.as_secs_f64(),
        ))?;
        violations.extend(self.finish().await?.violations);
        Ok(violations)
    }

    /// SIGSTOP during work and beyond the lease, so that others take over, then SIGCONT.
    async fn freeze(&mut self) -> Outcome<Vec<String>> {
        self.start_all().await?;
        let alone = self.nodes.len() == 1;
        let db = open(&self.setting).await?;
        let mut violations = Vec::new();
        let (mut overtaken, mut slowest) = (0, Duration::ZERO);
        for _ in 0..number("CORBEL_BENCH_FREEZES", 8)? {
            let (at, node) = self.any()?;
            let victim = [node.listen.clone()];
            let burst = tokio::spawn({
                let (load, mut chance) = (self.load.to(&victim), self.chance.branch());
                async move { load.burst(24, &mut chance).await }
            });
            tokio::time::sleep(Duration::from_millis(self.chance.within(10, 80))).await;
            self.nodes.get_mut(at).ok_or("a process")?.freeze()?;
            let since = Instant::now();
            if alone {
                // No other process answers in a chat, but a command running next to the server may take a
                // run.
                tokio::time::sleep(self.lease * 2).await;
                let question = [
                    "ask",
                    "--org",
                    &self.stage.org,
                    "--as",
                    MEMBER,
                    "NOI 1.285m, debt service 968k. DSCR?",
                ];
                let (status, _, output) = self.setting.try_run(&question)?;
                say(format!(
                    "  ask beside the frozen server: {status} {}",
                    output
                        .lines()
                        .filter(|line| line.starts_with("corbel: "))
                        .collect::<String>()
                ))?;
            } else {
                overtaken = self.others_finish(&db, &mut violations).await?;
            }
            slowest = slowest.max(since.elapsed());
            let before = Facts::read(&db).await?;
            let finals_before = self.finals();
            self.nodes.get_mut(at).ok_or("a process")?.thaw()?;
            burst.await?;
            self.drain().await?;
            tokio::time::sleep(self.lease + Duration::from_millis(500)).await;
            if !alone {
                let after = Facts::read(&db).await?;
                violations.extend(changed(&before, &after, &finals_before, &self.finals()));
            }
        }
        db.close().await;
        say(format!(
            "  {overtaken} jobs lost their lease and were done by others, within {:.1} s at most",
            slowest.as_secs_f64()
        ))?;
        violations.extend(self.finish().await?.violations);
        Ok(violations)
    }

    /// Waits until the other processes have finished all accepted work, and returns the number of jobs they
    /// took over.
    async fn others_finish(&self, db: &Db, violations: &mut Vec<String>) -> Outcome<usize> {
        let since = Instant::now();
        while open_jobs(db).await? > 0 {
            if since.elapsed() > Duration::from_secs(45) {
                violations.push("the others did not end the frozen process's jobs within 45 s".to_owned());
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let crashes = Facts::read(db).await?.crashes();
        Ok(crashes
            .into_iter()
            .filter(|(crashes, _)| *crashes > 0)
            .map(|(_, jobs)| jobs)
            .sum())
    }

    /// Restarts every process in turn with SIGTERM, twice, under load.
    async fn roll(&mut self) -> Outcome<Vec<String>> {
        self.start_all().await?;
        let (speaking, watching) = (
            self.load.start(self.rate, self.chance.branch()),
            self.load.watch(),
        );
        let mut ends = Vec::new();
        let mut violations = Vec::new();
        for _ in 0..number("CORBEL_BENCH_ROLLS", 4)? {
            for node in &mut self.nodes {
                tokio::time::sleep(Duration::from_millis(self.chance.within(300, 900))).await;
                let (status, took) = node.terminate().await?;
                if !status.success() {
                    violations.push(format!("after SIGTERM: {status}"));
                }
                ends.push(took);
                node.start()?;
                node.listening().await?;
            }
        }
        self.load.stop();
        self.drain().await?;
        tokio::time::timeout(DRAIN, speaking)
            .await
            .map_err(|_| "not every event was acknowledged")??;
        watching.abort();
        ends.sort_unstable();
        say(format!(
            "  {} times SIGTERM; ended after p50 {:.0} ms, at most {:.0} ms",
            ends.len(),
            ms(quantile(&ends, 0.5)),
            ms(quantile(&ends, 1.0)),
        ))?;
        let verdict = self.finish().await?;
        if verdict.crashes.keys().any(|crashes| *crashes > 0) {
            violations.push(format!("leases expired: jobs by crashes {:?}", verdict.crashes));
        }
        if verdict.runs_failed + verdict.failed_visibly > 0 {
            violations.push("a restart made runs fail".to_owned());
        }
        violations.extend(verdict.violations);
        Ok(violations)
    }

    /// Measures a server that hashed the demo's passwords itself, and one that found the hashes stored.
    async fn idle(&mut self) -> Outcome<Vec<String>> {
        let idle = Duration::from_secs(number("CORBEL_BENCH_IDLE", 60)? as u64);
        let mut violations = Vec::new();
        for command in ["demo", "serve"] {
            let node = self.nodes.first_mut().ok_or("a process")?;
            node.start_as(command)?;
            node.listening().await?;
            tokio::time::sleep(idle).await;
            let resident = node.resident().ok_or("its memory is unknown")?;
            let memory = resident as f64 / 1024.0;
            say(format!(
                "  corbel {command}, idle for {} s: {memory:.1} MB resident",
                idle.as_secs()
            ))?;
            if memory >= MOST_MEMORY {
                violations.push(format!("corbel {command} keeps {memory:.1} MB"));
            }
            node.terminate().await?;
        }
        Ok(violations)
    }
}

/// Changes made by a resumed process. Its claims were superseded, so there must be none.
fn changed(
    before: &Facts,
    after: &Facts,
    finals_before: &[(String, String)],
    now: &[(String, String)],
) -> Vec<String> {
    let mut found = before.lost_in(after);
    for (ts, words) in finals_before {
        if !now.iter().any(|(other, same)| other == ts && same == words) {
            found.push(format!("the answer at {ts} was changed by a stale attempt"));
        }
    }
    found
}

/// Starts runs from the command line until the load stops, and kills some of the commands.
fn run_commands(
    setting: &Setting,
    stage: &Stage,
    mut chance: Chance,
    load: &Load,
) -> Outcome<(usize, Vec<String>)> {
    let (mut ran, mut violations) = (0, Vec::new());
    while !load.is_stopped() {
        std::thread::sleep(Duration::from_millis(chance.within(300, 1_500)));
        let question = [
            "ask",
            "--org",
            &stage.org,
            "--as",
            MEMBER,
            "NOI 1.285m, annual debt service 968k. DSCR?",
        ];
        if chance.one_in(3) {
            let mut child = setting.command().args(question).stdout(Stdio::null()).spawn()?;
            std::thread::sleep(Duration::from_millis(chance.within(5, 120)));
            child.kill()?;
            child.wait()?;
            continue;
        }
        let (status, answer, output) = setting.try_run(&question)?;
        ran += 1;
        if !status.success()
            || answer.pointer("/status").and_then(|status| status.as_str()) != Some("completed")
        {
            violations.push(format!("corbel ask: {status} {answer} {output}"));
        }
    }
    Ok((ran, violations))
}

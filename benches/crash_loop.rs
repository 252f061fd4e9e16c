//! Crash drills: the true program, driven and killed from outside. Ends with status 1 if an
//! acknowledged event is not answered exactly once, or a run not charged exactly once.
//!
//! `cargo bench --bench crash_loop`. Environment:
//! - `CORBEL_BENCH_DRILLS`: of `kill`, `freeze`, `roll`, with commas; all by default.
//! - `CORBEL_BENCH_POSTGRES_URL`: a server on which it makes its own database; without it, SQLite.
//! - `CORBEL_BENCH_PROCESSES`: 3 on PostgreSQL; SQLite has one.
//! - `CORBEL_BENCH_KILLS`: 50. `CORBEL_BENCH_SEED`: 1. `CORBEL_BENCH_RATE`: events a second, 30.
//! - `CORBEL_BENCH_LEASE`: seconds, 1. `CORBEL_BENCH_FAULTS`: of a thousand calls to Slack so many
//!   lose their reply, so many are cut, so many are refused and so many limited; 5.
//! - `CORBEL_BENCH_BINARY`: another program to be drilled.
//!
//! `kill`: SIGKILL of a random process at a random moment. `freeze`: SIGSTOP beyond the lease, then
//! SIGCONT: the stale attempts change nothing. `roll`: SIGTERM of one process after the other.

#[expect(dead_code, reason = "the measuring benches use more of it")]
mod support;

/// Cluster, load and verdict.
mod drill {
    pub mod chance;
    pub mod cluster;
    pub mod load;
    pub mod stage;
    pub mod verdict;
}

/// The fake workspace of the tests.
#[path = "../tests/suite/harness"]
mod harness {
    #[expect(
        dead_code,
        unused_imports,
        reason = "the tests use more of it than the drills"
    )]
    pub mod slack;
}

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use corbel::db::pool::Db;

use crate::drill::chance::Chance;
use crate::drill::cluster::{Node, OwnDatabase, Setting, keep};
use crate::drill::load::Load;
use crate::drill::stage::{MEMBER, Stage};
use crate::drill::verdict::{Facts, Verdict, judge, open, open_jobs};
use crate::harness::slack::{FakeSlack, Rates};
use crate::support::{Outcome, Scratch, asked, machine, ms, number, quantile, say};

/// Longest wait for everything to end.
const DRAIN: Duration = Duration::from_secs(120);

fn main() -> Outcome<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(drills())
}

async fn drills() -> Outcome<ExitCode> {
    say(machine())?;
    let drills = asked("CORBEL_BENCH_DRILLS").unwrap_or_else(|| "kill,freeze,roll".to_owned());
    let mut fine = true;
    for drill in drills.split(',') {
        let mut scene = Scene::set(drill).await?;
        let outcome = match drill {
            "kill" => scene.kill().await,
            "freeze" => scene.freeze().await,
            "roll" => scene.roll().await,
            other => Err(format!("CORBEL_BENCH_DRILLS: no drill {other:?}").into()),
        };
        let violations = match outcome {
            Ok(violations) => violations,
            Err(error) => vec![format!("the drill broke off: {error}")],
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

struct Scene {
    name: String,
    scratch: Scratch,
    database: Option<OwnDatabase>,
    setting: Setting,
    stage: Stage,
    slack: FakeSlack,
    nodes: Vec<Node>,
    load: Load,
    chance: Chance,
    rate: u64,
    lease: Duration,
    kills: Vec<Instant>,
}

impl Scene {
    async fn set(drill: &str) -> Outcome<Self> {
        let scratch = Scratch::new(&format!("crash-loop-{drill}"))?;
        let server = asked("CORBEL_BENCH_POSTGRES_URL");
        let (lease, seed) = (
            number("CORBEL_BENCH_LEASE", 1)?,
            number("CORBEL_BENCH_SEED", 1)? as u64,
        );
        let slack = FakeSlack::start().await;
        let mut setting = Setting::new(scratch.path())
            .with("CORBEL_SLACK_API_URL", slack.api_base())
            .with("CORBEL_ALLOW_LOOPBACK", "true")
            .with("CORBEL_LEASE_SECONDS", lease.to_string());
        let database = match &server {
            Some(server) => Some(OwnDatabase::make(server).await?),
            None => None,
        };
        if let Some(own) = &database {
            setting = setting.with("CORBEL_DATABASE_URL", own.url()?);
        }
        let processes = if server.is_some() {
            number("CORBEL_BENCH_PROCESSES", 3)?
        } else {
            1
        };
        let stage = Stage::set(&setting)?;
        let nodes: Vec<Node> = (0..processes)
            .map(|n| Node::new(&setting, &format!("server-{n}")))
            .collect::<Outcome<_>>()?;
        let targets = nodes.iter().map(|node| node.listen.clone()).collect();
        let load = Load::new(slack.clone(), stage.path.clone(), targets)?;
        let faults = number("CORBEL_BENCH_FAULTS", 5)? as u64;
        slack.misbehave(
            seed,
            Rates {
                limited: faults,
                before: faults,
                lost_reply: faults,
                cut: faults,
            },
        );
        let rate = number("CORBEL_BENCH_RATE", 30)? as u64;
        let kind = if server.is_some() { "PostgreSQL" } else { "SQLite" };
        say(format!(
            "\n{drill}: {kind}, {processes} process(es), lease {lease} s, seed {seed}, {rate} events/s"
        ))?;
        let lease = Duration::from_secs(lease as u64);
        let (chance, kills) = (Chance::new(seed), Vec::new());
        Ok(Self {
            name: drill.to_owned(),
            scratch,
            database,
            setting,
            stage,
            slack,
            nodes,
            load,
            chance,
            rate,
            lease,
            kills,
        })
    }

    async fn start_all(&mut self) -> Outcome {
        for node in &mut self.nodes {
            node.start()?;
            node.listening().await?;
        }
        Ok(())
    }

    fn any(&mut self) -> Outcome<(usize, &mut Node)> {
        let at = usize::try_from(self.chance.within(0, self.nodes.len() as u64))?;
        Ok((at, self.nodes.get_mut(at).ok_or("there is no process")?))
    }

    async fn kill(&mut self) -> Outcome<Vec<String>> {
        let kills = number("CORBEL_BENCH_KILLS", 50)?;
        self.start_all().await?;
        let (speaking, watching) = (
            self.load.start(self.rate, self.chance.branch()),
            self.load.watch(),
        );
        let asking = tokio::task::spawn_blocking({
            let (setting, stage, chance, load) = (
                self.setting.clone(),
                self.stage.clone(),
                self.chance.branch(),
                self.load.clone(),
            );
            move || ask_now_and_then(&setting, &stage, chance, &load)
        });
        let mut restarts = Vec::new();
        let mut whole = true;
        while self.kills.len() < kills {
            // Now and then while it is still starting.
            let wait = if whole {
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
            whole = !self.chance.one_in(5) || self.kills.len() == kills;
            for node in &mut self.nodes {
                if node.pid().is_none() {
                    node.start()?;
                }
                if whole {
                    restarts.push(node.listening().await?);
                }
            }
        }
        self.load.stop();
        let drained = self.drain().await?;
        tokio::time::timeout(DRAIN, speaking)
            .await
            .map_err(|_| "not every event was taken")??;
        watching.abort();
        let (asked, mut violations) = asking.await??;
        restarts.sort_unstable();
        say(format!(
            "  {} kills; listening again after p50 {:.0} ms, p99 {:.0} ms; everything ended {:.1} s after the last; {asked} runs by `corbel ask`",
            self.kills.len(),
            ms(quantile(&restarts, 0.5)),
            ms(quantile(&restarts, 0.99)),
            drained.as_secs_f64(),
        ))?;
        violations.extend(self.finish().await?.violations);
        Ok(violations)
    }

    /// Waits until no job is open and every thread is answered; answers how long that took.
    async fn drain(&self) -> Outcome<Duration> {
        let (db, since) = (open(&self.setting).await?, Instant::now());
        let mut calm = 0;
        while calm < 3 {
            let left = (open_jobs(&db).await?, self.load.unanswered());
            calm = if left.0 == 0 && (left.1 == 0 || calm > 0) {
                calm + 1
            } else {
                0
            };
            // What no thread shows may have been said privately; the verdict looks at it.
            if left.0 == 0 && since.elapsed() > Duration::from_secs(10) {
                break;
            }
            if since.elapsed() > DRAIN {
                say(format!(
                    "  NOT everything ended: {} jobs, {} threads",
                    left.0, left.1
                ))?;
                self.load.give_up();
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        db.close().await;
        Ok(since.elapsed())
    }

    /// Ends the servers, judges, and says what was found.
    async fn finish(&mut self) -> Outcome<Verdict> {
        let mut violations = self.load.unexpected();
        for node in &mut self.nodes {
            if node.pid().is_some() {
                let (status, took) = node.terminate().await?;
                if !status.success() {
                    violations.push(format!("after SIGTERM: {status} in {:.1} s", took.as_secs_f64()));
                }
            }
            violations.extend(node.logged("panicked"));
        }
        let mut verdict = judge(
            &self.setting,
            &self.stage,
            &self.slack,
            &self.load.sent(),
            &self.kills,
        )
        .await?;
        verdict.violations.extend(violations);
        self.report(&verdict)?;
        Ok(verdict)
    }

    fn report(&self, verdict: &Verdict) -> Outcome {
        let counts = self.load.counts();
        let of = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::Relaxed);
        say(format!(
            "  {} events in {} requests: {} acknowledgements, {} answered 503, {} unreachable",
            self.load.sent().len(),
            of(&counts.requests),
            of(&counts.acknowledgements),
            of(&counts.busy),
            of(&counts.unreachable),
        ))?;
        say(format!(
            "  {} acknowledged events, {} answered once; {} said that it failed; {} leftover placeholders",
            verdict.acknowledged, verdict.answered, verdict.failed_visibly, verdict.leftovers,
        ))?;
        say(format!(
            "  {} runs, {} of them failed; jobs by crashes {:?}; {} attempts answered an error",
            verdict.runs, verdict.runs_failed, verdict.crashes, verdict.errors,
        ))?;
        let at = |q| quantile(&verdict.recovery, q).as_secs_f64();
        say(format!(
            "  from a kill to the answer it delayed: {} answers, p50 {:.2} s, p99 {:.2} s, most {:.2} s",
            verdict.recovery.len(),
            at(0.5),
            at(0.99),
            at(1.0),
        ))?;
        let mut errors: Vec<String> = self.nodes.iter().flat_map(|node| node.logged("ERROR")).collect();
        let many = errors.len();
        errors.dedup_by_key(|line| line.chars().skip(40).take(80).collect::<String>());
        errors.truncate(8);
        say(format!("  {many} errors in the logs"))?;
        errors.iter().try_for_each(|line| say(format!("    {line}")))
    }

    /// SIGSTOP in the midst of work and beyond the lease; others do the work; SIGCONT.
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
                // Nobody else answers in a chat; a run may be taken by a command beside the server.
                tokio::time::sleep(self.lease * 2).await;
                let question = [
                    "ask",
                    "--org",
                    &self.stage.org,
                    "--as",
                    MEMBER,
                    "NOI 1.285m, debt service 968k. DSCR?",
                ];
                let (status, _, said) = self.setting.try_run(&question)?;
                say(format!(
                    "  ask beside the frozen server: {status} {}",
                    said.trim()
                ))?;
            } else {
                overtaken += self.others_finish(&db, &mut violations).await?;
            }
            slowest = slowest.max(since.elapsed());
            let before = Facts::read(&db).await?;
            let told = self.finals();
            self.nodes.get_mut(at).ok_or("a process")?.thaw()?;
            burst.await?;
            self.drain().await?;
            tokio::time::sleep(self.lease + Duration::from_millis(500)).await;
            if !alone {
                let after = Facts::read(&db).await?;
                violations.extend(changed(&before, &after, &told, &self.finals()));
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

    /// Waits until the others have done everything that was taken; answers what they took over.
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

    /// Every final post of the fake, by its time and words.
    fn finals(&self) -> Vec<(String, String)> {
        let said = [crate::harness::slack::DM, crate::harness::slack::CHANNEL];
        let all = said.iter().flat_map(|channel| self.slack.messages(channel));
        let finals = all.filter(crate::drill::load::is_final);
        finals
            .map(|message| (message.ts.clone(), message.shown()))
            .collect()
    }

    /// SIGTERM and a new start of every process in turn, twice, under load.
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
            .map_err(|_| "not every event was taken")??;
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
            violations.push(format!(
                "leases were left to run out: jobs by crashes {:?}",
                verdict.crashes
            ));
        }
        if verdict.runs_failed + verdict.failed_visibly > 0 {
            violations.push("a restart made runs fail".to_owned());
        }
        violations.extend(verdict.violations);
        Ok(violations)
    }

    async fn clear(self, violations: &[String]) -> Outcome {
        let Self {
            name,
            scratch,
            database,
            nodes,
            ..
        } = self;
        drop(nodes);
        if let Some(own) = database {
            own.remove().await?;
        }
        if violations.is_empty() {
            return say(format!("  {name}: every promise held"));
        }
        say(format!("  {name}: {} VIOLATIONS", violations.len()))?;
        violations
            .iter()
            .take(40)
            .try_for_each(|violation| say(format!("    {violation}")))?;
        say(format!(
            "  data and logs are kept in {}",
            keep(scratch.path())?.display()
        ))
    }
}

/// What a thawed process changed; its claims were overtaken, so nothing may.
fn changed(
    before: &Facts,
    after: &Facts,
    told: &[(String, String)],
    now: &[(String, String)],
) -> Vec<String> {
    let mut found = before.lost_in(after);
    for (ts, words) in told {
        if !now.iter().any(|(other, same)| other == ts && same == words) {
            found.push(format!("the answer at {ts} was changed by a stale attempt"));
        }
    }
    found
}

/// Runs that come by the command line, until the load stops; some commands are killed.
fn ask_now_and_then(
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
            let mut child = setting
                .command()
                .args(question)
                .stdout(std::process::Stdio::null())
                .spawn()?;
            std::thread::sleep(Duration::from_millis(chance.within(5, 120)));
            child.kill()?;
            child.wait()?;
            continue;
        }
        let (status, answer, said) = setting.try_run(&question)?;
        ran += 1;
        if !status.success()
            || answer.pointer("/status").and_then(|status| status.as_str()) != Some("completed")
        {
            violations.push(format!("corbel ask: {status} {answer} {said}"));
        }
    }
    Ok((ran, violations))
}

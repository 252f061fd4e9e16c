//! The common parts of the drills: set up, wait until all work has ended, judge, and clean up.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use crate::drill::asking::Asking;
use crate::drill::chance::Chance;
use crate::drill::cluster::{Node, Setting, keep};
use crate::drill::load::{Load, is_final};
use crate::drill::stage::Stage;
use crate::drill::verdict::{Verdict, judge, open, open_jobs};
use crate::harness::slack::{CHANNEL, DM, FakeSlack, Rates};
use crate::load::database::TempDatabase;
use crate::support::{Outcome, Scratch, env_var, number, quantile, say};

/// Maximum wait for all work to end.
pub const DRAIN: Duration = Duration::from_secs(120);

/// Events and runs that are being sent.
pub struct Traffic {
    events: JoinHandle<()>,
    watching: JoinHandle<()>,
    runs: JoinHandle<()>,
    pub over_http: Asking,
}

pub struct Scene {
    pub name: String,
    pub scratch: Scratch,
    pub database: Option<TempDatabase>,
    pub setting: Setting,
    pub stage: Stage,
    pub slack: FakeSlack,
    pub nodes: Vec<Node>,
    pub load: Load,
    pub chance: Chance,
    pub rate: u64,
    pub lease: Duration,
    pub kills: Vec<Instant>,
}

impl Scene {
    pub async fn set(drill: &str) -> Outcome<Self> {
        let scratch = Scratch::new(&format!("crash-loop-{drill}"))?;
        let server = env_var("CORBEL_BENCH_POSTGRES_URL");
        let (lease, seed) = (
            number("CORBEL_BENCH_LEASE", 1)?,
            number("CORBEL_BENCH_SEED", 1)? as u64,
        );
        let slack = FakeSlack::start().await;
        let data = env_var("CORBEL_BENCH_SMALL_DISK").map_or_else(|| scratch.path().to_owned(), Into::into);
        let mut setting = Setting::new(scratch.path())
            .with("CORBEL_DATA_DIR", data.join("data").display().to_string())
            .with("CORBEL_SLACK_API_URL", slack.api_base())
            .with("CORBEL_ALLOW_LOOPBACK", "true")
            // Rates are still counted, but the drill is not about rate limits.
            .with("CORBEL_RATE_PRODUCTION", "1000000")
            .with("CORBEL_LEASE_SECONDS", lease.to_string());
        let database = match &server {
            Some(server) => Some(TempDatabase::create(server).await?),
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

    pub async fn start_all(&mut self) -> Outcome {
        for node in &mut self.nodes {
            node.start()?;
            node.listening().await?;
        }
        Ok(())
    }

    pub fn any(&mut self) -> Outcome<(usize, &mut Node)> {
        let at = usize::try_from(self.chance.within(0, self.nodes.len() as u64))?;
        Ok((at, self.nodes.get_mut(at).ok_or("there is no process")?))
    }

    /// Starts people who write in a chat and clients that start runs (`CORBEL_BENCH_RUNS` per second, 20).
    pub fn send(&mut self) -> Outcome<Traffic> {
        let (events, watching) = (
            self.load.start(self.rate, self.chance.branch()),
            self.load.watch(),
        );
        let targets = self.nodes.iter().map(|node| node.listen.clone()).collect();
        let over_http = Asking::new(&self.setting, &self.stage, targets)?;
        let per_second = number("CORBEL_BENCH_RUNS", 20)? as u64;
        let runs = over_http.start(per_second, self.chance.branch());
        Ok(Traffic {
            events,
            watching,
            over_http,
            runs,
        })
    }

    /// Stops the traffic, waits until all of it is accepted and done, and returns how long that took.
    pub async fn end(&self, traffic: Traffic) -> Outcome<Duration> {
        self.load.stop();
        traffic.over_http.stop();
        tokio::time::timeout(DRAIN, traffic.runs)
            .await
            .map_err(|_| "not every run was accepted")??;
        let drained = self.drain().await?;
        tokio::time::timeout(DRAIN, traffic.events)
            .await
            .map_err(|_| "not every event was acknowledged")??;
        traffic.watching.abort();
        Ok(drained)
    }

    /// Waits until no job is open and every thread is answered, and returns the time it took.
    pub async fn drain(&self) -> Outcome<Duration> {
        let (db, since) = (open(&self.setting).await?, Instant::now());
        let mut calm = 0;
        while calm < 3 {
            let left = (open_jobs(&db).await?, self.load.unanswered());
            calm = if left.0 == 0 && (left.1 == 0 || calm > 0) {
                calm + 1
            } else {
                0
            };
            // Answers missing in a thread may have been sent privately, which the verdict checks.
            if left.0 == 0 && since.elapsed() > Duration::from_secs(10) {
                break;
            }
            if since.elapsed() > DRAIN {
                say(format!(
                    "  NOT all work ended: {} jobs, {} threads",
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

    /// Stops the servers, judges the results and prints them.
    pub async fn finish(&mut self) -> Outcome<Verdict> {
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

    /// Every final post of the fake workspace, by time and text.
    pub fn finals(&self) -> Vec<(String, String)> {
        let channels = [DM, CHANNEL];
        let all = channels.iter().flat_map(|channel| self.slack.messages(channel));
        let finals = all.filter(is_final);
        finals
            .map(|message| (message.ts.clone(), message.shown()))
            .collect()
    }

    pub async fn clear(self, violations: &[String]) -> Outcome {
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
            return say(format!("  {name}: all checks passed"));
        }
        say(format!("  {name}: {} VIOLATIONS", violations.len()))?;
        violations
            .iter()
            .take(12)
            .try_for_each(|violation| say(format!("    {violation}")))?;
        say(format!(
            "  data and logs are kept in {}",
            keep(scratch.path())?.display()
        ))
    }
}

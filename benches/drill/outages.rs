//! Drills about what the program depends on: a process that dies for good, a disk that is full, a database server
//! that restarts.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::drill::scene::{DRAIN, Scene};
use crate::drill::verdict::{open, open_jobs};
use crate::support::{Outcome, env_var, ms, number, quantile, say};

/// Longest time until another process has picked up and ended the work of a dead one.
const TAKEN_OVER: Duration = Duration::from_secs(45);
/// Jobs that are open when a process is killed.
const HELD: i64 = 8;
/// How long the disk stays full.
const FULL: Duration = Duration::from_secs(20);

impl Scene {
    /// SIGKILL of one process among several, which is not restarted until the others have done its work.
    pub async fn lost(&mut self) -> Outcome<Vec<String>> {
        self.start_all().await?;
        if self.nodes.len() < 2 {
            return Err("needs several processes, and so PostgreSQL".into());
        }
        let (db, mut violations) = (open(&self.setting).await?, Vec::new());
        let mut times = Vec::new();
        for _ in 0..number("CORBEL_BENCH_LOST", 6)? {
            let (at, node) = self.any()?;
            let victim = [node.listen.clone()];
            let burst = tokio::spawn({
                let (load, mut chance) = (self.load.to(&victim), self.chance.branch());
                async move { load.burst(24, &mut chance).await }
            });
            let begun = Instant::now();
            while open_jobs(&db).await? < HELD {
                if begun.elapsed() > DRAIN {
                    return Err("the process accepts no work".into());
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            let node = self.nodes.get_mut(at).ok_or("a process")?;
            node.kill()?;
            let (since, lease) = (Instant::now(), self.lease);
            self.kills.push(since);
            while open_jobs(&db).await? > 0 && since.elapsed() < TAKEN_OVER + lease {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            times.push(since.elapsed());
            // Events that it did not acknowledge are sent again, and need a process.
            let node = self.nodes.get_mut(at).ok_or("a process")?;
            node.start()?;
            node.listening().await?;
            burst.await?;
            self.drain().await?;
        }
        db.close().await;
        times.sort_unstable();
        let slowest = quantile(&times, 1.0);
        say(format!(
            "  {} processes lost; all of their work was done after p50 {:.1} s, at most {:.1} s",
            times.len(),
            quantile(&times, 0.5).as_secs_f64(),
            slowest.as_secs_f64()
        ))?;
        if slowest > TAKEN_OVER {
            violations.push(format!("work of a lost process took {slowest:.1?}"));
        }
        violations.extend(self.finish().await?.violations);
        Ok(violations)
    }

    /// Fills the disk under load, and empties it again. `CORBEL_BENCH_SMALL_DISK` is a folder on a small file system of
    /// its own, which the data folder is on.
    pub async fn full(&mut self) -> Outcome<Vec<String>> {
        let disk = PathBuf::from(env_var("CORBEL_BENCH_SMALL_DISK").ok_or("needs CORBEL_BENCH_SMALL_DISK")?);
        self.start_all().await?;
        let traffic = self.send()?;
        let over_http = traffic.over_http.clone();
        let mut violations = Vec::new();
        for _ in 0..number("CORBEL_BENCH_FILLS", 3)? {
            tokio::time::sleep(Duration::from_secs(5)).await;
            let busy_before = self.load.counts().busy();
            let filling = disk.join("filling");
            let bytes = fill(&filling)?;
            let since = Instant::now();
            let mut reads = Vec::new();
            while since.elapsed() < FULL {
                reads.push(over_http.read_time().await?);
                tokio::time::sleep(Duration::from_millis(500)).await;
                // What the program frees is taken too.
                fill(&filling)?;
            }
            fs::remove_file(&filling)?;
            let refused = self.load.counts().busy() - busy_before;
            let (read, failed) = (
                reads.iter().flatten().count(),
                reads.iter().filter(|read| read.is_none()).count(),
            );
            say(format!(
                "  full with {} MiB for {} s: {refused} events refused with 503, {read} reads answered, {failed} not",
                bytes >> 20,
                FULL.as_secs()
            ))?;
            if refused == 0 {
                violations.push("no write was refused: the disk was not full".to_owned());
            }
            if failed > 0 {
                violations.push(format!("{failed} reads failed while the disk was full"));
            }
        }
        let drained = self.end(traffic).await?;
        say(format!(
            "  everything ended {:.1} s after the load",
            drained.as_secs_f64()
        ))?;
        violations.extend(over_http.judge().await?);
        violations.extend(self.finish().await?.violations);
        let db = open(&self.setting).await?;
        let integrity: String = db.query("PRAGMA integrity_check").scalar().await?;
        db.close().await;
        say(format!("  integrity_check: {integrity}"))?;
        if integrity != "ok" {
            violations.push(format!("integrity_check: {integrity}"));
        }
        Ok(violations)
    }

    /// Restarts the database server under load: the command `CORBEL_BENCH_RESTART`, every `CORBEL_BENCH_EVERY` seconds,
    /// `CORBEL_BENCH_RESTARTS` times.
    pub async fn restart(&mut self) -> Outcome<Vec<String>> {
        let restart = env_var("CORBEL_BENCH_RESTART").ok_or("needs CORBEL_BENCH_RESTART")?;
        let every = Duration::from_secs(number("CORBEL_BENCH_EVERY", 20)? as u64);
        self.start_all().await?;
        let traffic = self.send()?;
        let over_http = traffic.over_http.clone();
        let mut took = Vec::new();
        for _ in 0..number("CORBEL_BENCH_RESTARTS", 30)? {
            tokio::time::sleep(every).await;
            let since = Instant::now();
            let command = restart.clone();
            let status =
                tokio::task::spawn_blocking(move || Command::new("sh").args(["-c", &command]).status());
            let status = status.await??;
            if !status.success() {
                return Err(format!("CORBEL_BENCH_RESTART: {status}").into());
            }
            took.push(since.elapsed());
        }
        let drained = self.end(traffic).await?;
        took.sort_unstable();
        say(format!(
            "  {} restarts of the database, each {:.0} ms; everything ended {:.1} s after the load",
            took.len(),
            ms(quantile(&took, 0.5)),
            drained.as_secs_f64(),
        ))?;
        let mut violations = over_http.judge().await?;
        violations.extend(self.finish().await?.violations);
        Ok(violations)
    }
}

/// Appends to a file until the disk is full, and returns its size.
fn fill(path: &Path) -> Outcome<u64> {
    let mut file = File::options().create(true).append(true).open(path)?;
    let mut block = vec![0_u8; 1 << 20];
    while !block.is_empty() {
        if file.write_all(&block).is_err() {
            block.truncate(block.len() / 2);
        }
    }
    Ok(file.metadata()?.len())
}

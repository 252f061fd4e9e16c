//! Common code of the benchmarks: CPU time of a process, flush time of the disk, quantiles, and a scratch
//! folder.
//!
//! On a shared machine, requests per second depend on other load, CPU time hardly does: compare the CPU
//! columns.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// Prints a line. A closed standard output ends the benchmark.
pub fn say(line: impl AsRef<str>) -> Outcome {
    writeln!(std::io::stdout(), "{}", line.as_ref())?;
    Ok(())
}

/// An environment variable that controls a benchmark.
#[expect(
    clippy::disallowed_methods,
    reason = "benchmarks are controlled by environment variables, not by settings"
)]
pub fn env_var(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A number that controls a benchmark, or its default.
pub fn number(name: &str, usual: usize) -> Outcome<usize> {
    match env_var(name) {
        Some(text) => Ok(text.parse().map_err(|_| format!("{name}: not a whole number"))?),
        None => Ok(usual),
    }
}

/// CPU time of a process so far: user and kernel, all threads.
pub fn cpu_of(pid: u32) -> Outcome<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let (_, fields) = stat
        .rsplit_once(')')
        .ok_or("/proc/PID/stat has an unknown format")?;
    // Fields 14 and 15 of the line, the twelfth and thirteenth after the name.
    let mut fields = fields.split_whitespace().skip(11);
    let mut next = || -> Outcome<u64> { Ok(fields.next().ok_or("/proc/PID/stat is short")?.parse()?) };
    let ticks = next()? + next()?;
    Ok(Duration::from_secs_f64(ticks as f64 / ticks_per_second()?))
}

fn ticks_per_second() -> Outcome<f64> {
    let answer = Command::new("getconf").arg("CLK_TCK").output()?;
    Ok(String::from_utf8(answer.stdout)?.trim().parse()?)
}

/// Measures the time to flush 4 KiB to the disk of `dir`, as a line of text.
pub fn flush_probe(dir: &Path) -> Outcome<String> {
    const TRIES: usize = 300;
    let path = dir.join("flush-probe");
    let file = OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .open(&path)?;
    let block = [0xA5; 4096];
    let mut times = Vec::with_capacity(TRIES);
    for n in 0..TRIES {
        let start = Instant::now();
        file.write_all_at(&block, (n * block.len()) as u64)?;
        file.sync_data()?;
        times.push(start.elapsed());
    }
    drop(file);
    std::fs::remove_file(path)?;
    times.sort_unstable();
    let (p50, p90) = (ms(quantile(&times, 0.5)), ms(quantile(&times, 0.9)));
    Ok(format!(
        "4 KiB write + fdatasync: p50 {p50:.2} ms, p90 {p90:.2} ms"
    ))
}

/// The quantile `q` of sorted values.
pub fn quantile<T: Copy + Default>(sorted: &[T], q: f64) -> T {
    let at = (sorted.len() as f64 * q) as usize;
    sorted
        .get(at.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// One measured round of a contender.
#[derive(Clone, Debug)]
pub struct Round {
    pub cpu: Duration,
    pub wall: Duration,
    /// The time of each unit of work.
    pub times: Vec<Duration>,
}

impl Round {
    fn cpu_us(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.times.len().max(1) as f64
    }

    fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.wall.as_secs_f64()
    }
}

/// The rounds of one contender.
pub struct Contender {
    pub name: String,
    pub rounds: Vec<Round>,
}

impl Contender {
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            rounds: Vec::new(),
        }
    }

    /// Median over the rounds.
    pub fn cpu_us(&self) -> f64 {
        median(self.rounds.iter().map(Round::cpu_us))
    }

    /// Median over the rounds.
    pub fn per_second(&self) -> f64 {
        median(self.rounds.iter().map(Round::per_second))
    }

    /// Medians over the rounds, with the extremes of the rate.
    pub fn line(&self) -> String {
        let rates: Vec<f64> = self.rounds.iter().map(Round::per_second).collect();
        let at = |q| {
            median(self.rounds.iter().map(|round| {
                let mut times = round.times.clone();
                times.sort_unstable();
                ms(quantile(&times, q))
            }))
        };
        let mut line = String::new();
        let (least, most) = rates.iter().fold((f64::MAX, 0.0_f64), |(low, high), rate| {
            (low.min(*rate), high.max(*rate))
        });
        let _ = write!(
            line,
            "{:<34} {:>8.1} {:>9.0} {:>17} {:>8.2} {:>8.2}",
            self.name,
            self.cpu_us(),
            self.per_second(),
            format!("[{least:.0}..{most:.0}]"),
            at(0.5),
            at(0.99),
        );
        line
    }

    pub fn head() -> String {
        format!(
            "{:<34} {:>8} {:>9} {:>17} {:>8} {:>8}",
            "median of rounds", "CPU µs", "per s", "[min..max]", "p50 ms", "p99 ms"
        )
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    quantile(&values, 0.5)
}

/// Describes the machine in one line.
pub fn machine() -> String {
    // All cores, not only those this process may use, because it may be pinned.
    let cores = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = cores.lines().filter(|line| line.starts_with("processor")).count();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    format!("{cores} cores, load average {}", load.join(" "))
}

/// A folder on the disk of the build, removed at the end. Not in /tmp, which may be in memory.
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub fn new(name: &str) -> Outcome<Self> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        File::open(&path)?.sync_all()?;
        Ok(Self { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

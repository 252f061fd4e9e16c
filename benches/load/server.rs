//! A server under measurement: a process of its own that says in a line of JSON where it listens. Ended with
//! the bench. Knows nothing of what is asked of it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Outcome, cpu_of};

/// The program that is measured.
pub const CORBEL: &str = env!("CARGO_BIN_EXE_corbel");

pub struct Server {
    process: Child,
    pub listen: String,
    /// What it said of itself, beside where it listens.
    pub version: Option<String>,
}

impl Server {
    /// Starts a program that prints one JSON object with `listen` once it serves.
    pub fn start(command: &mut Command) -> Outcome<Self> {
        let mut process = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn()?;
        let out = process.stdout.take().ok_or("no standard output")?;
        // Dropped with the process if anything of what follows fails.
        let mut server = Self {
            process,
            listen: String::new(),
            version: None,
        };
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        let said: Value = serde_json::from_str(&line).map_err(|_| format!("it did not start: {line:?}"))?;
        let word = |key| said.get(key).and_then(Value::as_str).map(str::to_owned);
        server.listen = word("listen").ok_or("no listening address")?;
        server.version = word("version");
        Ok(server)
    }

    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// CPU time so far.
    pub fn cpu(&self) -> Outcome<Duration> {
        cpu_of(self.process.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A program without our own settings in its environment, on core 0 where it is to be pinned.
#[expect(
    clippy::disallowed_methods,
    reason = "what steers the bench is taken out of the environment"
)]
pub fn command(program: &str, pinned: bool) -> Command {
    let mut command = if pinned {
        let mut taskset = Command::new("taskset");
        taskset.args(["-c", "0", program]);
        taskset
    } else {
        Command::new(program)
    };
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CORBEL_") {
            command.env_remove(name);
        }
    }
    command
}

/// Puts the load on core 1; false where that cannot be done. To be called before threads are made: they
/// inherit the core.
pub fn pin_self() -> bool {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let pid = std::process::id().to_string();
    let pinning = Command::new("taskset")
        .args(["-cp", "1", &pid])
        .stdout(Stdio::null())
        .status();
    cores > 1 && pinning.is_ok_and(|status| status.success())
}

/// Where things run, as a line.
pub const fn places(pinned: bool) -> &'static str {
    if pinned {
        "server on core 0, load on core 1"
    } else {
        "NOT pinned: taskset is missing, or there is one core"
    }
}

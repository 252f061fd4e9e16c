//! A server under measurement, in a process of its own that prints its address in a line of JSON. It is
//! stopped with the benchmark. Independent of the requests that are sent to it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Outcome, cpu_of};

/// The measured program.
pub const CORBEL: &str = env!("CARGO_BIN_EXE_corbel");

pub struct Server {
    process: Child,
    pub listen: String,
    /// The version that it printed, if any.
    pub version: Option<String>,
}

impl Server {
    /// Starts a program that prints one JSON object with `listen` once it is ready.
    pub fn start(command: &mut Command) -> Outcome<Self> {
        let mut process = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn()?;
        let out = process.stdout.take().ok_or("no standard output")?;
        // Dropping it stops the process if a later step fails.
        let mut server = Self {
            process,
            listen: String::new(),
            version: None,
        };
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        let started: Value =
            serde_json::from_str(&line).map_err(|_| format!("it did not start: {line:?}"))?;
        let word = |key| started.get(key).and_then(Value::as_str).map(str::to_owned);
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

/// A command without the benchmark's variables in its environment, on core 0 if `pinned`.
#[expect(
    clippy::disallowed_methods,
    reason = "variables that control the benchmark are removed from the environment"
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

/// Pins the load to core 1; false if that is not possible. Call it before starting threads, which inherit the
/// core.
pub fn pin_self() -> bool {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let pid = std::process::id().to_string();
    let pinning = Command::new("taskset")
        .args(["-cp", "1", &pid])
        .stdout(Stdio::null())
        .status();
    cores > 1 && pinning.is_ok_and(|status| status.success())
}

/// Describes where server and load run.
pub const fn places(pinned: bool) -> &'static str {
    if pinned {
        "server on core 0, load on core 1"
    } else {
        "NOT pinned: taskset is missing, or there is one core"
    }
}

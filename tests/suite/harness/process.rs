//! The real binary, serving from a test's own place, to be killed as with `kill -9`.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::harness::app::Place;

/// A server process, killed on drop.
pub struct Process {
    child: Child,
    pub url: String,
}

impl Process {
    pub fn start(place: &Place, more: &[(&str, &str)]) -> Self {
        Self::run(command(place, more))
    }

    /// A server that may open at most this many files.
    pub fn with_files(place: &Place, files: u32) -> Self {
        let own = command(place, &[]);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("ulimit -n {files} && exec \"$0\" \"$@\"")])
            .arg(own.get_program());
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        Self::run(shell)
    }

    /// Its bytes in memory.
    pub fn resident(&self) -> usize {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("its status");
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .expect("its memory");
        let kilobytes = line.split_whitespace().nth(1).expect("a number");
        kilobytes.parse::<usize>().expect("a number") << 10
    }

    fn run(mut command: Command) -> Self {
        let mut child = command
            .args(["--json", "serve"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout"))
            .read_line(&mut line)
            .expect("a line");
        let said: Value = serde_json::from_str(&line).expect(&line);
        let url = said["publicUrl"].as_str().or(said["url"].as_str());
        let url = url.expect("an address").to_owned();
        Self { child, url }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The binary with the settings of this place.
pub fn command(place: &Place, more: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_corbel"));
    command
        .env_remove("CORBEL_DATABASE_URL")
        .envs(place.settings(more));
    command
}

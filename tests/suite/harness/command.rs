//! The real binary as a child process with a data directory of its own.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use corbel::base::ids::JobId;
use serde_json::Value;

/// A data directory, removed on drop.
pub struct Dir(pub PathBuf);

impl Dir {
    pub fn new() -> Self {
        Self(std::env::temp_dir().join(format!("corbel-cli-{}", JobId::new().uuid().simple())))
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_corbel"));
        command
            .arg("--data-dir")
            .arg(&self.0)
            .args(arguments)
            .env_remove("CORBEL_DATABASE_URL");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("it runs")
    }

    /// The single JSON object on standard output.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend(arguments);
        let output = self.run(&all);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.trim().lines().count(), 1, "{text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The error code of a refused command. Checks that the exit status is 1 and the message one line without a
    /// backtrace.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let mut all = vec!["--json"];
        all.extend(arguments);
        let output = self.run(&all);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(errors.trim().lines().count(), 1, "{errors}");
        let body: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        body["error"]["code"].as_str().expect("a code").to_owned()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server as a child process, killed on drop.
pub struct Server {
    child: Child,
    pub url: String,
}

impl Server {
    pub fn start(dir: &Dir, arguments: &[&str]) -> Self {
        Self::start_with(dir, arguments, &[])
    }

    /// Starts on a free port, with additional settings.
    pub fn start_with(dir: &Dir, arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        let mut child = dir
            .command(arguments)
            .env("CORBEL_LISTEN", "127.0.0.1:0")
            .envs(settings.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout"))
            .read_line(&mut line)
            .expect("a line");
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        let url = said["url"]
            .as_str()
            .or(said["publicUrl"].as_str())
            .expect("an address")
            .to_owned();
        Self { child, url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

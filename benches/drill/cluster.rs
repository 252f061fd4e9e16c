//! Controls the real program from outside: starts, signals and kills processes, and runs commands.
//! Independent of the requests that are sent to it.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Outcome, env_var};

/// Maximum wait for a process to listen, and to exit after SIGTERM.
const PATIENCE: Duration = Duration::from_secs(40);

/// The program: from this build, or the one given in the environment.
pub fn binary() -> PathBuf {
    env_var("CORBEL_BENCH_BINARY").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_corbel")), PathBuf::from)
}

/// Settings shared by all processes and commands, and the folder for data and logs.
#[derive(Clone)]
pub struct Setting {
    pub dir: PathBuf,
    pub values: Vec<(String, String)>,
}

impl Setting {
    pub fn new(dir: &Path) -> Self {
        let data = dir.join("data").display().to_string();
        Self {
            dir: dir.to_owned(),
            values: vec![("CORBEL_DATA_DIR".to_owned(), data)],
        }
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value.into()));
        self
    }

    pub fn data_dir(&self) -> PathBuf {
        let set = self.values.iter().find(|(name, _)| name == "CORBEL_DATA_DIR");
        set.map_or_else(|| self.dir.join("data"), |(_, dir)| PathBuf::from(dir))
    }

    /// The URL of the database, in the form the program derives.
    pub fn database(&self) -> String {
        let set = self.values.iter().find(|(name, _)| name == "CORBEL_DATABASE_URL");
        set.map_or_else(
            || format!("sqlite://{}", self.data_dir().join("corbel.db").display()),
            |(_, url)| url.clone(),
        )
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "variables that control the drill are removed from the environment"
    )]
    pub fn command(&self) -> Command {
        let mut command = Command::new(binary());
        // Not the source directory, which may contain a settings file.
        command.current_dir(&self.dir).stdin(Stdio::null());
        // Variables that control the drill are not settings of the program.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CORBEL_"))
        {
            command.env_remove(name);
        }
        for (name, value) in &self.values {
            command.env(name, value);
        }
        command
    }

    /// Runs a command with `--json`. A failure becomes an error with its output.
    pub fn run(&self, args: &[&str]) -> Outcome<Value> {
        let (status, answer, output) = self.try_run(args)?;
        if status.success() {
            Ok(answer)
        } else {
            Err(format!("corbel {}: {status} {answer} {output}", args.join(" ")).into())
        }
    }

    /// Like [`run`](Self::run), but also returns the result of a failed command.
    pub fn try_run(&self, args: &[&str]) -> Outcome<(ExitStatus, Value, String)> {
        let output = self.command().args(args).arg("--json").output()?;
        let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
        Ok((
            output.status,
            answer,
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ))
    }
}

/// A server process, or the slot for one that is not running.
pub struct Node {
    setting: Setting,
    pub listen: String,
    log: PathBuf,
    child: Option<Child>,
    stopped: bool,
}

impl Node {
    /// Reserves a free port, which stays the same across restarts.
    pub fn new(setting: &Setting, name: &str) -> Outcome<Self> {
        let listen = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let log = setting.dir.join(format!("{name}.log"));
        let setting = setting.clone().with("CORBEL_LISTEN", &listen);
        Ok(Self {
            setting,
            listen,
            log,
            child: None,
            stopped: false,
        })
    }

    pub fn start(&mut self) -> Outcome {
        self.start_as("serve")
    }

    /// Starts `serve`, or `demo`, which fills the database first.
    pub fn start_as(&mut self, command: &str) -> Outcome {
        let log = OpenOptions::new().create(true).append(true).open(&self.log)?;
        let child = self
            .setting
            .command()
            .arg(command)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        self.child = Some(child);
        self.stopped = false;
        Ok(())
    }

    /// Waits until the process listens, and returns the time it took.
    pub async fn listening(&mut self) -> Outcome<Duration> {
        let since = Instant::now();
        while tokio::net::TcpStream::connect(&self.listen).await.is_err() {
            if let Some(status) = self
                .child
                .as_mut()
                .and_then(|child| child.try_wait().transpose())
                .transpose()?
            {
                return Err(format!(
                    "a server ended while starting: {status}; its log is {}",
                    self.log.display()
                )
                .into());
            }
            if since.elapsed() > PATIENCE {
                return Err("a server does not listen".into());
            }
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        Ok(since.elapsed())
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Sends SIGKILL and waits for the exit.
    pub fn kill(&mut self) -> Outcome {
        if let Some(mut child) = self.child.take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// Sends SIGSTOP: the process hangs, but its connections stay open.
    pub fn freeze(&mut self) -> Outcome {
        self.stopped = true;
        self.signal("STOP")
    }

    pub fn thaw(&mut self) -> Outcome {
        self.stopped = false;
        self.signal("CONT")
    }

    fn signal(&self, name: &str) -> Outcome {
        let pid = self.pid().ok_or("the process is dead")?;
        let sent = Command::new("kill")
            .args([format!("-{name}"), pid.to_string()])
            .status()?;
        if sent.success() {
            Ok(())
        } else {
            Err(format!("kill -{name}: {sent}").into())
        }
    }

    /// Sends SIGTERM, and returns the exit status and the time it took.
    pub async fn terminate(&mut self) -> Outcome<(ExitStatus, Duration)> {
        self.signal("TERM")?;
        let since = Instant::now();
        loop {
            let child = self.child.as_mut().ok_or("the process is dead")?;
            if let Some(status) = child.try_wait()? {
                self.child = None;
                return Ok((status, since.elapsed()));
            }
            if since.elapsed() > PATIENCE {
                self.kill()?;
                return Err(format!(
                    "a server does not end after SIGTERM; its log is {}",
                    self.log.display()
                )
                .into());
            }
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
    }

    /// The lines of the log that contain `word`.
    pub fn logged(&self, word: &str) -> Vec<String> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        text.lines()
            .filter(|line| line.contains(word))
            .map(str::to_owned)
            .collect()
    }

    /// Resident memory in KiB.
    pub fn resident(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()?)).ok()?;
        status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .ok()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if self.stopped {
            let _ = self.thaw();
        }
        let _ = self.kill();
    }
}

/// Keeps the data needed to analyze a violation.
pub fn keep(dir: &Path) -> Outcome<PathBuf> {
    let kept = dir.with_extension("kept");
    std::fs::rename(dir, &kept)?;
    let mut note = File::create(kept.join("README"))?;
    writeln!(
        note,
        "Kept because a drill found a violation: data and logs. May be removed."
    )?;
    Ok(kept)
}

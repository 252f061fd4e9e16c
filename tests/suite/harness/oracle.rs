//! Runs oracles: Slack's own code in a separate process, with a time limit, and without blocking the fakes that serve
//! it from the test's own threads.
//!
//! `CORBEL_TEST_PYTHON` names a Python that has `slack_sdk`; `CORBEL_TEST_NODE_MODULES` names a folder with
//! `@slack/types`, `@slack/web-api`, `@slack/bolt` and `typescript`. A missing oracle is skipped with a notice.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use corbel::base::ids::JobId;

use crate::harness::external;

/// The time limit of a program, long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

pub fn python() -> Option<String> {
    external::named("CORBEL_TEST_PYTHON", "checks by Slack's Python SDK are skipped")
}

pub fn node_modules() -> Option<PathBuf> {
    external::named(
        "CORBEL_TEST_NODE_MODULES",
        "checks by Slack's Node packages are skipped",
    )
    .map(PathBuf::from)
}

pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/oracles")
        .join(name)
}

/// A command that runs a script of `tests/oracles` in Node.
pub fn node(modules: &Path, name: &str) -> Command {
    let mut node = Command::new("node");
    node.arg(script(name)).env("CORBEL_TEST_NODE_MODULES", modules);
    node
}

/// Runs a program to its end with this input. Blocks its thread: where a fake on the test's runtime has to respond
/// meanwhile, use [`judged`].
pub fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut program = Program::start(command);
    let mut stdin = program.stdin.take().expect("an input");
    let input = input.to_vec();
    // Written in parallel: the program may produce output before it has read all its input.
    let writing = std::thread::spawn(move || {
        // A program that ends early does not read the rest.
        let _ = stdin.write_all(&input);
    });
    let output = program.end();
    writing.join().expect("written");
    output
}

/// The same, on a blocking thread.
pub async fn judged(mut command: Command, input: Vec<u8>) -> Output {
    let running = tokio::task::spawn_blocking(move || run(&mut command, &input));
    running.await.expect("an end")
}

/// Compiles a TypeScript text with access to the packages.
pub fn compile(modules: &Path, text: &str) -> Output {
    let folder = std::env::temp_dir().join(format!("corbel-types-{}", JobId::new().uuid().simple()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::os::unix::fs::symlink(modules, folder.join("node_modules")).expect("a link");
    std::fs::write(folder.join("judged.ts"), text).expect("written");
    let mut tsc = Command::new("node");
    tsc.arg(modules.join("typescript/lib/tsc.js"))
        .args(["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext"])
        .args(["--moduleResolution", "bundler", "--target", "es2022", "judged.ts"])
        .current_dir(&folder);
    let output = run(&mut tsc, b"");
    std::fs::remove_dir_all(&folder).expect("removed");
    output
}

/// All output of a program.
pub fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// A program that runs alongside the test, killed on drop.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    output: JoinHandle<Vec<u8>>,
    errors: JoinHandle<Vec<u8>>,
}

impl Program {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (line, lines) = channel();
        let (stdout, mut stderr) = (child.stdout.take(), child.stderr.take().expect("piped"));
        let mut stdout = BufReader::new(stdout.expect("piped"));
        let output = std::thread::spawn(move || {
            let (mut all, mut from) = (Vec::new(), 0);
            while stdout.read_until(b'\n', &mut all).unwrap_or_default() > 0 {
                let _ = line.send(String::from_utf8_lossy(&all[from..]).trim().to_owned());
                from = all.len();
            }
            all
        });
        let errors = std::thread::spawn(move || {
            let mut all = Vec::new();
            let _ = stderr.read_to_end(&mut all);
            all
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            output,
            errors,
        }
    }

    /// Writes a line to its input.
    pub fn write_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("an input");
        writeln!(stdin, "{line}").expect("the program listens");
    }

    /// The next line of its output.
    pub fn line(&self) -> String {
        match self.lines.recv_timeout(TIMEOUT) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("the program says nothing"),
            Err(RecvTimeoutError::Disconnected) => panic!("the program has ended"),
        }
    }

    /// Closes its input and waits for it to end; kills it after the time limit.
    pub fn end(mut self) -> Output {
        drop(self.stdin.take());
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("its state") {
                break status;
            }
            if since.elapsed() > TIMEOUT {
                let _ = self.child.kill();
                break self.child.wait().expect("its end");
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let nothing = || std::thread::spawn(Vec::new);
        let output = std::mem::replace(&mut self.output, nothing());
        let errors = std::mem::replace(&mut self.errors, nothing());
        Output {
            status,
            stdout: output.join().expect("read"),
            stderr: errors.join().expect("read"),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

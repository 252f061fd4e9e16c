//! Slack's own code, run as a program of its own: bounded in time, and out of the way of the fakes that
//! answer it from the test's own threads.
//!
//! `CORBEL_TEST_PYTHON` names a Python that has `slack_sdk`; `CORBEL_TEST_NODE_MODULES` a folder with
//! `@slack/types`, `@slack/web-api`, `@slack/bolt` and `typescript`. What is not there is left out, aloud.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use corbel::base::ids::JobId;

use crate::harness::outside;

/// Longest that a program may take, also on a machine with much else to do.
const PATIENCE: Duration = Duration::from_secs(120);

pub fn python() -> Option<String> {
    outside::named("CORBEL_TEST_PYTHON", "Slack's Python SDK judges nothing")
}

pub fn node_modules() -> Option<PathBuf> {
    outside::named("CORBEL_TEST_NODE_MODULES", "Slack's Node packages judge nothing").map(PathBuf::from)
}

pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/oracles")
        .join(name)
}

/// A script of `tests/oracles` for Node.
pub fn node(modules: &Path, name: &str) -> Command {
    let mut node = Command::new("node");
    node.arg(script(name)).env("CORBEL_TEST_NODE_MODULES", modules);
    node
}

/// Runs to the end with this input. Blocks its thread: where a fake on the test's runtime has to answer
/// meanwhile, [`judged`] is the way.
pub fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut program = Program::start(command);
    let mut stdin = program.stdin.take().expect("an input");
    let input = input.to_vec();
    // Neither side waits for the other: the program may speak before it has read all.
    let writing = std::thread::spawn(move || {
        // A program that ends early hears no more.
        let _ = stdin.write_all(&input);
    });
    let output = program.end();
    writing.join().expect("written");
    output
}

/// The same beside the test's runtime.
pub async fn judged(mut command: Command, input: Vec<u8>) -> Output {
    let running = tokio::task::spawn_blocking(move || run(&mut command, &input));
    running.await.expect("an end")
}

/// Has the TypeScript compiler look at a text, with the packages in reach.
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

/// All that it said.
pub fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// A program that runs beside the test. Dropped, it ends.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    said: JoinHandle<Vec<u8>>,
    complaints: JoinHandle<Vec<u8>>,
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
        let said = std::thread::spawn(move || {
            let (mut all, mut from) = (Vec::new(), 0);
            while stdout.read_until(b'\n', &mut all).unwrap_or_default() > 0 {
                let _ = line.send(String::from_utf8_lossy(&all[from..]).trim().to_owned());
                from = all.len();
            }
            all
        });
        let complaints = std::thread::spawn(move || {
            let mut all = Vec::new();
            let _ = stderr.read_to_end(&mut all);
            all
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            said,
            complaints,
        }
    }

    /// Gives it a line.
    pub fn tell(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("an input");
        writeln!(stdin, "{line}").expect("the program listens");
    }

    /// The next line that it says.
    pub fn line(&self) -> String {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("the program says nothing"),
            Err(RecvTimeoutError::Disconnected) => panic!("the program has ended"),
        }
    }

    /// Closes its input and waits for its end, which is brought about where it does not come by itself.
    pub fn end(mut self) -> Output {
        drop(self.stdin.take());
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("its state") {
                break status;
            }
            if since.elapsed() > PATIENCE {
                let _ = self.child.kill();
                break self.child.wait().expect("its end");
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let nothing = || std::thread::spawn(Vec::new);
        let said = std::mem::replace(&mut self.said, nothing());
        let complaints = std::mem::replace(&mut self.complaints, nothing());
        Output {
            status,
            stdout: said.join().expect("read"),
            stderr: complaints.join().expect("read"),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

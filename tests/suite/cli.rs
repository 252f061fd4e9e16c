//! The command line as operators and scripts see it: the true binary.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use corbel::base::ids::JobId;
use serde_json::Value;

struct Dir(PathBuf);

impl Dir {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("corbel-cli-{}", JobId::new().uuid().simple())))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_corbel"));
        command
            .arg("--data-dir")
            .arg(&self.0)
            .args(arguments)
            .env_remove("CORBEL_DATABASE_URL");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("it runs")
    }

    /// The one JSON object on standard output.
    fn json(&self, arguments: &[&str]) -> Value {
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

    /// The stable code of a refused command, its exit status 1, and one line without a backtrace.
    fn refused(&self, arguments: &[&str]) -> String {
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

/// A server as a child; killed when dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(dir: &Dir, arguments: &[&str]) -> Self {
        let mut child = dir
            .command(arguments)
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

#[test]
fn an_operator_sets_an_organization_up() {
    let dir = Dir::new();
    let org = dir.json(&["admin", "org", "create", "--name", "Acme"]);
    let org = org["orgId"].as_str().expect("id");
    let user = [
        "admin",
        "user",
        "create",
        "--org",
        "Acme",
        "--email",
        "ana@acme.example",
        "--name",
        "Ana",
        "--role",
        "owner",
    ];
    assert!(dir.json(&user)["userId"].is_string());
    assert_eq!(dir.refused(&user), "conflict");
    let note = [
        "admin",
        "note",
        "create",
        "--org",
        org,
        "--owner",
        "ana@acme.example",
        "--type",
        "organisation_memory",
        "--title",
        "Standards",
        "--body",
        "Our minimum DSCR is 1.25x.",
    ];
    assert!(dir.json(&note)["memoryId"].is_string());
    let created = dir.json(&[
        "admin",
        "assistant",
        "create",
        "--org",
        org,
        "--name",
        "Abacus",
        "--platform",
        "slack",
        "--app-id",
        "A0APP",
        "--client-id",
        "1.2",
        "--client-secret",
        "cs",
        "--signing-secret",
        "ss",
        "--bot-token",
        "xoxb-1",
        "--team-id",
        "T0HOME",
        "--bot-user-id",
        "U0BOT",
    ]);
    let assistant = created["assistantId"].as_str().expect("id");
    for address in ["events", "interactivity", "commands", "oauthCallback", "manifest"] {
        assert!(created["addresses"][address].is_string(), "{address}");
    }
    let manifest = dir.json(&["admin", "assistant", "manifest", "--assistant", assistant]);
    assert_eq!(manifest["manifest"]["display_information"]["name"], "Abacus");
    let events = manifest["manifest"]["settings"]["event_subscriptions"]["request_url"]
        .as_str()
        .expect("address");
    assert_eq!(events, created["addresses"]["events"].as_str().expect("address"));
    assert_eq!(
        dir.json(&["admin", "shared", "enable", "--assistant", assistant, "--on"])["sharedEnabled"],
        true
    );
    let approve = [
        "admin",
        "conversation",
        "approve",
        "--assistant",
        assistant,
        "--conversation",
        "C0CHAN",
    ];
    assert_eq!(dir.json(&approve)["state"], "approved");
    let link = [
        "admin",
        "link",
        "create",
        "--assistant",
        assistant,
        "--platform-user",
        "U0ANA",
        "--user",
        "ana@acme.example",
    ];
    assert!(dir.json(&link)["linkId"].is_string());
    dir.json(&["admin", "credit", "add", "--org", org, "--usd", "12.50"]);
    let asked = dir.json(&[
        "ask",
        "--org",
        org,
        "--as",
        "ana@acme.example",
        "NOI 1.285m, annual debt service 968k. DSCR?",
    ]);
    assert_eq!(asked["status"], "completed");
    assert_eq!(asked["figures"][0]["name"], "dscr");
    assert!((asked["figures"][0]["value"].as_f64().expect("number") - 1.327_479).abs() < 0.000_01);
    let ledger = dir.json(&["admin", "ledger", "--org", org]);
    assert_eq!(ledger["consistent"], true);
    assert_eq!(ledger["balances"]["funded"], 12_500_000);
    assert_eq!(dir.json(&["doctor"])["ok"], true);
    // Nothing secret lies readable in the data directory's database.
    for entry in std::fs::read_dir(&dir.0).expect("files") {
        let path = entry.expect("entry").path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        assert!(
            !bytes.windows(6).any(|part| part == b"xoxb-1"),
            "{}",
            path.display()
        );
    }
}

#[test]
fn bad_input_gets_a_clear_error_and_a_stable_code() {
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Acme"]);
    let long = "x".repeat(200);
    let cases: &[(&[&str], &str)] = &[
        (&["admin", "org", "create", "--name", ""], "invalid_request"),
        (&["admin", "org", "create", "--name", &long], "invalid_request"),
        (&["admin", "org", "create", "--name", "Acme"], "conflict"),
        (
            &["admin", "org", "create", "--name", "B", "--plan", "gold"],
            "invalid_request",
        ),
        (
            &["admin", "org", "create", "--name", "B", "--included-usd", "-4"],
            "invalid_request",
        ),
        (
            &[
                "admin",
                "user",
                "create",
                "--org",
                "Nobody",
                "--email",
                "a@b.example",
                "--name",
                "A",
            ],
            "not_found",
        ),
        (
            &[
                "admin", "user", "create", "--org", "Acme", "--email", "nonsense", "--name", "A",
            ],
            "invalid_request",
        ),
        (
            &[
                "admin",
                "user",
                "create",
                "--org",
                "Acme",
                "--email",
                "a@b.example",
                "--name",
                "A",
                "--role",
                "king",
            ],
            "invalid_request",
        ),
        (
            &["admin", "credit", "add", "--org", "Acme", "--usd", "0"],
            "invalid_request",
        ),
        (
            &["admin", "credit", "add", "--org", "Acme", "--usd", "1e9"],
            "invalid_request",
        ),
        (
            &[
                "admin",
                "credit",
                "add",
                "--org",
                "Acme",
                "--usd",
                "99999999999999999999",
            ],
            "invalid_request",
        ),
        (
            &["admin", "ledger", "--org", "00000000-0000-0000-0000-000000000000"],
            "not_found",
        ),
        (
            &["admin", "assistant", "manifest", "--assistant", "not-an-id"],
            "not_found",
        ),
        (
            &[
                "admin",
                "assistant",
                "create",
                "--org",
                "Acme",
                "--name",
                "A",
                "--platform",
                "fax",
            ],
            "invalid_request",
        ),
        (
            &[
                "admin",
                "assistant",
                "create",
                "--org",
                "Acme",
                "--name",
                "A",
                "--platform",
                "slack",
                "--bot-token",
                "nonsense",
            ],
            "invalid_request",
        ),
        (
            &["ask", "--org", "Acme", "--as", "nobody@acme.example", "hello"],
            "not_found",
        ),
        (&["ask", ""], "invalid_request"),
    ];
    for (arguments, code) in cases {
        assert_eq!(dir.refused(arguments), *code, "{arguments:?}");
    }
    for wrong in [
        &["admin"][..],
        &["ask"],
        &["fly"],
        &["admin", "org", "create"],
        &["ask", "--org", "Acme", "hello"],
    ] {
        assert_eq!(dir.run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let mut setting = dir.command(&["doctor"]);
    let output = setting
        .env("CORBEL_WORKERS", "many")
        .env("CORBEL_LISTEN", "here")
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors.contains("CORBEL_WORKERS") && errors.contains("CORBEL_LISTEN"),
        "{errors}"
    );
}

#[test]
fn a_password_comes_from_standard_input() {
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Acme"]);
    let arguments = [
        "admin",
        "user",
        "create",
        "--org",
        "Acme",
        "--email",
        "a@acme.example",
        "--name",
        "A",
        "--password-stdin",
    ];
    for (password, fine) in [("short", false), ("long-enough-1", true)] {
        let mut child = dir
            .command(&arguments)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("spawn");
        child
            .stdin
            .take()
            .expect("stdin")
            .write_all(format!("{password}\n").as_bytes())
            .expect("written");
        assert_eq!(child.wait().expect("ended").success(), fine, "{password}");
    }
}

#[test]
fn the_demo_starts_twice_on_the_same_data_and_answers_within_a_second() {
    let dir = Dir::new();
    for _ in 0..2 {
        let server = Server::start(&dir, &["--json", "demo", "--listen", "127.0.0.1:0"]);
        assert!(server.url.starts_with("http://127.0.0.1:"));
        // A second server on the same data refuses; commands beside it work.
        let second = dir.run(&["serve"]);
        assert_eq!(second.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&second.stderr).contains("another server"));
        let since = Instant::now();
        let answer = dir.json(&[
            "ask",
            "What is a building with $918,000 of NOI worth at a 6.25% cap?",
        ]);
        assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
        assert_eq!(answer["figures"][0]["value"], 14_688_000.0);
    }
    let ledger = dir.json(&["admin", "ledger", "--org", corbel::app::demo::seed::ORG]);
    assert_eq!(ledger["consistent"], true);
}

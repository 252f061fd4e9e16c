//! The command line as operators and scripts use it, with the real binary.

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use corbel::base::clock::Clock;
use corbel::db::pool::Db;

use crate::harness::command::{Dir, Server};

#[tokio::test]
async fn commands_started_at_once_share_one_demo() {
    let dir = Dir::new();
    let ask = |n: u32| {
        let question = format!("Cap rate with NOI of {n}00k and a price of 8m?");
        let mut command = dir.command(&["--json", "ask", &question]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("it starts")
    };
    for asked in (1..=4).map(ask).collect::<Vec<Child>>() {
        let output = asked.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !output.stdout.is_empty(), "{errors}");
    }
    let url = format!("sqlite://{}", dir.0.join("corbel.db").display());
    let db = Db::open(&url, Clock::system()).await.expect("a database");
    let notes = "SELECT (SELECT COUNT(*) FROM assistants), COUNT(*), COUNT(DISTINCT title) FROM notes";
    let (assistants, notes, titles): (i64, i64, i64) = db.read().query(notes).one().await.expect("counts");
    assert_eq!((assistants, notes), (1, titles));
}

#[test]
fn an_operator_sets_up_an_organization() {
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
        "xoxb-1-canary",
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
    let session = asked["sessionId"].as_str().expect("a session");
    let again = [
        "ask",
        "--org",
        org,
        "--as",
        "ana@acme.example",
        "--session",
        session,
    ];
    let again = dir.json(&[&again[..], &["And with a debt service of 1.1m?"]].concat());
    assert_eq!(again["sessionId"], session);
    assert!((again["figures"][0]["value"].as_f64().expect("number") - 1.168_182).abs() < 0.000_01);
    let stranger = "01890000-0000-7000-8000-000000000000";
    let as_ana = ["ask", "--org", org, "--as", "ana@acme.example", "--session"];
    assert_eq!(
        dir.refused(&[&as_ana[..], &[stranger, "hello"]].concat()),
        "not_found"
    );
    let ledger = dir.json(&["admin", "ledger", "--org", org]);
    assert_eq!(ledger["consistent"], true);
    assert_eq!(ledger["balances"]["funded"], 12_500_000);
    assert_eq!(dir.json(&["doctor"])["ok"], true);
    // No secret is stored in plain text in the database of the data directory.
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
    let not_text = OsStr::from_bytes(b"\xff");
    let mut setting = dir.command(&["doctor"]);
    let output = setting
        .env("CORBEL_SERVICE_NAME", not_text)
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("CORBEL_SERVICE_NAME: not UTF-8"), "{errors}");
    let mut setting = dir.command(&["migrate"]);
    let output = setting
        .env("SOMETHING_ELSE", not_text)
        .env(not_text, "x")
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "variables of other programs may have any value: {errors}"
    );
}

#[test]
fn a_password_is_read_from_standard_input() {
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
fn the_demo_starts_twice_on_the_same_data_and_answers_quickly() {
    let dir = Dir::new();
    for _ in 0..2 {
        let server = Server::start(&dir, &["--json", "demo", "--listen", "127.0.0.1:0"]);
        assert!(server.url.starts_with("http://127.0.0.1:"));
        // A second server on the same data refuses to start; commands work alongside the first.
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

#[test]
fn commands_may_start_at_once_on_a_new_database() {
    let dir = Dir::new();
    let start = |number: usize| {
        let name = format!("Org {number}");
        let mut command = dir.command(&["admin", "org", "create", "--name", &name]);
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    };
    let all: Vec<Child> = (0..4).map(start).collect();
    for child in all {
        let output = child.wait_with_output().expect("ended");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn a_different_master_key_is_detected_at_startup() {
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Acme"]);
    let other = corbel::crypto::seal::Sealer::new_master_key().expect("key");
    for arguments in [&["serve"][..], &["admin", "org", "create", "--name", "B"]] {
        let output = dir
            .command(arguments)
            .env("CORBEL_MASTER_KEY", other.expose())
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("sealed with"),
            "{arguments:?}"
        );
    }
    // The key file is gone: a new one must not be generated in its place.
    std::fs::remove_file(dir.0.join("master.key")).expect("removed");
    assert_eq!(dir.run(&["serve"]).status.code(), Some(1));
    assert_eq!(dir.run(&["doctor"]).status.code(), Some(1));
}

#[test]
fn an_assistant_is_completed_step_by_step() {
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Acme"]);
    let made = dir.json(&[
        "admin",
        "assistant",
        "create",
        "--org",
        "Acme",
        "--name",
        "Abacus",
        "--platform",
        "slack",
    ]);
    assert_eq!(made["state"], "pending");
    let id = made["assistantId"].as_str().expect("id");
    assert!(dir.json(&["admin", "assistant", "manifest", "--assistant", id])["createLink"].is_string());
    let update = |more: &[&str]| {
        let mut all = vec!["admin", "assistant", "update", "--assistant", id];
        all.extend(more);
        dir.json(&all)
    };
    assert_eq!(
        update(&["--app-id", "A0APP", "--signing-secret", "ss"])["state"],
        "pending"
    );
    let complete = update(&[
        "--bot-token",
        "xoxb-1-canary",
        "--team-id",
        "T0HOME",
        "--bot-user-id",
        "U0BOT",
    ]);
    assert_eq!(
        (
            complete["state"].as_str(),
            complete["missing"].as_array().map(Vec::len)
        ),
        (Some("active"), Some(0))
    );
    assert_eq!(dir.json(&["doctor"])["ok"], true);
}

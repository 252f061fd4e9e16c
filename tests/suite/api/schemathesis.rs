//! Schemathesis against the true server: no fault, no undescribed answer, no way round the key, nothing that
//! is still there after its end. `CORBEL_TEST_SCHEMATHESIS` names its program; `CORBEL_TEST_SCHEMATHESIS_SECONDS` lets
//! it look for longer than the suite does, and deeper.

use std::process::Command;

use crate::harness::command::{Dir, Server};
use crate::harness::outside;

/// What cannot be said in a schema is refused all the same: control characters, a cursor of another list, a
/// change of nothing. So one check is left out: that whatever a schema allows is accepted.
const LEFT_OUT: &str = "positive_data_acceptance";

#[test]
fn the_document_holds_against_generated_requests() {
    let Some(program) = outside::named("CORBEL_TEST_SCHEMATHESIS", "no requests are generated") else {
        return;
    };
    let dir = Dir::new();
    let org = dir.json(&["admin", "org", "create", "--name", "Marlow Ridge"]);
    let org = org["orgId"].as_str().expect("an id");
    let email = "ana@marlow.example";
    let user = ["--email", email, "--name", "Ana Example"];
    dir.json(&[&["admin", "user", "create", "--org", org][..], &user].concat());
    let new = ["--owner", email, "--environment", "production", "--name", "tests"];
    let key = dir.json(&[&["admin", "key", "create", "--org", org][..], &new].concat());
    let key = key["secret"].as_str().expect("a key");
    let server = Server::start_with(
        &dir,
        &["--json", "serve"],
        &[("CORBEL_RATE_PRODUCTION", "1000000")],
    );
    let report = std::env::temp_dir().join(format!("corbel-schemathesis-{}", std::process::id()));
    std::fs::create_dir_all(&report).expect("a folder");
    let seconds = std::env::var("CORBEL_TEST_SCHEMATHESIS_SECONDS").ok();
    // For each operation: the suite's look is short.
    let examples = if seconds.is_some() { "150" } else { "15" };
    let run = Command::new(program)
        .current_dir(&report)
        .arg("run")
        .arg(format!("{}/openapi.json", server.url))
        .args(["--checks", "all", "--exclude-checks", LEFT_OUT])
        .args(["--phases", "examples,coverage,fuzzing,stateful"])
        .args([
            "--max-examples",
            examples,
            "--max-time",
            seconds.as_deref().unwrap_or("90"),
            "--seed",
            "7",
            "--no-shrink",
        ])
        .args(["--continue-on-failure", "--warnings", "off"])
        .args(["--header", &format!("X-Api-Key: {key}")])
        .output()
        .expect("it runs");
    let _ = std::fs::remove_dir_all(&report);
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    println!("{said}");
    assert!(
        said.contains("test cases") || said.contains("Test cases"),
        "{said}"
    );
}

//! Schemathesis against the real server: no server error, no undocumented response, no way around the key, no use
//! after deletion. `CORBEL_TEST_SCHEMATHESIS` names the program; `CORBEL_TEST_SCHEMATHESIS_SECONDS` makes it run longer
//! and search deeper than the default.

use std::process::Command;

use crate::harness::command::{Dir, Server};
use crate::harness::external;

/// Some invalid requests cannot be expressed in a schema: control characters, a cursor of another list, an empty
/// change. So the check that everything allowed by a schema is accepted is left out.
const EXCLUDED_CHECK: &str = "positive_data_acceptance";

#[test]
fn the_document_is_correct_for_generated_requests() {
    let Some(program) = external::named("CORBEL_TEST_SCHEMATHESIS", "no requests are generated") else {
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
    // Per operation; the default is short.
    let examples = if seconds.is_some() { "150" } else { "15" };
    let run = Command::new(program)
        .current_dir(&report)
        .arg("run")
        .arg(format!("{}/openapi.json", server.url))
        .args(["--checks", "all", "--exclude-checks", EXCLUDED_CHECK])
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

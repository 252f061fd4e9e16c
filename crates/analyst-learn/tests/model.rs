//! The model that is checked in is what the examples teach.

use std::process::Command;

/// Half a minute optimised: on request, `cargo test -p corbel-analyst-learn -- --ignored`.
#[test]
#[ignore = "learns for half a minute; the examples are frozen"]
fn the_model_is_what_the_examples_teach() {
    let learned = Command::new(env!("CARGO_BIN_EXE_analyst-learn"))
        .arg("--check")
        .output();
    let learned = learned.unwrap_or_else(|error| unreachable!("the command runs: {error}"));
    assert!(
        learned.status.success(),
        "{}",
        String::from_utf8_lossy(&learned.stderr)
    );
}

//! The commands for conversations and deliveries, with the real binary.

use serde_json::Value;

use crate::harness::command::Dir;

fn assistant(dir: &Dir) -> String {
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
    made["assistantId"].as_str().expect("id").to_owned()
}

#[test]
fn conversations_are_approved_and_revoked_by_command() {
    let dir = Dir::new();
    let id = assistant(&dir);
    let of = |act: &str, more: &[&str]| -> Vec<String> {
        let fixed = ["admin", "conversation", act, "--assistant", &id];
        fixed.iter().chain(more).map(|part| (*part).to_owned()).collect()
    };
    let run = |act: &str, more: &[&str]| -> Value {
        let all = of(act, more);
        dir.json(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(run("list", &[])["conversations"], Value::Array(Vec::new()));
    let one = ["--conversation", "C0CHAN"];
    let refused = of("suspend", &one);
    let refused: Vec<&str> = refused.iter().map(String::as_str).collect();
    assert_eq!(dir.refused(&refused), "conflict", "nothing is approved yet");
    assert_eq!(run("approve", &one)["state"], "approved");
    let because = ["--conversation", "C0CHAN", "--reason", "auditors are in"];
    assert_eq!(run("suspend", &because)["state"], "suspended");
    let listed = run("list", &[]);
    assert_eq!(listed["conversations"][0]["state"], "suspended");
    assert_eq!(listed["conversations"][0]["reason"], "auditors are in");
    assert_eq!(run("revoke", &one)["state"], "revoked");
    assert_eq!(run("list", &[])["conversations"][0]["state"], "revoked");
}

#[test]
fn deliveries_are_listed_by_command_and_those_of_others_are_absent() {
    let dir = Dir::new();
    let id = assistant(&dir);
    let listed = dir.json(&["admin", "delivery", "list", "--assistant", &id]);
    assert_eq!(listed["deliveries"], Value::Array(Vec::new()));
    let resend = ["admin", "delivery", "resend", "--assistant", &id, "--delivery"];
    for absent in ["019ab4f0-0000-7000-8000-000000000000", "nonsense"] {
        let mut all = resend.to_vec();
        all.push(absent);
        assert_eq!(dir.refused(&all), "not_found");
    }
    let cursor = [
        "admin",
        "delivery",
        "list",
        "--assistant",
        &id,
        "--after",
        "nonsense",
    ];
    assert_eq!(dir.refused(&cursor), "invalid_request");
}

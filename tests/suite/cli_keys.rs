//! `corbel admin key`, with the real binary.

use serde_json::Value;

use crate::harness::command::Dir;

#[test]
fn an_operator_creates_lists_rotates_and_revokes_keys() {
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Acme"]);
    for (email, name) in [("ana@acme.example", "Ana"), ("bo@acme.example", "Bo")] {
        dir.json(&[
            "admin", "user", "create", "--org", "Acme", "--email", email, "--name", name,
        ]);
    }
    let create = |owner: &str, more: &[&str]| {
        let mut all = vec![
            "admin",
            "key",
            "create",
            "--org",
            "Acme",
            "--environment",
            "production",
            "--name",
            "Import",
        ];
        all.extend(["--owner", owner]);
        all.extend(more);
        dir.json(&all)
    };
    let lasting = create("ana@acme.example", &[]);
    let ending = create("bo@acme.example", &["--expires-in-days", "30"]);
    assert!(
        lasting["secret"]
            .as_str()
            .is_some_and(|text| text.starts_with("corbel_live_"))
    );
    assert_eq!(lasting["expiresAt"], Value::Null);
    assert!(ending["expiresAt"].is_string());
    let wrong = [
        "admin",
        "key",
        "create",
        "--org",
        "Acme",
        "--environment",
        "sandbox",
        "--name",
        "x",
        "--owner",
        "ana@acme.example",
        "--expires-in-days",
        "0",
    ];
    assert_eq!(dir.refused(&wrong), "invalid_request");

    let list = |more: &[&str]| {
        let mut all = vec!["admin", "key", "list", "--org", "Acme"];
        all.extend(more);
        let listed = dir.json(&all);
        let keys = listed["keys"].as_array().expect("keys").clone();
        assert!(
            !listed.to_string().contains("corbel_live_"),
            "the key is shown once"
        );
        keys.iter()
            .map(|key| key["owner"].as_str().expect("an email").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(list(&[]), ["bo@acme.example", "ana@acme.example"]);
    assert_eq!(list(&["--owner", "ana@acme.example"]), ["ana@acme.example"]);

    let id = lasting["keyId"].as_str().expect("an id");
    let rotated = dir.json(&[
        "admin",
        "key",
        "rotate",
        "--org",
        "Acme",
        "--key",
        id,
        "--overlap",
        "1h",
    ]);
    assert_ne!(rotated["secret"], lasting["secret"]);
    assert!(rotated["previousUntil"].is_string());
    let at_once = dir.json(&[
        "admin",
        "key",
        "rotate",
        "--org",
        "Acme",
        "--key",
        id,
        "--overlap",
        "none",
    ]);
    assert_eq!(at_once["previousUntil"], Value::Null);
    assert_eq!(
        dir.refused(&[
            "admin",
            "key",
            "rotate",
            "--org",
            "Acme",
            "--key",
            id,
            "--overlap",
            "1d"
        ]),
        "invalid_request"
    );

    dir.json(&["admin", "key", "revoke", "--org", "Acme", "--key", id]);
    assert_eq!(list(&[]), ["bo@acme.example"]);
    assert_eq!(list(&["--all"]), ["bo@acme.example", "ana@acme.example"]);
    for act in ["revoke", "rotate"] {
        assert_eq!(
            dir.refused(&["admin", "key", act, "--org", "Acme", "--key", id]),
            "not_found"
        );
    }
}

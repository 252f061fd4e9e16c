//! `corbel portfolio models` and `corbel portfolio query`, with the real binary.

use serde_json::json;

use crate::harness::command::Dir;
use crate::semantic::fixture::shared;

fn organization() -> Option<Dir> {
    let folder = shared()?;
    let dir = Dir::new();
    dir.json(&["admin", "org", "create", "--name", "Query House"]);
    for (email, role) in [("olga@query.example", "owner"), ("mara@query.example", "member")] {
        dir.json(&[
            "admin",
            "user",
            "create",
            "--org",
            "Query House",
            "--email",
            email,
            "--name",
            "One",
            "--role",
            role,
        ]);
    }
    dir.json(&[
        "admin",
        "portfolio",
        "import",
        "--org",
        "Query House",
        folder.to_str().expect("a path"),
    ]);
    Some(dir)
}

const OLGA: [&str; 4] = ["--org", "Query House", "--as", "olga@query.example"];
const MARA: [&str; 4] = ["--org", "Query House", "--as", "mara@query.example"];

fn arguments<'a>(start: &[&'a str], who: [&'a str; 4], end: &[&'a str]) -> Vec<&'a str> {
    [start, &who, end].concat()
}

#[test]
fn models_are_listed_described_and_queried() {
    let Some(dir) = organization() else { return };
    let listed = dir.json(&arguments(&["portfolio", "models"], OLGA, &[]));
    assert_eq!(listed["models"].as_array().map(Vec::len), Some(10));
    let about = dir.json(&arguments(
        &["portfolio", "models", "--model", "loans"],
        OLGA,
        &[],
    ));
    assert_eq!(
        (&about["name"], &about["type"]),
        (&json!("loans"), &json!("view"))
    );
    let query = r#"{"measures": ["financials.noi"], "dimensions": ["buildings.city"],
        "timeDimensions": [{"dimension": "financials.month", "dateRange": "last 12 months"}]}"#;
    let answer = dir.json(&arguments(&["portfolio", "query"], OLGA, &[query]));
    assert_eq!(
        answer["data"][0],
        json!({"buildings.city": "Austin", "financials.noi": 3_396_983.51})
    );
    assert_eq!(
        (&answer["rowCount"], &answer["truncated"]),
        (&json!(4), &json!(false))
    );
    // Human-readable output: a table with notes below.
    let output = dir.run(&arguments(&["portfolio", "query"], OLGA, &[query]));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "buildings.city  financials.noi");
    assert_eq!(lines[2], "Austin            3,396,983.51");
    assert!(
        text.contains("As of 2026-10-31.") && text.contains("from 2025-11-01 to 2026-10-31"),
        "{text}"
    );
    // Mara has no grant at first, then one building.
    let none = dir.json(&arguments(&["portfolio", "query"], MARA, &[query]));
    assert_eq!(none["data"], json!([]));
    dir.json(&[
        "admin",
        "buildings",
        "grant",
        "--org",
        "Query House",
        "--user",
        "mara@query.example",
        "--buildings",
        "B03",
    ]);
    let granted = dir.json(&arguments(&["portfolio", "query"], MARA, &[query]));
    assert_eq!(
        granted["data"],
        json!([{"buildings.city": "Austin", "financials.noi": 2_006_060.71}])
    );
}

#[test]
fn a_refused_query_exits_with_one_and_names_the_fix() {
    let Some(dir) = organization() else { return };
    for (query, code) in [
        (r#"{"measures": ["financials.noii"]}"#, "unknown_member"),
        (
            r#"{"measures": ["financials.noi"], "limit": 5000}"#,
            "limit_exceeded",
        ),
        ("{not json", "invalid_value"),
    ] {
        assert_eq!(
            dir.refused(&arguments(&["portfolio", "query"], OLGA, &[query])),
            code
        );
    }
    let output = dir.run(&arguments(
        &["portfolio", "query"],
        OLGA,
        &[r#"{"measures": ["financials.noii"]}"#],
    ));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        said.contains("did you mean financials.noi") && said.contains("measures[0]"),
        "{said}"
    );
    assert!(output.stdout.is_empty());
    assert_eq!(
        dir.refused(&arguments(
            &["portfolio", "models", "--model", "payroll"],
            OLGA,
            &[]
        )),
        "unknown_model"
    );
    let stranger = ["--org", "Query House", "--as", "nobody@query.example"];
    assert_eq!(
        dir.refused(&arguments(&["portfolio", "models"], stranger, &[])),
        "not_found"
    );
}

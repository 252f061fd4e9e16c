//! `corbel ask --attach` and `corbel eval`: files are processed like those of any other question, and wrong figures are
//! distinguished from clarifying questions.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::command::Dir;
use crate::harness::external;

const ROLL: &str = "unit,status,market_rent,contract_rent\n1,occupied,1500,1450\n2,vacant,1500,\n3,occupied,1900,1850\n\
                    4,occupied,1900,1900\n";

#[test]
fn a_file_is_attached_to_a_question_and_cited() {
    let dir = Dir::new();
    let file = std::env::temp_dir().join(format!(
        "{}-roll.csv",
        dir.0.file_name().unwrap().to_string_lossy()
    ));
    std::fs::write(&file, ROLL).unwrap();
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let path = file.to_string_lossy().into_owned();
    let asked = dir.json(&[
        "ask",
        "--attach",
        &path,
        "How full is the building in the attached rent roll?",
    ]);
    assert_eq!(asked["figures"][0]["name"], "physical_occupancy", "{asked}");
    assert_eq!(asked["figures"][0]["value"], 0.75);
    assert_eq!(asked["sources"][0]["title"], name.as_str());
    assert_eq!(asked["audience"]["personalFiles"], 1);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(
        dir.refused(&["ask", "--attach", &path, "Occupancy?"]),
        "invalid_request"
    );
}

#[test]
fn cases_are_counted_right_asked_back_or_wrong_by_category() {
    let dir = Dir::new();
    let roll = json!([{ "filename": "roll.csv", "contentType": "text/csv", "content": ROLL }]);
    let case = |id: &str, question: &str, metric: &str, value: Value| {
        json!({
            "id": id, "category": "rolls", "question": question, "attachments": roll,
            "expected": { "metric": metric, "value": value, "tolerance": 0.001 },
        })
    };
    let mut also = case(
        "E4",
        "What is the physical occupancy?",
        "physical_occupancy",
        json!(0.75),
    );
    also["also"] = json!([{ "metric": "walt_by_rent", "value": 1.0 }]);
    let cases = json!({
        "cases": [
            case("E1", "What is the physical occupancy?", "physical_occupancy", json!(0.75)),
            case("E2", "What is the WALT by rent?", "walt_by_rent", json!(1.0)),
            case("E3", "Monthly loss to lease?", "loss_to_lease", json!(101.0)),
            also,
            {
                "id": "N0", "category": "rolls", "question": "What is the IRR on 100, 200 and 300?",
                "expected": { "behaviour": "no_number", "reason": "impossible" },
            },
        ],
        "no_number_examples": [
            { "id": "N1", "question": "Please check the attached T-12 and give me NOI.", "expected": {} },
        ],
    });
    let file = std::env::temp_dir().join(format!(
        "{}-cases.json",
        dir.0.file_name().unwrap().to_string_lossy()
    ));
    std::fs::write(&file, cases.to_string()).unwrap();
    let output = dir.run(&["--json", "eval", &file.to_string_lossy()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(output.status.code(), Some(1), "an answer was wrong");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts: Vec<&str> = report["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(
        verdicts,
        ["right", "asked back", "wrong", "wrong", "right", "right"],
        "{report}"
    );
    let why = |case: usize| report["cases"][case]["why"].clone();
    assert_eq!(why(0), Value::Null);
    assert_eq!(
        why(2),
        "expected loss_to_lease 101.0, got loss_to_lease 100.0 USD"
    );
    assert!(
        why(3).as_str().unwrap().ends_with("; without walt_by_rent"),
        "{}",
        why(3)
    );
    assert_eq!(
        report["categories"]["rolls"],
        json!({ "right": 1, "askedBack": 1, "wrong": 2 })
    );
    assert_eq!(
        (&report["right"], &report["askedBack"], &report["wrong"]),
        (&json!(3), &json!(1), &json!(2))
    );
}

/// Runs the published cases with the real core and the demo's portfolio: the number of right answers may only grow, and
/// none is wrong.
#[test]
fn the_published_cases_reach_their_minimum() {
    let Some(shared) = external::named("CORBEL_TEST_SHARED", "the published cases are not run") else {
        return;
    };
    let cases = Path::new(&shared).join("data/finance/cases_public.json");
    let dir = Dir::new();
    let report = dir.json(&["eval", &cases.to_string_lossy()]);
    println!(
        "{} right, {} asked back, {} wrong",
        report["right"], report["askedBack"], report["wrong"]
    );
    assert_eq!(report["wrong"], 0, "{report}");
    assert!(report["right"].as_u64().unwrap() >= RIGHT, "{report}");
}

/// At least 57 of the 60 cases, plus the four that must not get a number.
const RIGHT: u64 = 61;

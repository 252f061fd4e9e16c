//! Questions with their calls, written independently of the code, with values from first principles.

use std::collections::BTreeSet;

use calls::provenance::Givens;
use calls::session::Session;
use serde_json::Value;

/// One question of each kind of the analyst's examples.
const TELLINGS: &str = include_str!("../translations/tellings.json");
/// Questions of a portfolio are answered by other tools.
const ELSEWHERE: &str = "svc_query_portfolio_data";

fn cases(text: &str) -> Vec<Value> {
    let set: Value = serde_json::from_str(text).unwrap();
    set["cases"].as_array().unwrap().clone()
}

/// The wanted answers of a case: ref, value, unit, tolerance.
fn answers(case: &Value) -> Vec<Value> {
    match case["answers"].as_array() {
        Some(list) => list.clone(),
        None => {
            let mut one = case.clone();
            one["ref"] = case["answer"].clone();
            vec![one]
        }
    }
}

fn agrees(got: &Value, want: &Value, tolerance: f64) -> bool {
    match (got, want) {
        (Value::Array(got), Value::Array(want)) => {
            got.len() == want.len()
                && got
                    .iter()
                    .zip(want)
                    .all(|(got, want)| agrees(got, want, tolerance))
        }
        _ => match (got.as_f64(), want.as_f64()) {
            (Some(got), Some(want)) => (got - want).abs() <= tolerance.max(1e-9 * want.abs()),
            _ => got == want,
        },
    }
}

fn failures(text: &str) -> Vec<String> {
    let mut failed = Vec::new();
    for case in cases(text) {
        let calls = case["calls"].as_array().unwrap();
        if calls.iter().any(|call| call["name"] == ELSEWHERE) {
            continue;
        }
        let mut givens = Givens::default();
        givens.add(case["question"].as_str().unwrap());
        for file in case["attachments"].as_array().into_iter().flatten() {
            givens.add(file["content"].as_str().unwrap_or_default());
        }
        let mut session = Session::new(givens);
        let mut results = Vec::new();
        for call in calls {
            results.push(session.call(call["name"].as_str().unwrap(), &call["arguments"]));
        }
        for answer in answers(&case) {
            let Some(reference) = answer["ref"].as_str() else {
                continue;
            };
            let figure = results
                .iter()
                .flat_map(|result| result["figures"].as_array().into_iter().flatten())
                .find(|figure| figure["ref"] == reference);
            let got = figure.map_or(&Value::Null, |figure| &figure["value"]);
            if answer["value"].is_null() && !got.is_null() {
                continue;
            }
            let tolerance = answer["tolerance"]
                .as_f64()
                .unwrap_or_else(|| 1e-6 * got.as_f64().unwrap_or(0.0).abs());
            let unit =
                answer["unit"].is_null() || figure.is_some_and(|figure| figure["unit"] == answer["unit"]);
            if !agrees(got, &answer["value"], tolerance) || !unit {
                let last: Vec<String> = results.iter().map(ToString::to_string).collect();
                failed.push(format!(
                    "{} {} {}: {}",
                    case["id"],
                    reference,
                    answer["value"],
                    last.join("\n    ")
                ));
            }
        }
    }
    failed
}

fn assert_right(cases: &str) {
    let failed = failures(cases);
    assert!(
        failed.is_empty(),
        "{} failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

#[test]
fn new_questions_have_their_values() {
    assert_right(include_str!("../translations/new.json"));
}

#[test]
fn public_questions_have_their_values() {
    assert_right(include_str!("../translations/public.json"));
}

#[test]
fn each_kind_of_question_has_its_value() {
    assert_right(TELLINGS);
    for case in cases(TELLINGS) {
        let values = answers(&case);
        assert!(values.iter().all(|answer| !answer["value"].is_null()), "{case}");
    }
}

/// The names of the kinds of questions that the analyst's examples hold.
fn kinds() -> BTreeSet<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../analyst-learn/examples");
    let files = std::fs::read_dir(folder).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    texts
        .flat_map(|text| {
            let heads = text.lines().filter_map(|line| line.strip_prefix("== "));
            heads.map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|kind| kind != "none")
        .collect()
}

#[test]
fn nearly_all_kinds_of_questions_have_calls() {
    let listed = include_str!("../translations/not_expressible.md");
    let covered: BTreeSet<String> = cases(TELLINGS)
        .iter()
        .map(|case| case["id"].as_str().unwrap().to_owned())
        .collect();
    let all = kinds();
    let absent: Vec<&String> = all.difference(&covered).collect();
    assert!(absent.len() * 20 <= all.len(), "{absent:?} of {}", all.len());
    for kind in absent {
        assert!(listed.contains(&format!("`{kind}`")), "{kind}");
    }
}

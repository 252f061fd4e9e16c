//! Questions with their calls, written independently of the code, with values from first principles.

use calls::provenance::Givens;
use calls::session::Session;
use serde_json::Value;

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
    assert_right(include_str!("../translations/tellings.json"));
}

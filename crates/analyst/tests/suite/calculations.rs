//! Calculations asked in plain prose: what loans cost, levered returns, values, taxes, money in time. Each is right,
//! what is incomplete is asked back, and a follow-up changes what it names.
//!
//! The values were computed by plain arithmetic elsewhere; a figure counts by its value.

use analyst::answer::draft;
use analyst::contract::brief::Brief;
use analyst::contract::draft::Draft;
use serde_json::Value;

use super::asking::brief;

fn ask(question: &str, earlier: Option<Value>) -> Draft {
    draft(&Brief {
        earlier,
        ..brief(question)
    })
}

/// Whether the first figure has the value.
fn fits(draft: &Draft, value: f64) -> bool {
    let first = draft.figures.first().and_then(|figure| figure.value.as_f64());
    draft.success && first.is_some_and(|got| (got - value).abs() <= 2e-5 * value.abs().max(1e-3))
}

fn said(question: &str, draft: &Draft) -> String {
    let figure = draft.figures.first().map(|figure| (&figure.name, &figure.value));
    format!("{question} -> {} {figure:?}", draft.quick_reply)
}

#[test]
fn calculations_in_prose_are_right() {
    let set: Value = serde_json::from_str(include_str!("calculations.json")).unwrap();
    let mut wrong = Vec::new();
    for case in set["cases"].as_array().unwrap() {
        let question = case["question"].as_str().unwrap();
        let draft = ask(question, None);
        if !fits(&draft, case["value"].as_f64().unwrap()) {
            wrong.push(said(question, &draft));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_lacks_an_input_is_asked_back() {
    let set: Value = serde_json::from_str(include_str!("calculations.json")).unwrap();
    for question in set["no_number"].as_array().unwrap() {
        let question = question.as_str().unwrap();
        let draft = ask(question, None);
        assert!(
            draft.figures.is_empty() && !draft.success,
            "{}",
            said(question, &draft)
        );
    }
}

#[test]
fn follow_ups_change_what_they_name() {
    let set: Value = serde_json::from_str(include_str!("calculations.json")).unwrap();
    for thread in set["threads"].as_array().unwrap() {
        let mut earlier = None;
        for turn in thread.as_array().unwrap() {
            let question = turn["question"].as_str().unwrap();
            let draft = ask(question, earlier);
            assert!(
                fits(&draft, turn["value"].as_f64().unwrap()),
                "{}",
                said(question, &draft)
            );
            earlier = draft.frame;
        }
    }
}

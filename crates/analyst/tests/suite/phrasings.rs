//! Questions as people write them in passing, in words that no list of names has foreseen: none answered wrong, and
//! hardly any asked back.
//!
//! The values were computed by plain arithmetic elsewhere. A figure counts by its value alone; its name is judged by
//! other sets.

use analyst::contract::draft::Draft;
use serde_json::Value;

use super::asking::ask_case;

/// `right`, `asked` or `wrong`, by the first figure.
fn verdict(case: &Value, draft: &Draft) -> &'static str {
    let Some(figure) = draft.figures.first() else {
        return if draft.success { "wrong" } else { "asked" };
    };
    let tolerance = case["tolerance"].as_f64().unwrap();
    let near = |got: &Value, want: &Value| match (got.as_f64(), want.as_f64()) {
        (Some(got), Some(want)) => (got - want).abs() <= tolerance,
        _ => false,
    };
    let same = match (figure.value.as_array(), case["value"].as_array()) {
        (Some(got), Some(want)) => {
            got.len() == want.len() && got.iter().zip(want).all(|(got, want)| near(got, want))
        }
        _ => near(&figure.value, &case["value"]) || near(&figure.value, &case["or"]),
    };
    if draft.success && same { "right" } else { "wrong" }
}

#[test]
fn phrasings_nobody_listed_are_right_and_never_wrong() {
    let set: Value = serde_json::from_str(include_str!("phrasings.json")).unwrap();
    let cases = set["cases"].as_array().unwrap();
    let mut right = 0;
    let mut wrong = Vec::new();
    for case in cases {
        let draft = ask_case(case);
        let verdict = verdict(case, &draft);
        if verdict == "right" {
            right += 1;
            continue;
        }
        let line = format!(
            "{} {verdict}: {} -> {} {:?}",
            case["id"],
            case["question"],
            draft.quick_reply,
            draft.figures.first().map(|figure| (&figure.name, &figure.value))
        );
        println!("{line}");
        if verdict == "wrong" {
            wrong.push(line);
        }
    }
    println!("{right} of {} are right", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        right * 100 >= cases.len() * 95,
        "only {right} of {} are right",
        cases.len()
    );
}

#[test]
fn what_cannot_be_a_figure_is_asked_about() {
    let set: Value = serde_json::from_str(include_str!("phrasings.json")).unwrap();
    for case in set["no_number"].as_array().unwrap() {
        let draft = ask_case(case);
        assert!(
            draft.figures.is_empty() && !draft.success,
            "{} -> {}",
            case["question"],
            draft.quick_reply
        );
    }
}

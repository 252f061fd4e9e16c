//! The published question set: no wrong figure anywhere, and every supported family right.
//!
//! Reads the set from the folder named by `CORBEL_TEST_SHARED`; without it the test says so and passes.

use std::path::Path;

use chrono::NaiveDate;
use corbel::analysis::engine::{Brief, Draft, Tone};
use corbel::analysis::engines::offline::analyst::draft;
use serde_json::Value;

const FAMILIES: &[&str] = &[
    "cap_rate",
    "valuation",
    "dscr",
    "debt_yield",
    "ltv",
    "ltc",
    "amortization",
    "mortgage_constant",
    "npv",
    "irr",
    "equity_multiple",
    "cash_on_cash",
    "breakeven",
];

fn ask(question: &str) -> Draft {
    draft(&Brief {
        question: question.to_owned(),
        tone: Tone::Professional,
        today: NaiveDate::from_ymd_opt(2026, 11, 20).unwrap(),
        earlier: None,
        notes: Vec::new(),
        thread: Vec::new(),
    })
}

/// `right`, `asked` or `wrong`.
fn judge(case: &Value, draft: &Draft) -> &'static str {
    if !draft.success {
        return if draft.figures.is_empty() {
            "asked"
        } else {
            "wrong"
        };
    }
    let expected = &case["expected"];
    let tolerance = expected["tolerance"].as_f64().unwrap_or(0.0);
    let Some(figure) = draft.figures.first() else {
        return "wrong";
    };
    let near = |got: &Value, want: &Value| match (got.as_f64(), want.as_f64()) {
        (Some(got), Some(want)) => (got - want).abs() <= tolerance,
        _ => false,
    };
    let same = match (figure.value.as_array(), expected["value"].as_array()) {
        (Some(got), Some(want)) => {
            got.len() == want.len() && got.iter().zip(want).all(|(got, want)| near(got, want))
        }
        _ => near(&figure.value, &expected["value"]),
    };
    let named = expected["metric"].as_str() == Some(figure.name.as_str())
        && expected["unit"].as_str() == Some(&figure.unit);
    let also = case["also"]
        .as_array()
        .into_iter()
        .flatten()
        .all(|fact| match fact["value"].as_f64() {
            Some(want) => draft.figures.iter().any(|figure| {
                Some(figure.name.as_str()) == fact["metric"].as_str()
                    && figure.value.as_f64().is_some_and(|got| (got - want).abs() < 0.01)
            }),
            None => true,
        });
    if same && named && also { "right" } else { "wrong" }
}

#[test]
fn published_cases_are_never_answered_wrong() {
    let Ok(shared) = std::env::var("CORBEL_TEST_SHARED") else {
        println!("CORBEL_TEST_SHARED is not set: the published cases were not run");
        return;
    };
    let path = Path::new(&shared).join("data/finance/cases_public.json");
    let set: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut count = std::collections::BTreeMap::new();
    let mut failures = Vec::new();
    for case in set["cases"].as_array().unwrap() {
        let draft = ask(case["question"].as_str().unwrap());
        let verdict = judge(case, &draft);
        *count.entry(verdict).or_insert(0) += 1;
        let in_scope = FAMILIES.contains(&case["category"].as_str().unwrap());
        if verdict == "wrong" || (in_scope && verdict != "right") {
            failures.push(format!(
                "{} {verdict}: {} -> {}",
                case["id"], case["question"], draft.quick_reply
            ));
        }
        println!(
            "{} {} {verdict}: {}",
            case["id"], case["category"], draft.quick_reply
        );
    }
    for case in set["no_number_examples"].as_array().unwrap() {
        let draft = ask(case["question"].as_str().unwrap());
        println!("{}: {}", case["id"], draft.quick_reply);
        if draft.success || !draft.figures.is_empty() {
            failures.push(format!("{} gave a number: {}", case["id"], draft.quick_reply));
        }
    }
    println!("{count:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

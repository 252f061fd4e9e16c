//! The published question set: no wrong figure anywhere, and every supported family right.
//!
//! Reads the set from the folder named by `CORBEL_TEST_SHARED`; without it the test says so, and in CI it fails.

use std::path::Path;

use serde_json::Value;

use super::asking::ask_case;
use super::judge::judge;
use crate::outside;

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

#[test]
fn published_cases_are_never_answered_wrong() {
    let Some(shared) = outside::named("CORBEL_TEST_SHARED", "the published cases are not run") else {
        return;
    };
    let path = Path::new(&shared).join("data/finance/cases_public.json");
    let set: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut count = std::collections::BTreeMap::new();
    let mut failures = Vec::new();
    for case in set["cases"].as_array().unwrap() {
        let draft = ask_case(case);
        let verdict = judge(case, &draft);
        *count.entry(verdict).or_insert(0) += 1;
        let attached = case["attachments"]
            .as_array()
            .is_some_and(|files| !files.is_empty());
        let in_scope = attached || FAMILIES.contains(&case["category"].as_str().unwrap());
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
        let draft = ask_case(case);
        println!("{}: {}", case["id"], draft.quick_reply);
        if draft.success || !draft.figures.is_empty() {
            failures.push(format!("{} gave a number: {}", case["id"], draft.quick_reply));
        }
    }
    println!("{count:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

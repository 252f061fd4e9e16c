//! Our own questions over all families, in other words and numbers than the published ones: never wrong.
//!
//! The answers were computed elsewhere. What is asked back is counted, and must stay rare.

use std::collections::BTreeMap;

use serde_json::Value;

use super::asking::ask;
use super::judge::judge;

#[test]
fn paraphrases_are_right_and_never_wrong() {
    let set: Value = serde_json::from_str(include_str!("paraphrases.json")).unwrap();
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let cases = set["cases"].as_array().unwrap();
    for case in cases {
        let draft = ask(case["question"].as_str().unwrap());
        let verdict = judge(case, &draft);
        *count.entry(verdict).or_insert(0) += 1;
        if verdict != "right" {
            println!(
                "{} {} {verdict}: {} -> {} {:?}",
                case["id"],
                case["category"],
                case["question"],
                draft.quick_reply,
                draft
                    .figures
                    .first()
                    .map(|figure| (&figure.name, &figure.value, &figure.unit))
            );
        }
        if verdict == "wrong" {
            wrong.push(case["id"].clone());
        }
    }
    println!("{count:?} of {}", cases.len());
    for question in set["no_number"].as_array().unwrap() {
        let draft = ask(question.as_str().unwrap());
        println!("{question} -> {}", draft.quick_reply);
        if draft.success || !draft.figures.is_empty() {
            wrong.push(question.clone());
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:?}");
    let right = count.get("right").copied().unwrap_or(0);
    assert!(
        right * 100 >= cases.len() * 97,
        "only {right} of {} are right",
        cases.len()
    );
}

//! Questions about the shared portfolio in many wordings, with figures that `questions.py` calculated from its CSV
//! files: no answer is wrong. Includes conversations and questions that must not get a figure.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use corbel::analysis::engine::Draft;
use corbel::portfolio::model::Buildings;
use serde_json::Value;

use super::analyst_fixture::{AnalystFixture, shared};
use super::reference_metrics::{judge, near};
use crate::harness::app::{Place, on_each};

fn verdict(case: &Value, draft: &Draft) -> &'static str {
    if case["asks"].as_bool() == Some(true) {
        return if draft.figures.is_empty() {
            "right"
        } else {
            "wrong"
        };
    }
    let (metric, unit) = (case["metric"].as_str().unwrap(), case["unit"].as_str().unwrap());
    let tolerance = case["tolerance"].as_f64().unwrap_or(0.0);
    let Some(subject) = case["subject"].as_str() else {
        return judge(draft, metric, unit, &case["value"], tolerance);
    };
    let found = draft
        .figures
        .iter()
        .find(|figure| figure.name == metric && figure.subject.as_deref() == Some(subject));
    match found {
        Some(figure) if figure.unit == unit && near(&figure.value, &case["value"], tolerance) => "right",
        None if draft.figures.is_empty() => "asked",
        _ => "wrong",
    }
}

async fn ask_all(place: Arc<Place>, folder: PathBuf) {
    let fixture = AnalystFixture::open(&place, &folder).await;
    let cases: Vec<Value> = serde_json::from_str(include_str!("questions.json")).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut report = Vec::new();
    for case in &cases {
        let mut earlier = None;
        for before in case["after"].as_array().into_iter().flatten() {
            let draft = fixture
                .ask_as(before.as_str().unwrap(), Buildings::All, earlier)
                .await;
            earlier = draft.frame;
        }
        let question = case["question"].as_str().unwrap();
        let draft = fixture.ask_as(question, Buildings::All, earlier).await;
        let verdict = verdict(case, &draft);
        *counts.entry(verdict).or_default() += 1;
        if verdict != "right" {
            let first = draft
                .figures
                .first()
                .map(|figure| format!("{} {} {}", figure.name, figure.value, figure.unit));
            report.push(format!(
                "{verdict}: {question}\n   wants {} {} {}\n   got {first:?}: {}",
                case["metric"], case["value"], case["unit"], draft.quick_reply
            ));
        }
    }
    println!("{counts:?}\n{}", report.join("\n"));
    assert_eq!(counts.get("wrong"), None);
    // Clarifying questions are allowed, but must remain rare.
    let asked = counts.get("asked").copied().unwrap_or(0);
    assert!(
        asked * 20 <= cases.len(),
        "{asked} of {} were asked back",
        cases.len()
    );
}

#[tokio::test]
async fn questions_in_many_wordings_are_never_answered_wrong() {
    let Some(folder) = shared() else { return };
    on_each("questions_in_many_wordings_are_never_answered_wrong", |place| {
        ask_all(place, folder.clone())
    })
    .await;
}

/// The published questions about the portfolio are answered correctly, and those with their own numbers do not use it.
#[tokio::test]
async fn published_cases_use_the_portfolio_only_where_they_refer_to_it() {
    let Some(folder) = shared() else { return };
    on_each("published cases", |place| published(place, folder.clone())).await;
}

async fn published(place: Arc<Place>, folder: PathBuf) {
    let fixture = AnalystFixture::open(&place, &folder).await;
    let path = folder.join("../finance/cases_public.json");
    let set: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in set["cases"].as_array().unwrap() {
        let question = case["question"].as_str().unwrap();
        let draft = fixture.ask(question).await;
        let read = draft
            .figures
            .iter()
            .any(|figure| figure.inputs.iter().any(|input| input.origin == "portfolio"));
        if case["requires_portfolio"].as_bool() == Some(true) {
            let expected = &case["expected"];
            let (metric, unit) = (
                expected["metric"].as_str().unwrap(),
                expected["unit"].as_str().unwrap(),
            );
            let tolerance = expected["tolerance"].as_f64().unwrap();
            let also = case["also"].as_array().into_iter().flatten().all(|fact| {
                draft
                    .figures
                    .iter()
                    .any(|figure| fact["metric"] == figure.name.as_str() && fact["value"] == figure.value)
            });
            if judge(&draft, metric, unit, &expected["value"], tolerance) != "right" || !also {
                wrong.push(format!("{}: {}", case["id"], draft.quick_reply));
            }
        } else if read && case["attachments"].as_array().is_none_or(Vec::is_empty) {
            wrong.push(format!(
                "{} read the portfolio: {}",
                case["id"], draft.quick_reply
            ));
        }
    }
    for case in set["no_number_examples"].as_array().unwrap() {
        let draft = fixture.ask(case["question"].as_str().unwrap()).await;
        if !draft.figures.is_empty() {
            wrong.push(format!("{} got a figure: {}", case["id"], draft.quick_reply));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

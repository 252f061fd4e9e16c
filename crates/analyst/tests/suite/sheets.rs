//! Questions about tables in files and in the question itself, with answers that were computed by other means.
//!
//! `sheets.json` holds the files and the cases. Figures that are asked for must be right, and what a table does not
//! tell must be asked back: no figure may be wrong.

use std::collections::BTreeMap;

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileContent, FileExcerpt, FileFrom};
use analyst::contract::draft::Draft;
use serde::Deserialize;
use serde_json::Value;

use super::asking::{brief, file_id};

#[derive(Deserialize)]
struct Set {
    files: BTreeMap<String, String>,
    cases: Vec<Case>,
    /// Questions that must be asked back, with a word of the answer.
    open: Vec<Open>,
    follows: Vec<Follow>,
}

#[derive(Deserialize)]
struct Case {
    files: Vec<String>,
    question: String,
    metric: Option<String>,
    value: Value,
    unit: String,
    tolerance: f64,
    /// Further values that the figures must hold: groups, a second thing asked for.
    #[serde(default)]
    also: Vec<f64>,
}

/// A question that goes on from the one before it, with values that its figures must hold.
#[derive(Deserialize)]
struct Follow {
    file: String,
    first: String,
    then: String,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct Open {
    files: Vec<String>,
    question: String,
    says: String,
}

fn set() -> Set {
    serde_json::from_str(include_str!("sheets.json")).expect("the cases")
}

pub fn file(name: &str, text: &str, from: FileFrom) -> FileExcerpt {
    let media = match name.rsplit('.').next() {
        Some("tsv") => "text/tab-separated-values",
        Some("md") => "text/markdown",
        Some("json") => "application/json",
        Some("txt") => "text/plain",
        _ => "text/csv",
    };
    FileExcerpt {
        id: file_id(),
        name: name.to_owned(),
        from,
        content: FileContent::Text {
            media: media.to_owned(),
            text: text.into(),
        },
    }
}

fn ask(question: &str, files: Vec<FileExcerpt>, earlier: Option<Value>) -> Draft {
    draft(&Brief {
        earlier,
        files,
        ..brief(question)
    })
}

fn attached(set: &Set, names: &[String]) -> Vec<FileExcerpt> {
    names
        .iter()
        .map(|name| file(name, &set.files[name], FileFrom::Question))
        .collect()
}

fn near(got: &Value, want: &Value, tolerance: f64) -> bool {
    match (got.as_f64(), want.as_f64()) {
        (Some(got), Some(want)) => (got - want).abs() <= tolerance,
        _ => got == want,
    }
}

fn holds(draft: &Draft, value: f64) -> bool {
    let tolerance = if value.abs() > 1.5 { 0.006 } else { 1e-4 };
    draft
        .figures
        .iter()
        .any(|figure| near(&figure.value, &Value::from(value), tolerance))
}

#[test]
fn questions_about_tables_are_answered_right_or_asked_back() {
    let set = set();
    let (mut right, mut asked, mut wrong) = (0, Vec::new(), Vec::new());
    for case in &set.cases {
        let draft = ask(&case.question, attached(&set, &case.files), None);
        let line = format!(
            "{:?} {} (want {}) -> {}",
            case.files, case.question, case.value, draft.quick_reply
        );
        let Some(first) = draft.figures.first() else {
            asked.push(line);
            continue;
        };
        let named = case.metric.as_ref().is_none_or(|metric| *metric == first.name);
        let whole = case.also.iter().all(|value| holds(&draft, *value));
        if named && whole && first.unit == case.unit && near(&first.value, &case.value, case.tolerance) {
            right += 1;
        } else {
            wrong.push(format!(
                "{line}\n    {} {} {}",
                first.name, first.value, first.unit
            ));
        }
    }
    for line in &asked {
        println!("asked back: {line}");
    }
    println!(
        "{right} right, {} asked back, {} wrong of {}",
        asked.len(),
        wrong.len(),
        set.cases.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        right * 100 >= set.cases.len() * 95,
        "only {right} of {}",
        set.cases.len()
    );
}

#[test]
fn what_a_table_does_not_tell_is_asked_back() {
    let set = set();
    let mut wrong = Vec::new();
    for open in &set.open {
        let draft = ask(&open.question, attached(&set, &open.files), None);
        if draft.success
            || !draft.figures.is_empty()
            || !draft.quick_reply.to_lowercase().contains(&open.says)
        {
            wrong.push(format!(
                "{:?} {} -> {}",
                open.files, open.question, draft.quick_reply
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn follow_ups_keep_what_they_do_not_replace() {
    let set = set();
    for follow in &set.follows {
        let text = &set.files[&follow.file];
        let first = ask(
            &follow.first,
            vec![file(&follow.file, text, FileFrom::Question)],
            None,
        );
        assert!(first.success, "{}: {}", follow.first, first.quick_reply);
        let then = ask(
            &follow.then,
            vec![file(&follow.file, text, FileFrom::Earlier)],
            first.frame,
        );
        for value in &follow.values {
            assert!(
                holds(&then, *value),
                "{}: no {value} in {}",
                follow.then,
                then.quick_reply
            );
        }
    }
}

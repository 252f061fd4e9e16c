//! The reference metrics of the shared portfolio, and of one generated from another seed: each is answered correctly,
//! and a double-counted figure is never shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use corbel::analysis::engine::Draft;
use corbel::base::ids::JobId;
use serde_json::Value;

use super::analyst_fixture::{AnalystFixture, shared};
use crate::harness::app::{Place, on_each};
use crate::harness::external;

pub fn near(got: &Value, want: &Value, tolerance: f64) -> bool {
    match (got, want) {
        (Value::Object(got), Value::Object(want)) => {
            // Further content of the answer (a share of area) is not an error.
            want.iter()
                .all(|(key, want)| got.get(key).is_some_and(|got| near(got, want, tolerance)))
                && (got.len() == want.len() || want.values().all(Value::is_number))
        }
        (Value::Array(got), Value::Array(want)) => {
            got.len() == want.len() && got.iter().zip(want).all(|(got, want)| near(got, want, tolerance))
        }
        _ => match (got.as_f64(), want.as_f64()) {
            (Some(got), Some(want)) => (got - want).abs() <= tolerance + 1e-9,
            _ => got == want,
        },
    }
}

/// `right`, `asked` or `wrong`.
pub fn judge(draft: &Draft, metric: &str, unit: &str, value: &Value, tolerance: f64) -> &'static str {
    let Some(first) = draft.figures.first() else {
        return if draft.success { "wrong" } else { "asked" };
    };
    let same = first.name == metric && first.unit == unit && near(&first.value, value, tolerance);
    if same && draft.success { "right" } else { "wrong" }
}

fn truths(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("truth.json")).expect("truth.json");
    let truth: Value = serde_json::from_str(&text).expect("truth.json");
    truth["metrics"].as_array().expect("metrics").clone()
}

async fn ask_all(place: Arc<Place>, folder: PathBuf) {
    let fixture = AnalystFixture::open(&place, &folder).await;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for truth in truths(&folder) {
        let question = truth["question"].as_str().expect("a question");
        let metric = truth["metric"].as_str().expect("a metric");
        if metric == "annual_rent_wrong_if_overlaps_counted" {
            continue;
        }
        let draft = fixture.ask(question).await;
        let unit = truth["unit"].as_str().expect("a unit");
        let tolerance = truth["tolerance"].as_f64().unwrap_or(0.0);
        let verdict = judge(&draft, metric, unit, &truth["value"], tolerance);
        *counts.entry(verdict).or_default() += 1;
        if verdict != "right" {
            let got = draft
                .figures
                .first()
                .map(|figure| format!("{} {} {}", figure.name, figure.value, figure.unit));
            failures.push(format!(
                "{} {verdict}: {question}\n   wants {metric} {} {unit}\n   got {got:?}: {}",
                truth["id"], truth["value"], draft.quick_reply
            ));
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test]
async fn every_reference_metric_is_answered_correctly() {
    let Some(folder) = shared() else { return };
    on_each("every_reference_metric_is_answered_correctly", |place| {
        ask_all(place, folder.clone())
    })
    .await;
}

/// The rules are valid for another portfolio of the same kind.
#[tokio::test]
async fn every_reference_metric_of_another_seed_is_answered_correctly() {
    let Some(folder) = shared() else { return };
    let Some(other) = another_seed(&folder, 4711) else {
        return;
    };
    on_each("metrics of another seed", |place| ask_all(place, other.clone())).await;
    std::fs::remove_dir_all(other).expect("the folder");
}

/// A portfolio generated from another seed in a separate folder; none without Python.
pub fn another_seed(folder: &Path, seed: u32) -> Option<PathBuf> {
    let python = std::env::var("CORBEL_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let to = std::env::temp_dir().join(format!("corbel-seed-{}", JobId::new().uuid().simple()));
    std::fs::create_dir_all(&to).expect("a folder");
    for name in ["generate.py", "compute_truth.py"] {
        let text = std::fs::read_to_string(folder.join(name)).expect(name);
        let text = text.replace("20261031", &seed.to_string());
        std::fs::write(to.join(name), text).expect(name);
    }
    for name in ["generate.py", "compute_truth.py"] {
        let run = Command::new(&python).arg(to.join(name)).current_dir(&to).output();
        let fine = run.as_ref().is_ok_and(|run| run.status.success());
        if !fine {
            external::missing(&format!(
                "no portfolio from another seed: {python} cannot run {name}: {run:?}"
            ));
            let _ = std::fs::remove_dir_all(&to);
            return None;
        }
    }
    Some(to)
}

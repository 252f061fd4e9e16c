//! The import reads the same figures from a file as a question about it.

use corbel::audit::store::Actor;
use corbel::portfolio::import::run::ImportOptions;
use corbel::portfolio::import::sheet::InputFile;
use serde_json::{Value, json};

use crate::harness::app::on_each;

/// What a dry run reads from a file.
async fn read(files: Vec<(&'static str, String)>) -> Vec<Value> {
    let read = std::sync::Mutex::new(Vec::new());
    on_each("one reading", async |place| {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await.id;
        let mut own = Vec::new();
        for (name, text) in &files {
            let given = InputFile {
                name: (*name).to_owned(),
                bytes: text.clone().into_bytes(),
            };
            let wish = ImportOptions {
                dry_run: true,
                building: Some("Oak".to_owned()),
                ..ImportOptions::default()
            };
            let imports = &running.services().imports;
            let outcome = imports
                .import(Actor::OPERATOR, org, vec![given], wish)
                .await
                .expect("an outcome");
            assert!(outcome.errors.is_empty(), "{name}: {:?}", outcome.findings);
            own.push(outcome.files[0].read.clone());
        }
        running.stop().await;
        *read.lock().expect("what was read") = own;
    })
    .await;
    read.into_inner().expect("what was read")
}

fn case(name: &str) -> String {
    let path = format!(
        "{}/crates/analyst/tests/public_cases/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).expect("a published case")
}

#[tokio::test]
async fn amounts_with_decimal_commas_are_amounts() {
    let read = read(vec![("rent_roll.csv", case("semicolons_decimal_comma.csv"))]).await;
    let wanted = json!({ "units": 3, "occupied": 2, "monthlyRent": 2925.5 });
    for (name, value) in wanted.as_object().expect("figures") {
        let own = read[0][name].as_f64().unwrap_or(f64::NAN);
        assert!(
            (own - value.as_f64().expect("a figure")).abs() < 0.005,
            "{name}: {}",
            read[0]
        );
    }
}

#[tokio::test]
async fn statements_are_read_with_any_months_and_without_headings() {
    let dated = case("t12_month_end_dates.csv");
    let starred = case("t12_starred_month.csv");
    let headings = |line: &&str| !line.starts_with("Income,") && !line.starts_with("Expenses,");
    let plain: String = dated
        .lines()
        .filter(headings)
        .map(|line| format!("{line}\n"))
        .collect();
    assert_ne!(plain, dated);
    let read = read(vec![
        ("dated.csv", dated),
        ("starred.csv", starred),
        ("plain.csv", plain),
    ])
    .await;
    for read in read {
        assert_eq!(read["months"], 12, "{read}");
        assert_eq!(read["noi"].as_f64(), Some(390_000.0), "{read}");
    }
}

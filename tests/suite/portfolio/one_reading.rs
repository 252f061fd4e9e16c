//! The import reads the same figures from a file as a question about it.

use corbel::audit::store::Actor;
use corbel::portfolio::import::run::{FileRead, ImportOptions};
use corbel::portfolio::import::sheet::InputFile;
use serde_json::{Value, json};

use crate::harness::app::on_each;

/// What a dry run reads from each file.
async fn read(files: Vec<(&'static str, String)>) -> Vec<FileRead> {
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
            own.push(outcome.files[0].clone());
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
        let own = read[0].read[name].as_f64().unwrap_or(f64::NAN);
        assert!(
            (own - value.as_f64().expect("a figure")).abs() < 0.005,
            "{name}: {}",
            read[0].read
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
        assert_eq!(read.read["months"], 12, "{}", read.read);
        assert_eq!(read.read["noi"].as_f64(), Some(390_000.0), "{}", read.read);
    }
}

#[tokio::test]
async fn every_row_of_a_file_is_counted_or_left_out_by_name() {
    let roll = "\
        Unit,Tenant,Status,Rent,Lease End\n\
        Phase I,,,,\n\
        101,Ada Almond,Current,1000,2027-01-31\n\
        102,VACANT,Vacant,,\n\
        103,Bo Birch,Past,900,2024-01-31\n\
        Total,,,1900,\n\
        Phase II,,,,\n\
        201,Cy Cedar,Current,1500,2027-02-28\n\
        Total,,,1600,\n";
    let statement = "\
        Account,Jan 2025,Feb 2025,Mar 2025,Apr 2025,May 2025,Jun 2025,Jul 2025,Aug 2025,Sep 2025,Oct 2025,Nov 2025,\
        Dec 2025\n\
        Income,,,,,,,,,,,,\n\
        Rental Income,9,9,9,9,9,9,9,9,9,9,9,9\n\
        Total Income,9,9,9,9,9,9,9,9,9,9,9,9\n\
        Expenses,,,,,,,,,,,,\n\
        Repairs,4,4,4,4,4,4,4,4,4,4,4,4\n\
        Total Expenses,4,4,4,4,4,4,4,4,4,4,4,4\n";
    let read = read(vec![
        ("roll.csv", roll.to_owned()),
        ("t12.csv", statement.to_owned()),
    ])
    .await;
    let accounts = read
        .iter()
        .map(|file| serde_json::to_value(&file.account).expect("JSON"));
    assert_eq!(
        Value::from_iter(accounts),
        json!([
            {
                "counted": 3,
                "leftOut": { "headings": 2, "totals": 2, "tenants who have left": 1 },
                "totalsAgree": 1, "totalsDiffer": 1,
            },
            { "counted": 2, "leftOut": { "headings": 2, "totals": 2 }, "totalsAgree": 2, "totalsDiffer": 0 },
        ])
    );
    assert_eq!(
        read[0].account.sentence(),
        "Counted 3 of 8 rows; left out: headings (2), tenants who have left (1), totals (2); printed totals: 1 agrees, \
         1 differs"
    );
}

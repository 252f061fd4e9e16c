//! Imports: the resulting data, the reasons for refusal, and that no import is ever partial.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use corbel::audit::store::Actor;
use corbel::base::ids::OrgId;
use corbel::portfolio::import::kinds::Kind;
use corbel::portfolio::import::run::{ImportOptions, Outcome};
use corbel::portfolio::import::sheet::InputFile;
use serde_json::Value;

use crate::harness::app::{Running, on_each};
use crate::harness::external;

/// The folder with the invented portfolio; none without the shared folder.
fn shared() -> Option<PathBuf> {
    let root = external::named("CORBEL_TEST_SHARED", "the invented portfolio is not imported")?;
    Some(Path::new(&root).join("data/portfolio"))
}

fn input_file(name: &str, text: impl Into<Vec<u8>>) -> InputFile {
    InputFile {
        name: name.to_owned(),
        bytes: text.into(),
    }
}

/// The CSV files of a folder whose names are accepted by `wanted`.
fn files(dir: &Path, wanted: impl Fn(&str) -> bool) -> Vec<InputFile> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.ends_with(".csv") && wanted(&name) {
            files.push(input_file(&name, std::fs::read(&path).expect("the file")));
        }
    }
    files
}

async fn import(running: &Running, org: OrgId, files: Vec<InputFile>, wish: ImportOptions) -> Outcome {
    let imports = &running.services().imports;
    imports
        .import(Actor::OPERATOR, org, files, wish)
        .await
        .expect("an outcome")
}

fn dry() -> ImportOptions {
    ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    }
}

/// The sorted rows of every view: all current data of an organization.
async fn all(running: &Running, org: OrgId) -> BTreeMap<&'static str, Vec<String>> {
    let mut all = BTreeMap::new();
    let texts = [
        (
            "buildings",
            "SELECT id || ' ' || name || ' ' || COALESCE(CAST(rentable_area AS TEXT), '-') \
             FROM buildings WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "accounts",
            "SELECT code || ' ' || category FROM accounts WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "units",
            "SELECT id || ' ' || building_id || ' ' || CAST(area AS TEXT) FROM units WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "unit_market_rents",
            "SELECT unit_id || ' ' || CAST(effective_date AS TEXT) || ' ' || CAST(market_rent AS TEXT) \
             FROM unit_market_rents WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "tenants",
            "SELECT id || ' ' || name FROM tenants WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "leases",
            "SELECT id || ' ' || CAST(start_date AS TEXT) || ' ' || CAST(effective_end AS TEXT) \
             || ' ' || CAST(monthly_rent AS TEXT) \
             FROM leases WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "steps",
            "SELECT lease_id || ' ' || CAST(effective_date AS TEXT) || ' ' || CAST(monthly_rent AS TEXT) \
             FROM lease_rent_steps WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "ledger",
            "SELECT building_id || ' ' || CAST(month AS TEXT) || ' ' || account_code || ' ' || CAST(amount AS TEXT) \
             FROM monthly_financials WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "loans",
            "SELECT id || ' ' || CAST(current_balance AS TEXT) FROM loans WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "payments",
            "SELECT loan_id || ' ' || CAST(payment_date AS TEXT) || ' ' || CAST(ending_balance AS TEXT) \
             FROM loan_payments WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "valuations",
            "SELECT building_id || ' ' || CAST(valuation_date AS TEXT) || ' ' || CAST(market_value AS TEXT) \
             FROM valuations WHERE org_id = $1 ORDER BY 1",
        ),
        (
            "unit_month",
            "SELECT unit_id || ' ' || CAST(month AS TEXT) || ' ' || COALESCE(lease_id, '-') \
             || ' ' || COALESCE(CAST(rent_in_effect AS TEXT), '-') \
             FROM unit_month WHERE org_id = $1 ORDER BY 1",
        ),
    ];
    for (name, text) in texts {
        let rows: Vec<(String,)> = running
            .services()
            .db
            .query(text)
            .bind(org)
            .all()
            .await
            .expect(name);
        all.insert(name, rows.into_iter().map(|(row,)| row).collect());
    }
    all
}

#[tokio::test]
async fn a_portfolio_is_imported_and_a_second_import_changes_nothing() {
    let Some(dir) = shared() else { return };
    on_each("import", |place| {
        let dir = dir.clone();
        async move {
            let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
            let org = running.organization("Acme").await.id;
            let before = import(&running, org, files(&dir, |_| true), dry()).await;
            assert!(
                before.acceptable && before.number.is_none(),
                "{:?}",
                before.findings
            );
            assert!(
                all(&running, org).await.values().all(Vec::is_empty),
                "a dry run wrote rows"
            );
            let done = import(&running, org, files(&dir, |_| true), ImportOptions::default()).await;
            assert_eq!(done.number, Some(1), "{:?}", done.findings);
            assert_eq!(done.counts, before.counts);
            assert!(done.findings.is_empty(), "{:?}", done.findings);
            let added = |table: &str| done.counts[table].added;
            let expected = [
                ("buildings", 12),
                ("accounts", 21),
                ("units", 405),
                ("tenants", 1_099),
                ("leases", 1_532),
                ("lease_rent_steps", 1_822),
                ("monthly_financials", 7_054),
                ("loans", 11),
                ("loan_payments", 396),
                ("valuations", 36),
                ("unit_month", 405 * 36),
            ];
            for (table, rows) in expected {
                assert_eq!(added(table), rows, "{table}");
            }
            check_occupancy(&running, org, &dir).await;
            let held = all(&running, org).await;
            let again = import(&running, org, files(&dir, |_| true), ImportOptions::default()).await;
            assert_eq!(again.number, Some(2));
            for (table, count) in &again.counts {
                assert_eq!((count.added, count.changed, count.ended), (0, 0, 0), "{table}");
            }
            assert_eq!(all(&running, org).await, held);
            running.stop().await;
        }
    })
    .await;
}

/// Compares the occupancy at each month's end and the annual rent with those of an independent program.
async fn check_occupancy(running: &Running, org: OrgId, dir: &Path) {
    let truth: Value =
        serde_json::from_slice(&std::fs::read(dir.join("truth.json")).expect("truth")).expect("JSON");
    let of = |metric: &str| {
        let metrics = truth["metrics"].as_array().expect("metrics");
        let found = metrics
            .iter()
            .find(|one| one["metric"] == metric)
            .expect("the metric");
        found["value"].clone()
    };
    let months: Vec<(String, f64)> = running
        .services()
        .db
        .query(
            "SELECT SUBSTR(CAST(month AS TEXT), 1, 7),
                    CAST(SUM(CASE WHEN occupied THEN 1 ELSE 0 END) AS DOUBLE PRECISION)
                        / SUM(CASE WHEN rentable THEN 1 ELSE 0 END)
             FROM unit_month WHERE org_id = $1 GROUP BY SUBSTR(CAST(month AS TEXT), 1, 7)",
        )
        .bind(org)
        .all()
        .await
        .expect("months");
    let expected = of("physical_occupancy_by_month");
    assert_eq!(months.len(), expected.as_object().expect("months").len());
    for (month, occupancy) in months {
        let own = expected[&month].as_f64().expect("a month");
        assert!((own - occupancy).abs() < 1e-6, "{month}: {own} {occupancy}");
    }
    let rent: i64 = running
        .services()
        .db
        .query(
            "SELECT CAST(SUM(rent_in_effect) * 12 AS BIGINT) \
             FROM unit_month WHERE org_id = $1 AND CAST(month AS TEXT) = '2026-10-01'",
        )
        .bind(org)
        .scalar()
        .await
        .expect("rent");
    let expected = of("annual_inplace_rent").as_f64().expect("rent");
    assert!((rent as f64 / 100.0 - expected).abs() < 0.01, "{rent} {expected}");
}

#[tokio::test]
async fn a_broken_file_is_refused_with_exactly_its_errors() {
    let Some(dir) = shared() else { return };
    on_each("broken", |place| {
        let dir = dir.clone();
        async move {
            let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
            let org = running.organization("Acme").await.id;
            import(&running, org, files(&dir, |_| true), ImportOptions::default()).await;
            let held = all(&running, org).await;
            let broken = || files(&dir.join("exports"), |name| name == "broken_leases.csv");
            let expected = std::fs::read(dir.join("exports/broken_leases_expected.json")).expect("expected");
            let expected: Vec<Value> = serde_json::from_slice(&expected).expect("JSON");
            for wish in [dry(), ImportOptions::default()] {
                let refused = import(&running, org, broken(), wish).await;
                assert!(!refused.acceptable && refused.number.is_none());
                let found = serde_json::to_value(&refused.findings).expect("JSON");
                let found = found.as_array().expect("findings");
                assert_eq!(found.len(), expected.len(), "{found:#?}");
                for (own, expected) in found.iter().zip(&expected) {
                    for (name, value) in expected.as_object().expect("an object") {
                        assert_eq!(own.get(name).unwrap_or(&Value::Null), value, "{name} of {own}");
                    }
                }
            }
            assert_eq!(
                all(&running, org).await,
                held,
                "a refused import changed something"
            );
            let wish = ImportOptions {
                partial: true,
                ..ImportOptions::default()
            };
            let partly = import(&running, org, broken(), wish).await;
            assert!(partly.number.is_some());
            // X1, X10 and X12 have warnings at most.
            assert_eq!(partly.counts["leases"].added, 3, "{:?}", partly.counts);
            running.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn exports_of_other_systems_are_read_correctly() {
    let Some(dir) = shared() else { return };
    on_each("exports", |place| {
        let dir = dir.clone();
        async move {
            let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
            let (org, empty) = (
                running.organization("Acme").await.id,
                running.organization("Empty").await.id,
            );
            import(&running, org, files(&dir, |_| true), ImportOptions::default()).await;
            let expected = std::fs::read(dir.join("exports/expected_reads.json")).expect("expected");
            let expected: Value = serde_json::from_slice(&expected).expect("JSON");
            let names = [
                ("units", "units"),
                ("occupied", "occupied"),
                ("monthly_rent", "monthlyRent"),
                ("market_rent", "marketRent"),
                ("egi", "egi"),
                ("opex", "opex"),
                ("noi", "noi"),
            ];
            for (file, figures) in expected.as_object().expect("files") {
                // Into a portfolio that already has the buildings, and into an empty one.
                for org in [org, empty] {
                    let given = files(&dir.join("exports"), |name| name == file);
                    let wish = ImportOptions {
                        source: "other".to_owned(),
                        ..ImportOptions::default()
                    };
                    let done = import(&running, org, given, wish).await;
                    assert!(done.number.is_some(), "{file}: {:?}", done.findings);
                    let mismatch = done.warnings.get("subtotal_mismatch");
                    assert_eq!(mismatch, None, "{file}: {:?}", done.findings);
                    let read = &done.files[0].read;
                    for (name, ours) in names {
                        if let Some(expected) = figures.get(name).and_then(Value::as_f64) {
                            let own = read[ours].as_f64().unwrap_or(f64::NAN);
                            assert!((own - expected).abs() < 0.005, "{file} {name}: {own} {expected}");
                        }
                    }
                }
            }
            // Data from before is still correct.
            check_occupancy(&running, org, &dir).await;
            running.stop().await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_organization_never_sees_rows_of_another() {
    on_each("tenants", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let (acme, other) = (
            running.organization("Acme").await.id,
            running.organization("Other").await.id,
        );
        let small = |name: &str| {
            vec![
                input_file("buildings.csv", format!("building_id,building_name\nB1,{name}\n")),
                input_file(
                    "units.csv",
                    "unit_id,building_id,unit_number,area_sqft\nU1,B1,1,500\n",
                ),
            ]
        };
        import(&running, acme, small("Acme Hall"), ImportOptions::default()).await;
        assert!(all(&running, other).await.values().all(Vec::is_empty));
        // Other cannot refer to a unit of Acme.
        let lease = "lease_id,building_id,unit_id,tenant_id,start_date,end_date,monthly_rent\n\
                     L1,B1,U1,T1,2026-01-01,2026-12-31,100\n";
        let refused = import(
            &running,
            other,
            vec![input_file("leases.csv", lease)],
            ImportOptions::default(),
        )
        .await;
        assert!(refused.number.is_none());
        assert_eq!(refused.errors["unknown_reference"], 1);
        let held = all(&running, acme).await;
        import(&running, other, small("Other House"), ImportOptions::default()).await;
        assert_eq!(all(&running, acme).await, held);
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn custom_headers_are_mapped_once_and_remembered() {
    on_each("mapping", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await.id;
        let roll = || {
            let text = "Haus Alpha\nApartment Code,Wer,Miete\n1,Ana Abt,900\n2,Vacant,0\n";
            vec![input_file("roll.csv", text)]
        };
        let unrecognized = import(&running, org, roll(), dry()).await;
        assert!(!unrecognized.acceptable && unrecognized.unrecognized.len() == 1);
        assert!(unrecognized.errors.contains_key("missing_column"));
        let mut wish = ImportOptions::default();
        for (header, field) in [
            ("apartmentcode", "unit_number"),
            ("wer", "tenant"),
            ("miete", "monthly_rent"),
        ] {
            wish.mapping
                .fields
                .insert((Kind::RentRoll, header.to_owned()), field.to_owned());
        }
        let done = import(&running, org, roll(), wish).await;
        assert!(done.number.is_some(), "{:?}", done.findings);
        assert_eq!(done.files[0].read["occupied"], 1);
        // The next file from the same source needs no mapping.
        let again = import(&running, org, roll(), ImportOptions::default()).await;
        assert!(again.number.is_some(), "{:?}", again.findings);
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn hostile_files_are_refused_within_limits() {
    on_each("hostile", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Acme").await.id;
        let wide = vec!["a"; 1_000_000].join(",");
        let hostile = [
            ("wide.csv", wide.into_bytes(), "file_too_large"),
            (
                "long.csv",
                format!("tenant_id,tenant_name\nT1,{}\n", "x".repeat(5_000_000)).into_bytes(),
                "out_of_range",
            ),
            (
                "nul.csv",
                b"tenant_id,tenant_name\nT1,a\0b\n".to_vec(),
                "encoding",
            ),
            ("empty.csv", Vec::new(), "missing_column"),
            (
                "words.csv",
                b"once upon a time\nthere was no table\n".to_vec(),
                "missing_column",
            ),
            (
                "zip.zip",
                b"PK\x03\x04 and then nothing of the kind".to_vec(),
                "encoding",
            ),
            ("huge.csv", vec![b'x'; 65 * 1024 * 1024], "file_too_large"),
        ];
        for (name, bytes, code) in hostile {
            let refused = import(
                &running,
                org,
                vec![input_file(name, bytes)],
                ImportOptions::default(),
            )
            .await;
            assert!(refused.number.is_none(), "{name}");
            assert!(refused.errors.contains_key(code), "{name}: {:?}", refused.errors);
        }
        assert!(all(&running, org).await.values().all(Vec::is_empty));
        running.stop().await;
    })
    .await;
}

//! The shared cases, and the reference metrics that a query can express, on both databases.

use std::fs;

use corbel::portfolio::model::Buildings;
use corbel::portfolio::semantic::service::Failure;
use serde_json::{Value, json};

use crate::harness::app::on_each;
use crate::semantic::fixture::{load, shared};

fn close(found: &Value, expected: &Value, tolerance: f64) -> bool {
    match (found.as_f64(), expected.as_f64()) {
        (Some(found), Some(expected)) => (found - expected).abs() <= tolerance,
        _ => found == expected,
    }
}

/// Whether the rows have the same order and keys, with money equal to a cent and ratios to a millionth.
fn same_rows(found: &Value, expected: &Value) -> bool {
    let (Some(found), Some(expected)) = (found.as_array(), expected.as_array()) else {
        return false;
    };
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            let (found, expected) = (
                found.as_object().expect("a row"),
                expected.as_object().expect("a row"),
            );
            found.len() == expected.len()
                && expected.iter().all(|(key, value)| {
                    let tolerance = if key.contains("occupancy") { 1e-6 } else { 0.01 };
                    found.get(key).is_some_and(|found| close(found, value, tolerance))
                })
        })
}

#[tokio::test]
async fn every_shared_case_is_answered_correctly() {
    let Some(folder) = shared() else { return };
    let cases: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("semantic_cases.json")).expect("cases"))
            .expect("JSON");
    let cases = cases["cases"].as_array().expect("cases").clone();
    assert!(cases.len() >= 21);
    on_each("semantic cases", |place| {
        let cases = cases.clone();
        async move {
            let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
            let org = running.organization("Cases").await;
            load(running.services(), org.id).await;
            for case in &cases {
                let id = case["id"].as_str().expect("an id");
                let within = match case["authorized_building_ids"].as_array() {
                    None => Buildings::All,
                    Some(ids) => {
                        Buildings::Only(ids.iter().map(|id| id.as_str().expect("id").to_owned()).collect())
                    }
                };
                let expected = &case["expected"];
                let semantic = &running.services().semantic;
                match (
                    semantic.query(org.id, &within, &case["query"]).await,
                    expected["error"].as_str(),
                ) {
                    (Ok(answer), None) => {
                        assert!(
                            same_rows(&answer.data, &expected["data"]),
                            "{id}: {}",
                            answer.data
                        );
                        if let Some(truncated) = expected["truncated"].as_bool() {
                            assert_eq!(answer.truncated, truncated, "{id}");
                        }
                    }
                    (Err(Failure::Refused(refusal)), Some(code)) => {
                        assert_eq!(refusal.code.as_str(), code, "{id}");
                        assert_eq!(
                            refusal.path.as_str(),
                            expected["path"].as_str().expect("a path"),
                            "{id}"
                        );
                        assert!(!refusal.fix.is_empty(), "{id}");
                    }
                    (other, _) => panic!("{id}: {other:?}"),
                }
            }
            running.stop().await;
        }
    })
    .await;
}

const T12: [&str; 2] = ["2025-11-01", "2026-10-31"];

/// The metrics of the reference file with the equivalent queries.
fn truths() -> Vec<(&'static str, Value)> {
    let ledger = |measure: &str, more: Value| {
        let mut query = json!({
            "measures": [format!("financials.{measure}")],
            "timeDimensions": [{"dimension": "financials.month", "dateRange": T12}],
        });
        for (key, value) in more.as_object().expect("an object") {
            query[key] = value.clone();
        }
        query
    };
    let building = |id: &str| json!([{"member": "buildings.id", "operator": "equals", "values": [id]}]);
    let city = |name: &str| json!([{"member": "buildings.city", "operator": "equals", "values": [name]}]);
    let one = |measure: &str| json!({"measures": [measure]});
    let filtered = |measure: &str, filters: Value| json!({"measures": [measure], "filters": filters});
    let commercial = |measure: &str| json!({"measures": [measure], "segments": ["buildings.commercial"]});
    let apartments = |measure: &str| json!({"measures": [measure], "segments": ["buildings.multifamily"]});
    vec![
        ("P001", one("occupancy.physical_occupancy")),
        ("P001", one("rent_roll.physical_occupancy")),
        ("P002", apartments("occupancy.physical_occupancy")),
        ("P003", commercial("occupancy.occupancy_by_area")),
        ("P004", apartments("occupancy.occupancy_of_all_units")),
        ("P005", filtered("occupancy.physical_occupancy", building("B01"))),
        ("P008", filtered("rent_roll.physical_occupancy", building("B09"))),
        (
            "P009",
            json!({"measures": ["occupancy.physical_occupancy"], "filters": city("Atlanta"),
                   "timeDimensions": [{"dimension": "occupancy.month", "dateRange": "2024-06"}]}),
        ),
        (
            "P009",
            json!({"measures": ["rent_roll.physical_occupancy"], "filters": city("Atlanta"),
                   "timeDimensions": [{"dimension": "rent_roll.as_of", "dateRange": "2024-06-30"}]}),
        ),
        (
            "P010",
            json!({"measures": ["occupancy.physical_occupancy"],
                   "filters": [{"member": "occupancy.month", "operator": "equals", "values": ["2025-03"]}]}),
        ),
        ("P014", one("occupancy.vacant_units")),
        (
            "P014",
            json!({"measures": ["rent_roll.unit_count"], "segments": ["rent_roll.vacant"]}),
        ),
        ("P015", one("units.non_revenue_units")),
        ("P016", commercial("rollover.walt_by_rent")),
        ("P017", commercial("rollover.walt_by_area")),
        (
            "P018",
            filtered(
                "rollover.walt_by_rent",
                json!([{"member": "buildings.property_type", "operator": "equals", "values": ["office"]}]),
            ),
        ),
        ("P019", filtered("rollover.walt_by_rent", building("B03"))),
        (
            "P026",
            json!({"measures": ["rollover.lease_count"],
                        "filters": [{"member": "rollover.is_month_to_month", "operator": "equals", "values": [true]}]}),
        ),
        (
            "P027",
            filtered(
                "leases.count",
                json!([{"member": "leases.status", "operator": "equals", "values": ["future"]}]),
            ),
        ),
        (
            "P028",
            filtered(
                "leases.count",
                json!([{"member": "leases.status", "operator": "equals", "values": ["superseded"]}]),
            ),
        ),
        ("P029", ledger("noi", json!({}))),
        ("P030", ledger("noi", json!({"filters": building("B01")}))),
        ("P034", ledger("noi", json!({"filters": city("Denver")}))),
        (
            "P036",
            json!({"measures": ["financials.noi"],
                   "timeDimensions": [{"dimension": "financials.month", "dateRange": "last year"}]}),
        ),
        (
            "P037",
            json!({"measures": ["financials.noi"],
                   "timeDimensions": [{"dimension": "financials.month", "dateRange": "last quarter"}]}),
        ),
        ("P039", ledger("egi", json!({}))),
        ("P040", ledger("operating_expenses", json!({}))),
        ("P041", ledger("opex_ratio", json!({}))),
        (
            "P042",
            ledger("opex_ratio", json!({"segments": ["buildings.multifamily"]})),
        ),
        (
            "P044",
            ledger(
                "economic_occupancy",
                json!({"segments": ["buildings.multifamily"]}),
            ),
        ),
        (
            "P045",
            ledger("economic_occupancy", json!({"filters": building("B09")})),
        ),
        ("P048", ledger("capital_expenditures", json!({}))),
        ("P049", ledger("noi_variance", json!({}))),
        ("P058", one("loans.current_balance")),
        ("P059", one("loans.weighted_average_rate")),
        ("P062", one("valuations.market_value")),
        ("P066", apartments("occupancy.loss_to_lease")),
        ("P066", apartments("rent_roll.loss_to_lease")),
        ("P067", apartments("occupancy.loss_to_lease_rate")),
        ("P068", apartments("occupancy.average_rent")),
        ("P069", apartments("rent_roll.rent_per_sqft")),
        ("P070", one("rent_roll.annual_rent")),
        ("P070", one("rollover.annual_rent")),
        ("P072", ledger("cash_flow_after_debt", json!({}))),
    ]
}

#[tokio::test]
async fn queries_return_the_reference_metrics() {
    let Some(folder) = shared() else { return };
    let truth: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("truth.json")).expect("truth")).expect("JSON");
    on_each("semantic truths", |place| {
        let truth = truth.clone();
        async move {
            let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
            let org = running.organization("Truths").await;
            load(running.services(), org.id).await;
            let mut wrong = Vec::new();
            for (id, query) in truths() {
                let metrics = truth["metrics"].as_array().expect("metrics");
                let metric = metrics.iter().find(|metric| metric["id"] == id).expect(id);
                let (value, tolerance) = (
                    &metric["value"],
                    metric["tolerance"].as_f64().expect("a tolerance"),
                );
                let semantic = &running.services().semantic;
                let answer = semantic.query(org.id, &Buildings::All, &query).await;
                let name = query["measures"][0].as_str().expect("a measure");
                let found = answer.map(|answer| answer.data[0][name].clone());
                match &found {
                    // Answers are rounded to the cent and to nine decimals.
                    Ok(found) if close(found, value, tolerance.clamp(1e-6, 0.01)) => {}
                    other => wrong.push(format!("{id} {name}: {other:?} instead of {value}")),
                }
            }
            // All of the rollover by year.
            let query = json!({"measures": ["rollover.lease_count", "rollover.area", "rollover.annual_rent"],
                "dimensions": ["rollover.expiration_year"], "segments": ["buildings.commercial"]});
            let answer = running
                .services()
                .semantic
                .query(org.id, &Buildings::All, &query)
                .await
                .expect("rollover");
            let years = truth["metrics"]
                .as_array()
                .expect("metrics")
                .iter()
                .find(|metric| metric["id"] == "P022");
            for row in answer.data.as_array().expect("rows") {
                let year = row["rollover.expiration_year"].to_string();
                let expected = &years.expect("P022")["value"][&year];
                for (name, key) in [
                    ("lease_count", "leases"),
                    ("area", "area_sqft"),
                    ("annual_rent", "annual_rent"),
                ] {
                    let found = &row[format!("rollover.{name}")];
                    if !close(found, &expected[key], 0.01) {
                        wrong.push(format!(
                            "P022 {year} {name}: {found} instead of {}",
                            expected[key]
                        ));
                    }
                }
            }
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
            running.stop().await;
        }
    })
    .await;
}

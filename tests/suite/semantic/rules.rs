//! The metadata of answers: date, currency, missing data; and the rules for time and for partial buildings.

use std::collections::BTreeSet;

use corbel::base::ids::OrgId;
use corbel::portfolio::model::Buildings;
use corbel::portfolio::semantic::answer::{Answer, MAX_BYTES};
use corbel::portfolio::semantic::describe;
use corbel::portfolio::semantic::registry::MODELS;
use corbel::portfolio::semantic::service::Failure;
use serde_json::{Value, json};

use crate::harness::app::{Running, on_each};
use crate::semantic::fixture::{V, buildings_of, day, load, put, shared, state, text};

async fn ask(running: &Running, org: OrgId, query: Value) -> Answer {
    let semantic = &running.services().semantic;
    let answer = semantic.query(org, &Buildings::All, &query).await;
    answer.unwrap_or_else(|failure| panic!("{query}: {failure}"))
}

#[tokio::test]
async fn answers_describe_their_basis() {
    if shared().is_none() {
        return;
    }
    on_each("semantic rules", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Rules").await.id;
        load(running.services(), org).await;
        check_time(&running, org).await;
        check_formats(&running, org).await;
        check_pages(&running, org).await;
        check_partial_buildings(&running, org).await;
        check_descriptions(&running, org).await;
        running.stop().await;
    })
    .await;
}

async fn check_time(running: &Running, org: OrgId) {
    let ranged = |measure: &str, time: &str, range: Value| {
        let time = json!({"dimension": time, "dateRange": range});
        json!({"measures": [measure], "timeDimensions": [time]})
    };
    // Relative words count from the end of the data, and the answer has the dates.
    let t12 = ask(
        running,
        org,
        ranged("financials.noi", "financials.month", json!("last 12 months")),
    )
    .await;
    assert_eq!(
        t12.date_ranges["financials.month"],
        json!(["2025-11-01", "2026-10-31"])
    );
    assert_eq!(t12.as_of.as_deref(), Some("2026-10-31"));
    assert_eq!(t12.currency.as_deref(), Some("USD"));
    assert_eq!(t12.annotation["measures"]["financials.noi"]["unit"], "USD");
    assert!(t12.warnings.is_empty(), "{:?}", t12.warnings);
    // A partial month is widened to the whole month, with a warning.
    let part = ask(
        running,
        org,
        ranged(
            "financials.noi",
            "financials.month",
            json!(["2025-11-15", "2026-10-15"]),
        ),
    )
    .await;
    assert_eq!((part.data, &part.date_ranges), (t12.data, &t12.date_ranges));
    assert!(
        part.warnings.iter().any(|said| said.contains("whole months")),
        "{:?}",
        part.warnings
    );
    // The year continues after the data.
    let year = ask(
        running,
        org,
        ranged("financials.noi", "financials.month", json!("this year")),
    )
    .await;
    assert_eq!(
        year.date_ranges["financials.month"],
        json!(["2026-01-01", "2026-12-31"])
    );
    assert!(
        year.warnings
            .iter()
            .any(|said| said.contains("ends on 2026-10-31")),
        "{:?}",
        year.warnings
    );
    // Snapshots: by default the last month, with a note; by month, each; and a month in a filter is that month.
    let now = ask(
        running,
        org,
        json!({"measures": ["occupancy.occupied_units", "occupancy.unit_count"]}),
    )
    .await;
    assert_eq!(
        now.data,
        json!([{"occupancy.occupied_units": 382, "occupancy.unit_count": 405}])
    );
    assert!(
        now.warnings.iter().any(|said| said.contains("2026-10")),
        "{:?}",
        now.warnings
    );
    let old = ranged(
        "occupancy.unit_count",
        "occupancy.month",
        json!(["2024-01-01", "2024-03-31"]),
    );
    let old = ask(running, org, old).await;
    assert_eq!(
        (old.as_of.as_deref(), &old.data),
        (Some("2024-03-31"), &json!([{"occupancy.unit_count": 405}]))
    );
    let mut monthly = ranged("occupancy.unit_count", "occupancy.month", json!("2026-01 "));
    monthly["timeDimensions"][0]["granularity"] = json!("month");
    let monthly = ask(running, org, monthly).await;
    assert_eq!(
        monthly.data,
        json!([{"occupancy.month": "2026-01-01T00:00:00.000", "occupancy.unit_count": 405}])
    );
    assert!(monthly.warnings.is_empty(), "{:?}", monthly.warnings);
    let future = ask(
        running,
        org,
        ranged("occupancy.occupied_units", "occupancy.month", json!("2030")),
    )
    .await;
    assert_eq!(future.data, json!([{"occupancy.occupied_units": null}]));
    assert!(future.warnings.len() == 2, "{:?}", future.warnings);
    // The rent roll of any day.
    let mid = ask(
        running,
        org,
        ranged("rent_roll.occupied_units", "rent_roll.as_of", json!("2025-03-31")),
    )
    .await;
    assert_eq!(mid.as_of.as_deref(), Some("2025-03-31"));
    assert_eq!(mid.data, json!([{"rent_roll.occupied_units": 379}]));
    // Balances: the latest of each loan in the range; interest is added up.
    let debt = json!({"measures": ["debt_service.ending_balance"],
        "timeDimensions": [{"dimension": "debt_service.payment_date", "dateRange": "2026"}]});
    let debt = ask(running, org, debt).await;
    assert_eq!(debt.data, json!([{"debt_service.ending_balance": 64_120_882.67}]));
    assert!(
        debt.warnings
            .iter()
            .any(|said| said.contains("debt_service.ending_balance")),
        "{:?}",
        debt.warnings
    );
    // Both notations of the same bucket.
    let short = ask(
        running,
        org,
        json!({"measures": ["financials.noi"], "dimensions": ["financials.month.year"]}),
    )
    .await;
    let keys: Vec<&str> = short
        .data
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["financials.month.year"].as_str().expect("a year"))
        .collect();
    assert_eq!(
        keys,
        [
            "2023-01-01T00:00:00.000",
            "2024-01-01T00:00:00.000",
            "2025-01-01T00:00:00.000",
            "2026-01-01T00:00:00.000"
        ]
    );
    // Today, in a time zone that is often a day ahead of UTC: only tests that it is accepted.
    let mut today = ranged("financials.noi", "financials.month", json!("last 2 years"));
    today["anchor"] = json!("today");
    today["timezone"] = json!("Pacific/Kiritimati");
    ask(running, org, today).await;
}

async fn check_formats(running: &Running, org: OrgId) {
    let query = json!({"measures": ["financials.noi", "financials.noi_margin"], "dimensions": ["buildings.city"],
        "order": {"buildings.city": "asc"}, "limit": 2});
    let plain = ask(running, org, query.clone()).await;
    let wrapped = ask(running, org, json!({ "query": query })).await;
    assert_eq!(plain.data, wrapped.data);
    let mut compact = query.clone();
    compact["responseFormat"] = json!("compact");
    let compact = ask(running, org, compact).await;
    let members = json!(["buildings.city", "financials.noi", "financials.noi_margin"]);
    assert_eq!(compact.data["members"], members);
    let mut columnar = query;
    columnar["responseFormat"] = json!("columnar");
    let columnar = ask(running, org, columnar).await;
    for (at, name) in members.as_array().expect("members").iter().enumerate() {
        let name = name.as_str().expect("a name");
        for row in 0..2 {
            assert_eq!(plain.data[row][name], compact.data["dataset"][row][at]);
            assert_eq!(plain.data[row][name], columnar.data["columns"][at][row]);
        }
    }
    assert_eq!(plain.annotation["dimensions"]["buildings.city"]["type"], "string");
    assert_eq!(
        plain.annotation["measures"]["financials.noi_margin"]["additivity"],
        "ratio"
    );
    // Text matches in any case; rows without a value pass negated filters.
    let found = |operator: &str, value: &str| {
        let filter = json!({"member": "buildings.city", "operator": operator, "values": [value]});
        json!({"dimensions": ["buildings.city"], "filters": [filter]})
    };
    for (operator, value, cities) in [
        ("contains", "EN", json!(["Denver"])),
        ("startsWith", "a", json!(["Atlanta", "Austin"])),
        ("endsWith", "A", json!(["Atlanta", "Tampa"])),
        ("notContains", "n", json!(["Tampa"])),
        ("equals", "denver", json!([])),
        ("contains", "%", json!([])),
        ("contains", "_", json!([])),
    ] {
        let answer = ask(running, org, found(operator, value)).await;
        let rows = answer.data.as_array().expect("rows");
        let names: Vec<&Value> = rows.iter().map(|row| &row["buildings.city"]).collect();
        assert_eq!(json!(names), cities, "{operator} {value}");
    }
    let reasons = json!({"measures": ["units.count"], "filters": [
        {"member": "units.non_revenue_reason", "operator": "notEquals", "values": ["model"]}]});
    assert_eq!(
        ask(running, org, reasons).await.data,
        json!([{"units.count": 400}])
    );
}

async fn check_pages(running: &Running, org: OrgId) {
    let query = |limit: u32, offset: u32| {
        json!({"dimensions": ["units.unit_type", "buildings.name"], "measures": ["units.count"],
               "order": [["units.count", "desc"]], "limit": limit, "offset": offset, "total": true})
    };
    let whole = ask(running, org, query(1000, 0)).await;
    let all = whole.data.as_array().expect("rows").clone();
    assert_eq!(whole.total, Some(all.len() as i64));
    assert!(!whole.truncated && all.len() > 20);
    let mut paged = Vec::new();
    while let page = ask(running, org, query(7, paged.len() as u32)).await
        && page.row_count > 0
    {
        assert_eq!(page.total, whole.total);
        assert_eq!(page.truncated, paged.len() + page.row_count < all.len());
        paged.extend(page.data.as_array().expect("rows").clone());
    }
    assert_eq!(paged, all);
    // Everything about every unit and month exceeds the size of an answer.
    let names: Vec<String> = describe::dimensions(MODELS[2])
        .map(|(name, _)| name)
        .take(8)
        .collect();
    let measures = [
        "unit_count",
        "monthly_rent",
        "market_rent",
        "loss_to_lease",
        "average_rent",
        "rent_per_sqft",
        "vacancy_rate",
    ]
    .map(|name| format!("occupancy.{name}"));
    let wide = json!({"dimensions": names, "measures": measures, "limit": 1000});
    let wide = ask(running, org, wide).await;
    let bytes = serde_json::to_string(&wide).expect("JSON").len();
    assert!(bytes <= MAX_BYTES && bytes > MAX_BYTES * 9 / 10, "{bytes}");
    assert!(wide.truncated && wide.row_count < 1000);
    assert!(
        wide.warnings
            .iter()
            .any(|said| said.contains(&format!("offset {}", wide.row_count))),
        "{:?}",
        wide.warnings
    );
}

/// At each month's end, the rent roll equals the monthly snapshots, for every building.
async fn check_partial_buildings(running: &Running, org: OrgId) {
    for (first, end) in [("2024-02-01", "2024-02-29"), ("2026-10-01", "2026-10-31")] {
        let of = |model: &str, time: &str, measures: [&str; 4]| {
            json!({"measures": measures.map(|name| format!("{model}.{name}")), "dimensions": ["buildings.id"],
                   "timeDimensions": [{"dimension": format!("{model}.{time}"), "dateRange": [first, end]}],
                   "order": [["buildings.id", "asc"]], "responseFormat": "compact"})
        };
        let measures = ["occupied_units", "vacant_units", "monthly_rent", "loss_to_lease"];
        let months = ask(running, org, of("occupancy", "month", measures)).await;
        let roll = ask(running, org, of("rent_roll", "as_of", measures)).await;
        assert_eq!(months.data["dataset"], roll.data["dataset"], "{end}");
        assert_eq!(months.row_count, 12);
    }
}

async fn check_descriptions(running: &Running, org: OrgId) {
    let semantic = &running.services().semantic;
    let listed = semantic.models();
    let names: BTreeSet<&str> = listed.iter().map(|model| model.name).collect();
    for name in [
        "buildings",
        "units",
        "occupancy",
        "leases",
        "rent_roll",
        "rollover",
        "financials",
        "loans",
        "debt_service",
        "valuations",
    ] {
        assert!(names.contains(name), "{name}");
    }
    let only = Buildings::Only(["B01".to_owned()].into());
    for model in &listed {
        let about = semantic
            .describe(org, &only, model.name)
            .await
            .unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(
            about["measures"].as_array().map(Vec::len),
            Some(model.measure_count),
            "{}",
            model.name
        );
        assert_eq!(
            about["dimensions"].as_array().map(Vec::len),
            Some(model.dimension_count),
            "{}",
            model.name
        );
        for dimension in about["dimensions"].as_array().expect("dimensions") {
            let samples = dimension["sampleValues"].as_array();
            assert!(samples.is_none_or(|samples| samples.len() <= 10), "{dimension}");
            if dimension["name"] == "buildings.name" {
                assert_eq!(
                    dimension["sampleValues"],
                    json!(["Barton Creek Flats"]),
                    "{}",
                    model.name
                );
            }
        }
    }
    let refused = semantic.describe(org, &only, "payroll").await;
    assert!(matches!(refused, Err(Failure::Refused(refusal)) if refusal.code.as_str() == "unknown_model"));
}

#[tokio::test]
async fn money_of_several_currencies_is_never_summed() {
    on_each("semantic currencies", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Currencies").await.id;
        let db = &running.services().db;
        let building = |id: &str, currency: &str, price: i64| {
            vec![text(id), text(id), text(currency), V::Int(price), V::Int(10)]
        };
        let rows = vec![building("A", "USD", 10_000), building("B", "EUR", 5_000), building("C", "USD", 100)];
        buildings_of(db, org, "id, name, currency, purchase_price, unit_count", rows).await;
        let query = json!({"measures": ["buildings.purchase_price", "buildings.price_per_unit"]});
        let mixed = ask(&running, org, query.clone()).await;
        assert_eq!(mixed.currency, None);
        assert_eq!(
            mixed.data,
            json!([
                {"buildings.currency": "USD", "buildings.purchase_price": 101.0, "buildings.price_per_unit": 5.05},
                {"buildings.currency": "EUR", "buildings.purchase_price": 50.0, "buildings.price_per_unit": 5.0},
            ])
        );
        assert!(mixed.warnings.iter().any(|said| said.contains("currencies")), "{:?}", mixed.warnings);
        // A page with one of the two currencies still has the warning.
        let mut page = query.clone();
        page["limit"] = json!(1);
        assert_eq!(ask(&running, org, page).await.data[0]["buildings.currency"], "USD");
        // Counts are not money.
        let count = ask(&running, org, json!({"measures": ["buildings.count"]})).await;
        assert_eq!(count.data, json!([{"buildings.count": 3}]));
        // A user who sees only one currency does not learn of the other.
        let semantic = &running.services().semantic;
        let only = Buildings::Only(["B".to_owned()].into());
        let one = semantic.query(org, &only, &query).await.expect("an answer");
        assert_eq!((one.currency.as_deref(), one.warnings.len()), (Some("EUR"), 1), "{:?}", one.warnings);
        running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_loan_on_several_buildings_is_allocated_to_them() {
    on_each("semantic shares", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let org = running.organization("Shares").await.id;
        let db = &running.services().db;
        let rows = ["A", "B"].map(|id| vec![text(id), text(id), text("USD")]);
        buildings_of(db, org, "id, name, currency", rows.into()).await;
        let loan = vec![
            text("L"), text("A"), text("Bank"), text("senior"), V::Int(100_000), day("2020-01-01"), day("2030-01-01"),
            V::Int(50_000), V::Int(0), V::Int(90_001), day("2026-10-31"), text("USD"), text("t"),
        ];
        let columns = "id, building_id, lender, loan_kind, original_principal, origination_date, maturity_date, \
                       interest_rate, io_months, current_balance, balance_date, currency, source";
        put(db, org, "loan_versions", columns, vec![loan]).await;
        let part = |id: &str, share: i64| vec![text("L"), text(id), V::Int(share), text("t")];
        let rows = vec![part("A", 400_000), part("B", 600_000)];
        put(db, org, "loan_building_versions", "loan_id, building_id, share, source", rows).await;
        state(db, org, "2026-10-31", "2026-10-01", "2026-10-01").await;
        let query = json!({"measures": ["loans.current_balance", "loans.count"], "dimensions": ["buildings.id"],
                           "order": [["buildings.id", "asc"]]});
        let both = ask(&running, org, query.clone()).await;
        assert_eq!(
            both.data,
            json!([
                {"buildings.id": "A", "loans.current_balance": 360.0, "loans.count": 1},
                {"buildings.id": "B", "loans.current_balance": 540.01, "loans.count": 1},
            ])
        );
        let whole = ask(&running, org, json!({"measures": ["loans.current_balance", "loans.count"]})).await;
        assert_eq!(whole.data, json!([{"loans.current_balance": 900.01, "loans.count": 1}]));
        // Where the first building of a loan is not granted, the granted building's share is still visible.
        let only = Buildings::Only(["B".to_owned()].into());
        let one = running.services().semantic.query(org, &only, &query).await.expect("an answer");
        assert_eq!(one.data, json!([{"buildings.id": "B", "loans.current_balance": 540.01, "loans.count": 1}]));
        running.stop().await;
    })
    .await;
}

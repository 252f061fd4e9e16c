//! An answer never contains data of others: not of another organization with the same identifiers, and not of a
//! building that is not granted. For any valid query, the answer equals that of a database without the others' rows.

use chrono::{Months, NaiveDate};
use corbel::base::ids::OrgId;
use corbel::db::pool::Db;
use corbel::portfolio::model::Buildings;
use corbel::portfolio::semantic::describe;
use corbel::portfolio::semantic::model::{Formula, Kind};
use corbel::portfolio::semantic::operators::{OF_MEASURES, of_kind};
use corbel::portfolio::semantic::registry::MODELS;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::harness::app::on_each;
use crate::semantic::fixture::{V, buildings_of, put, state};

/// The number of queries on each database.
const QUERIES: usize = 250;

fn month(at: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 1, 1).expect("a day") + Months::new(at)
}

/// A small portfolio; `salt` varies its numbers and texts under the same identifiers.
async fn fill(db: &Db, org: OrgId, ids: &[&str], salt: i64) {
    let word = |text: &str| V::Text(format!("{text} {salt}"));
    let said = |text: &str| V::Text(text.to_owned());
    let rows = ids.iter().enumerate().map(|(at, id)| {
        vec![
            said(id),
            word(&format!("House {id}")),
            said(if at % 2 == 0 { "multifamily" } else { "office" }),
            word("City"),
            V::Int(1990 + at as i64),
            V::Int(salt * 100_000),
            V::Int(5),
            V::Int(salt * 70_000),
            said(if at == 2 { "EUR" } else { "USD" }),
        ]
    });
    let columns =
        "id, name, property_type, city, year_built, rentable_area, unit_count, purchase_price, currency";
    buildings_of(db, org, columns, rows.collect()).await;
    let account = |code: &str, category: &str| {
        vec![
            said(code),
            word(category),
            said(category),
            V::Int(1),
            V::Bool(code < "6000"),
            said("t"),
        ]
    };
    let rows = vec![
        account("4000", "revenue"),
        account("4020", "revenue"),
        account("5000", "operating_expense"),
        account("6000", "capital"),
        account("7000", "debt_service"),
    ];
    let columns = "code, name, category, statement_sign, included_in_noi, source";
    put(db, org, "account_versions", columns, rows).await;
    let rows = vec![vec![said("T"), word("Tenant"), word("Industry"), said("t")]];
    put(db, org, "tenant_versions", "id, name, industry, source", rows).await;
    for (at, id) in ids.iter().enumerate() {
        fill_building(db, org, id, salt + at as i64, if at == 2 { "EUR" } else { "USD" }).await;
    }
    state(db, org, "2026-06-30", "2026-01-01", "2026-06-01").await;
}

async fn fill_building(db: &Db, org: OrgId, id: &str, salt: i64, currency: &str) {
    let said = |text: &str| V::Text(text.to_owned());
    let (money, source) = (said(currency), said("t"));
    let unit = |at: usize| said(&format!("{id}-{at}"));
    let rows = (0..4).map(|at| {
        vec![
            unit(at),
            said(id),
            said(&at.to_string()),
            said("residential"),
            V::Int(salt * 100),
            V::Bool(at != 3),
            V::Int(salt * 1_000),
            money.clone(),
            source.clone(),
        ]
    });
    let columns = "id, building_id, unit_number, unit_use, area, is_rentable, market_rent, currency, source";
    put(db, org, "unit_versions", columns, rows.collect()).await;
    let rows = vec![vec![
        unit(0),
        V::Day(month(0)),
        said(id),
        V::Int(salt * 1_100),
        money.clone(),
        source.clone(),
    ]];
    let columns = "unit_id, effective_date, building_id, market_rent, currency, source";
    put(db, org, "unit_market_rent_versions", columns, rows).await;
    let lease = |at: usize, end: u32| {
        vec![
            said(&format!("L{id}-{at}")),
            said(id),
            unit(at),
            said("T"),
            V::Day(month(0)),
            V::Day(month(end)),
            V::Bool(at == 1),
            V::Day(month(end)),
            V::Int(salt * 900),
            said("none"),
            V::Int(0),
            V::Int(0),
            V::Int(0),
            V::Int(0),
            V::Int(salt * 100),
            V::Bool(false),
            money.clone(),
            source.clone(),
        ]
    };
    let columns = "id, building_id, unit_id, tenant_id, start_date, end_date, month_to_month, effective_end, \
                   monthly_rent, escalation_type, escalation_rate, free_rent_months, ti_allowance, security_deposit, \
                   area, is_draft, currency, source";
    put(
        db,
        org,
        "lease_versions",
        columns,
        vec![lease(0, 14), lease(1, 20), lease(2, 3)],
    )
    .await;
    let step = |at: usize| {
        let rent = V::Int(salt * 900 + at as i64);
        vec![
            said(&format!("L{id}-{at}")),
            V::Day(month(0)),
            said(id),
            rent,
            money.clone(),
            source.clone(),
        ]
    };
    let columns = "lease_id, effective_date, building_id, monthly_rent, currency, source";
    put(
        db,
        org,
        "lease_rent_step_versions",
        columns,
        vec![step(0), step(1), step(2)],
    )
    .await;
    let (mut ledger, mut months) = (Vec::new(), Vec::new());
    for at in 0..6 {
        for (code, amount) in [
            ("4000", 900),
            ("4020", -30),
            ("5000", 400),
            ("6000", 50),
            ("7000", 200),
        ] {
            let amount = V::Int(salt * amount + i64::from(at));
            let budget = V::Int(salt * 100);
            ledger.push(vec![
                said(id),
                V::Day(month(at)),
                said(code),
                amount,
                budget,
                money.clone(),
                source.clone(),
            ]);
        }
        for unit_at in 0..4 {
            let end = month(at + 1).pred_opt().expect("a day");
            let occupied = unit_at != 3 && (unit_at != 2 || at < 3);
            months.push(vec![
                said(id),
                V::Day(month(at)),
                unit(unit_at),
                V::Day(end),
                said("residential"),
                V::Int(salt * 100),
                V::Bool(unit_at != 3),
                V::Bool(occupied),
                if occupied { V::Int(salt * 900) } else { V::NoInt },
                V::Int(salt * 1_000),
                money.clone(),
            ]);
        }
    }
    let columns = "building_id, month, account_code, amount, budget_amount, currency, source";
    put(db, org, "monthly_financial_versions", columns, ledger).await;
    let columns = "building_id, month, unit_id, month_end, unit_use, area, rentable, occupied, rent_in_effect, \
                   market_rent, currency";
    put(db, org, "unit_month_versions", columns, months).await;
    let loan = said(&format!("LN{id}"));
    let rows = vec![vec![
        loan.clone(),
        said(id),
        said("Bank"),
        said("senior"),
        V::Int(salt * 90_000),
        V::Day(month(0)),
        V::Day(month(60)),
        V::Int(40_000 + salt),
        V::Int(0),
        V::Int(salt * 80_000),
        V::Day(month(5)),
        money.clone(),
        source.clone(),
    ]];
    let columns = "id, building_id, lender, loan_kind, original_principal, origination_date, maturity_date, \
                   interest_rate, io_months, current_balance, balance_date, currency, source";
    put(db, org, "loan_versions", columns, rows).await;
    let rows = vec![vec![loan.clone(), said(id), V::Int(1_000_000), source.clone()]];
    put(
        db,
        org,
        "loan_building_versions",
        "loan_id, building_id, share, source",
        rows,
    )
    .await;
    let rows = (0..6).map(|at| {
        vec![
            loan.clone(),
            V::Day(month(at)),
            said(id),
            V::Int(salt * 300),
            V::Int(salt * 100),
            V::Int(salt * (80_000 - i64::from(at))),
            money.clone(),
            source.clone(),
        ]
    });
    let columns = "loan_id, payment_date, building_id, interest, principal, ending_balance, currency, source";
    put(db, org, "loan_payment_versions", columns, rows.collect()).await;
    let rows = (0..3).map(|at| {
        let value = V::Int(salt * (1_000_000 + i64::from(at)));
        vec![
            said(id),
            V::Day(month(at * 2)),
            value,
            V::Int(50_000),
            said("appraisal"),
            money.clone(),
            source.clone(),
        ]
    });
    let columns = "building_id, valuation_date, market_value, cap_rate, method, currency, source";
    put(db, org, "valuation_versions", columns, rows.collect()).await;
}

/// Valid queries over every model: measures, dimensions, buckets, ranges, nested filters, segments, order, pages.
pub fn queries() -> impl Strategy<Value = Value> {
    (0..MODELS.len()).prop_flat_map(|at| {
        let model = MODELS[at];
        let measures: Vec<String> = model
            .measures
            .iter()
            .map(|one| format!("{}.{}", model.name, one.name))
            .collect();
        let dimensions: Vec<(String, Kind)> = describe::dimensions(model)
            .map(|(name, one)| (name, one.kind))
            .collect();
        let plain: Vec<String> = dimensions
            .iter()
            .filter(|(_, kind)| *kind != Kind::AsOf)
            .map(|(name, _)| name.clone())
            .collect();
        let segments: Vec<String> = describe::segments(model).map(|(name, _)| name).collect();
        let times: Vec<(String, Kind)> = dimensions
            .iter()
            .filter(|(_, kind)| kind.is_time())
            .cloned()
            .collect();
        let exact: Vec<String> = model
            .measures
            .iter()
            .filter(|one| !matches!(one.formula, Formula::Ratio(..)))
            .map(|one| format!("{}.{}", model.name, one.name))
            .collect();
        let most = measures.len().min(4);
        (
            prop::sample::subsequence(measures, 1..=most),
            prop::sample::subsequence(plain, 0..=3),
            prop::option::weighted(0.4, time_dimension(times)),
            prop_oneof![
                3 => Just(Vec::new()),
                2 => prop::collection::vec(row_filter(dimensions), 1..4),
            ],
            prop::option::weighted(0.2, sum_filter(exact)),
            prop_oneof![
                4 => Just(Vec::new()),
                1 => prop::sample::subsequence(segments.clone(), 0..=segments.len().min(1)),
            ],
            any::<bool>(),
            (1..60_u32, prop_oneof![4 => Just(0_u32), 1 => 1..3_u32], any::<bool>()),
        )
            .prop_map(|(measures, dimensions, time, rows, sums, segments, grouped, (limit, offset, total))| {
                let mut filters = rows;
                if grouped && filters.len() > 1 {
                    filters = vec![json!({ "or": filters })];
                }
                filters.extend(sums);
                let mut query = json!({
                    "measures": measures, "dimensions": dimensions, "filters": filters, "segments": segments,
                    "limit": limit, "offset": offset, "total": total,
                });
                if let Some(time) = time {
                    query["timeDimensions"] = json!([time]);
                }
                query
            })
    })
}

fn time_dimension(times: Vec<(String, Kind)>) -> impl Strategy<Value = Value> {
    let ranges = prop::sample::select(vec![
        json!("last 3 months"),
        json!("2026"),
        json!("this quarter"),
        json!(["2026-02-01", "2026-05-15"]),
        json!("from 4 months ago to now"),
        json!(["2026-01-01", "2028-12-31"]),
    ]);
    (
        prop::sample::select(times),
        ranges,
        any::<prop::sample::Index>(),
        any::<bool>(),
    )
        .prop_map(|((name, kind), range, pick, grouped)| {
            let mut time = json!({ "dimension": name, "dateRange": range });
            // Three years have too many days and weeks for buckets.
            let coarse: Vec<_> = kind
                .granularities()
                .iter()
                .filter(|one| one.as_str().len() > 4 || one.as_str() == "year")
                .collect();
            if grouped && !coarse.is_empty() {
                time["granularity"] = json!(coarse[pick.index(coarse.len())].as_str());
            }
            time
        })
}

fn row_filter(dimensions: Vec<(String, Kind)>) -> impl Strategy<Value = Value> {
    let filterable: Vec<(String, Kind)> = dimensions
        .into_iter()
        .filter(|(_, kind)| !of_kind(*kind).is_empty())
        .collect();
    (
        prop::sample::select(filterable),
        any::<prop::sample::Index>(),
        prop::collection::vec(0..8_usize, 1..4),
    )
        .prop_map(|((name, kind), pick, values)| {
            let operators = of_kind(kind);
            let operator = operators[pick.index(operators.len())];
            let texts = [
                "B1",
                "B2",
                "House",
                "MARK 1",
                "residential",
                "USD",
                "in_force",
                "L",
            ];
            let value = |at: &usize| match kind {
                Kind::Text => json!(texts[*at]),
                Kind::Number(_) => json!(at * 1000),
                Kind::Boolean => json!(at.is_multiple_of(2)),
                Kind::Day | Kind::Month | Kind::AsOf => json!(format!("2026-0{}-15", at + 1)),
            };
            let values: Vec<Value> = match operator {
                "set" | "notSet" => Vec::new(),
                "gt" | "gte" | "lt" | "lte" | "beforeDate" | "beforeOrOnDate" | "afterDate"
                | "afterOrOnDate" | "inDateRange" | "notInDateRange" => {
                    values.iter().take(1).map(value).collect()
                }
                _ => values.iter().map(value).collect(),
            };
            json!({ "member": name, "operator": operator, "values": values })
        })
}

/// On sums only: two databases may differ in the last bit of a ratio.
fn sum_filter(measures: Vec<String>) -> impl Strategy<Value = Value> {
    (
        prop::sample::select(measures),
        any::<prop::sample::Index>(),
        0..2_000_u32,
    )
        .prop_map(|(name, pick, value)| {
            let operator = OF_MEASURES[pick.index(OF_MEASURES.len())];
            let values = if operator.ends_with("et") {
                Vec::new()
            } else {
                vec![value]
            };
            json!({ "member": name, "operator": operator, "values": values })
        })
}

#[tokio::test]
async fn rows_of_other_tenants_or_buildings_have_no_effect() {
    on_each("semantic tenancy", |place| async move {
        let running = place.start(&[("CORBEL_WORKERS", "0")]).await;
        let db = &running.services().db;
        // One organization with only the rows that the asker may see, and one that also has the rest, next to a third
        // with the same identifiers.
        let (alone, among, other) = (
            running.organization("Alone").await.id,
            running.organization("Among").await.id,
            running.organization("Other").await.id,
        );
        fill(db, alone, &["B1", "B2"], 7).await;
        fill(db, among, &["B1", "B2", "B3", "B4"], 7).await;
        fill(db, other, &["B1", "B2", "B3"], 1_009).await;
        let granted = Buildings::Only(["B1".to_owned(), "B2".to_owned(), "B99".to_owned()].into());
        let semantic = &running.services().semantic;
        let mut runner = TestRunner::deterministic();
        let (mut with_rows, mut answered) = (0, 0);
        for _ in 0..QUERIES {
            let query = queries().new_tree(&mut runner).expect("a query").current();
            let expected = semantic.query(alone, &Buildings::All, &query).await;
            let found = semantic.query(among, &granted, &query).await;
            match (expected, found) {
                (Ok(expected), Ok(found)) => {
                    answered += 1;
                    with_rows += usize::from(expected.row_count > 0);
                    let of = |answer| serde_json::to_value(answer).expect("JSON");
                    assert_eq!(of(found), of(expected), "{query}");
                }
                (expected, found) => panic!("{query}: {expected:?} and {found:?}"),
            }
            // Without a grant, every answer is empty.
            let none = semantic
                .query(among, &Buildings::default(), &query)
                .await
                .expect("an answer");
            assert_eq!(
                (none.row_count, none.total.unwrap_or(0), none.truncated),
                (0, 0, false),
                "{query}"
            );
        }
        println!("{answered} queries with equal answers, {with_rows} of them with rows");
        assert!(
            with_rows * 3 > QUERIES,
            "only {with_rows} of {QUERIES} found anything"
        );
        running.stop().await;
    })
    .await;
}

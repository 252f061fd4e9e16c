//! The compiled SQL of some queries as golden files, so that a change of the compiler is visible. `UPDATE_GOLDEN=1`
//! rewrites them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use chrono::NaiveDate;
use corbel::base::ids::OrgId;
use corbel::portfolio::model::Buildings;
use corbel::portfolio::semantic::closing::{self, Covered};
use corbel::portfolio::semantic::compile::Plan;
use corbel::portfolio::semantic::dates::Anchor;
use corbel::portfolio::semantic::reader;
use corbel::portfolio::semantic::registry::MODELS;
use corbel::portfolio::semantic::statement::Frame;
use serde_json::{Value, json};

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a day")
}

/// The statement of a query for some buildings, for each database.
pub fn compiled(query: &Value, sqlite: bool) -> String {
    let covered = Covered {
        as_of: day("2026-10-31"),
        first_month: day("2023-11-01"),
        last_month: day("2026-10-01"),
    };
    let object = reader::unwrapped(query).expect("an object");
    let query = reader::read(object, Anchor::data(covered.as_of)).expect("a valid query");
    let frame = Frame {
        org: OrgId::new(),
        buildings: Buildings::Only(["B01".to_owned(), "B04".to_owned()].into()),
        as_of: query.as_of.unwrap_or(covered.as_of),
    };
    let closing = closing::of(&query, Some(covered));
    let plan = Plan {
        query: &query,
        closing,
    };
    plan.rows(&frame, sqlite).text()
}

#[test]
fn compiled_queries_match_the_golden_files() {
    let queries = [
        (
            "noi_by_city",
            json!({"measures": ["financials.noi", "financials.opex_ratio"], "dimensions": ["buildings.city"],
                   "timeDimensions": [{"dimension": "financials.month", "dateRange": "last 12 months"}],
                   "filters": [{"member": "financials.noi", "operator": "gt", "values": ["1000000"]}]}),
        ),
        (
            "occupancy_by_quarter",
            json!({"measures": ["occupancy.physical_occupancy"],
                   "timeDimensions": [
                       {"dimension": "occupancy.month", "dateRange": "2026", "granularity": "quarter"}]}),
        ),
        (
            "every_filter",
            json!({"dimensions": ["rent_roll.tenant"], "filters": [{"or": [
                {"member": "rent_roll.tenant", "operator": "contains", "values": ["a", "b"]},
                {"member": "rent_roll.tenant", "operator": "notStartsWith", "values": ["c"]},
                {"and": [
                    {"member": "rent_roll.tenant", "operator": "endsWith", "values": ["d"]},
                    {"member": "buildings.year_built", "operator": "gte", "values": [1990]},
                    {"member": "rent_roll.lease_end", "operator": "inDateRange",
                     "values": ["2026-01-01", "2026-12-31"]},
                    {"member": "rent_roll.is_rentable", "operator": "notEquals", "values": [false]},
                    {"member": "rent_roll.lease_end", "operator": "set"}]}]}]}),
        ),
        (
            "latest_balances",
            json!({"measures": ["debt_service.interest", "debt_service.ending_balance"],
                   "timeDimensions": [
                       {"dimension": "debt_service.payment_date", "dateRange": "2026", "granularity": "quarter"}],
                   "order": [["debt_service.interest", "asc"]], "limit": 5, "offset": 10}),
        ),
        (
            "rollover",
            json!({"measures": ["rollover.annual_rent"], "dimensions": ["rollover.expiration_year"]}),
        ),
    ];
    for (name, query) in queries {
        let mut text = format!("-- {query}\n");
        for (database, sqlite) in [("SQLite", true), ("PostgreSQL", false)] {
            let _ = write!(text, "\n-- {database}\n{}\n", pretty(&compiled(&query, sqlite)));
        }
        let path = format!("tests/suite/semantic/golden/{name}.sql");
        if std::env::var("UPDATE_GOLDEN").is_ok() {
            fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("a folder");
            fs::write(&path, &text).expect(&path);
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            golden, text,
            "{path} differs; if this is intended, run with UPDATE_GOLDEN=1"
        );
    }
}

/// Formats the SQL for people, with a line for each clause.
fn pretty(sql: &str) -> String {
    let mut text = sql.to_owned();
    for clause in [
        " FROM ",
        " JOIN ",
        " WHERE ",
        " GROUP BY ",
        " HAVING ",
        " ORDER BY ",
        " LIMIT ",
    ] {
        text = text.replace(clause, &format!("\n{}", clause.trim_start()));
    }
    text.replace(" LEFT\nJOIN", "\nLEFT JOIN")
}

/// In every model's SQL, each base table is filtered by organization. Each table with a building column is filtered by
/// buildings as well; the others are reached only through a join.
#[test]
fn every_base_table_is_read_through_the_servers_filters() {
    const OF_NO_BUILDING: [&str; 4] = ["accounts", "tenants", "loans", "loan_payments"];
    for model in MODELS {
        let measures: Vec<String> = model
            .measures
            .iter()
            .take(8)
            .map(|one| format!("{}.{}", model.name, one.name))
            .collect();
        let query = json!({"measures": measures, "dimensions": ["buildings.name"]});
        for sqlite in [true, false] {
            let sql = compiled(&query, sqlite);
            let words: Vec<&str> = sql.split_whitespace().collect();
            let mut tables = 0;
            for (at, pair) in words.windows(2).enumerate() {
                let table = pair[1];
                // `f` is defined by the statement itself.
                let is_table = matches!(pair[0], "FROM" | "JOIN")
                    && table != "f"
                    && table.chars().all(|sign| sign.is_ascii_lowercase() || sign == '_');
                if !is_table {
                    continue;
                }
                tables += 1;
                let guard = &words[at + 2..at + 10];
                assert_eq!(guard[..3], ["WHERE", "org_id", "="], "{}: {table}", model.name);
                assert!(guard[3].starts_with('$'), "{}: {table}", model.name);
                if !OF_NO_BUILDING.contains(&table) {
                    let key = if table == "buildings" { "id" } else { "building_id" };
                    assert_eq!(
                        guard[4..8],
                        ["AND", key, "IN", "(SELECT"],
                        "{}: {table}",
                        model.name
                    );
                }
            }
            assert!(tables >= 1, "{}: {sql}", model.name);
        }
    }
}

//! Malicious and invalid queries: refused with a code and a path, and none of their text is in the SQL.

use chrono::NaiveDate;
use corbel::portfolio::semantic::dates::Anchor;
use corbel::portfolio::semantic::query::Query;
use corbel::portfolio::semantic::reader;
use corbel::portfolio::semantic::refusal::Refusal;
use serde_json::{Value, json};

use crate::semantic::golden::compiled;

pub fn read(query: &Value) -> Result<Query, Refusal> {
    let as_of: NaiveDate = "2026-10-31".parse().expect("a day");
    let object = reader::unwrapped(query)?;
    reader::time_settings(object)?;
    reader::read(object, Anchor::data(as_of))
}

fn refused(query: &Value) -> (String, String) {
    match read(query) {
        Ok(query) => panic!("accepted: {query:?}"),
        Err(refusal) => {
            assert!(!refusal.fix.is_empty() && !refusal.detail.is_empty());
            assert!(refusal.to_string().len() < 1_200, "{refusal}");
            (refusal.code.as_str().to_owned(), refusal.path.as_str().to_owned())
        }
    }
}

fn leaf(operator: &str, values: Value) -> Value {
    json!({"measures": ["financials.noi"],
           "filters": [{"member": "buildings.city", "operator": operator, "values": values}]})
}

#[test]
fn each_kind_of_error_has_its_code_and_path() {
    let noi = json!(["financials.noi"]);
    let many = |name: &str, count: usize| vec![json!(name); count];
    for (query, code, path) in [
        (json!([]), "invalid_value", ""),
        (json!("financials.noi"), "invalid_value", ""),
        (json!({}), "invalid_value", ""),
        (json!({"measures": "financials.noi"}), "invalid_value", "measures"),
        (json!({"measures": [1]}), "invalid_value", "measures[0]"),
        (
            json!({"measures": many("financials.noi", 11)}),
            "query_too_complex",
            "measures",
        ),
        (json!({"measures": ["noi"]}), "unknown_member", "measures[0]"),
        (json!({"measures": [""]}), "unknown_member", "measures[0]"),
        (json!({"measures": ["."]}), "unknown_model", "measures[0]"),
        (
            json!({"measures": ["financials.noi."]}),
            "unknown_member",
            "measures[0]",
        ),
        (
            json!({"measures": ["Financials.noi"]}),
            "unknown_model",
            "measures[0]",
        ),
        (
            json!({"measures": ["financials.n\u{43e}i"]}),
            "unknown_member",
            "measures[0]",
        ),
        (
            json!({"measures": ["financials.noi\u{0}"]}),
            "unknown_member",
            "measures[0]",
        ),
        (
            json!({"measures": ["buildings.city"]}),
            "unknown_member",
            "measures[0]",
        ),
        (
            json!({"dimensions": ["financials.noi"]}),
            "unknown_member",
            "dimensions[0]",
        ),
        (
            json!({"dimensions": ["financials.month.day"]}),
            "unknown_member",
            "dimensions[0]",
        ),
        (
            json!({"dimensions": ["buildings.city.month"]}),
            "unknown_member",
            "dimensions[0]",
        ),
        (
            json!({"dimensions": ["rent_roll.as_of"]}),
            "invalid_value",
            "dimensions[0]",
        ),
        (
            json!({"dimensions": ["leases.start_date.month", "leases.end_date.year"]}),
            "query_too_complex",
            "dimensions",
        ),
        (
            json!({"measures": noi, "ungrouped": true}),
            "invalid_value",
            "ungrouped",
        ),
        (json!({"measures": noi, "query": {}}), "invalid_value", "query"),
        (json!({"measures": noi, "limit": 0}), "invalid_value", "limit"),
        (json!({"measures": noi, "limit": -1}), "invalid_value", "limit"),
        (json!({"measures": noi, "limit": 1.5}), "invalid_value", "limit"),
        (json!({"measures": noi, "limit": "10"}), "invalid_value", "limit"),
        (json!({"measures": noi, "limit": 1001}), "limit_exceeded", "limit"),
        (
            json!({"measures": noi, "limit": u64::MAX}),
            "invalid_value",
            "limit",
        ),
        (
            json!({"measures": noi, "offset": 1_000_001}),
            "limit_exceeded",
            "offset",
        ),
        (json!({"measures": noi, "total": "yes"}), "invalid_value", "total"),
        (
            json!({"measures": noi, "timezone": "Mars/Olympus"}),
            "invalid_value",
            "timezone",
        ),
        (
            json!({"measures": noi, "anchor": "now"}),
            "invalid_value",
            "anchor",
        ),
        (
            json!({"measures": noi, "responseFormat": "csv"}),
            "invalid_value",
            "responseFormat",
        ),
        (
            json!({"measures": noi, "order": [["buildings.city", "asc"]]}),
            "invalid_value",
            "order[0]",
        ),
        (
            json!({"measures": noi, "order": [["financials.noi", "up"]]}),
            "invalid_value",
            "order[0]",
        ),
        (
            json!({"measures": noi, "order": ["financials.noi"]}),
            "invalid_value",
            "order[0]",
        ),
        (
            json!({"measures": noi, "order": {"financials.noi": 1}}),
            "invalid_value",
            "order.financials.noi",
        ),
        (
            json!({"measures": noi, "segments": ["buildings.none"]}),
            "unknown_member",
            "segments[0]",
        ),
        (
            json!({"measures": ["financials.noi", "loans.count"]}),
            "query_too_complex",
            "measures[1]",
        ),
        (
            json!({"measures": ["financials.noi", "buildings.count"]}),
            "query_too_complex",
            "measures[1]",
        ),
        (
            json!({"measures": noi, "segments": ["units.rentable"]}),
            "query_too_complex",
            "segments[0]",
        ),
        (
            json!({"measures": noi, "timeDimensions": [{"dimension": "buildings.city"}]}),
            "invalid_value",
            "timeDimensions[0].dimension",
        ),
        (
            json!({"measures": noi, "timeDimensions": [{"dimension": "financials.month", "granularity": "day"}]}),
            "invalid_value",
            "timeDimensions[0].granularity",
        ),
        (
            json!({"measures": noi, "timeDimensions": [{"dimension": "financials.month", "compareDateRange": []}]}),
            "invalid_value",
            "timeDimensions[0].compareDateRange",
        ),
        (
            json!({"measures": noi, "timeDimensions": [
                {"dimension": "financials.month", "dateRange": ["2026-01-01", "2025-01-01"]}]}),
            "invalid_date_range",
            "timeDimensions[0].dateRange",
        ),
        (
            json!({"measures": noi, "timeDimensions": [
                {"dimension": "financials.month", "dateRange": ["last month", "today"]}]}),
            "invalid_date_range",
            "timeDimensions[0].dateRange",
        ),
        (
            json!({"measures": noi, "timeDimensions": [{"dimension": "financials.month", "granularity": "month",
                   "dateRange": ["2000-01-01", "2026-01-01"]}]}),
            "query_too_complex",
            "timeDimensions",
        ),
        (
            json!({"measures": ["rent_roll.monthly_rent"],
                   "timeDimensions": [{"dimension": "rent_roll.as_of", "granularity": "month"}]}),
            "invalid_value",
            "timeDimensions[0].granularity",
        ),
        (
            leaf("like", json!(["D%"])),
            "invalid_operator",
            "filters[0].operator",
        ),
        (
            leaf("measureFilter", json!(["1"])),
            "invalid_operator",
            "filters[0].operator",
        ),
        (
            leaf("gt", json!(["1"])),
            "invalid_operator",
            "filters[0].operator",
        ),
        (leaf("equals", json!([])), "invalid_value", "filters[0].values"),
        (
            leaf("equals", json!([null])),
            "invalid_value",
            "filters[0].values[0]",
        ),
        (
            leaf("equals", json!([["x"]])),
            "invalid_value",
            "filters[0].values[0]",
        ),
        (
            leaf("equals", json!(["a\u{0}b"])),
            "invalid_value",
            "filters[0].values[0]",
        ),
        (
            leaf("equals", json!(["x".repeat(1_001)])),
            "invalid_value",
            "filters[0].values[0]",
        ),
        (
            leaf("contains", json!([""])),
            "invalid_value",
            "filters[0].values[0]",
        ),
        (leaf("set", json!(["x"])), "invalid_value", "filters[0].values"),
        (
            leaf("equals", json!(many("x", 201))),
            "query_too_complex",
            "filters[0].values",
        ),
        (
            leaf("equals", json!(many("x", 1_000_000))),
            "query_too_complex",
            "filters[0].values",
        ),
        (
            json!({"measures": noi, "filters": [{"member": "financials.noi", "operator": "gt", "values": ["1e3"]}]}),
            "invalid_value",
            "filters[0].values[0]",
        ),
        (
            json!({"measures": noi, "filters": [{"member": "financials.noi", "operator": "gt", "values": ["NaN"]}]}),
            "invalid_value",
            "filters[0].values[0]",
        ),
        (
            json!({"measures": noi, "filters": [{"member": "financials.noi", "operator": "gt", "values": [1, 2]}]}),
            "invalid_value",
            "filters[0].values",
        ),
        (
            json!({"measures": noi, "filters": [
                {"member": "financials.month", "operator": "inDateRange", "values": ["soon"]}]}),
            "invalid_date_range",
            "filters[0].values[0]",
        ),
        (
            json!({"measures": ["rent_roll.monthly_rent"], "filters": [
                {"member": "rent_roll.as_of", "operator": "onTheDate", "values": ["2026-01-01"]}]}),
            "invalid_operator",
            "filters[0].operator",
        ),
        (
            json!({"measures": noi, "filters": [{"or": []}]}),
            "invalid_value",
            "filters[0].or",
        ),
        (
            json!({"measures": noi, "filters": [{"or": [], "and": []}]}),
            "invalid_value",
            "filters[0].or",
        ),
        (
            json!({"measures": noi, "filters": [{}]}),
            "invalid_value",
            "filters[0].member",
        ),
        (
            json!({"measures": noi, "filters": [{"member": "buildings.city", "operator": "set", "extra": 1}]}),
            "invalid_value",
            "filters[0].extra",
        ),
        (
            json!({"measures": noi, "filters": [{"member": "buildings.multifamily", "operator": "set"}]}),
            "unknown_member",
            "filters[0].member",
        ),
        (
            json!({"measures": noi, "filters": vec![json!({"member": "buildings.city", "operator": "set"}); 21]}),
            "query_too_complex",
            "filters",
        ),
    ] {
        let found = refused(&query);
        let shown: String = query.to_string().chars().take(200).collect();
        assert_eq!((found.0.as_str(), found.1.as_str()), (code, path), "{shown}");
    }
}

#[test]
fn groups_nest_at_most_three_deep() {
    let mut filter = json!({"member": "buildings.city", "operator": "set"});
    for depth in 1..=60 {
        let key = if depth % 2 == 0 { "and" } else { "or" };
        filter = json!({ key: [filter] });
        let query = json!({"measures": ["financials.noi"], "filters": [filter.clone()]});
        match read(&query) {
            Ok(_) => assert!(depth <= 3, "{depth} groups were accepted"),
            Err(refusal) => {
                assert!(depth > 3, "{depth}: {refusal}");
                assert_eq!(refusal.code.as_str(), "query_too_complex");
            }
        }
    }
}

#[test]
fn leaves_are_counted_across_groups() {
    let leaf = json!({"member": "buildings.city", "operator": "set"});
    let group = |count: usize| json!({"or": vec![leaf.clone(); count]});
    let query = |a: usize, b: usize| json!({"measures": ["financials.noi"], "filters": [group(a), group(b)]});
    assert!(read(&query(10, 10)).is_ok());
    assert_eq!(refused(&query(10, 11)).0, "query_too_complex");
}

#[test]
fn the_closest_names_are_suggested() {
    for (name, expected) in [
        ("financials.noii", "financials.noi"),
        ("noi", "financials.noi"),
        ("occupancy.phisical_occupancy", "occupancy.physical_occupancy"),
        ("buildings.citty", "buildings.city"),
    ] {
        let refusal = read(&json!({"dimensions": [name]})).expect_err(name);
        assert!(
            refusal.suggestions.iter().any(|one| one == expected),
            "{name}: {:?}",
            refusal.suggestions
        );
        assert!(refusal.suggestions.len() <= 3);
    }
    let refusal = read(&json!({"measures": ["financial.noi"]})).expect_err("no such model");
    assert_eq!(
        refusal.suggestions.first().map(String::as_str),
        Some("financials")
    );
}

#[test]
fn values_are_bound_and_never_part_of_the_sql() {
    for evil in [
        "'; DROP TABLE leases; --",
        "\" OR 1=1 --",
        "$1",
        "%",
        "_",
        "\\",
        "B01') OR ('1'='1",
        "\u{202e}\u{1F3E2}\u{0301}",
    ] {
        for operator in [
            "equals",
            "notEquals",
            "in",
            "contains",
            "notContains",
            "startsWith",
            "endsWith",
        ] {
            let query = leaf(operator, json!([format!("evil {evil}")]));
            for sqlite in [true, false] {
                assert!(!compiled(&query, sqlite).contains("evil"), "{operator} {evil}");
            }
        }
    }
}

//! Leases and tables against sums in Python.

use calls::result::Table;
use calls::session::Session;
use serde_json::{Value, json};

use crate::{call, code, first, missing, near};

fn deal(want: &str, more: Value) -> Value {
    let mut arguments = json!({"want": want, "rent": "$27", "per": "area_year", "term": "6 yr", "increase": "2%",
        "free_months": "4 months", "improvements": "$35/sf"});
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    arguments
}

#[test]
fn effective_rents() {
    near(
        first("lease", &deal("net_effective_rent", json!({}))),
        21.053_211_001_067,
    );
    near(
        first(
            "lease",
            &deal("net_effective_rent", json!({"discount_rate": "8%"})),
        ),
        19.030_059_839_671,
    );
    near(
        first("lease", &deal("total_rent", json!({"area": "10,000 sf"}))),
        1_613_192.660_064,
    );
    near(
        first("lease", &deal("present_value", json!({"discount_rate": "8%"}))),
        125.447_530_782_843,
    );
    let annual = json!({"area": "10,000 sf", "improvements": "$350,000"});
    near(
        first("lease", &deal("net_effective_annual_rent", annual.clone())),
        210_532.110_010_67,
    );
    near(
        first("lease", &deal("net_effective_monthly_rent", annual)),
        210_532.110_010_67 / 12.0,
    );
    // 5 % of 161.3192… of rent more.
    let commission = json!({"commission": "5%"});
    near(
        first("lease", &deal("net_effective_rent", commission)),
        21.053_211_001_067 - 0.05 * 161.319_266_006_4 / 6.0,
    );
}

#[test]
fn rents_of_a_year() {
    let rent = json!({"want": "rent", "rent": "4,650", "per": "month", "increase": "3.5%", "year": "5"});
    let result = call("lease", &rent);
    near(result["figures"][0]["value"].as_f64().unwrap(), 5_335.981_953);
    assert_eq!(result["figures"][0]["period"], "month");
    let index = json!({"want": "rent", "rent": "42,000", "per": "year", "index": ["6.5%", "3.4%", "1.2%", "2.8%"],
        "floor": "2%", "cap": "4%"});
    near(first("lease", &index), 47_358.338_227_2);
    let bumps =
        json!({"want": "rent", "rent": "$30/sf", "increase": "$0.75", "every": "2 years", "year": "6"});
    near(first("lease", &bumps), 31.5);
    let once = json!({"want": "rent", "rent": "$1,480", "per": "month", "increase": "4.5%"});
    near(first("lease", &once), 1_546.6);
    let steps = json!({"want": "rent", "rent": "100k", "per": "year", "year": "4",
        "steps": [{"year": "3", "rent": "110k"}, {"year": "5", "rent": "120k"}]});
    near(first("lease", &steps), 110e3);
    let table = call(
        "lease",
        &json!({"want": "schedule", "rent": "10k", "per": "month", "term": "18 months"}),
    );
    assert_eq!(
        table["table"]["rows"],
        json!([[1, 120_000.0, 120_000.0], [2, 120_000.0, 60_000.0]])
    );
}

#[test]
fn average_terms() {
    let left = json!({"want": "weighted_average_term", "leases": [{"area": "12,400 sf", "remaining": "3.5 years"},
        {"area": "8,150", "remaining": "6"}, {"area": "21,000 sf", "remaining": "2.25 years"}]});
    near(first("lease", &left), 3.358_604_091_456);
    let dated = json!({"want": "weighted_average_term", "as_of": "2026-01-01", "leases": [
        {"rent": "100k", "end_date": "12/31/2026"}, {"rent": "300k", "end_date": "2024-05-01"}]});
    near(first("lease", &dated), 364.0 / 365.0 / 4.0);
    let lacking =
        json!({"want": "weighted_average_term", "leases": [{"rent": "1", "end_date": "2026-05-01"}]});
    assert_eq!(missing("lease", &lacking), ["as_of"]);
    assert_eq!(missing("lease", &json!({"want": "rent", "rent": "$5"})), ["per"]);
    assert_eq!(
        missing(
            "lease",
            &json!({"want": "total_rent", "rent": "$5", "per": "year"})
        ),
        ["term"]
    );
    assert_eq!(
        code(
            "lease",
            &json!({"want": "total_rent", "rent": "$5", "per": "year", "term": "51 yr"})
        ),
        "bad_value"
    );
}

#[test]
fn tables_are_summed_and_filtered() {
    let roll = json!({"columns": ["unit", "type", "sqft", "rent", "ends"], "rows": [
        ["1", "A", "700", "$1,450", "2026-03-31"], ["2", "A", "720", "$1,525", "2026-08-31"],
        ["3", "B", "950", "$1,780", "2027-01-31"], ["4", "B", "950", "", ""]]});
    let of = |select: Value, more: Value| {
        let mut arguments = json!({"table": roll, "select": select});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        arguments
    };
    let sum = json!([{"column": "rent", "aggregate": "sum"}]);
    near(first("query_table", &of(sum.clone(), json!({}))), 4_755.0);
    let before = json!({"where": [{"column": "ends", "less": "1/1/2027"}]});
    near(first("query_table", &of(sum.clone(), before)), 2_975.0);
    let vacant = json!({"where": [{"column": "rent", "empty": true}]});
    near(
        first(
            "query_table",
            &of(json!([{"column": "sqft", "aggregate": "sum"}]), vacant),
        ),
        950.0,
    );
    let any = json!({"where": [{"column": "unit", "is": ["1", "3"]}]});
    near(
        first(
            "query_table",
            &of(json!([{"column": "rent", "aggregate": "mean"}]), any.clone()),
        ),
        1_615.0,
    );
    near(
        first(
            "query_table",
            &of(json!([{"column": "rent", "aggregate": "share"}]), any),
        ),
        3_230.0 / 4_755.0,
    );
    let weighted = json!([{"column": "rent", "aggregate": "weighted_mean", "by": "sqft"}]);
    near(
        first("query_table", &of(weighted, json!({}))),
        (1_450.0 * 700.0 + 1_525.0 * 720.0 + 1_780.0 * 950.0) / 2_370.0,
    );
    near(
        first(
            "query_table",
            &of(json!([{"column": "rent", "aggregate": "median"}]), json!({})),
        ),
        1_525.0,
    );
    let grouped = call(
        "query_table",
        &of(sum.clone(), json!({"group": ["type"], "order": "-sum_rent"})),
    );
    assert_eq!(grouped["table"]["rows"], json!([["A", 2_975.0], ["B", 1_780.0]]));
    let list = call(
        "query_table",
        &of(json!([{"column": "unit"}]), json!({"order": "-rent", "limit": 2})),
    );
    assert_eq!(list["error"]["code"], "unknown_word");
    assert_eq!(
        code(
            "query_table",
            &of(json!([{"column": "type", "aggregate": "sum"}]), json!({}))
        ),
        "bad_value"
    );
    assert_eq!(
        code(
            "query_table",
            &of(sum, json!({"where": [{"column": "rent", "more": "much"}]}))
        ),
        "bad_value"
    );
}

#[test]
fn tables_of_files_and_of_results_have_names() {
    let mut session = Session::unchecked();
    session.add_table(
        "f1.t1",
        Table {
            columns: vec!["account".to_owned(), "amount".to_owned()],
            rows: vec![
                vec![json!("Rent"), json!(1000)],
                vec![json!("Taxes"), json!(-200.5)],
            ],
        },
    );
    let sum = |table: &str, column: &str| json!({"table": table, "select": [{"column": column, "aggregate": "sum"}]});
    near(
        session.call("query_table", &sum("f1.t1", "amount"))["figures"][0]["value"]
            .as_f64()
            .unwrap(),
        799.5,
    );
    let schedule =
        json!({"want": "schedule", "amount": "1m", "rate": "0%", "amortization": "10 yr", "term": "1 yr"});
    session.call("loan", &schedule);
    near(
        session.call("query_table", &sum("r2", "principal"))["figures"][0]["value"]
            .as_f64()
            .unwrap(),
        99_999.96,
    );
    assert_eq!(
        session.call("query_table", &sum("f2", "amount"))["error"]["near"],
        json!(["f1.t1", "r2"])
    );
}

#[test]
fn a_part_of_each_index_change_counts() {
    let rent = |share: &str, floor: &str| {
        json!({"want": "rent", "rent": "$120,000", "per": "year", "index": ["4%", "3.2%"], "index_share": share,
            "floor": floor})
    };
    near(first("lease", &rent("75%", "0%")), 120e3 * 1.03 * 1.024);
    near(first("lease", &rent("0.75", "2.5%")), 120e3 * 1.03 * 1.025);
    near(first("lease", &rent("0%", "0%")), 120e3);
    for wrong in ["$5", "4 years", "most", "r9.1", ""] {
        let result = call("lease", &rent(wrong, "0%"));
        assert!(result["error"]["detail"].is_string(), "{wrong}: {result}");
    }
    assert_eq!(code("lease", &rent("-75%", "0%")), "bad_value");
}

#[test]
fn a_step_below_a_dollar_is_no_share() {
    let rent = |step: &str| json!({"want": "rent", "rent": "22.00", "per": "area_year", "increase": step, "year": "9"});
    near(first("lease", &rent("0.60")), 22.0 + 8.0 * 0.6);
    near(first("lease", &rent("0.60/sf")), 22.0 + 8.0 * 0.6);
    near(first("lease", &rent("0.03")), 22.0 * 1.03_f64.powi(8));
}

#[test]
fn the_term_that_leads_to_an_average() {
    let leases = |target: &str, left: Value, new: Value| {
        json!({"want": "weighted_average_term", "target_average": target,
            "leases": [{"area": "15,000 sf", "remaining": left}, {"area": "5,000 sf", "remaining": new}]})
    };
    near(
        first("lease", &leases("4 years", json!("3 years"), Value::Null)),
        7.0,
    );
    near(
        first("lease", &leases("48", json!("36 months"), Value::Null)),
        84.0,
    );
    let rents = json!({"want": "weighted_average_term", "target_average": "4 years", "as_of": "1/1/2026",
        "leases": [{"rent": "$300k", "end_date": "1/1/2026"}, {"rent": "$100k", "remaining": "2 years"},
            {"rent": "$100k"}]});
    near(first("lease", &rents), 18.0);
    for (target, new) in [("4 years", json!("2 years")), ("soon", Value::Null)] {
        let result = call("lease", &leases(target, json!("3 years"), new));
        assert!(result["error"]["detail"].is_string(), "{result}");
    }
    assert_eq!(
        code("lease", &leases("1 year", json!("3 years"), Value::Null)),
        "no_result"
    );
    let both = leases("4 years", Value::Null, Value::Null);
    assert!(call("lease", &both)["error"]["detail"].is_string());
}

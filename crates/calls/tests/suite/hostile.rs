//! Every value of every example replaced by values that nobody means: an answer or a named error, never nonsense.

use calls::catalog::entries;
use calls::session::Session;
use serde_json::{Value, json};

/// Texts and other values in the place of one.
fn values() -> Vec<Value> {
    let mut values: Vec<Value> = [
        "",
        " ",
        "-",
        "0",
        "0%",
        "-1",
        "-5%",
        "100%",
        "1000%",
        "99999999999999999999",
        "9999999999b",
        "1e308",
        "NaN",
        "inf",
        "r1",
        "r1.1",
        "-r1.1",
        "r0.0",
        "r",
        "ten",
        "half",
        "-two",
        "🙂",
        "½",
        "1/0",
        "0/0%",
        "1 1/2",
        "2026-02-30",
        "30/360",
        "5/1/2026",
        "€5",
        "$",
        "%",
        "x",
        "1x",
        "1,2,3",
        "1.2.3",
        "((5))",
        "--5",
        "5 5",
        "per month",
        "/mo",
        "5/mo/mo",
        "600",
        "601",
        "1000000 years",
        "0.0000001",
        "year 0",
        "month 99999",
        "\u{0}",
        "１２",
    ]
    .map(Value::from)
    .to_vec();
    values.extend([
        json!(null),
        json!(1e300),
        json!(-1),
        json!(true),
        json!([]),
        json!({}),
        json!(["1", "2"]),
        json!([[["1"]]]),
    ]);
    values.push(Value::from("9".repeat(5_000)));
    values
}

/// All ways to replace one leaf of a value.
fn replaced(value: &Value, with: &Value) -> Vec<Value> {
    let mut found = vec![with.clone()];
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                for new in replaced(inner, with) {
                    let mut copy = map.clone();
                    copy.insert(key.clone(), new);
                    found.push(Value::Object(copy));
                }
            }
        }
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                for new in replaced(inner, with) {
                    let mut copy = list.clone();
                    copy[at] = new;
                    found.push(Value::Array(copy));
                }
            }
        }
        _ => {}
    }
    found
}

/// Arguments that no example has.
fn others(name: &str) -> Vec<Value> {
    match name {
        "loan" => vec![
            json!({"want": "balance", "amount": "$2m", "rate": "6%", "amortization": "10 yr", "paid": "3 years",
                "payments_per_year": "quarterly"}),
            json!({"want": "interest_paid", "amount": "$2m", "rate": "6%", "from": "1/15/2026", "to": "3/1/2026",
                "day_count": "30/360"}),
        ],
        "sale_tax" => vec![json!({"want": "exchange_deadline", "closing_date": "3/3/2026"})],
        "cash_flows" => vec![json!({"want": "irr", "flows": ["-$1m",
            {"amount": "$64k", "times": "4", "plus_at_end": "$1.2m"}]})],
        "lease" => vec![
            json!({"want": "rent", "rent": "$9k", "per": "month", "index": ["4%"], "index_share": "75%"}),
            json!({"want": "weighted_average_term", "target_average": "4 years",
                "leases": [{"area": "15,000 sf", "remaining": "3 years"}, {"area": "5,000 sf"}]}),
        ],
        _ => Vec::new(),
    }
}

#[test]
fn no_value_makes_nonsense() {
    let start = std::time::Instant::now();
    for entry in entries() {
        let own = std::iter::once(entry.example.clone());
        let all: Vec<Value> = own.chain(others(entry.name)).collect();
        for with in values() {
            for arguments in all.iter().flat_map(|arguments| replaced(arguments, &with)) {
                let mut session = Session::unchecked();
                session.call(
                    "calculate",
                    &json!({"goal": "noi", "known": {"egi": "5", "operating_expenses": "2"}}),
                );
                let result = session.call(entry.name, &arguments);
                let shown = || {
                    format!("{} {arguments}: {result}", entry.name)
                        .chars()
                        .take(600)
                        .collect::<String>()
                };
                let kinds = ["figures", "missing", "error"]
                    .iter()
                    .filter(|kind| !result[**kind].is_null())
                    .count();
                assert_eq!(kinds, 1, "{}", shown());
                for figure in result["figures"].as_array().into_iter().flatten() {
                    assert!(!figure["value"].is_null(), "{}", shown());
                }
                for step in result["steps"].as_array().into_iter().flatten() {
                    assert!(!step["value"].is_null(), "{}", shown());
                }
                if let Some(error) = result["error"].as_object() {
                    assert!(!error["detail"].as_str().unwrap().is_empty(), "{}", shown());
                }
            }
        }
    }
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

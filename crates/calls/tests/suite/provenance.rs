//! Which values count as given.

use calls::provenance::Givens;
use calls::session::Session;
use serde_json::{Value, json};

fn checked(given: &str, value: &str) -> bool {
    let mut givens = Givens::default();
    givens.add(given);
    givens.check(&json!({"known": {"x": value}})).is_ok()
}

#[test]
fn the_same_number_is_found_in_any_notation() {
    for (given, value) in [
        ("Price is 7.2m", "$7,200,000"),
        ("it costs $7,200,000", "7.2m"),
        ("65% LTV", "0.65"),
        ("an LTV of 0.65", "65%"),
        ("65 LTV at 6.1, 30 yr am", "6.1%"),
        ("a 6.75 cap", "6.75%"),
        ("plus 150 bps", "1.5%"),
        ("for ten years", "10"),
        ("a five-year hold", "5 years"),
        ("twenty-five years", "25"),
        ("30 yr am", "360 months"),
        ("in the third year", "3"),
        ("paid monthly", "12"),
        ("80/20 split", "20%"),
        ("5-4-3-2-1", "3"),
        ("on May 1, 2026", "2026-05-01"),
        ("from 3/15/2021 on", "15 March 2021"),
        ("expires in 2027", "2027-01-01"),
        ("-250k", "250,000"),
        ("sold for 9.1 million", "-9.1m"),
        ("SOFR+285bps", "2.85%"),
        ("actual/360", "actual/360"),
        ("1 1/2 percent on 1,340/mo", "$1,340"),
        ("a 6 1/4% loan", "6.25%"),
        ("nothing", "0"),
        ("monthly pref", "1 month"),
    ] {
        assert!(checked(given, value), "{value} in {given:?}");
    }
}

#[test]
fn a_number_from_nowhere_is_refused() {
    for (given, value) in [
        ("Price is 7.2m", "7.2"),
        ("Price is 7.2m", "7.3m"),
        ("7.25%", "7.2%"),
        ("costs 1,340", "340"),
        ("NOI 505k", "505"),
        ("65% LTV", "6.5%"),
        ("for 11.5 years", "1.5"),
        ("a nine-year hold", "10"),
        ("2026-05-01", "2026-06-01"),
        ("12k and 15k in years 1 to 5", "1%"),
        ("one year from today", "1%"),
        ("30 yr am", "30%"),
        ("no number", "5%"),
        ("", "$50k"),
    ] {
        assert!(!checked(given, value), "no {value} in {given:?}");
    }
}

#[test]
fn a_refused_value_is_named_and_refs_are_not_checked() {
    let mut givens = Givens::default();
    givens.add("NOI 505k, price 7.2m. What cap rate?");
    let mut session = Session::new(givens);
    let rate = session.call(
        "calculate",
        &json!({"goal": "going_in_cap_rate", "known": {"noi": "$505,000", "price": "7.2m"}}),
    );
    assert!(rate["figures"][0]["value"].is_number(), "{rate}");
    let value = json!({"goal": "value", "known": {"noi": "505k", "going_in_cap_rate": "r1.1"}});
    assert!(session.call("calculate", &value)["figures"][0]["value"].is_number());
    let made_up = json!({"goal": "value", "known": {"noi": "505k", "going_in_cap_rate": "5%"}});
    let refused = session.call("calculate", &made_up);
    assert_eq!(refused["error"]["code"], "not_given");
    assert!(
        refused["error"]["detail"]
            .as_str()
            .unwrap()
            .contains("going_in_cap_rate \"5%\"")
    );
    let table = json!({"table": {"columns": ["noi"], "rows": [["505k"]]},
        "select": [{"column": "noi", "aggregate": "sum"}],
        "where": [{"column": "noi", "at_least": "500k"}]});
    assert_eq!(session.call("query_table", &table)["error"]["code"], "not_given");
}

#[test]
fn large_texts_are_checked_in_time() {
    let mut givens = Givens::default();
    givens.add(&"unit 101, rent $1,450, ends May 31, 2026\n".repeat(5_000));
    let rows: Vec<Value> = (0..500).map(|_| json!(["$1,450"])).collect();
    let start = std::time::Instant::now();
    givens.check(&json!({"rows": rows})).unwrap();
    assert!(givens.check(&json!({"x": "1/2/2031"})).is_err());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn a_computed_date_may_be_used() {
    let mut givens = Givens::default();
    givens.add("We close March 3, 2026. What does $2m at 6% cost until the 180th day, actual/360?");
    let mut session = Session::new(givens);
    session.call(
        "sale_tax",
        &json!({"want": "exchange_deadline", "closing_date": "March 3, 2026"}),
    );
    let until = |day: &str| {
        json!({"want": "interest_paid", "amount": "$2m", "rate": "6%", "from": "March 3, 2026", "to": day,
            "day_count": "actual/360"})
    };
    let result = session.call("loan", &until("2026-08-30"));
    assert_eq!(result["figures"][0]["value"], 60_000.0, "{result}");
    let result = session.call("loan", &until("2026-08-31"));
    assert_eq!(result["error"]["code"], "not_given");
}

#[test]
fn numbers_in_words_and_other_units_must_be_given_too() {
    let mut givens = calls::provenance::Givens::default();
    givens.add("We buy 48 units with a loan over 30 yr. NOI 505k.");
    for text in ["seven million", "fifty thousand", "48m", "$48m", "30m"] {
        let arguments = json!({"goal": "going_in_cap_rate", "known": {"price": text}});
        assert!(givens.check(&arguments).is_err(), "{text}");
    }
    for text in ["505k", "$505,000", "forty-eight", "30 years", "360 months"] {
        let arguments = json!({"goal": "going_in_cap_rate", "known": {"noi": text}});
        assert!(givens.check(&arguments).is_ok(), "{text}");
    }
    let numbered = json!({"table": {"columns": ["n", "rent"], "rows": [["3", "505k"], ["3", "505k"]]}});
    assert!(givens.check(&numbered).is_err(), "no row numbers");
}

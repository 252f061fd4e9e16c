//! Loans, sizing and prepayment against a schedule computed month by month in Python.

use serde_json::{Value, json};

use crate::{call, code, first, missing, near};

fn loan(want: &str, more: Value) -> Value {
    let mut arguments = json!({"want": want, "amount": "$3.3m", "rate": "5.9%", "amortization": "25 yr"});
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    arguments
}

#[test]
fn payments_and_balances() {
    near(first("loan", &loan("payment", json!({}))), 21_060.681_473_016);
    near(
        first("loan", &loan("annual_debt_service", json!({}))),
        12.0 * 21_060.681_473_016,
    );
    near(
        first("loan", &loan("balance", json!({"paid": "7 years"}))),
        2_798_581.118_452,
    );
    near(
        first("loan", &loan("balance", json!({"paid": "84"}))),
        2_798_581.118_452,
    );
    let year = json!({"from": "year 3", "to": "third year"});
    near(
        first("loan", &loan("interest_paid", year.clone())),
        185_656.738_333,
    );
    near(first("loan", &loan("principal_paid", year)), 67_071.439_343);
    let lent =
        json!({"want": "loan_amount", "payment": "4,150/mo", "rate": "7.2%", "amortization": "30 years"});
    near(first("loan", &lent), 611_383.630_729);
    let rate =
        json!({"want": "annual_rate", "amount": "800,000", "payment": "5,200", "amortization": "25 years"});
    near(first("loan", &rate), 0.060_930_284_785);
}

/// 2m at 6% over 10 years, with payments so many times a year.
fn paid(want: &str, times: &str, more: Value) -> Value {
    let mut arguments = json!({"want": want, "amount": "2m", "rate": "6%", "amortization": "10 years",
        "payments_per_year": times});
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    arguments
}

#[test]
fn payments_of_quarters_half_years_and_years() {
    // Period by period: balance × (1 + rate ÷ n) − payment, which ends at zero.
    for (times, payment) in [
        ("quarterly", 66_854.203_394_558),
        ("4", 66_854.203_394_558),
        ("semi-annual", 134_431.415_193_718),
        ("annual", 271_735.916_440_768),
    ] {
        near(first("loan", &paid("payment", times, json!({}))), payment);
    }
    let result = call("loan", &paid("payment", "quarterly", json!({})));
    assert_eq!(result["figures"][0]["period"], "quarter");
    assert_eq!(result["figures"][0]["label"], "payment");
    near(
        result["figures"][1]["value"].as_f64().unwrap(),
        4.0 * 66_854.203_394_558,
    );
    // Each of these is the same time of three years.
    for made in ["3 years", "36 months", "12", "12 payments", "12 quarters"] {
        near(
            first("loan", &paid("balance", "quarterly", json!({"paid": made}))),
            1_519_376.541_419,
        );
    }
    let year = json!({"from": "year 2", "to": "year 2"});
    near(
        first("loan", &paid("interest_paid", "quarterly", year)),
        107_398.231_009,
    );
    let only = json!({"want": "payment", "amount": "2m", "rate": "6%", "interest_only": "true",
        "payments_per_year": "quarterly"});
    near(first("loan", &only), 30_000.0);
    let alone = |want: &str, key: &str, value: &str| {
        let mut arguments = paid(want, "quarterly", json!({"payment": "66,854.203394558"}));
        let map = arguments.as_object_mut().unwrap();
        map.remove("amount");
        map.insert(key.to_owned(), json!(value));
        arguments
    };
    near(first("loan", &alone("loan_amount", "rate", "6%")), 2e6);
    near(first("loan", &alone("annual_rate", "amount", "2m")), 0.06);
    near(first("loan", &alone("months_to_payoff", "amount", "2m")), 120.0);
    let monthly = json!({"payment": "$22,284.734464853/mo"});
    near(
        first("loan", &paid("months_to_payoff", "quarterly", monthly)),
        120.0,
    );
}

#[test]
fn a_quarterly_payment_is_a_third_of_it_each_month() {
    let mut session = calls::session::Session::unchecked();
    session.call("loan", &paid("payment", "quarterly", json!({})));
    let result = session.call(
        "calculate",
        &json!({"goal": "dscr", "known": {"noi": "400k", "payment": "r1.1"}}),
    );
    near(
        result["figures"][0]["value"].as_f64().unwrap(),
        400e3 / (4.0 * 66_854.203_394_558),
    );
}

#[test]
fn bad_numbers_of_payments_are_named() {
    for times in ["weekly", "3", "0", "-4", "$4", "5 years", "0.25", "often", ""] {
        assert_eq!(
            code("loan", &paid("payment", times, json!({}))),
            "bad_value",
            "{times}"
        );
    }
    for made in ["7 months", "1.5", "700", "-1"] {
        assert_eq!(
            code("loan", &paid("balance", "quarterly", json!({"paid": made}))),
            "bad_value",
            "{made}"
        );
    }
    let days = json!({"paid": "12", "day_count": "actual/360", "start": "1/1/2026"});
    assert_eq!(code("loan", &paid("balance", "quarterly", days)), "bad_arguments");
}

#[test]
fn interest_between_two_dates() {
    let between = |from: &str, to: &str, days: &str, more: Value| {
        let mut arguments = json!({"want": "interest_paid", "amount": "$3m", "rate": "6%", "from": from, "to": to,
            "day_count": days});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        arguments
    };
    let (from, to) = ("January 15, 2026", "3/1/2026");
    // 45 days, 46 by thirties.
    for (days, interest) in [
        ("actual/360", 22_500.0),
        ("actual/365", 22_191.780_822),
        ("30/360", 23_000.0),
    ] {
        near(first("loan", &between(from, to, days, json!({}))), interest);
    }
    let result = call("loan", &between(from, to, "30/360", json!({"term": "10 yr"})));
    assert_eq!(result["figures"][1]["value"], 46.0);
    assert_eq!(result["unused"], json!(["term"]));
    near(first("loan", &between(from, from, "actual/360", json!({}))), 0.0);
    assert_eq!(
        code("loan", &between(to, from, "actual/360", json!({}))),
        "no_result"
    );
    for wrong in ["2026-02-30", "12", "year 3", "soon"] {
        assert_eq!(
            code("loan", &between(from, wrong, "30/360", json!({}))),
            "bad_value",
            "{wrong}"
        );
    }
    let repaid = json!({"amortization": "30 yr"});
    assert_eq!(
        code("loan", &between(from, to, "30/360", repaid)),
        "bad_arguments"
    );
    let alone = json!({"want": "interest_paid", "from": "2026-01-15"});
    assert_eq!(missing("loan", &alone), ["amount", "rate", "to", "day_count"]);
}

#[test]
fn interest_only_months_come_before_the_whole_amortization() {
    let arguments = json!({"want": "balance", "amount": "8.1m", "rate": "6.3%", "interest_only": "3 years",
        "amortization": "30 yr", "paid": "10 yr"});
    let result = call("loan", &arguments);
    near(result["figures"][0]["value"].as_f64().unwrap(), 7_298_994.390_3);
    assert_eq!(result["steps"][0]["assumption"], true);
    let arguments = json!({"want": "payment", "amount": "1m", "rate": "6%", "interest_only": true});
    near(first("loan", &arguments), 5_000.0);
}

#[test]
fn rounding_days_and_extra_payments() {
    let rounded = json!({"want": "balance", "amount": "250,000", "rate": "7%", "amortization": "180 months",
        "paid": "60", "rounding": "cents"});
    near(first("loan", &rounded), 193_532.11);
    let days = json!({"want": "interest_paid", "amount": "5m", "rate": "6%", "amortization": "30 yr", "to": "12",
        "day_count": "actual/360", "start": "1/1/2026"});
    near(first("loan", &days), 302_541.499_515);
    let sooner = json!({"want": "months_to_payoff", "amount": "210k", "rate": "6.25%", "amortization": "30 years",
        "extra_payment": "200"});
    let result = call("loan", &sooner);
    assert_eq!(result["figures"][0]["value"].as_f64().unwrap().ceil(), 254.0);
    assert_eq!(result["figures"][1]["value"], 106.0);
    near(result["figures"][2]["value"].as_f64().unwrap(), 86_413.401_595);
    let extra = json!({"want": "total_interest", "amount": "210k", "rate": "6.25%", "amortization": "30 years",
        "extra_payment": "200"});
    near(first("loan", &extra), 169_068.801_927);
}

#[test]
fn a_schedule_is_a_table() {
    let result = call("loan", &loan("schedule", json!({"term": "10 yr"})));
    let rows = result["table"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 120);
    assert_eq!(rows[0], json!([1, 21_060.68, 16_225.0, 4_835.68, 3_295_164.32]));
    let paid: f64 = rows.iter().map(|row| row[3].as_f64().unwrap()).sum();
    assert!((3.3e6 - paid - rows[119][4].as_f64().unwrap()).abs() < 1.0);
}

#[test]
fn bad_loans_are_named() {
    assert_eq!(
        missing("loan", &json!({"want": "payment", "amount": "1m"})),
        ["rate", "amortization"]
    );
    assert_eq!(missing("loan", &loan("balance", json!({}))), ["paid"]);
    assert_eq!(
        missing(
            "loan",
            &loan("balance", json!({"paid": "12", "day_count": "actual/360"}))
        ),
        ["start"]
    );
    assert_eq!(
        code("loan", &loan("balance", json!({"paid": "90 years"}))),
        "bad_value"
    );
    assert_eq!(code("loan", &loan("balance", json!({"paid": "$5"}))), "bad_value");
    assert_eq!(
        code("loan", &loan("interest_paid", json!({"from": "13", "to": "12"}))),
        "bad_value"
    );
    assert_eq!(
        code(
            "loan",
            &json!({"want": "months_to_payoff", "amount": "1m", "rate": "6%", "payment": "5,000"})
        ),
        "no_result"
    );
    let result = call("loan", &loan("payment", json!({"amortisation": "30"})));
    assert_eq!(result["error"]["near"][0], "amortization");
    assert_eq!(code("loan", &loan("rent", json!({}))), "bad_arguments");
}

#[test]
fn the_smallest_test_binds() {
    let arguments = json!({"want": "max_loan", "noi": "$900k", "value": "$13m", "max_ltv": "65%", "min_dscr": "1.20x",
        "rate": "5.75%", "amortization": "25 yr", "min_debt_yield": "9%"});
    let result = call("size_loan", &arguments);
    near(result["figures"][0]["value"].as_f64().unwrap(), 8_450_000.0);
    assert_eq!(result["figures"][1]["value"], "ltv");
    near(result["figures"][3]["value"].as_f64().unwrap(), 9_934_726.424_546);
    near(result["figures"][4]["value"].as_f64().unwrap(), 1e7);
    let only = json!({"want": "dscr_proceeds", "noi": "75k/mo", "min_dscr": "1.25", "rate": "6%",
        "interest_only": true});
    near(first("size_loan", &only), 900e3 / 1.25 / 0.06);
    assert_eq!(
        missing("size_loan", &json!({"want": "max_loan", "max_ltv": "65%"})),
        ["value"]
    );
    assert_eq!(
        missing("size_loan", &json!({"want": "max_loan", "noi": "1m"})),
        ["max_ltv"]
    );
}

#[test]
fn premiums_for_early_repayment() {
    let table = json!({"want": "premium", "kind": "step_down", "balance": "5,240,000", 
        "steps": ["5", "4", "3", "2", "1"], "year": "3"});
    near(first("prepayment", &table), 157_200.0);
    let after =
        json!({"want": "premium", "kind": "step_down", "balance": "1m", "steps": ["2%", "1%"], "year": "3"});
    near(first("prepayment", &after), 0.0);
    let kept = json!({"want": "premium", "kind": "yield_maintenance", "amount": "$10M", "rate": "6%",
        "amortization": "30-year", "term": "10-year", "paid": "84", "discount_yield": "4.25%", "minimum": "1%"});
    let result = call("prepayment", &kept);
    near(result["figures"][0]["value"].as_f64().unwrap(), 427_614.344_064);
    near(result["figures"][2]["value"].as_f64().unwrap(), 8_963_938.589_089);
    let share = json!({"want": "premium_share", "kind": "share", "balance": "2m", "share": "150 bps"});
    near(first("prepayment", &share), 0.015);
    assert_eq!(
        missing(
            "prepayment",
            &json!({"want": "premium", "kind": "step_down", "balance": "1m"})
        ),
        ["steps", "year"]
    );
}

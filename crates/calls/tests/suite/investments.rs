//! Cash flows, partnerships and sales against sums in Python.

use serde_json::{Value, json};

use crate::{call, code, first, missing, near};

fn flows(want: &str, flows: Value) -> Value {
    json!({"want": want, "flows": flows})
}

#[test]
fn rates_of_return() {
    let deal = json!(["-$1.1m", {"amount": "$64k", "times": "4", "growth": "2%"}, "$1.4m"]);
    near(
        first("cash_flows", &flows("irr", deal.clone())),
        0.095_036_946_216,
    );
    let mut npv = flows("npv", deal);
    npv["rate"] = json!("8%");
    near(first("cash_flows", &npv), 70_821.861_205);
    let monthly = json!({"want": "irr", "flows": ["-100k", {"amount": "900/mo", "times": "35"}, "104.9k"]});
    let result = call("cash_flows", &monthly);
    near(result["figures"][0]["value"].as_f64().unwrap(), 0.125_885_176_504);
    near(result["figures"][2]["value"].as_f64().unwrap(), 0.119_157_264_690);
    let roots = call("cash_flows", &flows("irr", json!(["-1000", "2500", "-1540"])));
    assert_eq!(roots["figures"][0]["name"], "irr_roots");
    near(roots["figures"][0]["value"][1].as_f64().unwrap(), 0.4);
    let modified = json!({"want": "mirr", "flows": ["-1000", "-200", "500", "600", "700"], "finance_rate": "10%",
        "reinvestment_rate": "12%"});
    near(first("cash_flows", &modified), 0.140_450_379_323);
}

#[test]
fn values_at_a_rate() {
    let saved = json!({"want": "future_value", "flows": [{"amount": "850", "times": "15 yrs"}],
        "first": "end_of_first_period", "rate": "5.25%", "periods_per_year": "12"});
    near(first("cash_flows", &saved), 232_001.009_932);
    let advance = json!({"want": "future_value", "flows": [{"amount": "$60,000", "times": "7"}],
        "first": "now", "rate": "4.5%"});
    near(first("cash_flows", &advance), 502_800.817_115);
    let dated = json!({"want": "xnpv", "rate": "9%", "flows": [
        {"amount": "-100k", "date": "3/15/2021"}, {"amount": "-40k", "date": "9/1/2021"},
        {"amount": "9k", "date": "12/31/2022"}, {"amount": "11k", "date": "12/31/2023"},
        {"amount": "185k", "date": "6/30/2025"}]});
    near(first("cash_flows", &dated), 5_685.094_792_803);
    near(
        first(
            "cash_flows",
            &flows("payback_period", json!(["-1000", "300", "300", "300", "400"])),
        ),
        3.25,
    );
    near(
        first(
            "cash_flows",
            &flows("equity_multiple", json!(["-250k", "18k", ["22k", "350.5k"]])),
        ),
        1.562,
    );
    let area = call("cash_flows", &flows("total", json!(["96,500 sf", "-15,200 sf"])));
    assert_eq!(
        (area["figures"][0]["value"].as_f64(), &area["figures"][0]["unit"]),
        (Some(81_300.0), &json!("sqft"))
    );
}

#[test]
fn a_sale_comes_with_the_last_of_several_flows() {
    let flows = |end: &str, times: &str| {
        let income = json!({"amount": "$60k", "times": times, "plus_at_end": end});
        json!({"want": "total", "flows": ["-$1m", income]})
    };
    near(first("cash_flows", &flows("$1.2m", "5 years")), 500e3);
    near(first("cash_flows", &flows("-$0.2m", "5")), -900e3);
    let same = json!({"want": "irr", "flows": ["-$1m", {"amount": "$60k", "times": "4"}, "$1.26m"]});
    let mut sale = flows("$1.2m", "5");
    sale["want"] = json!("irr");
    near(first("cash_flows", &sale), first("cash_flows", &same));
    for end in ["5%", "$60k/mo", "soon", "€3", ""] {
        let result = call("cash_flows", &flows(end, "5"));
        assert!(result["error"]["detail"].is_string(), "{end}: {result}");
    }
    assert_eq!(code("cash_flows", &flows("$1.2m", "0")), "bad_value");
}

#[test]
fn the_days_of_an_exchange() {
    let days = |want: &str, closing: &str| json!({"want": want, "closing_date": closing});
    let result = call("sale_tax", &days("identification_deadline", "July 22, 2026"));
    assert_eq!(result["figures"][0]["value"], "2026-09-05");
    assert_eq!(result["figures"][0]["unit"], "date");
    assert_eq!(result["figures"][1]["value"], "2027-01-18");
    let result = call("sale_tax", &days("exchange_deadline", "2027-11-30"));
    assert_eq!(result["figures"][0]["value"], "2028-05-28");
    for wrong in ["2026-02-30", "45", "soon", "r1.1", ""] {
        assert_eq!(
            code("sale_tax", &days("exchange_deadline", wrong)),
            "bad_value",
            "{wrong}"
        );
    }
    assert_eq!(
        missing("sale_tax", &json!({"want": "identification_deadline"})),
        ["closing_date"]
    );
}

#[test]
fn bad_flows_are_named() {
    assert_eq!(
        code("cash_flows", &flows("irr", json!(["100", "200"]))),
        "no_result"
    );
    assert_eq!(
        code("cash_flows", &flows("irr", json!(["-100", "5%"]))),
        "bad_value"
    );
    assert_eq!(
        code(
            "cash_flows",
            &flows("total", json!([{"amount": "1", "times": "2001"}]))
        ),
        "bad_value"
    );
    assert_eq!(
        code(
            "cash_flows",
            &flows("total", json!([{"amount": "1", "times": "1999"}, "1", "1"]))
        ),
        "too_many"
    );
    assert_eq!(
        code(
            "cash_flows",
            &flows("total", json!([{"amount": "1", "time": "2"}]))
        ),
        "bad_arguments"
    );
    assert_eq!(missing("cash_flows", &flows("npv", json!(["-1", "2"]))), ["rate"]);
    assert_eq!(
        missing("cash_flows", &flows("xirr", json!(["-1", "2"]))),
        ["date"]
    );
    assert_eq!(missing("cash_flows", &flows("irr", json!([]))), ["flows"]);
    assert_eq!(
        code("cash_flows", &flows("payback_period", json!(["-5", "2"]))),
        "no_result"
    );
}

#[test]
fn a_waterfall_with_two_promotes() {
    let deal = |want: &str| {
        json!({"want": want, "lp_share": "85%", "preferred_return": "9%", "order": "capital_first",
            "tiers": [{"until_irr": "14%", "promote": "15%"}, {"promote": "35%"}],
            "periods": [{"contribution": "$4m"}, {"times": "3"}, {"distribution": "$7m"}]})
    };
    near(first("waterfall", &deal("lp_distribution")), 5_769_184.955_9);
    near(first("waterfall", &deal("gp_distribution")), 1_230_815.044_1);
    near(first("waterfall", &deal("preferred_paid")), 1_646_326.44);
    near(first("waterfall", &deal("lp_irr")), 0.141_323_833_199);
    near(first("waterfall", &deal("lp_multiple")), 5_769_184.955_9 / 3.4e6);
    let result = call("waterfall", &deal("table"));
    assert_eq!(result["table"]["rows"].as_array().unwrap().len(), 5);
}

#[test]
fn a_full_catch_up() {
    let deal = json!({"want": "gp_promote", "lp_share": "100%", "preferred_return": "8%",
        "catch_up": {"to_sponsor": "100%", "target": "20%"}, "tiers": [{"lp_share": "80/"}],
        "periods": [{"contribution": "1000"}, {"distribution": "1300"}]});
    assert_eq!(code("waterfall", &deal), "bad_value");
    let mut right = deal;
    right["tiers"] = json!([{"lp_share": "80"}]);
    near(first("waterfall", &right), 60.0);
    right["tiers"] = json!([{"lp_share": "80", "until_multiple": "1.1x"}]);
    assert_eq!(code("waterfall", &right), "no_result");
    right["periods"] = json!([{"times": "601"}]);
    assert_eq!(code("waterfall", &right), "bad_value");
    right["periods"] = json!([{"times": "600"}, {}]);
    assert_eq!(code("waterfall", &right), "too_many");
}

#[test]
fn depreciation_and_tax() {
    let own = |want: &str, more: Value| {
        let mut arguments = json!({"want": want, "price": "$2.2m", "land": "15%", "use": "residential"});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        arguments
    };
    near(first("sale_tax", &own("depreciation", json!({}))), 68_000.0);
    let may = json!({"month_in_service": "May", "tax_year": "1"});
    near(first("sale_tax", &own("depreciation_in_year", may)), 42_500.0);
    let years = json!({"month_in_service": "5", "years": "5"});
    near(
        first("sale_tax", &own("accumulated_depreciation", years)),
        314_500.0,
    );
    let sale = |want: &str| {
        json!({"want": want, "price": "5m", "selling_costs": "4%", "basis": "3.2m", "improvements": "100k",
            "depreciation_taken": "600k", "recapture_rate": "25%", "gain_rate": "20%", "old_debt": "2m"})
    };
    near(first("sale_tax", &sale("realized_gain")), 2.1e6);
    near(first("sale_tax", &sale("tax")), 450e3);
    near(first("sale_tax", &sale("after_tax_proceeds")), 2.35e6);
    let exchange = json!({"want": "deferred_gain", "realized_gain": "800k", "cash_received": "150k", "old_debt": "1m",
        "new_debt": "0.9m", "cash_added": "60k"});
    near(first("sale_tax", &exchange), 800e3 - 190e3);
    assert_eq!(
        missing(
            "sale_tax",
            &json!({"want": "depreciation", "price": "1m", "use": "residential"})
        ),
        ["land"]
    );
    assert_eq!(
        missing("sale_tax", &own("depreciation_in_year", json!({}))),
        ["month_in_service", "tax_year"]
    );
    assert_eq!(
        code(
            "sale_tax",
            &own(
                "depreciation_in_year",
                json!({"month_in_service": "13", "tax_year": "1"})
            )
        ),
        "bad_value"
    );
}

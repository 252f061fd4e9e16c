//! `calculate` against plain arithmetic.

use calls::session::Session;
use serde_json::json;

use crate::{call, code, first, missing, near};

fn goal(goal: &str, known: serde_json::Value) -> serde_json::Value {
    json!({"goal": goal, "known": known})
}

#[test]
fn values_are_read_as_written() {
    near(
        first(
            "calculate",
            &goal("value", json!({"noi": "$918,000", "going_in_cap_rate": "6.25%"})),
        ),
        14_688_000.0,
    );
    near(
        first(
            "calculate",
            &goal(
                "ltv",
                json!({"loan_amount": "6,420,000", "value": "10.7 million"}),
            ),
        ),
        0.6,
    );
    near(
        first(
            "calculate",
            &goal("grm", json!({"price": "4.68m", "gross_rent": "38,400 a month"})),
        ),
        10.15625,
    );
    near(
        first(
            "calculate",
            &goal(
                "cash_on_cash",
                json!({"equity": "92k", "cash_flow": "540 a month"}),
            ),
        ),
        6_480.0 / 92e3,
    );
    near(
        first(
            "calculate",
            &goal(
                "price",
                json!({"price_per_unit": "$148,000 a door", "total_units": "24"}),
            ),
        ),
        3_552_000.0,
    );
    near(
        first(
            "calculate",
            &goal(
                "going_in_cap_rate",
                json!({"price": "$148k/unit", "total_units": "24", "noi": "$213,120"}),
            ),
        ),
        0.06,
    );
    // A number that a model sends instead of a text.
    near(
        first(
            "calculate",
            &goal("value", json!({"noi": 918000, "going_in_cap_rate": 6.25})),
        ),
        14_688_000.0,
    );
    // A label instead of a word.
    near(
        first(
            "calculate",
            &goal("cap_rate", json!({"noi": "50k", "price": "1m"})),
        ),
        0.05,
    );
}

#[test]
fn conversions_and_assumptions_are_steps() {
    let result = call(
        "calculate",
        &goal("grm", json!({"price": "4.68m", "gross_rent": "38,400 a month"})),
    );
    assert_eq!(result["steps"][0]["formula"], "amount for each month × 12");
    let result = call(
        "calculate",
        &goal("value", json!({"noi": "50k", "going_in_cap_rate": "0.05"})),
    );
    assert_eq!(result["steps"][0]["assumption"], true);
    near(result["figures"][0]["value"].as_f64().unwrap(), 1e6);
    let known = json!({"gpr": "1m", "vacancy_share": "5%", "opex_share": "40%"});
    near(first("calculate", &goal("noi", known)), 570_000.0);
    let known = json!({"gpr": "1m", "vacancy_share": "5%", "other_income_share": "2%", "opex_share": "40%"});
    let result = call("calculate", &goal("noi", known));
    near(result["figures"][0]["value"].as_f64().unwrap(), 582_000.0);
    assert!(
        result["steps"].to_string().contains("no concessions is given"),
        "{result}"
    );
}

#[test]
fn refs_are_values_of_earlier_results() {
    let mut session = Session::unchecked();
    session.call(
        "calculate",
        &goal("loan_amount", json!({"price": "7.2m", "ltv": "65%"})),
    );
    let known =
        json!({"loan_amount": "r1.1", "annual_rate": "6.1%", "amortization_years": "30 yr", "noi": "505k"});
    let result = session.call("calculate", &goal("dscr", known));
    assert_eq!(result["ref"], "r2");
    near(result["figures"][0]["value"].as_f64().unwrap(), 1.483_868_419);
    let result = session.call(
        "calculate",
        &goal("ltv", json!({"loan_amount": "r9.1", "value": "1m"})),
    );
    assert_eq!(result["error"]["code"], "unknown_ref");
    // A rate is no loan.
    session.call(
        "calculate",
        &goal("ltv", json!({"loan_amount": "6m", "value": "10m"})),
    );
    let result = session.call(
        "calculate",
        &goal("ltv", json!({"loan_amount": "r4.1", "value": "1m"})),
    );
    assert_eq!(result["error"]["code"], "bad_value");
}

#[test]
fn a_monthly_figure_is_converted_where_a_year_is_wanted() {
    let mut session = Session::unchecked();
    let loan = json!({"loan_amount": "1m", "annual_rate": "6%", "amortization_years": "30"});
    let payment = session.call("calculate", &goal("payment", loan));
    assert_eq!(payment["figures"][0]["period"], "month");
    let result = session.call(
        "calculate",
        &goal("dscr", json!({"noi": "100k", "debt_service": "r1.1"})),
    );
    near(
        result["figures"][0]["value"].as_f64().unwrap(),
        100e3 / (12.0 * 5_995.505_251_527_57),
    );
}

#[test]
fn bad_input_is_named() {
    let result = call("calculate", &goal("nio", json!({})));
    assert_eq!(result["error"]["code"], "unknown_word");
    assert!(result["error"]["near"].to_string().contains("noi"), "{result}");
    assert_eq!(
        missing("calculate", &goal("value", json!({"noi": "50k"}))),
        ["going_in_cap_rate"]
    );
    assert_eq!(
        missing(
            "calculate",
            &goal("value", json!({"noi": "5k/unit", "going_in_cap_rate": "5%"}))
        ),
        ["total_units"]
    );
    assert_eq!(
        code(
            "calculate",
            &goal("value", json!({"noi": "6%", "going_in_cap_rate": "5%"}))
        ),
        "bad_value"
    );
    assert_eq!(
        code(
            "calculate",
            &goal("value", json!({"noi": "€50k", "price": "$1m"}))
        ),
        "mixed_currencies"
    );
    assert_eq!(
        code(
            "calculate",
            &goal(
                "ltv",
                json!({"noi": "50k", "price": "1m", "going_in_cap_rate": "9%"})
            )
        ),
        "contradiction"
    );
    assert_eq!(
        code(
            "calculate",
            &goal("dscr", json!({"noi": "50k", "debt_service": "0"}))
        ),
        "no_result"
    );
    let result = call("calculate", &json!({"goal": "noi", "known": {}, "gaol": "x"}));
    assert_eq!(result["error"]["near"][0], "goal");
    assert_eq!(code("calculate", &json!(["goal"])), "bad_arguments");
    assert_eq!(
        code("calculate", &json!({"goal": "noi", "known": {"noi": {"a": 1}}})),
        "bad_arguments"
    );
}

#[test]
fn what_is_not_needed_is_unused() {
    let known = json!({"noi": "50k", "going_in_cap_rate": "5%", "sale_cost_share": "2%"});
    let result = call("calculate", &goal("value", known));
    assert_eq!(result["unused"], json!(["sale_cost_share"]));
}

#[test]
fn the_currency_of_the_values_is_that_of_the_figures() {
    let result = call(
        "calculate",
        &goal("value", json!({"noi": "€ 50k", "going_in_cap_rate": "5%"})),
    );
    assert_eq!(result["figures"][0]["unit"], "EUR");
}

#[test]
fn many_values_are_answered_in_time_or_refused() {
    let words: Vec<&str> = calls::catalog::entries()
        .iter()
        .find(|entry| entry.name == "calculate")
        .map(|entry| entry.schema["properties"]["goal"]["enum"].clone())
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|word| {
            finance::variable::Variable::from_word(word.as_str().unwrap())
                .unwrap()
                .word()
        })
        .collect();
    let known = |skip: usize, count: usize| -> serde_json::Map<String, serde_json::Value> {
        words
            .iter()
            .skip(skip)
            .step_by(6)
            .take(count)
            .map(|word| ((*word).to_owned(), json!("7")))
            .collect()
    };
    let start = std::time::Instant::now();
    for skip in [0, 3] {
        let result = call(
            "calculate",
            &json!({"goal": "walk_score", "known": known(skip, 60)}),
        );
        assert_eq!(result["error"]["code"], "unknown_word");
        call(
            "calculate",
            &json!({"goal": "levered_irr", "known": known(skip, 60)}),
        );
        call(
            "calculate",
            &json!({"goal": "tenant_sales", "known": known(skip, 20)}),
        );
    }
    assert!(start.elapsed().as_secs() < 40, "{:?}", start.elapsed());
    assert_eq!(
        code("calculate", &json!({"goal": "noi", "known": known(0, 61)})),
        "too_many"
    );
}

/// Where an input is missing, no relation may make one up: neither an optional zero nor a search backwards.
#[test]
fn what_is_missing_is_asked_for() {
    for (wanted, known, lacking) in [
        ("irr", json!({"price": "5m", "noi": "300k"}), ""),
        (
            "loan_amount",
            json!({"noi": "300k", "dscr": "1.25x", "annual_rate": "6%"}),
            "amortization_years",
        ),
        (
            "dscr",
            json!({"noi": "300k", "loan_amount": "3m", "annual_rate": "6%"}),
            "amortization_years",
        ),
        (
            "dscr",
            json!({"noi": "300k", "ltv": "65%", "annual_rate": "6%", "amortization_years": "30"}),
            "",
        ),
        (
            "payment",
            json!({"loan_amount": "3m", "amortization_years": "30"}),
            "annual_rate",
        ),
        ("going_in_cap_rate", json!({"noi": "300k"}), "price"),
        (
            "going_in_cap_rate",
            json!({"noi": "300k", "total_units": "24", "area": "20,000 sf"}),
            "",
        ),
        ("noi", json!({"gpr": "1m"}), ""),
        (
            "noi",
            json!({"gpr": "1m", "vacancy_share": "5%"}),
            "operating_expenses",
        ),
        ("egi", json!({"gpr": "1m"}), ""),
        ("price", json!({"noi": "300k"}), ""),
        (
            "price",
            json!({"noi": "300k", "loan_amount": "3m", "annual_rate": "6%"}),
            "",
        ),
        ("equity", json!({"price": "5m"}), "loan_amount"),
        ("cash_on_cash", json!({"noi": "300k", "debt_service": "200k"}), ""),
        ("cash_flow", json!({"noi": "300k"}), ""),
        (
            "exit_value",
            json!({"noi": "300k", "noi_growth": "3%", "holding_period": "5"}),
            "exit_cap_rate",
        ),
        (
            "present_value",
            json!({"first_year_noi": "300k", "holding_period": "5", "discount_rate": "8%"}),
            "",
        ),
        (
            "net_effective_rent",
            json!({"base_rent_psf": "$30", "free_rent_months": "6"}),
            "lease_term",
        ),
        (
            "value_created",
            json!({"monthly_uplift": "$100", "total_units": "40"}),
            "",
        ),
        ("debt_yield", json!({"noi": "300k", "price": "5m"}), "loan_amount"),
        (
            "ltv",
            json!({"noi": "300k", "price": "5m", "going_in_cap_rate": "6%"}),
            "loan_amount",
        ),
        (
            "annual_rate",
            json!({"loan_amount": "3m", "noi": "300k", "price": "5m"}),
            "",
        ),
        ("yield_on_cost", json!({"noi": "300k", "hard_cost": "3m"}), ""),
        (
            "lp_distribution",
            json!({"capital": "10m", "distribution": "18m", "preferred_return": "8%"}),
            "",
        ),
        ("total_cost", json!({"price": "5m"}), ""),
        (
            "accrued_pref",
            json!({"capital": "10m", "preferred_return": "8%"}),
            "years_accrued",
        ),
        (
            "cagr",
            json!({"first_value": "10m", "second_value": "12m"}),
            "years_between",
        ),
        (
            "percentage_rent",
            json!({"tenant_sales": "2m", "percentage_rate": "6%"}),
            "",
        ),
    ] {
        let arguments = goal(wanted, known);
        let result = call("calculate", &arguments);
        let list = result["missing"]
            .as_array()
            .unwrap_or_else(|| panic!("{arguments}: {result}"));
        let named = lacking.is_empty() || list.iter().any(|input| input["name"] == lacking);
        assert!(named && !list.is_empty(), "{arguments}: {result}");
    }
}

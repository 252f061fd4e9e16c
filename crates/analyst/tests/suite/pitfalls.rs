//! Questions that once got a wrong number, or none although they were complete.

use analyst::contract::draft::Draft;

use super::asking::{self, talk};

/// The last draft of a conversation.
fn last(turns: &[&str]) -> Draft {
    talk(turns).pop().unwrap_or_default()
}

fn assert_figure(turns: &[&str], name: &str, value: f64) {
    asking::assert_figure(&last(turns), &turns.join(" / "), name, value);
}

fn assert_asks(turns: &[&str]) {
    asking::assert_asks(&last(turns), &turns.join(" / "));
}

#[test]
fn periods_and_signs_beside_the_name_count() {
    let cap = "going_in_cap_rate";
    assert_figure(&["NOI per month 50k, price 10m, cap rate?"], cap, 0.06);
    assert_figure(&["NOI (monthly): 50k, price 10m, cap rate?"], cap, 0.06);
    assert_figure(&["cap rate on negative 50k NOI, price 10m?"], cap, -0.005);
    assert_asks(&["negative NOI of 50k on a 10m price, cap rate?"]);
    assert_asks(&["monthly payment on 5m at 6% p.m. over 30 years"]);
}

#[test]
fn other_currencies_are_never_taken_for_dollars() {
    for question in [
        "NOI 600k CHF, price 10m CHF, cap?",
        "NOI 600k pesos price 10m pesos cap rate?",
        "NOI 60 lakh, price 10 crore, cap rate?",
        "NOI AED 600k price AED 10m cap rate",
    ] {
        assert_figure(&[question], "going_in_cap_rate", 0.06);
        let draft = last(&[question]);
        assert!(!draft.result.contains('$'), "{question}: {}", draft.result);
        let inputs = &draft.figures[0].inputs;
        assert!(
            inputs.iter().all(|input| input.unit != "USD"),
            "{question}: {inputs:?}"
        );
    }
    assert_asks(&["NOI €600k, price $10m, cap rate?"]);
    let cap = "going_in_cap_rate";
    assert_figure(&["NOI: USD 600,000, Price: USD 10,000,000, cap?"], cap, 0.06);
    assert_figure(&["NOI US$600k price US$10m cap rate"], cap, 0.06);
}

#[test]
fn a_named_quantity_is_not_asked_for() {
    assert_asks(&["NOI 600k price 10 cap rate"]);
    assert_figure(
        &["exit value at 6.75 cap on 1.482m forward NOI"],
        "exit_value",
        21_955_555.555_6,
    );
    assert_figure(
        &["I'm paying $5,200 monthly on an $800,000 25-year mortgage. What's my interest rate?"],
        "annual_rate",
        0.060_930_284_8,
    );
    assert_figure(
        &["$5.2 million at 65% LTV, what's the loan"],
        "loan_amount",
        3_380_000.0,
    );
    assert_asks(&["LTV on 6.5m loan, cost 10m"]);
    assert_asks(&["DSCR with NOI 900k and interest of 500k"]);
    assert_asks(&["5m note, 6%, 7-yr. Payment?"]);
    assert_asks(&["CoC: 245k of cash flow before debt service, 3.5m equity"]);
    assert_figure(
        &["interest portion of the first payment: 5m, 6%, 30-year am"],
        "interest_paid",
        25_000.0,
    );
    assert_figure(
        &["before tax cash flow if NOI 640k and debt service 40k a month"],
        "cash_flow",
        160_000.0,
    );
    assert_asks(&["what's half of the value at a 6% cap on 600k NOI?"]);
}

#[test]
fn asides_are_no_quantities() {
    for question in [
        "123 Main Street: NOI 600k, price 10m. Cap rate?",
        "For 1600 Pennsylvania Ave, NOI 600k and price 10m, cap rate?",
        "Call me at 555-123-4567. NOI 600k, price 10m, cap rate?",
        "On 11/20/2026: NOI 600k, price 10m, cap rate?",
        "As of November 20, 2026, NOI is 600k and the price is 10m. Cap rate?",
        "Unit 12B aside, NOI 600k and price 10m: cap?",
        "The building (built 1987) has NOI of 600k and is priced at 10m; cap rate?",
        "NOI of 600k, price of 10m, trailing-12. Cap rate?",
    ] {
        assert_figure(&[question], "going_in_cap_rate", 0.06);
    }
    // Dates are no amounts: they say when the flows fall.
    assert_figure(
        &["IRR: 1/1/2025 -100, 7/1/2025 60, 1/1/2026 70"],
        "xirr",
        0.414_653_222_9,
    );
    assert_figure(
        &["NPV at 8%: 2025-01-01 -100, 2026-01-01 120"],
        "xnpv",
        120.0 / 1.08 - 100.0,
    );
}

#[test]
fn schedules_with_actual_days_are_not_guessed() {
    for question in [
        "balance after 10 years on 5m at 6%, 30-year am, actual/360",
        "interest in year 1 on 5m at 6%, 30-year am, actual/360",
        "DSCR interest only 10m at 6% actual/360 with NOI 900k",
        "10m loan, 6%, partial IO, payment?",
    ] {
        assert_asks(&[question]);
    }
    let fixed = last(&["payment on 5m at 6% actual/360, 30-year am?"]);
    assert!(fixed.success && fixed.quick_reply.contains("30/360"));
    assert_figure(
        &["DSCR during the IO period: 10m, 6%, 2 years IO, 30 year am, NOI 900k"],
        "dscr",
        1.5,
    );
}

#[test]
fn flows_keep_their_side_and_their_end() {
    assert_figure(
        &["we put in 500k at closing and another 500k in year 1, then get 1.5m in year 3. IRR?"],
        "irr",
        0.174_559_409_3,
    );
    assert_asks(&["NPV at 8% of -1m, 300k per year forever"]);
    assert_asks(&["NPV at 8% of -1m, 300k per year"]);
    assert_figure(
        &["MOIC on 4m invested and 7.5m returned"],
        "equity_multiple",
        1.875,
    );
    assert_figure(
        &["$1m investment, 80k per year for 5 years, sale at 1.2m in year 5, IRR"],
        "irr",
        0.111_987_383_5,
    );
    assert_figure(
        &["purchase 10m, 600k a year years 1-10, sale 12m in year 10. IRR?"],
        "irr",
        0.074_191_417_8,
    );
    assert_figure(
        &[
            "modified irr at 10% finance rate and 12% reinvestment rate for -120,000, 39,000, 30,000, 21,000, 37,000, 46,000",
        ],
        "mirr",
        0.126_094_1,
    );
    assert_figure(&["irr of -100, 210, -110.25"], "irr", 0.05);
    let yearly = 0.065_619_319_2;
    for question in [
        "buy at 1m, year 1 50k, year 2 50k, year 3 1.1m. IRR?",
        "buy at 1m purchase price, year 1 50k, year 2 50k, year 3 1.1m. IRR?",
        "buy at 1m, year 1 50k, year 2 50k, year 3 50k plus sale at 1.05m. IRR?",
        "-1m, 50k, 50k, 50k + 1.05m irr",
        "Year 0: -1m, year 1: 50k, year 2: 50k, year 3: 50k + 1.05m sale. IRR",
    ] {
        assert_figure(&[question], "irr", yearly);
    }
    assert_figure(
        &["invest 1m now, pay in year 1 50k, receive 1.3m in year 3. irr"],
        "irr",
        0.074_978_142,
    );
    for question in [
        "buy at 1m, year 1 50k, year 2 50k, sell at 1.05m. IRR?",
        "NPV at 8% with mid-year convention of -1m, 500k, 700k",
        "NPV at 8% of -1m, 500k, 700k continuously compounded",
        "equity multiple: 4m in, profit 3.5m",
        "invest 1m, lose 50k in year 1, get 1.3m in year 2. IRR?",
        "invest 1m, negative cash flow of 50k in year 1, 1.3m in year 2 irr",
        "irr: 2024 -1m, 2025 50k, 2026 1.2m",
        "irr: 2024 -1000, 2025 500, 2026 700",
    ] {
        assert_asks(&[question]);
    }
}

#[test]
fn a_step_is_no_value() {
    let first = "Value at a 6.25 cap with 918k NOI?";
    for next in ["add 25 bps", "and +5%?", "what if it goes up 10%?"] {
        assert_asks(&[first, next]);
    }
    // A step of a named value, or the only one it can be of, is worked out and no value itself.
    for next in ["what if cap rates go up 50 bps", "and +50bps?"] {
        assert_figure(&[first, next], "value", 13_600_000.0);
    }
    assert_figure(&[first, "what if NOI drops 10%?"], "value", 13_219_200.0);
    assert_figure(
        &["what's 918k NOI worth at a 625 bps cap?"],
        "value",
        14_688_000.0,
    );
    assert_figure(&["what's 918k NOI worth at a 6¼ cap?"], "value", 14_688_000.0);
}

#[test]
fn small_talk_computes_nothing_and_loses_nothing() {
    let first = "Value at a 6.25 cap with 918k NOI?";
    for next in ["why?", "no, that's wrong", "What's the weather", "thanks!"] {
        assert_asks(&[first, next]);
        assert_figure(&[first, next, "and at 6%?"], "value", 15_300_000.0);
    }
    assert_asks(&["IRR on -1000, 500, 700", "why?"]);
    assert_figure(
        &["payment on 5m at 6%, 30-year am", "and annually?"],
        "debt_service",
        359_730.315_09,
    );
    assert_figure(
        &["IRR on 100, 200 and 300", "the investment is 500"],
        "irr",
        0.082_082_635,
    );
}

#[test]
fn asking_back_is_short_and_says_what_to_give() {
    let said = |question: &str| last(&[question]).quick_reply;
    assert_eq!(
        said("NOI 731,600, what's the cap?"),
        "For the cap rate, please tell me the purchase price."
    );
    assert!(!said("what's the price of the building?").contains("tell me the purchase price"));
    assert!(said("NOI 600k, price 10m, 77 whatever, cap rate?").contains("“77”"));
    let answer = last(&["Value at a 6.25 cap with 918k NOI?", "and at 6%?"]);
    assert!(answer.result.contains("| your question |"), "{}", answer.result);
    assert!(answer.result.contains("| earlier in this thread |"));
    assert!(
        answer.figures[0]
            .inputs
            .iter()
            .any(|input| input.origin == "earlier turn")
    );
}

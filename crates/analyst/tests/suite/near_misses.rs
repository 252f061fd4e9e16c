//! Questions close to others that were once answered in their place: each is right or asked back, never wrong.
//!
//! The values were computed by plain arithmetic elsewhere; where there is none, the question has to be asked back.

use serde_json::Value;

use super::asking::ask;

#[test]
fn near_misses_are_right_or_asked_back() {
    let cases: Value = serde_json::from_str(include_str!("near_misses.json")).unwrap();
    let mut wrong = Vec::new();
    let mut right = 0;
    for case in cases.as_array().unwrap() {
        let question = case["question"].as_str().unwrap();
        let draft = ask(question);
        let Some(figure) = draft.figures.first() else {
            continue;
        };
        let fits = case["value"].as_f64().is_some_and(|value| {
            figure
                .value
                .as_f64()
                .is_some_and(|got| (got - value).abs() <= 1e-4 * value.abs().max(1e-4))
        });
        if fits {
            right += 1;
        } else {
            wrong.push(format!("{question} -> {} {}", figure.name, figure.value));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Not by asking back alone.
    assert!(right >= 45, "{right} right");
}

/// What an amount has to be for a ratio that is told, asked in the words of people.
#[test]
fn amounts_for_a_told_ratio_are_worked_out() {
    let cases = [
        (
            "We put in 3.2M and promised the LPs a 1.9x. How much has to come back to them in total?",
            "total_distributions",
            6_080_000.0,
        ),
        (
            "What NOI gets us to 8% cash-on-cash if equity is $2.6M, annual debt service $430,000 and there is $20,000 of reserves?",
            "noi",
            658_000.0,
        ),
        (
            "PGI is $2.4M, opex $900k. How much annual debt service keeps break-even occupancy at 80%?",
            "debt_service",
            1_020_000.0,
        ),
        (
            "Economic occupancy ran 92.5% on gross potential rent of 2.64M. How much rent did we collect?",
            "net_rental_income",
            2_442_000.0,
        ),
        (
            "Straight-line depreciation is $60,000 in each full year over 39 years. What's the depreciable basis?",
            "depreciable_basis",
            2_340_000.0,
        ),
        (
            "Lender charged $41,250 of interest for 30 days on $9,000,000, actual/360. What annual rate is that?",
            "annual_rate",
            0.055,
        ),
        (
            "Rent goes from $24.00/sf in lease year 1 to $30.40/sf in lease year 9, same percentage every year. What escalator is that?",
            "escalation_rate",
            0.029_989_49,
        ),
        (
            "We need to clear $15M after 2% selling costs and forward NOI is 1.01M. What exit cap is that?",
            "exit_cap_rate",
            0.065_986_67,
        ),
        (
            "Accrued pref is $166,250 on $950,000 of capital after 30 months, simple. What's the pref rate?",
            "pref_rate",
            0.07,
        ),
        (
            "All-in replacement cost is $38.0M with 10% developer profit, 120,000 sf at $195 hard and soft costs of 20% of hard. How much is left for land?",
            "land_value",
            6_465_454.545,
        ),
        (
            "168 units at $185k a door, NOI is 1.71M. Going-in cap?",
            "going_in_cap_rate",
            0.055_019_3,
        ),
    ];
    let mut wrong = Vec::new();
    let mut right = 0;
    for (question, name, value) in cases {
        let draft = ask(question);
        let Some(figure) = draft.figures.first() else {
            continue;
        };
        let got = figure.value.as_f64().unwrap_or(f64::NAN);
        if figure.name == name && (got - value).abs() <= 1e-5 * value {
            right += 1;
        } else {
            wrong.push(format!("{question} -> {} {}", figure.name, figure.value));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right >= cases.len() - 2, "{right} of {}", cases.len());
}

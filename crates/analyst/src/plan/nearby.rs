//! A figure that is near the one asked for and is not it: a rent of a month for that of a year, what is paid in one year for
//! what is paid in all, the partner's money for the partner's return. And what a question takes back of what it gave.
//!
//! Looks at the words of the question and at the inputs of the first figure.

use crate::contract::draft::Figure;
use crate::plan::outside::row;
use crate::plan::spans::{RETURNS, stands};
use crate::read::terms::rank;
use crate::words::scan::{Number, Per, Shape, Token};

/// The question that the difference leads to.
pub(super) fn missed(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    taken_back(tokens, first)
        .or_else(|| of_rent(tokens, first))
        .or_else(|| of_partners(tokens, first))
        .or_else(|| of_the_rest(tokens, first))
        .or_else(|| other_measure(tokens, first))
        .or_else(|| spent(tokens, first))
        .or_else(|| stepped(tokens, first))
        .map(str::to_owned)
}

fn says(tokens: &[Token], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| stands(tokens, phrase))
}

/// "Leave it out", "that was never spent", "the cap did not apply in the second year".
fn taken_back(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let out = [
        "leave it out",
        "leave them out",
        "leave that out",
        "leave the land out",
        "left the land out",
        "without the land",
        "never spent",
        "not spent",
        "nothing on the land",
        "profit on hard and soft",
        "has left",
        "have left",
    ];
    if says(tokens, &out) {
        return Some("Something that you gave is not to count. Please give the question without it.");
    }
    let waived = [
        "did not apply",
        "does not apply",
        "no increase",
        "was waived",
        "was not taken",
        "was skipped",
    ];
    (first.name.contains("rent") && says(tokens, &waived))
        .then_some("One of the changes is not to count. Please give the changes that do, in their order.")
}

/// The rent of a month, of a year, of a foot, the rise alone, what is paid in all.
fn of_rent(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let name = first.name.as_str();
    if !matches!(name, "monthly_rent" | "annual_rent" | "rent_psf" | "rent") {
        return None;
    }
    // "Rises by $250 each year" is the step, and no rent of a year.
    let step = first.input("rent_step").and_then(serde_json::Value::as_f64);
    let yearly = tokens.iter().filter_map(Token::number).any(|number| {
        number.per == Some(Per::Year)
            && number.shape != Shape::Percent
            && number.value > 100.0
            && step != Some(number.value)
    });
    let monthly = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.per == Some(Per::Month));
    let of_month = says(tokens, &["monthly rent", "rent per month", "rent a month"]);
    let of_year = says(
        tokens,
        &["annual rent", "yearly rent", "rent per year", "rent a year"],
    );
    if name == "monthly_rent" && yearly && !monthly && of_month {
        return Some(
            "The rent is given by the year and asked for by the month. Please give both in the same unit.",
        );
    }
    if name == "monthly_rent" && monthly && of_year && !of_month {
        return Some(
            "The rent is given by the month and asked for by the year. Please give both in the same unit.",
        );
    }
    let paid = [
        "have paid",
        "paid in total",
        "total rent paid",
        "pay in total",
        "paid over",
        "pay altogether",
        "paid altogether",
    ];
    if says(tokens, &paid) {
        return Some(
            "I give the rent of one year or month, not what is paid in all. Please ask for the rent of each year.",
        );
    }
    let rise = [
        "rent go up",
        "rent rise in",
        "rent increase in",
        "dollars did the rent",
        "dollars does the rent",
        "much did the rent",
        "much does the rent",
    ];
    if says(tokens, &rise) {
        return Some(
            "I give the rent after a change, not the change alone. Please ask for the rent before and after it.",
        );
    }
    let area = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.shape == Shape::Area);
    let whole = says(
        tokens,
        &[
            "dollar rent",
            "rent in dollars",
            "total rent",
            "annual rent in dollars",
        ],
    );
    (name == "rent_psf" && area && whole).then_some(
        "I give the rent of a square foot in that year. Please ask for it, and multiply it by the area.",
    )
}

/// A return or a profit of a partner, where their distribution was worked out.
fn of_partners(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    if !(first.name.ends_with("distribution")
        && (first.name.starts_with("lp") || first.name.starts_with("gp")))
    {
        return None;
    }
    let asked = question(tokens);
    let other = [
        "irr",
        "multiple",
        "moic",
        "profit",
        "pref",
        "return on",
        "preferred return",
    ];
    let received = says(
        asked,
        &[
            "distribution",
            "distributions",
            "receive",
            "receives",
            "dollars",
            "get",
            "gets",
        ],
    );
    // "In total (capital plus profit)" is what they receive.
    let both = says(
        asked,
        &[
            "capital plus profit",
            "capital and profit",
            "capital plus profits",
            "capital and profits",
            "profit plus capital",
            "profit and capital",
            "plus profit",
            "including profit",
            "profit included",
        ],
    );
    let measure = says(asked, &["irr", "multiple", "moic"]) || (says(asked, &["profit"]) && !both);
    let other = other
        .into_iter()
        .filter(|word| !(both && *word == "profit"))
        .collect::<Vec<_>>();
    (says(asked, &other) && (measure || !received)).then_some(
        "I give what each partner receives. Please ask for that first, and then for the return on what they paid in.",
    )
}

/// "The rest pro rata" behind the promote: the sponsor's capital shares in it, and did not.
fn of_the_rest(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let input = |name: &str| first.input(name).and_then(serde_json::Value::as_f64);
    let shared = input("lp_share")? * (1.0 - input("catch_up_target")?);
    let other = (input("tier_lp_part")? - shared).abs() > 1e-9;
    (other
        && says(
            tokens,
            &["rest pro rata", "remainder pro rata", "balance pro rata"],
        ))
    .then_some(
        "Who shares in what remains above the promote? Please give the split above the catch-up in percent.",
    )
}

/// The sentence that asks.
fn question(tokens: &[Token]) -> &[Token] {
    let Some(end) = tokens.iter().rposition(|token| token.is_mark('?')) else {
        return tokens;
    };
    let from = tokens
        .get(..end)
        .and_then(|before| {
            before
                .iter()
                .rposition(|token| token.is_mark('.') || token.is_mark('?') || token.is_mark(';'))
        })
        .map_or(0, |stop| stop + 1);
    tokens.get(from..end).unwrap_or_default()
}

fn other_measure(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let name = first.name.as_str();
    let input = |name: &str| first.input(name).and_then(serde_json::Value::as_f64);
    match name {
        "interest" | "per_diem"
            if stands(tokens, "quarter") && input("days").is_some_and(|days| days <= 31.0) =>
        {
            Some(
                "From which day to which day should the interest be counted? Please give the number of days.",
            )
        }
        "value_change_pct"
            if says(
                tokens,
                &["must the noi", "noi must", "noi have to", "noi need", "noi needs"],
            ) =>
        {
            Some(
                "I give the change in value at the same NOI. Please ask for the NOI that the value needs at the new cap rate.",
            )
        }
        "breakeven_occupancy" if says(tokens, &["how many of", "how many units"]) => Some(
            "I give the share of the units that has to be occupied. Please ask for the break-even occupancy.",
        ),
        "nominal_rate"
            if says(
                tokens,
                &[
                    "monthly rate",
                    "rate per month",
                    "quarterly rate",
                    "rate per quarter",
                ],
            ) =>
        {
            Some(
                "Do you want the rate of one month, or the nominal rate of a year that is compounded monthly?",
            )
        }
        "balloon"
            if says(tokens, &["paid off", "paid down", "repaid"])
                && says(
                    tokens,
                    &["in percent", "what percent", "percentage", "what share"],
                ) =>
        {
            Some("I give the balance that is left. Please ask for it, and then for its share of the loan.")
        }
        "value"
            if says(
                tokens,
                &[
                    "noi after the capital",
                    "noi after capital",
                    "noi after capex",
                    "noi after reserves",
                    "noi after the reserves",
                ],
            ) =>
        {
            Some(
                "I value the NOI before capital works and reserves. Please give the NOI after them as an amount.",
            )
        }
        "present_value" | "irr" | "npv" if last_year(tokens) => Some(
            "Should the sale rest on the NOI of the last year of the hold, or of the year after it? Please give the sale price itself.",
        ),
        _ => None,
    }
}

/// "Hold for seven years, exit at a cap rate on the seventh year's NOI".
fn last_year(tokens: &[Token]) -> bool {
    let holds: Vec<f64> = tokens
        .iter()
        .filter_map(Token::number)
        .filter(|number| number.shape == Shape::Years)
        .map(|number| number.value)
        .collect();
    (0..tokens.len()).any(|at| {
        let word = |at: usize| tokens.get(at).map_or("", Token::word);
        let year = word(at + 1).starts_with("year");
        let noi = (at + 2..at + 5).any(|at| word(at) == "noi");
        year && noi && rank(word(at)).is_some_and(|rank| rank > 1.0 && holds.contains(&rank))
    })
}

fn is(row: &[f64], value: f64) -> bool {
    row.iter().any(|own| (own - value).abs() < 1e-6)
}

/// "Construction takes 2.4 million in year one and 1.1 million in year two": costs that were taken for receipts, or that
/// were put at the beginning.
fn spent(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    if !RETURNS.contains(&first.name.as_str()) {
        return None;
    }
    const COSTS: &[&str] = &[
        "costs",
        "cost",
        "takes",
        "take",
        "needs",
        "need",
        "spend",
        "spends",
        "renovation",
        "construction",
    ];
    const RECEIPTS: &[&str] = &[
        "receive",
        "receives",
        "get",
        "gets",
        "collect",
        "collects",
        "sell",
        "sells",
        "sale",
        "pays",
        "brings",
        "yields",
        "returns",
        "generates",
        "then",
        "distributions",
    ];
    let row = row(first);
    let mut costly = false;
    for (at, token) in tokens.iter().enumerate() {
        let word = token.word();
        if RECEIPTS.contains(&word) || token.is_mark('.') || token.is_mark(';') || token.is_mark('?') {
            costly = false;
        } else if COSTS.contains(&word) && tokens.get(at + 1).is_none_or(|next| next.word() != "out") {
            costly = true;
        }
        let Some(number) = token.number().filter(|number| number.value >= 1000.0) else {
            continue;
        };
        let dated = |from: usize| {
            (from..from + 3).any(|at| {
                tokens
                    .get(at)
                    .and_then(Token::number)
                    .is_some_and(|year| year.shape == Shape::YearLabel && year.value >= 1.0)
            }) || says(
                tokens.get(from..(from + 3).min(tokens.len())).unwrap_or_default(),
                &["in a year"],
            )
        };
        let later = dated(at + 1);
        if costly
            && later
            && (is(&row, number.value) || row.first().is_some_and(|own| (own + number.value).abs() < 1e-6))
        {
            return Some(
                "Which amounts are paid, and in which year each? Please give every amount with its year, what is paid as negative.",
            );
        }
    }
    None
}

/// "80,000, rising by 4,000 every year": the step was taken for a flow of its own, or not at all.
fn stepped(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    if !RETURNS.contains(&first.name.as_str()) {
        return None;
    }
    let row = row(first);
    let level = row
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if (a - b).abs() < 1e-6))
        .count()
        > 1;
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let number = |at: usize| -> Option<&Number> { tokens.get(at).and_then(Token::number) };
    let step = (0..tokens.len()).any(|at| {
        let rises = matches!(
            word(at),
            "rising"
                | "rises"
                | "rise"
                | "increasing"
                | "increases"
                | "increase"
                | "growing"
                | "grows"
                | "stepping"
                | "steps"
        );
        let to = at + 1 + usize::from(matches!(word(at + 1), "by" | "up"));
        rises
            && number(to).is_some_and(|step| match step.shape {
                Shape::Percent => level && is(&row, step.value),
                _ => is(&row, step.value),
            })
    });
    step.then_some("Is that how much the amount grows each year? Please give every year’s amount.")
}

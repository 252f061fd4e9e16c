//! Words of a question that a figure did not heed: a year that is skipped, reserves that do not count, another
//! convention, the name of another figure at the very end.
//!
//! Looks at the words of the question and at the figures with their inputs, whoever worked them out.

use crate::contract::draft::Figure;
use crate::plan::phrases::{near, says, value, word};
use crate::plan::placed;
use crate::read::terms::rank;
use crate::words::among::among;
use crate::words::scan::{Number, Per, Shape, Sign, Token};

/// The question that such words lead to.
pub(crate) fn missed(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    let asked = placed::missed(tokens, first)
        .or_else(|| skipped_year(tokens, first))
        .or_else(|| joined_flows(tokens, first))
        .or_else(|| turned_flows(tokens, first))
        .or_else(|| other_outlay(tokens, first))
        .or_else(|| later_start(tokens, first))
        .or_else(|| reserves(tokens, figures))
        .or_else(|| single_sum(tokens, first))
        .or_else(|| compounding(tokens, first))
        .or_else(|| written_off(tokens, first))
        .or_else(|| in_advance(tokens, first))
        .or_else(|| backwards(tokens, first))
        .or_else(|| rent_of(tokens, first))
        .or_else(|| named_first(tokens, figures))
        .or_else(|| counted_as(tokens, first))
        .or_else(|| named_last(tokens, figures))?;
    Some(asked.to_owned())
}

fn has(tokens: &[Token], words: &str) -> bool {
    tokens.iter().any(|token| among(words, token.word()))
}

fn flows(first: &Figure) -> Option<Vec<f64>> {
    let flows = first.input("cash_flows")?.as_array()?;
    flows.iter().map(serde_json::Value::as_f64).collect()
}

/// "Nothing in year 3", "a dry first year", and no flow is empty.
fn skipped_year(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    const NEAR: usize = 5;
    let flows = flows(first)?;
    let years = "year years yr yrs";
    // "Year 3", "the third year".
    let which = |at: usize| -> Option<usize> {
        let labelled = tokens
            .get(at)
            .and_then(Token::number)
            .filter(|number| number.shape == Shape::YearLabel && number.value.fract() == 0.0)
            .map(|number| number.value);
        Some(rank(word(tokens, at)).or(labelled)? as usize)
    };
    let mut wrong_year = false;
    let skipped = (0..tokens.len()).any(|at| {
        let none = among("nothing nil none", word(tokens, at))
            || (word(tokens, at) == "no"
                && among(
                    "cash distribution distributions income payout payouts flow flows rent return returns",
                    word(tokens, at + 1),
                ))
            || among("skips skipped dry", word(tokens, at));
        let year = |place: usize| {
            among(years, word(tokens, place))
                || tokens
                    .get(place)
                    .and_then(Token::number)
                    .is_some_and(|number| number.shape == Shape::YearLabel)
        };
        let ahead = (at + 1..=at + NEAR)
            .take_while(|place| !tokens.get(*place).is_some_and(|token| token.is_mark('.')))
            .any(year);
        let behind = (1..=3).any(|back| at.checked_sub(back).is_some_and(year));
        if none {
            // "Year 1 nil, year 2 180k": the year before it is meant.
            let near = (1..=2)
                .filter_map(|back| at.checked_sub(back))
                .find_map(which)
                .or_else(|| (at + 1..=at + NEAR).find_map(which));
            wrong_year |= near.is_some_and(|year| flows.get(year).is_some_and(|flow| *flow != 0.0));
        }
        none && (ahead || behind)
    });
    let late = flows.first() == Some(&0.0) && flows.iter().any(|flow| *flow < 0.0);
    let at_start = (0..tokens.len()).any(|at| {
        among("nothing no nil", word(tokens, at))
            && (at + 1..at + 4).any(|next| among("today upfront now", word(tokens, next)))
    });
    let in_place = flows.iter().skip(1).any(|flow| *flow == 0.0);
    (skipped && !at_start && (!in_place || wrong_year || late)).then_some(
        "A year without cash is named, and I find no place for it. Please give each flow with its year, and 0 where there is none.",
    )
}

/// Amounts as they are told, without times and rates.
fn amounts(tokens: &[Token]) -> Vec<&Number> {
    let money =
        |number: &&Number| matches!(number.shape, Shape::Money | Shape::Plain) && number.value.abs() >= 100.0;
    tokens.iter().filter_map(Token::number).filter(money).collect()
}

/// Two amounts of a list that were taken for one year's, though nothing puts them together.
fn joined_flows(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    const JOINS: &str = "plus sale sell sold sells selling exit reversion refi refinance refinancing proceeds also together \
        another including includes ops operations less net minus cost costs same final last with";
    let flows = flows(first)?;
    let streams = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.per.is_some() || number.every.is_some());
    // "A year apart" says when, and not how often.
    let streams = streams && !has(tokens, "apart");
    let joined = has(tokens, JOINS) || tokens.iter().any(|token| token.is_mark('+'));
    if joined || streams || !among("irr npv mirr present_value", &first.name) {
        return None;
    }
    let told: Vec<f64> = amounts(tokens).iter().map(|number| number.value.abs()).collect();
    let alone = |own: f64| flows.iter().any(|flow| near(flow.abs(), own));
    let pair = |flow: f64| {
        told.iter().enumerate().any(|(at, one)| {
            told.iter().skip(at + 1).any(|two| {
                (near(flow.abs(), one + two) || near(flow.abs(), (one - two).abs()))
                    && !(alone(*one) && alone(*two))
            })
        })
    };
    let joined = flows
        .iter()
        .any(|flow| *flow != 0.0 && !told.iter().any(|own| near(*own, flow.abs())) && pair(*flow));
    (joined && !has(tokens, "each every annually growing"))
        .then_some("I would put two of the amounts into one year. Please give each amount with its year.")
}

/// A flow that goes out at the end, or several later ones, though no sign and no word says so.
fn turned_flows(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    const OUT: &str = "out spend spent pay invest invested investing cost costs capex contribute contributed contribution \
        contributions renovation cleanup remediation demolition demolish restore restoration loss lose lost fund funded call \
        calls put draw draws negative deficit shortfall repay build construction roof";
    let flows = flows(first)?;
    let signed = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.sign == Sign::Minus);
    let later = flows.iter().skip(1).filter(|flow| **flow < 0.0).count();
    let last = flows.last().is_some_and(|flow| *flow < 0.0);
    let spoken = tokens.iter().filter(|token| among(OUT, token.word())).count();
    // The words that lead to the last amount.
    let places: Vec<usize> = (0..tokens.len())
        .filter(|at| {
            let number = tokens.get(*at).and_then(Token::number);
            number.is_some_and(|number| number.value >= 100.0)
        })
        .collect();
    let from = places.iter().rev().nth(1).map_or(0, |at| at + 1);
    let led_out = (from..tokens.len()).any(|at| among(OUT, word(tokens, at)));
    let turned = (last && flows.len() > 2 && !led_out)
        || (later > 1 && spoken < 2 && has(tokens, "distributions distribution dividends"));
    (turned && !signed).then_some(
        "I would take an amount for money that goes out, and am not sure of it. Please write what goes out with a minus sign.",
    )
}

/// "-2.4m, 160k, -90k": what goes out is what bears the sign, and no more.
fn other_outlay(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let flows = flows(first)?;
    let told = amounts(tokens);
    let out: f64 = told
        .iter()
        .filter(|number| number.sign == Sign::Minus)
        .map(|number| number.value.abs())
        .sum();
    let count = told.iter().filter(|number| number.sign == Sign::Minus).count();
    let streams = told.iter().any(|number| number.per.is_some());
    let gone: f64 = flows.iter().filter(|flow| **flow < 0.0).map(|flow| -flow).sum();
    (count > 1 && !streams && first.name == "equity_multiple" && !near(out, gone)).then_some(
        "I would count another sum as paid in than the amounts with a minus sign. Please give each flow with its sign.",
    )
}

/// "Closing is in twelve months. At that time 1.2m goes out": the first flow does not fall today.
fn later_start(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let later = says(tokens, &["at", "that", "time|point|date|moment"]);
    let today = flows(first)?.first().is_some_and(|flow| *flow < 0.0);
    (later && today && among("npv irr mirr", &first.name)).then_some(
        "When does the first flow fall: today, or at the time that you name? Please give each flow with its year.",
    )
}

/// "Do not deduct the reserves", "gross of reserves", "with and without", and they are deducted.
fn reserves(tokens: &[Token], figures: &[Figure]) -> Option<&'static str> {
    let first = figures.first()?;
    let deducted = figures
        .iter()
        .any(|figure| value(figure, "reserves").is_some_and(|own| own != 0.0));
    let reserve = "reserve|reserves";
    let before = says(tokens, &["gross|ahead", "of", reserve])
        || says(tokens, &["before|pre ..", reserve])
        || says(tokens, &["before the|our|a|an? #$ ..", reserve])
        || says(tokens, &["excluding|ignoring", reserve])
        || says(
            tokens,
            &["not to? deduct|deducted|deducting|counted|counting|taken|subtract|subtracted"],
        );
    let both = says(tokens, &["with", "and|or", "without"]);
    let effect = says(tokens, &["how", "much", "does|do"]) && says(tokens, &["take|takes", "off"]);
    (first.name == "cash_on_cash" && deducted && (before || both || effect))
        .then_some("I would deduct the reserves. Should the cash-on-cash be before or after them?")
}

/// Rent that is paid each year, taken for a single sum.
fn single_sum(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let each = says(tokens, &["once", "a|per", "year"])
        || has(
            tokens,
            "annually yearly quarterly quarter each every annuity annual",
        )
        || tokens
            .iter()
            .filter_map(Token::number)
            .any(|number| number.per.is_some() && number.shape != Shape::Percent);
    let of_rent = has(tokens, "rent rents payment payments annuity income");
    (first.name == "present_value" && value(first, "later_sum").is_some() && each && of_rent).then_some(
        "Is the amount paid once, or in each period? Please say so, for instance “48,000 at each year end for 22 years”.",
    )
}

/// "Compounding every month", and the preferred return compounds annually; a rate of a day.
fn compounding(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    const MORE: &str = "monthly quarterly month quarter daily semiannually";
    let often = (0..tokens.len()).any(|at| {
        word(tokens, at).starts_with("compound")
            && (at + 1..at + 4)
                .take_while(|place| !tokens.get(*place).is_some_and(|token| token.is_mark(',')))
                .any(|place| among(MORE, word(tokens, place)))
    });
    let annual = first.definition.contains("compounds annually");
    if first.name == "accrued_pref" && often && annual {
        return Some(
            "The preferred return compounds more often than annually there, which I do not work out. Should I compound it annually?",
        );
    }
    let daily = says(tokens, &["daily|weekly", "rate|return|irr"]);
    (daily && among("effective_rate annual_rate", &first.name)).then_some(
        "The rate is that of a day or a week; I convert monthly, quarterly and annual rates. Which one should I take?",
    )
}

/// Depreciation by another convention, of another year, or all of it.
fn written_off(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    if first.name != "depreciation" {
        return None;
    }
    let month = value(first, "month_in_service").is_some();
    let mid_month =
        says(tokens, &["mid", "month"]) || says(tokens, &["mm", "convention"]) || has(tokens, "midmonth");
    let half_year = says(tokens, &["half", "year"]) || has(tokens, "halfyear");
    let all = says(tokens, &["so", "far"]) || has(tokens, "accumulated cumulative");
    let sale =
        says(tokens, &["year", "of", "sale|disposition"]) || says(tokens, &["year", "we|i", "sell|sold"]);
    // "27.5-yr", and it is written off over 39.
    let years = value(first, "recovery_period").is_some_and(|period| {
        tokens.iter().filter_map(Token::number).any(|number| {
            number.shape == Shape::Years && among_periods(number.value) && !near(number.value, period)
        })
    });
    if (mid_month && !month) || half_year || all || sale || years {
        return Some(
            "I give the depreciation of a full year, or of a year by the mid-month convention from the month it was placed in service. Which one should I give?",
        );
    }
    None
}

/// The recovery periods of real property.
fn among_periods(years: f64) -> bool {
    [27.5, 39.0, 31.5, 40.0, 30.0, 15.0].contains(&years)
}

/// "On the 1st of each month", "after a year's grace", and the payments are taken in arrears.
fn in_advance(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let level = value(first, "level_amount").is_some() && first.input("in_advance").is_none();
    let start = says(
        tokens,
        &[
            "ord1|first|beginning|start",
            "of",
            "each|every|the|a",
            "month|year|quarter",
        ],
    ) || says(tokens, &["due", "on", "the", "ord1|first"]);
    if level && first.name == "present_value" && start && !first.definition.contains("start") {
        return Some("Are the payments made at the start of each period or at its end?");
    }
    let grace = has(tokens, "grace deferral moratorium");
    (level && grace).then_some("The payments begin later there. When is the first one made?")
}

/// "What was it in year 1?", and the rent is raised from the later year on.
fn backwards(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let was = says(tokens, &["what was it|the|rent"]);
    let start = first
        .input("base_rent_psf")
        .or_else(|| first.input("starting_rent"))
        .and_then(serde_json::Value::as_f64);
    let rents = among("rent_psf annual_rent monthly_rent", &first.name);
    let grown = start.is_some_and(|start| first.value.as_f64().is_some_and(|value| value > start));
    let after = has(tokens, "after now today");
    (was && rents && grown && after).then_some(
        "You give a later rent and ask for an earlier one, and I would raise it further. Please give the rent to start from.",
    )
}

/// The rent of a month where that of a year is told, and the other way round.
fn rent_of(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let beside = |name: &str| {
        (0..tokens.len()).any(|at| {
            word(tokens, at) == name
                && word(tokens, at + 1) == "rent"
                && (at + 2..at + 5)
                    .any(|place| tokens.get(place).is_some_and(|token| token.number().is_some()))
        })
    };
    let monthly = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.per == Some(Per::Month));
    let start = value(first, "starting_rent");
    let other = (first.name == "monthly_rent" && beside("annual") && !monthly)
        || (first.name == "annual_rent" && monthly && says(tokens, &["annual", "rent"]));
    (other && start.is_some()).then_some(
        "The rent is told for one period and asked for another. Should I give it for the period it is told for?",
    )
}

/// What the question ends with is another figure than the first.
fn named_last(tokens: &[Token], figures: &[Figure]) -> Option<&'static str> {
    let first = figures.first()?;
    const OTHERS: &[(&str, &str)] = &[
        ("capital", "accrued_pref"),
        ("basis", "depreciation"),
        ("value", "loan_amount"),
        ("price", "depreciation"),
        ("noi", "egi net_sale_proceeds gpr net_rental_income exit_value"),
        ("expenses opex", "noi"),
        ("multiple", "xirr irr npv mirr"),
        ("collect collected", "physical_occupancy vacancy"),
        ("irr", "npv equity_multiple cash_on_cash"),
        ("npv", "irr equity_multiple"),
    ];
    let last = tokens
        .iter()
        .rev()
        .map(Token::word)
        .find(|word| !word.is_empty())?;
    let (names, _) = OTHERS
        .iter()
        .find(|(names, firsts)| among(names, last) && among(firsts, &first.name))?;
    // "The income before opex": it says what the figure leaves out.
    let at = tokens.iter().rposition(|token| token.word() == last)?;
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.number().is_some());
    let told = number(at + 1)
        || (1..=3).any(|back| at.checked_sub(back).is_some_and(number))
        || at.checked_sub(1).is_some_and(|before| {
            among(
                "before after of less minus and or with without including excluding than to on in from for",
                word(tokens, before),
            )
        });
    let given = figures
        .iter()
        .any(|figure| names.split(' ').any(|name| figure.name.contains(name)));
    (!told && !given).then_some(
        "The question ends with another figure than the one that I would give. Please ask for the one you want with its inputs.",
    )
}

/// "NOI with monthly GPR of 38,500 …", and what comes first is the income before the costs; "starting rent?", and it is
/// the effective one.
fn named_first(tokens: &[Token], figures: &[Figure]) -> Option<&'static str> {
    const BEFORE: &str = "egi gpr net_rental_income vacancy_loss";
    let first = figures.first()?;
    let opens = (0..4)
        .find(|at| !among("what whats what's is the our annual", word(tokens, *at)))
        .is_some_and(|at| word(tokens, at) == "noi");
    let whole = figures.iter().any(|figure| figure.name == "noi");
    let words: Vec<&str> = tokens
        .iter()
        .map(Token::word)
        .filter(|word| !word.is_empty())
        .collect();
    let asks_rent = [
        ["starting", "rent"],
        ["face", "rent"],
        ["base", "rent"],
        ["asking", "rent"],
    ]
    .iter()
    .any(|end| words.ends_with(end));
    let other = (opens && !whole && among(BEFORE, &first.name))
        || (asks_rent && first.name.starts_with("net_effective"));
    other.then_some(
        "You ask for another figure than the one that I would give. Please ask for it with each of its inputs for the same period.",
    )
}

/// "4 model units counted as vacant".
fn counted_as(tokens: &[Token], first: &Figure) -> Option<&'static str> {
    let counted = says(
        tokens,
        &[
            "counted|count|counts|counting",
            "as",
            "vacant|occupied|empty|leased",
        ],
    );
    (counted && first.name == "physical_occupancy").then_some(
        "Some units count otherwise than usual there: model and down units are in neither number as I work it out. Please give the occupied units and all units as they should count.",
    )
}

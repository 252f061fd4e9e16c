//! The manner in which a figure is asked for: in another unit, as a difference, without one of its parts, the second of
//! an order. A figure in its usual form is then no answer.
//!
//! Looks at the words of the question and at the figures with their inputs, whoever worked them out.

use serde_json::Value;

use crate::contract::draft::Figure;
use crate::plan::phrases::word;
use crate::plan::{repaid, unheeded, unused};
use crate::words::among::among;
use crate::words::scan::{Shape, Sign, Token};

/// Figures that are differences themselves.
const DIFFERENCES: &str = "change gain loss spread difference boot cushion variance excess saving increase decrease shortfall \
    overage profit recapture cash_out premium penalty yield_maintenance breakeven trade_out growth reimbursement";

/// The question that another manner leads to.
pub(crate) fn missed(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    another_ratio(tokens, figures)
        .or_else(|| per_base(tokens, figures))
        .or_else(|| as_difference(tokens, first))
        .or_else(|| in_order(tokens, first))
        .or_else(|| as_share(tokens, figures))
        .or_else(|| never(tokens, first))
        .or_else(|| part_of_year(tokens, first))
        .or_else(|| other_measure(tokens, figures))
        .or_else(|| unused_cap(tokens, figures))
        .or_else(|| fewer_flows(tokens, first))
        .or_else(|| is_target(tokens, first))
        .or_else(|| alternate(tokens, first))
        .or_else(|| left_out(tokens, figures))
        .or_else(|| lost(tokens, figures))
}

/// What a telling in other words may have lost of the question as it was put.
pub(crate) fn lost(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    repaid::missed(tokens, figures)
        .or_else(|| unheeded::missed(tokens, figures))
        .or_else(|| unused::missed(tokens, figures))
}

/// "LTV on what we still owe?", and the figure is the balance.
fn another_ratio(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    const RATIOS: &[&str] = &[
        "ltv", "ltc", "dscr", "dcr", "grm", "walt", "wale", "mirr", "npv", "moic",
    ];
    const NEAR: usize = 3;
    let ends = |at: &usize| {
        tokens
            .get(*at)
            .is_some_and(|token| ['.', '?', '!', ';', ','].iter().any(|mark| token.is_mark(*mark)))
    };
    let rate = |at: usize| {
        tokens
            .get(at)
            .and_then(Token::number)
            .is_some_and(|number| matches!(number.shape, Shape::Percent | Shape::Multiple | Shape::Plain))
    };
    let known = |ratio: &str| {
        let names: &[&str] = match ratio {
            "dcr" => &["dscr"],
            "moic" => &["multiple"],
            "walt" | "wale" => &["walt", "wale", "remaining"],
            "npv" => &["npv", "present_value", "net_"],
            // The limit of a loan is an input; the balance of one is no ratio.
            "ltv" => {
                const SIZED: &str = "max_loan loan_amount equity cash_out";
                return figures
                    .iter()
                    .any(|figure| has(figure, "ltv") || among(SIZED, &figure.name));
            }
            own => return figures.iter().any(|figure| has(figure, own)),
        };
        figures
            .iter()
            .any(|figure| names.iter().any(|name| has(figure, name)))
    };
    let asked = (0..tokens.len()).find_map(|at| {
        let ratio = RATIOS.iter().find(|ratio| **ratio == word(tokens, at))?;
        // "65% LTV", "LTV of 65%": it is told.
        let before = (1..=NEAR)
            .filter_map(|back| at.checked_sub(back))
            .take_while(|at| !ends(at));
        let behind = (at + 1..=at + NEAR).take_while(|at| !ends(at));
        let given = before.chain(behind).any(rate);
        (!given && !known(ratio)).then_some(*ratio)
    })?;
    Some(format!(
        "You name the {}, and I would give something else. Please ask for it with its inputs.",
        asked.to_uppercase()
    ))
}

/// Whether a figure or one of its inputs is called so.
fn has(figure: &Figure, name: &str) -> bool {
    figure.name.contains(name) || figure.inputs.iter().any(|input| input.name.contains(name))
}

/// "The cash flow per unit", and no amount that was told for each unit.
fn per_base(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    const UNITS: &str = "unit door key apartment bed home pad space";
    const AREAS: &str = "sf sqft foot sq square psf rsf";
    let named = |list: &str| {
        (0..tokens.len()).any(|at| {
            let leads = matches!(word(tokens, at), "per") && at > 0;
            // "$250 per unit" says what the amount is.
            let told = at.checked_sub(1).is_some_and(|before| {
                tokens
                    .get(before)
                    .is_some_and(|token| token.number().is_some() || token.is_mark(')'))
            });
            leads && !told && among(list, word(tokens, at + 1))
        })
    };
    let has = |part: &str| {
        figures
            .iter()
            .any(|figure| figure.unit.contains(part) || figure.name.contains(part))
    };
    // What goes in for each of them is no question for a figure of each.
    let goes_in = figures.iter().flat_map(|figure| &figure.inputs).any(|input| {
        input.name.contains("per_unit")
            || input.name.contains("psf")
            || input.name.contains("units")
            || input.name.contains("area")
    });
    if named(UNITS) && !has("unit") && !has("door") && !goes_in {
        return Some("You ask for an amount for each unit, and I would give the whole. Please give the number of units and ask for the whole, or leave “per unit” out.".to_owned());
    }
    if named(AREAS) && !has("sqft") && !has("psf") && !goes_in {
        return Some(
            "You ask for an amount per square foot, and I would give the whole. Should I give the whole?"
                .to_owned(),
        );
    }
    let asked_of_whole = figures.iter().all(|figure| !figure.unit.contains('/'));
    let last = |list: &str| {
        // "All-in replacement cost per square foot of building?": the figure itself is asked for each.
        (1..tokens.len()).any(|at| {
            word(tokens, at) == "per"
                && among(list, word(tokens, at + 1))
                && among("cost value price noi income proceeds profit flow loan debt rent expense expenses loss gain", word(tokens, at - 1))
        })
    };
    let money = figures.first().is_some_and(|figure| figure.unit.len() == 3);
    if money && asked_of_whole && (last(UNITS) && !has("per_unit") || last(AREAS) && !has("psf")) {
        return Some("You ask for an amount for each unit or square foot, and I would give the whole. Should I give the whole?".to_owned());
    }
    None
}

/// "How much lower", "what's the difference": no figure by itself.
fn as_difference(tokens: &[Token], first: &Figure) -> Option<String> {
    let is_one = DIFFERENCES
        .split_whitespace()
        .any(|part| first.name.contains(part));
    let asked = (0..tokens.len()).any(|at| {
        let next = |ahead: usize| word(tokens, at + ahead);
        match word(tokens, at) {
            "difference" => true,
            "how" => {
                let compares = among(
                    "more less lower higher better worse extra longer shorter",
                    next(2),
                ) || (among("dollars percent points bps money", next(2))
                    && among("more less lower higher better worse extra", next(3)));
                (among("much many", next(1))
                    && compares
                    && !among("or", next(3))
                    && word(tokens, at + 3) != "than")
                    || (next(1) == "far" && among("above below under over off", next(2)))
            }
            "by" => next(1) == "how" && among("much many", next(2)),
            _ => false,
        }
    });
    (asked && !is_one).then(|| {
        "You ask for a difference, and I would give one of its two sides. Please ask for both sides, one after the other.".to_owned()
    })
}

/// "What percent of the present value": no amount.
fn as_share(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    const RATIOS: &str = "percent ratio multiple share";
    let asked = (0..tokens.len()).any(|at| {
        among("what which", word(tokens, at))
            && (among("percent percentage share fraction", word(tokens, at + 1))
                || tokens.get(at + 1).is_some_and(|token| token.is_mark('%')))
            && word(tokens, at + 2) == "of"
    });
    (asked && !figures.iter().any(|figure| among(RATIOS, &figure.unit))).then(|| {
        "You ask for a share, and I would give an amount. Please name the ratio, or ask for both amounts."
            .to_owned()
    })
}

/// "The 40k of year 3 never arrives".
fn never(tokens: &[Token], first: &Figure) -> Option<String> {
    const COMES: &str =
        "arrives arrive comes come came pays pay shows show materializes materialises happens happen closes";
    let said = (0..tokens.len()).any(|at| word(tokens, at) == "never" && among(COMES, word(tokens, at + 1)));
    let flows = first.inputs.iter().any(|input| input.name.contains("flow"));
    (said && flows).then(|| {
        "Something never comes, which I did not take out. Please give each amount that is paid, with its year.".to_owned()
    })
}

/// "NOI of 120k for the last quarter": no amount of a year.
fn part_of_year(tokens: &[Token], first: &Figure) -> Option<String> {
    const RATES: &str =
        "going_in_cap_rate cap_rate value dscr debt_yield cash_on_cash max_loan yield_on_cost";
    // "T-3" and "T-12" are one word to the readers; the text of the first is shorter.
    let three = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.word() == "t12" && token.end - token.start <= 3)
    };
    let said = (0..tokens.len()).any(|at| {
        let next = |ahead: usize| word(tokens, at + ahead);
        three(at)
            || next(0) == "ytd"
            || (next(0) == "year" && next(1) == "to" && next(2) == "date")
            || (among("last this past first second third fourth that", next(0)) && next(1) == "quarter")
            || (next(0) == "trailing" && among("three quarter", next(1)))
    });
    let of_noi = first.inputs.iter().any(|input| input.name == "noi");
    (said && of_noi && among(RATES, &first.name)).then(|| {
        "The NOI seems to be that of a part of a year. Please give the NOI of twelve months.".to_owned()
    })
}

/// "Cash flow after debt?", and the figure is the income before it; "unlevered", and it is after debt.
fn other_measure(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    let first = figures.first()?;
    let named = |parts: &[&str]| {
        figures
            .iter()
            .any(|figure| parts.iter().any(|part| has(figure, part)))
    };
    let pair = |one: &str, two: &str| {
        (0..tokens.len()).any(|at| word(tokens, at) == one && word(tokens, at + 1) == two)
    };
    let flow = pair("cash", "flow") || (0..tokens.len()).any(|at| among("btcf cfads ncf", word(tokens, at)));
    if flow && first.name == "noi" {
        return Some("You name a cash flow, and I would give the NOI. Please ask for the cash flow with the NOI and what comes off it.".to_owned());
    }
    let before = (0..tokens.len()).any(|at| among("unlevered unleveraged", word(tokens, at)))
        || pair("before", "debt")
        || (0..tokens.len()).any(|at| word(tokens, at) == "pre" && word(tokens, at + 2) == "debt");
    if before && first.name == "cash_on_cash" {
        return Some("Cash-on-cash is measured after debt service, and you name a return before it. Should I give the NOI over the price, or the cash-on-cash after debt?".to_owned());
    }
    let principal = (0..tokens.len()).any(|at| {
        let joined = among("and", word(tokens, at + 1))
            || at
                .checked_sub(1)
                .is_some_and(|before| word(tokens, before) == "and");
        word(tokens, at) == "principal" && !joined
    });
    if principal && among("payment loan_amount debt_service", &first.name) && !named(&["principal"]) {
        return Some("You name the principal, and I would give something else. Please ask for the principal of one payment, of a year or of the first years.".to_owned());
    }
    None
}

/// "NOI in the year after sale is 968,000, exit cap 6.4%": a sale that is not worked out by its cap rate.
fn unused_cap(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    const SALES: &str = "net_sale_proceeds exit_value net_equity_proceeds";
    let first = figures.first()?;
    let told = (0..tokens.len()).any(|at| {
        let rate = |at: usize| {
            tokens
                .get(at)
                .and_then(Token::number)
                .is_some_and(|number| number.shape == Shape::Percent)
        };
        word(tokens, at) == "cap" && (rate(at + 1) || at.checked_sub(1).is_some_and(rate))
    });
    let used = figures
        .iter()
        .flat_map(|figure| &figure.inputs)
        .any(|input| input.name.contains("cap"));
    (told && among(SALES, &first.name) && !used).then(|| {
        "You give a cap rate, and I would take the amount for the sale price. Is it the NOI that is capitalized, or the price?"
            .to_owned()
    })
}

/// Three amounts with their signs, and fewer flows: two were taken for one year's.
fn fewer_flows(tokens: &[Token], first: &Figure) -> Option<String> {
    let signed = tokens
        .iter()
        .filter_map(Token::number)
        .filter(|number| matches!(number.sign, Sign::Minus | Sign::Plus))
        .count();
    let flows = first.input("cash_flows").and_then(Value::as_array)?.len();
    // "-2,000, then 4,700, then -2,750": one after the other.
    let in_turn = (0..tokens.len())
        .filter(|at| {
            word(tokens, *at) == "then" && tokens.get(at + 1).is_some_and(|next| next.number().is_some())
        })
        .count();
    (flows < signed.max(if signed > 1 { in_turn + 1 } else { 0 }) && (signed >= 3 || in_turn > 1)).then(|| {
        "You give more amounts than I see years: which of them fall into one year? Please give each with its year.".to_owned()
    })
}

/// "How long must the lease run so that the WALE comes to 4 years?": what is told as the aim is not what is asked.
fn is_target(tokens: &[Token], first: &Figure) -> Option<String> {
    const NAMES: &[(&str, &str)] = &[
        ("wale", "wale walt"),
        ("walt", "wale walt"),
        ("net_effective", "effective ner"),
        ("irr", "irr"),
        ("dscr", "dscr dcr"),
        ("equity_multiple", "multiple moic"),
        ("breakeven", "breakeven even"),
        ("cash_on_cash", "cash coc"),
    ];
    const AIMS: &str = "must need needs needed required have has hit reach achieve end get target make";
    const BETWEEN: &str =
        "by area rent of comes to is at be a an exactly the return on cash psf out weighted occupancy";
    const NEAR: usize = 6;
    let (_, names) = NAMES.iter().find(|(name, _)| first.name.starts_with(name))?;
    let aims = (0..tokens.len()).any(|at| {
        among(AIMS, word(tokens, at))
            && (0..at).any(|before| matches!(word(tokens, before), "what" | "how" | "which"))
    });
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.number().is_some());
    let told = (0..tokens.len()).any(|at| {
        let ahead = (at + 1..at + NEAR).find(|next| !among(BETWEEN, word(tokens, *next)));
        among(names, word(tokens, at)) && ahead.is_some_and(number)
    });
    (aims && told).then(|| {
        "You name the figure that has to come out, and I would work that figure out. I cannot turn this one around; please ask for it with its inputs."
            .to_owned()
    })
}

/// "The second-largest test".
fn in_order(tokens: &[Token], first: &Figure) -> Option<String> {
    let asked = (0..tokens.len()).any(|at| {
        let hyphen = usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark('-')));
        among("second third fourth next ord2 ord3 ord4", word(tokens, at))
            && among(
                "highest largest biggest lowest smallest tightest best worst greatest",
                word(tokens, at + 1 + hyphen),
            )
    });
    let ordered = first.inputs.len() > 1;
    (asked && ordered).then(|| {
        "You ask for one of several by its place, and I would give the first. Please ask for all of them, or for the one by its name.".to_owned()
    })
}

/// "Every other year".
fn alternate(tokens: &[Token], first: &Figure) -> Option<String> {
    let of_flows = first
        .inputs
        .iter()
        .any(|input| input.name.contains("flow") || input.name.contains("payment"))
        || among(
            "present_value npv irr equity_multiple future_value value",
            &first.name,
        );
    let asked = (0..tokens.len()).any(|at| {
        (word(tokens, at) == "every"
            && among("other second third", word(tokens, at + 1))
            && among("year month", word(tokens, at + 2)))
            || (word(tokens, at) == "alternate" && among("years months", word(tokens, at + 1)))
    });
    (of_flows && asked).then(|| {
        "Something happens only every few years there, which I did not take in. Please give each amount with its year.".to_owned()
    })
}

/// "Without the refinancing payout", "leave the interest reserve out": what is named so, and still enters.
fn left_out(tokens: &[Token], figures: &[Figure]) -> Option<String> {
    for at in 0..tokens.len() {
        if let Some(named) = named_out(tokens, at) {
            let enters = beside(tokens, &named, at).into_iter().any(|value| {
                figures
                    .iter()
                    .flat_map(|figure| &figure.inputs)
                    .any(|input| holds(&input.value, value))
            });
            if enters {
                let name = named.join(" ");
                return Some(format!(
                    "You say that the {name} is left out, but the figure as I would compute it uses it. Please ask with the amounts that count only."
                ));
            }
        }
    }
    None
}

/// The words that are left out at this place: behind "without", or between "leave" and "out".
fn named_out(tokens: &[Token], at: usize) -> Option<Vec<String>> {
    const LEADS: &str =
        "without excluding exclude except ignoring ignore omitting omit disregarding disregard";
    const TAKES: &str = "leave leaves leaving left drop drops dropping strip strips stripping take takes taking carve keep keeping";
    let skip = |at: usize| {
        (at..at + 3).find(|at| !among("the any all our that this its a an of", word(tokens, *at)))
    };
    let own = word(tokens, at);
    if among(LEADS, own) || (own == "not" && word(tokens, at + 1) == "counting") {
        let from = skip(at + 1 + usize::from(own == "not"))?;
        return words_from(tokens, from, 3);
    }
    if among(TAKES, own) {
        let from = skip(at + 1)?;
        if word(tokens, from) == "out" {
            return words_from(tokens, skip(from + 1)?, 3);
        }
        let out = (from + 1..from + 5).find(|at| word(tokens, *at) == "out")?;
        return words_from(tokens, from, out - from);
    }
    None
}

fn words_from(tokens: &[Token], from: usize, most: usize) -> Option<Vec<String>> {
    let words: Vec<String> = (from..from + most)
        .map(|at| word(tokens, at))
        .take_while(|word| {
            !word.is_empty() && !among("free and or but in on at for of from to is are if as with", word)
        })
        .map(str::to_owned)
        .collect();
    (!words.is_empty()).then_some(words)
}

/// The numbers that stand beside the same words elsewhere in the question.
fn beside(tokens: &[Token], named: &[String], out: usize) -> Vec<f64> {
    const NEAR: usize = 4;
    let Some(head) = named.iter().find(|word| word.len() > 2) else {
        return Vec::new();
    };
    let same = |at: usize| {
        let own = word(tokens, at).trim_end_matches('s');
        !own.is_empty() && own == head.trim_end_matches('s') && !(out..out + 6).contains(&at)
    };
    let number = |at: usize| tokens.get(at).and_then(Token::number).map(|number| number.value);
    (0..tokens.len())
        .filter(|at| same(*at))
        .filter_map(|at| {
            let after = (at + 1..at + NEAR).find_map(number);
            let before = (1..NEAR).filter_map(|back| at.checked_sub(back)).find_map(number);
            after.or(before)
        })
        .collect()
}

fn holds(input: &Value, value: f64) -> bool {
    let near = |own: f64| {
        (own.abs() - value.abs()).abs() <= 1e-6 * value.abs().max(1e-9)
            || (own.abs() * 100.0 - value.abs()).abs() <= 1e-6 * value.abs()
    };
    match input {
        Value::Array(all) => all.iter().any(|own| holds(own, value)),
        own => own.as_f64().is_some_and(near),
    }
}

//! Who pays how much: a loan for the rest of a cost, the cash of several bills.

use crate::analysis::engines::offline::retold::finding::{
    first, has, money, near, number, places, value, word,
};
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, lump};
use crate::analysis::engines::offline::words::scan::{Shape, Token};

/// "15m of equity and the loan covers the rest" of a cost.
pub(super) fn rest_borrowed(tokens: &[Token]) -> Option<Vec<Edit>> {
    let patterns = [
        Pattern::read(
            "the|a|our? construction|bank|senior|development|bridge|acquisition? loan|debt|bank|lender|mortgage|facility covers|cover|funds|fund|finances|finance|provides|provide|fills|makes|pays|takes|lends|supplies|puts for|up|in? the rest|balance|remainder|difference|gap|remaining",
        ),
        Pattern::read(
            "the? rest|balance|remainder is|comes|gets|being? construction|senior|bank? borrowed|debt|financed|loan|funded|from|covered by|with? the|a|bank|senior|construction? loan|debt|bank|lender?",
        ),
    ];
    let (at, found) = first(tokens, &patterns)?;
    let amounts = places(tokens, lump);
    let [one, two] = amounts.as_slice() else {
        return None;
    };
    const COST: &[&str] = &[
        "cost",
        "costs",
        "budget",
        "uses",
        "capitalization",
        "capitalisation",
        "price",
        "purchase",
        "project",
        "deal",
        "scheme",
        "development",
    ];
    const OWN: &[&str] = &[
        "equity",
        "sponsor",
        "cash",
        "partners",
        "investors",
        "down",
        "ourselves",
        "own",
    ];
    let (cost, own) = match (near(tokens, *one, COST, 4), near(tokens, *two, COST, 4)) {
        (true, false) => (*one, *two),
        (false, true) => (*two, *one),
        _ => return None,
    };
    let owned = (own.saturating_sub(8)..own + 4).any(|at| OWN.contains(&word(tokens, at)));
    let loan = value(tokens, cost) - value(tokens, own);
    (owned && loan > 0.0).then(|| {
        vec![Edit {
            from: at,
            to: found.to,
            told: format!("the loan is {}", money(loan)),
        }]
    })
}

/// "1.85m down payment, 62k of closing costs and 140k for renovation": the cash that went in.
pub(super) fn cash_in(tokens: &[Token]) -> Option<Vec<Edit>> {
    if !has(tokens, &["coc", "cash"]) {
        return None;
    }
    const DOWN: &[&str] = &["down", "deposit", "downpayment", "equity"];
    const MORE: &[&str] = &[
        "closing",
        "renovation",
        "renovations",
        "rehab",
        "repairs",
        "refurbishment",
        "improvements",
        "furniture",
        "furnishings",
        "capex",
        "upgrades",
        "works",
        "legal",
        "fees",
        "remodel",
        "fitout",
        "reserves",
        "reno",
        "repairs",
        "appliances",
    ];
    let first = (0..tokens.len()).find(|at| {
        number(tokens, *at).is_some_and(lump) && (at + 1..at + 3).any(|at| DOWN.contains(&word(tokens, at)))
    })?;
    let mut list = vec![first];
    let mut end = first + 1;
    for at in first + 1..tokens.len() {
        let token = tokens.get(at)?;
        if token.number().is_some_and(lump) {
            list.push(at);
            end = at + 1;
        } else if ['.', '?', ';'].iter().any(|mark| token.is_mark(*mark)) || token.number().is_some() {
            break;
        }
    }
    let labelled = |at: usize, next: usize, words: &[&str]| {
        (at + 1..next.min(at + 5)).any(|at| words.contains(&word(tokens, at)))
    };
    let behind = list.iter().enumerate().all(|(index, at)| {
        let next = list.get(index + 1).copied().unwrap_or(end + 4);
        labelled(*at, next, if index == 0 { DOWN } else { MORE })
    });
    if list.len() < 2 || !behind {
        return None;
    }
    let stop = (end..tokens.len()).find(|at| {
        tokens
            .get(*at)
            .is_some_and(|token| ['.', ',', ';', '?'].iter().any(|mark| token.is_mark(*mark)))
    })?;
    let sum: f64 = list.iter().map(|at| value(tokens, *at)).sum();
    // "Out of pocket at closing: …" names the same sum.
    let sentence = (0..first)
        .rev()
        .find(|at| {
            tokens
                .get(*at)
                .is_some_and(|token| token.is_mark('.') || token.is_mark('?') || token.is_mark(';'))
        })
        .map_or(0, |at| at + 1);
    let repeats = (sentence..first).any(|at| word(tokens, at) == "pocket");
    let from = if repeats { sentence } else { first };
    Some(vec![Edit {
        from,
        to: stop,
        told: format!("equity {}", money(sum)),
    }])
}

/// "Loan at 65% of price", "a 65% interest-only loan", "the 75% loan": the loan's share of the price.
pub(super) fn loan_share(tokens: &[Token]) -> Option<Vec<Edit>> {
    if has(tokens, &["ltv", "ltc", "constant", "refi", "refinance"])
        || !has(tokens, &["coc", "cash", "irr", "levered"])
    {
        return None;
    }
    let patterns = [
        Pattern::read(
            "loan|mortgage|debt|financing|leverage at|of|for|is|:|= #% of? the|our? purchase|acquisition? price|cost",
        ),
        Pattern::read(
            "borrow|borrowing|borrowed|finance|financing|financed #% of? the|our? purchase? price|cost",
        ),
        Pattern::read(
            "a|an|the|with|our? #% interest? only? io? first|senior|bank|fixed|permanent? rate? loan|mortgage|debt",
        ),
    ];
    let share = |at: usize| value(tokens, at) >= 30.0 && value(tokens, at) < 100.0;
    let (at, found, pattern) = (0..tokens.len()).find_map(|at| {
        patterns.iter().enumerate().find_map(|(index, pattern)| {
            let found = pattern.at(tokens, at)?;
            found.numbers.first().copied().filter(|at| share(*at))?;
            Some((at, found, index))
        })
    })?;
    let own = *found.numbers.first()?;
    let percent = value(tokens, own);
    // "25% down" and "the 75% loan" say one thing twice.
    let down = (0..tokens.len()).any(|at| {
        at != own
            && number(tokens, at).is_some_and(|number| number.shape == Shape::Percent)
            && word(tokens, at + 1) == "down"
            && (value(tokens, at) + percent - 100.0).abs() < 1e-9
    });
    let part = (0..tokens.len()).find(|at| {
        *at != own
            && number(tokens, *at).is_some_and(|number| number.shape == Shape::Percent)
            && word(tokens, at + 1) == "down"
    });
    Some(match (pattern, down) {
        (2, true) => vec![
            Edit {
                from: own,
                to: own + 1,
                told: String::new(),
            },
            Edit {
                from: part?,
                to: part? + 2,
                told: format!("LTV {percent}%"),
            },
        ],
        (2, false) => vec![Edit {
            from: own,
            to: own + 1,
            told: format!("{percent}% LTV"),
        }],
        (_, true) => return None,
        _ => vec![Edit {
            from: at,
            to: found.to,
            told: format!("LTV {percent}%"),
        }],
    })
}

/// "Closing costs 2% of the price": the amount, where one price is told.
pub(super) fn closing_share(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["coc", "cash"]) {
        return None;
    }
    let patterns = [
        Pattern::read(
            "closing|acquisition costs|cost|fees at|of|are|is|run|come|total|:|= to|at? #% of? the|our? purchase? price|cost? paid? in? cash?",
        ),
        Pattern::read("closing|acquisition costs|cost|fees #% of the|our? purchase? price paid? in? cash?"),
    ];
    let (at, found) = first(tokens, &patterns)?;
    let share = value(tokens, *found.numbers.first()?);
    let prices: Vec<usize> = places(tokens, lump)
        .into_iter()
        .filter(|at| {
            near(
                tokens,
                *at,
                &["price", "buy", "buying", "bought", "purchase", "purchased", "for"],
                3,
            )
        })
        .collect();
    let [price] = prices.as_slice() else { return None };
    (share < 15.0).then(|| Edit {
        from: at,
        to: found.to,
        told: format!("closing costs {}", money(value(tokens, *price) * share / 100.0)),
    })
}

/// "We get our 200k back plus 61k profit": what comes back in all.
pub(super) fn with_profit(tokens: &[Token]) -> Option<Edit> {
    let patterns = [
        Pattern::read(
            "our|my|the|their|his|her #$ back|returned plus|and|with a|another? #$ of|in? profit|profits|gain|gains",
        ),
        Pattern::read(
            "our|my|the|their|his|her #$ plus|and a|another? #$ of|in? profit|profits|gain|gains back|returned?",
        ),
    ];
    let (at, found) = first(tokens, &patterns)?;
    let [capital, profit] = found.numbers.as_slice() else {
        return None;
    };
    let capital = value(tokens, *capital);
    // It is the amount that was put in.
    let known =
        (0..at).any(|at| number(tokens, at).is_some_and(lump) && (value(tokens, at) - capital).abs() < 0.5);
    known.then(|| Edit {
        from: at,
        to: found.to,
        told: format!("{} back", money(capital + value(tokens, *profit))),
    })
}

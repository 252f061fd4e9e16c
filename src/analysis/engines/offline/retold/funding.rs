//! Who pays how much: a loan for the rest of a cost, the cash of several bills.

use crate::analysis::engines::offline::retold::finding::{
    first, has, money, near, number, places, value, word,
};
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, lump};
use crate::analysis::engines::offline::words::scan::Token;

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

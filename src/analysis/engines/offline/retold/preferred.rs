//! "I put in 1.8m four years ago and each year I was paid 50k, all applied to the pref": level payments of a preferred
//! return, told as distributions year by year.
//!
//! Only where every number of the question has its place, and what is still owed is asked for.

use crate::analysis::engines::offline::retold::finding::{has, money, number, places, value, word};
use crate::analysis::engines::offline::retold::pattern::lump;
use crate::analysis::engines::offline::words::numbers;
use crate::analysis::engines::offline::words::scan::{Per, Shape};

/// The question in those words.
pub(super) fn told(text: &str) -> Option<String> {
    let tokens = numbers::read(text);
    let tokens = tokens.as_slice();
    let owed = has(
        tokens,
        &[
            "owed",
            "owe",
            "unpaid",
            "outstanding",
            "arrears",
            "behind",
            "short",
        ],
    );
    if !has(tokens, &["pref", "preferred"])
        || !owed
        || has(
            tokens,
            &[
                "gp",
                "sponsor",
                "promote",
                "split",
                "irr",
                "loan",
                "monthly",
                "quarterly",
                "first",
                "last",
                "except",
                "half",
                "lp",
            ],
        )
    {
        return None;
    }
    let rates = places(tokens, |number| number.shape == Shape::Percent);
    let years = places(tokens, |number| number.shape == Shape::Years);
    let amounts = places(tokens, lump);
    let others = tokens.iter().filter(|token| token.number().is_some()).count();
    let ([rate], [span], [one, two]) = (rates.as_slice(), years.as_slice(), amounts.as_slice()) else {
        return None;
    };
    let count = value(tokens, *span);
    if others != 4 || count.fract() != 0.0 || !(2.0..=30.0).contains(&count) {
        return None;
    }
    // What is paid comes each year; the other amount is the capital.
    let yearly = |at: usize| {
        number(tokens, at).is_some_and(|number| number.per == Some(Per::Year))
            || matches!(word(tokens, at + 1), "annually" | "yearly")
            || (at.saturating_sub(7)..at + 3).any(|at| {
                matches!(word(tokens, at), "each" | "every")
                    && matches!(word(tokens, at + 1), "year" | "yr" | "anniversary")
            })
    };
    let (capital, paid) = match (yearly(*one), yearly(*two)) {
        (false, true) => (*one, *two),
        (true, false) => (*two, *one),
        _ => return None,
    };
    let put = (capital.saturating_sub(5)..capital + 4).any(|at| {
        matches!(
            word(tokens, at),
            "put" | "invested" | "contributed" | "capital" | "equity" | "in" | "investment"
        )
    });
    let simple = has(tokens, &["simple", "noncompounding"])
        || (0..tokens.len()).any(|at| {
            matches!(word(tokens, at), "no" | "not" | "without" | "non")
                && word(
                    tokens,
                    at + 1 + usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark('-'))),
                )
                .starts_with("compound")
        });
    let compound = !simple && tokens.iter().any(|token| token.word().starts_with("compound"));
    if !put || !(simple || compound) {
        return None;
    }
    let distributions = vec![money(value(tokens, paid)); count as usize].join(", ");
    Some(format!(
        "LPs contributed {}. {}% {} pref, distributions of {distributions} in years 1 to {count}. How much pref is still owed?",
        money(value(tokens, capital)),
        value(tokens, *rate),
        if simple { "simple" } else { "annually compounded" },
    ))
}

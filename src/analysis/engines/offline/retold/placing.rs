//! The place of a single amount in its row: "after the second year", "in quarter 8" of quarterly flows.
//!
//! Knows the flows of a return only; what recurs after a year begins then, and is left alone.

use crate::analysis::engines::offline::retold::finding::{ORDINALS, word};
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, lump};
use crate::analysis::engines::offline::words::scan::Token;

pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    let mut edits = after_year(tokens);
    edits.extend(in_quarter(tokens));
    edits
}

/// "310k back after year 1", "1,050,000 after the second year": at the end of that year.
fn after_year(tokens: &[Token]) -> Vec<Edit> {
    let recurs = tokens.iter().enumerate().any(|(at, token)| {
        token.word() == "annually"
            || (matches!(token.word(), "each" | "every" | "per")
                && matches!(
                    word(tokens, at + 1),
                    "year" | "quarter" | "month" | "of" | "annum" | "one"
                ))
            || token.number().is_some_and(|number| number.per.is_some())
    });
    if recurs {
        return Vec::new();
    }
    let wordings = [
        Pattern::read("after|following the? end? of? year|yr #l"),
        Pattern::read("after|following exactly? #y $"),
        Pattern::read("after|following exactly? #y and|we|i"),
    ];
    let mut edits = Vec::new();
    for at in 1..tokens.len() {
        // An amount stands right before, whatever is said of it: "310k back", "50k for the clean-up".
        let amount = (1..=5)
            .map_while(|back| at.checked_sub(back))
            .take_while(|at| {
                tokens.get(*at).is_some_and(|token| {
                    !token.word().is_empty() || token.is_mark('-') || token.number().is_some()
                })
            })
            .find(|at| tokens.get(*at).is_some_and(|token| token.number().is_some()))
            .is_some_and(|at| tokens.get(at).and_then(Token::number).is_some_and(lump));
        if !amount {
            continue;
        }
        if let Some(found) = wordings.iter().find_map(|wording| wording.at(tokens, at)) {
            let year = found
                .numbers
                .first()
                .and_then(|at| tokens.get(*at))
                .and_then(Token::number);
            let Some(year) = year.map(|number| number.value).filter(|year| year.fract() == 0.0) else {
                continue;
            };
            let last = found.numbers.first().map_or(found.to, |at| at + 1);
            edits.push(Edit {
                from: at,
                to: last,
                told: format!("in year {year}"),
            });
            continue;
        }
        let rank = ORDINALS.iter().position(|own| *own == word(tokens, at + 2));
        if let Some(rank) = rank
            && matches!(word(tokens, at), "after" | "following")
            && word(tokens, at + 1) == "the"
            && matches!(word(tokens, at + 3), "year" | "yr")
        {
            edits.push(Edit {
                from: at,
                to: at + 4,
                told: format!("in year {}", rank + 1),
            });
        }
    }
    edits
}

/// "Flows are quarterly: -1.2m, 18k, 22k and 1.39m in quarter 3": the place of the amount, said again.
fn in_quarter(tokens: &[Token]) -> Vec<Edit> {
    let own = |names: &[&str]| tokens.iter().any(|token| names.contains(&token.word()));
    let nouns: &[&str] = if own(&["quarterly"]) {
        &["quarter", "qtr", "q"]
    } else if own(&["monthly"]) {
        &["month", "mo"]
    } else {
        return Vec::new();
    };
    let amount = |at: &usize| tokens.get(*at).and_then(Token::number).is_some_and(lump);
    (2..tokens.len())
        .filter_map(|at| {
            let number = tokens.get(at + 1)?.number()?;
            let led = matches!(word(tokens, at - 1), "in" | "at" | "for" | "during" | "of");
            let place = (0..at).filter(amount).count() as f64 - 1.0;
            let beside = at.checked_sub(2).is_some_and(|at| amount(&at));
            let named = nouns.contains(&word(tokens, at)) && led && beside;
            (named && (number.value - place).abs() < 1e-9).then_some(Edit {
                from: at - 1,
                to: at + 2,
                told: String::new(),
            })
        })
        .collect()
}

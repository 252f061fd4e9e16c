//! "Put in 3.4m, … then 4.6m out": after money went in, what is out came out of the deal, to whoever put in.
//!
//! Told at once, since alone "4.6m out" is money paid. Knows the flows of a return only.

use crate::analysis::engines::offline::retold::pattern::Edit;
use crate::analysis::engines::offline::retold::timing::FLOWS;
use crate::analysis::engines::offline::words::scan::{Kind, Shape, Token};

pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    if !tokens
        .iter()
        .any(|token| FLOWS.contains(&token.word()) || token.word() == "em")
    {
        return Vec::new();
    }
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let amount = |at: usize| {
        tokens.get(at).and_then(Token::number).is_some_and(|number| {
            matches!(number.shape, Shape::Money) || (number.shape == Shape::Plain && number.value >= 1000.0)
        })
    };
    let out = |at: usize| {
        let ends = tokens.get(at + 1).is_none_or(|next| {
            matches!(next.kind, Kind::Mark(_))
                || matches!(word(at + 1), "at" | "in" | "for" | "on" | "by" | "and" | "over")
        });
        // "27.4m total out".
        let before = at.checked_sub(1).map(|last| match word(last) {
            "total" | "all" | "altogether" | "back" => last.saturating_sub(1),
            _ => last,
        });
        word(at) == "out" && before.is_some_and(amount) && ends
    };
    // "175k a year out".
    let yearly = |at: usize| {
        word(at) == "out"
            && (2..=3).any(|back| at.checked_sub(back).is_some_and(amount))
            && at
                .checked_sub(1)
                .is_some_and(|at| matches!(word(at), "year" | "yr" | "annum" | "annually"))
    };
    // "3.4m in", "put in 3.4m", "invest 3.4m".
    let entered = |at: usize| match word(at) {
        "in" => {
            let ends = tokens
                .get(at + 1)
                .is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
                || word(at + 1) == "and";
            let led = at
                .checked_sub(1)
                .is_some_and(|at| matches!(word(at), "put" | "puts" | "paid" | "putting"));
            (at.checked_sub(1).is_some_and(amount) && (ends || word(at + 1) == "at"))
                || (led && amount(at + 1))
        }
        "invest" | "invests" | "invested" | "investing" => {
            (1..=2).any(|ahead| amount(at + ahead)) || at.checked_sub(1).is_some_and(amount)
        }
        _ => false,
    };
    let Some(start) = (0..tokens.len()).find(|at| entered(*at)) else {
        return Vec::new();
    };
    // An amount that went out before says that "out" is paying.
    if (0..start).any(|at| out(at) || yearly(at)) {
        return Vec::new();
    }
    (start + 1..tokens.len())
        .filter(|at| out(*at) || yearly(*at))
        .map(|at| Edit {
            from: at,
            to: at + 1,
            told: "received".to_owned(),
        })
        .collect()
}

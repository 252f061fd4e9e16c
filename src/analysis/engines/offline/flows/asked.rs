//! The words of what is asked and of the rates beside it: they say nothing of a flow.

use std::ops::Range;

use crate::analysis::engines::offline::read::vocabulary::Mention;
use crate::analysis::engines::offline::words::scan::Token;
use crate::finance::variable::Variable;

/// "annual IRR", "IRR per annum", "the NPV today": the words around what is asked say nothing of a flow.
pub(crate) fn asked_phrase(tokens: &[Token], mention: &Mention) -> Range<usize> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let from = mention
        .from
        .checked_sub(1)
        .filter(|before| matches!(word(*before), "annual" | "yearly" | "annualized" | "annualised"))
        .unwrap_or(mention.from);
    let to = match (word(mention.to), word(mention.to + 1)) {
        ("per" | "a", "annum" | "year") => mention.to + 2,
        ("today" | "now", _) => mention.to + 1,
        _ => mention.to,
    };
    from..to
}

/// "Idle cash earns 3.5% and the credit line costs 8%": the clauses of the two rates of a modified IRR.
pub(crate) fn beside_rates(tokens: &[Token], used: &[usize], goals: &[Variable]) -> Vec<usize> {
    if !goals.contains(&Variable::Mirr) {
        return Vec::new();
    }
    used.iter()
        .flat_map(|rate| {
            (1..=12)
                .map_while(|back| rate.checked_sub(back))
                .take_while(|at| {
                    tokens.get(*at).is_some_and(|token| {
                        token.number().is_none() && !token.is_mark('.') && !token.is_mark(';')
                    })
                })
                .collect::<Vec<usize>>()
        })
        .collect()
}

/// "The IRR per month, not annualised": the rate of a period is asked for.
pub(crate) fn periodic(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let annual = |word: &str| word.starts_with("annuali");
    let denied = (0..tokens.len()).any(|at| {
        (annual(word(at))
            && (1..=2)
                .filter_map(|back| at.checked_sub(back))
                .any(|at| matches!(word(at), "not" | "without" | "un" | "don't")))
            || word(at).starts_with("unannuali")
    });
    let annualized =
        (0..tokens.len()).any(|at| annual(word(at)) || matches!(word(at), "annual" | "effective"));
    let named = (0..tokens.len()).any(|at| {
        let before = at.checked_sub(1).map_or("", word);
        word(at) == "irr"
            && (matches!(before, "monthly" | "quarterly" | "periodic")
                || (matches!(word(at + 1), "per" | "a" | "each")
                    && matches!(word(at + 2), "month" | "quarter" | "period")))
    });
    denied || (named && !annualized)
}

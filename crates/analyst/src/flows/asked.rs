//! The words of what is asked and of the rates beside it: they say nothing of a flow.

use std::ops::Range;

use crate::read::vocabulary::Mention;
use crate::words::scan::Token;
use finance::variable::Variable;

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

/// How a rate of a month or a quarter is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Quoted {
    /// As an effective rate of a year, with interest on interest.
    Effective,
    /// As a nominal rate of a year: so many times the rate of a period.
    Nominal,
    /// As it is.
    Periodic,
}

/// In which terms the rate of return is asked for.
pub(crate) fn quoted(tokens: &[Token]) -> Quoted {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let has = |words: &[&str]| (0..tokens.len()).any(|at| words.contains(&word(at)));
    if !multiplied(tokens).is_empty() || (has(&["nominal"]) && !has(&["effective", "real"])) {
        Quoted::Nominal
    } else if periodic(tokens) {
        Quoted::Periodic
    } else {
        Quoted::Effective
    }
}

/// In which terms it is asked for is said outright: without that, a monthly list leaves it open.
pub(crate) fn told(tokens: &[Token]) -> bool {
    quoted(tokens) != Quoted::Effective || tokens.iter().any(|token| token.word() == "effective")
}

/// "(x12)", "monthly IRR times 12", "annualized by multiplying by 12": the words, which tell no flow.
pub(crate) fn multiplied(tokens: &[Token]) -> Vec<usize> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let periods = |at: usize| {
        matches!(word(at), "twelve" | "four")
            || tokens
                .get(at)
                .and_then(Token::number)
                .is_some_and(|number| matches!(number.value, 12.0 | 4.0) && !number.dollars && !number.scaled)
    };
    (0..tokens.len())
        .flat_map(|at| match word(at) {
            "x12" | "x4" => vec![at],
            "x" | "times" if periods(at + 1) => vec![at, at + 1],
            "multiplied" | "multiplying" | "multiply" => (at..at + 4)
                .find(|at| periods(*at))
                .map_or(Vec::new(), |to| (at..=to).collect()),
            _ => Vec::new(),
        })
        .collect()
}

/// "The IRR per month, not annualised": the rate of a period is asked for.
fn periodic(tokens: &[Token]) -> bool {
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

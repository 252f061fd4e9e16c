//! Words beside the amounts of a series: what a number of flows is called, what is only counted, what says nothing of a
//! flow.
//!
//! Knows words alone.

use crate::flows::cues::word;
use crate::words::scan::{Kind, Token};

/// Words that say nothing of a flow where they stand: a loan that there is not, a loss or a negative return in general.
pub(super) fn beside(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| word(tokens, at));
    let amount = (1..=2).any(|ahead| tokens.get(at + ahead).is_some_and(|next| next.number().is_some()));
    match word(tokens, at) {
        "debt" | "loan" | "mortgage" | "leverage" => matches!(before, "no" | "without"),
        "lost" | "loses" | "losing" | "lose" => {
            // "60k back so far": more is to come, and the loss is not that of the whole.
            let open = tokens
                .windows(2)
                .any(|pair| matches!(pair, [a, b] if a.word() == "so" && b.word() == "far"));
            word(tokens, at + 1) == "money" && !amount && !open
        }
        "negative" => {
            let stated = (at + 1..at + 6)
                .take_while(|at| tokens.get(*at).is_some_and(|next| !ends(next)))
                .any(|at| tokens.get(at).is_some_and(|next| next.number().is_some()));
            !stated && (at == 0 || matches!(before, "be" | "is" | "was" | "comes" | "slightly"))
        }
        // "A vacant lot" is what is bought, and lacks no tenant.
        "vacant" => matches!(
            word(tokens, at + 1),
            "lot" | "lots" | "land" | "parcel" | "site" | "plot" | "ground"
        ),
        _ => false,
    }
}

fn ends(token: &Token) -> bool {
    [',', '.', ';', '?', '!'].iter().any(|mark| token.is_mark(*mark))
}

/// Nothing but what joins the amounts of a list stands between: "90k, 130k and finally 1.9m", never "90k finally 1.9m".
pub(super) fn listed(between: &[Token]) -> bool {
    let joins = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | ';' | '/' | '—' | '|')) || token.word() == "and"
    };
    let last = |token: &Token| matches!(token.word(), "finally" | "lastly");
    between.iter().all(|token| joins(token) || last(token))
        && (!between.iter().any(last) || between.iter().any(joins))
}

/// "due not now but a year from today": one time, said twice.
pub(super) fn said_again(tokens: &[Token], at: usize) -> bool {
    at >= 2 && matches!(word(tokens, at - 1), "now" | "today") && word(tokens, at - 2) == "not"
}

/// A colon stands before the amount.
pub(super) fn headed(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.is_mark(':'))
}

/// What a number of flows is called.
pub(super) fn flows(word: &str) -> bool {
    matches!(
        word,
        "receipts"
            | "payments"
            | "flows"
            | "inflows"
            | "installments"
            | "instalments"
            | "distributions"
            | "dividends"
            | "coupons"
            | "receipt"
            | "cashflows"
            | "checks"
            | "cheques"
    )
}

/// Adjectives between a number of flows and their noun.
pub(super) fn each_alike(word: &str) -> bool {
    matches!(
        word,
        "annual" | "yearly" | "equal" | "level" | "quarterly" | "monthly"
    )
}

/// What may be counted beside the flows without changing them.
pub(super) fn aside(word: &str) -> bool {
    ASIDE.contains(&word)
}

#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "answers", "solutions", "roots", "values", "irrs", "rates", "partners", "investors", "of", "results",
    "figures", "tenants", "buildings", "properties", "deals", "people", "numbers", "different", "possible",
];

//! What a later turn says of the flows before it: one of them given anew, or that the first one is paid.
//!
//! Knows words of a follow-up alone.

use crate::plan::frame::Series;
use crate::words::scan::Token;

/// "and if the last flow is only 2.2m?", "if the investment is 1.1m?": one flow of the turn before given anew.
pub(super) fn changed(tokens: &[Token], before: &Series, told: &[f64]) -> Option<Series> {
    let says = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    let amount = told.iter().map(|flow| flow.abs()).sum::<f64>();
    let last = says(&["last", "final"]);
    let first = says(&[
        "investment",
        "initial",
        "outlay",
        "invest",
        "invested",
        "price",
        "equity",
        "cost",
    ]);
    let mut series = Series {
        gross: None,
        ..before.clone()
    };
    let flow = match (first, last) {
        (false, true) => series.flows.last_mut(),
        (true, false) => series
            .flows
            .first_mut()
            .filter(|flow| **flow < 0.0 && !before.late),
        _ => None,
    }?;
    *flow = amount * if *flow < 0.0 { -1.0 } else { 1.0 };
    Some(series)
}

/// "yes, an outflow" after the sign was asked for.
pub(super) fn confirm_sign(tokens: &[Token], series: &mut Series) {
    let says = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    if series.unsigned
        && says(&[
            "yes",
            "outflow",
            "investment",
            "invested",
            "pay",
            "paid",
            "cost",
            "correct",
            "right",
        ])
        && !says(&["no", "not"])
    {
        if let Some(first) = series.flows.first_mut() {
            *first = -first.abs();
        }
        series.unsigned = false;
    }
}

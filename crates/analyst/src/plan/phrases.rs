//! What the guards over answers look for: phrases in a question, values among a figure's inputs.

use crate::contract::draft::Figure;
use crate::words::pattern::Pattern;
use crate::words::scan::Token;

/// The word at a place; empty where there is none.
pub(super) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

/// Whether a wording stands somewhere, told in parts: `|` parts alternatives, hyphens do not matter.
pub(super) fn says(tokens: &[Token], parts: &[&'static str]) -> bool {
    Pattern::of(parts).stands(tokens)
}

/// The input of a figure as a number.
pub(super) fn value(figure: &Figure, name: &str) -> Option<f64> {
    figure.input(name).and_then(serde_json::Value::as_f64)
}

/// Whether two amounts are the same but for rounding.
pub(super) fn near(one: f64, two: f64) -> bool {
    (one - two).abs() <= 1e-6 * one.abs().max(two.abs()).max(1e-9)
}

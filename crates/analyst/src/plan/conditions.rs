//! Words that change an amount and are no number: "of which", "including", "offset by". Where nothing reads
//! them they are asked about, never passed over.
//!
//! Knows phrases only.

use crate::read::given::Reading;
use crate::words::scan::Token;
use finance::variable::Variable;

/// A phrase that says part of an amount is something else, or is taken off again.
pub(crate) fn part_of_amount(tokens: &[Token]) -> Option<&'static str> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.number().is_some());
    (0..tokens.len()).find_map(|at| match (word(at), word(at + 1)) {
        ("of", "which" | "whom") => Some("of which"),
        ("thereof", _) => Some("thereof"),
        ("of", "it" | "them" | "that" | "this") if at.checked_sub(1).is_some_and(number) => Some("of it"),
        ("offset" | "offsets" | "offsetting", _) => Some("offset"),
        ("waived" | "forgiven" | "refunded" | "rebated", _) => Some("waived"),
        ("including" | "includes" | "include" | "incl" | "inclusive" | "contains" | "containing", _)
            if (1..=3).any(|ahead| number(at + ahead)) =>
        {
            Some("including")
        }
        _ => None,
    })
}

/// "It covers 17.6m of it", "61 of them are let", "64 flats, of which 61 are let": where every number has a place of
/// its own, the phrase only points back.
pub(crate) fn placed(phrase: &str, reading: &Reading) -> bool {
    let counted = reading.values.contains_key(&Variable::TotalUnits);
    (phrase == "of it" || (phrase == "of which" && counted))
        && reading.left.is_empty()
        && reading.foreign.is_empty()
        && reading.doubts.is_empty()
}

/// What to ask about such a phrase.
pub(crate) fn ask(phrase: &str) -> String {
    format!(
        "You say “{phrase}”: should that part be taken off the amount before it? Please give the amount that counts."
    )
}

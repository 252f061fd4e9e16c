//! Several questions in one: "how many units are there, and how many of them are vacant?" Knows no vocabulary but the words
//! that begin a question.

use crate::portfolio::pieces::{Kind, Piece};

/// The parts of a question that ask for something of their own.
pub(super) fn split(pieces: &[Piece]) -> Vec<&[Piece]> {
    let mut parts = Vec::new();
    let mut from = 0;
    for at in 1..pieces.len() {
        let joined = pieces
            .get(at)
            .is_some_and(|piece| piece.word() == "and" || is_stop(piece));
        // "and, if so, who": one mark may stand between.
        let next = (at + 1..at + 3).find(|next| {
            pieces
                .get(*next)
                .is_some_and(|piece| !matches!(piece.kind, Kind::Mark(_)))
        });
        let asks = next.and_then(|next| pieces.get(next)).is_some_and(|piece| {
            matches!(
                piece.word(),
                "how" | "what" | "which" | "who" | "when" | "where" | "whose"
            )
        });
        if joined && asks && at > from + 1 {
            parts.extend(pieces.get(from..at));
            from = at + 1;
        }
    }
    parts.extend(pieces.get(from..));
    // "… and how much was it?" asks for what the first part shows anyway.
    if parts.len() > 1 {
        parts.retain(|part| !is_empty(part));
    }
    parts.retain(|part| part.iter().any(|piece| !matches!(piece.kind, Kind::Mark(_))));
    parts
}

fn is_stop(piece: &Piece) -> bool {
    matches!(piece.kind, Kind::Mark('?' | ';' | '.'))
}

/// Asks for the amount of what was just asked for, and nothing else: "and how much is it?", "and what's the number?"
fn is_empty(part: &[Piece]) -> bool {
    const AMOUNT: &str = "much big high low large small many far long";
    const NUMBER: &str =
        "number figure value amount bill ratio percentage multiple level total answer sum rate share percent";
    const REST: &str = "is was it that did be are were the its a an at in per year yr month mo dollar this";
    let among = |list: &str, word: &str| list.split_whitespace().any(|own| own == word);
    let words: Vec<&str> = part
        .iter()
        .filter(|piece| !matches!(piece.kind, Kind::Mark(_)))
        .map(Piece::word)
        .collect();
    match words.as_slice() {
        ["how", amount, rest @ ..] => among(AMOUNT, amount) && rest.iter().all(|word| among(REST, word)),
        ["what", rest @ ..] => {
            let named = rest.iter().filter(|word| among(NUMBER, word)).count();
            (named == 1 || (named == 0 && rest.len() <= 2 && rest.contains(&"it")))
                && rest.iter().all(|word| among(REST, word) || among(NUMBER, word))
        }
        _ => false,
    }
}

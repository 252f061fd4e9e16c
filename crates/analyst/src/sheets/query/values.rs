//! Values in cells that the words of a question name, whole or in part, and names that are numbers.
//!
//! Computes nothing.

use crate::sheets::query::likeness::{Likeness, related};
use crate::sheets::query::naming::{Candidate, Piece, fits, naming};
use crate::sheets::query::view::{View, folded};
use crate::sheets::query::vocabulary::{never, ordinal, row_noun};
use crate::sheets::words::{Kind as WordKind, Words};
use tables::headers::Field;

/// The different values of a column that are words, folded.
pub(crate) fn values(view: &View<'_>, column: usize) -> Vec<String> {
    let mut own: Vec<String> = view
        .rows
        .iter()
        .filter_map(|at| view.row(*at))
        .map(|row| view.table.text(row, column))
        .filter(|cell| !cell.is_empty() && cell.chars().count() <= 60)
        .filter(|cell| cell.contains(char::is_alphabetic))
        .map(folded)
        .filter(|cell| !cell.is_empty())
        .collect();
    own.sort_unstable();
    own.dedup();
    own
}

pub(crate) fn by_values(words: &Words, view: &View<'_>, candidates: &mut Vec<Candidate>) {
    for column in 0..view.table.columns.len() {
        if view.is_numeric(column) || view.dated.contains(&column) {
            continue;
        }
        let own = values(view, column);
        // The words of the column's name, for "suite 200" and "type A".
        let name = naming(view.header(column));
        for value in &own {
            let parts: Vec<String> = value.split(' ').map(str::to_owned).collect();
            for at in 0..words.all.len() {
                let Some(likeness) = fits(words, at, &parts) else {
                    continue;
                };
                // "Lease" is what rows are called, not the state "Leased".
                if likeness == Likeness::Root && row_noun(words.stem_at(at)) {
                    continue;
                }
                let short = parts.len() == 1 && value.chars().count() < 3;
                let led = at.checked_sub(1).is_some_and(|before| {
                    name.contains(&words.stem_at(before).to_owned()) || NOUNS.contains(&words.stem_at(before))
                });
                let common = parts.len() == 1 && never(value);
                if (short && (likeness != Likeness::Same || !led && is_common(value))) || (common && !led) {
                    continue;
                }
                candidates.push(Candidate {
                    at,
                    length: parts.len(),
                    rank: if likeness == Likeness::Same { 7 } else { 3 },
                    piece: Piece::Value {
                        column,
                        values: vec![value.clone()],
                    },
                    unsure: false,
                });
            }
        }
        partial_values(words, column, &own, candidates);
    }
    // "suite 200", "building 3", "floor 2": names that are numbers.
    for at in 1..words.all.len() {
        let Some(word) = words.all.get(at).filter(|word| !word.used) else {
            continue;
        };
        for column in 0..view.table.columns.len() {
            let name = naming(view.header(column));
            let field = view.field(column);
            let before = words.stem_at(at - 1);
            let led = name.iter().any(|own| related(before, own).is_some())
                || match field {
                    Some(Field::Unit) => {
                        matches!(before, "unit" | "suite" | "apartment" | "apt" | "space" | "lot")
                    }
                    Some(Field::Floor) => matches!(before, "floor" | "level"),
                    Some(Field::Building) => matches!(before, "building" | "bldg"),
                    _ => false,
                };
            let behind = words.stem_at(at + 1);
            let trailed = (field == Some(Field::Bedrooms)
                && matches!(behind, "bed" | "bedroom" | "br" | "bd"))
                || (field == Some(Field::Floor) && matches!(behind, "floor" | "level"));
            let number = ordinal(&word.text);
            let known = |value: &str| {
                view.rows
                    .iter()
                    .filter_map(|row| view.row(*row))
                    .any(|row| view.table.text(row, column).eq_ignore_ascii_case(value))
            };
            let digits = number.clone().unwrap_or_else(|| word.text.clone());
            if !digits.contains(|sign: char| sign.is_ascii_digit())
                || !known(&digits)
                || view.dated.contains(&column)
            {
                continue;
            }
            // A number under a column of amounts is a bound, not a name.
            let amounts = view.is_numeric(column) && field != Some(Field::Bedrooms);
            if led && number.is_none() && !amounts {
                candidates.push(Candidate {
                    at: at - 1,
                    length: 2,
                    rank: 9,
                    piece: Piece::Value {
                        column,
                        values: vec![folded(&digits)],
                    },
                    unsure: false,
                });
            }
            if trailed {
                candidates.push(Candidate {
                    at,
                    length: 2,
                    rank: 9,
                    piece: Piece::Value {
                        column,
                        values: vec![folded(&digits)],
                    },
                    unsure: false,
                });
            }
        }
    }
}

const NOUNS: &[&str] = &[
    "building", "comp", "tenant", "property", "unit", "type", "loan", "plan", "suite", "sale", "category",
    "vendor", "asset", "fund",
];

/// Short words that are as likely a word of the language as a value.
fn is_common(value: &str) -> bool {
    value.chars().count() < 2
        || matches!(
            value,
            "as" | "is" | "it" | "no" | "or" | "so" | "us" | "we" | "am" | "up"
        )
}

/// A telling part of a longer value: "Marlow" of "Marlow & Finch LLP".
fn partial_values(words: &Words, column: usize, own: &[String], candidates: &mut Vec<Candidate>) {
    for at in 0..words.all.len() {
        for length in (1..=3).rev() {
            let said: Vec<String> = words
                .all
                .iter()
                .skip(at)
                .take(length)
                .filter(|word| !word.used && matches!(word.kind, WordKind::Plain))
                .map(|word| word.stem.clone())
                .collect();
            let telling = said.iter().any(|word| word.chars().count() >= 4 && !never(word));
            if said.len() < length || !telling || (length == 1 && said.iter().any(|word| never(word))) {
                continue;
            }
            let holding: Vec<String> = own
                .iter()
                .filter(|value| {
                    let parts: Vec<&str> = value.split(' ').collect();
                    parts.len() > length
                        && parts
                            .windows(length)
                            .any(|window| window.iter().zip(&said).all(|(part, word)| part == word))
                })
                .cloned()
                .collect();
            if holding.is_empty() {
                continue;
            }
            candidates.push(Candidate {
                at,
                length,
                rank: 2,
                unsure: holding.len() > 1,
                piece: Piece::Value {
                    column,
                    values: holding,
                },
            });
        }
    }
}

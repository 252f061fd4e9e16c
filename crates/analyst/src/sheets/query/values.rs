//! Values in cells that the words of a question name, whole or in part, and names that are numbers.
//!
//! Computes nothing.

use std::collections::HashMap;
use std::iter::zip;
use std::rc::Rc;

use crate::sheets::columns::named_measures;
use crate::sheets::query::cells::{Values, folded};
use crate::sheets::query::likeness::{Likeness, related};
use crate::sheets::query::naming::{Candidate, Piece, naming};
use crate::sheets::query::view::View;
use crate::sheets::query::vocabulary::{never, ordinal, row_noun};
use crate::sheets::words::{Kind as WordKind, Words};
use tables::headers::Field;

pub(crate) fn by_values(words: &Words, view: &View<'_>, candidates: &mut Vec<Candidate>) {
    let measures = named_measures(words, &view.table);
    let measured = |at: usize, length: usize| measures.iter().any(|named| named.covers(at, length));
    for column in 0..view.table.columns.len() {
        if view.is_numeric(column) || view.is_dated(column) {
            continue;
        }
        let Some(own) = view.values(column) else {
            continue;
        };
        // The words of the column's name, for "suite 200" and "type A".
        let name = naming(view.header(column));
        for (value, at, likeness) in own.named(words) {
            let (Some(value), Some(parts)) = (own.value(value), own.parts(value)) else {
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
            if !led && measured(at, parts.len()) {
                continue;
            }
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
                    values: Rc::new([value.to_owned()]),
                },
                unsure: false,
            });
        }
        partial_values(words, column, own, candidates, &measured);
    }
    let names: Vec<Vec<String>> = (0..view.table.columns.len())
        .map(|column| naming(view.header(column)))
        .collect();
    // "suite 200", "building 3", "floor 2": names that are numbers.
    let free = words
        .all
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, word)| !word.used);
    let (places, numbers): (Vec<_>, Vec<String>) = free
        .map(|(at, word)| {
            let number = ordinal(&word.text);
            let digits = number.clone().unwrap_or_else(|| word.text.clone());
            ((at, number.is_some()), digits)
        })
        .filter(|(_, digits)| digits.contains(|sign: char| sign.is_ascii_digit()))
        .unzip();
    let columns = view.columns_of(&numbers);
    for (((at, ordered), digits), columns) in zip(zip(places, numbers), columns) {
        for column in columns {
            let Some(name) = names.get(column) else {
                continue;
            };
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
            if view.is_dated(column) {
                continue;
            }
            // A number under a column of amounts is a bound, not a name.
            let amounts = view.is_numeric(column) && field != Some(Field::Bedrooms);
            if led && !ordered && !amounts {
                candidates.push(Candidate {
                    at: at - 1,
                    length: 2,
                    rank: 9,
                    piece: Piece::Value {
                        column,
                        values: Rc::new([folded(&digits)]),
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
                        values: Rc::new([folded(&digits)]),
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
fn partial_values(
    words: &Words,
    column: usize,
    own: &Values,
    candidates: &mut Vec<Candidate>,
    measured: &dyn Fn(usize, usize) -> bool,
) {
    let mut found: HashMap<Vec<String>, Rc<[String]>> = HashMap::new();
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
            if said.len() < length
                || measured(at, length)
                || !telling
                || (length == 1 && said.iter().any(|word| never(word)))
            {
                continue;
            }
            let holding = found.entry(said).or_insert_with_key(|said| {
                let first = said.first().into_iter().flat_map(|first| own.holding(first));
                let holding = first.filter(|value| {
                    own.parts(*value).is_some_and(|parts| {
                        parts.len() > length && parts.windows(length).any(|window| window == said.as_slice())
                    })
                });
                // Their number is known before their texts are copied.
                let holding: Vec<u32> = holding.collect();
                let text = |value| own.value(value).unwrap_or_default().to_owned();
                holding.into_iter().map(text).collect()
            });
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
                    values: Rc::clone(holding),
                },
            });
        }
    }
}

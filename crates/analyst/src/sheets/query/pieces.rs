//! What the words of a question name of a table: columns by their headers and synonyms, values in cells, headings
//! between the rows, states of units.
//!
//! Longer names win over shorter ones, whole names over parts, exact words over their other forms. What is found is
//! marked as understood. Computes nothing.

use std::collections::{HashMap, HashSet};

use crate::sheets::columns;
use crate::sheets::query::cells::Values;
use crate::sheets::query::likeness::{Likeness, related, slip};
use crate::sheets::query::naming::{Candidate, Found, Index, Piece, beginnings, fits, naming};
use crate::sheets::query::values::by_values;
use crate::sheets::query::view::View;
use crate::sheets::query::vocabulary::{never, ordinal, row_noun};
use crate::sheets::words::{Kind as WordKind, Words, stem};
use tables::headers::{self, Field};
use tables::kind::Kind;
use tables::tenancy::State;

/// Everything that is named, in order of the words, which are marked.
pub(crate) fn find(words: &mut Words, view: &View<'_>) -> Vec<Found> {
    let mut candidates = Vec::new();
    by_headers(words, view, &mut candidates);
    by_synonyms(words, view, &mut candidates);
    by_values(words, view, &mut candidates);
    by_sections(words, view, &mut candidates);
    by_states(words, view, &mut candidates);
    candidates.sort_by_key(|own| (std::cmp::Reverse(own.length), std::cmp::Reverse(own.rank), own.at));
    let mut found: Vec<Found> = Vec::new();
    for own in candidates {
        let free = (own.at..own.at + own.length).all(|at| words.all.get(at).is_some_and(|word| !word.used));
        if free {
            words.mark(own.at, own.length);
            found.push(Found {
                at: own.at,
                length: own.length,
                piece: own.piece,
                unsure: own.unsure,
            });
        }
    }
    found.sort_by_key(|own| own.at);
    found
}

fn by_headers(words: &Words, view: &View<'_>, candidates: &mut Vec<Candidate>) {
    let names: Vec<(usize, Vec<String>)> = (0..view.table.columns.len())
        .map(|at| (at, naming(view.header(at))))
        .filter(|(_, parts)| !parts.is_empty())
        .collect();
    let beginnings = beginnings(words);
    for (column, parts) in &names {
        for at in parts
            .first()
            .map(|part| beginnings.like(part))
            .unwrap_or_default()
        {
            let whole = fits(words, at, parts);
            let single = parts.len() == 1 && parts.first().is_some_and(|part| never(part) && !is_year(part));
            if let Some(likeness) = whole.filter(|_| !single) {
                candidates.push(Candidate {
                    at,
                    length: parts.len(),
                    rank: if likeness == Likeness::Same { 9 } else { 5 },
                    piece: Piece::Column(vec![*column]),
                    unsure: false,
                });
            }
        }
    }
    let index = Index::of(
        names
            .iter()
            .enumerate()
            .map(|(name, (_, parts))| (name, parts.as_slice())),
        true,
    );
    for at in 0..words.all.len() {
        // Some of a header's words in a row: "coupon", "base rent".
        for length in (1..=3).rev() {
            let said: Vec<String> = words
                .all
                .iter()
                .skip(at)
                .take(length)
                .filter(|word| !word.used)
                .map(|word| word.stem.clone())
                .collect();
            if said.len() < length || (length == 1 && said.iter().any(|word| never(word) || word.len() < 3)) {
                continue;
            }
            let within: Vec<usize> = said
                .first()
                .map(|first| index.like(first))
                .unwrap_or_default()
                .into_iter()
                .filter_map(|name| names.get(name))
                .filter(|(_, parts)| parts.len() > length)
                .filter(|(_, parts)| {
                    parts.windows(length).any(|own| {
                        own.iter()
                            .zip(&said)
                            .all(|(part, word)| related(word, part).is_some())
                    })
                })
                .map(|(column, _)| *column)
                .collect();
            // What the rows are called is no part of a header: "sales" of "Sale Price".
            let rows = length == 1 && said.iter().any(|word| row_noun(word));
            if !within.is_empty() && !rows {
                candidates.push(Candidate {
                    at,
                    length,
                    rank: 4,
                    piece: Piece::Column(within),
                    unsure: false,
                });
            }
        }
    }
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u32>().is_ok()
}

/// What the fields are called, beside those names that the older reading knows.
const MORE: &[(&[Field], &str)] = &[
    (
        &[Field::Rent, Field::AnnualRent],
        "pay, paying, pays, base rental, rental",
    ),
    (&[Field::AnnualRent], "annual rent, yearly rent, annual base rent"),
    (&[Field::Rent], "monthly rent, monthly base rent"),
    (
        &[Field::Total, Field::Balance],
        "owe, owing, owed, outstanding, receivable, balance due, past due amount",
    ),
    (
        &[Field::Area],
        "foot, feet, square meter, square metre, sqm, m2, floor space, gla, nla, rentable sf",
    ),
    (&[Field::Value], "value, appraisal, worth"),
    (&[Field::Price], "sold for, sale amount"),
    (
        &[Field::LoanBalance, Field::LoanAmount],
        "lending, borrowed, upb, exposure",
    ),
    (&[Field::Rate], "rate"),
    (&[Field::EndDate], "expiration, expiry, expire date, lease end"),
    (&[Field::Units], "unit, door"),
    (&[Field::Bedrooms], "bedroom, bed, br"),
    (&[Field::Bedrooms], "bd"),
    (&[Field::UnitType], "floor plan, plan, layout"),
    (&[Field::Floor], "floor, level"),
    (&[Field::Building], "property, building, asset"),
    (&[Field::Account], "line, line item, account"),
    (&[Field::Noi], "noi, net operating income"),
];

fn by_synonyms(words: &Words, view: &View<'_>, candidates: &mut Vec<Candidate>) {
    let mut push = |at: usize, length: usize, column: usize, rank: u8| {
        candidates.push(Candidate {
            at,
            length,
            rank,
            piece: Piece::Column(vec![column]),
            unsure: false,
        });
    };
    for (lists, rank) in [(columns::SYNONYMS, 6), (MORE, 6)] {
        for (fields, phrases) in lists {
            let Some(column) = fields.iter().find_map(|field| view.table.column(*field)) else {
                continue;
            };
            for phrase in phrases.split(", ") {
                let parts: Vec<String> = phrase.split(' ').map(stem).collect();
                for at in 0..words.all.len() {
                    if fits(words, at, &parts) == Some(Likeness::Same) {
                        push(at, parts.len(), column, rank);
                    }
                }
            }
        }
    }
    // What tenants pay beside the rent, as one thing.
    let shared: Vec<usize> = view
        .numeric
        .iter()
        .copied()
        .filter(|at| {
            let own = naming(view.header(*at));
            own.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "cam" | "tax" | "insurance" | "recovery" | "reimbursement" | "nnn" | "utility" | "opex"
                )
            })
        })
        .collect();
    if !shared.is_empty() && matches!(view.sheet.kind, Kind::RentRoll | Kind::Leases | Kind::Other) {
        for name in ["recovery", "reimbursement", "pass through", "nnn charge", "nnn"] {
            let parts: Vec<String> = name.split(' ').map(stem).collect();
            for at in 0..words.all.len() {
                if fits(words, at, &parts) == Some(Likeness::Same) {
                    candidates.push(Candidate {
                        at,
                        length: parts.len(),
                        rank: 6,
                        piece: Piece::All(shared.clone()),
                        unsure: false,
                    });
                }
            }
        }
    }
}

fn by_sections(words: &Words, view: &View<'_>, candidates: &mut Vec<Candidate>) {
    if view.sheet.kind == Kind::Statement {
        return;
    }
    let named: Vec<Vec<String>> = view
        .table
        .sections
        .iter()
        .map(|section| {
            headers::words(section)
                .iter()
                .map(|word| stem(word))
                .filter(|word| !matches!(word.as_str(), "section" | "and" | "the" | "of"))
                .collect()
        })
        .collect();
    // How many headings have a word.
    let mut headings: HashMap<&str, usize> = HashMap::new();
    for parts in &named {
        let different: HashSet<&str> = parts.iter().map(String::as_str).collect();
        for part in different {
            *headings.entry(part).or_default() += 1;
        }
    }
    // Where a heading may be named: at one of its words.
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, word) in words.all.iter().enumerate() {
        let mut forms = vec![word.stem.clone(), word.text.clone()];
        forms.extend(ordinal(&word.text));
        forms.dedup();
        for form in forms {
            places.entry(form).or_default().push(at);
        }
    }
    for (section, parts) in named.iter().enumerate() {
        let numbered = parts
            .iter()
            .any(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let mut at_words: Vec<usize> = parts
            .iter()
            .filter_map(|part| places.get(part))
            .flatten()
            .copied()
            .collect();
        at_words.sort_unstable();
        at_words.dedup();
        for at in at_words {
            if !parts.is_empty() && fits(words, at, parts) == Some(Likeness::Same) {
                candidates.push(Candidate {
                    at,
                    length: parts.len(),
                    rank: 8,
                    piece: Piece::Section(vec![section]),
                    unsure: false,
                });
            }
            // "the third floor" of "Floor 3".
            if let [noun, number] = parts.as_slice()
                && numbered
                && words
                    .all
                    .get(at)
                    .is_some_and(|word| !word.used && ordinal(&word.text).as_ref() == Some(number))
                && words.stem_at(at + 1) == noun
            {
                candidates.push(Candidate {
                    at,
                    length: 2,
                    rank: 8,
                    piece: Piece::Section(vec![section]),
                    unsure: false,
                });
            }
            // A word that only this heading has.
            let Some(word) = words.all.get(at).filter(|word| !word.used) else {
                continue;
            };
            let only = parts.contains(&word.stem) && headings.get(word.stem.as_str()) == Some(&1);
            if named.len() > 1 && only && word.stem.len() >= 4 && !never(&word.stem) && !numbered {
                let mut length = 1;
                while words
                    .all
                    .get(at + length)
                    .is_some_and(|next| !next.used && !next.begins && parts.contains(&next.stem))
                {
                    length += 1;
                }
                candidates.push(Candidate {
                    at,
                    length,
                    rank: 6,
                    piece: Piece::Section(vec![section]),
                    unsure: false,
                });
            }
        }
    }
}

fn by_states(words: &Words, view: &View<'_>, candidates: &mut Vec<Candidate>) {
    if view.sheet.kind != Kind::RentRoll {
        return;
    }
    let lists: [(State, &[&str]); 3] = [
        (
            State::Vacant,
            &[
                "vacant",
                "unoccupied",
                "empty",
                "unleased",
                "unlet",
                "not occupied",
                "not leased",
                "available",
                "leerstehend",
            ],
        ),
        (
            State::Occupied,
            &[
                "occupied",
                "leased",
                "rented",
                "let",
                "tenanted",
                "in place",
                "leased up",
                "rented out",
            ],
        ),
        (
            State::NonRevenue,
            &[
                "non revenue",
                "model",
                "down",
                "offline",
                "model or down",
                "model and down",
                "down and model",
            ],
        ),
    ];
    for (state, phrases) in lists {
        for phrase in phrases {
            let parts: Vec<String> = phrase.split(' ').map(stem).collect();
            for at in 0..words.all.len() {
                if fits(words, at, &parts) == Some(Likeness::Same) {
                    candidates.push(Candidate {
                        at,
                        length: parts.len(),
                        rank: 8,
                        piece: Piece::State(state),
                        unsure: false,
                    });
                }
            }
        }
    }
}

/// Words that were left over and are one slip of the pen from a name of the table, put right.
pub(crate) fn respelled(words: &mut Words, view: &View<'_>, left: &[usize]) -> bool {
    let headers: Vec<String> = (0..view.table.columns.len())
        .flat_map(|at| naming(view.header(at)))
        .collect();
    let mut names: Vec<&str> = headers.iter().map(String::as_str).collect();
    for column in 0..view.table.columns.len() {
        if !view.is_numeric(column) && !view.is_dated(column) {
            let values = view.values(column).into_iter().flat_map(Values::all);
            names.extend(values.flat_map(|value| value.split(' ')));
        }
    }
    names.extend(KNOWN.split(' '));
    names.sort_unstable();
    names.dedup();
    let mut any = false;
    for at in left {
        let Some(word) = words
            .all
            .get_mut(*at)
            .filter(|word| matches!(word.kind, WordKind::Plain))
        else {
            continue;
        };
        let fitting: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| slip(&word.stem, name))
            .collect();
        if let [only] = fitting.as_slice() {
            word.text = (*only).to_owned();
            word.stem = stem(only);
            any = true;
        }
    }
    any
}

/// Words of questions that people misspell.
const KNOWN: &str = "average total median highest lowest largest smallest weighted vacant occupied tenant balance \
     maturity interest square monthly annual expire expiring between property building percent share";

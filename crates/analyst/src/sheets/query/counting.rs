//! Whether a count counted what was asked for: every word that could be a condition must be one that the count shows.
//!
//! "How many tenants have a guarantor" is not the number of tenants. Computes nothing.

use crate::sheets::finding::Finding;
use crate::sheets::query::likeness::related;
use crate::sheets::query::naming::naming;
use crate::sheets::query::vocabulary::{filler, row_noun};
use crate::sheets::sources::Sheet;
use crate::sheets::words::{Kind as WordKind, Words, stem};
use tables::headers;

/// Words that fill a count beside those that fill any question.
const FILL: &str = "total different distinct unique separate individual whole altogether here left listed list together \
     number count size portfolio complex scheme estate site centre center mall tower project fund rentable \
     for-rent rent roll t12 statement first please thanks across still";

/// Words of states: the count says whether a unit is let.
const STATES: &str = "let leased occupied rented tenanted vacant empty void unlet unoccupied unleased available free taken \
     inhabited filled model down office not un";

/// Words that compare one column with another.
const COMPARES: &str = "below above under over beneath more less than higher lower exceed exceeding beyond at exactly equal against";

fn among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|own| own == word)
}

/// Why a count is not that of what was asked.
pub(crate) fn missed(sheet: &Sheet, words: &Words, first: &Finding) -> Option<String> {
    if first.unit != "count" || !first.name.starts_with("number_of_") {
        return None;
    }
    let from = words.position(&["how many", "number of", "count of", "count the"])? + 2;
    let label = first.label.as_str();
    let conditions = label.split_once(" where ").map_or("", |(_, own)| own);
    let spoken: Vec<String> = headers::words(label).iter().map(|word| stem(word)).collect();
    let shown = |word: &str| {
        spoken
            .iter()
            .any(|own| related(word, own).is_some() || own == word)
    };
    let market = (from..words.all.len()).any(|at| {
        matches!(words.stem_at(at), "market" | "asking" | "erv")
            && (1..=3).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|place| among(COMPARES, words.stem_at(place)))
            })
    });
    if market && !label.contains("market") && !label.contains("asking") {
        return Some(
            "I can count rows by one column, and not by how two columns compare. Please ask for the loss to lease, or for the rows with \
             both rents."
                .to_owned(),
        );
    }
    let bound = [
        " is above ",
        " is below ",
        " is at least ",
        " is at most ",
        " is from ",
        " lies ",
    ]
    .iter()
    .any(|own| conditions.contains(own))
        || conditions.contains("the date ")
        || first.as_of.is_some()
        || first.period.is_some();
    let stated = conditions.contains("the unit is");
    let mut rest = conditions.to_owned();
    for own in [
        "the unit is occupied",
        "the unit is vacant",
        "the unit is not for rent",
    ] {
        rest = rest.replace(own, "");
    }
    // Nothing but whether a unit is let was taken for a condition.
    let open = rest.trim().is_empty() && !bound;
    let names: Vec<String> = sheet
        .table
        .columns
        .iter()
        .flat_map(|column| naming(&column.header))
        .filter(|name| name.len() > 1)
        .collect();
    for at in from..words.all.len() {
        let Some(word) = words.all.get(at) else { break };
        // A clause of its own: what it says is another question, or what the asker is about.
        let goes_on = matches!(
            word.stem.as_str(),
            "with" | "that" | "who" | "which" | "having" | "have" | "whose" | "where" | "paying" | "without"
        );
        if word.begins && at > from && !goes_on {
            break;
        }
        if word.kind != WordKind::Plain || word.text.len() < 2 {
            continue;
        }
        let own = word.stem.as_str();
        let plain = filler(own)
            || filler(&word.text)
            || row_noun(own)
            || among(FILL, own)
            || among(FILL, &word.text)
            || (among(STATES, own) || among(STATES, &word.text)) && stated
            || shown(own);
        if plain {
            continue;
        }
        let named = names.iter().any(|name| related(own, name).is_some());
        let joined = matches!(own, "and" | "plus");
        if joined {
            break;
        }
        if open || (named && !bound) {
            return Some(format!(
                "I am not sure which rows “{}” means, so I would count too many. Please name the column and its value.",
                word.text
            ));
        }
    }
    None
}

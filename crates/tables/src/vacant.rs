//! Words used in place of a tenant's name to mark a space as vacant.
//!
//! Independent of tables.

use crate::headers;

/// Whether the name means vacant: "Vacant - ready", "VAC", "To let".
#[must_use]
pub fn is_vacant(name: &str) -> bool {
    if !headers::begins_like(name, VACANT) && !headers::begins_like(name, FIRST) {
        return false;
    }
    let words = headers::words(name);
    let first = words.first().map_or("", String::as_str);
    let let_ = first == "to" && words.get(1).is_some_and(|word| word == "let" || word == "lease");
    let_ || VACANT.contains(&headers::normalized(name).as_str())
        || FIRST.contains(&first)
        || (first == "available"
            && words
                .get(1)
                .is_none_or(|word| matches!(word.as_str(), "for" | "now" | "from" | "unit" | "suite")))
}

/// Words that mean vacant before any others.
const FIRST: &[&str] = &[
    "vacant",
    "vac",
    "unoccupied",
    "unleased",
    "unlet",
    "untenanted",
    "void",
    "leerstehend",
    "leerstand",
];

/// Words that mean vacant in place of a name.
const VACANT: &[&str] = &[
    "vacant",
    "available",
    "empty",
    "none",
    "tolet",
    "vacantunit",
    "vacantspace",
    "vacantsuite",
    "leer",
    "leerstand",
    "leerstehend",
];

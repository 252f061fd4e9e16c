//! Words used in place of a tenant's name to mark a space as vacant.
//!
//! Independent of tables.

use crate::headers;

/// Whether the name means vacant: "Vacant - ready", "VAC", "To let".
#[must_use]
pub fn is_vacant(name: &str) -> bool {
    let words = headers::words(name);
    let first = words.first().map_or("", String::as_str);
    let let_ = first == "to" && words.get(1).is_some_and(|word| word == "let" || word == "lease");
    let_ || VACANT.contains(&headers::normalized(name).as_str())
        || [
            "vacant",
            "vac",
            "unoccupied",
            "unleased",
            "unlet",
            "untenanted",
            "void",
            "leerstehend",
            "leerstand",
        ]
        .contains(&first)
        || (first == "available"
            && words
                .get(1)
                .is_none_or(|word| matches!(word.as_str(), "for" | "now" | "from" | "unit" | "suite")))
}

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

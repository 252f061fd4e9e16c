//! Words that stand in the place of a tenant's name and say that there is none.
//!
//! Knows no table.

use crate::headers;

/// In the place of a name: "Vacant - ready", "VAC", "To let".
pub(crate) fn is_vacant(name: &str) -> bool {
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

/// In the place of a name they say that there is none.
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

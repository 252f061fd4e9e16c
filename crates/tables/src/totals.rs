//! How rows call themselves that are sums or averages of others. The one place of these words, for tables in questions
//! and for imports.

use crate::headers;

/// Whether a row says of itself that it sums others up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// It says nothing else.
    Exactly,
    /// It begins or ends with it: "Total Utilities". It may be a name.
    Begins,
    No,
}

/// What the first words of a row say.
#[must_use]
pub fn named(label: &str) -> Named {
    let words = headers::words(label);
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let sum = |word: &str| {
        matches!(
            word,
            "total"
                | "totals"
                | "subtotal"
                | "subtotals"
                | "summe"
                | "gesamt"
                | "insgesamt"
                | "gesamtsumme"
                | "zwischensumme"
                | "somme"
                | "totale"
                | "totaal"
                | "suma"
                | "σ"
        )
    };
    let only = |all: &[&str]| words.iter().all(|word| all.contains(&word.as_str()));
    let plain = [
        "total",
        "totals",
        "subtotal",
        "subtotals",
        "sub",
        "grand",
        "sum",
        "overall",
        "average",
        "averages",
        "avg",
        "weighted",
        "mean",
        "median",
        "all",
        "property",
        "portfolio",
        "units",
        "building",
        "summe",
        "gesamt",
        "zwischensumme",
        "insgesamt",
        "gesamtsumme",
        "somme",
        "totale",
        "totaal",
        "suma",
        "σ",
        "of",
        "the",
        "rows",
        "check",
    ];
    if words.iter().any(|word| sum(word) || mean(word) || word == "sum") && only(&plain) {
        return Named::Exactly;
    }
    let first = sum(word(0))
        || (matches!(word(0), "sub" | "grand") && sum(word(1)))
        || (mean(word(0)) && words.len() <= 4);
    let last = words.last().is_some_and(|last| sum(last)) && words.len() > 1;
    if first || last { Named::Begins } else { Named::No }
}

/// Sums or averages of other rows, which are no data themselves.
#[must_use]
pub fn is_summary(label: &str) -> bool {
    named(label) != Named::No
}

/// A summary that is no sum.
#[must_use]
pub fn is_average(label: &str) -> bool {
    is_summary(label) && headers::words(label).iter().any(|word| mean(word))
}

fn mean(word: &str) -> bool {
    matches!(word, "average" | "averages" | "avg" | "mean" | "median")
}

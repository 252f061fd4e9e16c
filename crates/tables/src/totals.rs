//! Labels of rows that are sums or averages of others. Shared by tables in questions and by imports.

use crate::headers;

/// Whether the label of a row says that it is a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The label says nothing else.
    Exactly,
    /// The label starts or ends that way: "Total Utilities". It may be a name.
    Begins,
    No,
}

/// Checks the first words of a row.
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

/// Whether the row is a sum or average of other rows, and not data.
#[must_use]
pub fn is_summary(label: &str) -> bool {
    named(label) != Named::No
}

/// Whether the row is a summary other than a sum.
#[must_use]
pub fn is_average(label: &str) -> bool {
    is_summary(label) && headers::words(label).iter().any(|word| mean(word))
}

fn mean(word: &str) -> bool {
    matches!(word, "average" | "averages" | "avg" | "mean" | "median")
}

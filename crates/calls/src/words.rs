//! The known words that are nearest to an unknown one.

use std::collections::BTreeSet;

use strsim::normalized_damerau_levenshtein;

/// Words below this likeness (0 to 1) are not worth naming.
const LIKE: f64 = 0.45;
/// How many are named.
const MOST: usize = 3;

/// The nearest of `(word, label)` pairs, best first.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let asked = plain(word);
    let mut scored: Vec<(f64, &str)> = known
        .map(|(name, label)| {
            (
                likeness(&asked, &plain(name)).max(likeness(&asked, &plain(label))),
                name,
            )
        })
        .filter(|(score, _)| *score >= LIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored
        .into_iter()
        .take(MOST)
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// A word in the form in which words are compared.
#[must_use]
pub fn plain(word: &str) -> String {
    word.trim().to_lowercase().replace(['_', '-'], " ")
}

fn likeness(a: &str, b: &str) -> f64 {
    let parts = |text: &str| -> BTreeSet<String> { text.split_whitespace().map(str::to_owned).collect() };
    let (first, second) = (parts(a), parts(b));
    let shared = first.intersection(&second).count() as f64;
    let all = first.union(&second).count().max(1) as f64;
    normalized_damerau_levenshtein(a, b).max(shared / all)
}

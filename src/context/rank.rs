//! BM25 over the candidates of either database, so that both order alike. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::text;
use crate::context::model::Note;

/// The usual constants; a title counts as if said three times.
const K1: f64 = 1.2;
const B: f64 = 0.75;
const TITLE_WEIGHT: usize = 3;

/// Words too frequent to tell notes apart.
const STOP_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from",
    "give", "has", "have", "how", "i", "if", "in", "is", "it", "its", "me", "my", "of", "on", "or", "our",
    "please", "so", "tell", "that", "the", "their", "then", "there", "this", "to", "was", "we", "were",
    "what", "what's", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// The words of a question worth searching for, at most 40.
pub(super) fn search_words(question: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    text::words(question)
        .filter(|word| word.chars().count() > 1 && word.len() <= 60 && !STOP_WORDS.contains(&word.as_str()))
        .filter(|word| seen.insert(word.clone()))
        .take(40)
        .collect()
}

/// The best `most` notes, best first; ties by id, so that the order is stable.
pub(super) fn best(notes: Vec<Note>, words: &[String], most: usize) -> Vec<Note> {
    let wanted: BTreeSet<String> = words.iter().map(|word| stem(word)).collect();
    let counted: Vec<(BTreeMap<String, usize>, usize)> =
        notes.iter().map(|note| count(note, &wanted)).collect();
    let total: usize = counted.iter().map(|(_, length)| length).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
    let number = |count: usize| count as f64;
    let average = (number(total) / number(notes.len().max(1))).max(1.0);
    let rarity = |word: &str| {
        let with = counted
            .iter()
            .filter(|(words, _)| words.contains_key(word))
            .count();
        ((number(notes.len()) - number(with) + 0.5) / (number(with) + 0.5) + 1.0).ln()
    };
    let rarities: BTreeMap<&str, f64> = wanted.iter().map(|word| (word.as_str(), rarity(word))).collect();
    let score = |(words, length): &(BTreeMap<String, usize>, usize)| -> f64 {
        let of_word = |(word, times): (&String, &usize)| {
            let times = number(*times);
            let norm = K1 * (1.0 - B + B * number(*length) / average);
            rarities.get(word.as_str()).copied().unwrap_or_default() * times * (K1 + 1.0) / (times + norm)
        };
        words.iter().map(of_word).sum()
    };
    let scores: Vec<f64> = counted.iter().map(score).collect();
    let mut ranked: Vec<(f64, Note)> = scores
        .into_iter()
        .zip(notes)
        .filter(|(score, _)| *score > 0.0)
        .collect();
    ranked.sort_by(|(left, a), (right, b)| right.total_cmp(left).then(a.id.cmp(&b.id)));
    ranked.into_iter().take(most).map(|(_, note)| note).collect()
}

fn count(note: &Note, wanted: &BTreeSet<String>) -> (BTreeMap<String, usize>, usize) {
    let mut found = BTreeMap::new();
    let mut length = 0;
    for (text, weight) in [(&note.title, TITLE_WEIGHT), (&note.body, 1)] {
        for word in text::words(text) {
            length += weight;
            let word = stem(&word);
            if wanted.contains(&word) {
                *found.entry(word).or_insert(0) += weight;
            }
        }
    }
    (found, length)
}

/// Plural and a few endings: enough to rank what the database's own stemmer has found.
fn stem(word: &str) -> String {
    let ends = |ending: &str, least: usize| {
        word.strip_suffix(ending)
            .filter(|rest| rest.chars().count() >= least)
    };
    if let Some(rest) = ends("ies", 2) {
        return format!("{rest}y");
    }
    let cut = ends("ing", 4)
        .or_else(|| ends("ed", 4))
        .or_else(|| ends("es", 4))
        .or_else(|| ends("s", 3).filter(|rest| !rest.ends_with('s')));
    cut.unwrap_or(word).trim_end_matches('e').to_owned()
}

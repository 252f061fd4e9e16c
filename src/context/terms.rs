//! Converts text to the terms of the search index: folded, stemmed, plain ASCII. Pure.
//!
//! The databases store the terms as they are, so that both find the same notes. Their own stemmers and stop words
//! are not used because they differ from each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rust_stemmers::{Algorithm, Stemmer};
use tables::letters::search_key;

use crate::base::text;

/// The version of the index. Increase it when terms are computed differently; older entries are then indexed again.
pub(super) const VERSION: i64 = 2;
/// Words of a title count this many times.
const TITLE_WEIGHT: u32 = 3;
/// Longest term, in characters; longer words are cut off.
const MAX_LENGTH: usize = 60;
/// Largest number of words of a question that are searched for.
const MAX_WORDS: usize = 32;

/// Words too frequent to distinguish notes.
const STOP_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from",
    "give", "has", "have", "how", "i", "if", "in", "is", "it", "its", "me", "my", "of", "on", "or", "our",
    "please", "so", "tell", "that", "the", "their", "then", "there", "this", "to", "was", "we", "were",
    "what", "what's", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// The terms of a note and how often it contains each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Weighted number of words.
    pub length: i64,
    counts: BTreeMap<String, u32>,
}

impl Terms {
    pub fn of(title: &str, body: &str) -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut terms = Self::default();
        for (text, weight) in [(title, TITLE_WEIGHT), (body, 1)] {
            for word in text::words(&search_key(text)) {
                terms.length += i64::from(weight);
                *terms.counts.entry(term(&stemmer, &word)).or_default() += weight;
            }
        }
        terms
    }

    /// Each term once, separated by spaces.
    pub fn distinct(&self) -> String {
        self.counts
            .keys()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The stored form: `term:count`, separated by spaces and sorted.
    pub fn encode(&self) -> String {
        let mut text = String::with_capacity(self.counts.len() * 8);
        for (term, count) in &self.counts {
            if !text.is_empty() {
                text.push(' ');
            }
            let _ = write!(text, "{term}:{count}");
        }
        text
    }
}

/// The count of each word of `wanted` in the stored form of a note's terms. Both are sorted, so one pass is enough.
pub fn counts(encoded: &str, wanted: &[String]) -> Vec<u32> {
    let mut found = vec![0; wanted.len()];
    let mut next = wanted.iter().map(String::as_str).zip(&mut found).peekable();
    for entry in encoded.split(' ') {
        let Some((term, count)) = entry.split_once(':') else {
            continue;
        };
        while next.next_if(|(word, _)| *word < term).is_some() {}
        match next.next_if(|(word, _)| *word == term) {
            Some((_, found)) => *found = count.parse().unwrap_or(0),
            None if next.peek().is_none() => break,
            None => {}
        }
    }
    found
}

/// The terms of a question worth searching for, sorted.
pub fn wanted(question: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut seen = BTreeSet::new();
    for word in text::words(&search_key(question)) {
        if word.chars().count() > 1 && !STOP_WORDS.contains(&word.as_str()) {
            seen.insert(term(&stemmer, &word));
            if seen.len() == MAX_WORDS {
                break;
            }
        }
    }
    seen.into_iter().collect()
}

/// The term of a word in lower case and without accents: letters a to z and digits.
fn term(stemmer: &Stemmer, word: &str) -> String {
    if word.is_ascii() {
        let word = word.get(..MAX_LENGTH).unwrap_or(word);
        return stemmer.stem(word).into_owned();
    }
    // Other scripts are stored in hexadecimal, with a prefix that no English word has.
    let cut: String = word.chars().take(MAX_LENGTH).collect();
    format!("0x{}", hex::encode(cut))
}

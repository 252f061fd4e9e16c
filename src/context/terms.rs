//! Words as the search index holds them: folded, stemmed, plain ASCII. Pure.
//!
//! Both databases get the same terms and neither looks into them, so both find the same notes. Their own
//! stemmers and stop words differ from each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::base::text;

/// Raised whenever terms are made otherwise: what was indexed before is indexed again.
pub(super) const VERSION: i64 = 1;
/// A title counts as if said three times.
const TITLE_WEIGHT: u32 = 3;
/// Characters of a word that count: what is longer is no word of a language.
const LONGEST: usize = 60;
/// Most words of a question that are searched for.
const MOST_WORDS: usize = 32;

/// Words too frequent to tell notes apart.
const STOP_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from",
    "give", "has", "have", "how", "i", "if", "in", "is", "it", "its", "me", "my", "of", "on", "or", "our",
    "please", "so", "tell", "that", "the", "their", "then", "there", "this", "to", "was", "we", "were",
    "what", "what's", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// The terms of a note and how often each is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Words in all, weighted.
    pub length: i64,
    counts: BTreeMap<String, u32>,
}

impl Terms {
    pub fn of(title: &str, body: &str) -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut terms = Self::default();
        for (text, weight) in [(title, TITLE_WEIGHT), (body, 1)] {
            for word in text::words(text) {
                terms.length += i64::from(weight);
                *terms.counts.entry(term(&stemmer, &word)).or_default() += weight;
            }
        }
        terms
    }

    /// Each once, separated by spaces.
    pub fn distinct(&self) -> String {
        self.counts
            .keys()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// As it is kept: `term:count`, separated by spaces.
    pub fn written(&self) -> String {
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

/// How often each of `wanted`, which is sorted, is said, from terms as they are kept: sorted too, so that each is
/// compared with one word.
pub fn counts(written: &str, wanted: &[String]) -> Vec<u32> {
    let mut found = vec![0; wanted.len()];
    let mut next = wanted.iter().map(String::as_str).zip(&mut found).peekable();
    for entry in written.split(' ') {
        let Some((term, count)) = entry.split_once(':') else {
            continue;
        };
        while next.next_if(|(word, _)| *word < term).is_some() {}
        match next.next_if(|(word, _)| *word == term) {
            Some((_, place)) => *place = count.parse().unwrap_or(0),
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
    for word in text::words(question) {
        if word.chars().count() > 1 && !STOP_WORDS.contains(&word.as_str()) {
            seen.insert(term(&stemmer, &word));
            if seen.len() == MOST_WORDS {
                break;
            }
        }
    }
    seen.into_iter().collect()
}

/// One lower-case word as the index holds it: letters a to z and digits.
fn term(stemmer: &Stemmer, word: &str) -> String {
    if word.is_ascii() {
        let word = word.get(..LONGEST).unwrap_or(word);
        return stemmer.stem(word).into_owned();
    }
    let folded: String = word
        .nfkd()
        .filter(|sign| !is_combining_mark(*sign))
        .flat_map(char::to_lowercase)
        .take(LONGEST)
        .collect();
    if !folded.is_empty() && folded.bytes().all(|sign| sign.is_ascii_alphanumeric()) {
        return stemmer.stem(&folded).into_owned();
    }
    // Scripts that no tokenizer has to understand. No English word begins so.
    let kept: String = word.chars().take(LONGEST).collect();
    format!("0x{}", hex::encode(kept))
}

//! Places of words, numbers and wordings in a question.

use crate::analysis::engines::offline::retold::pattern::{Found, Pattern};
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::words::scan::{Number, Shape, Token};

/// The ranks of years.
pub(super) const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
];

pub(super) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

pub(super) fn number(tokens: &[Token], at: usize) -> Option<&Number> {
    tokens.get(at).and_then(Token::number)
}

pub(super) fn value(tokens: &[Token], at: usize) -> f64 {
    number(tokens, at).map_or(0.0, |number| number.value)
}

pub(super) fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.contains(&token.word()))
}

pub(super) fn mark(tokens: &[Token], at: usize, marks: &[char]) -> bool {
    tokens
        .get(at)
        .is_some_and(|token| marks.iter().any(|mark| token.is_mark(*mark)))
}

pub(super) fn shaped(shape: Shape) -> impl Fn(&Number) -> bool {
    move |number| number.shape == shape && !number.doubtful
}

pub(super) fn percent(value: f64) -> String {
    format!("{}%", format::plain(value, 6))
}

pub(super) fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

pub(super) fn money(value: f64) -> String {
    format!("${}", format::plain(value, 2).replace(',', ""))
}

pub(super) fn places(tokens: &[Token], wanted: impl Fn(&Number) -> bool) -> Vec<usize> {
    (0..tokens.len())
        .filter(|at| number(tokens, *at).is_some_and(&wanted))
        .collect()
}

pub(super) fn first(tokens: &[Token], patterns: &[Pattern]) -> Option<(usize, Found)> {
    let possible: Vec<&Pattern> = patterns
        .iter()
        .filter(|pattern| pattern.possible(tokens))
        .collect();
    (0..tokens.len()).find_map(|at| {
        possible
            .iter()
            .filter_map(|pattern| pattern.at(tokens, at))
            .max_by_key(|found| found.to)
            .map(|found| (at, found))
    })
}

pub(super) fn near(tokens: &[Token], at: usize, words: &[&str], most: usize) -> bool {
    let before = (1..=most)
        .map_while(|step| at.checked_sub(step))
        .take_while(|at| {
            number(tokens, *at).is_none() && !tokens.get(*at).is_some_and(|token| token.is_mark('.'))
        })
        .any(|at| words.contains(&word(tokens, at)));
    let after = (1..=2)
        .map(|step| at + step)
        .take_while(|at| {
            number(tokens, *at).is_none()
                && !tokens
                    .get(*at)
                    .is_some_and(|token| [',', ';', '.'].iter().any(|mark| token.is_mark(*mark)))
        })
        .any(|at| words.contains(&word(tokens, at)));
    before || after
}

//! A question's tokens with the small questions that forms put to them.
//!
//! Knows no finance.

use crate::read::terms;
use crate::read::vocabulary;
use crate::words::scan::{Number, Shape, Token};

/// Tokens with the text they come from.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
}

impl<'a> Words<'a> {
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", Token::word)
    }

    pub(crate) fn number(&self, at: usize) -> Option<&'a Number> {
        self.tokens.get(at).and_then(Token::number)
    }

    pub(crate) fn mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark(mark))
    }

    /// Positions of all numbers.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> + use<'a> {
        let tokens = self.tokens;
        (0..tokens.len()).filter(move |at| tokens.get(*at).is_some_and(|token| token.number().is_some()))
    }

    /// One of the words stands somewhere.
    pub(crate) fn has(&self, words: &[&str]) -> bool {
        self.tokens.iter().any(|token| words.contains(&token.word()))
    }

    /// One of the phrases stands somewhere; hyphens between its words do not matter.
    pub(crate) fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.find(phrase).is_some())
    }

    /// Where the phrase first stands: its first token and the one after the last.
    pub(crate) fn find(&self, phrase: &str) -> Option<(usize, usize)> {
        let words: Vec<&str> = phrase.split(' ').collect();
        (0..self.tokens.len()).find_map(|at| self.at(at, &words).map(|to| (at, to)))
    }

    /// The token after the phrase, if it stands at `at`.
    pub(crate) fn at(&self, at: usize, phrase: &[&str]) -> Option<usize> {
        vocabulary::matches(self.tokens, at, phrase)
    }

    /// "150 units": the noun is part of the number.
    pub(crate) fn counts_units(&self) -> bool {
        self.tokens
            .iter()
            .filter_map(Token::number)
            .any(|number| number.shape == Shape::Units)
    }

    /// The token as it was written.
    pub(crate) fn said(&self, at: usize) -> &'a str {
        self.tokens
            .get(at)
            .and_then(|token| self.text.get(token.start..token.end))
            .unwrap_or("")
    }

    /// "the eighth year", "8th lease year".
    pub(crate) fn ordinal_year(&self) -> Option<f64> {
        let ranks: Vec<f64> = (0..self.tokens.len())
            .filter_map(|at| {
                let rank = terms::rank(self.word(at))?;
                let noun = (1..=2).any(|ahead| matches!(self.word(at + ahead), "year" | "yr"));
                noun.then_some(rank)
            })
            .collect();
        // "24.75 in the first year; how much in the eleventh?".
        ranks
            .iter()
            .copied()
            .find(|rank| *rank > 1.0)
            .or(ranks.first().copied())
    }
}

//! The prompt of a run as it grows. It is measured before every call and trimmed to the most tokens: first the oldest
//! turns go, then the longest texts get short. References stay.

use crate::analysis::engine::EarlierTurn;
use crate::analysis::engines::model::message::{CallResult, Said, Turn};
use crate::analysis::engines::model::prompt::inert;

/// Bytes that a shortened text keeps at least.
const SHORT: usize = 600;
/// What a message costs in addition to its text, in tokens.
const MESSAGE: usize = 6;

/// An estimate of the tokens of a text: three and a half bytes each, which is high for English and about right for JSON
/// and numbers.
pub const fn tokens(bytes: usize) -> usize {
    bytes * 2 / 7 + 1
}

/// The turns of a prompt.
#[derive(Debug, Default)]
pub struct Conversation {
    turns: Vec<Turn>,
    /// How many of them are of earlier questions: two for each.
    earlier: usize,
}

impl Conversation {
    /// Earlier turns, then what is given and asked now.
    pub fn new(earlier: &[EarlierTurn], now: String) -> Self {
        let mut turns: Vec<Turn> = Vec::with_capacity(earlier.len() * 2 + 1);
        for turn in earlier {
            turns.push(Turn::Person(inert(&turn.question)));
            turns.push(Turn::Model(Said::text(inert(&turn.answer))));
        }
        let earlier = turns.len();
        turns.push(Turn::Person(now));
        Self { turns, earlier }
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    pub fn person(&mut self, text: impl Into<String>) {
        self.turns.push(Turn::Person(text.into()));
    }

    pub fn model(&mut self, said: Said) {
        self.turns.push(Turn::Model(said));
    }

    pub fn results(&mut self, results: Vec<CallResult>) {
        self.turns.push(Turn::Results(results));
    }

    /// Estimated tokens of the turns.
    pub fn tokens(&self) -> usize {
        self.turns.iter().map(size).sum()
    }

    /// Trims the turns to at most this many tokens. False if they cannot be that short.
    pub fn trim(&mut self, most: usize) -> bool {
        while self.tokens() > most {
            if self.earlier >= 2 {
                self.turns.drain(..2);
                self.earlier -= 2;
            } else if !self.shorten_longest() {
                return false;
            }
        }
        true
    }

    /// Halves the longest text. False if all are short.
    fn shorten_longest(&mut self) -> bool {
        let texts = self.turns.iter_mut().flat_map(|turn| match turn {
            Turn::Person(text) => vec![text],
            Turn::Model(_) => Vec::new(),
            Turn::Results(results) => results.iter_mut().map(|result| &mut result.text).collect(),
        });
        match texts.max_by_key(|text| text.len()) {
            Some(text) if text.len() > SHORT => {
                *text = shortened(text);
                true
            }
            _ => false,
        }
    }
}

/// The beginning and the end of a text, together at most half as long. The question is at the end of the first turn,
/// and a result begins with its ref.
fn shortened(text: &str) -> String {
    let keep = (text.len() / 2 - 60).max(SHORT / 2);
    let head = floor(text, keep * 2 / 3);
    let tail = ceil(text, text.len() - keep / 3);
    let left_out = tail - head;
    format!(
        "{} … [{left_out} bytes left out to save room] … {}",
        text.get(..head).unwrap_or(""),
        text.get(tail..).unwrap_or("")
    )
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

fn size(turn: &Turn) -> usize {
    match turn {
        Turn::Person(text) => tokens(text.len()) + MESSAGE,
        Turn::Model(said) => tokens(said.bytes()) + MESSAGE,
        Turn::Results(results) => results
            .iter()
            .map(|result| tokens(result.text.len()) + MESSAGE)
            .sum(),
    }
}

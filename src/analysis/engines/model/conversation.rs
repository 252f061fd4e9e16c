//! The prompt of a run as it grows. It is measured before every call and trimmed to the most tokens: first the oldest
//! turns go, then the longest texts get short. References stay.

use std::collections::VecDeque;

use crate::analysis::engine::EarlierTurn;
use crate::analysis::engines::model::message::{CallResult, Said, Turn};
use crate::analysis::engines::model::prompt::earlier_turn;

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
    /// The first one has the earlier questions and answers, each in a fence, and what is given and asked now.
    turns: Vec<Turn>,
    /// The length of each earlier question with its answer, in bytes, oldest first.
    earlier: VecDeque<usize>,
}

impl Conversation {
    /// Earlier turns, then what is given and asked now.
    pub fn new(earlier: &[EarlierTurn], now: String) -> Self {
        let (mut first, mut lengths) = (String::new(), VecDeque::with_capacity(earlier.len()));
        for turn in earlier {
            let text = earlier_turn(turn);
            lengths.push_back(text.len());
            first.push_str(&text);
        }
        first.push_str(&now);
        Self {
            turns: vec![Turn::Person(first)],
            earlier: lengths,
        }
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
            if let Some(oldest) = self.earlier.pop_front() {
                if let Some(Turn::Person(first)) = self.turns.first_mut() {
                    first.drain(..oldest);
                }
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
    // The question is behind the last fence. It is shortened last.
    if let Some((foreign, asked)) = text.rfind("</data>").and_then(|at| text.split_at_checked(at))
        && foreign.len() > SHORT
    {
        return shortened(foreign) + asked;
    }
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

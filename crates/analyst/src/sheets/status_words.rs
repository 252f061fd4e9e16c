//! What a person says the status words of a rent roll mean: "O and NU mean occupied, VU is vacant". Only whole status
//! words of the table count.
//!
//! Reads no other question.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::sheets::meaning::states;
use crate::sheets::sources::Sheet;
use crate::sheets::words::Words;
use tables::headers::{self, Field};
use tables::tenancy::State;

/// States by their status words, in lower case.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Meanings(BTreeMap<String, State>);

/// Most status words that are remembered.
const MOST: usize = 40;

impl Meanings {
    /// Those of earlier questions of a thread.
    pub(crate) fn of_frame(kept: &Value) -> Self {
        let state = |(word, state): (&String, &Value)| Some((word.clone(), state_of(state.as_str()?)?));
        let kept = kept.as_object().into_iter().flatten();
        Self(kept.take(MOST).filter_map(state).collect())
    }

    pub(crate) fn to_frame(&self) -> Value {
        self.0
            .iter()
            .map(|(word, state)| (word.clone(), json!(name(*state))))
            .collect()
    }

    /// Takes meanings out of a question, and returns the rest of it.
    pub(crate) fn take(&mut self, question: &str, sheets: &[Sheet]) -> String {
        let known: BTreeMap<String, bool> = sheets.iter().flat_map(status_words).collect();
        if known.is_empty() {
            return question.to_owned();
        }
        let words = spans(question);
        let mut rest = String::new();
        let (mut at, mut from) = (0, 0);
        while let Some(word) = words.get(at) {
            let Some((names, state, length)) = meaning(words.get(at..).unwrap_or_default(), &known) else {
                at += 1;
                continue;
            };
            rest.push_str(question.get(from..word.start).unwrap_or(""));
            from = words.get(at + length - 1).map_or(question.len(), |last| last.end);
            at += length;
            for name in names {
                if self.0.len() < MOST {
                    self.0.insert(name, state);
                }
            }
        }
        rest.push_str(question.get(from..).unwrap_or(""));
        rest
    }

    /// The table with the states in place of the words for them.
    pub(crate) fn applied(&self, sheet: Sheet) -> Sheet {
        let Some(at) = sheet.table.column(Field::Status).filter(|_| !self.0.is_empty()) else {
            return sheet;
        };
        let mut table = sheet.table.clone();
        for row in &mut table.rows {
            if let Some(state) = row.cells.get(at).and_then(|cell| self.0.get(&folded(cell))) {
                row.cells.set(at, name(*state));
            }
        }
        sheet.with(table)
    }
}

fn folded(cell: &str) -> String {
    headers::words(cell).join(" ")
}

/// The status words of a table, and whether their meaning is unknown.
fn status_words(sheet: &Sheet) -> Vec<(String, bool)> {
    let table = &sheet.table;
    let Some(at) = table.column(Field::Status) else {
        return Vec::new();
    };
    let unknown: Vec<String> = sheet.tenancy().unknown.iter().map(|word| folded(word)).collect();
    let written: BTreeSet<&str> = table.data().map(|row| table.text(row, at)).collect();
    let words: BTreeSet<String> = written.into_iter().map(folded).collect();
    words
        .into_iter()
        .filter(|word| !word.is_empty())
        .map(|word| (unknown.contains(&word), word))
        .map(|(unknown, word)| (word, unknown))
        .collect()
}

/// A word of a question and where it stands.
struct Span {
    text: String,
    start: usize,
    end: usize,
    /// A sentence ends behind it.
    ends: bool,
}

fn spans(question: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in
        question.split_inclusive(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ';' | '.' | '?'))
    {
        let end = start + part.len();
        let text = folded(part);
        let text = if text.is_empty() && part.contains('=') {
            "=".to_owned()
        } else {
            text
        };
        if !text.is_empty() {
            let ends = part.ends_with(['.', ';', '?', '\n']);
            found.push(Span {
                text,
                start,
                end,
                ends,
            });
        } else if let Some(last) = found.last_mut() {
            last.end = end;
            last.ends |= part.ends_with(['.', ';', '?', '\n']);
        }
        start = end;
    }
    found
}

/// Status words, a verb, and a state, at the beginning of these words; and how many words they are.
fn meaning(words: &[Span], known: &BTreeMap<String, bool>) -> Option<(Vec<String>, State, usize)> {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        let named = (1..=4).rev().find_map(|length| {
            let said = words.get(at..at + length)?;
            let text: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
            let name = text.join(" ");
            known.contains_key(&name).then_some((name, length))
        });
        let Some((name, length)) = named else { break };
        names.push(name);
        at += length;
        // A word at the end of the question is not named with those of the next sentence.
        if words.get(at - 1).is_some_and(|word| word.ends) {
            return None;
        }
        if words
            .get(at)
            .is_some_and(|word| matches!(word.text.as_str(), "and" | "or"))
        {
            at += 1;
        }
    }
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let certain = match text(at) {
        "mean" | "means" | "=" => true,
        "is" | "are" => false,
        _ => return None,
    };
    // "Are those on notice vacant?" does not say what a known word means.
    let unknown = names.iter().all(|name| known.get(name) == Some(&true));
    let state = state_of(text(at + 1))?;
    (!names.is_empty() && (certain || unknown)).then_some((names, state, at + 2))
}

fn state_of(word: &str) -> Option<State> {
    states(&mut Words::of(word))
}

/// The status that a state is written as.
fn name(state: State) -> &'static str {
    match state {
        State::Occupied | State::Unknown => "occupied",
        State::Vacant => "vacant",
        State::NonRevenue => "offline",
    }
}

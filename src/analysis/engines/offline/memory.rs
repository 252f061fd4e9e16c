//! What the organization's and the person's notes contribute: quotations, house values, suggestions.
//!
//! A note's text is data: it is quoted or gives one number, it never steers. No value is taken from a
//! note unless the question refers to a house value.

use crate::analysis::engine::{Brief, Draft, NoteExcerpt};
use crate::analysis::engines::offline::deal::Deal;
use crate::analysis::engines::offline::format;
use crate::analysis::engines::offline::given::{Given, Reading, convert};
use crate::analysis::engines::offline::numbers;
use crate::analysis::engines::offline::roles::{self, Pairing};
use crate::analysis::engines::offline::scan::Token;
use crate::analysis::engines::offline::vocabulary;
use crate::base::ids::NoteId;
use crate::finance::variable::{Unit, Variable};

/// A value that one note gives.
#[derive(Clone, Debug)]
pub(crate) struct HouseValue {
    pub(crate) variable: Variable,
    pub(crate) given: Given,
    pub(crate) note: NoteId,
}

/// Sentences of a note with their own text.
fn sentences(body: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = body.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '\n' => true,
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            found.extend(
                body.get(start..end)
                    .map(str::trim)
                    .filter(|text| !text.is_empty()),
            );
            start = end;
        }
    }
    found.extend(body.get(start..).map(str::trim).filter(|text| !text.is_empty()));
    found
}

fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.contains(&token.word()))
}

/// Quotes the notes for a question about what is written down, such as a policy.
pub(crate) fn quote(brief: &Brief, tokens: &[Token], reading: &Reading) -> Option<Draft> {
    let asks_for_text = has(
        tokens,
        &[
            "policy",
            "policies",
            "standard",
            "standards",
            "guideline",
            "guidelines",
            "rule",
            "rules",
            "house",
            "minimum",
            "maximum",
            "requirement",
            "requirements",
            "target",
            "criteria",
            "preferred",
            "who",
            "when",
            "where",
            "our",
            "notes",
            "note",
        ],
    );
    let numbers = tokens.iter().any(|token| token.number().is_some());
    if !asks_for_text || numbers || brief.notes.is_empty() {
        return None;
    }
    let topics = topics(tokens, reading);
    if topics.is_empty() {
        return None;
    }
    let mut quoted: Vec<(&NoteExcerpt, Vec<&str>)> = Vec::new();
    let mut best = 0;
    for note in brief.notes.iter().take(20) {
        for sentence in sentences(note.body.get(..floor(&note.body, 20_000)).unwrap_or("")) {
            let score = score(sentence, &topics);
            if score == 0 || score * 2 < topics.len() || score < best {
                continue;
            }
            if score > best {
                best = score;
                quoted.clear();
            }
            if let Some((_, lines)) = quoted.iter_mut().find(|(known, _)| known.id == note.id) {
                if lines.len() < 3 {
                    lines.push(sentence);
                }
            } else if quoted.len() < 3 {
                quoted.push((note, vec![sentence]));
            }
        }
    }
    let (first, lines) = quoted.first()?;
    let quick = format!("{} (from “{}”)", lines.join(" "), first.title);
    let mut result = String::new();
    for (note, lines) in &quoted {
        result.push_str(&format!(
            "> {}\n\nFrom the note “{}”.\n\n",
            lines.join(" "),
            note.title
        ));
    }
    let mut draft = Draft {
        quick_reply: quick.clone(),
        summary: quick,
        result,
        reasoning:
            "1. The notes were searched for the words of the question, and the matching sentences are quoted."
                .to_owned(),
        success: true,
        used_notes: quoted.iter().map(|(note, _)| note.id).collect(),
        ..Draft::default()
    };
    if quoted.len() > 1 {
        draft
            .warnings
            .push("Several notes speak of this; they are all quoted.".to_owned());
    }
    Some(draft)
}

fn floor(text: &str, limit: usize) -> usize {
    (0..=limit.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// What the question is about: each topic is one variable or one telling word.
fn topics(tokens: &[Token], reading: &Reading) -> Vec<Vec<String>> {
    let mut topics: Vec<Vec<String>> = Vec::new();
    let mut covered: Vec<usize> = Vec::new();
    for mention in &reading.mentions {
        covered.extend(mention.from..mention.to);
        if let Some(variable) = mention.variable {
            topics.push(vec![format!("\u{1}{}", variable.word())]);
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        let word = token.word();
        let telling = word.chars().count() > 3
            && !vocabulary::links(word)
            && !matches!(
                word,
                "what"
                    | "when"
                    | "where"
                    | "does"
                    | "about"
                    | "tell"
                    | "know"
                    | "have"
                    | "which"
                    | "whats"
                    | "find"
                    | "policy"
                    | "policies"
                    | "standard"
                    | "house"
                    | "guideline"
                    | "guidelines"
                    | "notes"
                    | "note"
                    | "rule"
                    | "rules"
            );
        if telling && !covered.contains(&at) {
            topics.push(vec![word.trim_end_matches('s').to_owned()]);
        }
    }
    topics
}

fn score(sentence: &str, topics: &[Vec<String>]) -> usize {
    let tokens = numbers::read(sentence);
    let named = vocabulary::mentions(&tokens);
    topics
        .iter()
        .filter(|topic| {
            topic.iter().any(|word| match word.strip_prefix('\u{1}') {
                Some(metric) => named
                    .iter()
                    .any(|mention| mention.variable.is_some_and(|v| v.word() == metric)),
                None => tokens
                    .iter()
                    .any(|token| token.word().trim_end_matches('s') == word),
            })
        })
        .count()
}

/// Values of notes that the question refers to ("at our house cap rate").
pub(crate) fn house_values(
    brief: &Brief,
    tokens: &[Token],
    reading: &Reading,
    goals: &[Variable],
) -> Vec<HouseValue> {
    let mut found = Vec::new();
    for mention in &reading.mentions {
        let Some(variable) = mention.variable.filter(|_| !mention.verb) else {
            continue;
        };
        let near = tokens
            .get(mention.from.saturating_sub(3)..mention.from)
            .unwrap_or_default();
        let house = near.iter().any(|token| {
            matches!(
                token.word(),
                "house" | "standard" | "usual" | "policy" | "default"
            )
        });
        if !house || reading.values.contains_key(&variable) || goals.contains(&variable) {
            continue;
        }
        let values = note_values(brief, variable);
        if let [only] = values.as_slice() {
            found.push(only.clone());
        }
    }
    found
}

/// The distinct values that the notes give for a variable.
fn note_values(brief: &Brief, variable: Variable) -> Vec<HouseValue> {
    let mut found: Vec<HouseValue> = Vec::new();
    for note in brief.notes.iter().take(20) {
        for sentence in sentences(note.body.get(..floor(&note.body, 20_000)).unwrap_or("")) {
            let tokens = numbers::read(sentence);
            if tokens.len() > 80 {
                continue;
            }
            let mentions = vocabulary::mentions(&tokens);
            let free: Vec<usize> = (0..tokens.len())
                .filter(|at| tokens.get(*at).is_some_and(|t| t.number().is_some()))
                .collect();
            let Pairing::Found { assigned, .. } = roles::pair(&tokens, &mentions, &[], &free, false) else {
                continue;
            };
            for item in assigned.iter().filter(|item| item.variable == Some(variable)) {
                let Some(token) = tokens.get(item.token) else {
                    continue;
                };
                let words = sentence.get(token.start..token.end).unwrap_or("");
                let Some(number) = token.number().filter(|number| !number.doubtful) else {
                    continue;
                };
                let period = number.per.or(item.period);
                let Ok((converted, mut given)) = convert(variable, number, period, words) else {
                    continue;
                };
                given.origin.clone_from(&note.title);
                let same = found
                    .iter()
                    .any(|known| (known.given.value - given.value).abs() < 1e-12);
                if converted == variable && !same {
                    found.push(HouseValue {
                        variable,
                        given,
                        note: note.id,
                    });
                }
            }
        }
    }
    found
}

/// Puts house values into the deal where the question left a gap.
pub(crate) fn apply(values: &[HouseValue], deal: &mut Deal) {
    for value in values.iter() {
        deal.values.insert(value.variable, value.given.clone());
    }
}

/// Names the notes whose values the answer rests on.
pub(crate) fn credit(values: &[HouseValue], draft: &mut Draft) {
    for value in values {
        let used = draft.figures.iter().any(|figure| {
            figure
                .inputs
                .iter()
                .any(|input| input.name == value.variable.word() && input.origin == value.given.origin)
        });
        if used && !draft.used_notes.contains(&value.note) {
            draft.used_notes.push(value.note);
        }
    }
}

/// "Your note … says …": a hint beside the question for a missing input.
pub(crate) fn suggestions(brief: &Brief, missing: &[Variable]) -> Vec<String> {
    let mut hints = Vec::new();
    for variable in missing {
        if !matches!(variable.unit(), Unit::Percent | Unit::Ratio | Unit::Money) {
            continue;
        }
        if let [only] = note_values(brief, *variable).as_slice() {
            hints.push(format!(
                "Your note “{}” says {} for the {}; tell me if I should use it.",
                only.given.origin,
                format::input(*variable, only.given.value),
                variable.label()
            ));
        }
    }
    hints
}

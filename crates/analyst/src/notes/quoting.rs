//! Sentences of notes as an answer: quoted with their notes, and named with their days where they differ.

use crate::contract::brief::NoteExcerpt;
use crate::contract::draft::Draft;
use crate::sheets::finding::inert;
use crate::words::numbers;

/// Sentences of notes as an answer.
pub(super) fn quoted(quoted: &[(&NoteExcerpt, Vec<&str>)]) -> Draft {
    let said: Vec<String> = quoted
        .iter()
        .map(|(note, lines)| {
            let dated = if quoted.len() > 1 {
                format!(", {}", day(note))
            } else {
                String::new()
            };
            format!("{} (from “{}”{dated})", lines.join(" "), note.title)
        })
        .collect();
    let quick = said.join(" ");
    let mut result = String::new();
    for (note, lines) in quoted {
        result.push_str(&format!(
            "> {}\n\nFrom the note “{}”, {}.\n\n",
            inert(&lines.join(" ")),
            inert(&note.title),
            day(note)
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
        draft.warnings.push(differing(quoted));
    }
    draft
}

/// The day a note was last changed.
fn day(note: &NoteExcerpt) -> String {
    note.updated_at.format("%Y-%m-%d").to_string()
}

/// Notes that give different numbers disagree: which of them holds, the asker decides, so all are named with their days.
fn differing(quoted: &[(&NoteExcerpt, Vec<&str>)]) -> String {
    let numbers = |lines: &[&str]| {
        let mut found: Vec<String> = lines
            .iter()
            .flat_map(|line| numbers::read(line))
            .filter_map(|token| token.number().map(|number| number.value.to_string()))
            .collect();
        found.sort_unstable();
        found
    };
    let first = quoted
        .first()
        .map(|(_, lines)| numbers(lines))
        .unwrap_or_default();
    if quoted.iter().all(|(_, lines)| numbers(lines) == first) {
        return "Several notes speak of this; they are all quoted.".to_owned();
    }
    let named: Vec<String> = quoted
        .iter()
        .map(|(note, _)| format!("“{}” of {}", note.title, day(note)))
        .collect();
    format!(
        "These notes do not say the same: {}. All are quoted; please check which one holds.",
        named.join(", ")
    )
}

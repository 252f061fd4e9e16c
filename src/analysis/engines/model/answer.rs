//! Makes an answer of what the model said and of what its calls gave: references become sources, the figures that the
//! text states come in its order, and the steps are shown with inputs and results.

use std::fmt::Write as _;

use crate::analysis::answer::{Figure, Missing};
use crate::analysis::engine::{Brief, Draft};
use crate::analysis::engines::model::agent::Said;
use crate::analysis::engines::model::message::End;
use crate::analysis::engines::model::stated;
use crate::analysis::tools::typed::run::{Cited, MadeCall, TypedCalls};

/// Most characters of a quick reply.
const QUICK: usize = 400;
/// Most characters of the refs in one mark.
const MARK: usize = 80;
/// Most characters of the arguments of a call in the steps.
const ARGUMENTS: usize = 300;

/// The answer.
pub fn draft(brief: &Brief, calls: &TypedCalls<'_>, said: Said) -> Draft {
    let (text, cited) = without_marks(&said.text);
    let mut draft = Draft {
        reasoning: reasoning(calls.made()),
        used_models: calls.used_models().to_vec(),
        kept_notes: calls.kept().to_vec(),
        found_notes: calls.found_notes().to_vec(),
        frame: brief.earlier.clone(),
        ..Draft::default()
    };
    for reference in &cited {
        match calls.cited(reference) {
            Some(Cited::Note(id)) if !draft.used_notes.contains(&id) => draft.used_notes.push(id),
            Some(Cited::File(id)) if !draft.used_files.contains(&id) => draft.used_files.push(id),
            _ => {}
        }
    }
    for file in calls.used_files() {
        if !draft.used_files.contains(file) {
            draft.used_files.push(*file);
        }
    }
    draft
        .warnings
        .extend(calls.made().iter().flat_map(|made| made.warnings.clone()));
    draft.warnings.extend(said.limit.map(str::to_owned));
    let computed: Vec<&Figure> = calls
        .made()
        .iter()
        .flat_map(|made| made.figures.iter().map(|(_, figure)| figure))
        .collect();
    if said.end == End::Refused {
        return refused(draft, text);
    }
    if said.end == End::Cut {
        draft
            .warnings
            .push("The answer was cut off because it became too long.".to_owned());
    }
    if text.trim().is_empty() {
        return figures_only(draft, &computed);
    }
    draft.figures = stated::in_order(&text, &computed);
    let asked = calls.made().iter().rev().find(|made| !made.missing.is_empty());
    if draft.figures.is_empty()
        && let Some(asked) = asked
    {
        draft.missing = asked
            .missing
            .iter()
            .map(|(name, label)| Missing {
                name: name.clone(),
                label: label.clone(),
            })
            .collect();
    }
    let asks_back = draft.figures.is_empty() && (!draft.missing.is_empty() || ends_with_question(&text));
    draft.success = !asks_back;
    draft.quick_reply = quick_reply(&text, &draft.figures);
    draft.summary = paragraph(&text);
    draft.result = text;
    draft
}

/// The model or its provider does not answer this.
fn refused(draft: Draft, text: String) -> Draft {
    let text = if text.trim().is_empty() {
        "The language model declined to answer this question.".to_owned()
    } else {
        format!("The language model declined to answer: {}", text.trim())
    };
    Draft {
        quick_reply: text.clone(),
        summary: text.clone(),
        result: text,
        success: false,
        ..draft
    }
}

/// What the calls gave, where the model did not say anything about it.
fn figures_only(draft: Draft, computed: &[&Figure]) -> Draft {
    let lines: Vec<String> = computed.iter().map(|figure| stated::line(figure)).collect();
    let text = if lines.is_empty() {
        "I could not finish an answer within the limits of one run. Please ask about less at once.".to_owned()
    } else {
        format!("- {}", lines.join("\n- "))
    };
    Draft {
        quick_reply: lines.first().cloned().unwrap_or_else(|| text.clone()),
        summary: text.clone(),
        result: text,
        success: !computed.is_empty(),
        figures: computed.iter().map(|figure| (*figure).clone()).collect(),
        ..draft
    }
}

/// The text without marks such as `[n1]` and `[r2.1]`, and the refs of the marks in their order.
fn without_marks(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut cited) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, mark) = rest.split_at(start);
        // A mark is short: a text of brackets must not be searched to its end for each of them.
        let end = mark
            .char_indices()
            .skip(1)
            .take(MARK)
            .find(|(_, sign)| *sign == ']');
        let inner = end.and_then(|(at, _)| Some((mark.get(1..at)?, mark.get(at + 1..)?)));
        let refs: Option<Vec<&str>> = inner.and_then(|(inner, _)| {
            let all = inner.split([',', ';', ' ']).filter(|one| !one.is_empty());
            let all: Vec<&str> = all.collect();
            (!all.is_empty() && all.iter().all(|one| is_reference(one))).then_some(all)
        });
        match (inner, refs) {
            (Some((_, after)), Some(refs)) if !after.starts_with('(') => {
                plain.push_str(before.trim_end_matches(' '));
                for reference in refs {
                    if !cited.iter().any(|known| known == reference) {
                        cited.push(reference.to_owned());
                    }
                }
                rest = after;
            }
            _ => {
                plain.push_str(before);
                plain.push('[');
                rest = mark.get(1..).unwrap_or("");
            }
        }
    }
    plain.push_str(rest);
    (plain.trim().to_owned(), cited)
}

/// `n1`, `f2`, `d1`, `r3`, `r3.1`.
fn is_reference(text: &str) -> bool {
    let Some(number) = text.strip_prefix(['n', 'f', 'd', 'r']) else {
        return false;
    };
    let mut parts = number.split('.');
    let digits =
        |part: &str| !part.is_empty() && part.len() < 5 && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.clone().count() <= 2 && parts.all(digits)
}

/// The first sentences of the text, up to the one that states the headline figure.
fn quick_reply(text: &str, figures: &[Figure]) -> String {
    let sentences = sentences(&paragraphs(text));
    let headline = figures.first();
    let stating = headline.and_then(|figure| sentences.iter().position(|own| stated::states(own, figure)));
    let (from, count) = match stating {
        Some(at) if at > 1 => (at, 1),
        Some(at) => (0, at + 1),
        None => (0, 2),
    };
    let chosen: Vec<&str> = sentences
        .iter()
        .skip(from)
        .take(count)
        .map(String::as_str)
        .collect();
    shortened(&chosen.join(" "))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(QUICK) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("").trim_end()),
        None => text.to_owned(),
    }
}

/// The lines of running text, without Markdown signs at their beginning.
fn paragraphs(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('|'));
    let bare = lines.map(|line| {
        line.trim_start_matches(['#', '>', '-', '*'])
            .trim()
            .replace("**", "")
    });
    bare.collect::<Vec<_>>().join("\n")
}

/// Sentences end at a line end, or at a stop, question or exclamation mark before a space.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut signs = line.char_indices().peekable();
        while let Some((at, sign)) = signs.next() {
            let ends =
                matches!(sign, '.' | '?' | '!') && signs.peek().is_none_or(|(_, next)| next.is_whitespace());
            if ends {
                let end = at + sign.len_utf8();
                sentences.push(line.get(start..end).unwrap_or("").trim().to_owned());
                start = end;
            }
        }
        let rest = line.get(start..).unwrap_or("").trim();
        if !rest.is_empty() {
            sentences.push(rest.to_owned());
        }
    }
    sentences
}

fn paragraph(text: &str) -> String {
    text.split("\n\n").next().unwrap_or(text).trim().to_owned()
}

fn ends_with_question(text: &str) -> bool {
    text.trim_end_matches(['*', '_', ' ', '\n', ')']).ends_with('?')
}

/// The calls with inputs and results, in Markdown.
fn reasoning(made: &[MadeCall]) -> String {
    let mut text = String::new();
    for (at, made) in made.iter().enumerate() {
        let arguments: String = made.arguments.to_string().chars().take(ARGUMENTS).collect();
        let _ = write!(text, "{}. `{}` with `{arguments}`", at + 1, made.name);
        let outcome = if made.failed {
            let why = made
                .result
                .pointer("/error/detail")
                .and_then(serde_json::Value::as_str);
            format!(": {}", why.unwrap_or("failed"))
        } else if !made.missing.is_empty() {
            let labels: Vec<&str> = made.missing.iter().map(|(_, label)| label.as_str()).collect();
            format!(": missing {}", labels.join(", "))
        } else {
            let lines: Vec<String> = made
                .figures
                .iter()
                .map(|(_, figure)| stated::line(figure))
                .collect();
            if lines.is_empty() {
                String::new()
            } else {
                format!(": {}", lines.join("; "))
            }
        };
        text.push_str(&outcome);
        text.push('\n');
        for step in &made.steps {
            let _ = writeln!(text, "   - {step}");
        }
    }
    text
}

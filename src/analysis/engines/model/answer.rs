//! Makes an answer of what the model said and of what its calls gave: references become sources, the figures that the
//! text states come in its order, and the steps are shown with inputs and results.

use std::fmt::Write as _;

use calls::audit::prose::numbers;
use calls::audit::trace::mark;

use crate::analysis::answer::{Figure, Missing};
use crate::analysis::engine::{Brief, Draft};
use crate::analysis::engines::model::agent::Said;
use crate::analysis::engines::model::checked::{self, Findings};
use crate::analysis::engines::model::marks::without_marks;
use crate::analysis::engines::model::message::End;
use crate::analysis::engines::model::stated;
use crate::analysis::tools::typed::run::{Cited, MadeCall, TypedCalls};
use crate::base::safe_markdown::clean as safe_markdown;
use crate::base::safe_markdown::hosts::LinkHosts;

/// Most characters of a quick reply.
const QUICK: usize = 400;
/// Most characters of the arguments of a call in the steps.
const ARGUMENTS: usize = 300;

/// The answer, safe to show: a text that a model wrote may quote anything.
pub fn draft(brief: &Brief, calls: &TypedCalls<'_>, said: Said, links: &LinkHosts) -> Draft {
    let draft = said_by(brief, calls, said, links);
    let clean = |text: &String| safe_markdown::clean(text, links);
    Draft {
        quick_reply: clean(&draft.quick_reply),
        summary: clean(&draft.summary),
        result: clean(&draft.result),
        reasoning: clean(&draft.reasoning),
        warnings: draft.warnings.iter().map(clean).collect(),
        ..draft
    }
}

fn said_by(brief: &Brief, calls: &TypedCalls<'_>, said: Said, links: &LinkHosts) -> Draft {
    let (text, cited) = without_marks(&said.text);
    // Before it is taken apart: a part of clean text may be none.
    let text = safe_markdown::clean(&text, links);
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
    let findings = Findings::of(&text, calls);
    let text = mark(&text, &findings.untraced);
    draft.warnings.extend(findings.warnings());
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
    let asked = checked::asked(calls);
    let headline = draft.figures.iter().find(|figure| asked.contains(figure));
    draft.quick_reply = quick_reply(&text, headline.or(draft.figures.first()));
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

/// The first sentences of the text, up to the one that states the headline figure.
fn quick_reply(text: &str, headline: Option<&Figure>) -> String {
    let sentences = sentences(&paragraphs(text));
    let stating = headline.and_then(|figure| {
        sentences
            .iter()
            .position(|own| stated::states(&numbers(own), figure))
    });
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

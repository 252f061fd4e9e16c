//! A question in everyday words, told again in the words that the readers know.
//!
//! Each entry is a class of wording with the one meaning it has in its field; what else stands in the question stays as
//! it is. A question that cannot be told to the end is none of this.

use std::sync::LazyLock;

use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, Wording};
use crate::analysis::engines::offline::retold::{
    amounts, context, costs, deals, debts, listed, occasions, repeated, taken_out, terse, timing, windows,
    years,
};
use crate::analysis::engines::offline::words::numbers;
use crate::analysis::engines::offline::words::scan::Token;

struct Rule {
    patterns: Vec<Pattern>,
    wording: &'static Wording,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    [
        terse::WORDINGS,
        timing::WORDINGS,
        debts::WORDINGS,
        costs::WORDINGS,
        deals::WORDINGS,
    ]
    .into_iter()
    .flatten()
    .map(rule)
    .collect()
});

/// What would be misread if it were not told in other words at once.
static FIRST: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    [debts::FIRST, timing::FIRST, deals::FIRST, repeated::FIRST]
        .into_iter()
        .flatten()
        .map(rule)
        .collect()
});

fn rule(wording: &'static Wording) -> Rule {
    Rule {
        patterns: wording.says.iter().map(|says| Pattern::read(says)).collect(),
        wording,
    }
}

/// Rounds after which a question that still changes is left alone.
const ROUNDS: usize = 6;

/// The ways in which a question may be told, the nearest first: in known words, without what only stands before it.
pub(crate) fn tellings(text: &str) -> impl Iterator<Item = String> {
    let without = context::without(text);
    let both = without.as_deref().and_then(told);
    let occasion = occasions::without(text);
    let occasion_told = occasion.as_deref().and_then(told);
    told(text)
        .into_iter()
        .chain(without)
        .chain(both)
        .chain(occasion)
        .chain(occasion_told)
}

/// The question in known words.
fn told(text: &str) -> Option<String> {
    let told = rounds(text, &|text, tokens| {
        let mut edits = years::edits(text, tokens);
        edits.extend(amounts::edits(tokens));
        edits.extend(listed::edits(text, tokens));
        edits.extend(worded(text, tokens, &RULES));
        edits
    })?;
    Some(told)
}

/// The question with what would otherwise be misread told in plain amounts.
pub(crate) fn corrected(text: &str) -> Option<String> {
    rounds(text, &|text, tokens| {
        let mut edits = amounts::corrections(text, tokens);
        edits.extend(years::after_that(tokens));
        edits.extend(windows::edits(tokens));
        edits.extend(repeated::edits(tokens));
        edits.extend(taken_out::edits(tokens));
        edits.extend(worded(text, tokens, &FIRST));
        edits
    })
}

fn rounds(text: &str, edits: &dyn Fn(&str, &[Token]) -> Vec<Edit>) -> Option<String> {
    let mut question = text.to_owned();
    for _ in 0..ROUNDS {
        let tokens = numbers::read(&question);
        let found = edits(&question, &tokens);
        match apply(&question, &tokens, found) {
            Some(next) if next != question => question = next,
            _ => return (question != text).then_some(question),
        }
    }
    None
}

/// The edits of a round that do not overlap, the earlier named first.
fn apply(text: &str, tokens: &[Token], edits: Vec<Edit>) -> Option<String> {
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        if kept
            .iter()
            .all(|other| edit.to <= other.from || other.to <= edit.from)
        {
            kept.push(edit);
        }
    }
    if kept.is_empty() {
        return None;
    }
    kept.sort_by_key(|edit| edit.from);
    let mut question = String::new();
    let mut at = 0;
    for edit in &kept {
        let start = tokens.get(edit.from)?.start;
        question.push_str(text.get(at..start)?);
        // Words keep their distance.
        if !edit.told.is_empty() && !question.is_empty() && !question.ends_with([' ', '(']) {
            question.push(' ');
        }
        question.push_str(&edit.told);
        at = tokens.get(edit.to.checked_sub(1)?)?.end;
        if edit.told.is_empty() && question.ends_with(' ') && text.get(at..)?.starts_with(' ') {
            at += 1;
        }
    }
    question.push_str(text.get(at..)?);
    Some(question)
}

fn worded(text: &str, tokens: &[Token], rules: &[Rule]) -> Vec<Edit> {
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    let mut edits = Vec::new();
    for rule in rules {
        let wording = rule.wording;
        if !(wording.has.is_empty() || has(wording.has)) || has(wording.lacks) {
            continue;
        }
        let patterns: Vec<&Pattern> = rule
            .patterns
            .iter()
            .filter(|pattern| pattern.possible(tokens))
            .collect();
        let mut at = if patterns.is_empty() { tokens.len() } else { 0 };
        while at < tokens.len() {
            let found = patterns
                .iter()
                .filter_map(|pattern| pattern.at(tokens, at))
                .max_by_key(|found| found.to);
            match found {
                Some(found) => {
                    edits.extend(
                        filled(text, tokens, wording.told, &found.numbers).map(|told| Edit {
                            from: at,
                            to: found.to,
                            told,
                        }),
                    );
                    at = found.to;
                }
                None => at += 1,
            }
        }
    }
    edits
}

fn filled(text: &str, tokens: &[Token], told: &str, numbers: &[usize]) -> Option<String> {
    let mut out = told.to_owned();
    for (index, at) in numbers.iter().enumerate() {
        let token = tokens.get(*at)?;
        out = out.replace(&format!("{{{}}}", index + 1), text.get(token.start..token.end)?);
    }
    Some(out)
}

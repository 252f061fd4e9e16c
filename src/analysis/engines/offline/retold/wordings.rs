//! A question in everyday words, told again in the words that the readers know.
//!
//! Each entry is a class of wording with the one meaning it has in its field; what else stands in the question stays as
//! it is. A question that cannot be told to the end is none of this.

use std::sync::LazyLock;

use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, Wording};
use crate::analysis::engines::offline::retold::{
    amounts, context, costs, deals, debts, glosses, headings, in_parts, listed, occasions, preferred,
    repeated, said_twice, spoken, taken_out, terse, timing, totals, windows, years,
};
use crate::analysis::engines::offline::words::numbers;
use crate::analysis::engines::offline::words::scan::Token;

struct Rule {
    patterns: Vec<Pattern>,
    wording: &'static Wording,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    [
        spoken::LEADS,
        terse::WORDINGS,
        timing::WORDINGS,
        debts::WORDINGS,
        costs::WORDINGS,
        deals::WORDINGS,
        spoken::WORDINGS,
    ]
    .into_iter()
    .flatten()
    .map(rule)
    .collect()
});

/// What would be misread if it were not told in other words at once.
static FIRST: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    [
        debts::FIRST,
        timing::FIRST,
        deals::FIRST,
        repeated::FIRST,
        spoken::FIRST,
    ]
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
    let headless = headings::without(text, &numbers::read(text));
    told(text)
        .into_iter()
        .chain(headless)
        .chain(preferred::told(text))
        .chain(without)
        .chain(both)
        .chain(occasion)
        .chain(occasion_told)
}

/// The question in known words.
fn told(text: &str) -> Option<String> {
    rounds(text, &|text, tokens| {
        let mut edits = years::edits(text, tokens);
        edits.extend(amounts::edits(tokens));
        edits.extend(listed::edits(text, tokens));
        edits.extend(totals::edits(tokens));
        edits.extend(said_twice::edits(tokens));
        edits.extend(glosses::edits(tokens));
        edits.extend(worded(text, tokens, &RULES));
        edits
    })
}

/// The question with what would otherwise be misread told in plain amounts.
pub(crate) fn corrected(text: &str) -> Option<String> {
    rounds(text, &|text, tokens| {
        let mut edits = headings::corrections(text, tokens);
        edits.extend(in_parts::edits(text, tokens));
        edits.extend(amounts::corrections(text, tokens));
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
    // An alternative without the number that its telling needs tells nothing.
    (!out.contains('{')).then_some(out)
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test that finds something missing fails")]
mod tests {
    use std::collections::BTreeSet;

    use super::{FIRST, ROUNDS, RULES, Rule, apply, filled, numbers};

    /// A stretch that the alternative stands for, with what may be missing or without it.
    fn sample(says: &str, whole: bool) -> String {
        let mut out: Vec<&str> = Vec::new();
        for piece in says.split(' ') {
            let (body, optional) = piece
                .strip_suffix('?')
                .map_or((piece, false), |body| (body, true));
            if optional && !whole {
                continue;
            }
            out.push(match body {
                "" | ".." | "^" | "$" => continue,
                "#$" | "#$b" => "$400,000",
                "#$m" => "$4,000 a month",
                "#$y" => "$40,000 a year",
                "#%" => "6%",
                "#y" => "30 years",
                "#m" => "9 months",
                "#m1" => "1 month",
                "#m12" => "12 months",
                "#n" => "36",
                "#l" => "year 3",
                "#l1" => "year 1",
                "#z" => "0",
                "#x" => "1.5x",
                "#bp" => "50 bps",
                "#p" => "84 payments",
                "#u" => "24 units",
                "#r" => "6.3",
                words => words.split('|').next().unwrap_or(""),
            });
        }
        out.join(" ")
    }

    fn all() -> impl Iterator<Item = &'static Rule> {
        RULES.iter().chain(FIRST.iter())
    }

    /// Told words that hold their own wording would grow for ever, and the question would be left as it was.
    #[test]
    fn a_wording_settles_and_has_the_numbers_that_it_tells() {
        let mut tried = 0;
        let mut faults = BTreeSet::new();
        for rule in all() {
            for (pattern, says) in rule.patterns.iter().zip(rule.wording.says) {
                for whole in [true, false] {
                    let mut text = format!("{} monthly payments", sample(says, whole));
                    let mut settled = false;
                    for round in 0..=ROUNDS {
                        let tokens = numbers::read(&text);
                        let lacks = rule.wording.lacks;
                        if round > 0 && tokens.iter().any(|token| lacks.contains(&token.word())) {
                            settled = true;
                            break;
                        }
                        let found = (0..tokens.len()).find_map(|at| Some((at, pattern.at(&tokens, at)?)));
                        let Some((from, found)) = found else {
                            settled = true;
                            break;
                        };
                        tried += 1;
                        let told = filled(&text, &tokens, rule.wording.told, &found.numbers);
                        let Some(told) = told else {
                            faults.insert(format!("a number is missing: {says:?}"));
                            settled = true;
                            break;
                        };
                        let edit = super::Edit {
                            from,
                            to: found.to,
                            told,
                        };
                        let next = apply(&text, &tokens, vec![edit]).expect("an edit");
                        settled = next == text;
                        if settled {
                            break;
                        }
                        text = next;
                    }
                    if !settled {
                        faults.insert(format!("it grows: {says:?} as {:?}: {text:?}", rule.wording.told));
                    }
                }
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
        assert!(tried > 500, "{tried} stretches were told");
    }
}

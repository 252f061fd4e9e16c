//! "Ignoring TI", "net effective rent before commissions": inputs that a question names to leave out.
//!
//! The words that say so name no number; what they name is taken out again wherever its amount stands.

use crate::forms::form::{Form, Names, Sheet};
use crate::forms::words::Words;
use crate::plan::guards::modifies;
use crate::words::scan::Token;
use finance::variable::Variable;

/// What is left out, and the question without the words that say so.
#[derive(Default)]
pub(crate) struct Excluded {
    pub(crate) tokens: Vec<Token>,
    pub(crate) variables: Vec<Variable>,
}

#[rustfmt::skip]
const LEADS: &[&str] = &[
    "ignoring", "ignore", "ignores", "disregarding", "disregard", "excluding", "exclude", "excludes", "excl", "omitting", "omit",
    "leaving out", "leave out", "not counting", "setting aside", "leaving aside", "forget", "forget about",
];
/// These say so only of the figure that is asked for.
const OF_GOAL: &[&str] = &["without", "before"];

pub(crate) fn read(form: &Form, words: &Words) -> Excluded {
    let mut found = Excluded::default();
    let mut at = 0;
    while let Some(token) = words.tokens.get(at) {
        match excluded(form, words, at) {
            Some((variables, to, masked)) => {
                found.variables.extend(variables);
                if !masked {
                    found
                        .tokens
                        .extend(words.tokens.get(at..to).unwrap_or_default().iter().cloned());
                }
                at = to;
            }
            None => {
                found.tokens.push(token.clone());
                at += 1;
            }
        }
    }
    found
}

/// The variables left out from `at` on, the token after them, and whether no amount belongs to their names there.
fn excluded(form: &Form, words: &Words, at: usize) -> Option<(Vec<Variable>, usize, bool)> {
    let lead = LEADS.iter().filter_map(|lead| phrase(words, at, lead)).max();
    let of_goal = OF_GOAL.contains(&words.word(at)) && after_goal(form, words, at);
    let start = lead.or_else(|| of_goal.then_some(at + 1))?;
    // "600k excluding parking" says what an amount is.
    if at
        .checked_sub(1)
        .is_some_and(|before| words.number(before).is_some())
        && !imperative(words, at)
    {
        return None;
    }
    let mut variables: Vec<Variable> = Vec::new();
    let mut next = start;
    let mut to = start;
    while let Some((more, end)) = input(form, words, skip(words, next)) {
        variables.extend(more);
        to = end;
        next = end;
        while words.mark(next, ',') || matches!(words.word(next), "and" | "or") {
            next += 1;
        }
        if next == end {
            break;
        }
    }
    if variables.is_empty() {
        return None;
    }
    let valued = (to..to + 3)
        .take_while(|at| !words.mark(*at, ',') && !words.mark(*at, '.') && !words.mark(*at, ':'))
        .any(|at| words.number(at).is_some());
    (!valued || imperative(words, at)).then_some((variables, to, !valued))
}

fn imperative(words: &Words, at: usize) -> bool {
    matches!(
        words.word(at),
        "ignore" | "disregard" | "exclude" | "omit" | "leave" | "forget" | "ignoring" | "disregarding"
    )
}

fn skip(words: &Words, at: usize) -> usize {
    (at..at + 4)
        .find(|at| {
            !matches!(
                words.word(*at),
                "the" | "any" | "all" | "of" | "its" | "our" | "for" | "about"
            )
        })
        .unwrap_or(at)
}

/// The variables that the longest phrase at `at` names, where each only changes a figure.
fn input(form: &Form, words: &Words, at: usize) -> Option<(Vec<Variable>, usize)> {
    let ends = |names: &Names| names.1.iter().filter_map(|name| phrase(words, at, name)).max();
    let to = form.inputs.iter().filter_map(ends).max()?;
    let variables: Vec<Variable> = form
        .inputs
        .iter()
        .filter(|names| ends(names) == Some(to))
        .map(|(variable, _)| *variable)
        .filter(|variable| modifies(*variable))
        .collect();
    (!variables.is_empty()).then_some((variables, to))
}

/// A name of what is asked for ends right before the token.
fn after_goal(form: &Form, words: &Words, at: usize) -> bool {
    let end = at - usize::from(at > 0 && words.mark(at - 1, ','));
    form.goals.iter().flat_map(|(_, names)| names.iter()).any(|name| {
        let length = name.split(' ').count();
        (length..=length + 2)
            .filter_map(|back| end.checked_sub(back))
            .any(|from| phrase(words, from, name) == Some(end))
    })
}

fn phrase(words: &Words, at: usize, phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    words.at(at, &parts)
}

/// Takes what is left out off the sheet.
pub(crate) fn apply(left_out: &[Variable], sheet: &mut Sheet) {
    let mut names: Vec<&str> = Vec::new();
    for variable in left_out {
        if sheet.deal.values.remove(variable).is_some() && !names.contains(&variable.label()) {
            names.push(variable.label());
        }
    }
    if !names.is_empty() {
        sheet.remark(&format!("Left out, as you say: {}.", names.join(", ")));
    }
    sheet.excluded = left_out.to_vec();
}

//! Limits of a loan that a question sets aside: "ignore the debt yield test", "no LTV limit", "sized on coverage alone".
//!
//! Knows words and limits. What it names does not bind; who asks with a test that is not named is asked which.

use crate::plan::deal::Deal;
use crate::plan::elimination::SIZING;
use crate::read::vocabulary::matches;
use crate::words::scan::Token;
use finance::variable::Variable;

/// What each limit is called.
#[rustfmt::skip]
const LIMITS: &[(Variable, &[&str])] = &[
    (Variable::Ltv, &["ltv", "loan to value", "loan to value ratio", "leverage"]),
    (Variable::Ltc, &["ltc", "loan to cost", "loan to cost ratio"]),
    (Variable::Dscr, &["dscr", "dcr", "debt service coverage ratio", "debt service coverage", "debt service cover", "debt coverage", "debt coverage ratio", "coverage ratio", "coverage"]),
    (Variable::DebtYield, &["debt yield", "dy"]),
];

/// Verbs and participles that set aside what follows them.
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "ignore", "ignores", "ignoring", "waive", "waives", "waiving", "waived", "disregard", "disregards", "disregarding", "skip",
    "skips", "skipping", "drop", "drops", "dropping", "dropped", "lift", "lifts", "lifting", "lifted", "remove", "removes",
    "removing", "removed", "exclude", "excludes", "excluding", "omit", "omits", "omitting", "leave out", "leaves out", "leaving out", "set aside",
    "sets aside", "setting aside", "not testing", "not test", "forget", "relax", "relaxes", "suspend", "suspends", "except", "apart from",
];

/// Words that set aside only what is called a test ("no LTV limit").
const DENIED: &[&str] = &["no", "without"];

/// After the name of a test: "the debt yield test is disregarded".
#[rustfmt::skip]
const GONE: &[&str] = &[
    "ignored", "waived", "disregarded", "skipped", "dropped", "lifted", "removed", "excluded", "omitted", "left out", "set aside",
    "suspended", "not tested", "not apply", "doesn't apply", "don't apply", "does not count", "not count", "doesn't count", "not required",
    "not binding", "not a constraint", "irrelevant", "not relevant", "off the table", "gone",
];

const TESTS: &[&str] = &[
    "test",
    "limit",
    "constraint",
    "covenant",
    "requirement",
    "restriction",
    "cap",
    "ceiling",
    "floor",
    "hurdle",
    "condition",
    "criterion",
    "maximum",
    "minimum",
];

/// Words between such a phrase and the name.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "the", "a", "an", "any", "all", "our", "their", "its", "lender's", "lenders'", "bank's", "max", "maximum", "min", "minimum", "on", "of", "for",
    "is", "are", "was", "were", "be", "been", "being", "has", "have", "can", "may", "will", "does", "do", "that", "to", "about", "both", "should",
];

/// The limits that the question sets aside.
pub(crate) fn named(tokens: &[Token]) -> Vec<Variable> {
    let mut found: Vec<Variable> = Vec::new();
    let mut add = |limit: Variable| {
        if !found.contains(&limit) {
            found.push(limit);
        }
    };
    for at in 0..tokens.len() {
        if let Some(to) = phrase(tokens, at, ASIDE) {
            listed(tokens, between(tokens, to))
                .into_iter()
                .for_each(|(limit, _)| add(limit));
        }
        if let Some(to) = phrase(tokens, at, DENIED) {
            let names = listed(tokens, between(tokens, to));
            if names
                .last()
                .is_some_and(|(_, to)| phrase(tokens, *to, TESTS).is_some())
            {
                names.into_iter().for_each(|(limit, _)| add(limit));
            }
        }
        let names = listed(tokens, at);
        if let Some((_, to)) = names.last() {
            let to = phrase(tokens, *to, TESTS).unwrap_or(*to);
            if phrase(tokens, between(tokens, to), GONE).is_some() {
                names.into_iter().for_each(|(limit, _)| add(limit));
            }
        }
    }
    found
}

/// "on LTV only", "by coverage alone": the one limit that counts.
fn alone(tokens: &[Token]) -> Option<Variable> {
    let ends = |at: usize| word(tokens, at) == "only" || word(tokens, at) == "alone";
    let leads = |at: usize| {
        matches!(word(tokens, at), "only" | "just" | "solely" | "purely")
            && matches!(
                word(tokens, at + 1),
                "on" | "by" | "the" | "with" | "using" | "from" | "to" | "off"
            )
    };
    let mut found = (0..tokens.len()).filter_map(|at| match listed(tokens, at).as_slice() {
        [(limit, to)] => {
            let to = phrase(tokens, *to, TESTS).unwrap_or(*to);
            let led = (1..=4)
                .map_while(|back| at.checked_sub(back))
                .take_while(|at| !word(tokens, *at).is_empty())
                .any(leads);
            let sized = at.checked_sub(1).is_some_and(|at| {
                matches!(
                    word(tokens, at),
                    "on" | "by" | "the" | "with" | "using" | "from" | "off" | "to"
                )
            });
            (led || (ends(to) && sized)).then_some(*limit)
        }
        _ => None,
    });
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// Takes the limits that are set aside out of the deal, or asks which is meant.
pub(crate) fn lift(tokens: &[Token], goals: &[Variable], deal: &mut Deal) {
    if !goals
        .iter()
        .any(|goal| matches!(goal, Variable::MaxLoan | Variable::Loan))
    {
        return;
    }
    let mut out = named(tokens);
    if let Some(only) = alone(tokens) {
        out.extend(
            SIZING
                .iter()
                .map(|(limit, _)| *limit)
                .filter(|limit| *limit != only),
        );
    }
    if out.is_empty() && unnamed(tokens) {
        deal.doubts
            .push("Which of the lender's tests should be left out?".to_owned());
    }
    for limit in out {
        if deal.values.remove(&limit).is_some() {
            deal.remarks
                .push(format!("The test of {} is left out, as you say.", limit.label()));
        }
    }
}

/// "waive the second test".
fn unnamed(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        phrase(tokens, at, ASIDE).is_some_and(|to| {
            (to..to + 4)
                .take_while(|at| !word(tokens, *at).is_empty())
                .any(|at| phrase(tokens, at, TESTS).is_some())
        })
    })
}

/// The limits named one after the other from `at` on, each with the token after it.
fn listed(tokens: &[Token], at: usize) -> Vec<(Variable, usize)> {
    let mut found = Vec::new();
    let mut next = at;
    while let Some((limit, to)) = limit(tokens, next) {
        found.push((limit, to));
        let mut on = phrase(tokens, to, TESTS).unwrap_or(to);
        let joined = on;
        while tokens
            .get(on)
            .is_some_and(|token| token.is_mark(',') || token.is_mark('/'))
            || matches!(word(tokens, on), "and" | "or" | "nor" | "the")
        {
            on += 1;
        }
        if on == joined {
            break;
        }
        next = on;
    }
    found
}

fn limit(tokens: &[Token], at: usize) -> Option<(Variable, usize)> {
    LIMITS
        .iter()
        .filter_map(|(limit, names)| phrase(tokens, at, names).map(|to| (*limit, to)))
        .max_by_key(|(_, to)| *to)
}

fn between(tokens: &[Token], at: usize) -> usize {
    (at..at + 5)
        .find(|at| !BETWEEN.contains(&word(tokens, *at)))
        .unwrap_or(at)
}

/// The token after the longest of the phrases that stands at `at`.
fn phrase(tokens: &[Token], at: usize, phrases: &[&str]) -> Option<usize> {
    let first = word(tokens, at).chars().next()?;
    phrases
        .iter()
        .filter(|phrase| phrase.starts_with(first))
        .filter_map(|phrase| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            matches(tokens, at, &parts)
        })
        .max()
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

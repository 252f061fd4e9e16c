//! Checks the numbers of an answer: each must come from something that the run was given, the figure that was asked
//! must be stated, and a value must stand next to its own name.

use std::collections::BTreeMap;

use calls::audit::prose::numbers;
use calls::audit::trace::{Untraced, untraced};
use finance::variable::Variable;

use crate::analysis::answer::Figure;
use crate::analysis::engines::model::stated;
use crate::analysis::tools::typed::run::TypedCalls;

/// Most numbers that a sentence names.
const NAMED: usize = 10;

/// What is wrong with the numbers of an answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Findings {
    pub untraced: Vec<Untraced>,
    /// A sentence for each figure that is not stated, or under another name.
    pub claims: Vec<String>,
}

impl Findings {
    pub fn of(text: &str, calls: &TypedCalls<'_>) -> Self {
        let claims = asked_but_unstated(text, calls)
            .into_iter()
            .chain(misnamed(text, calls));
        Self {
            untraced: untraced(text, &calls.known()),
            claims: claims.collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.untraced.is_empty() && self.claims.is_empty()
    }

    /// The untraced numbers as they are written, each once.
    pub fn numbers(&self) -> String {
        let mut texts: Vec<&str> = Vec::new();
        for number in &self.untraced {
            if !texts.contains(&number.text.as_str()) {
                texts.push(&number.text);
            }
        }
        let more = texts.len().saturating_sub(NAMED);
        let mut listed = texts.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
        if more > 0 {
            listed.push_str(&format!(" and {more} more"));
        }
        listed
    }

    /// Sentences for the warnings of the answer.
    pub fn warnings(&self) -> Vec<String> {
        let numbers = (!self.untraced.is_empty()).then(|| {
            let numbers = self.numbers();
            format!("Not verified, because nothing that was given or computed has these numbers: {numbers}.")
        });
        numbers.into_iter().chain(self.claims.iter().cloned()).collect()
    }
}

/// The figures that were asked: the first ones of calls whose results no other call used.
pub fn asked<'c>(calls: &'c TypedCalls<'_>) -> Vec<&'c Figure> {
    let arguments: Vec<String> = calls
        .made()
        .iter()
        .map(|made| made.arguments.to_string())
        .collect();
    let is_used = |reference: &str| {
        let (whole, part) = (format!("\"{reference}\""), format!("\"{reference}."));
        arguments
            .iter()
            .any(|text| text.contains(&whole) || text.contains(&part))
    };
    calls
        .made()
        .iter()
        .filter_map(|made| made.figures.first())
        .filter(|(reference, _)| !is_used(reference.split('.').next().unwrap_or(reference)))
        .map(|(_, figure)| figure)
        .collect()
}

/// The figure that was computed last, if the text states none of those that were asked.
fn asked_but_unstated(text: &str, calls: &TypedCalls<'_>) -> Option<String> {
    let asked = asked(calls);
    let last = *asked.last()?;
    if asked
        .iter()
        .any(|figure| !stated::in_order(text, &[*figure]).is_empty())
    {
        return None;
    }
    Some(format!(
        "The text does not state what was asked: {}.",
        stated::line(last)
    ))
}

/// Values of one figure that stand next to the name of another.
fn misnamed(text: &str, calls: &TypedCalls<'_>) -> Vec<String> {
    let figures = calls.made().iter().flat_map(|made| &made.figures);
    let mut by_name: BTreeMap<&str, Vec<&Figure>> = BTreeMap::new();
    for (_, figure) in figures {
        by_name.entry(&figure.name).or_default().push(figure);
    }
    let named: Vec<(&str, Vec<String>)> = by_name.keys().map(|name| (*name, names(name))).collect();
    let mut claims: Vec<String> = Vec::new();
    for clause in clauses(text) {
        let lower = clause.to_lowercase();
        let mut here = named
            .iter()
            .filter(|(_, names)| names.iter().any(|name| has_words(&lower, name)));
        let (Some((name, _)), None) = (here.next(), here.next()) else {
            continue;
        };
        let numbers = numbers(clause);
        let stated = |figures: &Vec<&Figure>| {
            figures
                .iter()
                .copied()
                .find(|figure| stated::states(&numbers, figure))
                .cloned()
        };
        let own = by_name.get(name).into_iter().flatten().copied().next();
        let (Some(own), None) = (own, by_name.get(name).and_then(stated)) else {
            continue;
        };
        let others = by_name.iter().filter(|(other, _)| *other != name);
        if let Some(other) = others.filter_map(|(_, figures)| stated(figures)).next() {
            let claim = format!(
                "The text puts a value of another figure next to the {}: {}, but {}.",
                name.replace('_', " "),
                stated::line(&other),
                stated::line(own)
            );
            if !claims.contains(&claim) {
                claims.push(claim);
            }
        }
    }
    claims
}

/// Parts of sentences: between them a name and a value do not belong together.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';', '|'])
        .flat_map(|line| line.split(". "))
        .flat_map(|sentence| sentence.split(", "))
        .flat_map(|part| part.split(" and "))
        .filter(|part| part.bytes().any(|byte| byte.is_ascii_digit()))
}

/// How people write the name of a figure: its word and its label.
fn names(word: &str) -> Vec<String> {
    let label = Variable::from_word(word).map(Variable::label);
    let label = label
        .and_then(|label| label.split(['(', ',']).next())
        .map(|label| label.trim().to_lowercase());
    std::iter::once(word.replace('_', " ")).chain(label).collect()
}

/// Whether a text has a name as whole words.
fn has_words(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text
            .get(at + name.len()..)
            .and_then(|behind| behind.chars().next());
        let letter = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        !letter(before) && !letter(behind)
    })
}

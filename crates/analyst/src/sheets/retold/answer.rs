//! A question about a table that was not read as it stands, tried again without what changes nothing, in the usual
//! words, and each of its sentences on its own.
//!
//! Only an answer is taken from here: what is asked back is asked about the question as it was put.

use std::collections::HashSet;

use chrono::NaiveDate;

use crate::sheets::attempt::{self, Attempt};
use crate::sheets::breaks;
use crate::sheets::costs_but;
use crate::sheets::coverage;
use crate::sheets::finding::{Outcome, merged};
use crate::sheets::indicated;
use crate::sheets::modified;
use crate::sheets::narrowing;
use crate::sheets::orders;
use crate::sheets::potential;
use crate::sheets::priced;
use crate::sheets::retold::doubled;
use crate::sheets::retold::manners;
use crate::sheets::retold::presenting;
use crate::sheets::retold::remarks;
use crate::sheets::retold::restated;
use crate::sheets::retold::tokens::{self, Token};
use crate::sheets::retold::wording;
use crate::sheets::sources::Sheet;
use crate::sheets::tops;
use crate::sheets::variances;
use crate::sheets::views;
use crate::sheets::words::Words;
use crate::sheets::yields;
use tables::cashflows;
use tables::headers::Field;
use tables::kind::Kind;
use tables::turned;

/// The answer to the question in other words, if there is one.
pub(crate) fn answer(sheet: &Sheet, question: &str, today: NaiveDate) -> Option<Outcome> {
    let ordered = orders::told(sheet, question);
    let sheet = ordered.as_ref().unwrap_or(sheet);
    if let Some(outcome) = on(sheet, question, today) {
        return Some(outcome);
    }
    // Months in rows and accounts in columns: a statement turned round.
    let turned = turned::statement(&sheet.table)?;
    let sheet = Sheet {
        kind: Kind::Statement,
        ..sheet.with(turned)
    };
    on(&sheet, question, today).or_else(|| tried(&sheet, question, today))
}

fn on(sheet: &Sheet, question: &str, today: NaiveDate) -> Option<Outcome> {
    let mut all = tokens::of(question);
    presenting::left_out(&mut all, sheet);
    manners::left_out(&mut all, sheet);
    doubled::left_out(&mut all, sheet);
    restated::left_out(&mut all, sheet);
    wording::usual(&mut all, sheet);
    remarks::left_out(&mut all, sheet);
    wording::usual(&mut all, sheet);
    restated::left_out(&mut all, sheet);
    doubled::left_out(&mut all, sheet);
    manners::left_out(&mut all, sheet);
    let told = tokens::text(&all);
    if let Some(outcome) = breaks::answer(sheet, &all, today) {
        return Some(outcome);
    }
    if let Some(outcome) = known(sheet, &told) {
        return Some(outcome);
    }
    if let Some(outcome) = each(sheet, &all, today) {
        return Some(outcome);
    }
    (told != question).then(|| tried(sheet, &told, today)).flatten()
}

/// Figures with a reading of their own.
fn known(sheet: &Sheet, question: &str) -> Option<Outcome> {
    tops::answer(sheet, question)
        .or_else(|| yields::answer(sheet, question))
        .or_else(|| variances::answer(sheet, question))
        .or_else(|| modified::answer(sheet, question))
        .or_else(|| indicated::answer(sheet, question))
        .or_else(|| coverage::answer(sheet, question))
        .or_else(|| costs_but::answer(sheet, question))
        .or_else(|| potential::answer(sheet, question))
        .or_else(|| priced::answer(sheet, question))
}

/// What other readings would take for less than it asks: how far a figure is off its budget, who is the largest.
pub(crate) fn first(sheet: &Sheet, question: &str, today: NaiveDate) -> Option<Outcome> {
    let mut all = tokens::of(question);
    remarks::left_out(&mut all, sheet);
    wording::usual(&mut all, sheet);
    let told = tokens::text(&all);
    if tops::names_too(&told) {
        return tops::answer(sheet, &told);
    }
    if let Some(outcome) = priced::multiplier(sheet, &told)
        .or_else(|| coverage::after_reserves(sheet, question))
        .or_else(|| coverage::answer(sheet, question))
    {
        return Some(outcome);
    }
    // Interest and principal beside it say what the debt service is, and ask for no line of their own.
    if let Some(outcome) = coverage::answer(sheet, &told) {
        return Some(outcome);
    }
    if potential::mixed(question) {
        return potential::answer(sheet, &told);
    }
    if sheet.kind == Kind::Other
        && let Some(outcome) = flows(sheet, question, &told, today)
    {
        return Some(outcome);
    }
    let far = tokens::find(&all, "how far", 0).is_some();
    far.then(|| variances::answer(sheet, &told)).flatten()
}

/// A rate of return of a table that is none of flows by its look: its columns are said to be summed, or those of what
/// was paid in and out.
fn flows(sheet: &Sheet, question: &str, told: &str, today: NaiveDate) -> Option<Outcome> {
    let words = Words::of(question);
    if !words.says(&[
        "irr",
        "xirr",
        "npv",
        "xnpv",
        "multiple",
        "moic",
        "present value",
        "internal rate of return",
    ]) {
        return None;
    }
    let read = cashflows::read(&sheet.table, &words.texts()).ok()?;
    let periods = matches!(&read.flows, cashflows::Flows::Periodic { .. });
    let dated = sheet.table.has(Field::Period) || sheet.table.has(Field::Date);
    if !read.doubts.is_empty() || !(periods && dated || matches!(&read.flows, cashflows::Flows::Dated(_))) {
        return None;
    }
    let sheet = Sheet {
        kind: Kind::Flows,
        ..sheet.with(sheet.table.clone())
    };
    tried(&sheet, told, today).or_else(|| on(&sheet, question, today))
}

fn tried(sheet: &Sheet, question: &str, today: NaiveDate) -> Option<Outcome> {
    match views::answer(sheet, question, today).unwrap_or_else(|| attempt::of(sheet, question, today)) {
        Attempt::Answer(outcome) => Some(outcome),
        _ => None,
    }
}

/// Two sentences that each ask for something, the first of everything: none of them narrows the other.
fn each(sheet: &Sheet, all: &[Token], today: NaiveDate) -> Option<Outcome> {
    let mut parts: Vec<Vec<Token>> = vec![Vec::new()];
    for (at, token) in all.iter().enumerate() {
        let word = |n: usize| all.get(at + n).map_or("", |token| token.word.as_str());
        let pause = at > 0 && all.get(at - 1).is_some_and(Token::pauses);
        let ended = at > 0 && all.get(at - 1).is_some_and(|before| before.after.contains('?'));
        let joined = pause && matches!(word(0), "plus" | "and") && matches!(word(1), "how" | "what" | "who");
        if (ended || joined) && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(Vec::new());
        }
        let leads =
            parts.last().is_some_and(Vec::is_empty) && matches!(word(0), "and" | "plus" | "then") && at > 0;
        if leads {
            continue;
        }
        if let Some(part) = parts.last_mut() {
            part.push(token.clone());
        }
    }
    let [first, second] = parts.as_slice() else {
        return None;
    };
    if second.is_empty() {
        return None;
    }
    let second = with_time(first, second);
    // A condition of the first could be meant for the second too.
    if !carries(first, &second) && conditional(sheet, first) {
        return None;
    }
    if second.iter().any(|token| {
        matches!(
            token.word.as_str(),
            "that" | "it" | "they" | "those" | "them" | "these"
        )
    }) {
        return None;
    }
    let one = tried(sheet, &tokens::text(first), today)?;
    let other = tried(sheet, &tokens::text(&second), today)?;
    merged([Ok(one), Ok(other)].into_iter()).ok()
}

const EXPIRES: &[&str] = &[
    "expires", "expire", "expiring", "rolls", "matures", "maturing", "ends",
];

/// Whether the second sentence was given the time of the first.
fn carries(first: &[Token], second: &[Token]) -> bool {
    let says = |all: &[Token]| all.iter().any(|token| EXPIRES.contains(&token.word.as_str()));
    says(first) && says(second)
}

/// "And how many leases?", "how many square feet is that?" behind what expires in a time: of the same time.
fn with_time(first: &[Token], second: &[Token]) -> Vec<Token> {
    let own: Vec<&str> = second.iter().map(|token| token.word.as_str()).collect();
    let short = matches!(own.as_slice(), ["how", "many", ..]) && own.len() <= 6;
    let from = first
        .iter()
        .position(|token| EXPIRES.contains(&token.word.as_str()))
        .filter(|_| short);
    let Some(from) = from else {
        return second.to_vec();
    };
    let mut out: Vec<Token> = second
        .iter()
        .filter(|token| !matches!(token.word.as_str(), "is" | "that" | "are" | "those" | "it"))
        .map(|token| Token::plain(&token.raw))
        .collect();
    let time: Vec<Token> = first
        .get(from..)
        .unwrap_or_default()
        .iter()
        .map_while({
            let mut open = true;
            move |token| {
                let own = open.then(|| token.clone());
                open &= !token.pauses();
                own
            }
        })
        .collect();
    out.extend(time);
    if let Some(last) = out.last_mut() {
        "?".clone_into(&mut last.after);
    }
    out
}

/// Whether a sentence could choose rows.
fn conditional(sheet: &Sheet, all: &[Token]) -> bool {
    let cells: HashSet<&str> = sheet
        .table
        .data()
        .flat_map(|row| row.cells.iter())
        .filter(|cell| cell.len() > 3 && cell.contains(char::is_alphabetic))
        .collect();
    let named: HashSet<String> = cells
        .into_iter()
        .flat_map(tables::headers::words)
        .filter(|word| word.len() > 3)
        .collect();
    let harmless = [
        "weighted",
        "average",
        "percent",
        "by",
        "share",
        "percentage",
        "per",
        "occupied",
        "which",
        "who",
        "economic",
        "each",
        "largest",
        "vacant",
        "empty",
        "effective",
        "gross",
        "net",
        "mean",
    ];
    all.iter().any(|token| {
        let word = token.word.as_str();
        !harmless.contains(&word)
            && (word.bytes().any(|byte| byte.is_ascii_digit())
                || narrowing::could_narrow(word)
                || named.contains(word))
    })
}

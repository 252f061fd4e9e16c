//! A statement with several columns of amounts: quarters, years, month and year to date, actual and budget. Which of
//! them a question means; seen through them it is a statement with one amount for each line.
//!
//! Computes nothing but the sum of quarters. What two columns differ by is [`changes`](super::changes)'.

use chrono::NaiveDate;

use crate::sheets::attempt::{self, Attempt};
use crate::sheets::changes;
use crate::sheets::finding::Open;
use crate::sheets::slots::{Reach, Slot, called, through, together};
use crate::sheets::slotted::{LAST_THREE, view};
use crate::sheets::sources::Sheet;
use crate::sheets::words::{Kind as WordKind, Words};
use tables::kind::Kind;
use tables::statement;

/// What is left of a question when the words for its columns are taken.
fn rest(words: &Words) -> String {
    words
        .all
        .iter()
        .filter(|word| !word.used)
        .map(|word| {
            let text = match &word.kind {
                WordKind::Date(dated) => dated.date.to_string(),
                _ => word.text.clone(),
            };
            if word.begins { format!(", {text}") } else { text }
        })
        .collect::<Vec<_>>()
        .join(" ")
        .trim_start_matches([',', ' '])
        .to_owned()
}

/// The answer, if the table is a statement with several columns of amounts.
pub(crate) fn answer(sheet: &Sheet, question: &str, today: NaiveDate) -> Option<Attempt> {
    let lines = sheet.kind == Kind::Statement
        || (sheet.kind == Kind::Flows && statement::has_both_sides(&sheet.table));
    if !lines {
        return None;
    }
    let mut words = Words::of(question);
    let each = [
        "per unit",
        "per door",
        "per apartment",
        "per key",
        "per square foot",
        "per sf",
        "per sq ft",
        "psf",
    ];
    if sheet.kind == Kind::Statement && words.says(&each) {
        return per_size(sheet, words, &each, today);
    }
    let view = view(&sheet.table)?;
    if sheet.kind == Kind::Flows && words.says(&["irr", "npv", "multiple", "return", "present value"]) {
        return None;
    }
    let said = view.said(&mut words);
    let dated = sheet.table.months().len() >= 2;
    // Months with their years are known to others; quarters without one are not.
    if dated && (said.reaches.len() < 3 || said.reaches.contains(&Reach::Year)) {
        return None;
    }
    if let Some(result) = changes::between(sheet, &view, &said, &words) {
        return Some(match result {
            Ok(outcome) => Attempt::Answer(outcome),
            Err(open) => Attempt::Open(open),
        });
    }
    // A comparison that was not read is no question for one column.
    if words.says(changes::CHANGE) || words.says(&["how far", "off budget", "off plan", "if"]) {
        return None;
    }
    let whole = said.reaches.is_empty() || said.reaches.contains(&Reach::Year);
    let chosen = view.fitting(&said);
    let separate = said.reaches.len() == 2
        && words.says(&["and"])
        && !words.says(&["combined", "together", "total", "sum", "plus", "half"]);
    if separate {
        return None;
    }
    if chosen.is_empty() || !together(&chosen, whole) || said.years.len() > 1 || said.versions.len() > 1 {
        return None;
    }
    let months = length(&chosen);
    let three = words.take(LAST_THREE);
    let annualized = words.take(&["annualize", "annualise", "annualized", "annualised"]) || three;
    let monthly = words.says(&["monthly", "per month", "a month", "each month"]);
    let valued = words.says(&["cap", "cap rate", "capitalization rate"]);
    let factor = match months {
        Some(12) if !monthly => 1.0,
        Some(months) if annualized => 12.0 / f64::from(months),
        Some(months) if monthly => {
            words.take(&["average", "monthly", "per month", "a month", "each month"]);
            1.0 / f64::from(months)
        }
        None if annualized || monthly => {
            return Some(Attempt::Open(Open::because(
                "Of how many months are these amounts?",
            )));
        }
        _ if valued => {
            return Some(Attempt::Open(Open::because(
                "A value needs the income of a year. Should I annualize it?",
            )));
        }
        _ => 1.0,
    };
    let seen = through(sheet, &chosen, factor);
    let name = called(&sheet.table, &chosen);
    Some(match attempt::of(&seen, &rest(&words), today) {
        Attempt::Answer(mut outcome) => {
            for finding in &mut outcome.findings {
                if finding.period.is_none() {
                    finding.period = Some(name.clone());
                }
            }
            if annualized && factor != 1.0 {
                outcome.remarks.push(format!("{name}, times {factor}."));
            }
            Attempt::Answer(outcome)
        }
        _ => return None,
    })
}

/// "Payroll per unit": the column that has it, if there is one.
fn per_size(sheet: &Sheet, mut words: Words, each: &[&str], today: NaiveDate) -> Option<Attempt> {
    let units = words.says(&["per unit", "per door", "per apartment", "per key"]);
    let names: &[&str] = if units {
        &["unit", "door", "key"]
    } else {
        &["psf", "/sf", "persf", "sqft", "sf"]
    };
    let own = sheet.numeric().iter().copied().find(|at| {
        let header = sheet.table.header(*at).to_lowercase();
        names.iter().any(|name| header.contains(name))
    });
    let Some(column) = own else {
        return Some(Attempt::Open(Open {
            unclear: true,
            ..Open::because("The statement does not say how many units or square feet there are.")
        }));
    };
    words.take(each);
    let seen = through(sheet, &[(column, Slot::default())], 1.0);
    match attempt::of(&seen, &rest(&words), today) {
        Attempt::Answer(mut outcome) => {
            for finding in &mut outcome.findings {
                finding.period = Some(sheet.table.header(column).to_owned());
            }
            Some(Attempt::Answer(outcome))
        }
        _ => None,
    }
}

/// How many months the columns hold; none where they do not say.
fn length(columns: &[(usize, Slot)]) -> Option<u32> {
    columns
        .iter()
        .map(|(_, slot)| match slot.reach {
            Some(Reach::Month | Reach::Of(_)) => Some(1),
            Some(Reach::Quarter(_)) => Some(3),
            Some(Reach::Year) | None => Some(12),
            Some(Reach::ToDate) => None,
        })
        .sum()
}

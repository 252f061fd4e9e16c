//! Closes the account of an answer: compares it with what the table prints, and says which rows counted and which did
//! not.

use std::collections::BTreeSet;

use crate::sheets::finding::{Finding, Open, Outcome, currency, plain};
use crate::sheets::fitting_columns;
use crate::sheets::measured::{Column, Unit};
use crate::sheets::sources::Sheet;
use tables::headers::Field;
use tables::kind::Kind;
use tables::mixed::{Mixed, mixed, only_currency, other_period};
use tables::numbers;
use tables::statement;
use tables::table::Row;
use tables::tally::{Printed, Tally};
use tables::vacant::is_vacant;

/// Cells that a sentence shows.
const SHOWN: usize = 3;

/// Why the account of an answer stays open: cells of its column are neither numbers nor empty, or are not of one kind.
pub(crate) fn open(sheet: &Sheet, outcome: &Outcome, question: &str) -> Option<Open> {
    unread(sheet, outcome)
        .or_else(|| of_both_sides(sheet, outcome))
        .or_else(|| of_several_columns(sheet, outcome, question))
        .or_else(|| of_several_kinds(sheet, outcome))
}

/// Income and costs of a statement under one another have no total.
fn of_both_sides(sheet: &Sheet, outcome: &Outcome) -> Option<Open> {
    let whole = |finding: &&Finding| finding.counted.is_some_and(|counted| counted.whole);
    let finding = outcome.findings.iter().find(whole)?;
    (sheet.kind == Kind::Statement && statement::has_both_sides(&sheet.table)).then(|| {
        Open::because(format!(
            "The {} would be of income and costs together. Do you mean the total income, the total expenses, or the NOI?",
            finding.label
        ))
    })
}

fn of_several_columns(sheet: &Sheet, outcome: &Outcome, question: &str) -> Option<Open> {
    let numeric = sheet.numeric();
    let said = outcome.findings.iter().filter(|finding| !finding.aside);
    let taken: Vec<usize> = said
        .flat_map(|finding| match sheet.kind {
            Kind::Statement => named_columns(sheet, finding),
            _ => columns(sheet, finding),
        })
        .collect();
    let fitting = fitting_columns::of(&sheet.table, numeric, &taken, question)?;
    let names: Vec<String> = fitting
        .iter()
        .map(|at| format!("“{}”", sheet.table.header(*at)))
        .collect();
    Some(Open::because(format!(
        "Which column do you mean: {}?",
        names.join(", ")
    )))
}

fn unread(sheet: &Sheet, outcome: &Outcome) -> Option<Open> {
    if sheet.kind == Kind::Statement {
        return None;
    }
    let table = &sheet.table;
    let said = outcome.findings.iter().filter(|finding| !finding.aside);
    said.filter_map(|finding| finding.counted).find_map(|counted| {
        let unread = |row: &&Row| {
            let cell = table.text(row, counted.column);
            !numbers::is_nothing(cell) && !is_vacant(cell) && table.number(row, counted.column).is_none()
        };
        let cells: Vec<&str> = table.data().filter(unread).map(|row| table.text(row, counted.column)).collect();
        let shown: Vec<String> = cells.iter().take(SHOWN).map(|cell| format!("“{cell}”")).collect();
        (!cells.is_empty()).then(|| {
            Open::because(format!(
                "{} of the cells under “{}” are no amounts that I can read: {}. Please write them as numbers, or leave \
                 them empty if they do not count.",
                cells.len(),
                table.header(counted.column),
                shown.join(", ")
            ))
        })
    })
}

/// Numbers of several currencies, periods or notations make no figure, unless the question chooses one of them.
fn of_several_kinds(sheet: &Sheet, outcome: &Outcome) -> Option<Open> {
    let mixed = mixed_columns(sheet, outcome);
    let said = outcome.findings.iter().filter(|finding| !finding.aside);
    let turned = |finding: &&Finding| {
        finding.period.as_deref() == Some("year") && of_other_period(sheet, &mixed, finding)
    };
    if let Some(finding) = said.clone().find(turned) {
        return Some(Open::because(format!(
            "The {} is not of months, so I do not turn it into another period. Please ask for the amounts as the table has them.",
            finding.label
        )));
    }
    said.flat_map(|finding| mixed.of(sheet, finding).map(move |own| (finding, own)))
        .find(|(finding, own)| chosen(sheet, finding, own).is_none())
        .map(|(_, own)| Open::because(own.sentence.clone()))
}

/// Whether another column says that the amounts of a figure are not of months.
fn of_other_period(sheet: &Sheet, mixed: &MixedColumns, finding: &Finding) -> bool {
    let chosen = mixed
        .of(sheet, finding)
        .find_map(|own| chosen(sheet, finding, own));
    let mut rents = columns(sheet, finding).into_iter().filter(|at| {
        sheet
            .table
            .columns
            .get(*at)
            .is_some_and(|column| column.field == Some(Field::Rent))
    });
    rents.any(|column| other_period(&sheet.table, column, chosen))
}

/// The columns of an outcome whose numbers are of several kinds.
struct MixedColumns(Vec<(usize, Mixed)>);

fn mixed_columns(sheet: &Sheet, outcome: &Outcome) -> MixedColumns {
    let of_outcome = outcome
        .findings
        .iter()
        .flat_map(|finding| columns(sheet, finding));
    let distinct: BTreeSet<usize> = of_outcome.collect();
    let of = |column| {
        let money = Column::of(&sheet.table, column).of == Unit::Money;
        Some((column, mixed(&sheet.table, column, money)?))
    };
    MixedColumns(distinct.into_iter().filter_map(of).collect())
}

impl MixedColumns {
    fn of(&self, sheet: &Sheet, finding: &Finding) -> impl Iterator<Item = &Mixed> {
        let own = columns(sheet, finding);
        self.0
            .iter()
            .filter(move |(column, _)| own.contains(column))
            .map(|(_, mixed)| mixed)
    }
}

/// The one kind that a figure is of: its condition or its group says so.
fn chosen<'a>(sheet: &Sheet, finding: &Finding, mixed: &'a Mixed) -> Option<&'a str> {
    let header = sheet.table.header(mixed.by?);
    let label = finding.label.to_lowercase();
    let said = |kind: &&String| match &finding.subject {
        Some(subject) if finding.counted.is_none() => subject.eq_ignore_ascii_case(kind),
        _ => names(&finding.label, header) && label.contains(&kind.to_lowercase()),
    };
    let mut said = mixed.kinds.iter().filter(said);
    said.next().filter(|_| said.next().is_none()).map(String::as_str)
}

/// Writes amounts in the currency that their rows are chosen by, and without a period that is not theirs.
fn in_chosen_kinds(sheet: &Sheet, outcome: &mut Outcome) {
    let mixed = mixed_columns(sheet, outcome);
    for finding in &mut outcome.findings {
        if finding.period.is_some() && of_other_period(sheet, &mixed, finding) {
            finding.period = None;
        }
        let chosen = mixed
            .of(sheet, finding)
            .find_map(|own| only_currency(chosen(sheet, finding, own)?));
        let (Some(old), Some((code, sign))) = (
            currency(finding.unit),
            chosen.and_then(|code| Some((code, currency(code)?))),
        ) else {
            continue;
        };
        let shown = std::mem::take(&mut finding.shown);
        finding.shown = shown.replace(old, sign);
        finding.unit = code;
        let Some(subject) = &finding.subject else { continue };
        for between in [" ", " | "] {
            let written = |shown: &str| format!("{subject}{between}{shown}");
            for text in outcome.sentence.iter_mut().chain(&mut outcome.tables) {
                *text = text.replace(&written(&shown), &written(&finding.shown));
            }
        }
    }
}

fn named_columns(sheet: &Sheet, finding: &Finding) -> Vec<usize> {
    let named = |at: &usize| names(&finding.label, sheet.table.header(*at));
    let mut found: Vec<usize> = sheet.numeric().iter().copied().filter(named).collect();
    found.extend(finding.counted.map(|counted| counted.column));
    found
}

fn names(label: &str, header: &str) -> bool {
    label.contains(&format!("“{header}”"))
}

/// The columns that a figure is of: those that it names or, of an amount that names none, those that such a table has.
fn columns(sheet: &Sheet, finding: &Finding) -> Vec<usize> {
    let table = &sheet.table;
    let mut found = named_columns(sheet, finding);
    let amount = finding
        .unit
        .split('/')
        .next()
        .is_some_and(|unit| currency(unit).is_some());
    if found.is_empty() && amount {
        found = match sheet.kind {
            Kind::Statement => sheet.numeric().to_vec(),
            _ => [Field::Rent, Field::AnnualRent, Field::Amount, Field::Price]
                .iter()
                .filter_map(|field| table.column(*field))
                .collect(),
        };
    }
    found
}

/// Adds the account of the table to an answer, and what the file prints where that is another figure.
pub(crate) fn close(sheet: &Sheet, outcome: &mut Outcome) {
    if sheet.kind == Kind::Statement && !outcome.account.is_empty() {
        return;
    }
    in_chosen_kinds(sheet, outcome);
    let tally = Tally::of(&sheet.table);
    if let Some(across) = &tally.across {
        for finding in &mut outcome.findings {
            let is = |amount: f64| {
                finding
                    .value
                    .as_f64()
                    .is_some_and(|value| (value - amount).abs() <= 0.01)
            };
            match finding.counted {
                Some(own) if own.column == across.column && is(across.printed) => {
                    finding.parts = Some(across.made);
                }
                None if is(across.made) => finding.printed = Some(across.printed),
                _ => {}
            }
        }
    }
    let mut printed: Option<&Printed> = None;
    let mut counted = None;
    for finding in outcome.findings.iter_mut().filter(|finding| !finding.aside) {
        let Some(own) = finding.counted else { continue };
        counted = counted.or(Some(own));
        let of_column = tally.printed.iter().find(|printed| printed.column == own.column);
        let (Some(of_column), Some(value)) = (of_column.filter(|_| own.whole), finding.value.as_f64()) else {
            continue;
        };
        printed = printed.or(Some(of_column));
        let same = (of_column.value - value).abs() <= 0.01_f64.max(value.abs() * 1e-9);
        if !same && finding.printed.is_none() {
            finding.printed = Some(of_column.value);
        }
    }
    let (rows, chosen) = counted.map_or((tally.data, tally.data), |counted| (counted.rows, counted.chosen));
    outcome.account = vec![format!("Counted {rows} of {} rows.", tally.rows())];
    let left_out: Vec<String> = [
        (tally.data.saturating_sub(chosen), "that are not asked about"),
        (chosen.saturating_sub(rows), "without an amount"),
        (tally.totals, "totals"),
        (tally.print, "lines of print"),
        (tally.another, "lines of another table"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    if !left_out.is_empty() {
        outcome
            .account
            .push(format!("Left out: {}.", left_out.join(", ")));
    }
    let Some(counted) = counted.filter(|counted| counted.whole) else {
        return;
    };
    let header = sheet.table.header(counted.column);
    outcome.account.push(match printed {
        Some(printed) if printed.agrees() => {
            format!(
                "The printed total of “{header}”, {}, agrees with its rows.",
                plain(printed.value, 2)
            )
        }
        Some(printed) => format!(
            "The printed total of “{header}” is {}, and its rows make {}.",
            plain(printed.value, 2),
            plain(printed.sum, 2)
        ),
        None => format!("The file prints no total of “{header}”."),
    });
}

//! A question with the amounts of its one file told before it, asked of the calculations.
//!
//! "Uses are in the csv. The loan is $31.5M, what is the loan to cost?" needs the sum of the file. Only an answer is taken
//! from here, it uses an amount of the file and names it; a question that speaks of a part of the file is left open.

use serde_json::Value;

use crate::calculation::{self, SHORT};
use crate::contract::brief::{Brief, FileFrom};
use crate::contract::draft::Draft;
use crate::handed::amounts::{self, Told};
use crate::handed::{budgets, lines, pointing, series};
use crate::read::given::QUESTION;
use crate::sheets::finding::inert;
use crate::sheets::sources::{self, Place, Sheet};

/// The answer to the question with what its file tells.
pub(crate) fn answer(brief: &Brief) -> Option<Draft> {
    let sent = brief
        .files
        .iter()
        .filter(|file| file.from == FileFrom::Question)
        .count();
    if sent != 1 || brief.question.len() >= SHORT {
        return None;
    }
    let found = sources::find(brief);
    let mut near = found.sheets.iter().filter(|sheet| sheet.place < Place::Note);
    let sheet = near.next().filter(|sheet| sheet.place == Place::Attached)?;
    if near.next().is_some() || !amounts::in_dollars(sheet) {
        return None;
    }
    let question = pointing::without_file(&found.question);
    tellings(sheet, &question)
        .into_iter()
        .find_map(|(told, question)| asked(brief, sheet, &told, &question))
}

/// Ways to tell the file, each with the question it is told for; the one that tells least comes first.
fn tellings(sheet: &Sheet, question: &str) -> Vec<(Told, String)> {
    if let Some(own) = series::index(sheet, question) {
        return vec![own].into_iter().filter(whole).collect();
    }
    let statement = || match budgets::budget(sheet) {
        Some(told) => vec![told],
        None => amounts::statement(sheet, question),
    };
    let others = || {
        series::incomes(sheet, question)
            .or_else(|| series::flows(sheet))
            .or_else(|| lines::lines(sheet, question))
    };
    let mut told = statement();
    if told.is_empty() {
        told.extend(others());
    }
    let each = told.into_iter().map(|told| (told, question.to_owned()));
    each.filter(whole).collect()
}

/// Whether the question speaks of all that is told.
fn whole((told, question): &(Told, String)) -> bool {
    let named: Vec<&str> = told.lines.iter().map(String::as_str).collect();
    !pointing::narrows(question, &named, told.costs)
}

/// The answer, if an amount of the file is among what it was computed from.
fn asked(brief: &Brief, sheet: &Sheet, told: &Told, question: &str) -> Option<Draft> {
    // "MIRR: finance at 7%": some questions are only read where they begin the text.
    let orders = [
        format!("{}{question}", told.text),
        format!("{question} {}", told.text.trim_end()),
    ];
    let (question, mut draft) = orders.into_iter().find_map(|question| {
        let draft = calculation::answer(&Brief {
            question: question.clone(),
            files: Vec::new(),
            earlier: None,
            ..brief.clone()
        });
        draft.success.then_some((question, draft))
    })?;
    let mut used = false;
    for input in draft.figures.iter_mut().flat_map(|figure| &mut figure.inputs) {
        if input.origin == QUESTION && told.has(&input.value) {
            input.origin.clone_from(&sheet.name);
            used = true;
        }
    }
    if !used && !told.list {
        return None;
    }
    let from = format!("From {}: {}", sheet.name, told.text.trim_end());
    draft.quick_reply = format!("{} {from}", draft.quick_reply);
    draft.summary = format!("{} {from}", draft.summary);
    draft.result.push_str(&format!(
        "\n{}\n\nRead as: “{}”\n",
        inert(&from),
        inert(&question)
    ));
    draft.used_files.extend(sheet.file);
    Some(draft)
}

impl Told {
    /// Whether a value, or each of a list, is one of the file's: as it stands, as a share, or in months.
    fn has(&self, value: &Value) -> bool {
        let near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * one.abs().max(other.abs());
        match value {
            Value::Array(all) => !all.is_empty() && all.iter().any(|own| self.has(own)),
            other => other.as_f64().is_some_and(|own| {
                self.values.iter().any(|value| {
                    *value != 0.0
                        && [1.0, 0.01, 12.0, 1.0 / 12.0]
                            .iter()
                            .any(|by| near(own, value * by))
                })
            }),
        }
    }
}

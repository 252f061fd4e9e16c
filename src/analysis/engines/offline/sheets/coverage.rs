//! How often the net operating income of a statement covers the debt service that stands in it.
//!
//! Every word must be understood.

use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::sheets::finding::{Finding, Outcome, plain};
use crate::analysis::engines::offline::sheets::query::vocabulary;
use crate::analysis::engines::offline::sheets::sources::Sheet;
use crate::analysis::engines::offline::sheets::words::Words;
use crate::tables::accounts::{Below, Line};
use crate::tables::kind::Kind;
use crate::tables::statement;

const WORDS: &str = "dscr debt service coverage cover covers covered times ratio noi net operating income mortgage loan \
     interest principal both statement t12 trailing twelve year annual payments payment property building over divided";

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if sheet.kind != Kind::Statement || sheet.table.months().len() >= 2 {
        return None;
    }
    let words = Words::of(question);
    let asked = words.says(&["dscr", "debt service coverage", "debt coverage"])
        || words.says(&["how many times"]) && words.says(&["cover", "covers"]);
    let known = vocabulary::accounted(&words, WORDS, false);
    if !asked || !known {
        return None;
    }
    let read = statement::read(&sheet.table, &[]);
    if !read.doubts.is_empty() {
        return None;
    }
    let totals = read.totals(&[]);
    let labels: Vec<String> = read
        .items
        .iter()
        .filter(|item| item.line == Line::Below(Below::Debt))
        .map(|item| item.label.to_lowercase())
        .collect();
    // Interest alone is no debt service.
    let whole = labels
        .iter()
        .any(|label| !label.contains("interest") || label.contains("principal"));
    let earns = read
        .items
        .iter()
        .any(|item| matches!(item.line, Line::Potential | Line::Rent | Line::Other));
    let noi = totals.net_operating_income();
    if !whole || !earns || totals.debt <= 0.0 || totals.expenses <= 0.0 {
        return None;
    }
    let ratio = noi / totals.debt;
    let finding = Finding::new(
        "dscr",
        "debt service coverage ratio",
        ratio,
        "ratio",
        format!("{}x", plain(ratio, 2)),
        "DSCR = NOI ÷ (interest + principal); reserves are below the line.",
    )
    .input("noi", noi, "USD", &sheet.name)
    .input("debt_service", totals.debt, "USD", &sheet.name)
    .step(format!(
        "{} ÷ {}.",
        format::money(noi),
        format::money(totals.debt)
    ));
    Some(Outcome {
        findings: vec![finding],
        ..Outcome::default()
    })
}

//! The operating expenses of a statement without some of their lines: "total opex excluding real estate taxes".
//!
//! Every word must be understood, and each word behind the exclusion must be of exactly one line.

use std::collections::BTreeSet;

use crate::say::format;
use crate::sheets::finding::{Finding, Outcome};
use crate::sheets::query::vocabulary;
use crate::sheets::sources::Sheet;
use crate::sheets::words::{Word, Words, stem};
use tables::accounts::Line;
use tables::headers;
use tables::kind::Kind;
use tables::statement;

const WORDS: &str =
    "total operating expense expenses cost costs opex statement t12 t-12 trailing twelve annual all other";
const OUT: &[&str] = &[
    "excluding",
    "exclude",
    "without",
    "except",
    "except for",
    "less",
    "minus",
    "net of",
    "other than",
    "besides",
];

/// The answer, if that is what is asked and nothing else.
pub(crate) fn answer(sheet: &Sheet, question: &str) -> Option<Outcome> {
    if sheet.kind != Kind::Statement || sheet.table.months().len() >= 2 {
        return None;
    }
    let words = Words::of(question);
    let out = words.position(OUT)?;
    let part = |words: &[Word]| Words { all: words.to_vec() };
    let before = part(words.all.get(..out)?);
    let behind: BTreeSet<&str> = words
        .all
        .get(out + 1..)?
        .iter()
        .filter(|word| word.text.len() > 1 && !vocabulary::filler(&word.stem) && word.stem != "for")
        .map(|word| word.stem.as_str())
        .collect();
    let asked = before.says(&[
        "operating expense",
        "operating cost",
        "opex",
        "total expense",
        "expense",
    ]);
    if !asked || behind.is_empty() || !vocabulary::accounted(&before, WORDS, false) {
        return None;
    }
    let read = statement::read(&sheet.table, &[]);
    if !read.doubts.is_empty() {
        return None;
    }
    let label =
        |text: &str| -> BTreeSet<String> { headers::words(text).iter().map(|word| stem(word)).collect() };
    let lines: Vec<_> = read
        .items
        .iter()
        .map(|item| (item, label(&item.label)))
        .filter(|(_, own)| behind.iter().any(|word| own.contains(*word)))
        .collect();
    let plain = behind
        .iter()
        .all(|word| lines.iter().filter(|(_, own)| own.contains(*word)).count() == 1)
        && lines.iter().all(|(item, _)| item.line == Line::Expense);
    if !plain {
        return None;
    }
    let all = read.totals(&[]).expenses;
    let left_out: f64 = lines.iter().map(|(item, _)| read.amount(item, &[])).sum();
    let names: Vec<String> = lines
        .iter()
        .map(|(item, _)| format!("“{}”", item.label))
        .collect();
    let finding = Finding::money(
        "opex",
        &format!("operating expenses without {}", names.join(" and ")),
        all - left_out,
        "Operating expenses of the statement, less the lines that are left out.",
    )
    .input("opex", all, "USD", &sheet.name)
    .input("left_out", left_out, "USD", &sheet.name)
    .step(format!(
        "{} − {} = {}.",
        format::money(all),
        format::money(left_out),
        format::money(all - left_out)
    ));
    Some(Outcome::figures(vec![finding]))
}

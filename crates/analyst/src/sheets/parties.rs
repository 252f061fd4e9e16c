//! Whose cash flows a question is about, where a table holds those of several funds, investors or properties.
//!
//! Computes nothing.

use crate::sheets::finding::Open;
use crate::sheets::words::{Words, stem};
use tables::headers;
use tables::table::Table;

/// The column that says whose a flow is.
pub(crate) fn column(table: &Table) -> Option<usize> {
    (0..table.columns.len()).find(|at| {
        headers::words(table.header(*at)).iter().any(|word| {
            matches!(
                word.as_str(),
                "investor"
                    | "fund"
                    | "property"
                    | "deal"
                    | "asset"
                    | "entity"
                    | "project"
                    | "partner"
                    | "building"
                    | "class"
                    | "vehicle"
                    | "owner"
                    | "party"
                    | "investment"
            )
        }) && table.data().all(|row| table.number(row, *at).is_none())
    })
}

/// Whether a table holds those of several.
pub(crate) fn several(table: &Table) -> bool {
    let Some(column) = column(table) else { return false };
    let mut names: Vec<String> = table
        .data()
        .map(|row| headers::normalized(table.text(row, column)))
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_unstable();
    names.dedup();
    names.len() > 1 && names.len() < table.data().count()
}

/// The table of the flows that are meant, where not all are; an error where two readings differ.
pub(crate) fn of(words: &mut Words, table: &Table) -> Result<Option<Table>, Open> {
    let Some(column) = column(table) else {
        return Ok(None);
    };
    let folded = |cell: &str| -> Vec<String> { headers::words(cell).iter().map(|word| stem(word)).collect() };
    let mut names: Vec<Vec<String>> = table
        .data()
        .map(|row| folded(table.text(row, column)))
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_unstable_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut excluded = false;
    for name in names {
        for at in 0..words.all.len() {
            let fits = name.iter().enumerate().all(|(n, part)| {
                words
                    .all
                    .get(at + n)
                    .is_some_and(|word| !word.used && word.stem == *part)
            });
            if fits {
                excluded |= (1..=3).filter_map(|back| at.checked_sub(back)).any(|before| {
                    matches!(
                        words.stem_at(before),
                        "excluding" | "exclude" | "without" | "except" | "not" | "ignoring" | "besides"
                    )
                });
                words.choose(at, name.len());
                if !found.contains(&name) {
                    found.push(name.clone());
                }
            }
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    if excluded {
        return Err(Open::because(format!(
            "Of whose flows under “{}” do you ask?",
            table.header(column)
        )));
    }
    let mut own = table.clone();
    own.rows
        .retain(|row| found.contains(&folded(table.text(row, column))));
    Ok(Some(own))
}

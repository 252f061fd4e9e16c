//! Finds lines of a statement that are part of another line: "of which" lines, and lines one level below
//! their sum.
//!
//! Independent of the kinds of lines.

use std::collections::BTreeSet;

use crate::headers;
use crate::income::agree;
use crate::table::{Role, Table};

/// The rows whose amounts are already included in other rows.
pub(crate) fn inside(table: &Table, labels: usize, columns: &[usize]) -> BTreeSet<usize> {
    let mut inside: BTreeSet<usize> = table
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| is_part(table.text(row, labels)))
        .map(|(at, _)| at)
        .collect();
    let Some(levels) = levels(table, columns) else {
        return inside;
    };
    let amounts = |at: usize| -> Vec<f64> {
        let row = table.rows.get(at);
        columns
            .iter()
            .map(|column| {
                row.and_then(|row| table.number(row, *column))
                    .map_or(0.0, super::numbers::Number::written)
            })
            .collect()
    };
    let nested = nested(&levels);
    for (at, Nested { end, children }) in nested.iter().enumerate() {
        let below = at + 1..*end;
        let empty = amounts(at).iter().all(|amount| *amount == 0.0);
        let total = table.rows.get(at).is_some_and(|row| row.role == Role::Total);
        if below.is_empty() || empty || total || inside.contains(&at) {
            continue;
        }
        let children: Vec<usize> = children
            .iter()
            .copied()
            .filter(|child| !inside.contains(child))
            .collect();
        let sums = children.iter().fold(vec![0.0; columns.len()], |sums, child| {
            sums.iter()
                .zip(amounts(*child))
                .map(|(sum, amount)| sum + amount)
                .collect()
        });
        let made = !children.is_empty()
            && amounts(at)
                .iter()
                .zip(&sums)
                .all(|(one, other)| agree(one.abs(), other.abs(), children.len()));
        if made {
            // The line is the sum of those below it, which are more detailed.
            inside.insert(at);
        } else {
            inside.extend(below);
        }
    }
    inside
}

/// The rows below a row that have higher levels.
#[derive(Clone, Default)]
struct Nested {
    /// The row behind them.
    end: usize,
    /// Those that are one level below the row.
    children: Vec<usize>,
}

fn nested(levels: &[u32]) -> Vec<Nested> {
    let mut nested = vec![Nested::default(); levels.len()];
    // The rows whose ends are not found yet, with rising levels.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (at, level) in levels.iter().enumerate() {
        while let Some((above, _)) = open.pop_if(|(_, above)| *above >= *level) {
            if let Some(above) = nested.get_mut(above) {
                above.end = at;
            }
        }
        if let Some((above, own)) = open.last()
            && own + 1 == *level
            && let Some(above) = nested.get_mut(*above)
        {
            above.children.push(at);
        }
        open.push((at, *level));
    }
    for (above, _) in open {
        if let Some(above) = nested.get_mut(above) {
            above.end = levels.len();
        }
    }
    nested
}

/// "of which cleaning", "thereof", "incl. lift".
fn is_part(label: &str) -> bool {
    let words = headers::words(label);
    let first = words.first().map_or("", String::as_str);
    let second = words.get(1).map_or("", String::as_str);
    matches!(
        (first, second),
        ("of", "which" | "this" | "that" | "these") | ("o", "w") | ("included", "in" | "above")
    ) || matches!(
        first,
        "thereof" | "incl" | "including" | "davon" | "darunter" | "memo"
    )
}

/// Whether a header names a column of levels.
pub(crate) fn is_level(header: &str) -> bool {
    matches!(
        headers::normalized(header).as_str(),
        "level"
            | "lvl"
            | "indent"
            | "indentation"
            | "depth"
            | "tier"
            | "outline"
            | "outlinelevel"
            | "hierarchy"
    )
}

/// The level of each row, if a column contains it.
fn levels(table: &Table, columns: &[usize]) -> Option<Vec<u32>> {
    let at = (0..table.columns.len()).find(|at| is_level(table.header(*at)) && !columns.contains(at))?;
    table
        .rows
        .iter()
        .map(|row| {
            let digits = table
                .text(row, at)
                .trim_start_matches(|sign: char| sign.is_alphabetic());
            digits.trim().parse::<u32>().ok()
        })
        .collect()
}

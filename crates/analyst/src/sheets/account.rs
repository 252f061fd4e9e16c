//! Closes the account of an answer: compares it with what the table prints, and says which rows counted and which did
//! not.

use crate::sheets::finding::{Open, Outcome, plain};
use crate::sheets::sources::Sheet;
use tables::kind::Kind;
use tables::numbers;
use tables::table::Row;
use tables::tally::{Printed, Tally};
use tables::vacant::is_vacant;

/// Cells that a sentence shows.
const SHOWN: usize = 3;

/// Why the account of an answer stays open: cells of its column are neither numbers nor empty.
pub(crate) fn open(sheet: &Sheet, outcome: &Outcome) -> Option<Open> {
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

/// Adds the account of the table to an answer, and what the file prints where that is another figure.
pub(crate) fn close(sheet: &Sheet, outcome: &mut Outcome) {
    if sheet.kind == Kind::Statement && !outcome.account.is_empty() {
        return;
    }
    let tally = Tally::of(&sheet.table);
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
    let rows = counted.map_or(tally.data, |counted| counted.rows);
    outcome.account = vec![format!("Counted {rows} of {} rows.", tally.rows())];
    let left_out: Vec<String> = [
        (
            tally.data.saturating_sub(rows),
            "that are not asked about or have no amount",
        ),
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

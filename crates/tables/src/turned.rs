//! Transposes statements that have months as rows and accounts as columns.
//!
//! Independent of questions.

use crate::accounts::{self, Line};
use crate::grid::{Grid, Record};
use crate::statement;
use crate::table::Table;
use crate::{dates, layout};

/// The statement with accounts as rows, if the table has months as rows.
#[must_use]
pub fn statement(table: &Table) -> Option<Table> {
    let rows: Vec<_> = table.data().collect();
    if rows.len() < 3 || table.columns.len() < 3 || table.months().len() >= 2 {
        return None;
    }
    let months: Vec<_> = rows
        .iter()
        .map(|row| dates::month(table.text(row, 0)))
        .collect::<Option<Vec<_>>>()?;
    let follow = months.windows(2).all(
        |pair| matches!(pair, [one, other] if one.checked_add_months(chrono::Months::new(1)) == Some(*other)),
    );
    if !follow {
        return None;
    }
    let numeric = rows.iter().all(|row| {
        (1..table.columns.len()).all(|at| table.text(row, at).is_empty() || table.number(row, at).is_some())
    });
    let known = (1..table.columns.len())
        .filter(|at| accounts::line(&name(table.header(*at))) != Line::Unknown)
        .count();
    // "Opex" alone is not a known line, but next to income it is.
    if !numeric || known == 0 {
        return None;
    }
    let mut records = vec![Record {
        line: 1,
        cells: std::iter::once("Account".to_owned())
            .chain(rows.iter().map(|row| table.text(row, 0).to_owned()))
            .collect(),
    }];
    for at in 1..table.columns.len() {
        records.push(Record {
            line: at + 1,
            cells: std::iter::once(name(table.header(at)))
                .chain(rows.iter().map(|row| table.text(row, at).to_owned()))
                .collect(),
        });
    }
    let turned = layout::table(Grid {
        records,
        delimiter: b',',
    })?;
    (turned.months().len() == rows.len() && statement::read(&turned, &[]).doubts.is_empty()).then_some(turned)
}

/// Turns a header into the name of an account.
fn name(header: &str) -> String {
    header.replace('_', " ")
}

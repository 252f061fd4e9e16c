//! Transposes statements that have months as rows and accounts as columns.
//!
//! Independent of questions.

use std::iter;

use crate::accounts::{self, Line};
use crate::grid::{Grid, Records};
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
    let records = (0..table.columns.len()).map(|at| {
        let name = if at == 0 {
            "Account".to_owned()
        } else {
            name(table.header(at))
        };
        let cells = rows.iter().map(move |row| table.text(row, at).to_owned());
        (at + 1, iter::once(name).chain(cells))
    });
    let turned = layout::table(Grid {
        records: records.collect::<Records>().done(),
        delimiter: b',',
    })?;
    (turned.months().len() == rows.len() && statement::read(&turned, &[]).doubts.is_empty()).then_some(turned)
}

/// Turns a header into the name of an account.
fn name(header: &str) -> String {
    header.replace('_', " ")
}

//! Rows behind the data that have the lowest, the highest, the mean or the median of each column, and the subject of a
//! list of sales: they are print.
//!
//! Statistics are recognized by arithmetic.

use std::iter::zip;

use crate::columns::{is_name, numbers_of};
use crate::grid::Record;
use crate::headers::{self, Field};
use crate::table::{Aside, Role, Row, Table, What};

/// Whether the record is the property that sales are compared with.
pub(crate) fn is_subject(table: &Table, record: &Record) -> bool {
    let sales = table.has(Field::Price) || table.has(Field::PricePerArea);
    let label = record.cells.iter().find(|cell| is_name(cell));
    sales
        && label
            .is_some_and(|label| matches!(headers::normalized(label).as_str(), "subject" | "subjectproperty"))
}

/// Takes the statistics behind the data out of the rows.
pub(crate) fn take(table: &mut Table) {
    let first = table.rows.iter().find(|row| row.role == Role::Data);
    let Some(typical) = first.map(filled) else { return };
    // Behind the last row that may be nothing but data.
    let from = table.rows.iter().rposition(|row| {
        row.role == Role::NamedTotal || row.role == Role::Data && !is_labelled(row) && filled(row) >= typical
    });
    let from = from.map_or(0, |last| last + 1);
    if !table.rows.iter().skip(from).any(|row| row.role == Role::Data) {
        return;
    }
    let above: Vec<&Row> = table
        .rows
        .iter()
        .take(from)
        .filter(|row| row.role == Role::Data)
        .collect();
    let columns: Vec<Option<[f64; 4]>> = (0..table.columns.len())
        .map(|at| statistics(table, &above, at))
        .collect();
    let named: Vec<usize> = (0..table.columns.len())
        .filter(|at| {
            above
                .iter()
                .all(|row| row.cells.get(*at).is_some_and(|cell| !cell.is_empty()))
        })
        .collect();
    let is_statistic = |row: &Row| {
        let lacks = named
            .iter()
            .any(|at| row.cells.get(*at).is_none_or(str::is_empty));
        row.role == Role::Data && (is_labelled(row) || lacks) && agrees(table, row, &columns)
    };
    let all: Vec<usize> = (from..table.rows.len())
        .filter(|at| table.rows.get(*at).is_some_and(is_statistic))
        .collect();
    for at in all.into_iter().rev() {
        let row = table.rows.remove(at);
        table.aside.push(Aside {
            line: row.line(),
            what: What::Print,
        });
    }
    table.aside.sort_by_key(|aside| aside.line);
}

fn filled(row: &Row) -> usize {
    row.cells.iter().filter(|cell| !cell.is_empty()).count()
}

/// Whether the row is called "Low" or the like.
fn is_labelled(row: &Row) -> bool {
    let label = row.cells.iter().find(|cell| is_name(cell));
    label.is_some_and(|label| {
        let name = headers::normalized(label);
        matches!(
            name.as_str(),
            "low" | "lowest" | "min" | "minimum" | "high" | "highest" | "max" | "maximum" | "median" | "mean"
        )
    })
}

/// The lowest, the highest, the mean and the median of a column, if it has several numbers.
fn statistics(table: &Table, rows: &[&Row], at: usize) -> Option<[f64; 4]> {
    let mut all: Vec<f64> = rows
        .iter()
        .filter_map(|row| table.number(row, at))
        .map(super::numbers::Number::value)
        .collect();
    all.sort_by(f64::total_cmp);
    let (low, high) = (*all.first()?, *all.last()?);
    let middle = |at: usize| all.get(at).copied().unwrap_or(low);
    let median = (middle(all.len() / 2) + middle((all.len() - 1) / 2)) / 2.0;
    (all.len() >= 2).then(|| [low, high, all.iter().sum::<f64>() / all.len() as f64, median])
}

/// Whether all numbers of the row are statistics of their columns: without a label that says so, the same of several.
fn agrees(table: &Table, row: &Row, columns: &[Option<[f64; 4]>]) -> bool {
    let own: Vec<(f64, &[f64; 4])> = zip(numbers_of(table, row), columns)
        .filter_map(|(own, column)| Some((own?, column.as_ref()?)))
        .collect();
    // Means are printed with few digits.
    let near = |own: f64, of: f64| (own - of).abs() <= 0.001 * of.abs();
    let each = own
        .iter()
        .all(|(own, column)| column.iter().any(|of| near(*own, *of)));
    let differ = own.iter().any(|(_, [low, high, ..])| low < high);
    let same = |which: usize| {
        own.iter()
            .all(|(own, column)| column.get(which).is_some_and(|of| near(*own, *of)))
    };
    !own.is_empty() && each && (is_labelled(row) || differ && own.len() >= 2 && (0..4).any(same))
}

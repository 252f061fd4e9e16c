//! Tables in a text: delimited files and pasted tables, read by every reader within a limit of work.

use std::collections::HashSet;
use std::hint::black_box;

use tables::grid::{self, Grid};
use tables::table::Table;
use tables::work::Work;
use tables::{
    accounts, cashflows, columns, comps, dates, decode, headers, kind, layout, pasted, rents, scales,
    statement, tenancy, totals, turned,
};

/// Work for each byte of a text: about five times what the worst inputs need, so that only a reading that grows faster
/// than its text reaches it.
const WORK_PER_BYTE: u64 = 250;
/// A short text may need as much work as one of this length.
const SHORT: u64 = 1_000;

/// Fails if a reading needs more work than a text of this length should.
pub fn within_work<T>(length: usize, reading: impl FnOnce() -> T) -> T {
    let length = u64::try_from(length).expect("a length");
    let work = Work::new(WORK_PER_BYTE * (length + SHORT));
    let read = work.read(reading);
    read.unwrap_or_else(|ended| panic!("{ended:?}: more work than a text of {length} bytes should need"))
}

pub fn delimited(input: &[u8]) {
    let decoded = decode::decode(input);
    if let Ok(text) = std::str::from_utf8(input).map(|text| text.trim_start_matches('\u{feff}')) {
        let marked = format!("\u{feff}{text}");
        assert_eq!(
            decode::decode(marked.as_bytes()).text,
            text,
            "the mark is no text"
        );
    }
    let text = decoded.text.as_str();
    let lines = text.matches(['\n', '\r']).count() + 1;
    within_work(text.len(), || {
        for delimiter in [None, Some(b'\t')] {
            let Ok(grid) = grid::delimited(text, delimiter) else {
                continue;
            };
            let mut last = 0;
            for record in &grid.records {
                assert!(
                    record.line > last && record.line <= lines,
                    "{record:?} after {last}"
                );
                assert!(!record.cells.iter().all(str::is_empty), "{record:?}");
                assert!(record.cells.iter().all(|cell| cell.trim() == cell), "{record:?}");
                last = record.line;
            }
            read(&grid, text);
        }
    });
    // The ends of lines mean nothing, if no cell can contain one.
    if !text.contains(['\r', '"']) {
        let records = |text: &str| grid::delimited(text, None);
        assert_eq!(records(&text.replace('\n', "\r\n")), records(text));
    }
}

pub fn pasted(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    within_work(text.len(), || {
        let mut last = 0;
        for found in pasted::find(text) {
            assert!(
                found.span.start >= last && !found.span.is_empty(),
                "{:?}",
                found.span
            );
            assert!(text.get(found.span.clone()).is_some(), "{:?}", found.span);
            last = found.span.end;
            read(&found.grid, text);
        }
        cell(text);
    });
}

/// Readers of single texts.
fn cell(text: &str) {
    black_box(headers::field(text));
    black_box(totals::named(text));
    black_box(totals::is_average(text));
    black_box(accounts::line(text));
    black_box(dates::month(text));
}

/// Reads a grid with every reader.
fn read(grid: &Grid, text: &str) {
    let named = headers::words(text);
    let Some(table) = layout::table(grid.clone()) else {
        return;
    };
    consistent(&table, grid);
    let table = rents::with_annual(scales::written_out(table));
    black_box(kind::kind(&table));
    let width = table.columns.len();
    assert!(columns::date_column(&table).is_none_or(|column| column < width));
    assert!(
        columns::numeric_columns(&table)
            .iter()
            .all(|column| *column < width)
    );
    let tenancy = tenancy::read(&table);
    assert!(tenancy.spaces.iter().all(|space| space.row < table.rows.len()));
    assert!(
        comps::read(&table)
            .sales
            .iter()
            .all(|sale| sale.row < table.rows.len())
    );
    if let Err(question) = cashflows::read(&table, &named) {
        assert!(!question.is_empty());
    }
    black_box(turned::statement(&table));
    black_box(statement::has_both_sides(&table));
    let quarters = statement::four_quarters(&table);
    assert!(quarters.iter().flatten().all(|column| *column < width));
    let statement = statement::read(&table, &named);
    let months: Vec<usize> = (0..statement.months.len()).collect();
    let totals = statement.totals(&months);
    assert!(totals.net_operating_income().is_finite(), "{totals:?}");
    black_box(statement.disagreements(&months));
}

/// Rows, sections and columns of a table belong to each other and to the grid.
fn consistent(table: &Table, grid: &Grid) {
    let lines: HashSet<usize> = grid.records.iter().map(|record| record.line).collect();
    for row in &table.rows {
        assert!(lines.contains(&row.line()), "{row:?}");
        assert!(
            row.section().is_none_or(|section| section < table.sections.len()),
            "{row:?}"
        );
    }
    let mut fields = HashSet::new();
    let named = table.columns.iter().filter_map(|column| column.field);
    named.for_each(|field| assert!(fields.insert(field), "two columns have the field {field:?}"));
}

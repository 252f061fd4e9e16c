//! Finds the table in a grid: the title block, a header of one or two lines, section headings, and total
//! rows.
//!
//! Knows fields, and is independent of the kind of table.

use std::collections::BTreeMap;
use std::iter::zip;

use crate::columns::is_name;
use crate::contents;
use crate::dates::{self, Order, Orders, Told};
use crate::fields;
use crate::grid::{Grid, Record};
use crate::headers::{self, Field};
use crate::numbers::{self, Decimal};
use crate::periods;
use crate::roles;
use crate::table::{Column, Table};

/// Number of records from the top in which the header may be.
const TITLES: usize = 40;

/// Finds the table of a grid, if at least two rows have the same structure. A sparse grid is no table.
#[must_use]
pub fn table(grid: Grid) -> Option<Table> {
    if grid.is_sparse() {
        return None;
    }
    let width = grid.records.iter().map(|record| record.cells.len()).max()?;
    let (titles, header, first) = match header(&grid) {
        Some(Header { at, lines, names }) => (at, names, at + lines),
        None => (0, Vec::new(), 0),
    };
    let names = header
        .iter()
        .rposition(|name| !name.is_empty())
        .map_or(0, |last| last + 1);
    // In a file with several sections, each with a heading and a repeated header, the line above the first
    // header is a heading too.
    let parted = (first + 1..grid.records.len()).any(|at| {
        let heading = at.checked_sub(1).and_then(|above| grid.records.get(above));
        grid.records
            .get(at)
            .is_some_and(|record| repeats(record, &header, names))
            && heading.is_some_and(is_section)
    });
    let heading = titles
        .checked_sub(1)
        .and_then(|above| grid.records.get(above))
        .filter(|record| parted && is_section(record))
        .map(|record| record.cell(0).to_owned());
    let titles: Vec<String> = grid
        .records
        .iter()
        .take(titles)
        .map(|record| {
            let cells: Vec<&str> = record.cells.iter().filter(|cell| !cell.is_empty()).collect();
            cells.join(" ")
        })
        .collect();
    // The cells are moved to the table: a large file would else be in memory once more.
    let delimiter = grid.delimiter;
    let records: Vec<Record> = grid
        .records
        .into_iter()
        .skip(first)
        .filter(|record| !is_rule(record) && !repeats(record, &header, names))
        .collect();
    let body: Vec<&Record> = records.iter().collect();
    let decimal = decimal(&body, delimiter);
    let columns = columns(&header, &titles, width, &body);
    let mut table = Table {
        titles,
        columns,
        rows: Vec::new(),
        sections: Vec::new(),
        aside: Vec::new(),
        decimal,
    };
    table.sections.extend(heading);
    roles::fill(&mut table, records);
    contents::correct(&mut table);
    (!table.rows.is_empty()).then_some(table)
}

/// The decimal mark of a grid.
#[must_use]
pub fn decimal_of(grid: &Grid) -> Decimal {
    decimal(&grid.records.iter().collect::<Vec<_>>(), grid.delimiter)
}

fn decimal(body: &[&Record], delimiter: u8) -> Decimal {
    if delimiter == b';' && dotted(body) {
        return Decimal::Comma;
    }
    let cells = body.iter().flat_map(|record| record.cells.iter());
    numbers::decimal_of(cells)
}

/// Detects numbers such as 1.200 and 1.300 in a file separated by semicolons: the dots separate thousands and
/// never decimals.
fn dotted(body: &[&Record]) -> bool {
    let cells = || body.iter().flat_map(|record| record.cells.iter());
    let shaped = |cell: &&str| {
        let mut parts = cell.trim().split('.');
        let first = parts.next().unwrap_or("");
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let rest: Vec<&str> = parts.collect();
        (1..=3).contains(&first.len())
            && digits(first)
            && first != "0"
            && !rest.is_empty()
            && rest.iter().all(|part| part.len() == 3 && digits(part))
    };
    let pointed = |cell: &&str| {
        cell.contains('.') && numbers::number(cell, Decimal::Point).is_some() && !cell.contains(',')
    };
    cells().filter(shaped).count() >= 2 && cells().filter(pointed).all(|cell| shaped(&cell))
}

struct Header {
    at: usize,
    lines: usize,
    names: Vec<String>,
}

/// The records that most resemble a header: field names, months, and no numbers.
fn header(grid: &Grid) -> Option<Header> {
    let mut best: Option<(i64, Header)> = None;
    for (at, record) in grid.records.iter().take(TITLES).enumerate() {
        let names = texts(record);
        let single = (score(&names), 1, names);
        let mut candidates = vec![single];
        if let Some(next) = grid.records.get(at + 1) {
            if let Some(spread) = spread(record, next) {
                // Better than its lower line alone, whose names repeat.
                candidates.push((score(&texts(next)) + 1, 2, spread));
            } else if let Some(merged) = merged(record, next) {
                candidates.push((score(&merged), 2, merged));
            }
        }
        for (score, lines, names) in candidates {
            if score >= 2 && best.as_ref().is_none_or(|(own, _)| score > *own) {
                best = Some((score, Header { at, lines, names }));
            }
        }
    }
    best.map(|(_, header)| header)
}

/// Names over groups of columns with the same names: "Month to Date" and "Year to Date" over "Actual" and "Budget".
fn spread(upper: &Record, lower: &Record) -> Option<Vec<String>> {
    // The first column has the names of the lines.
    let groups: Vec<usize> = (1..upper.cells.len())
        .filter(|at| !upper.cell(*at).is_empty())
        .collect();
    let plain = |record: &Record| record.cells.iter().all(|cell| is_name(cell) || cell.is_empty());
    if groups.len() < 2 || !plain(upper) || !plain(lower) {
        return None;
    }
    let ends = groups.iter().skip(1).copied().chain([lower.cells.len()]);
    let lower = texts(lower);
    let spans: Option<Vec<&[String]>> = zip(&groups, ends)
        .map(|(start, end)| lower.get(*start..end).filter(|names| names.len() >= 2))
        .collect();
    let spans = spans?;
    let (first, others) = spans.split_first()?;
    let same = |names: &&[String]| zip(*first, *names).all(|(one, other)| one.eq_ignore_ascii_case(other));
    if first.iter().any(String::is_empty) || !others.iter().all(same) {
        return None;
    }
    let above = |at: usize| {
        groups
            .iter()
            .rfind(|group| **group <= at)
            .map_or("", |group| upper.cell(*group))
    };
    let cells = lower.iter().enumerate();
    Some(
        cells
            .map(|(at, cell)| format!("{} {cell}", above(at)).trim().to_owned())
            .collect(),
    )
}

/// Merges two lines of names, if that makes more of them known.
fn merged(upper: &Record, lower: &Record) -> Option<Vec<String>> {
    let plain = |record: &Record| record.cells.iter().all(|cell| is_name(cell) || cell.is_empty());
    let filled = |record: &Record| record.cells.iter().filter(|cell| !cell.is_empty()).count();
    if !plain(upper) || !plain(lower) || filled(upper) < 2 || filled(lower) < 1 || is_section(lower) {
        return None;
    }
    let width = upper.cells.len().max(lower.cells.len());
    let names: Vec<String> = (0..width)
        .map(|at| format!("{} {}", upper.cell(at), lower.cell(at)).trim().to_owned())
        .collect();
    let known = |cells: &[String]| known(cells).len();
    (known(&names) > known(&texts(upper)) && known(&names) > known(&texts(lower))).then_some(names)
}

/// Whether only the first cell is filled.
fn is_section(record: &Record) -> bool {
    !record.cell(0).is_empty() && record.cells.iter().skip(1).all(str::is_empty)
}

fn texts(record: &Record) -> Vec<String> {
    record.cells.iter().map(str::to_owned).collect()
}

fn known(cells: &[String]) -> Vec<Field> {
    let mut fields: Vec<Field> = cells.iter().filter_map(|cell| headers::field(cell)).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// Whether the cell is a year used as a header: neither a name nor a value.
fn is_year(cell: &str) -> bool {
    cell.len() == 4 && cell.parse::<u32>().is_ok_and(|year| (1900..2200).contains(&year))
}

fn score(cells: &[String]) -> i64 {
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    if filled < 2 && cells.len() > 1 {
        return 0;
    }
    let mut fields: Vec<Field> = Vec::new();
    let mut score = 0;
    let months = periods::read(cells, &[]);
    for (cell, month) in zip(cells, months).filter(|(cell, _)| !cell.is_empty()) {
        if month.is_some() {
            score += 3;
        } else if let Some(field) = headers::field(cell).filter(|_| is_name(cell)) {
            if fields.contains(&field) {
                score += 1;
            } else {
                score += 3;
                fields.push(field);
            }
        } else if is_year(cell) {
            score += 1;
        } else if is_name(cell) {
            score += i64::from(cell.chars().count() <= 40);
        } else {
            score -= 4;
        }
    }
    score
}

/// Whether the record is a line drawn with characters.
fn is_rule(record: &Record) -> bool {
    record.cells.iter().filter(|cell| !cell.is_empty()).all(|cell| {
        cell.len() > 1
            && cell
                .chars()
                .all(|sign| matches!(sign, '-' | '=' | '_' | ':' | '—' | '*'))
    })
}

/// Whether the record repeats the header, as on printed pages. `names` is the length of the header up to its last
/// name.
fn repeats(record: &Record, header: &[String], names: usize) -> bool {
    !header.is_empty()
        && names <= record.cells.len()
        && zip(header, record.cells.iter()).all(|(name, cell)| name.eq_ignore_ascii_case(cell))
}

fn columns(header: &[String], titles: &[String], width: usize, body: &[&Record]) -> Vec<Column> {
    let months = periods::read(header, titles);
    let mut columns: Vec<Column> = (0..width)
        .map(|at| {
            let header = header.get(at).cloned().unwrap_or_default();
            let month = months.get(at).copied().flatten();
            Column {
                field: headers::field(&header).filter(|_| month.is_none()),
                month,
                header,
                order: Order::default(),
                ambiguous: false,
            }
        })
        .collect();
    // Of several columns with the same field, the most usual header has it. The others have another meaning.
    let mut best: BTreeMap<Field, (usize, usize)> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        if let Some(field) = column.field {
            let own = (fields::rank(field, &headers::normalized(&column.header)), at);
            let known = best.entry(field).or_insert(own);
            *known = own.min(*known);
        }
    }
    for (at, column) in columns.iter_mut().enumerate() {
        column.field = column
            .field
            .filter(|field| best.get(field).is_some_and(|(_, best)| *best == at));
    }
    let mut orders = vec![Orders::default(); width];
    for record in body {
        zip(&mut orders, record.cells.iter()).for_each(|(orders, cell)| orders.see(cell));
    }
    let told: Vec<Told> = orders.into_iter().map(Orders::told).collect();
    // The date order is shared: what one column shows applies to the others.
    let shared = match (
        told.contains(&Told::Order(Order::MonthFirst)),
        told.contains(&Told::Order(Order::DayFirst)),
    ) {
        (true, false) => Some(Order::MonthFirst),
        (false, true) => Some(Order::DayFirst),
        _ => None,
    };
    let resolved: Vec<bool> = told
        .iter()
        .map(|told| matches!(told, Told::Order(_)) || shared.is_some())
        .collect();
    for (column, told) in columns.iter_mut().zip(told) {
        column.order = match told {
            Told::Order(order) => order,
            _ => shared.unwrap_or_default(),
        };
    }
    for record in body {
        for ((column, resolved), cell) in columns.iter_mut().zip(&resolved).zip(record.cells.iter()) {
            column.ambiguous |=
                !resolved && dates::date(cell, column.order).is_some_and(|dated| dated.ambiguous);
        }
    }
    columns
}

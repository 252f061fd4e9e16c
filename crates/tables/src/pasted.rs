//! Finds tables in a text: with pipes as in Markdown, with tabs as copied from a spreadsheet, separated by
//! commas, or aligned with blanks.
//!
//! Independent of fields; `layout` decides whether a grid is a useful table.

use std::ops::Range;

use crate::grid::{Grid, Record};
use crate::numbers::{self, Decimal};

/// A grid and its byte range in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted {
    pub span: Range<usize>,
    pub grid: Grid,
}

/// Finds all grids in a text, in order.
#[must_use]
pub fn find(text: &str) -> Vec<Pasted> {
    let lines = lines(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let block = [b'|', b'\t', b' ', b',', TRAILING, b';']
            .into_iter()
            .filter_map(|delimiter| block(&lines, at, delimiter))
            .max_by_key(|(length, _)| *length);
        match block {
            Some((length, grid)) => {
                let start = lines.get(at).map_or(0, |line| line.start);
                let end = lines.get(at + length - 1).map_or(text.len(), |line| line.end);
                found.push(Pasted {
                    span: start..end,
                    grid,
                });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// A pseudo-delimiter: each line is a name followed by a number, "Taxes 58,000".
pub const TRAILING: u8 = 0;

struct Line<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|whole| {
            let line = Line {
                text: whole.trim_end_matches(['\n', '\r']),
                start,
                end: start + whole.len(),
            };
            start = line.end;
            line
        })
        .collect()
}

/// The block of lines that a delimiter splits into the same number of cells, starting at `from`, and its
/// length.
fn block(lines: &[Line<'_>], from: usize, delimiter: u8) -> Option<(usize, Grid)> {
    let mut records = Vec::new();
    let mut length = 0;
    let mut width = 0;
    if delimiter == b',' && lines.get(from).is_some_and(|line| thousands_only(line.text)) {
        return None;
    }
    for (at, line) in lines.iter().enumerate().skip(from) {
        let cells = divide(line.text, delimiter);
        let fits = cells.len() >= 2 && (width == 0 || tolerated(cells.len(), width, delimiter));
        if !fits {
            break;
        }
        width = width.max(cells.len());
        length = at + 1 - from;
        let drawn = cells
            .iter()
            .all(|cell| !cell.is_empty() && cell.chars().all(|sign| matches!(sign, '-' | ':' | '=' | ' ')));
        if !drawn {
            records.push(Record { line: at + 1, cells });
        }
    }
    let numbers = records
        .iter()
        .skip(1)
        .filter(|record| holds_numbers(record))
        .count();
    // A sentence with two commas is not a table; rows with numbers below each other are.
    let enough = match delimiter {
        b'|' | b'\t' => records.len() >= 2 && numbers >= 1,
        _ => records.len() >= 3 && numbers >= 2 && numbers * 2 >= records.len(),
    };
    enough.then_some((length, Grid { records, delimiter }))
}

/// Whether a line of another width still belongs to the table.
fn tolerated(cells: usize, width: usize, delimiter: u8) -> bool {
    match delimiter {
        b'|' | b'\t' => true,
        b' ' => cells.abs_diff(width) <= 1,
        _ => cells == width,
    }
}

fn holds_numbers(record: &Record) -> bool {
    record.cells.iter().any(|cell| {
        numbers::number(cell, Decimal::Point).is_some() || numbers::number(cell, Decimal::Comma).is_some()
    })
}

fn divide(line: &str, delimiter: u8) -> Vec<String> {
    let own = |cell: &str| cell.trim().trim_matches('*').trim().to_owned();
    match delimiter {
        b'|' => {
            if !line.contains('|') {
                return Vec::new();
            }
            let inner = line.trim();
            let inner = inner.strip_prefix('|').unwrap_or(inner);
            let inner = inner.strip_suffix('|').unwrap_or(inner);
            inner.split('|').map(own).collect()
        }
        b' ' => columns(line),
        TRAILING => trailing(line),
        other => {
            let mut reader = csv::ReaderBuilder::new()
                .delimiter(other)
                .has_headers(false)
                .from_reader(line.as_bytes());
            let record = reader.records().next().and_then(Result::ok);
            record.map_or_else(Vec::new, |record| record.iter().map(own).collect())
        }
    }
}

/// Splits "Taxes 58,000" into a name and the number after its last blank.
fn trailing(line: &str) -> Vec<String> {
    if line.contains(['\t', '|', ';']) {
        return Vec::new();
    }
    let plain = line.trim();
    let Some((name, number)) = plain.rsplit_once([' ', ':']) else {
        return Vec::new();
    };
    let name = name.trim().trim_end_matches([':', '$', '=']).trim();
    // The name contains letters, is not a date or number, and is not a sentence.
    let named = name.contains(char::is_alphabetic)
        && !name.contains(',')
        && name.split(' ').count() <= 5
        && !name
            .chars()
            .any(|sign| sign.is_ascii_digit() && !name.contains(char::is_alphabetic))
        && !name.ends_with(['.', '?', '!']);
    let amount = !number.is_empty()
        && (numbers::number(number, Decimal::Point).is_some_and(|own| !own.percent)
            || numbers::is_nothing(number));
    if named && amount {
        vec![name.to_owned(), number.to_owned()]
    } else {
        Vec::new()
    }
}

/// Whether all commas of a line separate thousands.
fn thousands_only(line: &str) -> bool {
    let signs: Vec<char> = line.chars().collect();
    let commas: Vec<usize> = signs
        .iter()
        .enumerate()
        .filter(|(_, sign)| **sign == ',')
        .map(|(at, _)| at)
        .collect();
    let digit = |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(char::is_ascii_digit);
    !commas.is_empty()
        && commas.iter().all(|at| {
            digit(at.checked_sub(1)) && (1..=3).all(|ahead| digit(Some(at + ahead))) && !digit(Some(at + 4))
        })
        && signs.iter().any(|sign| sign.is_alphabetic())
        && line.trim().contains(' ')
}

/// Cells separated by at least two blanks.
fn columns(line: &str) -> Vec<String> {
    if line.contains('\t') {
        return Vec::new();
    }
    line.trim()
        .split("  ")
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .map(str::to_owned)
        .collect()
}

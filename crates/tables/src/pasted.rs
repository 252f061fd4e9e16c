//! Finds tables in a text: with pipes as in Markdown, with tabs as copied from a spreadsheet, separated by
//! commas, or aligned with blanks.
//!
//! Independent of fields; `layout` decides whether a grid is a useful table.

use std::ops::Range;

use crate::grid::{Grid, Record, Records};
use crate::numbers::{self, Decimal};
use crate::work::charge;

/// A grid and its byte range in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted {
    pub span: Range<usize>,
    pub grid: Grid,
}

/// The delimiters, in the order in which they are tried. If two find a block of the same length, the later one wins,
/// and tabs win over all.
const DELIMITERS: [u8; 6] = [b'|', b'\t', b' ', b',', TRAILING, b';'];

/// Finds all grids in a text, in order.
#[must_use]
pub fn find(text: &str) -> Vec<Pasted> {
    let lines = lines(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        // No block goes beyond a line that no delimiter splits.
        let measured: Vec<[Measured; DELIMITERS.len()]> = lines
            .iter()
            .skip(at)
            .map(|line| DELIMITERS.map(|delimiter| measure(line.text, delimiter)))
            .take_while(|all| all.iter().any(|own| own.width >= 2))
            .collect();
        let end = at + measured.len();
        let blocks: Vec<Blocks> = DELIMITERS
            .into_iter()
            .enumerate()
            .map(|(own, delimiter)| {
                let lines: Vec<&Measured> = measured.iter().filter_map(|all| all.get(own)).collect();
                Blocks::new(delimiter, &lines)
            })
            .collect();
        let first = at;
        while at < end {
            let best = blocks
                .iter()
                .filter_map(|own| Some((own.length(&lines, first, at)?, own.delimiter)))
                // Nobody writes tabs in a sentence, but commas in names.
                .max_by_key(|(length, delimiter)| (*length, *delimiter == b'\t'));
            let Some((length, delimiter)) = best else {
                at += 1;
                continue;
            };
            let block = lines.get(at..at + length).unwrap_or_default();
            found.push(Pasted {
                span: block.first().map_or(0, |line| line.start)
                    ..block.last().map_or(text.len(), |line| line.end),
                grid: Grid {
                    records: records(block, at, delimiter),
                    delimiter,
                },
            });
            at += length;
        }
        at = end + 1;
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
    let mut lines: Vec<Line<'_>> = text
        .split_inclusive('\n')
        .map(|whole| {
            let line = Line {
                text: whole.trim_end_matches(['\n', '\r']),
                start,
                end: start + whole.len(),
            };
            start = line.end;
            line
        })
        .collect();
    for passage in lines.split_mut(|line| line.text.trim().is_empty()) {
        without_marks(passage);
    }
    lines
}

/// Whether a text quotes another.
#[must_use]
pub fn has_quotation(text: &str) -> bool {
    text.lines().any(is_marked)
}

/// Whether a line has the mark of a quotation.
fn is_marked(line: &str) -> bool {
    line == ">" || line.starts_with("> ")
}

/// A passage that is a quotation, without the mark before each line. A mark within a table is a sign: "> 90 days".
fn without_marks(passage: &mut [Line<'_>]) {
    if passage.len() < 2 || !passage.iter().all(|line| is_marked(line.text)) {
        return;
    }
    for line in passage {
        line.text = line.text.get(1..).unwrap_or_default().trim_start_matches(' ');
    }
}

/// How a delimiter splits a line.
struct Measured {
    /// The number of cells.
    width: usize,
    /// Whether the line is drawn with characters, as below a header.
    drawn: bool,
    /// Whether a cell is a number.
    numbers: bool,
}

fn measure(line: &str, delimiter: u8) -> Measured {
    charge(1 + line.len());
    let cells = divide(line, delimiter);
    Measured {
        width: cells.len(),
        drawn: is_drawn(&cells),
        numbers: cells.len() >= 2 && holds_numbers(&cells),
    }
}

fn is_drawn(cells: &[String]) -> bool {
    cells
        .iter()
        .all(|cell| !cell.is_empty() && cell.chars().all(|sign| matches!(sign, '-' | ':' | '=' | ' ')))
}

/// The blocks of a delimiter that start at each of some lines. They are found from the last line to the first, so that
/// no line is looked at again for each block that contains it.
struct Blocks {
    delimiter: u8,
    starts: Vec<Start>,
}

/// The block that starts at a line. The counts include all following lines, also those behind the block.
#[derive(Clone, Copy, Default)]
struct Start {
    /// The line behind the block.
    end: usize,
    records: usize,
    numbers: usize,
    /// Whether the next record holds numbers.
    next: bool,
}

impl Blocks {
    fn new(delimiter: u8, lines: &[&Measured]) -> Self {
        let mut starts = vec![Start::default(); lines.len() + 1];
        let mut after = Start {
            end: lines.len(),
            ..Start::default()
        };
        if let Some(last) = starts.last_mut() {
            *last = after;
        }
        // Where the block of the following line ends if a line above was wider by one cell.
        let (mut width, mut end_if_wider) = (0, lines.len());
        for (at, line) in lines.iter().enumerate().rev() {
            // The end of a block that goes on behind this line and whose widest line so far has `widest` cells.
            let end = |widest: usize| match delimiter {
                _ if width < 2 => at + 1,
                b'|' | b'\t' => after.end,
                b' ' if widest == width || widest + 1 == width => after.end,
                b' ' if widest == width + 1 => end_if_wider,
                b' ' => at + 1,
                _ if widest == width => after.end,
                _ => at + 1,
            };
            let own = Start {
                end: if line.width >= 2 { end(line.width) } else { at },
                records: after.records + usize::from(!line.drawn),
                numbers: after.numbers + usize::from(!line.drawn && line.numbers),
                next: if line.drawn { after.next } else { line.numbers },
            };
            (width, end_if_wider) = (line.width, end(line.width + 1));
            after = own;
            if let Some(start) = starts.get_mut(at) {
                *start = own;
            }
        }
        Self { delimiter, starts }
    }

    /// The number of lines of the table that starts at a line, if there is one. `first` is the line of the first
    /// block.
    fn length(&self, lines: &[Line<'_>], first: usize, at: usize) -> Option<usize> {
        let start = self.starts.get(at - first)?;
        let behind = self.starts.get(start.end)?;
        let records = start.records - behind.records;
        if records < 2
            || (self.delimiter == b',' && lines.get(at).is_some_and(|line| thousands_only(line.text)))
        {
            return None;
        }
        let numbers = start.numbers - behind.numbers - usize::from(start.next);
        // A sentence with two commas is not a table; rows with numbers below each other are.
        let enough = match self.delimiter {
            b'|' => numbers >= 1,
            b'\t' => numbers >= 1 || records >= 3,
            _ => records >= 3 && numbers >= 2 && numbers * 2 >= records,
        };
        enough.then_some(start.end + first - at)
    }
}

/// The records of a block that starts at line `from`.
fn records(block: &[Line<'_>], from: usize, delimiter: u8) -> Vec<Record> {
    let rows = (from + 1..).zip(block);
    let rows = rows.map(|(line, own)| (line, divide(own.text, delimiter)));
    let rows = rows.filter(|(_, cells)| !is_drawn(cells));
    rows.collect::<Records>().done()
}

fn holds_numbers(cells: &[String]) -> bool {
    cells.iter().any(|cell| {
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
        other if !line.as_bytes().contains(&other) => Vec::new(),
        // The reader of quoted cells is slow to set up, and few lines need it.
        other if !line.contains(['"', '\r']) => {
            let line = line.strip_prefix('\u{feff}').unwrap_or(line);
            line.split(char::from(other)).map(own).collect()
        }
        other => {
            let mut reader = csv::ReaderBuilder::new()
                .buffer_capacity(line.len() + 1)
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

//! Splits delimited text into records of cells, each with its line number. The delimiter is the one that
//! splits the lines most evenly.
//!
//! Independent of headers and of the meaning of cells.

use std::borrow::Cow;
use std::iter::zip;
use std::ops::ControlFlow;
use std::sync::Arc;

use csv::StringRecord;

use crate::cells::{Cells, Rows, trimmed};
use crate::work::charge;

/// The cells of one record, trimmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The line where the record starts, counted from 1.
    pub line: usize,
    pub cells: Cells,
}

impl Record {
    /// The text of a cell; empty if the record is shorter.
    #[must_use]
    pub fn cell(&self, at: usize) -> &str {
        self.cells.get(at).unwrap_or_default()
    }
}

/// Collects records. Blank ones are left out.
#[derive(Default)]
pub struct Records {
    rows: Rows,
    lines: Vec<usize>,
}

impl Records {
    /// For texts of about so many bytes and cells.
    fn with_capacity(bytes: usize, cells: usize) -> Self {
        Self {
            rows: Rows::with_capacity(bytes, cells),
            lines: Vec::new(),
        }
    }

    /// For the cells of a text, about so many.
    fn within(text: Arc<str>, delimiter: u8, cells: usize) -> Self {
        Self {
            rows: Rows::within(text, delimiter, cells),
            lines: Vec::new(),
        }
    }

    /// Adds the cells of a line.
    pub fn push<S: AsRef<str>>(&mut self, line: usize, cells: impl IntoIterator<Item = S>) {
        if self.rows.push(cells) {
            self.lines.push(line);
        }
    }

    /// Adds the next record of the text.
    fn cut(&mut self, line: usize, begin: usize, record: &StringRecord) {
        if self.rows.cut(begin, record) {
            self.lines.push(line);
        }
    }

    #[must_use]
    pub fn done(self) -> Vec<Record> {
        zip(self.lines, self.rows.done())
            .map(|(line, cells)| Record { line, cells })
            .collect()
    }
}

impl<R: IntoIterator<Item: AsRef<str>>> FromIterator<(usize, R)> for Records {
    fn from_iter<I: IntoIterator<Item = (usize, R)>>(rows: I) -> Self {
        let mut records = Self::default();
        rows.into_iter()
            .for_each(|(line, cells)| records.push(line, cells));
        records
    }
}

/// The records of a text, without blank ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    pub records: Vec<Record>,
    /// `b' '` if the columns were split by their alignment.
    pub delimiter: u8,
}

impl Grid {
    /// Whether the columns are many and most of them are missing in most records. Readers that visit every column of
    /// every record would take far longer than the text is long.
    #[must_use]
    pub fn is_sparse(&self) -> bool {
        let cells = self.records.iter().map(|record| record.cells.len()).sum();
        is_sparse(self.width(), self.records.len(), cells)
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        let widths = self.records.iter().map(|record| record.cells.len());
        widths.max().unwrap_or(0)
    }
}

/// Any number of records may lack cells of so many columns.
const FEW: usize = 64;
/// Wider records have at least one cell of so many, on average.
const SPARSE: usize = 16;

/// The same as [`Grid::is_sparse`], before there is a grid.
#[must_use]
pub fn is_sparse(columns: usize, records: usize, cells: usize) -> bool {
    columns > FEW && columns.saturating_mul(records) > cells.saturating_mul(SPARSE)
}

/// Why a text could not be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Only white space.
    Empty,
    /// More cells than [`CELLS`].
    TooLarge,
    /// A quotation mark that is not closed.
    Malformed,
}

/// Maximum number of cells in a grid. Limits memory, and is far above the size of attachments in practice.
pub const CELLS: usize = 2_000_000;
/// Maximum number of columns, as in a spreadsheet.
pub const COLUMNS: usize = 16_384;
/// Number of records used to detect the delimiter.
const SAMPLE: usize = 60;
const DELIMITERS: &[u8] = b",\t;|";

/// Splits delimited text. `delimiter` is set if the file type determines it (`\t` for a TSV file).
///
/// # Errors
/// A text without any cell, or with too many.
pub fn delimited(text: &str, delimiter: Option<u8>) -> Result<Grid, Unread> {
    split(text, delimiter, || Arc::from(text))
}

/// The same without a copy of the text, if each cell is an unchanged part of it.
///
/// # Errors
/// A text without any cell, or with too many.
pub fn shared(text: &Arc<str>, delimiter: Option<u8>) -> Result<Grid, Unread> {
    split(text, delimiter, || Arc::clone(text))
}

fn split(text: &str, delimiter: Option<u8>, whole: impl FnOnce() -> Arc<str>) -> Result<Grid, Unread> {
    if text.trim().is_empty() {
        return Err(Unread::Empty);
    }
    let delimiter = delimiter
        .filter(|own| text.as_bytes().contains(own))
        .unwrap_or_else(|| best_delimiter(text));
    let at_most = text
        .bytes()
        .filter(|byte| *byte == delimiter || *byte == b'\n')
        .count()
        + 1;
    let at_most = at_most.min(CELLS);
    let plain = is_plain(text, delimiter);
    let mut records = if plain {
        Records::within(whole(), delimiter, at_most)
    } else {
        Records::with_capacity(text.len(), at_most)
    };
    let mut cells = 0_usize;
    let read = divide(text, delimiter, |line, begin, record| {
        cells += record.len();
        if cells > CELLS {
            return ControlFlow::Break(Unread::TooLarge);
        }
        if plain {
            records.cut(line, begin, record);
        } else {
            records.push(line, record.iter().map(clean));
        }
        ControlFlow::Continue(())
    });
    match read {
        ControlFlow::Break(why) => Err(why),
        ControlFlow::Continue(()) if records.lines.is_empty() => Err(Unread::Empty),
        ControlFlow::Continue(()) => Ok(Grid {
            records: records.done(),
            delimiter,
        }),
    }
}

/// Whether each cell is an unchanged part of the text, except for the white space around it.
fn is_plain(text: &str, delimiter: u8) -> bool {
    let begins = text.starts_with('\u{feff}');
    let quoted = text.contains(['"', '\u{a0}', '\u{202f}']);
    !begins && !quoted && (delimiter == b'\t' || !text.contains('\t'))
}

/// Calls `each` with the records of a text, and the lines and bytes where they start.
fn divide(
    text: &str,
    delimiter: u8,
    mut each: impl FnMut(usize, usize, &StringRecord) -> ControlFlow<Unread>,
) -> ControlFlow<Unread> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let bytes = text.as_bytes();
    let mut record = StringRecord::new();
    let (mut byte, mut line) = (0_usize, 1_usize);
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => return ControlFlow::Continue(()),
            Ok(true) => {}
            Err(_) => return ControlFlow::Break(Unread::Malformed),
        }
        let start = record
            .position()
            .and_then(|position| usize::try_from(position.byte()).ok())
            .unwrap_or(byte);
        // The reader's position is before the blank lines that it skips.
        let blank = bytes
            .iter()
            .skip(start)
            .take_while(|byte| matches!(byte, b'\n' | b'\r'));
        let begins = start + blank.count();
        line += breaks(bytes.get(byte..begins).unwrap_or_default());
        charge(1 + begins.saturating_sub(byte));
        byte = begins;
        each(line, begins, &record)?;
    }
}

/// The number of line breaks, of which CR LF is one.
fn breaks(span: &[u8]) -> usize {
    let after = span.iter().skip(1).chain([&0]);
    zip(span, after)
        .filter(|(own, next)| **own == b'\n' || **own == b'\r' && **next != b'\n')
        .count()
}

/// Trims a cell, and puts one blank in place of the white space that spreadsheets add.
fn clean(cell: &str) -> Cow<'_, str> {
    let outer = trimmed(cell);
    if outer.contains(['\n', '\r', '\t', '\u{a0}', '\u{202f}']) {
        Cow::Owned(outer.split_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(outer)
    }
}

/// The delimiter for which most records have the same number of cells; in a tie, the one with more cells.
fn best_delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let (mut seen, mut lengths) = (0, Vec::new());
        let _ = divide(text, delimiter, |_, _, record| {
            if record.iter().any(|cell| !clean(cell).is_empty()) {
                lengths.push(record.len());
            }
            seen += 1;
            if seen < SAMPLE {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Unread::TooLarge)
            }
        });
        let most = lengths
            .iter()
            .filter(|length| **length > 1)
            .map(|length| (lengths.iter().filter(|other| *other == length).count(), *length))
            .max()
            .unwrap_or((0, 0));
        let ragged = lengths.len().saturating_sub(most.0);
        (most.0 * 100 / lengths.len().max(1), usize::MAX - ragged, most.1)
    };
    let mut best = (b',', (0, 0, 0));
    for delimiter in DELIMITERS {
        let own = score(*delimiter);
        // At least half of the records must have the same number of cells.
        if own.0 >= 30 && own > best.1 {
            best = (*delimiter, own);
        }
    }
    best.0
}

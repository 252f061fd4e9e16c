//! Splits delimited text into records of cells, each with its line number. The delimiter is the one that
//! splits the lines most evenly.
//!
//! Independent of headers and of the meaning of cells.

use crate::work::charge;

/// The cells of one record, trimmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The line where the record starts, counted from 1.
    pub line: usize,
    pub cells: Vec<String>,
}

impl Record {
    /// The text of a cell; empty if the record is shorter.
    #[must_use]
    pub fn cell(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", String::as_str)
    }

    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(String::is_empty)
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
    if text.trim().is_empty() {
        return Err(Unread::Empty);
    }
    let delimiter = delimiter
        .filter(|own| text.as_bytes().contains(own))
        .unwrap_or_else(|| best_delimiter(text));
    let mut records = Vec::new();
    let mut cells = 0_usize;
    for record in divided(text, delimiter) {
        let record = record?;
        cells += record.cells.len();
        if cells > CELLS {
            return Err(Unread::TooLarge);
        }
        if !record.is_blank() {
            records.push(record);
        }
    }
    if records.is_empty() {
        return Err(Unread::Empty);
    }
    Ok(Grid { records, delimiter })
}

fn divided(text: &str, delimiter: u8) -> impl Iterator<Item = Result<Record, Unread>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let (mut byte, mut line) = (0_usize, 1_usize);
    std::iter::from_fn(move || {
        match reader.read_record(&mut record) {
            Ok(false) => return None,
            Ok(true) => {}
            Err(_) => return Some(Err(Unread::Malformed)),
        }
        let start = record
            .position()
            .and_then(|position| usize::try_from(position.byte()).ok())
            .unwrap_or(byte);
        let bytes = text.as_bytes();
        let breaks = |from: usize, to: usize| {
            let span = bytes.get(from..to).unwrap_or_default();
            let lone = |at: usize| span.get(at) == Some(&b'\r') && span.get(at + 1) != Some(&b'\n');
            (0..span.len())
                .filter(|at| span.get(*at) == Some(&b'\n') || lone(*at))
                .count()
        };
        // The reader's position is before the blank lines that it skips.
        let begins = (start..bytes.len())
            .find(|at| !matches!(bytes.get(*at), Some(b'\n' | b'\r')))
            .unwrap_or(start);
        line += breaks(byte, begins);
        charge(1 + begins.saturating_sub(byte));
        byte = begins;
        Some(Ok(Record {
            line,
            cells: record.iter().map(clean).collect(),
        }))
    })
}

/// Trims a cell, including the white space that spreadsheets add.
fn clean(cell: &str) -> String {
    let outer = cell.trim_matches(|sign: char| sign.is_whitespace() || sign == '\u{feff}');
    if outer.contains(['\n', '\r', '\t', '\u{a0}', '\u{202f}']) {
        outer.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        outer.to_owned()
    }
}

/// The delimiter for which most records have the same number of cells; in a tie, the one with more cells.
fn best_delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let lengths: Vec<usize> = divided(text, delimiter)
            .take(SAMPLE)
            .filter_map(Result::ok)
            .filter(|record| !record.is_blank())
            .map(|record| record.cells.len())
            .collect();
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

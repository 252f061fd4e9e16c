//! Reads the sheets of a workbook, cell by cell: the size that a sheet states cannot be trusted.
//!
//! Independent of the meaning of the cells. The workbook has passed the trial run of `unpacking`.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::time::{Duration, Instant};

use calamine::{DataRef, Reader as _, Style, Xlsx, XlsxError};

use crate::portfolio::import::finding::{Code, Finding, Findings};
use crate::portfolio::import::sheet::{InputFile, MAX_COLUMNS, Room, Sheet};
use tables::grid::{CELLS, Record, Records};
use tables::letters;

/// Maximum number of rows read from a sheet, and of sheets.
const MAX_ROWS: u32 = 1_048_576;
const MAX_SHEETS: usize = 200;
/// The time that reading a workbook may take. Many sheets may be the same large part, and empty cells are not counted.
const LIMIT: Duration = Duration::from_secs(30);
/// Memory of a row without cells, in cells.
const ROW: usize = 2;

/// Reads all sheets, as far as there is room.
pub(super) fn read(
    file: &InputFile,
    room: &mut Room,
    sheets: &mut Vec<Sheet>,
    found: &mut Findings,
) -> Result<(), XlsxError> {
    let until = Instant::now() + LIMIT;
    let bytes = Timed {
        bytes: Cursor::new(file.bytes.as_slice()),
        until,
    };
    let mut state: Xlsx<_> = Xlsx::new(bytes)?;
    let names = state.sheet_names();
    if names.len() > MAX_SHEETS {
        let why = format!("has {} sheets; the maximum is {MAX_SHEETS}", names.len());
        found.add(Finding::new(&file.name, None, Code::FileTooLarge, why));
        return Ok(());
    }
    let several = names.len() > 1;
    for sheet in names {
        let name = if several {
            format!("{} · {sheet}", file.name)
        } else {
            file.name.clone()
        };
        let Ok(mut reader) = state.worksheet_cells_reader(&sheet) else {
            continue;
        };
        let shares: Vec<bool> = reader.styles().iter().map(is_share).collect();
        let mut rows = Rows::default();
        let mut complete = true;
        while let Some((cell, style)) = reader.next_cell_with_style_id()? {
            let (row, column) = cell.get_position();
            let share = shares.get(style).copied().unwrap_or(false);
            let text = written(cell.get_value(), share);
            if text.is_empty() {
                continue;
            }
            let column = usize::try_from(column).unwrap_or(usize::MAX);
            let line = usize::try_from(row).unwrap_or_default() + 1;
            if row >= MAX_ROWS || column >= MAX_COLUMNS || rows.put(line, column, text, room).is_none() {
                let why = format!("has too many cells (the maximum is {CELLS} in {MAX_COLUMNS} columns)");
                found.add(Finding::new(&name, None, Code::FileTooLarge, why));
                complete = false;
                break;
            }
        }
        // Empty sheets in a workbook are common and not worth a finding.
        let rows = rows.into_records();
        if complete && !rows.is_empty() {
            sheets.push(Sheet {
                name,
                rows,
                workbook: true,
            });
        }
    }
    if Instant::now() >= until {
        return Err(XlsxError::Io(too_slow()));
    }
    Ok(())
}

/// The rows of a sheet so far.
#[derive(Default)]
struct Rows {
    done: Records,
    /// The last row, to which cells are added.
    line: usize,
    cells: Vec<String>,
}

impl Rows {
    /// Adds a cell, and the empty ones to the left of it. `None` if there is no room.
    fn put(&mut self, line: usize, column: usize, text: String, room: &mut Room) -> Option<()> {
        if self.line != line {
            room.cells = room.cells.checked_sub(ROW)?;
            self.end();
            self.line = line;
        }
        let more = (column + 1).saturating_sub(self.cells.len());
        room.cells = room.cells.checked_sub(more)?;
        room.text = room.text.checked_sub(text.len())?;
        if more > 0 {
            self.cells.resize(column + 1, String::new());
        }
        *self.cells.get_mut(column)? = text;
        Some(())
    }

    fn end(&mut self) {
        self.done.push(self.line, self.cells.drain(..));
    }

    fn into_records(mut self) -> Vec<Record> {
        self.end();
        self.done.done()
    }
}

/// The bytes of a workbook, which can be read until a time limit.
struct Timed<'a> {
    bytes: Cursor<&'a [u8]>,
    until: Instant,
}

fn too_slow() -> io::Error {
    let why = format!("it takes longer than {} seconds; split it", LIMIT.as_secs());
    io::Error::new(io::ErrorKind::TimedOut, why)
}

impl Read for Timed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if Instant::now() >= self.until {
            return Err(too_slow());
        }
        self.bytes.read(into)
    }
}

impl Seek for Timed<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// Whether the cell is formatted as a percentage: 0.055 is displayed as 5.5 %, so that is what the author
/// meant.
fn is_share(style: &Style) -> bool {
    let Some(format) = &style.number_format else {
        return false;
    };
    // Quoted or escaped signs are only text. The first section is the format of positive numbers.
    let (mut quoted, mut escaped) = (false, false);
    for sign in format.format_code.chars() {
        match sign {
            _ if escaped => escaped = false,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '\\' | '_' | '*' => escaped = true,
            '%' => return true,
            ';' => return false,
            _ => {}
        }
    }
    false
}

/// Formats a cell as a text file would contain it.
fn written(cell: &DataRef<'_>, share: bool) -> String {
    match cell {
        DataRef::Int(number) if share => format!("{}%", number.saturating_mul(100)),
        DataRef::Float(number) if share && number.is_finite() => format!("{}%", plain(number * 100.0)),
        DataRef::Int(number) => number.to_string(),
        // Workbooks store fifteen digits; further digits are artifacts of binary fractions.
        DataRef::Float(number) if number.is_finite() => plain(*number),
        DataRef::Float(_) | DataRef::Empty => String::new(),
        DataRef::String(text) => letters::composed(text.trim()).into_owned(),
        DataRef::SharedString(text) => letters::composed(text.trim()).into_owned(),
        DataRef::Bool(truth) => truth.to_string(),
        DataRef::DateTime(moment) if moment.is_duration() => plain(moment.as_f64()),
        DataRef::DateTime(moment) => moment
            .as_datetime()
            .map_or_else(|| plain(moment.as_f64()), |at| at.date().to_string()),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.split('T').next().unwrap_or_default().to_owned()
        }
        DataRef::Error(error) => error.to_string(),
    }
}

fn plain(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs().log10().floor();
    let places = (14.0 - magnitude).clamp(0.0, 14.0) as usize;
    let text = format!("{number:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

//! Reads uploaded files as rows of text cells: delimited text, workbooks, and archives of both. Files that
//! are too large become findings, and unpacking stops at the limits below.
//!
//! Independent of the meaning of the cells.

use std::io::{Cursor, Read as _};

use calamine::{DataRef, Reader as _, Style, Xlsx};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::portfolio::import::finding::{Code, Finding, Findings};
use tables::decode::decode;
use tables::grid::{Record, Unread, delimited};

/// Maximum size of one file in bytes, packed or not.
pub const MAX_FILE_BYTES: usize = 64 * 1024 * 1024;
/// Maximum unpacked size of an archive or a workbook, in bytes.
const MAX_UNPACKED_BYTES: u64 = 256 * 1024 * 1024;
/// Maximum number of files in an import, including those in archives.
const MAX_FILES: usize = 200;
/// Maximum number of columns; wider tables are not portfolio data.
const MAX_COLUMNS: usize = 1_000;
/// Maximum number of rows read from a workbook's sheet.
const MAX_ROWS: u32 = 1_048_576;
/// Maximum number of cells in all workbooks of an import, and of bytes in their texts: many cells may refer
/// to one long text.
const MAX_CELLS: usize = 4_000_000;
const MAX_TEXT_BYTES: usize = 256 * 1024 * 1024;
/// The signature of workbooks in the format before 2007, and of password-protected ones.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// An uploaded file.
#[derive(Clone, Debug)]
pub struct InputFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The rows of one file, or of one sheet of a workbook.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The file's name. For a workbook with several sheets, `rent.xlsx · Sheet1`.
    pub name: String,
    pub rows: Vec<Record>,
    /// Whether the sheet is from a workbook, where rows may omit empty cells at the end.
    pub workbook: bool,
}

/// The remaining capacity of an import.
struct Room {
    files: usize,
    cells: usize,
    text: usize,
}

/// Reads all sheets. What cannot be read becomes a finding.
pub fn sheets(files: Vec<InputFile>, found: &mut Findings) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let mut room = Room {
        files: MAX_FILES,
        cells: MAX_CELLS,
        text: MAX_TEXT_BYTES,
    };
    for file in files {
        if room.files == 0 {
            let many = format!("more than {MAX_FILES} files; import them in several steps");
            found.add(Finding::new(&file.name, None, Code::FileTooLarge, many));
            break;
        }
        room.files -= 1;
        open(file, &mut room, true, &mut sheets, found);
    }
    sheets
}

fn open(file: InputFile, room: &mut Room, outer: bool, sheets: &mut Vec<Sheet>, found: &mut Findings) {
    if file.bytes.len() > MAX_FILE_BYTES {
        found.add(too_large(&file.name, file.bytes.len()));
        return;
    }
    let name = file.name.clone();
    let unreadable = |why: String| Finding::new(&name, None, Code::Encoding, why);
    if file.bytes.starts_with(COMPOUND) {
        let why = "an Excel workbook with a password or in the format before 2007; save it as .xlsx without a password";
        found.add(unreadable(why.to_owned()));
        return;
    }
    if !file.bytes.starts_with(b"PK\x03\x04") {
        if let Some(sheet) = text(&file, found) {
            sheets.push(sheet);
        }
        return;
    }
    let mut archive = match ZipArchive::new(Cursor::new(file.bytes.as_slice())) {
        Ok(archive) => archive,
        Err(error) => {
            found.add(unreadable(format!("the archive cannot be read: {error}")));
            return;
        }
    };
    match unpacks(&mut archive) {
        Unpacked::Fits => {}
        Unpacked::TooLarge => {
            let most = MAX_UNPACKED_BYTES / 1024 / 1024;
            let why = format!("unpacks to more than {most} MiB; import it in several steps");
            found.add(Finding::new(&file.name, None, Code::FileTooLarge, why));
            return;
        }
        Unpacked::Broken(why) => {
            found.add(unreadable(why));
            return;
        }
    }
    if archive.index_for_name("xl/workbook.xml").is_some() {
        drop(archive);
        if let Err(why) = workbook(&file, room, sheets, found) {
            found.add(unreadable(format!("the workbook cannot be read: {why}")));
        }
    } else if outer {
        unpack(&file.name, &mut archive, room, sheets, found);
    } else {
        found.add(unreadable("nested archives are not supported".to_owned()));
    }
}

fn too_large(name: &str, bytes: usize) -> Finding {
    let (own, most) = (bytes / 1024 / 1024, MAX_FILE_BYTES / 1024 / 1024);
    let why = format!("the file is {own} MiB; the maximum is {most} MiB. Split it by building or by year");
    Finding::new(name, None, Code::FileTooLarge, why)
}

/// The result of a trial run that unpacks everything.
enum Unpacked {
    Fits,
    TooLarge,
    Broken(String),
}

/// Unpacks everything and counts the bytes, because the sizes stated in an archive cannot be trusted.
fn unpacks(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Unpacked {
    let mut left = MAX_UNPACKED_BYTES;
    for n in 0..archive.len() {
        let entry = match archive.by_index(n) {
            Ok(entry) => entry,
            Err(ZipError::UnsupportedArchive(why)) if why == ZipError::PASSWORD_REQUIRED => {
                let why = "the archive has a password; create it without one";
                return Unpacked::Broken(why.to_owned());
            }
            Err(error) => return Unpacked::Broken(format!("the archive cannot be read: {error}")),
        };
        match std::io::copy(&mut entry.take(left + 1), &mut std::io::sink()) {
            Ok(read) => match left.checked_sub(read) {
                Some(rest) => left = rest,
                None => return Unpacked::TooLarge,
            },
            Err(error) => return Unpacked::Broken(format!("the archive is damaged: {error}")),
        }
    }
    Unpacked::Fits
}

fn unpack(
    archive_name: &str,
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    room: &mut Room,
    sheets: &mut Vec<Sheet>,
    found: &mut Findings,
) {
    for n in 0..archive.len() {
        let Ok(mut entry) = archive.by_index(n) else {
            continue;
        };
        let Ok(path) = entry.name().map(std::borrow::Cow::into_owned) else {
            continue;
        };
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        // Skip folders, and files that some systems add.
        let foreign = entry.is_dir() || name.starts_with('.') || path.starts_with("__MACOSX/");
        if foreign || !is_table(&name) {
            continue;
        }
        if room.files == 0 {
            let many = format!("more than {MAX_FILES} files; import them in several steps");
            found.add(Finding::new(archive_name, None, Code::FileTooLarge, many));
            return;
        }
        room.files -= 1;
        let mut bytes = Vec::new();
        if entry.read_to_end(&mut bytes).is_ok() {
            drop(entry);
            open(InputFile { name, bytes }, room, false, sheets, found);
        }
    }
}

/// Whether the name is that of a file that an import reads.
pub fn is_table(name: &str) -> bool {
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("csv" | "tsv" | "txt" | "xlsx" | "xlsm"))
}

fn text(file: &InputFile, found: &mut Findings) -> Option<Sheet> {
    let decoded = decode(&file.bytes);
    let tabs = file.name.to_ascii_lowercase().ends_with(".tsv").then_some(b'\t');
    match delimited(&decoded.text, tabs) {
        Ok(grid) => narrow(&file.name, grid.records, false, found),
        Err(Unread::Empty) => {
            let why = "the file is empty".to_owned();
            found.add(Finding::new(&file.name, None, Code::MissingColumn, why));
            None
        }
        Err(Unread::TooLarge) => {
            let why = "has too many cells; split it by building or by year";
            found.add(Finding::new(&file.name, None, Code::FileTooLarge, why));
            None
        }
        Err(Unread::Malformed) => {
            let why = "cannot be split into rows and columns; save it as CSV UTF-8";
            found.add(Finding::new(&file.name, None, Code::Encoding, why));
            None
        }
    }
}

fn narrow(name: &str, rows: Vec<Record>, workbook: bool, found: &mut Findings) -> Option<Sheet> {
    let widest = rows.iter().max_by_key(|row| row.cells.len());
    if let Some(row) = widest.filter(|row| row.cells.len() > MAX_COLUMNS) {
        let why = format!("has {} columns; the maximum is {MAX_COLUMNS}", row.cells.len());
        found.add(Finding::new(name, Some(row.line), Code::FileTooLarge, why));
        return None;
    }
    Some(Sheet {
        name: name.to_owned(),
        rows,
        workbook,
    })
}

fn workbook(
    file: &InputFile,
    room: &mut Room,
    sheets: &mut Vec<Sheet>,
    found: &mut Findings,
) -> Result<(), calamine::XlsxError> {
    let mut state: Xlsx<_> = Xlsx::new(Cursor::new(file.bytes.as_slice()))?;
    let names = state.sheet_names();
    let several = names.len() > 1;
    for sheet in names {
        let name = if several {
            format!("{} · {sheet}", file.name)
        } else {
            file.name.clone()
        };
        // Read cell by cell, because the size that a sheet states cannot be trusted.
        let Ok(mut reader) = state.worksheet_cells_reader(&sheet) else {
            continue;
        };
        let shares: Vec<bool> = reader.styles().iter().map(is_share).collect();
        let mut rows: Vec<Record> = Vec::new();
        let mut complete = true;
        while let Some((cell, style)) = reader.next_cell_with_style_id()? {
            let (row, column) = cell.get_position();
            let share = shares.get(style).copied().unwrap_or(false);
            let text = written(cell.get_value(), share);
            if text.is_empty() {
                continue;
            }
            let column = usize::try_from(column).unwrap_or(usize::MAX);
            let rest = (room.cells.checked_sub(1), room.text.checked_sub(text.len()));
            let (Some(cells), Some(bytes), true) = (rest.0, rest.1, row < MAX_ROWS && column < MAX_COLUMNS)
            else {
                let why = format!("has too many cells (the maximum is {MAX_CELLS} in {MAX_COLUMNS} columns)");
                found.add(Finding::new(&name, None, Code::FileTooLarge, why));
                complete = false;
                break;
            };
            (room.cells, room.text) = (cells, bytes);
            let line = usize::try_from(row).unwrap_or_default() + 1;
            if rows.last().is_none_or(|last| last.line != line) {
                rows.push(Record {
                    line,
                    cells: Vec::new(),
                });
            }
            if let Some(last) = rows.last_mut() {
                if last.cells.len() <= column {
                    last.cells.resize(column + 1, String::new());
                }
                if let Some(place) = last.cells.get_mut(column) {
                    *place = text;
                }
            }
        }
        // Empty sheets in a workbook are common and not worth a finding.
        if complete && !rows.is_empty() {
            sheets.push(Sheet {
                name,
                rows,
                workbook: true,
            });
        }
    }
    Ok(())
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
        DataRef::String(text) => text.trim().to_owned(),
        DataRef::SharedString(text) => text.trim().to_owned(),
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

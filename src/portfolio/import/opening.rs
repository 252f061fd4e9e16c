//! Reads uploaded files as rows of text cells: delimited text, workbooks, and archives of both. Files that
//! are too large become findings, and unpacking stops at the limits of `sheet` and `unpacking`.
//!
//! Independent of the meaning of the cells.

use std::borrow::Cow;
use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use crate::portfolio::import::finding::{Code, Finding, Findings};
use crate::portfolio::import::sheet::{InputFile, MAX_COLUMNS, MAX_FILE_BYTES, MAX_FILES, Room, Sheet};
use crate::portfolio::import::unpacking::{MAX_UNPACKED_BYTES, Unpacked, unpacks};
use crate::portfolio::import::workbook;
use tables::decode::decode;
use tables::grid::{CELLS, Grid, Record, Records, Unread, delimited};
use tables::layout;
use tables::numbers::{self, Decimal};

/// The signature of workbooks in the format before 2007, and of password-protected ones.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Reads all sheets. What cannot be read becomes a finding.
pub fn sheets(files: Vec<InputFile>, found: &mut Findings) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let mut room = Room::of_import();
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
        sheets.extend(text(file, room, found));
        return;
    }
    let mut archive = match ZipArchive::new(Cursor::new(file.bytes.as_slice())) {
        Ok(archive) => archive,
        Err(error) => {
            found.add(unreadable(format!("the archive cannot be read: {error}")));
            return;
        }
    };
    let is_workbook = archive.index_for_name("xl/workbook.xml").is_some();
    match unpacks(&mut archive, is_workbook) {
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
    if is_workbook {
        drop(archive);
        let spare = room.cells.saturating_sub(CELLS);
        room.cells -= spare;
        let read = workbook::read(&file, room, sheets, found);
        room.cells += spare;
        if let Err(why) = read {
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

fn text(file: InputFile, room: &mut Room, found: &mut Findings) -> Option<Sheet> {
    let decoded = decode(file.bytes);
    let tabs = file.name.to_ascii_lowercase().ends_with(".tsv").then_some(b'\t');
    let grid = delimited(&decoded.text, tabs).and_then(|grid| {
        let cells = grid.records.iter().map(|record| record.cells.len()).sum();
        room.cells = room.cells.checked_sub(cells).ok_or(Unread::TooLarge)?;
        Ok(grid)
    });
    match grid {
        Ok(grid) => narrow(&file.name, pointed(grid), found),
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

/// The records of a grid with points for decimals, as all later steps read them: 1.450,00 is 1450.00.
fn pointed(grid: Grid) -> Vec<Record> {
    if layout::decimal_of(&grid) == Decimal::Point {
        return grid.records;
    }
    let rows = grid.records.iter();
    let rows = rows.map(|record| (record.line, record.cells.iter().map(with_point)));
    rows.collect::<Records>().done()
}

fn with_point(cell: &str) -> Cow<'_, str> {
    if cell.contains(['.', ',']) && numbers::number(cell, Decimal::Comma).is_some() {
        Cow::Owned(cell.replace('.', "").replace(',', "."))
    } else {
        Cow::Borrowed(cell)
    }
}

fn narrow(name: &str, rows: Vec<Record>, found: &mut Findings) -> Option<Sheet> {
    let widest = rows.iter().max_by_key(|row| row.cells.len());
    if let Some(row) = widest.filter(|row| row.cells.len() > MAX_COLUMNS) {
        let why = format!("has {} columns; the maximum is {MAX_COLUMNS}", row.cells.len());
        found.add(Finding::new(name, Some(row.line), Code::FileTooLarge, why));
        return None;
    }
    Some(Sheet {
        name: name.to_owned(),
        rows,
        workbook: false,
    })
}

//! Uploaded files, the rows of text cells that are read from them, and the limits of both.

use tables::grid::Record;

/// Maximum size of one file in bytes, packed or not.
pub const MAX_FILE_BYTES: usize = 64 * 1024 * 1024;
/// Maximum number of files in an import, including those in archives.
pub const MAX_FILES: usize = 200;
/// Maximum number of columns; wider tables are not portfolio data.
pub const MAX_COLUMNS: usize = 1_000;
/// Maximum number of cells in an import, and of bytes in the texts of its workbooks: many cells may refer to one long
/// text. One file has at most [`CELLS`](tables::grid::CELLS).
const MAX_CELLS: usize = 4_000_000;
const MAX_TEXT_BYTES: usize = 64 * 1024 * 1024;

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
pub struct Room {
    pub files: usize,
    pub cells: usize,
    pub text: usize,
}

impl Room {
    pub const fn of_import() -> Self {
        Self {
            files: MAX_FILES,
            cells: MAX_CELLS,
            text: MAX_TEXT_BYTES,
        }
    }
}

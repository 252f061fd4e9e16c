//! Detects the type of a file from its content. The name and the declared type are only claims and must agree with it.
//! Nothing is decompressed, decoded or executed; of zip packages, only the names of entries are read.

use std::io::{self, BufReader, Read as _};

use crate::files::model::{Kind, Refusal};
use crate::files::spool::Content;

/// Largest number of entries of a package that are read.
const MAX_ENTRIES: usize = 20_000;
/// Largest directory of a package that is read, in bytes.
const MAX_DIRECTORY: usize = 4 << 20;
/// Bytes read at a time when content is scanned.
const WINDOW: usize = 64 << 10;

/// The detected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    pub macros: bool,
}

/// The kind of a file if its content and claims agree on an accepted one. Fails if the content cannot be read.
pub fn detect(name: &str, declared: Option<&str>, content: &Content) -> io::Result<Result<Found, Refusal>> {
    if content.bytes() == 0 {
        return Ok(Err(Refusal::Empty));
    }
    let claimed = by_name(name).or_else(|| declared.and_then(by_type));
    let found = match by_content(content)? {
        Ok(found) => found,
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(match found {
        Some(found) if claimed.is_none_or(|claimed| claimed == found.kind) => Ok(found),
        Some(found) => Err(claimed.map_or(Refusal::Kind, |claimed| Refusal::Mismatch {
            claimed,
            found: found.kind,
        })),
        None if is_text(content)? => match claimed {
            Some(claimed) if claimed.is_text() => Ok(Found {
                kind: json_or_text(claimed, content)?,
                macros: false,
            }),
            Some(claimed) => Err(Refusal::Mismatch {
                claimed,
                found: Kind::Text,
            }),
            None if claims_nothing(name, declared) => Ok(Found {
                kind: json_or_text(Kind::Json, content)?,
                macros: false,
            }),
            // Source code and web pages are text too; a file that claims an unsupported type is refused.
            None => Err(Refusal::Kind),
        },
        None => Err(Refusal::Kind),
    })
}

/// True if the name has no extension and the declared type is missing or generic.
fn claims_nothing(name: &str, declared: Option<&str>) -> bool {
    let has_extension = name.trim_matches('.').contains('.');
    let is_generic = |kind: &str| kind.eq_ignore_ascii_case("application/octet-stream");
    !has_extension && declared.is_none_or(is_generic)
}

/// The kind claimed by the extension of the name.
pub fn by_name(name: &str) -> Option<Kind> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "pdf" => Kind::Pdf,
        "xlsx" | "xlsm" | "xlsb" | "xls" | "xltx" | "xltm" | "xlt" | "ods" => Kind::Excel,
        "docx" | "docm" | "doc" | "dotx" | "dotm" | "dot" => Kind::Word,
        "pptx" | "pptm" | "ppt" | "potx" | "potm" | "ppsx" | "ppsm" | "pps" => Kind::PowerPoint,
        "csv" => Kind::Csv,
        "tsv" | "tab" => Kind::Tsv,
        "txt" | "text" | "log" => Kind::Text,
        "md" | "markdown" => Kind::Markdown,
        "json" => Kind::Json,
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "bmp" | "tif" | "tiff" => Kind::Image,
        _ => return None,
    })
}

/// The kind claimed by the declared media type.
fn by_type(declared: &str) -> Option<Kind> {
    let plain = declared.split(';').next().unwrap_or_default().trim();
    Some(match plain.to_ascii_lowercase().as_str() {
        "application/pdf" => Kind::Pdf,
        "text/csv" => Kind::Csv,
        "text/tab-separated-values" => Kind::Tsv,
        "text/plain" => Kind::Text,
        "text/markdown" => Kind::Markdown,
        "application/json" => Kind::Json,
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp" | "image/tiff" => Kind::Image,
        "application/msword" => Kind::Word,
        "application/vnd.ms-excel" => Kind::Excel,
        "application/vnd.ms-powerpoint" => Kind::PowerPoint,
        other if other.contains("spreadsheet") => Kind::Excel,
        other if other.contains("wordprocessing") => Kind::Word,
        other if other.contains("presentation") => Kind::PowerPoint,
        _ => return None,
    })
}

/// Detects binary formats by their signatures. `None` for text and for unsupported formats.
fn by_content(content: &Content) -> io::Result<Result<Option<Found>, Refusal>> {
    let without_macros = |kind| Ok(Ok(Some(Found { kind, macros: false })));
    let start = part(content, 0, 8 << 10)?;
    if position(start.get(..start.len().min(1024)).unwrap_or_default(), b"%PDF-").is_some() {
        return without_macros(Kind::Pdf);
    }
    if start.starts_with(&[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) {
        return compound(content);
    }
    if start.starts_with(b"PK\x03\x04") {
        return package(content, &start).map(Ok);
    }
    match infer::get(&start).map(|kind| kind.mime_type()) {
        Some("image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp" | "image/tiff") => {
            without_macros(Kind::Image)
        }
        Some(_) | None => Ok(Ok(None)),
    }
}

/// Detects older Office files by the names of the streams in them.
fn compound(content: &Content) -> io::Result<Result<Option<Found>, Refusal>> {
    let names = [
        "EncryptedPackage",
        "WordDocument",
        "PowerPoint Document",
        "Workbook",
        "Book",
        "_VBA_PROJECT",
    ];
    let utf16 = names.map(|name| -> Vec<u8> { name.encode_utf16().flat_map(u16::to_le_bytes).collect() });
    let mut seen = [false; 6];
    windows(content, 64, |window| {
        for (seen, name) in seen.iter_mut().zip(&utf16) {
            *seen = *seen || position(window, name).is_some();
        }
        true
    })?;
    let [encrypted, word, slides, workbook, book, macros] = seen;
    if encrypted {
        return Ok(Err(Refusal::Encrypted));
    }
    let kind = if word {
        Kind::Word
    } else if slides {
        Kind::PowerPoint
    } else if workbook || book {
        Kind::Excel
    } else {
        return Ok(Ok(None));
    };
    Ok(Ok(Some(Found { kind, macros })))
}

/// Detects newer Office files and OpenDocument spreadsheets by the entry names in the package's directory.
fn package(content: &Content, start: &[u8]) -> io::Result<Option<Found>> {
    let Some(directory) = directory(content)? else {
        return Ok(None);
    };
    let names = entries(&directory);
    let has = |wanted: &str| {
        names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(wanted.as_bytes()))
    };
    let any_starts_with = |wanted: &[u8]| names.iter().any(|name| name.starts_with(wanted));
    let start = start.get(..start.len().min(200)).unwrap_or_default();
    let is_open_sheet =
        has("content.xml") && has("mimetype") && position(start, b"opendocument.spreadsheet").is_some();
    let kind = if has("word/document.xml") || has("word/document2.xml") {
        Kind::Word
    } else if has("ppt/presentation.xml") {
        Kind::PowerPoint
    } else if has("xl/workbook.xml") || has("xl/workbook.bin") || is_open_sheet {
        Kind::Excel
    } else {
        return Ok(None);
    };
    let macros = names
        .iter()
        .any(|name| name.to_ascii_lowercase().ends_with(b"vbaproject.bin"))
        || any_starts_with(b"Basic/");
    Ok(Some(Found { kind, macros }))
}

/// The central directory of a zip file; `None` if it is missing, misplaced or too large.
fn directory(content: &Content) -> io::Result<Option<Vec<u8>>> {
    // The end record has 22 bytes and a comment of at most 65,535 bytes.
    let from = content.bytes().saturating_sub(22 + 65_535);
    let tail = part(content, from, 22 + 65_535)?;
    let place = last_position(&tail, b"PK\x05\x06")
        .and_then(|end| Some((number(&tail, end + 12, 4)?, number(&tail, end + 16, 4)?)));
    match place {
        Some((size, start)) if size <= MAX_DIRECTORY => {
            let start = u64::try_from(start).unwrap_or(u64::MAX);
            // An offset after the end makes the file invalid; it is not a read error.
            if start >= content.bytes() {
                return Ok(None);
            }
            let found = part(content, start, size)?;
            Ok((found.len() == size).then_some(found))
        }
        _ => Ok(None),
    }
}

/// The entry names in a central directory, up to the first invalid entry.
fn entries(directory: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let mut at = 0;
    while names.len() < MAX_ENTRIES {
        let next = || -> Option<(&[u8], usize)> {
            if directory.get(at..at + 4)? != b"PK\x01\x02" {
                return None;
            }
            let length = |offset| number(directory, at + offset, 2);
            let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
            Some((
                directory.get(at + 46..at + 46 + name)?,
                46 + name + extra + comment,
            ))
        };
        let Some((name, length)) = next() else {
            break;
        };
        names.push(name);
        at += length;
    }
    names
}

/// Reads a little-endian number of `width` bytes.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let part = bytes.get(at..at.checked_add(width)?)?;
    Some(
        part.iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | usize::from(*byte)),
    )
}

/// True for text: UTF-16 with a byte order mark, or bytes with no control characters other than white space (UTF-8
/// and older single-byte encodings).
fn is_text(content: &Content) -> io::Result<bool> {
    let mark = part(content, 0, 2)?;
    if mark == [0xff, 0xfe] || mark == [0xfe, 0xff] {
        return Ok(content.bytes().is_multiple_of(2));
    }
    let is_printable =
        |byte: &u8| *byte >= 0x20 && *byte != 0x7f || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    let mut all = true;
    windows(content, 0, |window| {
        all = window.iter().all(is_printable);
        all
    })?;
    Ok(all)
}

/// Returns the claimed kind of a text file, except that invalid JSON counts as plain text.
fn json_or_text(claimed: Kind, content: &Content) -> io::Result<Kind> {
    if claimed != Kind::Json {
        return Ok(claimed);
    }
    let mut reader = BufReader::new(content.reader());
    if part(content, 0, 3)? == b"\xef\xbb\xbf" {
        reader.read_exact(&mut [0; 3])?;
    }
    match serde_json::from_reader::<_, serde::de::IgnoredAny>(reader) {
        Ok(_) => Ok(Kind::Json),
        Err(error) if error.is_io() => Err(error.into()),
        Err(_) => Ok(Kind::Text),
    }
}

/// Reads at most `max` bytes starting at `at`.
fn part(content: &Content, at: u64, max: usize) -> io::Result<Vec<u8>> {
    let left = usize::try_from(content.bytes().saturating_sub(at)).unwrap_or(usize::MAX);
    let mut bytes = vec![0; max.min(left)];
    let read = content.read_at(at, &mut bytes)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// Passes the content to `visit` in windows that overlap by `overlap` bytes, until `visit` returns false.
fn windows(content: &Content, overlap: usize, mut visit: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    let mut at = 0;
    while at < content.bytes() {
        let window = part(content, at, WINDOW)?;
        let next = window.len().saturating_sub(overlap).max(1);
        if !visit(&window) || window.len() < WINDOW {
            return Ok(());
        }
        at += u64::try_from(next).unwrap_or(u64::MAX);
    }
    Ok(())
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let (first, _) = wanted.split_first()?;
    let mut from = 0;
    loop {
        let rest = bytes.get(from..)?;
        let at = from + rest.iter().position(|byte| byte == first)?;
        if bytes.get(at..)?.starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn last_position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|part| part == wanted)
}

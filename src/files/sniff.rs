//! What a file truly is, by its content: the name and the declared type are claims that have to agree.
//! Nothing is decompressed, decoded or run here; only names inside a package are read.

use crate::files::model::{Kind, Refusal};

/// Most entries of a package that are looked at, and bytes of its directory.
const ENTRIES: usize = 20_000;
const DIRECTORY: usize = 4 << 20;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    pub macros: bool,
}

/// The kind, if content and claims agree on one that is taken.
pub fn sniff(name: &str, declared: Option<&str>, bytes: &[u8]) -> Result<Found, Refusal> {
    if bytes.is_empty() {
        return Err(Refusal::Empty);
    }
    let claimed = by_name(name).or_else(|| declared.and_then(by_type));
    match by_content(bytes)? {
        Some(found) if claimed.is_none_or(|claimed| claimed == found.kind) => Ok(found),
        Some(found) => Err(claimed.map_or(Refusal::Kind, |claimed| Refusal::Mismatch {
            claimed,
            found: found.kind,
        })),
        None if is_text(bytes) => match claimed {
            Some(claimed) if claimed.is_text() => Ok(Found {
                kind: settled(claimed, bytes),
                macros: false,
            }),
            Some(claimed) => Err(Refusal::Mismatch {
                claimed,
                found: Kind::Text,
            }),
            // Programs and web pages are text too; what claims to be none of ours is none of ours.
            None => Err(Refusal::Kind),
        },
        None => Err(Refusal::Kind),
    }
}

/// By the ending of the name.
pub fn by_name(name: &str) -> Option<Kind> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
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

/// Nothing for text, and for what is not taken.
fn by_content(bytes: &[u8]) -> Result<Option<Found>, Refusal> {
    let plain = |kind| Ok(Some(Found { kind, macros: false }));
    let start = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    if position(start, b"%PDF-").is_some() {
        return plain(Kind::Pdf);
    }
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) {
        return compound(bytes);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Ok(package(bytes));
    }
    match infer::get(bytes).map(|kind| kind.mime_type()) {
        Some("image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp" | "image/tiff") => {
            plain(Kind::Image)
        }
        Some(_) | None => Ok(None),
    }
}

/// The older Office files, by the names of their streams.
fn compound(bytes: &[u8]) -> Result<Option<Found>, Refusal> {
    let has = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        position(bytes, &wide).is_some()
    };
    if has("EncryptedPackage") {
        return Err(Refusal::Encrypted);
    }
    let kind = if has("WordDocument") {
        Kind::Word
    } else if has("PowerPoint Document") {
        Kind::PowerPoint
    } else if has("Workbook") || has("Book") {
        Kind::Excel
    } else {
        return Ok(None);
    };
    Ok(Some(Found {
        kind,
        macros: has("_VBA_PROJECT"),
    }))
}

/// Newer Office files and OpenDocument sheets, by the names in the package's directory.
fn package(bytes: &[u8]) -> Option<Found> {
    let names = entries(bytes)?;
    let has = |wanted: &str| {
        names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(wanted.as_bytes()))
    };
    let begins = |wanted: &[u8]| names.iter().any(|name| name.starts_with(wanted));
    let start = bytes.get(..bytes.len().min(200)).unwrap_or_default();
    let is_open_sheet =
        has("content.xml") && has("mimetype") && position(start, b"opendocument.spreadsheet").is_some();
    let kind = if has("word/document.xml") || has("word/document2.xml") {
        Kind::Word
    } else if has("ppt/presentation.xml") {
        Kind::PowerPoint
    } else if has("xl/workbook.xml") || has("xl/workbook.bin") || is_open_sheet {
        Kind::Excel
    } else {
        return None;
    };
    let macros = names
        .iter()
        .any(|name| name.to_ascii_lowercase().ends_with(b"vbaproject.bin"))
        || begins(b"Basic/");
    Some(Found { kind, macros })
}

/// The names in a zip's central directory. Nothing where it has none in its place.
fn entries(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let number = |at: usize, width: usize| -> Option<usize> {
        let part = bytes.get(at..at.checked_add(width)?)?;
        Some(
            part.iter()
                .rev()
                .fold(0, |sum, byte| sum << 8 | usize::from(*byte)),
        )
    };
    // The end record has 22 bytes and a comment of at most 65,535.
    let tail = bytes.len().saturating_sub(22 + 65_535);
    let end = tail + last_position(bytes.get(tail..)?, b"PK\x05\x06")?;
    let (size, start) = (number(end + 12, 4)?, number(end + 16, 4)?);
    if size > DIRECTORY {
        return None;
    }
    let mut names = Vec::new();
    let mut at = start;
    while at < start.checked_add(size)? && names.len() < ENTRIES {
        if bytes.get(at..at + 4)? != b"PK\x01\x02" {
            break;
        }
        let (name, extra, comment) = (number(at + 28, 2)?, number(at + 30, 2)?, number(at + 32, 2)?);
        names.push(bytes.get(at + 46..at + 46 + name)?);
        at += 46 + name + extra + comment;
    }
    Some(names)
}

/// UTF-8, UTF-16 with its mark, or an older encoding of a Latin alphabet: no NUL, hardly a control sign.
fn is_text(bytes: &[u8]) -> bool {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return bytes.len().is_multiple_of(2);
    }
    bytes
        .iter()
        .all(|byte| *byte >= 0x20 && *byte != 0x7f || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c))
}

/// What says that it is JSON and is not, is read as text.
fn settled(claimed: Kind, bytes: &[u8]) -> Kind {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_json = || serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    if claimed == Kind::Json && !is_json() {
        Kind::Text
    } else {
        claimed
    }
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

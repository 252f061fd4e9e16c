//! A trial run over an archive: unpacks everything, keeps nothing, and refuses what would take too much memory to read.
//!
//! The sizes that an archive states cannot be trusted, and a workbook can be small and still fill the memory: its
//! reader keeps all shared texts and styles, the path of open elements and each text as a whole, and makes room for
//! as many texts as the workbook states.

use std::io::{self, Cursor, Read as _, Write};

use zip::ZipArchive;
use zip::result::ZipError;

/// Maximum unpacked size of an archive or a workbook, in bytes.
pub const MAX_UNPACKED_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum number of tags in the shared texts of a workbook, and in its styles and its list of sheets.
const MAX_TAGS_OF_TEXTS: usize = 4_000_000;
const MAX_TAGS: usize = 200_000;
/// Maximum number of shared texts that a workbook may state.
const MAX_STATED_TEXTS: usize = 1_000_000;
/// Maximum number of elements inside each other.
const MAX_DEPTH: usize = 256;
/// Maximum number of bytes between two tags. A cell has at most 32,767 characters.
const MAX_BETWEEN_TAGS: usize = 1024 * 1024;

/// The result of a trial run.
pub enum Unpacked {
    Fits,
    TooLarge,
    Broken(String),
}

/// Unpacks everything and measures it. `workbook`: whether the archive is one.
pub fn unpacks(archive: &mut ZipArchive<Cursor<&[u8]>>, workbook: bool) -> Unpacked {
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
        let name = entry.name().ok().filter(|_| workbook);
        let part = name.and_then(|name| Part::of(&name));
        let mut measured = Measured::new(part);
        let copied = io::copy(&mut entry.take(left + 1), &mut measured);
        if let Some(why) = measured.refused {
            return Unpacked::Broken(format!("the workbook {why}; save it again, or as CSV"));
        }
        match copied {
            Ok(read) => match left.checked_sub(read) {
                Some(rest) => left = rest,
                None => return Unpacked::TooLarge,
            },
            Err(error) => return Unpacked::Broken(format!("the archive is damaged: {error}")),
        }
    }
    Unpacked::Fits
}

/// What the reader of a workbook does with a part in XML.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Keeps it as a whole: the texts that cells refer to.
    Texts,
    /// Keeps it as a whole.
    Kept,
    /// Reads it element by element, or not at all.
    Passed,
}

impl Part {
    fn of(path: &str) -> Option<Self> {
        let path = path.to_ascii_lowercase();
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        match name {
            "sharedstrings.xml" => Some(Self::Texts),
            "styles.xml" | "workbook.xml" | "workbook.xml.rels" => Some(Self::Kept),
            _ if name.ends_with(".xml") => Some(Self::Passed),
            _ => None,
        }
    }

    const fn most_tags(self) -> usize {
        match self {
            Self::Texts => MAX_TAGS_OF_TEXTS,
            Self::Kept => MAX_TAGS,
            Self::Passed => usize::MAX,
        }
    }
}

/// The attribute with the number of shared texts.
const STATED: &[u8] = b"uniqueCount";

/// Measures the bytes of a part and keeps none. An error stops the unpacking; `refused` then says why.
struct Measured {
    /// `None` for parts that are not read.
    part: Option<Part>,
    refused: Option<&'static str>,
    tags: usize,
    depth: usize,
    /// Bytes since the last tag began.
    since: usize,
    before: u8,
    /// Whether the current tag opens an element.
    opens: bool,
    /// How many bytes of [`STATED`] were just read, and the number behind it.
    matched: usize,
    stated: usize,
}

impl Measured {
    const fn new(part: Option<Part>) -> Self {
        Self {
            part,
            refused: None,
            tags: 0,
            depth: 0,
            since: 0,
            before: 0,
            opens: false,
            matched: 0,
            stated: 0,
        }
    }

    fn see(&mut self, part: Part, byte: u8) -> Result<(), &'static str> {
        self.since += 1;
        match (self.before, byte) {
            (_, b'<') => {
                self.tags += 1;
                self.since = 0;
            }
            (b'<', b'/') => {
                self.opens = false;
                self.depth = self.depth.saturating_sub(1);
            }
            (b'<', b'!' | b'?') => self.opens = false,
            (b'<', _) => {
                self.opens = true;
                self.depth += 1;
            }
            (b'/', b'>') if self.opens => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.before = byte;
        if part == Part::Texts {
            self.see_stated(byte);
        }
        if self.tags > part.most_tags() || self.stated > MAX_STATED_TEXTS {
            return Err("has too many texts or styles");
        }
        if self.depth > MAX_DEPTH {
            return Err("has too many elements inside each other");
        }
        if self.since > MAX_BETWEEN_TAGS {
            return Err("has a cell with too long a text");
        }
        Ok(())
    }

    fn see_stated(&mut self, byte: u8) {
        if let Some(expected) = STATED.get(self.matched) {
            self.matched = if byte == *expected {
                self.matched + 1
            } else {
                usize::from(STATED.first() == Some(&byte))
            };
            return;
        }
        match byte {
            b'0'..=b'9' => self.stated = self.stated.saturating_mul(10) + usize::from(byte - b'0'),
            b'=' | b'"' | b'\'' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => (self.matched, self.stated) = (0, 0),
        }
    }
}

impl Write for Measured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(part) = self.part {
            for byte in bytes {
                if let Err(why) = self.see(part, *byte) {
                    self.refused = Some(why);
                    return Err(io::Error::other(why));
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Bytes of a text file to text: byte-order marks, UTF-8, and the two encodings that spreadsheets still
//! write without saying so.
//!
//! Knows no delimiter and no table.

use encoding_rs::{Encoding, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// A text and the encoding it was read in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    pub text: String,
    /// The encoding's registered name, for instance `windows-1252`.
    pub encoding: &'static str,
}

/// The share of bytes beyond ASCII above which a text that is no UTF-8 is read as Japanese: Western text has
/// an accented letter here and there, Japanese text has little else.
const DENSE: f64 = 0.25;

/// Reads bytes as text. Never fails: what is no UTF-8 is Shift-JIS where every byte fits and most are beyond
/// ASCII, and Windows-1252 otherwise, in which every byte means something.
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_with_bom_removal(bytes);
        return said(text.into_owned(), encoding);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return said(text.to_owned(), UTF_8);
    }
    let signs = bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let beyond = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if beyond as f64 > signs as f64 * DENSE
        && let Some(text) = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return said(text.into_owned(), SHIFT_JIS);
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    said(text.into_owned(), WINDOWS_1252)
}

fn said(text: String, encoding: &'static Encoding) -> Decoded {
    Decoded {
        text,
        encoding: encoding.name(),
    }
}

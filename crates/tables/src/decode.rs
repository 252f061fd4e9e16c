//! Decodes the bytes of a text file: byte-order marks, UTF-8, and the two encodings that spreadsheets still
//! use without declaring them. Letters are composed.
//!
//! Independent of delimiters and tables.

use encoding_rs::{Encoding, SHIFT_JIS, UTF_8, WINDOWS_1252};

use crate::letters;

/// A text and its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    pub text: String,
    /// The registered name of the encoding, for instance `windows-1252`.
    pub encoding: &'static str,
}

/// The share of non-ASCII bytes above which a text that is not UTF-8 is read as Japanese. Western text
/// contains few accented letters, while Japanese text consists mostly of such bytes.
const DENSE: f64 = 0.25;

/// Decodes bytes and never fails. Text that is not UTF-8 is Shift-JIS if all of it is valid and most bytes
/// are not ASCII. Otherwise it is Windows-1252, in which every byte is valid.
#[must_use]
pub fn decode(bytes: impl Into<Vec<u8>>) -> Decoded {
    let bytes = bytes.into();
    if let Some((encoding, _)) = Encoding::for_bom(&bytes) {
        let (text, _) = encoding.decode_with_bom_removal(&bytes);
        return decoded(text.into_owned(), encoding);
    }
    // Text in UTF-8 is not copied.
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return decoded(text, UTF_8),
        Err(other) => other.into_bytes(),
    };
    let signs = bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let beyond = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if beyond as f64 > signs as f64 * DENSE
        && let Some(text) = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(&bytes)
    {
        return decoded(text.into_owned(), SHIFT_JIS);
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(&bytes);
    decoded(text.into_owned(), WINDOWS_1252)
}

fn decoded(text: String, encoding: &'static Encoding) -> Decoded {
    Decoded {
        text: letters::into_composed(text),
        encoding: encoding.name(),
    }
}

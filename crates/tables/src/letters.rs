//! Letters in one form: "é" is one character, or an "e" with an accent behind it, and both are the same letter.
//!
//! Text is composed where it comes in, so that readers compare it as it is. Text in ASCII is never copied.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// The text with composed letters (NFC).
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_composed(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// The same for a text that is not needed any more.
#[must_use]
pub fn into_composed(text: String) -> String {
    if is_composed(&text) {
        text
    } else {
        text.nfc().collect()
    }
}

/// Whether all letters of a text are composed.
#[must_use]
pub fn is_composed(text: &str) -> bool {
    // The characters before U+0300 are, and all of their bytes are less than 0xCC.
    text.is_ascii() || text.bytes().all(|byte| byte < 0xcc) || is_nfc(text)
}

/// The forms in which a text may be stored: as it is, composed and decomposed. One for ASCII.
#[must_use]
pub fn forms(text: &str) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
    if !text.is_ascii() {
        forms.extend([text.nfc().collect(), text.nfd().collect()]);
        forms.sort_unstable();
        forms.dedup();
    }
    forms
}

/// What a name is compared by: composed, and without case.
#[must_use]
pub fn name_key(name: &str) -> String {
    composed(name).to_lowercase()
}

/// What a search compares: in lower case and without accents.
#[must_use]
pub fn search_key(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let letters = text.nfkd().flat_map(char::to_lowercase);
    let mut key = String::with_capacity(text.len());
    // Composed again: the parts of a Hangul syllable are no accents.
    for sign in letters.filter(|sign| !is_accent(*sign)).nfc() {
        match UNDIVIDED.iter().find(|(own, _)| *own == sign) {
            Some((_, plain)) => key.push_str(plain),
            None => key.push(sign),
        }
    }
    key
}

/// Letters of Latin alphabets that Unicode does not divide into a plain letter and an accent.
const UNDIVIDED: &[(char, &str)] = &[
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ø', "o"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ł', "l"),
    ('ŧ', "t"),
];

/// Marks above, below and through a letter. Other combining marks, such as vowels of Indic scripts, are letters.
fn is_accent(sign: char) -> bool {
    matches!(
        sign,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
    )
}

//! Lists of words as they are written here, with spaces between: they stay short, and read like the questions they are
//! for.

/// Whether a word is one of a list.
pub(crate) fn among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|own| own == word)
}

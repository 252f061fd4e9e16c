//! Validation and normalization of user input. Errors name the field and the limit.

use crate::base::error::{Error, Result};

/// A trimmed text of 1 to `max` characters. Line breaks and tabs are the only control characters allowed.
pub fn required(field: &'static str, text: &str, max: usize) -> Result<String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid(field, "must not be empty"));
    }
    optional(field, text, max)
}

/// Like [`required`], but may be empty.
pub fn optional(field: &'static str, text: &str, max: usize) -> Result<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length > max {
        return Err(Error::invalid(
            field,
            format!("has {length} characters; at most {max} are allowed"),
        ));
    }
    if text
        .chars()
        .any(|ch| ch.is_control() && !matches!(ch, '\n' | '\r' | '\t'))
    {
        return Err(Error::invalid(field, "contains control characters"));
    }
    Ok(text.to_owned())
}

/// A trimmed one-line name.
pub fn name(field: &'static str, text: &str, max: usize) -> Result<String> {
    let text = required(field, text, max)?;
    if text.chars().any(char::is_control) {
        return Err(Error::invalid(field, "must be one line"));
    }
    Ok(text)
}

/// An email address, trimmed and in lower case for comparison. Only its form is checked, not whether
/// the mailbox exists.
pub fn email(field: &'static str, text: &str) -> Result<String> {
    let text = text.trim().to_lowercase();
    let outline = text.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && !host.ends_with('.')
            && !host.contains('@')
    });
    let printable = !text.chars().any(|ch| ch.is_whitespace() || ch.is_control());
    if outline && printable && text.len() <= 254 {
        Ok(text)
    } else {
        Err(Error::invalid(
            field,
            "is not an email address, for instance ana@example.com",
        ))
    }
}

/// The words of a text in lower case, letters and digits only, as search compares them.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// The text on one line, with single spaces.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text cut to `max` characters, ending in an ellipsis if something was cut off.
pub fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(max.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// Whether nobody sees a character: zero-width, direction, filler and tag characters, and control characters other than
/// line ends and tabs.
pub fn is_invisible(sign: char) -> bool {
    (sign.is_control() && !matches!(sign, '\n' | '\t'))
        || matches!(sign,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

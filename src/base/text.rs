//! Texts that people give: trimmed, bounded, folded. Errors name the field and the limit.

use crate::base::error::{Error, Result};

/// A trimmed text of 1 to `most` characters without control characters other than line breaks and tabs.
pub fn required(field: &'static str, text: &str, most: usize) -> Result<String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid(field, "must not be empty"));
    }
    optional(field, text, most)
}

/// As [`required`], and may be empty.
pub fn optional(field: &'static str, text: &str, most: usize) -> Result<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length > most {
        return Err(Error::invalid(
            field,
            format!("has {length} characters; at most {most} are allowed"),
        ));
    }
    if text
        .chars()
        .any(|sign| sign.is_control() && !matches!(sign, '\n' | '\r' | '\t'))
    {
        return Err(Error::invalid(field, "contains control characters"));
    }
    Ok(text.to_owned())
}

/// A trimmed one-line name.
pub fn name(field: &'static str, text: &str, most: usize) -> Result<String> {
    let text = required(field, text, most)?;
    if text.chars().any(char::is_control) {
        return Err(Error::invalid(field, "must be one line"));
    }
    Ok(text)
}

/// An email address as it is compared: trimmed and in lower case. Only its outline is checked;
/// whether it exists is shown by signing in with it.
pub fn email(field: &'static str, text: &str) -> Result<String> {
    let text = text.trim().to_lowercase();
    let outline = text.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && !host.ends_with('.')
            && !host.contains('@')
    });
    let plain = !text.chars().any(|sign| sign.is_whitespace() || sign.is_control());
    if outline && plain && text.len() <= 254 {
        Ok(text)
    } else {
        Err(Error::invalid(
            field,
            "is not an email address, for instance ana@example.com",
        ))
    }
}

/// Lower case words of letters and digits: what search compares.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// The first `most` characters, with an ellipsis where something was cut.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

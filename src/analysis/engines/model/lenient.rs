//! JSON as models write it: a value such as `6.25%` or `$1.2m` without quotes is a text.

use serde_json::Value;

/// The value, if the text is JSON, or becomes JSON when bare values are quoted. Some chat templates double the outer
/// braces.
pub fn parse(text: &str) -> Option<Value> {
    let text = text.trim();
    let doubled = text.strip_prefix("{{").and_then(|text| text.strip_suffix("}}"));
    let text = match doubled {
        Some(inner) => format!("{{{inner}}}"),
        None => text.to_owned(),
    };
    serde_json::from_str(&text)
        .ok()
        .or_else(|| serde_json::from_str(&quoted(&text)).ok())
}

/// The text with quotes around bare values that are no JSON.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_length(rest),
            '{' | '}' | '[' | ']' | ':' | ',' => 1,
            sign if sign.is_whitespace() => sign.len_utf8(),
            _ => bare_length(rest),
        };
        let (token, after) = rest.split_at(length.clamp(first.len_utf8(), rest.len()));
        let is_bare = !matches!(first, '"' | '{' | '}' | '[' | ']' | ':' | ',') && !first.is_whitespace();
        let trimmed = token.trim_end();
        if is_bare && serde_json::from_str::<Value>(trimmed).is_err() {
            out.push_str(&Value::from(trimmed).to_string());
        } else {
            out.push_str(token);
        }
        rest = after;
    }
    out
}

/// Bytes of a string with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Bytes up to the end of a bare value. A comma between digits belongs to it: `1,200,000`.
fn bare_length(text: &str) -> usize {
    let mut before = ' ';
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let groups = sign == ','
            && before.is_ascii_digit()
            && signs.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if matches!(sign, '}' | ']' | '"' | '\n') || sign == ',' && !groups {
            return at;
        }
        before = sign;
    }
    text.len()
}

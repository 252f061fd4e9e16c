//! Calls that a model wrote as text instead of in its server's form: bare JSON, a fenced block, or `<tool_call>`.

use serde_json::{Map, Value};

use crate::analysis::engines::model::lenient;

/// The calls of a text that has nothing else: `{"name": …, "arguments": {…}}`, alone or several. Empty if the text says
/// something to people, or names no call that there is.
pub fn find(text: &str, is_known: impl Fn(&str) -> bool) -> Vec<(String, Value)> {
    let bare = without_marks(text);
    let mut calls = Vec::new();
    let mut rest = bare.trim();
    while !rest.is_empty() {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let (value, read) = match stream.next() {
            Some(Ok(value)) => (value, stream.byte_offset()),
            // Bare values such as 6.25% are read as texts, if the rest is one call.
            _ => match lenient::parse(rest) {
                Some(value) => (value, rest.len()),
                None => return Vec::new(),
            },
        };
        let Some(mut found) = all(value) else {
            return Vec::new();
        };
        calls.append(&mut found);
        rest = rest
            .get(read..)
            .unwrap_or("")
            .trim_start_matches(|sign: char| sign.is_whitespace() || sign == ',' || sign == ';');
    }
    if calls.iter().all(|(name, _)| is_known(name)) {
        calls
    } else {
        Vec::new()
    }
}

/// Without code fences and the tags of chat templates.
fn without_marks(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            // "```json {…}```" on one line.
            let inner = line.trim_matches('`').trim_start_matches("json").trim();
            if inner.starts_with(['{', '[']) {
                bare.push_str(inner);
            }
        } else {
            bare.push_str(line);
        }
        bare.push('\n');
    }
    for tag in ["<tool_call>", "</tool_call>", "<tool_calls>", "</tool_calls>"] {
        bare = bare.replace(tag, "\n");
    }
    bare
}

/// One call, or a list of them.
fn all(value: Value) -> Option<Vec<(String, Value)>> {
    match value {
        Value::Array(list) => list.into_iter().map(one).collect(),
        value => one(value).map(|call| vec![call]),
    }
}

fn one(value: Value) -> Option<(String, Value)> {
    let Value::Object(mut map) = value else {
        return None;
    };
    if let Some(Value::Object(inner)) = map.remove("function") {
        map = inner;
    }
    let name = map.remove("name")?.as_str()?.to_owned();
    let arguments = ["arguments", "parameters"]
        .iter()
        .find_map(|key| map.remove(*key))
        .unwrap_or_else(|| Value::Object(Map::new()));
    let arguments = match arguments {
        Value::String(text) => serde_json::from_str(&text).ok()?,
        other => other,
    };
    Some((name, arguments))
}

//! Calls that a model wrote as text instead of in its server's form: bare JSON, a fenced block, or `<tool_call>`.

use serde_json::{Map, Value};

use crate::analysis::engines::model::lenient;

/// The calls of a text: `{"name": …, "arguments": {…}}`, alone or several, bare or in a fenced block. Words around a
/// fenced block are left out. Empty if there is no call of a known name.
pub fn find(text: &str, is_known: impl Fn(&str) -> bool) -> Vec<(String, Value)> {
    let fenced = fenced(text);
    let texts = if fenced.is_empty() {
        vec![without_tags(text)]
    } else {
        fenced
    };
    let calls: Vec<(String, Value)> = texts.iter().flat_map(|text| all_of(text)).collect();
    if calls.iter().all(|(name, _)| is_known(name)) {
        calls
    } else {
        Vec::new()
    }
}

/// The calls of a text that has nothing else.
fn all_of(text: &str) -> Vec<(String, Value)> {
    let mut calls = Vec::new();
    let mut rest = text.trim();
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
    calls
}

/// The inner texts of fenced blocks.
fn fenced(text: &str) -> Vec<String> {
    let inner = text.split("```").skip(1).step_by(2);
    let bare = inner.map(|block| block.strip_prefix("json").unwrap_or(block).trim().to_owned());
    bare.filter(|block| block.starts_with(['{', '['])).collect()
}

/// Without the tags of chat templates.
fn without_tags(text: &str) -> String {
    let mut bare = text.to_owned();
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

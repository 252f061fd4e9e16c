//! What OpenAI checks in a request for a chat completion, with its words and its places: here the messages.

use serde_json::Value;

use super::openai_parameters;
use super::reply::Failure;
use super::schema;

pub(super) type Checked = Result<(), Failure>;

pub(super) fn bad<T>(param: &str, code: &str, message: impl Into<String>) -> Result<T, Failure> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut failure = Failure::new(400, "invalid_request_error", message);
    failure.param = some(param);
    failure.code = some(code);
    Err(failure)
}

/// A field that is set; `null` is not.
pub(super) fn given<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

pub(super) fn wrong_type<T>(at: &str, wanted: &str, found: &Value) -> Result<T, Failure> {
    let found = kind(found);
    let message = format!("Invalid type for '{at}': expected {wanted}, but got {found} instead.");
    bad(at, "invalid_type", message)
}

pub(super) fn text<'a>(object: &'a Value, name: &str, at: &str) -> Result<&'a str, Failure> {
    match given(object, name) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => wrong_type(&format!("{at}.{name}"), "a string", other),
        None => missing(&format!("{at}.{name}")),
    }
}

fn missing<T>(at: &str) -> Result<T, Failure> {
    bad(
        at,
        "missing_required_parameter",
        format!("Missing required parameter: '{at}'."),
    )
}

pub(super) fn known(object: &Value, names: &[&str], at: &str) -> Checked {
    let mut own = object.as_object().into_iter().flat_map(|object| object.keys());
    match own.find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let place = if at.is_empty() {
                name.clone()
            } else {
                format!("{at}.{name}")
            };
            bad(
                &place,
                "unknown_parameter",
                format!("Unknown parameter: '{place}'."),
            )
        }
    }
}

pub(super) fn check(body: &Value) -> Checked {
    if given(body, "model")
        .and_then(Value::as_str)
        .is_none_or(str::is_empty)
    {
        return bad("", "", "you must provide a model parameter");
    }
    openai_parameters::check(body)?;
    messages(body)
}

fn messages(body: &Value) -> Checked {
    let all = match given(body, "messages") {
        None => return missing("messages"),
        Some(Value::Array(all)) => all,
        Some(other) => return wrong_type("messages", "an array of objects", other),
    };
    if all.is_empty() {
        return empty("messages");
    }
    // The calls that still wait for their results, and those that results may be for.
    let mut waiting: Vec<&str> = Vec::new();
    let mut answerable: Vec<&str> = Vec::new();
    for (n, message) in all.iter().enumerate() {
        let at = format!("messages.[{n}]");
        let role = text(message, "role", &at)?;
        if role != "tool" {
            unanswered(&waiting, &at)?;
            answerable.clear();
        }
        match role {
            "system" | "developer" | "user" => {
                known(message, &["role", "content", "name"], &at)?;
                let parts: &[&str] = if role == "user" {
                    &["text", "image_url", "input_audio", "file"]
                } else {
                    &["text"]
                };
                content(&message["content"], parts, &at)?;
            }
            "assistant" => {
                waiting = assistant(message, &at)?;
                answerable.clone_from(&waiting);
            }
            "tool" => {
                known(message, &["role", "content", "tool_call_id", "name"], &at)?;
                if answerable.is_empty() {
                    let message = "Invalid parameter: messages with role 'tool' must be a response to a preceeding \
                                   message with 'tool_calls'.";
                    return bad(&format!("{at}.role"), "", message);
                }
                let id = text(message, "tool_call_id", &at)?;
                let Some(place) = waiting.iter().position(|waiting| *waiting == id) else {
                    let why = if answerable.contains(&id) {
                        format!("Duplicate value for 'tool_call_id' of '{id}'.")
                    } else {
                        format!(
                            "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message."
                        )
                    };
                    return bad(&format!("{at}.tool_call_id"), "", why);
                };
                waiting.remove(place);
                content(&message["content"], &["text"], &at)?;
            }
            other => {
                let message = format!(
                    "Invalid value: '{other}'. Supported values are: 'system', 'assistant', 'user', 'function', \
                     'tool', and 'developer'."
                );
                return bad(&format!("messages[{n}].role"), "invalid_value", message);
            }
        }
    }
    unanswered(&waiting, &format!("messages.[{}]", all.len()))
}

fn unanswered(waiting: &[&str], at: &str) -> Checked {
    if waiting.is_empty() {
        return Ok(());
    }
    let ids = waiting.join(", ");
    let message = format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. \
         The following tool_call_ids did not have response messages: {ids}"
    );
    bad(&format!("{at}.role"), "", message)
}

pub(super) fn empty<T>(at: &str) -> Result<T, Failure> {
    let message = format!(
        "Invalid '{at}': empty array. Expected an array with minimum length 1, but got an empty array instead."
    );
    bad(at, "empty_array", message)
}

/// Returns the ids of its calls.
fn assistant<'a>(message: &'a Value, at: &str) -> Result<Vec<&'a str>, Failure> {
    let fields = [
        "role",
        "content",
        "name",
        "refusal",
        "tool_calls",
        "annotations",
        "audio",
    ];
    known(message, &fields, at)?;
    let calls = match given(message, "tool_calls") {
        None => {
            if given(message, "refusal").is_none() {
                content(&message["content"], &["text", "refusal"], at)?;
            }
            return Ok(Vec::new());
        }
        Some(Value::Array(calls)) => calls,
        Some(other) => return wrong_type(&format!("{at}.tool_calls"), "an array of objects", other),
    };
    if calls.is_empty() {
        return empty(&format!("{at}.tool_calls"));
    }
    if let Some(said) = given(message, "content") {
        content(said, &["text", "refusal"], at)?;
    }
    let mut ids = Vec::new();
    for (n, call) in calls.iter().enumerate() {
        let at = format!("{at}.tool_calls[{n}]");
        known(call, &["id", "type", "function"], &at)?;
        let id = text(call, "id", &at)?;
        if id.len() > 40 {
            let length = id.len();
            let message = format!(
                "Invalid '{at}.id': string too long. Expected a string with maximum length 40, but got a string with \
                 length {length} instead."
            );
            return bad(&format!("{at}.id"), "string_above_max_length", message);
        }
        if text(call, "type", &at)? != "function" {
            return bad(
                &format!("{at}.type"),
                "invalid_value",
                "Invalid value. Expected 'function'.",
            );
        }
        let at = format!("{at}.function");
        known(&call["function"], &["name", "arguments"], &at)?;
        name(text(&call["function"], "name", &at)?, &at)?;
        text(&call["function"], "arguments", &at)?;
        ids.push(id);
    }
    match schema::repeated(&ids) {
        None => Ok(ids),
        Some(id) => bad(at, "", format!("Duplicate value for 'tool_call_id' of '{id}'.")),
    }
}

fn content(content: &Value, kinds: &[&str], at: &str) -> Checked {
    let at = format!("{at}.content");
    let parts = match content {
        Value::String(_) => return Ok(()),
        Value::Array(parts) => parts,
        other => {
            let found = kind(other);
            let message = format!("Invalid value for 'content': expected a string, got {found}.");
            return bad(&at, "", message);
        }
    };
    if parts.is_empty() {
        return empty(&at);
    }
    for (n, part) in parts.iter().enumerate() {
        let at = format!("{at}[{n}]");
        let kind = text(part, "type", &at)?;
        if !kinds.contains(&kind) {
            let message = format!("Invalid value: '{kind}'. Supported values are: {kinds:?}.");
            return bad(&format!("{at}.type"), "invalid_value", message);
        }
        match kind {
            "image_url" => {
                text(&part["image_url"], "url", &format!("{at}.image_url"))?;
            }
            "text" | "refusal" => {
                text(part, kind, &at)?;
            }
            _ if part[kind].is_object() => {}
            _ => return missing(&format!("{at}.{kind}")),
        }
    }
    Ok(())
}

pub(super) fn name(name: &str, at: &str) -> Checked {
    if schema::is_name(name, 64) {
        return Ok(());
    }
    let message = format!(
        "Invalid '{at}.name': string does not match pattern. Expected a string that matches the pattern \
         '^[a-zA-Z0-9_-]+$' and is at most 64 long."
    );
    bad(&format!("{at}.name"), "invalid_value", message)
}

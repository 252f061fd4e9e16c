//! What Anthropic checks in a request for a message, with its words.

use serde_json::{Value, json};

use super::anthropic_tools;
use super::reply::Failure;
use super::schema;

const PARAMETERS: [&str; 19] = [
    "cache_control",
    "container",
    "context_management",
    "inference_geo",
    "max_tokens",
    "messages",
    "metadata",
    "model",
    "output_config",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];

pub(super) type Checked = Result<(), Failure>;

pub(super) fn bad<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::new(400, "invalid_request_error", message))
}

pub(super) fn known(object: &Value, names: &[&str], at: &str) -> Checked {
    let mut own = object.as_object().into_iter().flat_map(|object| object.keys());
    match own.find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => bad(format!("{at}{name}: Extra inputs are not permitted")),
    }
}

pub(super) fn text<'a>(object: &'a Value, name: &str, at: &str) -> Result<&'a str, Failure> {
    match object.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => bad(format!("{at}{name}: Input should be a valid string")),
        None => bad(format!("{at}{name}: Field required")),
    }
}

pub(super) fn check(body: &Value) -> Checked {
    let model = text(body, "model", "")?;
    known(body, &PARAMETERS, "")?;
    match body.get("max_tokens") {
        None => return bad("max_tokens: Field required"),
        Some(value) if value.as_u64().is_none() => return bad("max_tokens: Input should be a valid integer"),
        Some(value) if *value == 0 => return bad("max_tokens: must be greater than or equal to 1"),
        Some(_) => {}
    }
    if body.get("stream").is_some_and(|stream| !stream.is_boolean()) {
        return bad("stream: Input should be a valid boolean");
    }
    sampling(body, model)?;
    system(body)?;
    let turns = turns(body)?;
    let tools = anthropic_tools::tools(body)?;
    results(&turns)?;
    let has_blocks = turns
        .iter()
        .flat_map(|turn| &turn.blocks)
        .any(|(_, block)| block["type"] == "tool_use" || block["type"] == "tool_result");
    if has_blocks && tools.is_empty() {
        return bad("Requests which include `tool_use` or `tool_result` blocks must define tools.");
    }
    anthropic_tools::choice(body, &tools)?;
    last(&turns, model)?;
    let markers = markers(body);
    if markers > 4 {
        let message = "A maximum of 4 blocks with cache_control may be provided.";
        return bad(format!("{message} Found {markers}."));
    }
    Ok(())
}

/// The newer models have no sampling controls, and do not go on with a text of the client's.
fn is_newer(model: &str, first_minor_of_4: u32) -> bool {
    let mut parts = model.split('-');
    if parts.next() != Some("claude") || parts.next().is_none_or(|family| family.parse::<u32>().is_ok()) {
        return false;
    }
    let major = parts.next().and_then(|part| part.parse::<u32>().ok());
    let minor = parts.next().and_then(|part| part.parse::<u32>().ok());
    // A long number is a date, not a version.
    let minor = minor.filter(|minor| *minor < 100).unwrap_or(0);
    major.is_some_and(|major| major >= 5) || (major == Some(4) && minor >= first_minor_of_4)
}

fn sampling(body: &Value, model: &str) -> Checked {
    for name in ["temperature", "top_p", "top_k"] {
        let Some(value) = body.get(name) else { continue };
        if is_newer(model, 7) {
            return bad(format!("`{name}` is deprecated for this model."));
        }
        let Some(number) = value.as_f64() else {
            return bad(format!("{name}: Input should be a valid number"));
        };
        if name != "top_k" && !(0.0..=1.0).contains(&number) {
            return bad(format!("{name}: range: 0..1"));
        }
    }
    Ok(())
}

fn system(body: &Value) -> Checked {
    let blocks = match body.get("system") {
        None => return Ok(()),
        Some(Value::String(text)) => return words(text, "system"),
        Some(Value::Array(blocks)) => blocks,
        Some(_) => return bad("system: Input should be a valid list"),
    };
    for (n, block) in blocks.iter().enumerate() {
        let at = format!("system.{n}.");
        known(block, &["type", "text", "cache_control", "citations"], &at)?;
        if block["type"] != "text" {
            return bad(format!("{at}type: Input should be 'text'"));
        }
        words(text(block, "text", &at)?, "system")?;
    }
    Ok(())
}

fn words(text: &str, at: &str) -> Checked {
    if text.is_empty() {
        return bad(format!("{at}: text content blocks must be non-empty"));
    }
    if text.trim().is_empty() {
        return bad(format!(
            "{at}: text content blocks must contain non-whitespace text"
        ));
    }
    Ok(())
}

/// Messages of one role that follow each other are one turn. Each block has the place where it came from.
struct Turn<'a> {
    first: usize,
    role: &'a str,
    blocks: Vec<(String, Value)>,
}

fn turns(body: &Value) -> Result<Vec<Turn<'_>>, Failure> {
    let all = match body.get("messages") {
        None => return bad("messages: Field required"),
        Some(Value::Array(all)) => all,
        Some(_) => return bad("messages: Input should be a valid list"),
    };
    if all.is_empty() {
        return bad("messages: at least one message is required");
    }
    let mut turns: Vec<Turn> = Vec::new();
    for (n, message) in all.iter().enumerate() {
        let at = format!("messages.{n}.");
        let role = text(message, "role", &at)?;
        if role == "system" {
            return bad(
                "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \
                 \"system\" as an input message role.",
            );
        }
        if role != "user" && role != "assistant" {
            return bad(format!("{at}role: Input should be 'user' or 'assistant'"));
        }
        known(message, &["role", "content"], &at)?;
        let blocks = blocks(message, role, n)?;
        match turns.last_mut() {
            Some(turn) if turn.role == role => turn.blocks.extend(blocks),
            _ => turns.push(Turn {
                first: n,
                role,
                blocks,
            }),
        }
    }
    if turns[0].role != "user" {
        return bad("messages: first message must use the \"user\" role");
    }
    Ok(turns)
}

fn blocks(message: &Value, role: &str, n: usize) -> Result<Vec<(String, Value)>, Failure> {
    let nothing = || {
        bad(format!(
            "messages.{n}: all messages must have non-empty content except for the optional final assistant message"
        ))
    };
    let blocks = match message.get("content") {
        None => return bad(format!("messages.{n}.content: Field required")),
        Some(Value::String(text)) if text.is_empty() => return nothing(),
        Some(Value::String(text)) => {
            words(text, "messages")?;
            vec![json!({ "type": "text", "text": text })]
        }
        Some(Value::Array(blocks)) => blocks.clone(),
        Some(_) => return bad(format!("messages.{n}.content: Input should be a valid list")),
    };
    if blocks.is_empty() {
        return nothing();
    }
    let mut placed = Vec::new();
    for (place, block) in blocks.into_iter().enumerate() {
        let at = format!("messages.{n}.content.{place}");
        self::block(&block, role, &at)?;
        placed.push((at, block));
    }
    Ok(placed)
}

fn block(block: &Value, role: &str, at: &str) -> Checked {
    let kind = text(block, "type", &format!("{at}."))?;
    let inside = format!("{at}.{kind}.");
    match (kind, role) {
        ("text", _) => {
            known(block, &["type", "text", "cache_control", "citations"], &inside)?;
            words(text(block, "text", &inside)?, "messages")
        }
        ("image" | "document" | "search_result", "user")
        | ("thinking" | "redacted_thinking", "assistant") => Ok(()),
        ("tool_use", "assistant") => {
            known(
                block,
                &["type", "id", "name", "input", "cache_control", "caller"],
                &inside,
            )?;
            if !schema::is_name(text(block, "id", &inside)?, 256) {
                return bad(format!(
                    "{inside}id: String should match pattern '^[a-zA-Z0-9_-]+$'"
                ));
            }
            let name = text(block, "name", &inside)?;
            if name.is_empty() || name.len() > 200 {
                return bad(format!("{inside}name: String should have 1 to 200 characters"));
            }
            match block.get("input") {
                Some(Value::Object(_)) => Ok(()),
                Some(_) => bad(format!("{inside}input: Input should be a valid dictionary")),
                None => bad(format!("{inside}input: Field required")),
            }
        }
        ("tool_result", "user") => {
            known(
                block,
                &["type", "tool_use_id", "content", "is_error", "cache_control"],
                &inside,
            )?;
            text(block, "tool_use_id", &inside)?;
            if block.get("is_error").is_some_and(|is| !is.is_boolean()) {
                return bad(format!("{inside}is_error: Input should be a valid boolean"));
            }
            result_content(block, &inside)
        }
        ("tool_use", _) => bad(format!(
            "{at}: `tool_use` blocks can only be in `assistant` messages"
        )),
        ("tool_result", _) => bad(format!(
            "{at}: `tool_result` blocks can only be in `user` messages"
        )),
        _ => bad(format!(
            "{at}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        )),
    }
}

fn result_content(block: &Value, at: &str) -> Checked {
    let parts = match block.get("content") {
        None | Some(Value::String(_)) => return Ok(()),
        Some(Value::Array(parts)) => parts,
        Some(_) => return bad(format!("{at}content: Input should be a valid list")),
    };
    for (n, part) in parts.iter().enumerate() {
        let at = format!("{at}content.{n}.");
        match text(part, "type", &at)? {
            "text" => words(text(part, "text", &at)?, "messages")?,
            "image" | "document" | "search_result" => {}
            other => {
                return bad(format!(
                    "{at}type: Input tag '{other}' does not match any of the expected tags"
                ));
            }
        }
    }
    Ok(())
}

/// Every call has its result at the start of the next turn, and every result its call in the turn before.
fn results(turns: &[Turn]) -> Checked {
    let mut ids: Vec<&str> = Vec::new();
    for (n, turn) in turns.iter().enumerate() {
        let mut calls = Vec::new();
        for (at, block) in &turn.blocks {
            if block["type"] == "tool_use" {
                let id = block["id"].as_str().unwrap_or_default();
                if ids.contains(&id) {
                    return bad(format!("{at}: `tool_use` ids must be unique"));
                }
                ids.push(id);
                calls.push(id);
            }
        }
        let next: &[(String, Value)] = turns.get(n + 1).map_or(&[], |next| &next.blocks);
        let is_result = |block: &Value| block["type"] == "tool_result";
        let leading = next.iter().take_while(|(_, block)| is_result(block));
        let answered: Vec<&str> = leading
            .filter_map(|(_, block)| block["tool_use_id"].as_str())
            .collect();
        let open: Vec<&str> = calls
            .iter()
            .copied()
            .filter(|id| !answered.contains(id))
            .collect();
        if !open.is_empty() {
            let (place, open) = (turn.first, open.join(", "));
            return bad(format!(
                "messages.{place}: `tool_use` ids were found without `tool_result` blocks immediately after: {open}. \
                 Each `tool_use` block must have a corresponding `tool_result` block in the next message."
            ));
        }
        let mut seen = Vec::new();
        let first = if n == 0 { turn.blocks.as_slice() } else { &[] };
        for (at, block) in first.iter().chain(next).filter(|(_, block)| is_result(block)) {
            let id = block["tool_use_id"].as_str().unwrap_or_default();
            if seen.contains(&id) {
                return bad(format!(
                    "{at}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}"
                ));
            }
            if !calls.contains(&id) {
                return bad(format!(
                    "{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must \
                     have a corresponding `tool_use` block in the previous message."
                ));
            }
            seen.push(id);
        }
    }
    Ok(())
}

/// A text of the assistant at the end is one that the model goes on with.
fn last(turns: &[Turn], model: &str) -> Checked {
    let Some(turn) = turns.last().filter(|turn| turn.role == "assistant") else {
        return Ok(());
    };
    if is_newer(model, 6) {
        return bad(
            "This model does not support assistant message prefill. The conversation must end with a user message.",
        );
    }
    let end = turn.blocks.last().and_then(|(_, block)| block["text"].as_str());
    if end.is_some_and(|text| text.ends_with(char::is_whitespace)) {
        return bad("messages: final assistant content cannot end with trailing whitespace");
    }
    Ok(())
}

fn markers(value: &Value) -> usize {
    match value {
        Value::Array(all) => all.iter().map(markers).sum(),
        Value::Object(fields) => {
            let own = usize::from(
                fields
                    .get("cache_control")
                    .is_some_and(|marker| !marker.is_null()),
            );
            // What a tool was called with, and its schema, are not blocks.
            let below = fields
                .iter()
                .filter(|(name, _)| !["input", "input_schema"].contains(&name.as_str()));
            own + below.map(|(_, value)| markers(value)).sum::<usize>()
        }
        _ => 0,
    }
}

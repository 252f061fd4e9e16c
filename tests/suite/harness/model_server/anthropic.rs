//! Anthropic's messages on the wire: whole answers, stream events and errors.

use serde_json::{Value, json};

use super::reply::{Call, Failure, Quirk, Reply, Usage};

/// The body of a whole answer.
pub(super) fn whole(reply: &Reply, request: &Value, number: usize) -> Value {
    let mut answer = message(request, number);
    let text = words(reply).map(|text| json!({ "type": "text", "text": text }));
    let calls = reply
        .calls
        .iter()
        .map(|call| tool_use(call, &call.arguments.value()));
    answer["content"] = text.into_iter().chain(calls).collect();
    answer["stop_reason"] = json!(stop_reason(reply));
    if let Some(usage) = reply.usage {
        answer["usage"] = counts(usage, usage.output);
    }
    answer
}

/// What a refusal says comes as text too.
fn words(reply: &Reply) -> Option<&String> {
    reply.text.as_ref().or(reply.refusal.as_ref())
}

fn tool_use(call: &Call, input: &Value) -> Value {
    json!({
        "type": "tool_use",
        "id": call.id,
        "name": call.name,
        "input": input,
        "caller": { "type": "direct" },
    })
}

/// The events of a streamed answer, each with its empty line.
pub(super) fn events(reply: &Reply, request: &Value, number: usize) -> Vec<String> {
    let mut start = message(request, number);
    if let Some(usage) = reply.usage {
        start["usage"] = counts(usage, 1);
    }
    let mut blocks = Vec::new();
    if let Some(text) = words(reply) {
        let deltas = text.split_inclusive(' ');
        blocks.push((
            json!({ "type": "text", "text": "" }),
            deltas
                .map(|word| json!({ "type": "text_delta", "text": word }))
                .collect(),
        ));
    }
    for call in &reply.calls {
        let mut deltas = vec![json!({ "type": "input_json_delta", "partial_json": "" })];
        for part in call.arguments.parts(reply.argument_parts().unwrap_or(3)) {
            deltas.push(json!({ "type": "input_json_delta", "partial_json": part }));
        }
        blocks.push((tool_use(call, &json!({})), deltas));
    }
    let mut events = vec![event("message_start", json!({ "message": start }))];
    for (index, (block, deltas)) in blocks.into_iter().enumerate() {
        let opening = json!({ "index": index, "content_block": block });
        events.push(event("content_block_start", opening));
        if index == 0 {
            events.push(ping());
        }
        for delta in deltas {
            events.push(event(
                "content_block_delta",
                json!({ "index": index, "delta": delta }),
            ));
        }
        events.push(event("content_block_stop", json!({ "index": index })));
    }
    if reply.has(Quirk::ErrorInStream) {
        events.truncate(events.len().div_ceil(2));
        let mut failure = body(&scripted(529, reply, request), number);
        failure.as_object_mut().expect("an object").remove("type");
        events.push(event("error", failure));
    } else if !reply.has(Quirk::NoFinish) {
        events.push(ending(reply));
        if !reply.has(Quirk::NoDone) {
            events.push(event("message_stop", json!({})));
        }
    }
    if reply.has(Quirk::KeepAlives) {
        events = events
            .into_iter()
            .flat_map(|event| [event, ": keep-alive\n\n".to_owned(), ping()])
            .collect();
        // Nothing comes after the last event.
        events.truncate(events.len() - 2);
    }
    events
}

/// The counts of the output are here only, those of the input only in the first event.
fn ending(reply: &Reply) -> String {
    let delta = json!({ "stop_reason": stop_reason(reply), "stop_sequence": null });
    let mut ending = json!({ "delta": delta });
    if let Some(usage) = reply.usage {
        ending["usage"] = json!({ "output_tokens": usage.output });
    }
    event("message_delta", ending)
}

fn ping() -> String {
    event("ping", json!({}))
}

fn event(name: &str, mut data: Value) -> String {
    data["type"] = json!(name);
    format!("event: {name}\ndata: {data}\n\n")
}

fn message(request: &Value, number: usize) -> Value {
    json!({
        "id": format!("msg_{number:08}"),
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
    })
}

fn stop_reason(reply: &Reply) -> &str {
    match reply.finish.as_deref() {
        Some("stop") => "end_turn",
        Some("length") => "max_tokens",
        Some("tool_calls") => "tool_use",
        Some("content_filter") => "refusal",
        Some(other) => other,
        None if reply.refusal.is_some() => "refusal",
        None if reply.calls.is_empty() => "end_turn",
        None => "tool_use",
    }
}

/// Here `input_tokens` are those that did not come from the cache.
fn counts(usage: Usage, output: u64) -> Value {
    json!({
        "input_tokens": usage.input - usage.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": output,
        "service_tier": "standard",
    })
}

pub(super) fn body(failure: &Failure, number: usize) -> Value {
    json!({
        "type": "error",
        "error": { "type": failure.kind, "message": failure.message },
        "request_id": request_id(number),
    })
}

pub(super) fn request_id(number: usize) -> String {
    format!("req_{number:08}")
}

/// The error that a test ordered, in the provider's words where the test has none.
pub(super) fn scripted(status: u16, reply: &Reply, request: &Value) -> Failure {
    let model = request["model"].as_str().unwrap_or_default();
    let (kind, message) = match status {
        401 => ("authentication_error", "invalid x-api-key".to_owned()),
        402 => (
            "billing_error",
            "There is an issue with your billing or payment information.".to_owned(),
        ),
        403 => (
            "permission_error",
            "Your API key does not have permission to use the specified resource.".to_owned(),
        ),
        404 => ("not_found_error", format!("model: {model}")),
        413 => (
            "request_too_large",
            "Request exceeds the maximum allowed number of bytes.".to_owned(),
        ),
        429 => (
            "rate_limit_error",
            "This request would exceed your organization's rate limit. Please try again later.".to_owned(),
        ),
        504 => ("timeout_error", "Request timed out.".to_owned()),
        503 | 529 => ("overloaded_error", "Overloaded".to_owned()),
        500.. => ("api_error", "Internal server error".to_owned()),
        _ => ("invalid_request_error", "Invalid request.".to_owned()),
    };
    let kind = reply.code.as_deref().unwrap_or(kind);
    Failure::new(status, kind, reply.message.clone().unwrap_or(message))
}

pub(super) fn unauthorized(with_key: bool) -> Failure {
    let message = if with_key {
        "invalid x-api-key"
    } else {
        "x-api-key header is required"
    };
    Failure::new(401, "authentication_error", message)
}

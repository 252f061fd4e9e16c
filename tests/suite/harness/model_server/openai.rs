//! OpenAI's chat completions on the wire: whole answers, stream chunks and errors.

use serde_json::{Value, json};

use super::reply::{Call, Failure, Quirk, Reply, Usage};

const CREATED: u64 = 1_790_000_000;

/// The body of a whole answer.
pub(super) fn whole(reply: &Reply, request: &Value, number: usize) -> Value {
    let mut message = json!({
        "role": "assistant",
        "content": reply.text,
        "refusal": reply.refusal,
        "annotations": [],
    });
    if !reply.calls.is_empty() {
        message["tool_calls"] = reply.calls.iter().map(|call| whole_call(reply, call)).collect();
    }
    let mut answer = head("chat.completion", request, number);
    answer["choices"] = json!([{
        "index": 0,
        "message": message,
        "logprobs": null,
        "finish_reason": finish(reply),
    }]);
    if let Some(usage) = reply.usage {
        answer["usage"] = counts(usage);
    }
    answer
}

fn whole_call(reply: &Reply, call: &Call) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": arguments(reply, call) },
    })
}

fn arguments(reply: &Reply, call: &Call) -> Value {
    if reply.has(Quirk::ObjectArguments) {
        call.arguments.value()
    } else {
        Value::String(call.arguments.text())
    }
}

/// The events of a streamed answer, each with its empty line.
pub(super) fn events(reply: &Reply, request: &Value, number: usize) -> Vec<String> {
    let asked = request["stream_options"]["include_usage"] == true;
    let chunk = |choices: Value| {
        let mut chunk = head("chat.completion.chunk", request, number);
        chunk["choices"] = choices;
        // A stream that was asked for counts has the field in every chunk.
        if asked {
            chunk["usage"] = Value::Null;
        }
        chunk
    };
    let delta = |delta: Value, finish: Value| {
        chunk(json!([{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]))
    };
    let mut chunks = Vec::new();
    if reply.has(Quirk::EmptyFirstChunk) {
        chunks.push(chunk(json!([])));
    }
    let content = if reply.calls.is_empty() && reply.refusal.is_none() {
        json!("")
    } else {
        Value::Null
    };
    let opening = json!({ "role": "assistant", "content": content, "refusal": null });
    chunks.push(delta(opening, Value::Null));
    for (field, text) in [("content", &reply.text), ("refusal", &reply.refusal)] {
        for word in text.iter().flat_map(|text| text.split_inclusive(' ')) {
            chunks.push(delta(json!({ field: word }), Value::Null));
        }
    }
    for (place, call) in reply.calls.iter().enumerate() {
        for part in call_parts(reply, place, call) {
            chunks.push(delta(json!({ "tool_calls": [part] }), Value::Null));
        }
    }
    if reply.has(Quirk::ErrorInStream) {
        chunks.truncate(chunks.len().div_ceil(2));
        let failure = scripted(500, reply, request);
        chunks.push(body(&failure));
    } else if !reply.has(Quirk::NoFinish) {
        chunks.push(delta(json!({}), json!(finish(reply))));
        if let Some(usage) = reply.usage.filter(|_| asked || reply.has(Quirk::UnaskedUsage)) {
            let mut last = chunk(json!([]));
            last["usage"] = counts(usage);
            chunks.push(last);
        }
    }
    let mut events: Vec<String> = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    if ![Quirk::ErrorInStream, Quirk::NoFinish, Quirk::NoDone]
        .map(|quirk| reply.has(quirk))
        .contains(&true)
    {
        events.push("data: [DONE]\n\n".to_owned());
    }
    if reply.has(Quirk::KeepAlives) {
        events = events
            .into_iter()
            .flat_map(|event| [": keep-alive\n\n".to_owned(), event])
            .collect();
    }
    events
}

/// The parts of one call. True servers send id and name first, then the arguments; those that leave the index out send
/// all in one.
fn call_parts(reply: &Reply, place: usize, call: &Call) -> Vec<Value> {
    let index = if reply.has(Quirk::NoIndex) {
        None
    } else if reply.has(Quirk::NullIndex) {
        Some(Value::Null)
    } else if reply.has(Quirk::HugeIndex) {
        Some(json!(4_294_967_295_u64 - place as u64))
    } else {
        Some(json!(place))
    };
    let in_one = reply.has(Quirk::ObjectArguments)
        || (index.as_ref().is_none_or(Value::is_null) && reply.argument_parts().is_none());
    let opening = |arguments: Value| {
        json!({
            "id": call.id,
            "type": "function",
            "function": { "name": call.name, "arguments": arguments },
        })
    };
    let mut parts = if in_one {
        vec![opening(arguments(reply, call))]
    } else {
        let mut parts = vec![opening(json!(""))];
        for part in call.arguments.parts(reply.argument_parts().unwrap_or(3)) {
            parts.push(json!({ "function": { "arguments": part } }));
        }
        parts
    };
    if let Some(index) = index {
        for part in &mut parts {
            part["index"] = index.clone();
        }
    }
    parts
}

fn head(object: &str, request: &Value, number: usize) -> Value {
    json!({
        "id": format!("chatcmpl-{number:08}"),
        "object": object,
        "created": CREATED,
        "model": request["model"],
        "service_tier": "default",
        "system_fingerprint": "fp_0123456789",
    })
}

fn finish(reply: &Reply) -> &str {
    let usual = if reply.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    reply.finish.as_deref().unwrap_or(usual)
}

fn counts(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": { "cached_tokens": usage.cached, "audio_tokens": 0 },
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    })
}

pub(super) fn body(failure: &Failure) -> Value {
    json!({ "error": {
        "message": failure.message,
        "type": failure.kind,
        "param": failure.param,
        "code": failure.code,
    }})
}

/// The error that a test ordered, in the provider's words where the test has none.
pub(super) fn scripted(status: u16, reply: &Reply, request: &Value) -> Failure {
    let model = request["model"].as_str().unwrap_or_default();
    let (kind, code, message) = match status {
        401 => return unauthorized(true),
        403 => (
            "request_forbidden",
            Some("unsupported_country_region_territory"),
            "Country, region, or territory not supported".to_owned(),
        ),
        404 => (
            "invalid_request_error",
            Some("model_not_found"),
            format!("The model `{model}` does not exist or you do not have access to it."),
        ),
        429 if reply.code.as_deref() == Some("insufficient_quota") => (
            "insufficient_quota",
            None,
            "You exceeded your current quota, please check your plan and billing details.".to_owned(),
        ),
        429 => (
            "requests",
            Some("rate_limit_exceeded"),
            format!(
                "Rate limit reached for {model} on requests per min (RPM): Limit 3, Used 3, Requested 1."
            ),
        ),
        503 | 529 => (
            "server_error",
            None,
            "The engine is currently overloaded, please try again later".to_owned(),
        ),
        500.. => (
            "server_error",
            None,
            "The server had an error while processing your request. Sorry about that!".to_owned(),
        ),
        _ => ("invalid_request_error", None, "Invalid request.".to_owned()),
    };
    let mut failure = Failure::new(status, kind, reply.message.clone().unwrap_or(message));
    failure.code = reply.code.clone().or_else(|| code.map(str::to_owned));
    failure
}

pub(super) fn unauthorized(with_key: bool) -> Failure {
    let mut failure = Failure::new(
        401,
        "invalid_request_error",
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer \
         auth (i.e. Authorization: Bearer YOUR_KEY).",
    );
    if with_key {
        "Incorrect API key provided: sk-*****.".clone_into(&mut failure.message);
        failure.code = Some("invalid_api_key".to_owned());
    }
    failure
}

//! Anthropic's messages.

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::analysis::engines::model::message::{
    CallResult, End, Fault, Prompt, Reply, Said, Turn, WantedCall,
};
use crate::analysis::engines::model::settings::Tokens;
use crate::analysis::engines::model::wire::form::{
    CallDraft, Form, ReplyDraft, arguments_text, count_at, object, reply, text_at,
};
use crate::analysis::tools::typed::catalog::Spec;
use crate::net::model_transport::secret_header;

const VERSION: &str = "2023-06-01";

#[derive(Clone, Copy, Debug)]
pub struct Anthropic;

impl Form for Anthropic {
    fn path(&self) -> &'static str {
        "messages"
    }

    fn headers(&self, key: &str) -> Option<HeaderMap> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(HeaderName::from_static("x-api-key"), secret_header(key)?);
        headers.insert(
            HeaderName::from_static("anthropic-version"),
            HeaderValue::from_static(VERSION),
        );
        Some(headers)
    }

    fn body(&self, model: &str, prompt: &Prompt<'_>, streamed: bool) -> Value {
        let mut body = object([
            ("model", json!(model)),
            ("max_tokens", json!(prompt.most_output)),
            ("system", json!(prompt.system)),
            ("messages", Value::Array(messages(prompt.turns))),
        ]);
        // The last call lists them as well: those of the conversation must be listed, and the cache knows them.
        if !prompt.tools.is_empty() {
            body.insert("tools".to_owned(), prompt.tools.iter().map(tool).collect());
            if prompt.must_answer {
                body.insert("tool_choice".to_owned(), json!({"type": "none"}));
            }
        }
        if streamed {
            body.insert("stream".to_owned(), json!(true));
        }
        Value::Object(body)
    }

    fn whole(&self, body: &Value) -> Result<Reply, Fault> {
        check(body)?;
        let blocks = body
            .get("content")
            .and_then(Value::as_array)
            .ok_or(Fault::Unreadable)?;
        let text: String = blocks
            .iter()
            .filter(|block| text_at(block, "type") == "text")
            .map(|block| text_at(block, "text"))
            .collect();
        let calls = blocks
            .iter()
            .filter(|block| text_at(block, "type") == "tool_use")
            .map(|block| {
                let arguments = arguments_text(block.get("input"));
                WantedCall::new(
                    text_at(block, "id").to_owned(),
                    text_at(block, "name").to_owned(),
                    &arguments,
                )
            });
        let end = end(text_at(body, "stop_reason")).unwrap_or(End::Finished);
        Ok(reply(
            text,
            calls.collect(),
            body.get("usage").and_then(tokens),
            end,
        ))
    }

    fn event(&self, event: &Value, draft: &mut ReplyDraft) -> Result<bool, Fault> {
        check(event)?;
        match text_at(event, "type") {
            "message_start" => draft.tokens = event.pointer("/message/usage").and_then(tokens),
            "content_block_start" => {
                let block = event.get("content_block").unwrap_or(&Value::Null);
                draft.text.push_str(text_at(block, "text"));
                if text_at(block, "type") == "tool_use" {
                    draft.calls.push(CallDraft {
                        place: count_at(event, "index"),
                        id: text_at(block, "id").to_owned(),
                        name: text_at(block, "name").to_owned(),
                        arguments: String::new(),
                    });
                }
            }
            "content_block_delta" => {
                let delta = event.get("delta").unwrap_or(&Value::Null);
                draft.text.push_str(text_at(delta, "text"));
                let place = count_at(event, "index");
                if let Some(call) = draft.calls.iter_mut().find(|call| call.place == place) {
                    call.arguments.push_str(text_at(delta, "partial_json"));
                }
            }
            "message_delta" => {
                if let Some(output) = event.pointer("/usage/output_tokens").and_then(Value::as_u64) {
                    draft.tokens = draft.tokens.map(|tokens| Tokens { output, ..tokens });
                }
                let reason = event.pointer("/delta/stop_reason").and_then(Value::as_str);
                draft.end = reason.and_then(end);
            }
            "message_stop" => return Ok(true),
            _ => {}
        }
        Ok(false)
    }
}

/// The turns as messages. Turns of one role in a row are one message; results come before text.
fn messages(turns: &[Turn]) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for turn in turns {
        let (role, blocks) = match turn {
            Turn::Person(text) => ("user", text_block(text)),
            Turn::Model(said) => ("assistant", assistant(said)),
            Turn::Results(results) => ("user", results.iter().map(result).collect()),
        };
        match messages.last_mut() {
            Some((last, all)) if *last == role => all.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => messages.push((role, blocks)),
        }
    }
    let message = |(role, content)| json!({"role": role, "content": content});
    messages.into_iter().map(message).collect()
}

/// Blank blocks are refused.
fn text_block(text: &str) -> Vec<Value> {
    if text.trim().is_empty() {
        Vec::new()
    } else {
        vec![json!({"type": "text", "text": text})]
    }
}

fn assistant(said: &Said) -> Vec<Value> {
    let mut blocks = text_block(&said.text);
    blocks.extend(said.calls.iter().map(
        |call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.sent_back()}),
    ));
    blocks
}

fn result(result: &CallResult) -> Value {
    json!({
        "type": "tool_result",
        "tool_use_id": result.id,
        "content": result.text,
        "is_error": result.failed,
    })
}

fn tool(spec: &Spec) -> Value {
    json!({"name": spec.name, "description": spec.description, "input_schema": spec.schema})
}

fn end(reason: &str) -> Option<End> {
    match reason {
        "" => None,
        "max_tokens" | "model_context_window_exceeded" => Some(End::Cut),
        "refusal" => Some(End::Refused),
        _ => Some(End::Finished),
    }
}

fn tokens(usage: &Value) -> Option<Tokens> {
    let cached = count_at(usage, "cache_read_input_tokens").unwrap_or(0);
    let written = count_at(usage, "cache_creation_input_tokens").unwrap_or(0);
    Some(Tokens {
        input: count_at(usage, "input_tokens")?
            .saturating_add(cached)
            .saturating_add(written),
        output: count_at(usage, "output_tokens").unwrap_or(0),
        cached,
    })
}

/// An error in the place of an answer or in the middle of a stream.
fn check(body: &Value) -> Result<(), Fault> {
    if text_at(body, "type") != "error" {
        return Ok(());
    }
    let status = match body.pointer("/error/type").and_then(Value::as_str) {
        Some("invalid_request_error") => 400,
        Some("authentication_error") => 401,
        Some("permission_error") => 403,
        Some("not_found_error") => 404,
        Some("rate_limit_error") => 429,
        Some("overloaded_error") => 529,
        _ => 500,
    };
    Err(Fault::of_status(status, None))
}

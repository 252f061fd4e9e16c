//! OpenAI's chat completions, which most servers speak.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
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

/// The form, as a server wants it.
#[derive(Clone, Copy, Debug)]
pub struct OpenAi {
    /// OpenAI's own models want another name for the limit of the output than most other servers know.
    limit: &'static str,
    /// Whether the server is on this machine: such a server draws words at random unless it is asked not to. On others
    /// some models refuse to be asked.
    is_local: bool,
}

impl OpenAi {
    /// The form for the server of a base URL.
    pub fn at(url: &str) -> Self {
        let host = url.split("://").nth(1).unwrap_or(url);
        Self {
            limit: if host.starts_with("api.openai.com") {
                "max_completion_tokens"
            } else {
                "max_tokens"
            },
            is_local: ["127.", "localhost", "[::1]"]
                .iter()
                .any(|own| host.starts_with(own)),
        }
    }
}

impl Form for OpenAi {
    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn headers(&self, key: &str) -> Option<HeaderMap> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if !key.is_empty() {
            headers.insert(AUTHORIZATION, secret_header(&format!("Bearer {key}"))?);
        }
        Some(headers)
    }

    fn body(&self, model: &str, prompt: &Prompt<'_>, streamed: bool) -> Value {
        let mut messages = vec![json!({"role": "system", "content": prompt.system})];
        for turn in prompt.turns {
            match turn {
                Turn::Person(text) => messages.push(json!({"role": "user", "content": text})),
                Turn::Model(said) => messages.push(assistant(said)),
                Turn::Results(results) => messages.extend(results.iter().map(result)),
            }
        }
        let mut body = object([
            ("model", json!(model)),
            ("messages", Value::Array(messages)),
            (self.limit, json!(prompt.most_output)),
        ]);
        if self.is_local {
            body.insert("temperature".to_owned(), json!(0));
        }
        if !prompt.tools.is_empty() {
            // The last call lists them as well: without them the prompt has another beginning, and no cache knows it.
            body.insert("tools".to_owned(), prompt.tools.iter().map(tool).collect());
            if prompt.must_answer {
                body.insert("tool_choice".to_owned(), json!("none"));
            }
        }
        if streamed {
            body.extend(object([
                ("stream", json!(true)),
                ("stream_options", json!({"include_usage": true})),
            ]));
        }
        Value::Object(body)
    }

    fn whole(&self, body: &Value) -> Result<Reply, Fault> {
        check(body)?;
        let choice = body.pointer("/choices/0").ok_or(Fault::Unreadable)?;
        let message = choice.get("message").ok_or(Fault::Unreadable)?;
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let calls = calls.into_iter().flatten().map(|call| {
            let function = call.get("function").unwrap_or(&Value::Null);
            let arguments = arguments_text(function.get("arguments"));
            WantedCall::new(
                text_at(call, "id").to_owned(),
                text_at(function, "name").to_owned(),
                &arguments,
            )
        });
        let refusal = text_at(message, "refusal");
        let end = match end(choice) {
            _ if !refusal.is_empty() => End::Refused,
            end => end.unwrap_or(End::Finished),
        };
        let text = content(message) + refusal;
        Ok(reply(
            text,
            calls.collect(),
            body.get("usage").and_then(tokens),
            end,
        ))
    }

    fn event(&self, event: &Value, draft: &mut ReplyDraft) -> Result<bool, Fault> {
        check(event)?;
        if let Some(tokens) = event.get("usage").and_then(tokens) {
            draft.tokens = Some(tokens);
        }
        let Some(choice) = event.pointer("/choices/0") else {
            return Ok(false);
        };
        let delta = choice.get("delta").unwrap_or(&Value::Null);
        draft.text.push_str(&content(delta));
        let refusal = text_at(delta, "refusal");
        draft.text.push_str(refusal);
        for piece in delta
            .get("tool_calls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            add(&mut draft.calls, piece);
        }
        if !refusal.is_empty() {
            draft.end = Some(End::Refused);
        } else if let Some(end) = end(choice).filter(|_| draft.end != Some(End::Refused)) {
            draft.end = Some(end);
        }
        // Counts may follow.
        Ok(false)
    }
}

fn assistant(said: &Said) -> Value {
    let mut message = object([("role", json!("assistant")), ("content", json!(said.text))]);
    if !said.calls.is_empty() {
        let calls = said.calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.sent_back().to_string()},
            })
        });
        message.insert("tool_calls".to_owned(), calls.collect());
    }
    Value::Object(message)
}

fn result(result: &CallResult) -> Value {
    json!({"role": "tool", "tool_call_id": result.id, "content": result.text})
}

fn tool(spec: &Spec) -> Value {
    json!({
        "type": "function",
        "function": {"name": spec.name, "description": spec.description, "parameters": spec.schema},
    })
}

/// A text, or the texts of a list of parts.
fn content(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().map(|part| text_at(part, "text")).collect(),
        _ => String::new(),
    }
}

/// Adds a piece of a call: by its place, else to the call with its id, else to the last one.
fn add(calls: &mut Vec<CallDraft>, piece: &Value) {
    let place = count_at(piece, "index");
    let id = text_at(piece, "id");
    let known = match place {
        Some(place) => calls.iter().rposition(|call| call.place == Some(place)),
        None if id.is_empty() => calls.len().checked_sub(1),
        None => calls.iter().position(|call| call.id == id),
    };
    // Some servers give all calls one place: another id, or a name after the arguments, begins another call.
    let name = piece
        .pointer("/function/name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let known = known.filter(|at| {
        calls.get(*at).is_some_and(|call| {
            let other = !id.is_empty() && !call.id.is_empty() && call.id != id;
            !other && (name.is_empty() || call.arguments.is_empty())
        })
    });
    let at = known.unwrap_or_else(|| {
        calls.push(CallDraft {
            place,
            ..CallDraft::default()
        });
        calls.len() - 1
    });
    if let Some(call) = calls.get_mut(at) {
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        let function = piece.get("function").unwrap_or(&Value::Null);
        call.name.push_str(text_at(function, "name"));
        call.arguments
            .push_str(&arguments_text(function.get("arguments")));
    }
}

fn end(choice: &Value) -> Option<End> {
    Some(match choice.get("finish_reason")?.as_str()? {
        "length" => End::Cut,
        "content_filter" => End::Refused,
        _ => End::Finished,
    })
}

fn tokens(usage: &Value) -> Option<Tokens> {
    let cached = usage
        .pointer("/prompt_tokens_details/cached_tokens")
        .and_then(Value::as_u64);
    Some(Tokens {
        input: count_at(usage, "prompt_tokens")?,
        output: count_at(usage, "completion_tokens")?,
        cached: cached.unwrap_or(0),
    })
}

/// An error in the place of an answer.
fn check(body: &Value) -> Result<(), Fault> {
    match body.get("error").filter(|error| !error.is_null()) {
        None => Ok(()),
        Some(error) => {
            let status = count_at(error, "code").and_then(|code| u16::try_from(code).ok());
            Err(Fault::of_status(status.unwrap_or(500), None))
        }
    }
}

//! How a call passes its arguments: in the query, as a form, as multipart, or as JSON. Does not depend on any method.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest as _, Multipart, Request};
use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// Methods that also accept JSON arguments: those that write. The others ignore a JSON body.
const JSON: [&str; 11] = [
    "chat.postMessage",
    "chat.postEphemeral",
    "chat.update",
    "chat.delete",
    "conversations.open",
    "views.publish",
    "assistant.threads.setStatus",
    "assistant.threads.setSuggestedPrompts",
    "agents.sessions.setStatus",
    "files.completeUploadExternal",
    "apps.manifest.create",
];

/// The arguments of a call, from its query or its body.
pub async fn of(
    method: &str,
    query: Option<&str>,
    headers: &HeaderMap,
    body: Bytes,
) -> Vec<(String, String)> {
    let mut all = pairs(query.unwrap_or_default().as_bytes());
    if !kind(headers).starts_with("application/json") {
        all.extend(form(headers, body).await);
    } else if JSON.contains(&method) {
        let given: serde_json::Map<String, Value> = serde_json::from_slice(&body).unwrap_or_default();
        all.extend(given.into_iter().filter_map(|(name, value)| match value {
            Value::Null => None,
            Value::String(text) => Some((name, text)),
            other => Some((name, other.to_string())),
        }));
    }
    all
}

/// Whether this content type is accepted. A GET has no body and no type.
pub fn is_accepted(headers: &HeaderMap) -> bool {
    let kind = kind(headers);
    let taken = ["application/x-www-form-urlencoded", "application/json"];
    kind.is_empty() || taken.iter().any(|taken| kind.starts_with(taken))
}

fn kind(headers: &HeaderMap) -> &str {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn pairs(encoded: &[u8]) -> Vec<(String, String)> {
    url::form_urlencoded::parse(encoded).into_owned().collect()
}

/// The fields of a form. File contents are in base64.
pub async fn form(headers: &HeaderMap, body: Bytes) -> Vec<(String, String)> {
    let kind = kind(headers);
    if !kind.starts_with("multipart/form-data") {
        return pairs(&body);
    }
    let request = Request::builder()
        .header(header::CONTENT_TYPE, kind)
        .body(Body::from(body))
        .expect("a request");
    let mut parts = Multipart::from_request(request, &()).await.expect("multipart");
    let mut form = Vec::new();
    while let Some(field) = parts.next_field().await.expect("a field") {
        let name = field.name().unwrap_or_default().to_owned();
        let is_file = field.file_name().is_some();
        let bytes = field.bytes().await.expect("its bytes");
        let value = if is_file {
            STANDARD.encode(&bytes)
        } else {
            String::from_utf8_lossy(&bytes).into_owned()
        };
        form.push((name, value));
    }
    form
}

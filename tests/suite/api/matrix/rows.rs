//! The rows of the matrix: how each operation is called, and what of the owner's the call names.

use serde_json::{Value, json};

/// Contained in everything the owner wrote.
pub const CANARY: &str = "canary-5Kp-owner";

/// One way to call an operation. `{word}` in the path or body is replaced by an id of the owner.
pub struct Row {
    pub method: &'static str,
    pub path: &'static str,
    pub body: fn() -> Value,
    /// The placeholder that the call names; none where it names nothing of the owner's.
    pub names: Option<&'static str>,
    /// The path to call, possibly with a query; the documented path if empty.
    pub call: &'static str,
    /// The status for the owner.
    pub owner: u16,
    /// The status for other callers where the row names something.
    pub stranger: u16,
}

const fn own(method: &'static str, path: &'static str, body: fn() -> Value, owner: u16) -> Row {
    Row {
        method,
        path,
        body,
        names: None,
        call: path,
        owner,
        stranger: 404,
    }
}

const fn naming(
    method: &'static str,
    path: &'static str,
    call: &'static str,
    names: &'static str,
    body: fn() -> Value,
    owner: u16,
) -> Row {
    Row {
        method,
        path,
        body,
        names: Some(names),
        call,
        owner,
        stranger: 404,
    }
}

pub fn nothing() -> Value {
    Value::Null
}

pub fn question() -> Value {
    json!({ "question": format!("Cap rate with NOI 50,000 and price 1,000,000? {CANARY}") })
}

pub const RUN: &str = "/users/run-models";

const SESSION: &str = "/users/me/chat-sessions/{sessionId}";
const RESPONSES: &str = "/users/me/chat-sessions/message-responses";

pub const ANALYSTS: &str = "/users/custom-analysts";
const ANALYST: &str = "/users/custom-analysts/{analystId}";
pub const ATTACHMENTS: &str = "/users/me/chat-sessions/attachments";
const UPDATE: &str = "/users/update-memory";

pub fn note() -> Value {
    json!({ "memoryType": "user_memory", "noteTitle": "Harbour", "noteContext": CANARY, "folder": CANARY })
}

pub fn analyst() -> Value {
    json!({ "name": format!("Abstractor {CANARY}"), "base": "svc-local", "tone": "friendly" })
}

/// Calls that delete what they name come last.
pub const ROWS: &[Row] = &[
    own("GET", "/users/sdk/me", nothing, 200),
    // Before the other callers ask any question of their own.
    own("GET", "/users/me/chat-messages", nothing, 200),
    naming(
        "POST",
        "/users/memory/{memoryId}/files",
        "/users/memory/{note}/files",
        "note",
        || json!({}),
        200,
    ),
    own("POST", RUN, question, 202),
    naming(
        "POST",
        RUN,
        RUN,
        "session",
        || json!({ "question": "And at 5%?", "sessionId": "{session}" }),
        202,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "note",
        || json!({ "question": "Cap rate?", "taggedMemoryIds": ["{note}"] }),
        202,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "analyst",
        || json!({ "question": "Cap rate?", "customAnalyst": { "id": "{analyst}" } }),
        202,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "analyst",
        || json!({ "question": "Cap rate?", "user": { "modelId": "{model}" } }),
        202,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "attachment",
        || json!({ "question": "Cap rate?", "userMemoryAttachmentsIds": ["{attachment}"] }),
        202,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "attachment",
        || json!({ "question": "Cap rate?", "orgMemoryAttachmentsIds": ["{attachment}"] }),
        202,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "attachment",
        || {
            json!({
                "question": "Cap rate?",
                "taggedMemoryIds": [{ "id": "{note}", "attachmentIds": ["{attachment}"] }],
            })
        },
        202,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "attachment",
        || json!({ "question": "Cap rate?", "uploadedAttachments": [{ "id": "{attachment}" }] }),
        202,
    ),
    naming(
        "GET",
        SESSION,
        "/users/me/chat-sessions/{session}",
        "session",
        nothing,
        200,
    ),
    naming(
        "GET",
        "/users/me/chat-sessions/{sessionId}/messages",
        "/users/me/chat-sessions/{session}/messages",
        "session",
        nothing,
        200,
    ),
    naming(
        "POST",
        RESPONSES,
        RESPONSES,
        "message",
        || json!({ "messageId": "{message}" }),
        200,
    ),
    naming(
        "POST",
        RESPONSES,
        RESPONSES,
        "session",
        || json!({ "sessionId": "{session}" }),
        200,
    ),
    naming(
        "POST",
        RESPONSES,
        RESPONSES,
        "message",
        || json!({ "sessionId": "{session}", "messageId": "{message}" }),
        200,
    ),
    // Filtering by somebody else's id gives the same empty list as filtering by an unknown id.
    Row {
        stranger: 200,
        ..naming(
            "GET",
            "/users/me/chat-messages",
            "/users/me/chat-messages?sessionId={session}",
            "session",
            nothing,
            200,
        )
    },
    naming(
        "GET",
        "/users/me/chat-messages/{messageId}",
        "/users/me/chat-messages/{message}",
        "message",
        nothing,
        200,
    ),
    naming(
        "POST",
        RUN,
        RUN,
        "file",
        || json!({ "question": "And at 5%?", "uploadedAttachments": ["{file}"] }),
        202,
    ),
    naming(
        "POST",
        ATTACHMENTS,
        ATTACHMENTS,
        "session",
        || json!({ "sessionId": "{session}" }),
        200,
    ),
    naming(
        "POST",
        ATTACHMENTS,
        ATTACHMENTS,
        "message",
        || json!({ "messageId": "{message}" }),
        200,
    ),
    own("POST", "/users/get-user-memory", || json!({}), 200),
    own(
        "POST",
        "/users/memory/search",
        || json!({ "query": "harbour canary" }),
        200,
    ),
    own("POST", "/users/memory/folders", || json!({}), 200),
    own("POST", "/users/add-to-memory", note, 201),
    naming(
        "POST",
        "/users/memory/{memoryId}/files",
        "/users/memory/{note}/files",
        "note",
        || json!({}),
        200,
    ),
    naming(
        "POST",
        UPDATE,
        UPDATE,
        "note",
        || json!({ "memoryId": "{note}", "noteTitle": "Pier" }),
        200,
    ),
    own("GET", ANALYSTS, nothing, 200),
    own("POST", ANALYSTS, analyst, 201),
    naming(
        "POST",
        ANALYSTS,
        ANALYSTS,
        "note",
        || {
            json!({
                "name": "Reader", "base": "svc-local", "tone": "friendly",
                "organisationMemory": { "noteId": "{note}", "noteTitle": "Pier" },
            })
        },
        404,
    ),
    naming(
        "PUT",
        ANALYST,
        "/users/custom-analysts/{analyst}",
        "analyst",
        analyst,
        200,
    ),
    // The caller's own analyst with the owner's note.
    naming(
        "POST",
        ANALYSTS,
        ANALYSTS,
        "note",
        || {
            json!({
                "name": "Reader", "base": "svc-local", "tone": "friendly",
                "organisationMemory": {
                    "noteId": "{note}", "files": [{ "name": "a.txt", "dataBase64": "aGk=" }],
                },
            })
        },
        404,
    ),
    naming(
        "POST",
        UPDATE,
        UPDATE,
        "attachment",
        || json!({ "memoryId": "{note}", "removeAttachmentIds": ["{attachment}"] }),
        200,
    ),
    naming(
        "DELETE",
        ANALYST,
        "/users/custom-analysts/{analyst}",
        "analyst",
        nothing,
        204,
    ),
];

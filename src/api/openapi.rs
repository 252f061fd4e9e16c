//! Completes the OpenAPI document with what the types of the handlers do not describe and with the responses that all
//! routes share.

#![expect(
    clippy::indexing_slicing,
    reason = "a missing JSON value reads as null and is created when it is written"
)]

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, SecurityRequirement};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::api::examples::{self, For};
use crate::api::forms;
use crate::edge::codes::{ENTRIES, Entry, Of};
use crate::edge::problem::{ERRORS_PAGE, FieldError, Problem};

const PROBLEM: &str = "application/problem+json";
/// The members of a path that are operations.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The document before the routes are added.
pub fn base() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Corbel HTTP API")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Real-estate and finance analyses, Context and custom analysts, authenticated with a project key. \
             Clients branch on the HTTP status and on `code`, and tolerate fields they do not know.",
        ))
        .build();
    let schemes = ComponentsBuilder::new()
        .security_scheme(
            "apiKey",
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-Api-Key"))),
        )
        .security_scheme(
            "bearer",
            SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build()),
        )
        .schema(FieldError::name(), FieldError::schema())
        .schema(Problem::name(), Problem::schema())
        .build();
    OpenApiBuilder::new()
        .info(info)
        .components(Some(schemes))
        .security(Some([
            SecurityRequirement::new("apiKey", Vec::<String>::new()),
            SecurityRequirement::new("bearer", Vec::<String>::new()),
        ]))
        .build()
}

/// The groups of routes, in the order of the document.
const TAGS: [(&str, &str); 4] = [
    ("Account", "Whose key it is."),
    (
        "Analysis",
        "Ask, poll, read the answer. Every run is durable: what was accepted will end.",
    ),
    (
        "Context",
        "Notes, their folders and files. Personal Context is its owner's alone, Organization Context is shared.",
    ),
    ("Custom analysts", "Analysts with a tone and memory of their own."),
];

/// The responses that operations have without declaring them.
const COMMON: [(StatusCode, &str); 10] = [
    (
        StatusCode::BAD_REQUEST,
        "The request does not fit: `errors` names each field.",
    ),
    (
        StatusCode::UNAUTHORIZED,
        "The project key is missing, invalid, revoked, expired, or in the address.",
    ),
    (
        StatusCode::NOT_FOUND,
        "Absent, not owned or not authorized: the three are never told apart.",
    ),
    (StatusCode::REQUEST_TIMEOUT, "The body did not arrive in time."),
    (
        StatusCode::PAYLOAD_TOO_LARGE,
        "A file or the body is larger than allowed.",
    ),
    (
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "The content type is none that this route takes.",
    ),
    (
        StatusCode::TOO_MANY_REQUESTS,
        "The key's rate or the sandbox's monthly quota is exceeded: wait as long as `Retry-After` says.",
    ),
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        "A fault of the service. Its cause is in the service's log, under the request id.",
    ),
    (
        StatusCode::BAD_GATEWAY,
        "Another service, on which this one relies, failed.",
    ),
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "Overloaded, or the database is away: wait as long as `Retry-After` says.",
    ),
];

/// The document with everything that all routes share, as served at `public_url`.
pub fn complete(document: &OpenApi, public_url: &str) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    forms::describe(&mut document);
    let components = document["components"].clone();
    document["components"]["headers"] = headers();
    document["servers"] = json!([{ "url": public_url }]);
    document["externalDocs"] = json!({
        "description": "Every error code, its cause and what mends it",
        "url": format!("{public_url}{ERRORS_PAGE}"),
    });
    document["tags"] = TAGS
        .iter()
        .map(|(name, description)| json!({ "name": name, "description": description }))
        .collect();
    let completion = Completion {
        components: &components,
        public_url,
    };
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        for (path, item) in paths {
            for (method, operation) in item.as_object_mut().into_iter().flatten() {
                if METHODS.contains(&method.as_str()) {
                    operation["operationId"] = Value::from(name_of(method, path));
                    completion.operation(operation);
                }
            }
        }
    }
    document
}

/// The operation id, derived from the path and not from the handler: `get /users/me/chat-messages/{messageId}` is
/// `getChatMessagesByMessageId`.
fn name_of(method: &str, path: &str) -> String {
    let mut name = method.to_owned();
    let all = path.trim_start_matches("/users/");
    for part in all.trim_start_matches("me/").split('/') {
        let parameter = part.starts_with('{');
        if parameter {
            name.push_str("By");
        }
        for word in part.trim_matches(['{', '}']).split('-') {
            let mut signs = word.chars();
            name.extend(signs.next().into_iter().flat_map(char::to_uppercase));
            name.push_str(signs.as_str());
        }
    }
    name
}

struct Completion<'d> {
    components: &'d Value,
    public_url: &'d str,
}

impl Completion<'_> {
    /// Adds the common responses to an operation, and the common headers and an example to each response.
    fn operation(&self, operation: &mut Value) {
        let has_body = operation.get("requestBody").is_some();
        if has_body {
            forms::complete(operation, self.components);
        }
        let parameters = operation["parameters"].as_array();
        let has_path = parameters.is_some_and(|all| all.iter().any(|one| one["in"] == "path"));
        for media in members(operation.pointer_mut("/requestBody/content")) {
            require_object(media);
            self.example(media, For::Request);
        }
        let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
            return;
        };
        for (status, description) in COMMON {
            let answers = match status {
                // A body may have identifiers too.
                StatusCode::NOT_FOUND => has_path || has_body,
                StatusCode::REQUEST_TIMEOUT
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::UNSUPPORTED_MEDIA_TYPE => has_body,
                _ => true,
            };
            if answers {
                responses
                    .entry(status.as_str())
                    .or_insert_with(|| json!({ "description": description }));
            }
        }
        for (status, response) in responses {
            self.answer(status, response, has_body);
        }
    }

    fn answer(&self, status: &str, response: &mut Value, has_body: bool) {
        if status.starts_with(['4', '5']) {
            response["content"] = json!({ PROBLEM: {
                "schema": { "$ref": "#/components/schemas/Problem" },
                "examples": self.problems(status, has_body),
            } });
        } else {
            for media in members(response.get_mut("content")) {
                self.example(media, For::Answer);
            }
        }
        let more: &[&str] = match status {
            "401" => &["WWW-Authenticate"],
            "429" | "503" => &["Retry-After"],
            _ => &[],
        };
        // Only authenticated requests have a rate limit; the other statuses may come before authentication.
        let counted = !matches!(status, "401" | "408" | "500" | "502" | "503");
        let rate: &[&str] = if counted {
            &["RateLimit", "RateLimit-Policy"]
        } else {
            &[]
        };
        for name in ["X-Request-Id"].iter().chain(more).chain(rate) {
            response["headers"][name] = json!({ "$ref": format!("#/components/headers/{name}") });
        }
    }

    fn example(&self, media: &mut Value, what: For) {
        if media.get("example").is_some() || media.get("examples").is_some() {
            return;
        }
        let schema = media.get("schema").unwrap_or(&Value::Null);
        let example = examples::of(schema, self.components, what);
        if !example.is_null() {
            media["example"] = example;
        }
    }

    /// An example problem for each code of a status.
    fn problems(&self, status: &str, has_body: bool) -> Value {
        let fits = |entry: &&Entry| {
            let of = match entry.of {
                Of::Api => true,
                Of::Bodies => has_body,
                // Each route declares these itself.
                Of::Some => !COMMON.iter().any(|(common, _)| common.as_str() == status),
                Of::Pages => false,
            };
            of && entry.status.as_str() == status
        };
        let shown = |entry: &Entry| {
            let mut problem = json!({
                "type": format!("{}{ERRORS_PAGE}#{}", self.public_url, entry.code),
                "title": entry.status.canonical_reason().unwrap_or_default(),
                "status": entry.status.as_u16(),
                "detail": entry.cause,
                "code": entry.code,
                "requestId": "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11",
            });
            if entry.code == "invalid_request" {
                problem["detail"] = json!("question: is missing");
                problem["errors"] =
                    json!([{ "field": "question", "code": "missing", "detail": "is missing" }]);
            }
            (
                entry.code.to_owned(),
                json!({ "summary": entry.cause, "value": problem }),
            )
        };
        let shown: Map<String, Value> = ENTRIES.iter().filter(fits).map(shown).collect();
        Value::Object(shown)
    }
}

/// Removes null from the schema of an optional body: it may be left out, but a JSON null is not accepted.
fn require_object(media: &mut Value) {
    let choices = media.pointer("/schema/oneOf").and_then(Value::as_array);
    let mut other = choices.into_iter().flatten().filter(|one| one["type"] != "null");
    if let (Some(only), None) = (other.next().cloned(), other.next()) {
        media["schema"] = only;
    }
}

/// The headers of responses, by name.
fn headers() -> Value {
    json!({
        "X-Request-Id": header(
            "Names this request in the logs of the service.",
            json!({ "type": "string", "format": "uuid" }),
            json!("0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11"),
        ),
        "Retry-After": header(
            "Whole seconds to wait before the next attempt.",
            json!({ "type": "integer", "minimum": 1 }),
            json!(12),
        ),
        "RateLimit": header(
            "What is left of the key's rate: `r` requests now, and more in `t` seconds, when the first of those \
             counted is a window old.",
            json!({ "type": "string" }),
            json!("\"development\";r=42;t=17"),
        ),
        "RateLimit-Policy": header(
            "The key's rate: `q` requests in any `w` seconds. The window slides: a request counts for `w` seconds, \
             each for itself, exactly over all nodes.",
            json!({ "type": "string" }),
            json!("\"development\";q=60;w=60"),
        ),
        "WWW-Authenticate": header(
            "How to authenticate.",
            json!({ "type": "string" }),
            json!("Bearer realm=\"api\""),
        ),
    })
}

fn header(description: &str, schema: Value, example: Value) -> Value {
    json!({ "description": description, "required": true, "schema": schema, "example": example })
}

fn members(object: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    object
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
        .map(|(_, value)| value)
}

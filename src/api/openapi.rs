//! The OpenAPI document: what the handlers' types do not say themselves, and what all routes answer alike.

use serde_json::{Map, Value, json};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, SecurityRequirement};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::edge::problem::{FieldError, Problem};

const PROBLEM: &str = "application/problem+json";
/// The operations of a path; its other members are no operations.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The document before the routes.
pub fn opening() -> OpenApi {
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

/// A status that operations answer without saying so themselves.
struct Common {
    status: &'static str,
    description: &'static str,
    /// Answered by an operation with this.
    of: Of,
    /// Names of headers beside those of every answer.
    headers: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    All,
    WithBody,
    WithPathParameter,
}

const COMMON: [Common; 10] = [
    Common {
        status: "400",
        description: "The request does not fit: `errors` names each field.",
        of: Of::All,
        headers: &[],
    },
    Common {
        status: "401",
        description: "The project key is missing, invalid, revoked, expired, or in the address.",
        of: Of::All,
        headers: &["WWW-Authenticate"],
    },
    Common {
        status: "404",
        description: "Absent, not owned or not authorized: the three are never told apart.",
        of: Of::WithPathParameter,
        headers: &[],
    },
    Common {
        status: "408",
        description: "The body did not arrive in time.",
        of: Of::WithBody,
        headers: &[],
    },
    Common {
        status: "413",
        description: "A file or the body is larger than allowed.",
        of: Of::WithBody,
        headers: &[],
    },
    Common {
        status: "415",
        description: "The content type is none that this route takes.",
        of: Of::WithBody,
        headers: &[],
    },
    Common {
        status: "429",
        description: "The key's rate or the sandbox's monthly quota is exceeded. Wait as long as `Retry-After` says.",
        of: Of::All,
        headers: &["Retry-After"],
    },
    Common {
        status: "500",
        description: "A fault of the service. Its cause is in the service's log, under the request id.",
        of: Of::All,
        headers: &[],
    },
    Common {
        status: "502",
        description: "An outside service that was needed failed.",
        of: Of::All,
        headers: &[],
    },
    Common {
        status: "503",
        description: "Overloaded, or the database is away. Wait as long as `Retry-After` says.",
        of: Of::All,
        headers: &["Retry-After"],
    },
];

/// The document with what all routes have in common, as served at `public_url`.
pub fn finished(document: &OpenApi, public_url: &str) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    if let Some(components) = object(&mut document, "components") {
        components.insert("headers".to_owned(), headers());
    }
    if let Some(root) = document.as_object_mut() {
        root.insert("servers".to_owned(), json!([{ "url": public_url }]));
    }
    for path in members(object(&mut document, "paths")) {
        for (method, operation) in path.as_object_mut().into_iter().flatten() {
            if METHODS.contains(&method.as_str()) {
                complete(operation);
            }
        }
    }
    document
}

/// Gives an operation the common answers, and each of its answers the common headers.
fn complete(operation: &mut Value) {
    let has_body = operation.get("requestBody").is_some();
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let has_path = parameters.is_some_and(|all| all.iter().any(|one| one["in"] == "path"));
    let Some(responses) = object(operation, "responses") else {
        return;
    };
    for common in &COMMON {
        let answers = match common.of {
            Of::All => true,
            Of::WithBody => has_body,
            Of::WithPathParameter => has_path,
        };
        if answers {
            let own = json!({ "description": common.description });
            responses.entry(common.status).or_insert(own);
        }
    }
    for (status, response) in responses {
        let Some(response) = response.as_object_mut() else {
            continue;
        };
        if status.starts_with(['4', '5']) {
            let content = response.entry("content").or_insert_with(|| json!({}));
            if content.as_object().is_none_or(Map::is_empty) {
                *content = json!({ PROBLEM: { "schema": { "$ref": "#/components/schemas/Problem" } } });
            }
        }
        let more = COMMON
            .iter()
            .find(|common| common.status == status)
            .map_or(&[][..], |common| common.headers);
        let headers = response.entry("headers").or_insert_with(|| json!({}));
        for name in ["X-Request-Id"].iter().chain(more) {
            headers[name] = json!({ "$ref": format!("#/components/headers/{name}") });
        }
    }
}

/// The headers of answers, by name.
fn headers() -> Value {
    let header = |description: &str, schema: Value, example: Value| json!({ "description": description, "required": true, "schema": schema, "example": example });
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
        "WWW-Authenticate": header(
            "How to authenticate.",
            json!({ "type": "string" }),
            json!("Bearer realm=\"api\""),
        ),
    })
}

fn object<'d>(value: &'d mut Value, name: &str) -> Option<&'d mut Map<String, Value>> {
    value.get_mut(name)?.as_object_mut()
}

fn members(object: Option<&mut Map<String, Value>>) -> impl Iterator<Item = &mut Value> {
    object.into_iter().flatten().map(|(_, value)| value)
}

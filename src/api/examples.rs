//! Builds examples for the OpenAPI document from the schemas: from the examples of a type where it has some, otherwise
//! from its shape. Tests validate each against its schema.

use serde_json::{Map, Value, json};

/// Deepest nesting; a type may contain itself.
const DEEPEST: usize = 8;

/// What an example is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// Has only required fields and those with an example.
    Request,
    /// Has all fields.
    Answer,
}

/// An example that is valid for `schema`; its references point into `components`.
pub(super) fn of(schema: &Value, components: &Value, what: For) -> Value {
    Builder { components, what }.of(schema, 0)
}

struct Builder<'d> {
    components: &'d Value,
    what: For,
}

impl Builder<'_> {
    fn of(&self, schema: &Value, depth: usize) -> Value {
        if let Some(shown) = shown(schema) {
            return shown.clone();
        }
        if let Some(target) = schema["$ref"].as_str() {
            let target = target.trim_start_matches("#/components");
            let target = self.components.pointer(target).unwrap_or(&Value::Null);
            return self.of(target, depth);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return self.merged(parts, depth);
        }
        let choices = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
        if let Some(choices) = choices {
            let first = choices.iter().find(|one| one["type"] != "null");
            return self.of(first.unwrap_or(&Value::Null), depth);
        }
        match kind(schema) {
            "object" => self.object(schema, depth),
            "array" if depth < DEEPEST && !schema["items"].is_null() => {
                json!([self.of(&schema["items"], depth + 1)])
            }
            "array" => json!([]),
            "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
            "boolean" => json!(true),
            "string" => json!(text(schema)),
            _ => Value::Null,
        }
    }

    /// The merged fields of an `allOf`.
    fn merged(&self, parts: &[Value], depth: usize) -> Value {
        let mut all = Map::new();
        for part in parts {
            match self.of(part, depth) {
                Value::Object(fields) => all.extend(fields),
                other => return other,
            }
        }
        Value::Object(all)
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let mut fields = Map::new();
        let required = |name: &str| {
            schema["required"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one == name))
        };
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let included = required(name)
                || (depth < DEEPEST && (self.what == For::Answer || shown(property).is_some()));
            if included {
                fields.insert(name.clone(), self.of(property, depth + 1));
            }
        }
        Value::Object(fields)
    }
}

/// The example that the schema itself gives.
fn shown(schema: &Value) -> Option<&Value> {
    let first = |name: &str| schema[name].as_array().and_then(|all| all.first());
    schema
        .get("example")
        .or_else(|| first("examples"))
        .or_else(|| schema.get("const"))
        .or_else(|| schema.get("default"))
        .or_else(|| first("enum"))
}

fn kind(schema: &Value) -> &str {
    let named = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null"),
        kind => Some(kind),
    };
    let known = named.and_then(Value::as_str).unwrap_or_default();
    if known.is_empty() && schema["properties"].is_object() {
        "object"
    } else {
        known
    }
}

fn text(schema: &Value) -> &'static str {
    match schema["format"].as_str() {
        Some("uuid") => "0198b7a2-6a52-7c3e-9d51-2f0c8f6f8a11",
        Some("date-time") => "2026-03-02T09:30:00Z",
        Some("date") => "2026-03-02",
        Some("uri") => "https://example.com/",
        Some("byte") => "VGVuYW50LEFubnVhbCByZW50Cg==",
        _ => "text",
    }
}

//! Examples for the document, put together from the schemas: what a type gives itself is taken, the rest
//! follows from its form. Tests hold each to its schema.

use serde_json::{Map, Value, json};

/// Deepest nesting that is shown; a type may contain itself.
const DEEPEST: usize = 8;

/// What an example is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// All that may be sent would be too much: only what has to be there, and what its type shows.
    Request,
    Answer,
}

/// An example that fits `schema`; `components` holds what it refers to.
pub(super) fn of(schema: &Value, components: &Value, what: For) -> Value {
    Maker { components, what }.of(schema, 0)
}

struct Maker<'d> {
    components: &'d Value,
    what: For,
}

impl Maker<'_> {
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
            return self.whole(parts, depth);
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

    /// Parts that hold together.
    fn whole(&self, parts: &[Value], depth: usize) -> Value {
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
            let wanted = required(name)
                || (depth < DEEPEST && (self.what == For::Answer || shown(property).is_some()));
            if wanted {
                fields.insert(name.clone(), self.of(property, depth + 1));
            }
        }
        Value::Object(fields)
    }
}

/// What the schema gives as its example.
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

//! The type of a value in arguments: a text as written in the question, or the ref of an earlier result.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

/// A value as written. Models that send a JSON number instead are understood; its digits are the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written(pub String);

impl Written {
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.trim()
    }

    /// Whether the text says yes; `None` if it says neither yes nor no.
    #[must_use]
    pub fn truth(&self) -> Option<bool> {
        match self.text().to_lowercase().as_str() {
            "yes" | "true" | "1" => Some(true),
            "no" | "false" | "0" => Some(false),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        match Value::deserialize(source)? {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            Value::Bool(flag) => Ok(Self(flag.to_string())),
            _ => Err(D::Error::custom("a value is a text as written in the question")),
        }
    }
}

impl JsonSchema for Written {
    fn schema_name() -> Cow<'static, str> {
        "Written".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

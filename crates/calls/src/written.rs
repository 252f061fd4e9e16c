//! The type of a value in arguments: a text as written in the question, or the ref of an earlier result.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

/// A value as written. Models that send a JSON number instead are understood; its digits are the text. A list of
/// values means their sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written(Vec<String>);

impl Written {
    /// The text, for messages and for values that are no amounts.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.join(" + ")
    }

    /// The texts of the amounts that are added; usually one.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|part| part.trim())
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

/// Most amounts of one sum.
const MOST: usize = 100;

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = |value: Value| match value {
            Value::String(text) => Ok(text.trim().to_owned()),
            Value::Number(number) => Ok(number.to_string()),
            Value::Bool(flag) => Ok(flag.to_string()),
            _ => Err(D::Error::custom("a value is a text as written in the question")),
        };
        match Value::deserialize(source)? {
            Value::Array(list) if list.is_empty() || list.len() > MOST => {
                Err(D::Error::custom("a sum has 1 to 100 amounts"))
            }
            Value::Array(list) => list.into_iter().map(text).collect::<Result<_, _>>().map(Self),
            value => text(value).map(|text| Self(vec![text])),
        }
    }
}

impl From<&str> for Written {
    fn from(text: &str) -> Self {
        Self(vec![text.trim().to_owned()])
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

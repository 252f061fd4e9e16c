//! A boolean that clients may also send as text, as forms do.

use serde::{Deserialize, Deserializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// `true`, `false`, `"true"` or `"false"`. Absent: false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Plain(bool),
            Word(String),
        }
        let wrong = || serde::de::Error::custom("must be true or false");
        match Written::deserialize(deserializer).map_err(|_| wrong())? {
            Written::Plain(flag) => Ok(Self(flag)),
            Written::Word(word) => word.parse().map(Self).map_err(|_| wrong()),
        }
    }
}

impl PartialSchema for Flag {
    fn schema() -> RefOr<Schema> {
        let word = ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(["true", "false"]));
        OneOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(Type::Boolean))
            .item(word)
            .into()
    }
}

impl ToSchema for Flag {}

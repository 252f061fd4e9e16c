//! Integer numbers of bodies and queries: in JSON or as text, however large. What bounds them is the route's.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

/// A whole number; what no 64 bits hold counts as the nearest that they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer(pub i64);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

/// How a field that may be absent stands in the document. It names no format: one of 64 bits would refuse what is taken.
pub fn documented(what: &str) -> RefOr<Schema> {
    let types = SchemaType::from_iter([Type::Integer, Type::Null]);
    ObjectBuilder::new()
        .schema_type(types)
        .description(Some(what))
        .into()
}

struct Any;

impl Visitor<'_> for Any {
    type Value = Integer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Integer, E> {
        Ok(Integer(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Integer, E> {
        Ok(Integer(number))
    }

    /// JSON has one kind of number: what is too large for the others, or is written with a point, comes as this.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Integer, E> {
        if number.fract() != 0.0 {
            return Err(E::invalid_value(Unexpected::Float(number), &self));
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a whole number; beyond its range a cast gives the nearest"
        )]
        Ok(Integer(number as i64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Integer, E> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|sign| sign.is_ascii_digit()) {
            return Err(E::invalid_value(Unexpected::Str(text), &self));
        }
        // Digits alone fail to be read only where there are too many.
        let beyond = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        Ok(Integer(text.parse().unwrap_or(beyond)))
    }
}

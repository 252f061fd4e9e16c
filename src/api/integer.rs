//! Integers in bodies and queries: as a JSON number or as text, of any size. Routes set their own bounds.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

/// An integer; values outside of 64 bits count as the nearest bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer(pub i64);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

/// The schema of an optional integer. It has no format: `int64` would forbid values that are accepted.
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

    /// JSON has one kind of number: large values and values with a decimal point arrive here.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Integer, E> {
        if number.fract() != 0.0 {
            return Err(E::invalid_value(Unexpected::Float(number), &self));
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an integral value; a cast saturates at the bounds"
        )]
        Ok(Integer(number as i64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Integer, E> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|sign| sign.is_ascii_digit()) {
            return Err(E::invalid_value(Unexpected::Str(text), &self));
        }
        // Parsing digits fails only if there are too many.
        let beyond = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        Ok(Integer(text.parse().unwrap_or(beyond)))
    }
}

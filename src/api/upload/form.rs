//! The fields of a body for serde, from JSON or from the text parts of a form. A text is parsed as a number, a list or
//! an object only if the route's type needs one.

use std::collections::BTreeMap;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Value};

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    Json(Value),
    /// Text parts of a form with this name.
    Texts(Vec<String>),
    Members(BTreeMap<String, Field>),
}

impl Field {
    /// Adds a member to an object. Fails if this is not an object or has the member with another value.
    pub(super) fn put(&mut self, member: &str, field: Field) -> Result<(), ()> {
        if let Self::Json(Value::Object(members)) = self {
            let members = std::mem::take(members).into_iter();
            *self = Self::Members(members.map(|(name, value)| (name, Self::Json(value))).collect());
        }
        match self {
            Self::Members(members) => match members.get_mut(member) {
                Some(known) => known.join(field),
                None => {
                    members.insert(member.to_owned(), field);
                    Ok(())
                }
            },
            _ => Err(()),
        }
    }

    /// Merges a repeated field: texts and members are added; any other value has to be equal.
    pub(super) fn join(&mut self, other: Field) -> Result<(), ()> {
        match (&mut *self, other) {
            (Self::Texts(texts), Self::Texts(more)) => {
                texts.extend(more);
                Ok(())
            }
            (Self::Members(_), Self::Json(Value::Object(members))) => members
                .into_iter()
                .try_for_each(|(name, value)| self.put(&name, Self::Json(value))),
            (known, other) if *known == other => Ok(()),
            _ => Err(()),
        }
    }
}

/// All fields of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields(pub BTreeMap<String, Field>);

impl<'de> Deserializer<'de> for Fields {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(MapDeserializer::new(self.0.into_iter()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Field {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A text that was sent once, or several times with the same value.
fn single(texts: Vec<String>) -> Result<String, Error> {
    let mut texts = texts.into_iter();
    let first = texts.next().unwrap_or_default();
    if texts.all(|text| text == first) {
        Ok(first)
    } else {
        Err(Error::custom("is given more than once"))
    }
}

macro_rules! scalar {
    ($($method:ident $visit:ident $wanted:literal),+ $(,)?) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                Self::Json(value) => value.$method(visitor),
                Self::Texts(texts) => {
                    let text = single(texts)?;
                    match text.trim().parse() {
                        Ok(value) => visitor.$visit(value),
                        Err(_) => Err(Error::custom(concat!("must be ", $wanted))),
                    }
                }
                Self::Members(_) => Err(Error::custom(concat!("must be ", $wanted))),
            }
        }
    )+ };
}

macro_rules! text {
    ($($method:ident),+ $(,)?) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                Self::Json(value) => value.$method(visitor),
                Self::Texts(texts) => visitor.visit_string(single(texts)?),
                Self::Members(_) => Err(Error::custom("must be a text")),
            }
        }
    )+ };
}

impl<'de> Deserializer<'de> for Field {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Json(value) => value.deserialize_any(visitor),
            Self::Texts(mut texts) if texts.len() == 1 => visitor.visit_string(texts.remove(0)),
            Self::Texts(texts) => visitor.visit_seq(SeqDeserializer::new(texts.into_iter())),
            Self::Members(members) => visitor.visit_map(MapDeserializer::new(members.into_iter())),
        }
    }

    scalar! {
        deserialize_bool visit_bool "true or false",
        deserialize_i8 visit_i8 "a whole number", deserialize_i16 visit_i16 "a whole number",
        deserialize_i32 visit_i32 "a whole number", deserialize_i64 visit_i64 "a whole number",
        deserialize_u8 visit_u8 "a whole number", deserialize_u16 visit_u16 "a whole number",
        deserialize_u32 visit_u32 "a whole number", deserialize_u64 visit_u64 "a whole number",
        deserialize_f32 visit_f32 "a number", deserialize_f64 visit_f64 "a number",
    }

    text! {
        deserialize_char, deserialize_str, deserialize_string, deserialize_bytes, deserialize_byte_buf,
        deserialize_identifier
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Json(Value::Null) => visitor.visit_none(),
            field => visitor.visit_some(field),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Json(value) => value.deserialize_seq(visitor),
            Self::Texts(texts) => match texts.as_slice() {
                [one] if one.trim_start().starts_with('[') => {
                    let each: Vec<Value> =
                        serde_json::from_str(one).map_err(|_| Error::custom("must be a list"))?;
                    Value::Array(each).deserialize_seq(visitor)
                }
                _ => {
                    let each = texts.into_iter().map(|text| Self::Texts(vec![text]));
                    visitor.visit_seq(SeqDeserializer::new(each))
                }
            },
            Self::Members(_) => Err(Error::custom("must be a list")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Json(value) => value.deserialize_map(visitor),
            Self::Texts(texts) => {
                let members: Map<String, Value> =
                    serde_json::from_str(&single(texts)?).map_err(|_| Error::custom("must be an object"))?;
                Value::Object(members).deserialize_map(visitor)
            }
            Self::Members(members) => visitor.visit_map(MapDeserializer::new(members.into_iter())),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let value = match self {
            Self::Json(value) => value,
            Self::Texts(texts) => Value::String(single(texts)?),
            Self::Members(_) => return Err(Error::custom("must be a text")),
        };
        value.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! { i128 u128 unit unit_struct ignored_any }
}

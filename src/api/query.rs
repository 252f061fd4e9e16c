//! Extracts the query of a URL as the route's own type. Unknown names are ignored, and every invalid value is named.
//! An empty value is invalid too: a filter left empty by mistake must not list everything.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::api::body::invalid_field;
use crate::api::failure::Failure;

/// The parsed query.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let mut given = Map::new();
        for (name, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            let again = given.insert(name.to_string(), Value::String(value.into_owned()));
            // There is no way to know which of the two was meant.
            if again.is_some() {
                return Err(Failure::field(&name, "repeated", "is given more than once"));
            }
        }
        serde_path_to_error::deserialize(Value::Object(given))
            .map(Self)
            .map_err(|error| {
                let path = error.path().to_string();
                invalid_field(&path, &error.into_inner().to_string())
            })
    }
}

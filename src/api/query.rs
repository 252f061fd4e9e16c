//! The query of an address as the route's own type. Unknown names are ignored, and what does not fit is named; so
//! is an empty value: a filter that was left empty by mistake must not list everything.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::api::body::misfit;
use crate::api::failure::Failure;

/// The parsed query.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let mut given = Map::new();
        for (name, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            let again = given.insert(name.to_string(), Value::String(value.into_owned()));
            // Which of the two was meant, nobody knows.
            if again.is_some() {
                return Err(Failure::field(&name, "repeated", "is given more than once"));
            }
        }
        serde_path_to_error::deserialize(Value::Object(given))
            .map(Self)
            .map_err(|error| {
                let path = error.path().to_string();
                misfit(&path, &error.into_inner().to_string())
            })
    }
}

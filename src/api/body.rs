//! A request's body as the route's own type, whichever way it was sent. Unknown fields are ignored, null
//! is absent, and what does not fit is named field by field.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::failure::Failure;
use crate::base::error::Error;
use crate::files::spool::Upload;
use crate::services::Services;

/// The parsed body, and the files that came in it.
pub struct Body<T> {
    pub fields: T,
    /// In their order; those in base64 before those of parts.
    pub files: Vec<Upload>,
}

impl<T: DeserializeOwned> FromRequest<Services> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, services: &Services) -> Result<Self, Failure> {
        let kind = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| !kind.to_ascii_lowercase().starts_with("application/json")) {
            return Err(Failure::field(
                "Content-Type",
                "unsupported",
                "must be application/json",
            ));
        }
        let bytes = Bytes::from_request(request, services)
            .await
            .map_err(|_| Failure::Of(Error::invalid("body", "could not be read")))?;
        let fields = if bytes.trim_ascii().is_empty() {
            Value::Object(Map::new())
        } else {
            serde_json::from_slice(&bytes)
                .map_err(|error| Failure::field("body", "malformed", format!("is not JSON: {error}")))?
        };
        Ok(Self {
            fields: read(fields)?,
            files: Vec::new(),
        })
    }
}

fn read<T: DeserializeOwned>(fields: Value) -> Result<T, Failure> {
    let Value::Object(mut fields) = fields else {
        return Err(Failure::field("body", "wrong_type", "must be a JSON object"));
    };
    fields.retain(|name, value| !value.is_null() || name == "contextPolicy");
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { "body" } else { &path };
        Failure::field(field, "invalid", error.into_inner().to_string())
    })
}

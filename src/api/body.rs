//! Extracts a request body, JSON or form, as the route's own type, with the files in it. Unknown fields are ignored,
//! null counts as absent, and every invalid field is named.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::api::failure::Failure;
use crate::api::upload::form::Fields;
use crate::api::upload::reader;
use crate::files::spool::Upload;
use crate::services::Services;

/// The parsed body and its files.
pub struct Body<T> {
    pub fields: T,
    /// In their order, base64 files before binary parts.
    pub files: Vec<Upload>,
}

impl<T: DeserializeOwned> FromRequest<Services> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, services: &Services) -> Result<Self, Failure> {
        let (head, body) = request.into_parts();
        let (fields, files) = reader::read(&head.headers, body, &services.spool).await?;
        Ok(Self {
            fields: typed(fields)?,
            files,
        })
    }
}

/// Deserializes the fields into the type of a route.
pub fn typed<T: DeserializeOwned>(fields: Fields) -> Result<T, Failure> {
    serde_path_to_error::deserialize(fields).map_err(|error| {
        let path = error.path().to_string();
        invalid_field(&path, &error.into_inner().to_string())
    })
}

/// Turns a message of serde into a failure, without the names of Rust types. A missing field is reported by its name.
pub(super) fn invalid_field(path: &str, message: &str) -> Failure {
    let missing = message.strip_prefix("missing field `");
    if let Some((name, _)) = missing.and_then(|rest| rest.split_once('`')) {
        let field = match path {
            "." => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        return Failure::field(&field, "missing", "is required");
    }
    let field = if path == "." { "body" } else { path };
    match message.split_once("expected struct ") {
        Some((found, _)) => Failure::field(field, "invalid", format!("{found}expected an object")),
        None => Failure::field(field, "invalid", message),
    }
}

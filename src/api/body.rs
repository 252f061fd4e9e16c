//! A request's body as the route's own type, whichever way it was sent, with the files that came in it.
//! Unknown fields are ignored, null is absent, and what does not fit is named field by field.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::api::failure::Failure;
use crate::api::upload::form::Fields;
use crate::api::upload::reader;
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
        let (head, body) = request.into_parts();
        let (fields, files) = reader::read(&head.headers, body, &services.spool).await?;
        Ok(Self {
            fields: typed(fields)?,
            files,
        })
    }
}

/// The fields as the type that a route wants.
pub fn typed<T: DeserializeOwned>(fields: Fields) -> Result<T, Failure> {
    serde_path_to_error::deserialize(fields).map_err(|error| {
        let path = error.path().to_string();
        misfit(&path, &error.into_inner().to_string())
    })
}

/// What serde says of a field, without the names of our types; what is missing under its own name.
pub(super) fn misfit(path: &str, said: &str) -> Failure {
    let lacking = said.strip_prefix("missing field `");
    if let Some((name, _)) = lacking.and_then(|rest| rest.split_once('`')) {
        let field = match path {
            "." => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        return Failure::field(&field, "missing", "is required");
    }
    let field = if path == "." { "body" } else { path };
    match said.split_once("expected struct ") {
        Some((found, _)) => Failure::field(field, "invalid", format!("{found}expected an object")),
        None => Failure::field(field, "invalid", said),
    }
}

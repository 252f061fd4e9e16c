//! The failures of the API: errors of services and the API's own refusals, each a problem with a stable code. Does not
//! depend on routes.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::base::error::Error;
use crate::edge::problem::{self, FieldError};

/// A refusal of the API itself, or an error of a service.
#[derive(Debug)]
pub enum Failure {
    /// No header has a key.
    KeyMissing,
    /// The key is unknown, mistyped, revoked or expired, or its owner has left. All get the same response.
    KeyInvalid,
    /// A key in the URL, which logs and browser histories keep.
    KeyInQuery,
    /// Invalid fields.
    Fields(Vec<FieldError>),
    /// `contextPolicy` has a value other than `organisation-safe`.
    ContextPolicy,
    /// The body has an unsupported type or encoding. Names the header and the accepted values.
    MediaType(FieldError),
    /// The content of a file is not base64.
    Base64(FieldError),
    /// A file is too large.
    FileTooLarge(FieldError),
    Of(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Of(error)
    }
}

impl Failure {
    pub fn field(field: &str, code: &'static str, detail: impl Into<String>) -> Self {
        Self::Fields(vec![FieldError {
            field: field.to_owned(),
            code,
            detail: detail.into(),
        }])
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let unauthorized = |code, detail| {
            let mut response = problem::problem(StatusCode::UNAUTHORIZED, code, detail);
            let scheme = axum::http::HeaderValue::from_static("Bearer realm=\"api\"");
            response
                .headers_mut()
                .insert(axum::http::header::WWW_AUTHENTICATE, scheme);
            response
        };
        match self {
            Self::KeyMissing => unauthorized(
                "api_key_missing",
                "This route needs a project key, in the header X-Api-Key or as a Bearer credential in Authorization.",
            ),
            Self::KeyInvalid | Self::Of(Error::Unauthenticated) => unauthorized(
                "api_key_invalid",
                "The project key is not valid: it is unknown, revoked or expired, or its owner is no active member.",
            ),
            Self::KeyInQuery => unauthorized(
                "api_key_in_query",
                "Keys are not taken from the address, where logs keep them. Send the key in a header, and rotate it.",
            ),
            Self::Fields(errors) => problem::fields(&errors),
            Self::ContextPolicy => problem::problem(
                StatusCode::BAD_REQUEST,
                "invalid_context_policy",
                "contextPolicy takes only organisation-safe; leave it out for a private run.",
            ),
            Self::MediaType(error) => problem::of_field(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                error,
            ),
            Self::Base64(error) => problem::of_field(StatusCode::BAD_REQUEST, "invalid_base64", error),
            Self::FileTooLarge(error) => {
                problem::of_field(StatusCode::PAYLOAD_TOO_LARGE, "file_too_large", error)
            }
            Self::Of(error) => problem::of(&error, None),
        }
    }
}

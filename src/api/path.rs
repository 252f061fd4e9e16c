//! Ids in paths.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

/// The id in a path as it was written. What is no id at all, also no text, is absent, like what exists nowhere.
pub struct PathId(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let written = Path::<String>::from_request_parts(parts, state).await;
        Ok(written.map_or_else(|_| Self(String::new()), |Path(id)| Self(id)))
    }
}

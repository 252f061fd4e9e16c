//! Extracts the id in a path.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

/// The id in a path, unparsed. Handlers report an invalid id, or one that is not UTF-8, as not found.
pub struct PathId(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let written = Path::<String>::from_request_parts(parts, state).await;
        Ok(written.map_or_else(|_| Self(String::new()), |Path(id)| Self(id)))
    }
}

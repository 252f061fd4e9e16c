//! Reads the body of a request whose sender is not known yet: within a size, within a time, and only so many at
//! once. Together the three bound what senders that stall can hold. Does not depend on what the body contains.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt as _;
use tokio::sync::Semaphore;

use crate::base::error::Error;
use crate::edge::problem::{self, problem};

/// Reads bodies within its bounds. Clones share the bound on how many arrive at once.
#[derive(Clone, Debug)]
pub struct BodyReader {
    max_bytes: usize,
    timeout: Duration,
    permits: Arc<Semaphore>,
}

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    TooLarge {
        max_bytes: usize,
    },
    TimedOut {
        timeout: Duration,
    },
    /// Too many bodies are arriving.
    Busy,
    /// The connection broke.
    Unreadable,
}

impl BodyReader {
    /// Reads bodies of at most `max_bytes`, each within `timeout`, at most `concurrency` at a time.
    pub fn new(max_bytes: usize, timeout: Duration, concurrency: usize) -> Self {
        Self {
            max_bytes,
            timeout,
            permits: Arc::new(Semaphore::new(concurrency)),
        }
    }

    pub async fn read(&self, headers: &HeaderMap, body: Body) -> Result<Bytes, BodyError> {
        let max_bytes = self.max_bytes;
        let announced = headers.get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length > max_bytes as u64) {
            return Err(BodyError::TooLarge { max_bytes });
        }
        let _permit = self.permits.try_acquire().map_err(|_| BodyError::Busy)?;
        let reading = async {
            let (mut received, mut chunks) = (Vec::new(), body.into_data_stream());
            while let Some(chunk) = chunks.next().await {
                let chunk = chunk.map_err(|_| BodyError::Unreadable)?;
                if received.len() + chunk.len() > max_bytes {
                    return Err(BodyError::TooLarge { max_bytes });
                }
                received.extend_from_slice(&chunk);
            }
            Ok(Bytes::from(received))
        };
        let read = tokio::time::timeout(self.timeout, reading).await;
        read.unwrap_or(Err(BodyError::TimedOut {
            timeout: self.timeout,
        }))
    }
}

impl BodyError {
    pub fn into_response(self, request_id: Option<&str>) -> Response {
        match self {
            Self::TooLarge { max_bytes } => problem(
                StatusCode::PAYLOAD_TOO_LARGE,
                "body_too_large",
                &format!("The body is larger than {} MiB.", max_bytes >> 20),
            ),
            Self::TimedOut { timeout } => {
                let mut response = problem(
                    StatusCode::REQUEST_TIMEOUT,
                    "request_timeout",
                    &format!("The body did not arrive within {} seconds.", timeout.as_secs()),
                );
                // The rest of the request may still arrive on this connection.
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
                response
            }
            Self::Busy => problem::of(&Error::busy("too many bodies are arriving at a time"), request_id),
            Self::Unreadable => problem(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "The body could not be read.",
            ),
        }
    }
}

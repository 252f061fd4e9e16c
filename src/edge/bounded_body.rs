//! Reads the body of a request whose sender is not known yet: within a size, within a time, and only so many and so
//! many bytes at once, in total and for each receiver. When too many arrive, the one that has been arriving longest
//! gives way: senders that stall keep out neither each other nor the rest. Does not depend on what the body contains.

use std::hash::Hash;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt as _;

use crate::edge::problem::problem;
use crate::edge::slots::Slots;

/// Reads bodies for receivers `K` within its bounds. Clones share the slots.
#[derive(Debug)]
pub struct BodyReader<K> {
    max_bytes: usize,
    timeout: Duration,
    slots: Slots<K>,
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

impl<K> Clone for BodyReader<K> {
    fn clone(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            ..*self
        }
    }
}

impl<K: Copy + Eq + Hash> BodyReader<K> {
    /// Reads bodies of at most `max_bytes`, each within `timeout`, in these slots.
    pub const fn new(max_bytes: usize, timeout: Duration, slots: Slots<K>) -> Self {
        Self {
            max_bytes,
            timeout,
            slots,
        }
    }

    pub async fn read(&self, receiver: K, headers: &HeaderMap, body: Body) -> Result<Bytes, BodyError> {
        let max_bytes = self.max_bytes;
        let announced = headers.get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length > max_bytes as u64) {
            return Err(BodyError::TooLarge { max_bytes });
        }
        let slot = self.slots.take(Some(receiver)).ok_or(BodyError::Busy)?;
        let reading = async {
            let (mut received, mut chunks) = (Vec::new(), body.into_data_stream());
            while let Some(chunk) = chunks.next().await {
                let chunk = chunk.map_err(|_| BodyError::Unreadable)?;
                if received.len() + chunk.len() > max_bytes {
                    return Err(BodyError::TooLarge { max_bytes });
                }
                received.extend_from_slice(&chunk);
                slot.hold(received.capacity());
            }
            Ok(Bytes::from(received))
        };
        tokio::select! {
            read = tokio::time::timeout(self.timeout, reading) => read.unwrap_or(Err(BodyError::TimedOut {
                timeout: self.timeout,
            })),
            () = slot.lost() => Err(BodyError::Busy),
        }
    }
}

impl BodyError {
    pub fn into_response(self) -> Response {
        match self {
            Self::TooLarge { max_bytes } => problem(
                StatusCode::PAYLOAD_TOO_LARGE,
                "body_too_large",
                &format!("The body is larger than {} MiB.", max_bytes >> 20),
            ),
            Self::TimedOut { timeout } => {
                let detail = format!("The body did not arrive within {} seconds.", timeout.as_secs());
                closing(problem(StatusCode::REQUEST_TIMEOUT, "request_timeout", &detail))
            }
            // Anyone can cause it, so it is no error in the log.
            Self::Busy => {
                let detail = "Too many bodies are arriving at a time. Send it again.";
                let mut response = problem(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail);
                let headers = response.headers_mut();
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
                closing(response)
            }
            Self::Unreadable => problem(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "The body could not be read.",
            ),
        }
    }
}

/// The rest of the request may still arrive on this connection.
fn closing(mut response: Response) -> Response {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

//! The transport of language models: requests go through the address guard, follow no redirects, end after a silence,
//! and answers are read only up to a number of bytes. Does not depend on a provider or its wire form.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response};

use crate::base::error::{Error, Result};
use crate::net::client::{checked, guarded};
use crate::net::guard::Guard;

/// Timeout for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Most bytes of one answer of a model, whole or streamed. A long answer has some ten thousand bytes.
const MOST_BYTES: usize = 8 << 20;

/// Sends requests to models. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ModelTransport {
    client: Client,
    guard: Guard,
}

/// Why there is no answer, or not to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cut {
    #[error("calls to the model's address are not allowed")]
    Address,
    #[error("the answer is larger than {MOST_BYTES} bytes")]
    TooLarge,
    #[error("the connection was refused or could not be made")]
    Connect,
    #[error("nothing was received for too long")]
    Silence,
    #[error("the connection ended before the answer")]
    Ended,
}

/// An answer whose body is still to be read.
#[derive(Debug)]
pub struct ModelResponse {
    pub status: u16,
    /// From the `Retry-After` header, in seconds.
    pub retry_after: Option<Duration>,
    /// Whether the body is a stream of events.
    pub is_stream: bool,
    response: Response,
    read: usize,
}

impl ModelTransport {
    /// A transport that gives a call up after `silence` without a byte.
    pub fn new(guard: Guard, silence: Duration) -> Result<Self> {
        // No total timeout, because a model may write for minutes.
        let client = guarded(guard)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(silence)
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, guard })
    }

    /// Posts JSON and returns the answer as soon as its headers are there.
    pub async fn post(&self, url: &str, headers: HeaderMap, body: Vec<u8>) -> Result<ModelResponse, Cut> {
        let url = checked(url, self.guard).map_err(|_| Cut::Address)?;
        let request = self.client.post(url).headers(headers).body(body);
        let response = request.send().await.map_err(reason)?;
        let header = |name: HeaderName| response.headers().get(name)?.to_str().ok().map(str::trim);
        Ok(ModelResponse {
            status: response.status().as_u16(),
            retry_after: header(RETRY_AFTER)
                .and_then(|text| text.parse().ok())
                .map(Duration::from_secs),
            is_stream: header(CONTENT_TYPE).is_some_and(|kind| kind.starts_with("text/event-stream")),
            response,
            read: 0,
        })
    }
}

impl ModelResponse {
    /// The next piece of the body; none at its end.
    pub async fn chunk(&mut self) -> Result<Option<bytes::Bytes>, Cut> {
        let Some(chunk) = self.response.chunk().await.map_err(reason)? else {
            return Ok(None);
        };
        self.read += chunk.len();
        if self.read > MOST_BYTES {
            return Err(Cut::TooLarge);
        }
        Ok(Some(chunk))
    }

    /// The rest of the body.
    pub async fn whole(mut self) -> Result<Vec<u8>, Cut> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

/// A header with a secret value, which is not shown in logs. None if the value has characters that no header has.
pub fn secret_header(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Without the address and without what the provider wrote.
#[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
fn reason(error: reqwest::Error) -> Cut {
    if error.is_connect() {
        Cut::Connect
    } else if error.is_timeout() {
        Cut::Silence
    } else {
        Cut::Ended
    }
}

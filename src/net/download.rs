//! One GET request whose body is read only up to a limit. Redirects are returned, not followed, so that the
//! caller can check the target. Does not depend on a chat platform.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{RequestBuilder, StatusCode};

use crate::net::client::{NoReply, no_reply};

/// The response.
#[derive(Debug)]
pub struct Download {
    pub status: StatusCode,
    pub retry_after: Option<Duration>,
    pub location: Option<String>,
    pub content_type: Option<String>,
    /// The body, cut off one byte after the limit.
    pub body: Vec<u8>,
}

/// Sends the request and reads at most `max + 1` bytes; a body longer than `max` is too large.
pub async fn download(request: RequestBuilder, max: u64) -> Result<Download, NoReply> {
    let mut response = request.send().await.map_err(no_reply)?;
    let header = |name: HeaderName| {
        let value = response.headers().get(name)?;
        value.to_str().ok().map(|text| text.trim().to_owned())
    };
    let (location, content_type) = (header(LOCATION), header(CONTENT_TYPE));
    let retry_after = header(RETRY_AFTER).and_then(|text| text.parse().ok().map(Duration::from_secs));
    let status = response.status();
    let enough = usize::try_from(max.saturating_add(1)).unwrap_or(usize::MAX);
    let mut body = Vec::new();
    while body.len() < enough {
        let chunk = response.chunk().await;
        let Some(chunk) = chunk.map_err(no_reply)? else {
            break;
        };
        let wanted = chunk.len().min(enough - body.len());
        body.extend_from_slice(chunk.get(..wanted).unwrap_or_default());
    }
    Ok(Download {
        status,
        retry_after,
        location,
        content_type,
        body,
    })
}

//! One GET whose body is taken only as far as it is wanted. Follows no redirect: whoever asks decides
//! where to go next. Knows no platform.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{RequestBuilder, StatusCode};

use crate::net::client::{NoReply, no_reply};

/// What arrived.
#[derive(Debug)]
pub struct Download {
    pub status: StatusCode,
    pub retry_after: Option<Duration>,
    pub location: Option<String>,
    pub content_type: Option<String>,
    /// At most what was asked for, and one byte more where there is more.
    pub body: Vec<u8>,
}

/// Sends, and reads at most `most` bytes and one more, by which the caller sees that it is too much.
pub async fn download(request: RequestBuilder, most: u64) -> Result<Download, NoReply> {
    let mut response = request.send().await.map_err(no_reply)?;
    let header = |name: HeaderName| {
        let value = response.headers().get(name)?;
        value.to_str().ok().map(|text| text.trim().to_owned())
    };
    let (location, content_type) = (header(LOCATION), header(CONTENT_TYPE));
    let retry_after = header(RETRY_AFTER).and_then(|text| text.parse().ok().map(Duration::from_secs));
    let status = response.status();
    let enough = usize::try_from(most.saturating_add(1)).unwrap_or(usize::MAX);
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

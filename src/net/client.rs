//! The outbound HTTP client for addresses that come from outside. It follows no redirects, connects only to
//! addresses that the guard allows, and limits time and size. [`retry_read`] retries reads; writes are never retried.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, StatusCode, Url};

use crate::base::error::{Error, Result};
use crate::net::guard::{Guard, GuardedResolver};

/// Timeout for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for the complete response.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(30);

/// The HTTP client. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    client: Client,
    guard: Guard,
}

/// Status, headers and body of a response.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    /// From the `Retry-After` header, in seconds.
    pub retry_after: Option<Duration>,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Why there is no response. The cases differ in whether the request may have had an effect.
#[derive(Debug, thiserror::Error)]
pub enum NoReply {
    /// The request was not sent, so it had no effect.
    #[error("could not be sent: {0}")]
    NotSent(String),
    /// The request may have arrived and taken effect.
    #[error("no reply: {0}")]
    Unknown(String),
    /// The request may have arrived and may still take effect later.
    #[error("no reply in time: {0}")]
    TimedOut(String),
}

impl Outbound {
    pub fn new(guard: Guard) -> Result<Self> {
        let client = guarded(guard)
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TOTAL_TIMEOUT)
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, guard })
    }

    /// Starts a POST request. Fails if the URL is not allowed: it must be https, or http to an allowed
    /// loopback address.
    pub fn post(&self, url: &str) -> Result<RequestBuilder, NoReply> {
        Ok(self.client.post(checked(url, self.guard)?))
    }

    pub fn get(&self, url: &str) -> Result<RequestBuilder, NoReply> {
        Ok(self.client.get(checked(url, self.guard)?))
    }
}

/// A client that connects only to addresses the guard allows. The caller sets the timeouts.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that builds a guarded HTTP client"
)]
pub(super) fn guarded(guard: Guard) -> ClientBuilder {
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .dns_resolver(Arc::new(GuardedResolver(guard)))
        .no_proxy()
        .user_agent(concat!("corbel/", env!("CARGO_PKG_VERSION")))
}

/// Checks the scheme and literal IP addresses, which do not go through the resolver.
pub(super) fn checked(url: &str, guard: Guard) -> Result<Url, NoReply> {
    let url = Url::parse(url).map_err(|error| NoReply::NotSent(format!("not a valid URL: {error}")))?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let literal = host.parse::<IpAddr>().ok();
    let loopback = literal.is_some_and(|ip| ip.is_loopback()) || host == "localhost";
    let scheme_fits = url.scheme() == "https" || (url.scheme() == "http" && loopback && guard.allow_loopback);
    if !scheme_fits || literal.is_some_and(|ip| !guard.allows(ip)) {
        return Err(NoReply::NotSent(
            "calls to this address are not allowed".to_owned(),
        ));
    }
    Ok(url)
}

/// Sends the request and reads the response; fails if the body is larger than `max` bytes.
pub async fn send(request: RequestBuilder, max: usize) -> Result<Reply, NoReply> {
    let response = request.send().await.map_err(no_reply)?;
    read(response, max).await
}

pub(super) fn no_reply(error: reqwest::Error) -> NoReply {
    let (not_sent, timed_out) = (error.is_connect() || error.is_builder(), error.is_timeout());
    // Without the URL, because it may contain a token.
    let text = describe(error.without_url());
    match (not_sent, timed_out) {
        (true, _) => NoReply::NotSent(text),
        (false, true) => NoReply::TimedOut(text),
        (false, false) => NoReply::Unknown(text),
    }
}

async fn read(mut response: Response, max: usize) -> Result<Reply, NoReply> {
    let status = response.status();
    let retry_after = response
        .headers()
        .get("retry-after")
        .and_then(|value| value.to_str().ok()?.trim().parse().ok())
        .map(Duration::from_secs);
    let headers = response.headers().clone();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(no_reply)? {
        if body.len() + chunk.len() > max {
            return Err(NoReply::Unknown(format!(
                "the response is larger than {max} bytes"
            )));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Reply {
        status,
        retry_after,
        headers,
        body,
    })
}

fn describe(error: reqwest::Error) -> String {
    Error::upstream(error).chain()
}

/// Retries a read while `is_away` says that the other side is unavailable: three attempts, with pauses
/// of 200 ms and 800 ms.
pub async fn retry_read<T, E, F, Fut>(mut read: F, is_away: impl Fn(&E) -> bool) -> Result<T, E>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, E>>,
{
    let mut wait = Duration::from_millis(200);
    for _ in 0..2 {
        match read().await {
            Err(error) if is_away(&error) => tokio::time::sleep(wait).await,
            outcome => return outcome,
        }
        wait *= 4;
    }
    read().await
}

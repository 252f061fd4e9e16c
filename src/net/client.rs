//! The one outbound HTTP client. It follows no redirect, dials only what the guard allows, and
//! bounds time and size. Reads may be retried by [`retry_read`]; writes never are.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};

use crate::base::error::{Error, Result};
use crate::net::guard::{Guard, GuardedResolver};

/// Longest wait for a connection, and for a whole answer.
const CONNECT: Duration = Duration::from_secs(5);
const WHOLE: Duration = Duration::from_secs(30);

/// Calls the outside world. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    client: Client,
    guard: Guard,
}

/// Status and body of an answer.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    /// Seconds, from `Retry-After`.
    pub retry_after: Option<Duration>,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoReply {
    /// The request never left: nothing happened at the other side.
    #[error("could not be sent: {0}")]
    NotSent(String),
    /// It may have arrived and had its effect.
    #[error("no reply: {0}")]
    Unknown(String),
    /// It may have arrived, and may have its effect only later.
    #[error("no reply in time: {0}")]
    TimedOut(String),
}

impl Outbound {
    pub fn new(guard: Guard) -> Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that builds an HTTP client"
        )]
        let client = Client::builder()
            .connect_timeout(CONNECT)
            .timeout(WHOLE)
            .redirect(reqwest::redirect::Policy::none())
            .dns_resolver(Arc::new(GuardedResolver(guard)))
            .no_proxy()
            .user_agent(concat!("corbel/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, guard })
    }

    /// A POST to `url`, or why this address may not be called. https, or http to loopback.
    pub fn post(&self, url: &str) -> Result<RequestBuilder, NoReply> {
        Ok(self.client.post(self.checked(url)?))
    }

    pub fn get(&self, url: &str) -> Result<RequestBuilder, NoReply> {
        Ok(self.client.get(self.checked(url)?))
    }

    /// Literal addresses do not pass the resolver, so they are checked here.
    fn checked(&self, url: &str) -> Result<Url, NoReply> {
        let url = Url::parse(url).map_err(|error| NoReply::NotSent(format!("not an address: {error}")))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let literal = host.parse::<IpAddr>().ok();
        let loopback = literal.is_some_and(|ip| ip.is_loopback()) || host == "localhost";
        let scheme_fits =
            url.scheme() == "https" || (url.scheme() == "http" && loopback && self.guard.allow_loopback);
        if !scheme_fits || literal.is_some_and(|ip| !self.guard.allows(ip)) {
            return Err(NoReply::NotSent("this address may not be called".to_owned()));
        }
        Ok(url)
    }
}

/// Sends and reads at most `most` bytes.
pub async fn send(request: RequestBuilder, most: usize) -> Result<Reply, NoReply> {
    let response = request.send().await.map_err(no_reply)?;
    read(response, most).await
}

pub(super) fn no_reply(error: reqwest::Error) -> NoReply {
    let (never, too_long) = (error.is_connect() || error.is_builder(), error.is_timeout());
    // `without_url`: an address may bear a token.
    let text = describe(error.without_url());
    match (never, too_long) {
        (true, _) => NoReply::NotSent(text),
        (false, true) => NoReply::TimedOut(text),
        (false, false) => NoReply::Unknown(text),
    }
}

async fn read(mut response: Response, most: usize) -> Result<Reply, NoReply> {
    let status = response.status();
    let retry_after = response
        .headers()
        .get("retry-after")
        .and_then(|value| value.to_str().ok()?.trim().parse().ok())
        .map(Duration::from_secs);
    let headers = response.headers().clone();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(no_reply)? {
        if body.len() + chunk.len() > most {
            return Err(NoReply::Unknown(format!(
                "the answer is larger than {most} bytes"
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

/// Repeats a read that found the other side away: three tries, 200 ms and 800 ms apart.
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

//! HTTP client for services that the operator configures, such as a trace collector. They may be in a
//! private network, so the address guard of `net::guard` does not apply.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, Url};

use crate::base::error::{Error, Result};
use crate::net::client::{NoReply, Reply, send};

/// Timeout for the complete response.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(10);
/// Largest response body that is read.
const MAX_BODY: usize = 64 * 1024;

/// A client for one configured URL. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OperatorClient {
    client: Client,
    url: Url,
}

impl OperatorClient {
    pub fn new(url: Url) -> Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "addresses configured by the operator are not guarded"
        )]
        let client = Client::builder()
            .timeout(TOTAL_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .user_agent(concat!("corbel/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, url })
    }

    pub async fn post(&self, headers: HeaderMap, body: Vec<u8>) -> Result<Reply, NoReply> {
        let request = self.client.post(self.url.clone()).headers(headers).body(body);
        send(request, MAX_BODY).await
    }
}

//! Calls to services that the operator names in the settings, such as a collector of traces. They may
//! well stand in a private network, so the guard of addresses from outside does not apply.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, Url};

use crate::base::error::{Error, Result};
use crate::net::client::{NoReply, Reply, send};

/// Longest wait for a whole answer.
const WHOLE: Duration = Duration::from_secs(10);
/// Largest answer that is read.
const ANSWER: usize = 64 * 1024;

/// One service that a setting names. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OperatorClient {
    client: Client,
    url: Url,
}

impl OperatorClient {
    pub fn new(url: Url) -> Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "the other place that builds an HTTP client: for the operator's own addresses"
        )]
        let client = Client::builder()
            .timeout(WHOLE)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .user_agent(concat!("corbel/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, url })
    }

    pub async fn post(&self, headers: HeaderMap, body: Vec<u8>) -> Result<Reply, NoReply> {
        let request = self.client.post(self.url.clone()).headers(headers).body(body);
        send(request, ANSWER).await
    }
}

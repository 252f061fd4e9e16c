//! The transport of the language-model client library: its requests go through the address guard, follow no redirects,
//! end after a silence, and are read only up to a number of bytes. Does not depend on a provider or its wire form.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use reqwest::{Client, Response};
use rig_core::http_client::{
    BoxedStream, Error as RigError, HttpClientExt, LazyBody, MultipartForm, Request, Response as RigResponse,
    StreamingResponse,
};

use crate::base::error::{Error, Result};
use crate::net::client::checked;
use crate::net::guard::{Guard, GuardedResolver};

/// Timeout for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Most bytes of one answer of a model, whole or streamed. A long answer has some ten thousand bytes.
const MOST_BYTES: usize = 8 << 20;
/// Most bytes between two ends of events in a stream.
const MOST_EVENT: usize = 1 << 20;
/// Most bytes of the text that comes with an error status.
const MOST_ERROR: usize = 16 << 10;

/// Sends the requests of the client library. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ModelTransport {
    client: Client,
    guard: Guard,
}

/// Why an answer was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cut {
    #[error("the model's address is not allowed")]
    Address,
    #[error("the answer is larger than {MOST_BYTES} bytes")]
    TooLarge,
    #[error("the connection was refused or could not be made")]
    Connect,
    #[error("nothing was received for too long")]
    Silence,
    #[error("the connection ended before the answer")]
    Ended,
    #[error("the client library sends no forms to a model")]
    Form,
}

impl ModelTransport {
    /// A transport that gives a call up after `silence` without a byte.
    pub fn new(guard: Guard, silence: Duration) -> Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "guarded; without a total timeout, because a model may write for minutes"
        )]
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(silence)
            .redirect(reqwest::redirect::Policy::none())
            .dns_resolver(Arc::new(GuardedResolver(guard)))
            .no_proxy()
            .user_agent(concat!("corbel/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, guard })
    }

    async fn sent(self, request: Request<Bytes>) -> Result<Response, RigError> {
        let (parts, body) = request.into_parts();
        let url =
            checked(&parts.uri.to_string(), self.guard).map_err(|_| RigError::instance(Cut::Address))?;
        let request = self.client.request(parts.method, url).headers(parts.headers);
        let response = request.body(body).send().await.map_err(cut)?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let headers = response.headers().clone();
        let body = read(response, MOST_ERROR).await.unwrap_or_default();
        let body = String::from_utf8_lossy(&body).into_owned();
        Err(RigError::non_success_with_details(status, headers, body))
    }
}

impl HttpClientExt for ModelTransport {
    fn send<T, U>(
        &self,
        request: Request<T>,
    ) -> impl Future<Output = Result<RigResponse<LazyBody<U>>, RigError>> + Send + 'static
    where
        T: Into<Bytes> + Send,
        U: From<Bytes> + Send + 'static,
    {
        let sending = self.clone().sent(request.map(Into::into));
        async move {
            let response = sending.await?;
            let empty = parts_of(&response);
            let body: LazyBody<U> = Box::pin(async move {
                let body = read(response, MOST_BYTES).await.map_err(RigError::instance)?;
                Ok(U::from(Bytes::from(body)))
            });
            Ok(empty.map(|()| body))
        }
    }

    fn send_multipart<U>(
        &self,
        _: Request<MultipartForm>,
    ) -> impl Future<Output = Result<RigResponse<LazyBody<U>>, RigError>> + Send + 'static
    where
        U: From<Bytes> + Send + 'static,
    {
        std::future::ready(Err(RigError::instance(Cut::Form)))
    }

    async fn send_streaming<T>(&self, request: Request<T>) -> Result<StreamingResponse, RigError>
    where
        T: Into<Bytes> + Send,
    {
        let response = self.clone().sent(request.map(Into::into)).await?;
        let empty = parts_of(&response);
        let mut bound = Bound::default();
        let chunks = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(cut)?;
            bound.take(&chunk).map_err(RigError::instance)?;
            Ok(chunk)
        });
        let stream: BoxedStream = Box::pin(chunks);
        Ok(empty.map(|()| stream))
    }
}

/// How much of a stream was read.
#[derive(Debug, Default)]
struct Bound {
    all: usize,
    /// Since the last end of a line.
    line: usize,
}

impl Bound {
    fn take(&mut self, chunk: &[u8]) -> Result<(), Cut> {
        self.all += chunk.len();
        self.line = match chunk.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => chunk.len() - end,
            None => self.line + chunk.len(),
        };
        if self.all > MOST_BYTES || self.line > MOST_EVENT {
            return Err(Cut::TooLarge);
        }
        Ok(())
    }
}

fn parts_of(response: &Response) -> RigResponse<()> {
    let mut empty = RigResponse::new(());
    *empty.status_mut() = response.status();
    *empty.headers_mut() = response.headers().clone();
    empty
}

async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, Cut> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(reason)? {
        if body.len() + chunk.len() > most {
            return Err(Cut::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The error of the client library, without the address and without what the provider wrote.
fn cut(error: reqwest::Error) -> RigError {
    RigError::instance(reason(error))
}

fn reason(error: reqwest::Error) -> Cut {
    if error.is_connect() {
        Cut::Connect
    } else if error.is_timeout() {
        Cut::Silence
    } else {
        Cut::Ended
    }
}

//! A scripted language model on loopback, for both wire forms: OpenAI's chat completions and Anthropic's messages,
//! whole and streamed. It refuses what the true servers refuse, keeps what it receives, and fails on order.
//!
//! Replies come from the queue (`push`), then from the responder (`respond`). `violations` has each refused request.

mod anthropic;
mod anthropic_rules;
mod anthropic_tools;
mod openai;
mod openai_parameters;
mod openai_rules;
mod reply;
mod schema;
mod transport;

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;

use self::reply::Failure;
pub use self::reply::{Quirk, Reply};
use self::transport::Open;

/// The longest request body.
const LONGEST: usize = 8 << 20;

type Responder = Arc<dyn Fn(&Value, usize) -> Reply + Send + Sync>;

/// A request as it was received. A body that is no JSON is `null`.
#[derive(Clone, Debug)]
pub struct Received {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

/// A running server. Clones share its state; it stops with the test's runtime.
#[derive(Clone)]
pub struct ModelServer {
    shared: Arc<Shared>,
}

struct Shared {
    base: String,
    key: String,
    /// Where redirects lead.
    redirect_target: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Reply>,
    responder: Option<Responder>,
    received: Vec<Received>,
    followed: Vec<Received>,
    violations: Vec<String>,
    open: usize,
    most_open: usize,
    sent: u64,
}

/// A failed assertion in one test thread must not poison the state.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ModelServer {
    pub async fn start() -> Self {
        let (listener, base) = listen().await;
        let (other, redirect_target) = listen().await;
        let port = base.rsplit(':').next().unwrap_or_default();
        let shared = Arc::new(Shared {
            key: format!("sk-scripted-{port}-0123456789abcdef"),
            base,
            redirect_target: format!("{redirect_target}/redirect_target"),
            state: Mutex::default(),
        });
        tokio::spawn(serve(listener, Arc::clone(&shared), false));
        tokio::spawn(serve(other, Arc::clone(&shared), true));
        Self { shared }
    }

    /// The base with its version; the wire forms' paths are appended to it.
    pub fn url(&self) -> String {
        format!("{}/v1", self.shared.base)
    }

    /// The one key that is accepted.
    pub fn key(&self) -> &str {
        &self.shared.key
    }

    /// The next reply, after those that were pushed before.
    pub fn push(&self, reply: Reply) {
        self.state().queue.push_back(reply);
    }

    /// Answers when the queue is empty, by the request's body and the number of the call, from 1.
    pub fn respond(&self, responder: impl Fn(&Value, usize) -> Reply + Send + Sync + 'static) {
        self.state().responder = Some(Arc::new(responder));
    }

    /// Every request that was received, in order, also those that were refused.
    pub fn requests(&self) -> Vec<Received> {
        self.state().received.clone()
    }

    /// The number of requests received.
    pub fn calls(&self) -> usize {
        self.state().received.len()
    }

    /// What the true servers would have refused, and calls that no reply was there for.
    pub fn violations(&self) -> Vec<String> {
        self.state().violations.clone()
    }

    /// The requests that followed a redirect, with all that they gave away.
    pub fn followed(&self) -> Vec<Received> {
        self.state().followed.clone()
    }

    /// The calls that wait now. One whose client left is not among them.
    pub fn open_calls(&self) -> usize {
        self.state().open
    }

    /// The most calls that ever waited at the same time.
    pub fn most_open(&self) -> usize {
        self.state().most_open
    }

    /// The bytes of answers that were handed to connections: how much of an endless answer a client took.
    pub fn bytes_sent(&self) -> u64 {
        self.state().sent
    }

    /// Waits until so many calls are open.
    ///
    /// # Panics
    ///
    /// After ten seconds.
    pub async fn until_open(&self, calls: usize) {
        for _ in 0..2000 {
            if self.open_calls() == calls {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{} calls are open, not {calls}", self.open_calls());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared.state)
    }
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    (listener, format!("http://{address}"))
}

/// Below axum's server, so that a connection can be closed without an answer.
async fn serve(listener: TcpListener, shared: Arc<Shared>, redirect_target: bool) {
    loop {
        let Ok((connection, _)) = listener.accept().await else {
            continue;
        };
        // Small pieces must leave one by one.
        let _ = connection.set_nodelay(true);
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&shared), request, redirect_target));
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(connection), service)
                .await;
        });
    }
}

async fn answer(
    shared: Arc<Shared>,
    request: Request<Incoming>,
    redirect_target: bool,
) -> io::Result<Response> {
    let (parts, body) = request.into_parts();
    let open = Open::new(&shared);
    let bytes = to_bytes(Body::new(body), LONGEST).await;
    let body: Option<Value> = bytes
        .as_ref()
        .ok()
        .and_then(|bytes| serde_json::from_slice(bytes).ok());
    let received = Received {
        path: parts.uri.path().to_owned(),
        headers: parts.headers.clone(),
        body: body.clone().unwrap_or_default(),
    };
    if redirect_target {
        lock(&shared.state).followed.push(received);
        return Ok(Response::new(Body::from("{}")));
    }
    let number = {
        let mut state = lock(&shared.state);
        state.received.push(received);
        state.received.len()
    };
    let wire = Wire::of(&parts);
    let violation = |failure: &Failure| {
        let (path, message) = (parts.uri.path(), &failure.message);
        let violation = format!("call {number}, {path}: {message}");
        lock(&shared.state).violations.push(violation);
    };
    if let Err(failure) = wire.address(&parts) {
        violation(&failure);
        return Ok(transport::failure(wire, &failure, number));
    }
    // A wrong key is a state that a test sets up, not a mistake of the client's.
    if let Err(failure) = wire.key(&parts.headers, &shared.key) {
        return Ok(transport::failure(wire, &failure, number));
    }
    let checked = if bytes.is_ok() {
        wire.check(&parts.headers, body.as_ref())
    } else {
        Err(Failure::new(
            413,
            "request_too_large",
            "Request exceeds the maximum size",
        ))
    };
    if let Err(failure) = checked {
        violation(&failure);
        return Ok(transport::failure(wire, &failure, number));
    }
    let body = body.unwrap_or_default();
    let (queued, responder) = {
        let mut state = lock(&shared.state);
        (state.queue.pop_front(), state.responder.clone())
    };
    // The responder runs without the lock: it may ask this server.
    let reply = queued.or_else(|| responder.map(|responder| responder(&body, number)));
    let Some(reply) = reply else {
        let failure = Failure::new(
            500,
            "server_error",
            "The script of this test has no reply for this call.",
        );
        violation(&failure);
        return Ok(transport::failure(wire, &failure, number));
    };
    transport::send(wire, reply, &body, number, open).await
}

/// The two forms of requests and answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    OpenAi,
    Anthropic,
}

impl Wire {
    /// An unknown path is answered in the form that its headers suggest.
    fn of(parts: &Parts) -> Self {
        let anthropic =
            parts.headers.contains_key("x-api-key") || parts.headers.contains_key("anthropic-version");
        match parts.uri.path() {
            "/v1/chat/completions" => Self::OpenAi,
            "/v1/messages" => Self::Anthropic,
            _ if anthropic => Self::Anthropic,
            _ => Self::OpenAi,
        }
    }

    fn address(self, parts: &Parts) -> Result<(), Failure> {
        let path = parts.uri.path();
        if path != "/v1/chat/completions" && path != "/v1/messages" {
            return Err(match self {
                Self::OpenAi => {
                    let message = format!("Invalid URL ({} {path})", parts.method);
                    Failure::new(404, "invalid_request_error", message)
                }
                Self::Anthropic => Failure::new(404, "not_found_error", "Not Found"),
            });
        }
        if parts.method == Method::POST {
            return Ok(());
        }
        let message = format!("Not allowed to {} on {path}.", parts.method);
        Err(Failure::new(405, "invalid_request_error", message))
    }

    /// Anthropic takes its key in a header of its own, and as a bearer token, as its own clients now send it.
    fn key(self, headers: &HeaderMap, key: &str) -> Result<(), Failure> {
        let own = headers.get("x-api-key").filter(|_| self == Self::Anthropic);
        let given = own.or_else(|| headers.get(AUTHORIZATION));
        let accepted = if own.is_some() {
            key.to_owned()
        } else {
            format!("Bearer {key}")
        };
        if given.is_some_and(|given| given.as_bytes() == accepted.as_bytes()) {
            return Ok(());
        }
        Err(match self {
            Self::OpenAi => openai::unauthorized(given.is_some()),
            Self::Anthropic => anthropic::unauthorized(given.is_some()),
        })
    }

    fn check(self, headers: &HeaderMap, body: Option<&Value>) -> Result<(), Failure> {
        let bad = |message: &str| Err(Failure::new(400, "invalid_request_error", message));
        if self == Self::Anthropic && !headers.contains_key("anthropic-version") {
            return bad("anthropic-version: header is required");
        }
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("application/json")) {
            return match self {
                Self::OpenAi => bad("you must provide a model parameter"),
                Self::Anthropic => bad("content-type: must be application/json"),
            };
        }
        let Some(body) = body.filter(|body| body.is_object()) else {
            return bad("We could not parse the JSON body of your request.");
        };
        match self {
            Self::OpenAi => openai_rules::check(body),
            Self::Anthropic => anthropic_rules::check(body),
        }
    }

    fn scripted(self, status: u16, reply: &Reply, request: &Value) -> Failure {
        match self {
            Self::OpenAi => openai::scripted(status, reply, request),
            Self::Anthropic => anthropic::scripted(status, reply, request),
        }
    }

    fn failure(self, failure: &Failure, number: usize) -> Value {
        match self {
            Self::OpenAi => openai::body(failure),
            Self::Anthropic => anthropic::body(failure, number),
        }
    }

    fn whole(self, reply: &Reply, request: &Value, number: usize) -> Value {
        match self {
            Self::OpenAi => openai::whole(reply, request, number),
            Self::Anthropic => anthropic::whole(reply, request, number),
        }
    }

    fn events(self, reply: &Reply, request: &Value, number: usize) -> Vec<String> {
        match self {
            Self::OpenAi => openai::events(reply, request, number),
            Self::Anthropic => anthropic::events(reply, request, number),
        }
    }

    /// The header that names a request, and its value.
    fn request_id(self, number: usize) -> (&'static str, String) {
        let id = anthropic::request_id(number);
        match self {
            Self::OpenAi => ("x-request-id", id),
            Self::Anthropic => ("request-id", id),
        }
    }
}

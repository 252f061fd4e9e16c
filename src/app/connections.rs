//! The HTTP server: limits the number of connections, the speed of clients, and how long connections live.
//!
//! Clients are not authenticated at this point, so nothing waits for them forever: headers, bodies and connections have
//! time limits, and the memory of a connection is bounded.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use axum::serve::Listener as Accept;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep, timeout, timeout_at};

use crate::edge::problem::problem;

/// Buffer of a connection; the head of a request has to fit in it.
const BUFFER: usize = 64 << 10;
/// Time to finish the last request of a connection that has reached its maximum age, after the request's body.
const LAST: Duration = Duration::from_secs(60);
/// How long and how much of an unread body is still received. Most clients read the response only after they have sent
/// the body; closing the connection earlier would lose it.
const LINGER: Duration = Duration::from_secs(30);
const LINGER_BYTES: u64 = 512 << 20;

/// Limits for clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once; more wait to be accepted.
    pub most: usize,
    /// From the start of a connection, or from the last response, to the end of the next request's headers.
    pub headers: Duration,
    /// From the end of the headers to the end of the body, plus the time earned through `rate`.
    pub body: Duration,
    /// A body gets one more second for this many received bytes, so large bodies may take longer while they progress.
    pub rate: u64,
    /// Longest time for a body of any size.
    pub longest: Duration,
    /// Maximum age. An older connection is closed after its current request; the client can reconnect.
    pub age: Duration,
    /// Time for open connections to end after `stop`.
    pub drain: Duration,
}

impl Limits {
    pub const fn new(drain: Duration) -> Self {
        Self {
            most: 4096,
            headers: Duration::from_secs(10),
            body: Duration::from_secs(15),
            rate: 32 << 10,
            longest: Duration::from_secs(30 * 60),
            age: Duration::from_secs(10 * 60),
            drain,
        }
    }
}

/// Serves until `stop` turns true. Then accepts no new connections and closes each open one after its current request.
pub async fn serve(
    mut listener: TcpListener,
    router: Router,
    mut stop: watch::Receiver<bool>,
    limits: Limits,
) {
    let stopping = stop.clone();
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            () = stopped(&mut stop) => break,
            Some(_) = open.join_next() => {}
            // Retries by itself if accepting fails, for instance without free file descriptors.
            (stream, peer) = Accept::accept(&mut listener), if open.len() < limits.most => {
                open.spawn(connection(stream, peer, router.clone(), stopping.clone(), limits));
            }
        }
    }
    drop(listener);
    let ended = timeout(limits.drain, async { while open.join_next().await.is_some() {} });
    if ended.await.is_err() {
        // Dropping the set closes them.
        tracing::warn!(
            open = open.len(),
            "closing connections that clients still hold open"
        );
    }
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // A dropped sender counts as a stop.
    let _ = stop.wait_for(|stopped| *stopped).await;
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    mut stop: watch::Receiver<bool>,
    limits: Limits,
) {
    // Responses are small and complete: waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        TowerToHyperService::new(router.clone()).call(request)
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), service);
    let mut serving = pin!(serving);
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        () = async {
            tokio::select! {
                () = stopped(&mut stop) => {}
                () = sleep(limits.age) => {}
            }
        } => {
            serving.as_mut().graceful_shutdown();
            timeout(limits.longest + LAST, serving).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Middleware that responds with 408 if the body does not arrive in time.
pub async fn limit_body_time(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let late = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| {
        Body::new(Timed {
            body: Some(body),
            since: Instant::now(),
            end: Box::pin(sleep(limits.body)),
            arrived: 0,
            limits,
            late: Arc::clone(&late),
        })
    });
    let response = next.run(request).await;
    if !late.load(Ordering::Relaxed) {
        return response;
    }
    // Replaces the handler's own response to the incomplete body.
    let detail = "The request's body did not arrive in time.";
    let mut response = problem(StatusCode::REQUEST_TIMEOUT, "request_timeout", detail);
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

/// A body that ends with an error at its deadline.
struct Timed {
    /// None after its end.
    body: Option<Body>,
    since: Instant,
    end: Pin<Box<Sleep>>,
    arrived: u64,
    limits: Limits,
    late: Arc<AtomicBool>,
}

impl Timed {
    /// Moves the deadline for the bytes that have arrived.
    fn extend(&mut self, bytes: usize) {
        self.arrived = self
            .arrived
            .saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        let earned = Duration::from_secs(self.arrived / self.limits.rate.max(1));
        let most = (self.limits.body + earned).min(self.limits.longest);
        self.end.as_mut().reset(self.since + most);
    }
}

/// Receives the unread rest of a body for a while, if the response did not need it.
impl Drop for Timed {
    fn drop(&mut self) {
        let Some(mut body) = self.body.take().filter(|body| !body.is_end_stream()) else {
            return;
        };
        let until = self.end.deadline().min(Instant::now() + LINGER);
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(timeout_at(until, async move {
            let mut taken: u64 = 0;
            while let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                taken = taken.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
                if taken > LINGER_BYTES {
                    return;
                }
            }
        }));
    }
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let Some(body) = &mut this.body else {
            return Poll::Ready(None);
        };
        match Pin::new(body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                this.extend(frame.data_ref().map_or(0, Bytes::len));
                return Poll::Ready(Some(Ok(frame)));
            }
            Poll::Ready(ended) => {
                this.body = None;
                return Poll::Ready(ended);
            }
            Poll::Pending => {}
        }
        ready!(this.end.as_mut().poll(context));
        // The deadline has passed: nothing more is received.
        this.body = None;
        this.late.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(axum::Error::new("the body did not arrive in time"))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

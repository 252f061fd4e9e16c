//! The HTTP server: limits the number of connections, the speed of clients, and how long connections live.
//!
//! Clients are not authenticated at this point, so nothing waits for them forever: headers, bodies and connections have
//! time limits, and the memory of a connection is bounded.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::serve::Listener as Accept;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Buffer of a connection; the head of a request has to fit in it.
const BUFFER: usize = 64 << 10;
/// Time to finish the last request of a connection that has reached its maximum age, after the request's body.
const LAST: Duration = Duration::from_secs(60);
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

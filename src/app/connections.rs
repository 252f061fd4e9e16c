//! The HTTP server: limits the number of connections, the speed of clients, and how long connections live.
//!
//! Clients are not authenticated at this point, so nothing waits for them forever: headers, bodies, responses and
//! connections have time limits, and the memory of a connection is bounded. A new client is never made to wait for
//! others: it gets the slot of the one that has kept the server waiting longest.

use std::future::poll_fn;
use std::io::{Error, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::app::client::{Client, ClientStream, client_body};
use crate::edge::origin::{client_address, subnet};
use crate::edge::problem::problem;
use crate::edge::slots::{Share, Slots};
use crate::net::network::Network;

/// Buffer of a connection; the head of a request has to fit in it.
const BUFFER: usize = 64 << 10;
/// Time to finish the last request of a connection that has reached its maximum age, after the request's body.
const LAST: Duration = Duration::from_secs(60);
/// How long nothing is accepted after an attempt failed, for instance without free file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Connections beyond the others, when all of those are at work. They get health checks only.
pub const RESERVE: Share = Share {
    slots: 64,
    bytes: 1 << 20,
};
/// The health checks.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

/// Limits for clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once, and bytes of responses that clients have not read.
    pub total: Share,
    /// The same for one address. Proxies that are trusted count for the clients they name.
    pub each: Share,
    /// From the start of a connection, or from the last response, to the end of the next request's headers.
    pub headers: Duration,
    /// From the end of the headers to the end of the body, plus the time earned through `rate`.
    pub body: Duration,
    /// A body gets one more second for this many received bytes, so large bodies may take longer while they progress.
    pub rate: u64,
    /// Longest time for a body of any size.
    pub longest: Duration,
    /// How long a client may accept nothing of a response.
    pub unread: Duration,
    /// Maximum age. An older connection is closed after its current request; the client can reconnect.
    pub age: Duration,
    /// Time for open connections to end after `stop`.
    pub drain: Duration,
}

impl Limits {
    pub const fn new(drain: Duration) -> Self {
        Self {
            total: Share {
                slots: 4096,
                bytes: 128 << 20,
            },
            each: Share {
                slots: 512,
                bytes: 32 << 20,
            },
            headers: Duration::from_secs(10),
            body: Duration::from_secs(15),
            rate: 32 << 10,
            longest: Duration::from_secs(30 * 60),
            unread: Duration::from_secs(30),
            age: Duration::from_secs(10 * 60),
            drain,
        }
    }

    /// Leaves file descriptors for everything else.
    #[must_use]
    pub fn within(mut self, connections: usize) -> Self {
        self.total.slots = self.total.slots.min(connections);
        self.each.slots = self.each.slots.min(connections.div_ceil(8));
        self
    }
}

/// What all connections share.
struct Server {
    router: Router,
    limits: Limits,
    trusted: Vec<Network>,
    stop: watch::Receiver<bool>,
    /// Held for a moment by clients that send requests ahead, one after the other.
    pipelining: Semaphore,
}

/// Serves until `stop` turns true. Then accepts no new connections and closes each open one after its current request.
/// The `X-Forwarded-For` of `trusted` proxies names the clients.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    mut stop: watch::Receiver<bool>,
    limits: Limits,
    trusted: Vec<Network>,
) {
    let slots = Slots::new("connections", limits.total, limits.each);
    let reserve = Slots::new("reserve", RESERVE, RESERVE);
    let server = Arc::new(Server {
        router,
        limits,
        trusted,
        stop: stop.clone(),
        pipelining: Semaphore::new(1),
    });
    // Of the accepted connections, only some may not have been read from yet, the others wait in the system's queue:
    // otherwise a burst of new ones could take the slot of a client whose request has arrived.
    let unseen = Arc::new(Semaphore::new((limits.each.slots / 4).max(1)));
    let accept = async || {
        let permit = Arc::clone(&unseen).acquire_owned().await.map_err(Error::other)?;
        let (stream, peer) = listener.accept().await?;
        Ok::<_, Error>((stream, peer, permit))
    };
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            () = stopped(&mut stop) => break,
            Some(_) = open.join_next() => {}
            accepted = accept() => match accepted {
                Ok((stream, peer, permit)) => {
                    let by = server.counted_by(peer.ip());
                    let (slot, is_reserve) = match slots.take(by) {
                        Some(slot) => (Some(slot), false),
                        None => (reserve.take(None), true),
                    };
                    // Without a slot, the stream is closed.
                    if let Some(slot) = slot {
                        let client = Arc::new(Client::new(slot));
                        open.spawn(Arc::clone(&server).admit(stream, peer, client, is_reserve, permit));
                    }
                }
                Err(error) if concerns_one_client(error.kind()) => {}
                Err(error) => {
                    tracing::error!(%error, "connections cannot be accepted");
                    slots.free_one();
                    sleep(ACCEPT_PAUSE).await;
                }
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

const fn concerns_one_client(error: ErrorKind) -> bool {
    matches!(
        error,
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}

impl Server {
    /// By what the connections of an address are counted. Those of trusted proxies only count in the total until they
    /// name a client: no client behind a proxy can use up the proxy's connections.
    fn counted_by(&self, address: IpAddr) -> Option<IpAddr> {
        let is_trusted = self.trusted.iter().any(|network| network.contains(address));
        (!is_trusted).then(|| subnet(address))
    }

    /// Returns the permit as soon as everything that had arrived is read.
    async fn admit(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        client: Arc<Client>,
        is_reserve: bool,
        permit: OwnedSemaphorePermit,
    ) {
        // Since a new connection can be written to, this only waits until the system has reported what has arrived.
        let _ = stream.writable().await;
        let mut permit = Some(permit);
        let mut connection = pin!(self.connection(stream, peer, client, is_reserve));
        poll_fn(|context| {
            let polled = connection.as_mut().poll(context);
            permit = None;
            polled
        })
        .await;
    }

    async fn connection(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        client: Arc<Client>,
        is_reserve: bool,
    ) {
        let stream = ClientStream::new(stream, Arc::clone(&client), self.limits.unread);
        let service = service_fn(|request: hyper::Request<Incoming>| {
            let (server, client) = (Arc::clone(&self), Arc::clone(&client));
            async move {
                if client.is_ahead() {
                    // Clients that send many requests at once wait for each other, and so keep nobody else waiting.
                    drop(server.pipelining.acquire().await);
                }
                client.asked();
                let response = server.respond(request, peer, &client, is_reserve).await;
                client.answered();
                response
            }
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.headers)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(stream), service);
        let mut serving = pin!(serving);
        let mut stop = self.stop.clone();
        let served = async {
            tokio::select! {
                ended = serving.as_mut() => ended,
                () = async {
                    tokio::select! {
                        () = stopped(&mut stop) => {}
                        () = sleep(self.limits.age) => {}
                    }
                } => {
                    serving.as_mut().graceful_shutdown();
                    timeout(self.limits.longest + LAST, serving).await.unwrap_or(Ok(()))
                }
            }
        };
        tokio::select! {
            ended = served => if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            },
            () = client.slot().lost() => tracing::debug!("a connection gave way to another"),
        }
    }

    async fn respond(
        &self,
        request: hyper::Request<Incoming>,
        peer: SocketAddr,
        client: &Arc<Client>,
        is_reserve: bool,
    ) -> Result<Response, std::convert::Infallible> {
        if is_reserve {
            if !HEALTH.contains(&request.uri().path()) {
                return Ok(busy("The server has all the connections it can serve."));
            }
        } else if self.counted_by(peer.ip()).is_none() {
            let address = client_address(peer.ip(), request.headers(), &self.trusted);
            if !client.slot().count_by(self.counted_by(address)) {
                return Ok(busy("This client has all the requests at once that it may have."));
            }
        }
        let mut request = request.map(|body| client_body(body, client));
        request.extensions_mut().insert(ConnectInfo(peer));
        TowerToHyperService::new(self.router.clone()).call(request).await
    }
}

/// Asks the client to come again on another connection.
fn busy(detail: &str) -> Response {
    let mut response = problem(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail);
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

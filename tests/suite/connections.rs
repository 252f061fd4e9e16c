//! Slow or stalled clients: each is limited in time and delays no other client.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use corbel::app::body_time::limit_body_time;
use corbel::app::connections::{self, Limits};
use corbel::edge::slots::Share;
use corbel::net::network::Network;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

pub const LIMITS: Limits = Limits {
    total: Share {
        slots: 8,
        bytes: 1 << 30,
    },
    each: Share {
        slots: 8,
        bytes: 1 << 30,
    },
    headers: Duration::from_millis(400),
    body: Duration::from_millis(400),
    rate: 64 << 10,
    longest: Duration::from_millis(1500),
    unread: Duration::from_millis(400),
    age: Duration::from_secs(60),
    drain: Duration::from_millis(600),
};

/// The response of `/large`: more than a client's system accepts before the client reads.
pub const LARGE: usize = 4 << 20;

/// A server with some routes and a way to stop it.
pub struct Server {
    pub at: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Server {
    pub async fn start(limits: Limits) -> Self {
        Self::behind(limits, Vec::new()).await
    }

    /// A server that trusts these proxies.
    pub async fn behind(limits: Limits, trusted: Vec<Network>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let at = listener.local_addr().expect("an address");
        let router = Router::new()
            .route(
                "/who",
                get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() }),
            )
            .route(
                "/length",
                post(|body: Bytes| async move { body.len().to_string() }),
            )
            .route("/healthz", get(|| async { "up" }))
            .route("/large", get(|| async { vec![b'x'; LARGE] }))
            .route("/refuse", post(|| async { StatusCode::PAYLOAD_TOO_LARGE }))
            .route(
                "/slow/{ms}",
                get(|Path(ms): Path<u64>| async move {
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    "done"
                }),
            );
        let router = router.layer(from_fn_with_state(limits, limit_body_time));
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(connections::serve(listener, router, stopping, limits, trusted));
        Self { at, stop, serving }
    }

    async fn client(&self) -> TcpStream {
        self.client_from(1).await
    }

    /// A client at 127.0.0.`host`, with a small buffer for responses.
    pub async fn client_from(&self, host: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(16 << 10).expect("a buffer");
        socket
            .bind(SocketAddr::from(([127, 0, 0, host], 0)))
            .expect("bound");
        socket.connect(self.at).await.expect("connected")
    }

    /// A client that has sent this text.
    async fn sent(&self, text: &str) -> TcpStream {
        self.sent_from(1, text).await
    }

    pub async fn sent_from(&self, host: u8, text: &str) -> TcpStream {
        let mut client = self.client_from(host).await;
        client.write_all(text.as_bytes()).await.expect("sent");
        client
    }
}

/// Everything received until the server closes the connection, for at most five seconds.
pub async fn to_the_end(client: &mut TcpStream) -> String {
    let mut all = Vec::new();
    let read = timeout(Duration::from_secs(5), client.read_to_end(&mut all)).await;
    // A closed connection may be reported as an error.
    let _ = read.expect("the server closes");
    String::from_utf8(all).expect("text")
}

pub const WHO: &str = "GET /who HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn a_slow_client_is_disconnected_and_others_are_served_meanwhile() {
    let server = Server::start(LIMITS).await;
    let since = Instant::now();
    let mut silent = server.client().await;
    let mut half_a_header = server.sent("GET /who HTTP/1.1\r\nhost: x\r\nx-a").await;
    let mut no_body = server
        .sent("POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1234")
        .await;
    let mut unread_body = server
        .sent("GET /who HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1234")
        .await;

    let mut other = server.sent(WHO).await;
    let own = other.local_addr().expect("an address").to_string();
    let answer = to_the_end(&mut other).await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with(&own),
        "{answer}"
    );
    assert!(since.elapsed() < LIMITS.headers, "served at once");

    assert_eq!(to_the_end(&mut silent).await, "");
    let cut = to_the_end(&mut half_a_header).await;
    assert!(cut.is_empty() || cut.starts_with("HTTP/1.1 4"), "{cut}");
    let late = to_the_end(&mut no_body).await;
    assert!(
        late.starts_with("HTTP/1.1 408") && late.contains("request_timeout"),
        "{late}"
    );
    let answered = to_the_end(&mut unread_body).await;
    assert!(answered.starts_with("HTTP/1.1 200"), "{answered}");
    assert!(since.elapsed() < Duration::from_secs(3), "{:?}", since.elapsed());
}

#[tokio::test]
async fn a_slow_body_times_out_and_one_in_time_is_accepted() {
    let server = Server::start(LIMITS).await;
    let mut slow = server
        .sent("POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n")
        .await;
    let trickle = async {
        // Never idle for long, but too slow overall.
        while slow.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let mut some = [0; 16];
            if slow.try_read(&mut some).is_ok() {
                return String::from_utf8_lossy(&some).into_owned();
            }
        }
        String::new()
    };
    let answer = timeout(Duration::from_secs(3), trickle).await.expect("cut off");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");

    let mut fine = server
        .sent("POST /length HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 8\r\n\r\n1234")
        .await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    fine.write_all(b"5678").await.expect("sent");
    let answer = to_the_end(&mut fine).await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("\r\n8"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_large_body_in_progress_gets_more_time_but_not_forever() {
    let server = Server::start(LIMITS).await;
    let part = vec![b'x'; 64 << 10];
    let head = |length: usize| {
        format!("POST /length HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n")
    };
    let since = Instant::now();
    let mut steady = server.sent(&head(4 * part.len())).await;
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        steady.write_all(&part).await.expect("taken");
    }
    let answer = to_the_end(&mut steady).await;
    assert!(answer.ends_with("\r\n262144"), "{answer}");
    assert!(
        since.elapsed() > LIMITS.body,
        "it took longer than a small body may"
    );

    let mut endless = server.sent(&head(1 << 21)).await;
    let since = Instant::now();
    let mut some = [0; 16];
    let answer = timeout(Duration::from_secs(5), async {
        loop {
            endless.write_all(&part[..4096]).await.expect("taken");
            tokio::time::sleep(Duration::from_millis(20)).await;
            if endless.try_read(&mut some).is_ok() {
                return String::from_utf8_lossy(&some).into_owned();
            }
        }
    });
    let answer = answer.await.expect("cut off");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(since.elapsed() >= LIMITS.longest - Duration::from_millis(50));
}

/// A client that sends its whole body before it reads must not lose the response.
#[tokio::test]
async fn a_client_refused_early_can_finish_sending_and_reads_the_response() {
    let server = Server::start(LIMITS).await;
    let length = 8 << 20;
    let head =
        format!("POST /refuse HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
    let mut client = server.sent(&head).await;
    let part = vec![b'x'; 1 << 20];
    for _ in 0..length / part.len() {
        client.write_all(&part).await.expect("taken");
    }
    let answer = to_the_end(&mut client).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

/// Waits until the server has closed the connection of a client that reads nothing.
async fn until_cut(client: &mut TcpStream) {
    let cut = async {
        while client.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(5), cut).await.expect("cut off");
}

#[tokio::test]
async fn a_client_that_reads_nothing_of_its_response_is_cut() {
    let server = Server::start(Limits {
        headers: Duration::from_secs(60),
        ..LIMITS
    })
    .await;
    let since = Instant::now();
    let mut one_response = server.sent("GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await;
    until_cut(&mut one_response).await;
    assert!(since.elapsed() >= LIMITS.unread, "{:?}", since.elapsed());

    // Many requests at once, as fast as the server takes them.
    let mut pipelining = server.client().await;
    let requests = "GET /who HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1000);
    let cut = async { while pipelining.write_all(requests.as_bytes()).await.is_ok() {} };
    timeout(Duration::from_secs(20), cut).await.expect("cut off");
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_its_whole_response() {
    let server = Server::start(LIMITS).await;
    let since = Instant::now();
    let mut client = server
        .sent("GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        .await;
    let (mut read, mut some) = (0, vec![0; LARGE / 16]);
    loop {
        tokio::time::sleep(LIMITS.unread / 4).await;
        let mut part = 0;
        while part < some.len() {
            let bytes = client.read(&mut some).await.expect("not cut");
            part += bytes;
            if bytes == 0 {
                break;
            }
        }
        read += part;
        if part < some.len() {
            break;
        }
    }
    assert!(read > LARGE, "{read}");
    assert!(since.elapsed() > LIMITS.unread * 2, "{:?}", since.elapsed());
}

#[tokio::test]
async fn a_connection_is_closed_at_its_maximum_age() {
    let server = Server::start(Limits {
        age: Duration::from_millis(100),
        headers: Duration::from_secs(60),
        ..LIMITS
    })
    .await;
    let mut busy = server.sent("GET /slow/300 HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let answer = to_the_end(&mut busy).await;
    assert!(
        answer.ends_with("done"),
        "the request in progress completes: {answer}"
    );
    assert_eq!(to_the_end(&mut server.client().await).await, "");
}

#[tokio::test]
async fn shutdown_completes_requests_in_progress_and_closes_idle_connections() {
    let server = Server::start(Limits {
        headers: Duration::from_secs(60),
        body: Duration::from_secs(60),
        ..LIMITS
    })
    .await;
    let mut busy = server.sent("GET /slow/300 HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut idle = server.client().await;
    let mut stuck = server
        .sent("POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1234")
        .await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let since = Instant::now();
    server.stop.send(true).expect("serving");
    assert_eq!(to_the_end(&mut idle).await, "");
    assert!(to_the_end(&mut busy).await.ends_with("done"));
    assert!(since.elapsed() < LIMITS.drain, "{:?}", since.elapsed());
    server.serving.await.expect("no panic");
    assert!(since.elapsed() < LIMITS.drain * 3, "{:?}", since.elapsed());
    to_the_end(&mut stuck).await;
    assert!(TcpStream::connect(server.at).await.is_err(), "the port is closed");
}

//! Slow, numerous or stalled clients: each is limited in time and delays no other client.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::ConnectInfo;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use corbel::app::body_time::limit_body_time;
use corbel::app::connections::{self, Limits};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

const LIMITS: Limits = Limits {
    most: 8,
    headers: Duration::from_millis(400),
    body: Duration::from_millis(400),
    rate: 64 << 10,
    longest: Duration::from_millis(1500),
    age: Duration::from_secs(60),
    drain: Duration::from_millis(600),
};

/// A server with three routes and a way to stop it.
struct Server {
    at: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Server {
    async fn start(limits: Limits) -> Self {
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
            .route("/refuse", post(|| async { StatusCode::PAYLOAD_TOO_LARGE }))
            .route(
                "/slow",
                get(|| async {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                    "done"
                }),
            );
        let router = router.layer(from_fn_with_state(limits, limit_body_time));
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(connections::serve(listener, router, stopping, limits));
        Self { at, stop, serving }
    }

    async fn client(&self) -> TcpStream {
        TcpStream::connect(self.at).await.expect("connected")
    }

    /// A client that has sent this text.
    async fn sent(&self, text: &str) -> TcpStream {
        let mut client = self.client().await;
        client.write_all(text.as_bytes()).await.expect("sent");
        client
    }
}

/// Everything received until the server closes the connection, for at most five seconds.
async fn to_the_end(client: &mut TcpStream) -> String {
    let mut all = Vec::new();
    let read = timeout(Duration::from_secs(5), client.read_to_end(&mut all)).await;
    // A closed connection may be reported as an error.
    let _ = read.expect("the server closes");
    String::from_utf8(all).expect("text")
}

const WHO: &str = "GET /who HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

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

#[tokio::test]
async fn connections_beyond_the_limit_wait() {
    let server = Server::start(Limits { most: 2, ..LIMITS }).await;
    let since = Instant::now();
    let _held = (server.client().await, server.client().await);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut third = server.sent(WHO).await;
    assert!(to_the_end(&mut third).await.starts_with("HTTP/1.1 200"));
    assert!(
        since.elapsed() >= LIMITS.headers - Duration::from_millis(20),
        "it had to wait until a connection was closed: {:?}",
        since.elapsed()
    );
}

#[tokio::test]
async fn a_connection_is_closed_at_its_maximum_age() {
    let server = Server::start(Limits {
        age: Duration::from_millis(100),
        headers: Duration::from_secs(60),
        ..LIMITS
    })
    .await;
    let mut busy = server.sent("GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await;
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
    let mut busy = server.sent("GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await;
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

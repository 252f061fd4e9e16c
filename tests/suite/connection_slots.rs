//! More clients than slots: nobody waits for them, whatever they do, and what they hold is bounded for each address.

use std::time::{Duration, Instant};

use corbel::app::connections::{Limits, RESERVE};
use corbel::edge::origin::subnet;
use corbel::edge::slots::{Share, Slots};
use corbel::net::network::Network;
use futures_util::future::join_all;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::connections::{LARGE, LIMITS, Server, WHO, to_the_end};
use crate::harness::app::{http, on_each};
use crate::harness::process::Process;

/// Every time limit is far longer than a test, so that only slots can help.
const PATIENT: Limits = Limits {
    total: share(12),
    each: share(6),
    headers: Duration::from_secs(60),
    body: Duration::from_secs(60),
    longest: Duration::from_secs(60),
    unread: Duration::from_secs(60),
    ..LIMITS
};
/// What each kind of client sends that then does nothing more.
const KINDS: [(&str, &str); 6] = [
    ("idle", ""),
    ("slow headers", "GET /who HTTP/1.1\r\nhost: x\r\nx-a"),
    (
        "slow body",
        "POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1234",
    ),
    (
        "unread body",
        "GET /who HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1234",
    ),
    ("slow reading", "GET /large HTTP/1.1\r\nhost: x\r\n\r\n"),
    ("kept alive", "GET /who HTTP/1.1\r\nhost: x\r\n\r\n"),
];
const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

const fn share(slots: usize) -> Share {
    Share {
        slots,
        bytes: 1 << 30,
    }
}

fn loopback() -> Vec<Network> {
    vec!["127.0.0.0/8".parse().expect("a network")]
}

/// Whether the server has closed the connection, possibly after a response.
async fn is_closed(client: &mut TcpStream) -> bool {
    let mut some = vec![0; 64 << 10];
    let read = async { while client.read(&mut some).await.is_ok_and(|bytes| bytes > 0) {} };
    timeout(Duration::from_millis(300), read).await.is_ok()
}

async fn count_open(clients: &mut [TcpStream]) -> usize {
    let closed = join_all(clients.iter_mut().map(is_closed)).await;
    closed.into_iter().filter(|closed| !closed).count()
}

async fn served(server: &Server, host: u8, request: &str) {
    let since = Instant::now();
    let mut client = server.sent_from(host, request).await;
    let answer = to_the_end(&mut client).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "from {host}: {answer}");
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
}

#[tokio::test]
async fn clients_of_every_kind_keep_out_neither_others_nor_their_own_address() {
    for (kind, request) in KINDS {
        let server = Server::start(PATIENT).await;
        let mut clients = Vec::new();
        for _ in 0..PATIENT.each.slots * 3 {
            clients.push(server.sent_from(2, request).await);
        }
        sleep(Duration::from_millis(50)).await;
        served(&server, 3, WHO).await;
        served(&server, 3, HEALTH).await;
        served(&server, 2, WHO).await;
        let open = &mut clients[PATIENT.each.slots * 2..];
        assert!(
            !is_closed(open.last_mut().expect("clients")).await,
            "{kind}: the newest stay"
        );
        assert!(is_closed(&mut clients[0]).await, "{kind}: the oldest give way");
    }
}

#[tokio::test]
async fn a_burst_of_new_clients_takes_no_slot_before_its_request_is_read() {
    let server = Server::start(PATIENT).await;
    for _ in 0..5 {
        let mut first = server.sent_from(2, WHO).await;
        let burst = join_all((0..100).map(|_| server.client_from(2))).await;
        let mut last = server.sent_from(2, WHO).await;
        for client in [&mut first, &mut last] {
            let answer = to_the_end(client).await;
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
        drop(burst);
    }
}

#[tokio::test]
async fn when_all_slots_are_taken_the_client_that_waits_longest_gives_way() {
    for (kind, request) in KINDS {
        let server = Server::start(PATIENT).await;
        let mut clients = Vec::new();
        // From several addresses, each within its own bound.
        for n in 0..PATIENT.total.slots {
            clients.push(server.sent_from(2 + (n / 4) as u8, request).await);
            sleep(Duration::from_millis(2)).await;
        }
        sleep(Duration::from_millis(50)).await;
        served(&server, 9, WHO).await;
        assert!(is_closed(&mut clients[0]).await, "{kind}");
        assert_eq!(
            count_open(&mut clients[1..]).await,
            PATIENT.total.slots - 1,
            "{kind}"
        );
    }
}

#[tokio::test]
async fn requests_at_work_are_never_cut_and_health_checks_have_slots_of_their_own() {
    let slow = "GET /slow/2000 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    for limits in [
        // All slots of the address are at work; all slots are.
        PATIENT,
        Limits {
            total: share(4),
            ..PATIENT
        },
    ] {
        let server = Server::start(limits).await;
        let mut working = Vec::new();
        for _ in 0..limits.each.slots.min(limits.total.slots) {
            working.push(server.sent_from(2, slow).await);
        }
        sleep(Duration::from_millis(50)).await;
        let mut reserve = Vec::new();
        for _ in 0..RESERVE.slots + 3 {
            reserve.push(server.client_from(2).await);
        }
        let mut refused = server.sent_from(2, WHO).await;
        let refused = to_the_end(&mut refused).await;
        assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
        assert!(
            refused.contains("retry-after") && refused.contains("\"unavailable\""),
            "{refused}"
        );
        served(&server, 2, HEALTH).await;
        for client in &mut working {
            assert!(to_the_end(client).await.ends_with("done"));
        }
    }
}

#[tokio::test]
async fn clients_of_a_trusted_proxy_are_counted_by_the_address_it_names() {
    let server = Server::behind(PATIENT, loopback()).await;
    let from = |client: &str| {
        format!(
            "POST /length HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {client}\r\ncontent-length: 9\r\n\r\n1234"
        )
    };
    // More connections of the proxy itself than one address may have.
    let mut idle = Vec::new();
    for _ in 0..PATIENT.each.slots + 1 {
        idle.push(server.client_from(1).await);
    }
    let other = server.sent_from(1, &from("198.51.100.7")).await;
    let mut stalled = Vec::new();
    for n in 0..PATIENT.each.slots {
        let address = format!("2001:db8::{n}");
        stalled.push(server.sent_from(1, &from(&address)).await);
        sleep(Duration::from_millis(20)).await;
        if n == 3 {
            // The total is reached now.
            idle.truncate(1);
            sleep(Duration::from_millis(20)).await;
        }
    }
    // One more by the same client, at another address of its network.
    stalled.push(server.sent_from(1, &from("2001:db8::ffff")).await);
    sleep(Duration::from_millis(50)).await;
    assert!(is_closed(&mut stalled[0]).await);
    assert_eq!(count_open(&mut stalled[1..]).await, PATIENT.each.slots);
    assert_eq!(count_open(&mut [other]).await, 1);
    assert_eq!(count_open(&mut idle).await, 1);
    served(&server, 1, WHO).await;
}

#[tokio::test]
async fn unread_responses_of_an_address_are_bounded() {
    let each = Share {
        bytes: LARGE * 5 / 2,
        ..PATIENT.each
    };
    for limits in [
        Limits { each, ..PATIENT },
        Limits {
            total: each,
            ..PATIENT
        },
    ] {
        let server = Server::start(limits).await;
        let large = "GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        let mut clients = Vec::new();
        for _ in 0..3 {
            clients.push(server.sent_from(2, large).await);
            sleep(Duration::from_millis(100)).await;
        }
        let mut lengths = Vec::new();
        for client in &mut clients {
            lengths.push(to_the_end(client).await.len());
        }
        assert!(lengths[0] < LARGE, "the first gave way: {lengths:?}");
        assert!(lengths[1] > LARGE && lengths[2] > LARGE, "{lengths:?}");
    }
    // One response alone may be larger than the bound.
    let small = Share {
        bytes: 1 << 10,
        ..PATIENT.each
    };
    let server = Server::start(Limits {
        each: small,
        total: small,
        ..PATIENT
    })
    .await;
    let mut client = server
        .sent_from(2, "GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        .await;
    sleep(Duration::from_millis(100)).await;
    assert!(to_the_end(&mut client).await.len() > LARGE);
}

/// Accepting must not fail for want of file descriptors.
#[tokio::test]
async fn a_server_with_few_files_serves_new_clients_too() {
    on_each("few files", |place| async move {
        let server = Process::with_files(&place, 400);
        let at = server.url.trim_start_matches("http://").to_owned();
        let mut idle = Vec::new();
        for _ in 0..600 {
            idle.push(TcpStream::connect(&at).await.expect("connected"));
        }
        let since = Instant::now();
        let ready = http().get(format!("{}/readyz", server.url)).send().await;
        assert_eq!(ready.expect("reply").status().as_u16(), 200);
        assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    })
    .await;
}

#[test]
fn ipv6_clients_are_counted_by_their_network() {
    let counted = |address: &str| subnet(address.parse().expect("an address")).to_string();
    for (address, by) in [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::", "2001:db8:1:3::"),
    ] {
        assert_eq!(counted(address), by);
    }
}

#[test]
fn slots_and_bytes_are_given_back() {
    let slots = Slots::new("test", share(4), share(2));
    for _ in 0..3 {
        let held: Vec<_> = (0..4).map(|n| slots.take(Some(n % 2)).expect("a slot")).collect();
        for slot in &held {
            slot.working();
            slot.hold(1 << 29);
            slot.hold(1 << 20);
        }
        assert!(slots.take(Some(2)).is_none() && slots.take(None).is_none());
        assert!(!held[0].count_by(Some(1)), "its slots are at work");
        assert!(held[0].count_by(Some(2)) && held[0].count_by(Some(0)));
        held[0].waiting();
        let newer = slots.take(Some(1));
        assert!(newer.is_none(), "another's slot does not help");
        let newer = slots.take(Some(7)).expect("the slot of the one that waits");
        newer.working();
        assert!(slots.take(Some(8)).is_none());
    }
    assert!(!slots.free_one());
}

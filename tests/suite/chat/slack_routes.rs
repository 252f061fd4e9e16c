//! The events endpoint: which requests are refused, with which code, and whether Slack may send them again.

use std::time::Duration;

use axum::http::HeaderMap;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use crate::chat::slack_flow::Stage;
use crate::harness::app::{http, on_each};
use crate::harness::slack::requests::{deliver, deliver_with_retries, send, signed, url_verification};
use crate::harness::slack::{ALICE, APP, CHANNEL, SECRET, TEAM};

#[tokio::test]
async fn every_refusal_has_its_status_and_code() {
    on_each("routes", |place| async move {
        let stage = Stage::set(&place).await;
        let (url, now) = (stage.at.events.clone(), stage.now());
        let event = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> hi").mention();
        let refused = deliver(&url, "wrong", now, &event).await;
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (401, "signature_invalid")
        );
        let late = deliver(&url, SECRET, now - 400, &event).await;
        assert_eq!(
            (late.status, late.code().as_str()),
            (401, "timestamp_out_of_range")
        );
        let unknown = url.replace("/events", "x/events");
        let unknown = deliver(&unknown, SECRET, now, &event).await;
        assert_eq!((unknown.status, unknown.code().as_str()), (404, "not_found"));
        assert_eq!(
            send(&url, HeaderMap::new(), b"{".to_vec()).await.status,
            401,
            "no signature, nothing parsed"
        );
        let malformed = send(&url, signed(SECRET, now, b"{"), b"{".to_vec()).await;
        assert_eq!(
            (malformed.status, malformed.code().as_str()),
            (400, "invalid_request")
        );
        assert_eq!(malformed.headers["x-slack-no-retry"], "1");
        let big = vec![b'x'; (4 << 20) + 1];
        let big = send(&url, signed(SECRET, now, &big), big).await;
        assert_eq!((big.status, big.code().as_str()), (413, "body_too_large"));
        let mut other = event.clone();
        other["api_app_id"] = json!("A0OTHER");
        assert_eq!(
            deliver_with_retries(&url, SECRET, now, &other).await,
            [403],
            "and no retry is asked for"
        );
        let challenge = deliver(&url, SECRET, now, &url_verification("c0ffee")).await;
        assert_eq!(challenge.status, 200);
        assert!(challenge.body.contains("c0ffee"));
        assert_eq!(
            http().get(&url).send().await.expect("reply").status().as_u16(),
            405
        );
        assert_eq!(deliver_with_retries(&url, SECRET, now, &event).await, [200]);
        stage.running.settle().await;
        stage.running.stop().await;
    })
    .await;
}

/// Bodies of every kind: never a 5xx, and the server keeps running.
#[tokio::test]
async fn hostile_bodies_never_cause_a_server_error() {
    on_each("hostile", |place| async move {
        let stage = Stage::set(&place).await;
        let now = stage.now();
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let bodies: Vec<Vec<u8>> = vec![
            Vec::new(),
            b"null".to_vec(),
            b"[]".to_vec(),
            b"{}".to_vec(),
            b"\xff\xfe\x00".to_vec(),
            deep.into_bytes(),
            br#"{"type":"event_callback"}"#.to_vec(),
            br#"{"type":"event_callback","event":null,"api_app_id":"A0APP","team_id":"T0HOME"}"#.to_vec(),
            concat!(
                r#"{"type":"event_callback","event_id":"E","event":{"type":"app_mention"},"#,
                r#""api_app_id":"A0APP","team_id":"T0HOME"}"#
            )
            .into(),
            br#"{"type":7,"event":{"type":["x"]},"api_app_id":{},"team_id":1e999}"#.to_vec(),
            concat!(
                r#"{"type":"event_callback","event_id":"E2","event":{"type":"message","channel_type":"im","#,
                r#""channel":"D0DM","user":"U0ALICE","ts":"x","text":"\u0000 nul"},"#,
                r#""api_app_id":"A0APP","team_id":"T0HOME"}"#
            )
            .into(),
        ];
        for body in bodies {
            let shown = String::from_utf8_lossy(&body)
                .chars()
                .take(80)
                .collect::<String>();
            let answer = send(&stage.at.events, signed(SECRET, now, &body), body).await;
            assert!(answer.status < 500, "{} for {shown}", answer.status);
        }
        stage.running.settle().await;
        stage.running.stop().await;
    })
    .await;
}

#[tokio::test]
async fn an_unavailable_database_answers_503_and_never_200() {
    on_each("away", |place| async move {
        let stage = Stage::set(&place).await;
        let (url, now) = (stage.at.events.clone(), stage.now());
        assert_eq!(
            deliver(
                &url,
                SECRET,
                now,
                &stage.slack.says(CHANNEL, ALICE, "<@U0BOT> hi").mention()
            )
            .await
            .status,
            200
        );
        stage.running.settle().await;
        stage.running.services().db.close().await;
        let event = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> hi").mention();
        let answer = deliver(&url, SECRET, now, &event).await;
        assert_eq!((answer.status, answer.code().as_str()), (503, "unavailable"));
        assert!(answer.headers.contains_key("retry-after"));
        let ready = http()
            .get(format!("{}/readyz", stage.running.url))
            .send()
            .await
            .expect("reply");
        assert_eq!(ready.status().as_u16(), 503);
        let alive = http()
            .get(format!("{}/healthz", stage.running.url))
            .send()
            .await
            .expect("reply");
        assert_eq!(alive.status().as_u16(), 200);
    })
    .await;
}

/// Opens a request whose body does not arrive, or only in part.
async fn begun(url: &str, announced: usize, sent: &[u8]) -> TcpStream {
    let url = Url::parse(url).expect("an address");
    let host = format!(
        "{}:{}",
        url.host_str().expect("a host"),
        url.port().expect("a port")
    );
    let mut stream = TcpStream::connect(&host).await.expect("a connection");
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {announced}\r\n\r\n",
        url.path()
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    stream.write_all(sent).await.expect("sent");
    stream
}

/// The response that arrives within the time, as far as it fits the buffer.
async fn read_response(stream: &mut TcpStream, within: Duration) -> String {
    let mut seen = vec![0; 4_096];
    match tokio::time::timeout(within, stream.read(&mut seen)).await {
        Ok(Ok(length)) => String::from_utf8_lossy(&seen[..length]).into_owned(),
        _ => String::new(),
    }
}

/// Stalled senders hold neither memory nor connections for long.
#[tokio::test]
async fn stalled_bodies_are_bounded_in_number_and_time() {
    on_each("stalled", |place| async move {
        let stage = Stage::set(&place).await;
        let (url, soon) = (stage.at.events.clone(), Duration::from_secs(5));
        let mut unknown = begun(&url.replace("/events", "x/events"), 1_000, b"").await;
        let answer = read_response(&mut unknown, soon).await;
        assert!(answer.starts_with("HTTP/1.1 404"), "without its body: {answer}");
        let mut large = begun(&url, (4 << 20) + 1, b"").await;
        let answer = read_response(&mut large, soon).await;
        assert!(
            answer.starts_with("HTTP/1.1 413") && answer.contains("body_too_large"),
            "{answer}"
        );
        // More than may arrive at a time for one installation.
        let mut stalled = Vec::new();
        for _ in 0..300 {
            stalled.push(begun(&url, 1_000, b"{").await);
        }
        let other = stage
            .running
            .slack_assistant_of(&stage.org, "A0OTHER", TEAM)
            .await;
        for (url, app) in [(&url, APP), (&other.events, "A0OTHER")] {
            let mut event = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> hi").mention();
            event["api_app_id"] = json!(app);
            assert_eq!(deliver(url, SECRET, stage.now(), &event).await.status, 200);
        }
        let (mut gave_way, mut timed_out) = (0, 0);
        for stream in &mut stalled {
            let answer = read_response(stream, Duration::from_secs(15)).await;
            if answer.starts_with("HTTP/1.1 503") {
                assert!(
                    answer.contains("unavailable") && answer.contains("retry-after"),
                    "{answer}"
                );
                gave_way += 1;
            } else {
                assert!(
                    answer.starts_with("HTTP/1.1 408") && answer.contains("request_timeout"),
                    "{answer}"
                );
                timed_out += 1;
            }
        }
        assert!(gave_way >= 236 && timed_out >= 60, "{gave_way}, {timed_out}");
        stage.running.settle().await;
        stage.running.stop().await;
    })
    .await;
}

/// Database keys cannot contain ids of thousands of characters: such an event is malformed.
#[tokio::test]
async fn ids_of_any_length_never_cause_a_server_error() {
    on_each("ids", |place| async move {
        let stage = Stage::set(&place).await;
        let (url, now) = (stage.at.events.clone(), stage.now());
        // Not compressible, so that it would not fit a database index.
        let long: String = (0..9_000_u32)
            .map(|at| char::from(b'a' + (at.wrapping_mul(2_654_435_761) >> 24) as u8 % 26))
            .collect();
        let good = stage.slack.says(CHANNEL, ALICE, "<@U0BOT> hi").mention();
        for path in [
            "/event_id",
            "/event/channel",
            "/event/ts",
            "/event/user",
            "/event/team",
        ] {
            for (id, expected) in [(long.as_str(), 400), (&long[..256], 400), (&long[..255], 200)] {
                let mut event = good.clone();
                *event.pointer_mut(path).expect(path) = json!(id);
                let answer = deliver(&url, SECRET, now, &event).await;
                assert_eq!(answer.status, expected, "{path} of {}", id.len());
                assert_eq!(answer.headers.contains_key("x-slack-no-retry"), expected == 400);
            }
        }
        stage.running.settle().await;
        stage.running.stop().await;
    })
    .await;
}

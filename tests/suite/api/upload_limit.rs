//! An oversized file is refused during the upload: the response arrives while the client is still sending.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corbel::files::spool::UPLOAD_MAX_FILE_BYTES;
use corbel::keys::model::Environment;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::harness::app::{Running, on_each};

/// What would come after the file: the response must not wait for it.
const PROMISED: u64 = 400 << 20;
const BOUNDARY: &str = "----------------------corbel";

/// Sends headers that announce a large body, then `start`, then this many bytes of a file in chunks, and nothing more.
/// Returns the status line and the rest of the response.
async fn send(app: &Running, key: &str, kind: &str, start: &str, file: &str, bytes: u64) -> String {
    let host = app.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.expect("a connection");
    let head = format!(
        "POST /users/run-models HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}\r\nContent-Type: {kind}\r\n\
         Content-Length: {PROMISED}\r\n\r\n{start}"
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    let mut left = bytes;
    while left > 0 {
        let most = left.min(file.len() as u64);
        let piece = &file.as_bytes()[..usize::try_from(most).expect("a size")];
        stream.write_all(piece).await.expect("the server reads on");
        left -= most;
    }
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&answer).contains("requestId") {
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut buffer)).await;
        let read = read
            .expect("an answer while the client has not ended")
            .expect("read");
        assert!(
            read > 0,
            "closed without a response: {}",
            String::from_utf8_lossy(&answer)
        );
        answer.extend_from_slice(&buffer[..read]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn fifty_mebibytes_and_one_byte_are_refused_during_the_upload() {
    on_each("too large", async |place| {
        let app = place.start(&[]).await;
        let org = app.organization("Marlow Ridge").await;
        let key = app.key(&org.mara, Environment::Production).await;
        // Three bytes are four characters in base64, which is decoded in blocks, and the end of a part is searched
        // across chunks. So at most this much more than the limit has arrived when the excess is noticed.
        const SLACK: u64 = 128 << 10;
        let text = STANDARD.encode(vec![7_u8; 48 << 10]);
        let quads = (UPLOAD_MAX_FILE_BYTES + 1 + SLACK).div_ceil(3);
        let start = "{\"question\": \"q\", \"filesBase64\": [{\"name\": \"a.bin\", \"contentBase64\": \"";
        let answer = send(&app, &key, "application/json", start, &text, quads * 4).await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        for part in ["\"code\":\"file_too_large\"", "filesBase64[0].contentBase64"] {
            assert!(answer.contains(part), "{answer}");
        }

        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let start = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.bin\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        let bytes = "7".repeat(48 << 10);
        let answer = send(
            &app,
            &key,
            &kind,
            &start,
            &bytes,
            UPLOAD_MAX_FILE_BYTES + 1 + SLACK,
        )
        .await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        assert!(answer.contains("\"code\":\"file_too_large\""), "{answer}");

        // A body whose declared length is too large is not read at all.
        let host = app.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).await.expect("a connection");
        let head = format!(
            "POST /users/add-to-memory HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{{",
            (512 << 20) + 1
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        let mut answer = vec![0; 4096];
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut answer)).await;
        let read = read.expect("an answer").expect("read");
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        assert!(
            answer.starts_with("HTTP/1.1 413 ") && answer.contains("body_too_large"),
            "{answer}"
        );
        // No part of it was stored.
        let count: i64 = app
            .services()
            .db
            .query("SELECT CAST(COUNT(*) AS BIGINT) FROM messages")
            .scalar()
            .await
            .expect("a count");
        assert_eq!(count, 0);
        app.stop().await;
    })
    .await;
}

//! A client for keep-alive HTTP/1.1 on loopback: each connection sends a request, waits for the reply, and
//! sends the next one.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::load::requests::Requests;
use crate::support::Outcome;

/// Sends every request once over `clients` connections. Returns the total time and the time of each request.
/// A reply with another status is an error.
pub async fn send_all(
    listen: &str,
    requests: Requests,
    status: u16,
    connections: usize,
    most: Duration,
) -> Outcome<(Duration, Vec<Duration>)> {
    let requests = Rc::new(requests);
    let opening: Rc<str> = format!("HTTP/1.1 {status} ").into();
    let next = Rc::new(Cell::new(0));
    let local = LocalSet::new();
    let mut streams = Vec::with_capacity(connections);
    for _ in 0..connections {
        let stream = TcpStream::connect(listen).await?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let start = Instant::now();
    let senders: Vec<_> = streams
        .into_iter()
        .map(|stream| {
            local.spawn_local(send(
                stream,
                Rc::clone(&requests),
                Rc::clone(&next),
                Rc::clone(&opening),
            ))
        })
        .collect();
    let sending = local.run_until(async {
        let mut times = Vec::with_capacity(requests.len());
        for sender in senders {
            times.extend(sender.await??);
        }
        Outcome::Ok(times)
    });
    let times = tokio::time::timeout(most, sending)
        .await
        .map_err(|_| format!("not done after {most:?}"))??;
    let wall = start.elapsed();
    if times.len() == requests.len() {
        Ok((wall, times))
    } else {
        Err(format!("{} replies to {} requests", times.len(), requests.len()).into())
    }
}

async fn send(
    stream: TcpStream,
    requests: Rc<Requests>,
    next: Rc<Cell<usize>>,
    opening: Rc<str>,
) -> Outcome<Vec<Duration>> {
    let mut times = Vec::new();
    let mut reply = Vec::with_capacity(1024);
    while let Some(request) = requests.get(next.replace(next.get() + 1)) {
        let start = Instant::now();
        write(&stream, request).await?;
        read(&stream, &mut reply).await?;
        times.push(start.elapsed());
        if !reply.starts_with(opening.as_bytes()) {
            return Err(String::from_utf8_lossy(&reply).into_owned().into());
        }
    }
    Ok(times)
}

async fn write(stream: &TcpStream, mut bytes: &[u8]) -> Outcome {
    while !bytes.is_empty() {
        match stream.try_write(bytes) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => stream.writable().await?,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Reads one complete reply.
async fn read(stream: &TcpStream, reply: &mut Vec<u8>) -> Outcome {
    reply.clear();
    loop {
        stream.readable().await?;
        match stream.try_read_buf(reply) {
            Ok(0) => return Err("the server closed a connection".into()),
            Ok(_) if is_whole(reply)? => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn is_whole(reply: &[u8]) -> Outcome<bool> {
    let Some(end) = reply.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(false);
    };
    let head = String::from_utf8_lossy(reply.get(..end).unwrap_or_default()).to_ascii_lowercase();
    if head.contains("transfer-encoding: chunked") {
        return Ok(reply.ends_with(b"0\r\n\r\n"));
    }
    let length = head
        .split("\r\n")
        .find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.ok_or("a reply without a length")?.trim().parse()?;
    Ok(reply.len() >= end + 4 + length)
}

/// Sends one request on a new connection and returns the complete reply.
pub async fn send_one(listen: &str, request: &[u8]) -> Outcome<Vec<u8>> {
    let stream = TcpStream::connect(listen).await?;
    let mut reply = Vec::new();
    write(&stream, request).await?;
    read(&stream, &mut reply).await?;
    Ok(reply)
}

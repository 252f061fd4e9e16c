//! How a reply goes over the connection: in pieces, slowly, half, without end, or not at all.

use std::io;
use std::iter::Peekable;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use futures_util::stream;
use serde_json::Value;

use super::reply::{End, Failure, Kind, Quirk, Reply};
use super::{Shared, Wire, lock};

/// Marks the place of the text in a huge reply.
const MARK: &str = "@@filler@@";
/// How much of that text comes in one piece.
const FILLER: u64 = 16 << 10;

/// A call that waits for its answer, until it has it or the client leaves.
pub(super) struct Open(Arc<Shared>);

impl Open {
    pub(super) fn new(shared: &Arc<Shared>) -> Self {
        let mut state = lock(&shared.state);
        state.open += 1;
        state.most_open = state.most_open.max(state.open);
        drop(state);
        Self(Arc::clone(shared))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        lock(&self.0.state).open -= 1;
    }
}

/// Answers a call as the test ordered. An error closes the connection without an answer.
pub(super) async fn send(
    wire: Wire,
    reply: Reply,
    request: &Value,
    number: usize,
    open: Open,
) -> io::Result<Response> {
    tokio::time::sleep(reply.delay).await;
    let answer = match reply.kind {
        Kind::Answer | Kind::Huge(_) => answer(wire, &reply, request, number, open),
        Kind::Status(status) => failure(wire, &wire.scripted(status, &reply, request), number),
        Kind::Redirect(status) => {
            let mut answer = plain(status, "text/plain", Body::empty());
            let redirect_target = HeaderValue::from_str(&open.0.redirect_target).expect("a header");
            answer.headers_mut().insert(LOCATION, redirect_target);
            answer
        }
        Kind::Garbage => {
            let page = "<!DOCTYPE html><html><body><h1>Welcome</h1>\u{20ac} {\"choices\": [</body></html>";
            plain(200, "text/html; charset=utf-8", Body::from(page))
        }
        Kind::Silence => return std::future::pending().await,
        Kind::HangUp => return Err(io::Error::other("no answer")),
    };
    Ok(with_headers(answer, &reply.headers))
}

pub(super) fn failure(wire: Wire, failure: &Failure, number: usize) -> Response {
    let body = Body::from(wire.failure(failure, number).to_string());
    identified(wire, plain(failure.status, "application/json", body), number)
}

fn plain(status: u16, kind: &'static str, body: Body) -> Response {
    let mut answer = Response::new(body);
    *answer.status_mut() = StatusCode::from_u16(status).expect("a status");
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

fn identified(wire: Wire, answer: Response, number: usize) -> Response {
    let (name, id) = wire.request_id(number);
    with_headers(answer, &[(name.to_owned(), id)])
}

fn with_headers(mut answer: Response, headers: &[(String, String)]) -> Response {
    for (name, value) in headers {
        let name = HeaderName::try_from(name.as_str()).expect("a header's name");
        let value = HeaderValue::from_str(value).expect("a header's value");
        answer.headers_mut().insert(name, value);
    }
    answer
}

type Pieces = Box<dyn Iterator<Item = Bytes> + Send>;

fn answer(wire: Wire, reply: &Reply, request: &Value, number: usize, open: Open) -> Response {
    let streamed = request["stream"] == true;
    let mut reply = reply.clone();
    if let Kind::Huge(_) = reply.kind {
        reply.text = Some(MARK.to_owned());
    }
    let mut events = if streamed {
        wire.events(&reply, request, number)
    } else {
        vec![wire.whole(&reply, request, number).to_string()]
    };
    if streamed && reply.has(Quirk::CrLf) {
        events = events.iter().map(|event| event.replace('\n', "\r\n")).collect();
    }
    let (pieces, length) = match reply.kind {
        Kind::Huge(bytes) => huge(&events, bytes, streamed && !reply.has(Quirk::OneEvent)),
        _ => pieces(&reply, events, streamed),
    };
    let pace = match reply.pace {
        // Without a pause between them, chunks would be put together again.
        None if reply.chunk_size().is_some() => Some(Duration::from_millis(1)),
        pace => pace,
    };
    let body = Body::from_stream(flow(pieces, pace, reply.end, open));
    let kind = if streamed {
        "text/event-stream; charset=utf-8"
    } else {
        "application/json"
    };
    let mut answer = plain(200, kind, body);
    if !streamed && let Some(length) = length {
        answer
            .headers_mut()
            .insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    identified(wire, answer, number)
}

/// The pieces as they are sent, and the length of the whole body also if only half of it is sent.
fn pieces(reply: &Reply, events: Vec<String>, streamed: bool) -> (Pieces, Option<usize>) {
    let whole: usize = events.iter().map(String::len).sum();
    let eighth = whole.div_ceil(8).max(1);
    let size = reply.chunk_size().or_else(|| {
        let in_eighths = !streamed && reply.pace.is_some();
        in_eighths.then_some(eighth)
    });
    let events: Vec<Vec<u8>> = events.into_iter().map(String::into_bytes).collect();
    let mut pieces = match size {
        Some(size) => events.concat().chunks(size).map(Bytes::copy_from_slice).collect(),
        None => events.into_iter().map(Bytes::from).collect(),
    };
    if reply.end != End::Whole {
        pieces = half(pieces, whole / 2);
    }
    (Box::new(pieces.into_iter()), Some(whole))
}

fn half(pieces: Vec<Bytes>, mut left: usize) -> Vec<Bytes> {
    let mut kept = Vec::new();
    for piece in pieces {
        let piece = piece.slice(..piece.len().min(left));
        left -= piece.len();
        if !piece.is_empty() {
            kept.push(piece);
        }
    }
    kept
}

/// The text is made while it is sent: in a whole answer and in one event, between what surrounds it; else event by
/// event.
fn huge(events: &[String], bytes: u64, in_events: bool) -> (Pieces, Option<usize>) {
    let marked = |event: &&String| event.contains(MARK);
    let place = events.iter().position(|event| marked(&event)).expect("the text");
    let filler = "many words ".repeat(usize::try_from(FILLER / 11).expect("a length"));
    let times = usize::try_from(bytes / filler.len() as u64).expect("a number");
    let before = events[..place].concat();
    let after = events[place + 1..].concat();
    let (before, filler, after) = if in_events {
        (before, events[place].replace(MARK, &filler), after)
    } else {
        let (start, end) = events[place].split_once(MARK).expect("the text");
        (before + start, filler, end.to_owned() + &after)
    };
    let length = before.len() + filler.len() * times + after.len();
    let middle = std::iter::repeat_n(Bytes::from(filler), times);
    let all = std::iter::once(Bytes::from(before))
        .chain(middle)
        .chain(std::iter::once(Bytes::from(after)));
    (Box::new(all), Some(length))
}

struct Flow {
    pieces: Peekable<Pieces>,
    started: bool,
    pace: Option<Duration>,
    end: End,
    shared: Arc<Shared>,
    open: Option<Open>,
}

fn flow(
    pieces: Pieces,
    pace: Option<Duration>,
    end: End,
    open: Open,
) -> impl stream::Stream<Item = io::Result<Bytes>> {
    let flow = Flow {
        pieces: pieces.peekable(),
        started: false,
        pace,
        end,
        shared: Arc::clone(&open.0),
        open: Some(open),
    };
    stream::unfold(flow, |mut flow| async move {
        if let Some(piece) = flow.pieces.next() {
            if let Some(pace) = flow.pace.filter(|_| flow.started) {
                tokio::time::sleep(pace).await;
            }
            flow.started = true;
            lock(&flow.shared.state).sent += piece.len() as u64;
            // Who has the last piece has the answer: a client must not see its own call as open.
            if flow.end == End::Whole && flow.pieces.peek().is_none() {
                flow.open = None;
            }
            return Some((Ok(piece), flow));
        }
        match flow.end {
            End::Whole => None,
            End::Cut => {
                // What was sent before must have left; an error would take it along.
                tokio::time::sleep(Duration::from_millis(20)).await;
                flow.open = None;
                Some((Err(io::Error::other("cut")), flow))
            }
            End::Stall => std::future::pending().await,
        }
    })
}

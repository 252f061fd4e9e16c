//! A connection of a client, seen from its slot: whose turn it is, what the client has not read yet, and whether it
//! reads at all. Does not depend on what is requested.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use crate::edge::slots::Slot;

/// The most of a response that the system keeps unsent, in bytes. Without a bound it keeps megabytes for a client that
/// does not read.
const UNSENT: u32 = 32 << 10;

/// Shared by the parts of a connection.
#[derive(Debug)]
pub struct Client {
    slot: Slot<IpAddr>,
    /// Whether the last request has got its response.
    answered: AtomicBool,
    /// Whether everything that had arrived was read since the last request.
    awaited: AtomicBool,
}

impl Client {
    pub const fn new(slot: Slot<IpAddr>) -> Self {
        Self {
            slot,
            answered: AtomicBool::new(true),
            awaited: AtomicBool::new(true),
        }
    }

    pub const fn slot(&self) -> &Slot<IpAddr> {
        &self.slot
    }

    /// Whether the next request came before the client can have seen the last response.
    pub fn is_ahead(&self) -> bool {
        !self.awaited.swap(false, Ordering::Relaxed)
    }

    /// A request's headers have arrived.
    pub fn asked(&self) {
        self.answered.store(false, Ordering::Relaxed);
        self.slot.working();
    }

    /// The response is ready to be written.
    pub fn answered(&self) {
        self.answered.store(true, Ordering::Relaxed);
        self.slot.waiting();
    }
}

/// The socket. Fails if the client has not accepted a byte for some time although there is something to send.
pub struct ClientStream {
    stream: TcpStream,
    client: Arc<Client>,
    patience: Duration,
    /// Runs while the client accepts nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Bytes that the client should have accepted by now.
    unread: usize,
}

impl ClientStream {
    pub fn new(stream: TcpStream, client: Arc<Client>, patience: Duration) -> Self {
        // Responses are small and complete: waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        bound_unsent(&stream, patience);
        Self {
            stream,
            client,
            patience,
            stalled: None,
            unread: 0,
        }
    }

    fn written(
        &mut self,
        offered: usize,
        result: Poll<Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<Result<usize>> {
        match result {
            Poll::Pending => {
                self.set_unread(offered);
                let patience = self.patience;
                let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
                if stalled.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                // Frees what the system keeps for this client, too.
                let _ = self.stream.set_zero_linger();
                Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client reads nothing")))
            }
            Poll::Ready(Ok(accepted)) => {
                if self.stalled.take().is_some() || accepted < offered {
                    self.client.slot.progressed();
                }
                self.set_unread(offered.saturating_sub(accepted));
                Poll::Ready(Ok(accepted))
            }
            failed => failed,
        }
    }

    fn set_unread(&mut self, bytes: usize) {
        if bytes != self.unread {
            self.unread = bytes;
            self.client.slot.hold(bytes);
        }
    }
}

/// Bounds what the system keeps for a client that reads slowly, and for how long it keeps it after the end of the
/// connection. An older system that cannot is no reason to refuse clients.
#[cfg(target_os = "linux")]
fn bound_unsent(stream: &TcpStream, patience: Duration) {
    let socket = SockRef::from(stream);
    let _ = socket.set_tcp_notsent_lowat(UNSENT);
    let _ = socket.set_tcp_user_timeout(Some(patience));
}

#[cfg(not(target_os = "linux"))]
fn bound_unsent(stream: &TcpStream, _: Duration) {
    let _ = SockRef::from(stream).set_send_buffer_size(UNSENT as usize);
}

impl AsyncRead for ClientStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let this = self.get_mut();
        let read = Pin::new(&mut this.stream).poll_read(context, into);
        if read.is_pending() {
            this.client.awaited.store(true, Ordering::Relaxed);
        }
        read
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(bytes.len(), result, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.written(parts.iter().map(|part| part.len()).sum(), result, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

/// The body of a request. It is the client's turn while a reader waits for it.
struct ClientBody {
    body: Incoming,
    client: Arc<Client>,
}

/// A body that reports whose turn it is.
pub fn client_body(body: Incoming, client: &Arc<Client>) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    let client = Arc::clone(client);
    Body::new(ClientBody { body, client })
}

impl HttpBody for ClientBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, hyper::Error>>> {
        let this = self.get_mut();
        let frame = Pin::new(&mut this.body).poll_frame(context);
        let slot = &this.client.slot;
        if frame.is_pending() {
            slot.waiting();
        } else if this.client.answered.load(Ordering::Relaxed) {
            slot.progressed();
        } else {
            slot.working();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

//! The byte source of the body parsers. It limits the size of the whole body, and of what may arrive between two steps
//! of a parser. Does not depend on the format of the body.

use std::io::{self, Read};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use axum::body::{BodyDataStream, Bytes};
use futures_core::Stream;
use tokio::runtime::Handle;

use crate::api::failure::Failure;
use crate::base::error::Error;

/// Most bytes between two steps of a parser, for instance a text, a name or the head of a part.
pub(super) const STEP: u64 = 2 << 20;

/// Counts the bytes of a body and records why reading stopped. The source and its parser share it.
#[derive(Debug)]
pub(super) struct Meter {
    most: u64,
    taken: AtomicU64,
    since: AtomicU64,
    stopped: AtomicU8,
}

const BROKEN: u8 = 1;
const BODY_TOO_LARGE: u8 = 2;
const STEP_TOO_LARGE: u8 = 3;

impl Meter {
    /// The parser made progress.
    pub(super) fn step(&self) {
        self.since.store(0, Ordering::Relaxed);
    }

    /// Why reading stopped before the end of the body.
    pub(super) fn stopped(&self) -> Option<Failure> {
        match self.stopped.load(Ordering::Relaxed) {
            BROKEN => Some(Failure::field(
                "body",
                "incomplete",
                "broke off before its end; nothing was done",
            )),
            BODY_TOO_LARGE => Some(Failure::Of(Error::TooLarge { limit: self.most })),
            STEP_TOO_LARGE => Some(Failure::Of(Error::TooLarge { limit: STEP })),
            _ => None,
        }
    }

    fn stop(&self, why: u8) -> io::Error {
        self.stopped.store(why, Ordering::Relaxed);
        io::Error::other("the body is not read on")
    }
}

/// Where the parser runs.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In place: the whole body has arrived, so nothing blocks.
    Here,
    /// On a blocking thread, which waits for the client.
    Thread(Handle),
}

impl Place {
    pub(super) fn wait<F: Future>(&self, future: F) -> F::Output {
        match self {
            Self::Thread(handle) => handle.block_on(future),
            Self::Here => {
                let mut future = pin!(future);
                let mut context = Context::from_waker(Waker::noop());
                loop {
                    if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                        return output;
                    }
                }
            }
        }
    }
}

/// The body: the part that has arrived already, then the rest.
pub(super) struct Source {
    head: Option<Bytes>,
    rest: BodyDataStream,
    piece: Bytes,
    paused: bool,
    place: Place,
    meter: Arc<Meter>,
}

impl Source {
    pub(super) fn new(head: Bytes, rest: BodyDataStream, place: Place, most: u64) -> Self {
        Self {
            head: Some(head),
            rest,
            piece: Bytes::new(),
            paused: false,
            place,
            meter: Arc::new(Meter {
                most,
                taken: AtomicU64::new(0),
                since: AtomicU64::new(0),
                stopped: AtomicU8::new(0),
            }),
        }
    }

    pub(super) fn meter(&self) -> Arc<Meter> {
        Arc::clone(&self.meter)
    }

    /// Whether the whole body has arrived and is empty or blank.
    pub(super) fn is_blank(&self) -> bool {
        let head = self.head.as_deref().unwrap_or_default();
        matches!(self.place, Place::Here) && head.trim_ascii().is_empty()
    }

    pub(super) fn place(&self) -> Place {
        self.place.clone()
    }

    fn counted(&self, piece: Bytes) -> io::Result<Bytes> {
        let bytes = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        let meter = &self.meter;
        if meter.taken.fetch_add(bytes, Ordering::Relaxed) + bytes > meter.most {
            return Err(meter.stop(BODY_TOO_LARGE));
        }
        // The current piece is not counted: it may contain many steps.
        if meter.since.fetch_add(bytes, Ordering::Relaxed) > STEP {
            return Err(meter.stop(STEP_TOO_LARGE));
        }
        Ok(piece)
    }
}

/// Yields one piece per poll. Otherwise a parser that takes everything that is ready would read the whole body of a
/// fast client at once.
impl Stream for Source {
    type Item = io::Result<Bytes>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        let this = self.get_mut();
        if std::mem::take(&mut this.paused) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let piece = match this.head.take() {
            Some(head) if !head.is_empty() => Some(Ok(head)),
            _ => std::task::ready!(Pin::new(&mut this.rest).poll_next(context)),
        };
        this.paused = true;
        Poll::Ready(piece.map(|piece| match piece {
            Ok(piece) => this.counted(piece),
            Err(_) => Err(this.meter.stop(BROKEN)),
        }))
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            let place = self.place.clone();
            let next = place.wait(std::future::poll_fn(|context| {
                Pin::new(&mut *self).poll_next(context)
            }));
            match next {
                Some(piece) => self.piece = piece?,
                None => return Ok(0),
            }
        }
        let most = buffer.len().min(self.piece.len());
        let part = self.piece.split_to(most);
        if let Some(buffer) = buffer.get_mut(..most) {
            buffer.copy_from_slice(&part);
        }
        Ok(most)
    }
}

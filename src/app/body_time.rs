//! Time limits of request bodies: a body that does not arrive in time is answered 408, and the unread rest of one is
//! received for a while.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep, timeout_at};

use crate::app::connections::Limits;
use crate::edge::problem::problem;

/// How long and how much of an unread body is still received. Most clients read the response only after they have sent
/// the body; closing the connection earlier would lose it.
const LINGER: Duration = Duration::from_secs(30);
const LINGER_BYTES: u64 = 512 << 20;

/// Middleware that responds with 408 if the body does not arrive in time.
pub async fn limit_body_time(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let late = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| {
        Body::new(Timed {
            body: Some(body),
            since: Instant::now(),
            end: Box::pin(sleep(limits.body)),
            arrived: 0,
            limits,
            late: Arc::clone(&late),
        })
    });
    let response = next.run(request).await;
    if !late.load(Ordering::Relaxed) {
        return response;
    }
    // Replaces the handler's own response to the incomplete body.
    let detail = "The request's body did not arrive in time.";
    let mut response = problem(StatusCode::REQUEST_TIMEOUT, "request_timeout", detail);
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

/// A body that ends with an error at its deadline.
struct Timed {
    /// None after its end.
    body: Option<Body>,
    since: Instant,
    end: Pin<Box<Sleep>>,
    arrived: u64,
    limits: Limits,
    late: Arc<AtomicBool>,
}

impl Timed {
    /// Moves the deadline for the bytes that have arrived.
    fn extend(&mut self, bytes: usize) {
        self.arrived = self
            .arrived
            .saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        let earned = Duration::from_secs(self.arrived / self.limits.rate.max(1));
        let most = (self.limits.body + earned).min(self.limits.longest);
        self.end.as_mut().reset(self.since + most);
    }
}

/// Receives the unread rest of a body for a while, if the response did not need it.
impl Drop for Timed {
    fn drop(&mut self) {
        let Some(mut body) = self.body.take().filter(|body| !body.is_end_stream()) else {
            return;
        };
        let until = self.end.deadline().min(Instant::now() + LINGER);
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(timeout_at(until, async move {
            let mut taken: u64 = 0;
            while let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                taken = taken.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
                if taken > LINGER_BYTES {
                    return;
                }
            }
        }));
    }
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let Some(body) = &mut this.body else {
            return Poll::Ready(None);
        };
        match Pin::new(body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                this.extend(frame.data_ref().map_or(0, Bytes::len));
                return Poll::Ready(Some(Ok(frame)));
            }
            Poll::Ready(ended) => {
                this.body = None;
                return Poll::Ready(ended);
            }
            Poll::Pending => {}
        }
        ready!(this.end.as_mut().poll(context));
        // The deadline has passed: nothing more is received.
        this.body = None;
        this.late.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(axum::Error::new("the body did not arrive in time"))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

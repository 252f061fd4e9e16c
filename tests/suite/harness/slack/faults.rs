//! Faults of the fake's calls, and the responses that replace the normal ones. Does not depend on any method.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use serde_json::{Value, json};

use super::files;

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// 429 with `Retry-After` in seconds.
    RateLimited(u64),
    /// 500, without effect.
    ServerError,
    /// The call has its effect, and the response is 500.
    LostReply,
    /// The call has its effect, and the connection is closed within the response.
    Cut,
    /// A normal response after a delay.
    Slow(Duration),
    /// No response; the call has its effect after a delay.
    Late(Duration),
    /// `ok: false` without an error code, without effect.
    Bare,
    /// `ok: false` with this error code, without effect.
    Error(&'static str),
    /// `missing_scope` with this scope, without effect.
    MissingScope(&'static str),
    /// This status, without effect.
    Status(u16),
    /// An HTML page with status 200, without effect.
    Page,
}

impl Fault {
    /// The response if the call has no effect; none if it has.
    pub(super) fn instead(self) -> Option<Response> {
        let plain = |body: Value| Json(body).into_response();
        Some(match self {
            Self::RateLimited(seconds) => {
                let body = Json(json!({ "ok": false, "error": "ratelimited" }));
                let wait = [(header::RETRY_AFTER, seconds.to_string())];
                (StatusCode::TOO_MANY_REQUESTS, wait, body).into_response()
            }
            Self::ServerError => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            Self::Error(word) => plain(json!({ "ok": false, "error": word })),
            Self::Bare => plain(json!({ "ok": false })),
            Self::MissingScope(right) => {
                plain(json!({ "ok": false, "error": "missing_scope", "needed": right, "provided": "" }))
            }
            Self::Status(status) => StatusCode::from_u16(status).expect("a status").into_response(),
            Self::Page => files::sign_in_page().into_response(),
            Self::Slow(_) | Self::Late(_) | Self::LostReply | Self::Cut => return None,
        })
    }

    /// The response that replaces the normal one after the effect.
    pub(super) fn after(self, answer: Response) -> Response {
        match self {
            Self::LostReply => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            Self::Cut => {
                let cut = async { Err::<Bytes, _>(std::io::Error::other("cut")) };
                Body::from_stream(futures_util::stream::once(cut)).into_response()
            }
            _ => answer,
        }
    }
}

/// How many of a thousand calls fail, by kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    pub limited: u64,
    pub before: u64,
    pub lost_reply: u64,
    pub cut: u64,
}

//! What goes wrong with calls of the fake, and what comes in place of their answers. Knows no method.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use serde_json::{Value, json};

use super::files;

/// What goes wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// 429 with `Retry-After` in seconds.
    Limited(u64),
    /// 500, and nothing happened.
    Before,
    /// It happened, and then 500.
    LostReply,
    /// It happened, and the connection ends within the answer.
    Cut,
    /// As usual, but so much later.
    Slow(Duration),
    /// Nothing is answered, also not when it happens, so much later.
    Late(Duration),
    /// `ok: false` without a word, and nothing happened.
    Bare,
    /// `ok: false` with this word, and nothing happened.
    Word(&'static str),
    /// `missing_scope` with this right, and nothing happened.
    Right(&'static str),
    /// This status, and nothing happened.
    Status(u16),
    /// A page for people with status 200, and nothing happened.
    Page,
}

impl Fault {
    /// What comes in place of the answer where nothing happened; nothing where it does happen.
    pub(super) fn instead(self) -> Option<Response> {
        let plain = |body: Value| Json(body).into_response();
        Some(match self {
            Self::Limited(seconds) => {
                let body = Json(json!({ "ok": false, "error": "ratelimited" }));
                let wait = [(header::RETRY_AFTER, seconds.to_string())];
                (StatusCode::TOO_MANY_REQUESTS, wait, body).into_response()
            }
            Self::Before => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            Self::Word(word) => plain(json!({ "ok": false, "error": word })),
            Self::Bare => plain(json!({ "ok": false })),
            Self::Right(right) => {
                plain(json!({ "ok": false, "error": "missing_scope", "needed": right, "provided": "" }))
            }
            Self::Status(status) => StatusCode::from_u16(status).expect("a status").into_response(),
            Self::Page => files::sign_in_page().into_response(),
            Self::Slow(_) | Self::Late(_) | Self::LostReply | Self::Cut => return None,
        })
    }

    /// What comes in place of the answer to what did happen.
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

/// How many of a thousand calls go wrong, by kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    pub limited: u64,
    pub before: u64,
    pub lost_reply: u64,
    pub cut: u64,
}

//! Slack's request signature, version 0: over the raw bytes, at a given time, with the current or the previous
//! secret. Parses nothing of the body.

use axum::http::HeaderMap;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::base::secret::Secret;

const SIGNATURE: &str = "x-slack-signature";
const TIMESTAMP: &str = "x-slack-request-timestamp";

/// Largest difference between a request's time and ours, in either direction.
const WINDOW_S: u64 = 300;

/// Why a request does not count as Slack's, or as recent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    #[error("the request is not signed with this installation's signing secret")]
    Signature,
    #[error("the request's time is more than five minutes from the server's")]
    Timestamp,
}

impl Rejected {
    /// The stable code in the response.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Signature => "signature_invalid",
            Self::Timestamp => "timestamp_out_of_range",
        }
    }
}

/// Passes if the headers sign `body` with one of `secrets` and their time is near `now_s`
/// (seconds since 1970). An empty secret signs nothing.
pub fn check<'a>(
    headers: &HeaderMap,
    body: &[u8],
    secrets: impl IntoIterator<Item = &'a Secret>,
    now_s: i64,
) -> Result<(), Rejected> {
    let timestamp = only(headers, TIMESTAMP)?;
    let signature = digest(only(headers, SIGNATURE)?)?;
    if seconds(timestamp)?.abs_diff(now_s) > WINDOW_S {
        return Err(Rejected::Timestamp);
    }
    let fits = secrets
        .into_iter()
        .any(|secret| signs(secret, timestamp, body, &signature));
    if fits { Ok(()) } else { Err(Rejected::Signature) }
}

/// Compares in constant time.
fn signs(secret: &Secret, timestamp: &str, body: &[u8], signature: &[u8; 32]) -> bool {
    let key = secret.expose().as_bytes();
    let Some(mut mac) = Hmac::<Sha256>::new_from_slice(key)
        .ok()
        .filter(|_| !key.is_empty())
    else {
        return false;
    };
    mac.update(b"v0:");
    mac.update(timestamp.as_bytes());
    mac.update(b":");
    mac.update(body);
    mac.verify_slice(signature).is_ok()
}

/// The only value of a header. With two, a proxy and we might read different ones.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, Rejected> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().map_err(|_| Rejected::Signature),
        _ => Err(Rejected::Signature),
    }
}

/// Only digits: `+1`, ` 1` and `1.0` are not what Slack sends.
fn seconds(text: &str) -> Result<i64, Rejected> {
    if text.bytes().all(|sign| sign.is_ascii_digit()) {
        text.parse().map_err(|_| Rejected::Signature)
    } else {
        Err(Rejected::Signature)
    }
}

/// `v0=` and 64 lower-case hexadecimal digits.
fn digest(header: &str) -> Result<[u8; 32], Rejected> {
    let text = header.strip_prefix("v0=").ok_or(Rejected::Signature)?;
    let mut digest = [0; 32];
    let lower = text.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'));
    match hex::decode_to_slice(text, &mut digest) {
        Ok(()) if lower => Ok(digest),
        _ => Err(Rejected::Signature),
    }
}

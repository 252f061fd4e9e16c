//! Slack's request signature, version 0: over the raw bytes, at a given time, with the current or
//! the previous secret. Knows no payload: nothing is parsed before this has passed.

use axum::http::HeaderMap;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::base::secret::Secret;

const SIGNATURE: &str = "x-slack-signature";
const TIMESTAMP: &str = "x-slack-request-timestamp";

/// Furthest that a request's time may be from ours, in either direction.
const WINDOW_S: u64 = 300;

/// Why a request is not Slack's, or not a fresh one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    #[error("the request is not signed with this installation's signing secret")]
    Signature,
    #[error("the request's time is more than five minutes from the server's")]
    Timestamp,
}

impl Rejected {
    /// The stable word of the refusal's body.
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

/// The comparison takes the same time wherever the first difference is.
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

/// The one value of a header. Two would let a proxy and us read different ones.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, Rejected> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().map_err(|_| Rejected::Signature),
        _ => Err(Rejected::Signature),
    }
}

/// Digits only: `+1`, ` 1` and `1.0` are not what Slack sends.
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_531_420_618;
    const BODY: &[u8] = br#"{"a":1}"#;

    fn secret() -> Secret {
        Secret::new("8f742231b10e8888abcd99yyyzzz85a5")
    }

    fn signed(secret: &Secret, timestamp: &str, body: &[u8]) -> Option<HeaderMap> {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).ok()?;
        mac.update(format!("v0:{timestamp}:").as_bytes());
        mac.update(body);
        let signature = format!("v0={}", hex::encode(mac.finalize().into_bytes()));
        let mut headers = HeaderMap::new();
        headers.insert(TIMESTAMP, timestamp.parse().ok()?);
        headers.insert(SIGNATURE, signature.parse().ok()?);
        Some(headers)
    }

    #[test]
    fn passes_within_five_minutes_of_both_sides() -> Result<(), &'static str> {
        let headers = signed(&secret(), "1531420618", BODY).ok_or("headers")?;
        for (now, outcome) in [
            (NOW, Ok(())),
            (NOW + 300, Ok(())),
            (NOW - 300, Ok(())),
            (NOW + 301, Err(Rejected::Timestamp)),
            (NOW - 301, Err(Rejected::Timestamp)),
            (i64::MIN, Err(Rejected::Timestamp)),
        ] {
            assert_eq!(check(&headers, BODY, [&secret()], now), outcome, "at {now}");
        }
        Ok(())
    }

    #[test]
    fn takes_the_previous_secret_and_no_other_or_empty_one() -> Result<(), &'static str> {
        let headers = signed(&secret(), "1531420618", BODY).ok_or("headers")?;
        let (new, empty) = (Secret::new("new"), Secret::new(""));
        assert_eq!(check(&headers, BODY, [&new, &secret()], NOW), Ok(()));
        assert_eq!(check(&headers, BODY, [&new], NOW), Err(Rejected::Signature));
        assert_eq!(check(&headers, BODY, [], NOW), Err(Rejected::Signature));
        let unsigned = signed(&empty, "1531420618", BODY).ok_or("headers")?;
        assert_eq!(check(&unsigned, BODY, [&empty], NOW), Err(Rejected::Signature));
        Ok(())
    }

    #[test]
    fn wants_each_header_once_and_plain() -> Result<(), &'static str> {
        let good = signed(&secret(), "1531420618", BODY).ok_or("headers")?;
        for name in [TIMESTAMP, SIGNATURE] {
            let mut missing = good.clone();
            missing.remove(name);
            assert_eq!(
                check(&missing, BODY, [&secret()], NOW),
                Err(Rejected::Signature),
                "no {name}"
            );
            let mut twice = good.clone();
            let value = good.get(name).cloned().ok_or("value")?;
            twice.append(name, value);
            assert_eq!(
                check(&twice, BODY, [&secret()], NOW),
                Err(Rejected::Signature),
                "two {name}"
            );
        }
        for timestamp in [
            "",
            "1531420618.0",
            "+1531420618",
            "-1531420618",
            "0x5b47",
            "99999999999999999999",
        ] {
            let odd = signed(&secret(), timestamp, BODY).ok_or("headers")?;
            assert_eq!(
                check(&odd, BODY, [&secret()], NOW),
                Err(Rejected::Signature),
                "{timestamp:?}"
            );
        }
        Ok(())
    }
}

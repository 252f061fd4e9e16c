//! Slack's request signature: timestamp, secrets and headers.

use axum::http::HeaderMap;
use corbel::base::secret::Secret;
use corbel::chat::slack::signature::{Rejected, check};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

const SIGNATURE: &str = "x-slack-signature";
const TIMESTAMP: &str = "x-slack-request-timestamp";

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
fn accepts_a_clock_difference_of_five_minutes_either_way() -> Result<(), &'static str> {
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
fn accepts_the_previous_secret_but_no_other_or_empty_one() -> Result<(), &'static str> {
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
fn requires_each_header_exactly_once_in_plain_text() -> Result<(), &'static str> {
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

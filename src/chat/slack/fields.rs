//! Checks the form of what an administrator copies from Slack's pages, so that a wrong field is named before Slack is
//! called. Does not depend on installations.

use crate::base::error::{Error, Result};
use crate::base::secret::Secret;

/// `A0123ABCD`.
pub fn app_id(text: &str) -> Result<String> {
    id(
        "app-id",
        text,
        &['A'],
        4,
        "must be the App ID of Basic Information, for instance A0123ABCD",
    )
}

/// `C0123ABCD`, or `G0123ABCD` for old private channels: an approval under another name would never match.
pub fn conversation(text: &str) -> Result<String> {
    id(
        "conversation",
        text,
        &['C', 'G'],
        3,
        "must be Slack's own, for instance C0123456789, from the very bottom of the channel's details; a name such \
         as #general is none",
    )
}

/// Two numbers with a dot between.
pub fn client_id(text: &str) -> Result<String> {
    let text = text.trim();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|sign| sign.is_ascii_digit());
    let parts = text.split_once('.').filter(|_| text.len() <= 64);
    let fits = parts.is_some_and(|(left, right)| digits(left) && digits(right));
    let why = "must be the Client ID of Basic Information, for instance 1234567890.9876543210";
    fitting(fits, "client-id", text, why)
}

pub fn client_secret(text: &str) -> Result<Secret> {
    secret(
        "client-secret",
        text,
        "must be the Client Secret of Basic Information: 32 letters and digits",
    )
}

pub fn signing_secret(text: &str) -> Result<Secret> {
    secret(
        "signing-secret",
        text,
        "must be the Signing Secret of Basic Information: 32 letters and digits (the Verification Token, which is \
         shorter, is another thing)",
    )
}

/// `xoxb-…`, which does not expire.
pub fn bot_token(text: &str) -> Result<Secret> {
    let text = text.trim();
    let why = if text.starts_with("xoxb-") && is_token(text) {
        return Ok(Secret::new(text));
    } else if text.starts_with("xoxe.xoxb-") {
        "expires after some hours. Use Install to Slack, which also stores the refresh token"
    } else if text.starts_with("xoxe") {
        "is a configuration token. The bot token begins with xoxb-"
    } else if text.starts_with("xoxp-") {
        "is a person's token. Copy the Bot User OAuth Token, which begins with xoxb-"
    } else if text.starts_with("xapp-") {
        "is an app-level token. Copy the Bot User OAuth Token, which begins with xoxb-"
    } else if text.starts_with("xoxb-") {
        "is not whole, or holds something else. Copy all of the Bot User OAuth Token"
    } else {
        "must be the Bot User OAuth Token of OAuth & Permissions, which begins with xoxb-"
    };
    Err(Error::invalid("bot-token", why))
}

/// `xoxe.xoxp-…`, which creates apps.
pub fn configuration_token(text: &str) -> Result<Secret> {
    let text = text.trim();
    let why = if text.starts_with("xoxe.xoxp-") && is_token(text) {
        return Ok(Secret::new(text));
    } else if text.starts_with("xoxe-") {
        "is the refresh token. Copy the Access Token, which begins with xoxe.xoxp-"
    } else {
        "must be an App Configuration Token, which begins with xoxe.xoxp-"
    };
    Err(Error::invalid("configuration-token", why))
}

fn secret(field: &'static str, text: &str, why: &str) -> Result<Secret> {
    let text = text.trim();
    let fits = (30..=128).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_alphanumeric());
    fitting(fits, field, text, why).map(Secret::new)
}

/// One of Slack's ids; its first letter is its kind.
fn id(field: &'static str, text: &str, first: &[char], shortest: usize, why: &str) -> Result<String> {
    let text = text.trim();
    let sign = |sign: u8| sign.is_ascii_uppercase() || sign.is_ascii_digit();
    let fits = text.starts_with(first) && (shortest..=32).contains(&text.len()) && text.bytes().all(sign);
    fitting(fits, field, text, why)
}

fn fitting(fits: bool, field: &'static str, text: &str, why: &str) -> Result<String> {
    match fits {
        true => Ok(text.to_owned()),
        false => Err(Error::invalid(field, why)),
    }
}

fn is_token(text: &str) -> bool {
    (10..=512).contains(&text.len())
        && text
            .bytes()
            .all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'-' | b'.' | b'_'))
}

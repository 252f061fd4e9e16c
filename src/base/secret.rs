//! Secrets that are never printed, random tokens, digests and constant-time comparison.

use std::fmt;

use aws_lc_rs::{constant_time, digest, rand};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::base::error::{Error, Result};

/// A secret string. `Debug` hides it, so it cannot reach a log; only `expose` returns it.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The digest to store where the secret only has to be recognized later.
    pub fn digest(&self) -> Vec<u8> {
        digest_of(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The SHA-256 digest. Sufficient for random tokens; passwords use Argon2.
pub fn digest_of(text: &str) -> Vec<u8> {
    digest::digest(&digest::SHA256, text.as_bytes()).as_ref().to_vec()
}

pub fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).map_err(|_| Error::internal("no random bytes"))?;
    Ok(bytes)
}

/// 256 random bits as 43 URL-safe characters.
pub fn random_token() -> Result<Secret> {
    Ok(Secret(URL_SAFE_NO_PAD.encode(random_bytes::<32>()?)))
}

/// Compares in constant time.
pub fn constant_time_eq(left: &[u8], right: &[u8]) -> bool {
    constant_time::verify_slices_are_equal(left, right).is_ok()
}

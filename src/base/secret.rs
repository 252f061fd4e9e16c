//! Secrets that never print, random tokens, digests, comparison in constant time.

use std::fmt;

use aws_lc_rs::{constant_time, digest, rand};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::base::error::{Error, Result};

/// A text that is shown by nothing: not by `Debug`, not by a log. Only `expose` gives it.
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

    /// What is stored in place of it, where it only has to be recognized.
    pub fn digest(&self) -> Vec<u8> {
        digest_of(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// SHA-256. Enough for random tokens; passwords go through Argon2.
pub fn digest_of(text: &str) -> Vec<u8> {
    digest::digest(&digest::SHA256, text.as_bytes()).as_ref().to_vec()
}

/// `N` random bytes.
pub fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).map_err(|_| Error::internal("no random bytes"))?;
    Ok(bytes)
}

/// 256 random bits as 43 characters that fit an address.
pub fn random_token() -> Result<Secret> {
    Ok(Secret(URL_SAFE_NO_PAD.encode(random_bytes::<32>()?)))
}

pub fn same(left: &[u8], right: &[u8]) -> bool {
    constant_time::verify_slices_are_equal(left, right).is_ok()
}
